//! Random expressions.

use std::sync::Arc;

use lariat_specs::{BinaryOp, CallPlace, PointerType, SpecExpr, UnaryOp, UnknownSite};
pub use lariat_testkit::Random;

const NAMES: [&str; 18] = [
    "x",
    "list",
    "$M",
    "Mem_T.INT4",
    "a b",
    "after",
    "NULL",
    "havoc",
    "x'",
    "0",
    "",
    "a..b",
    "back`quote\\",
    "q?",
    "größe",
    "line\nfeed",
    "(",
    "forall",
];
const FILES: [&str; 6] = ["util.c", "12", "my file.c", "../src/a-b+c.bpl", "a:b", ""];

fn name(random: &mut Random) -> Arc<str> {
    random.pick(&NAMES).into()
}

fn place(random: &mut Random) -> CallPlace {
    CallPlace {
        file: (random.below(2) == 0).then(|| random.pick(&FILES).into()),
        line: random.pick(&[0, 1, 12, u32::MAX]),
        column: (random.below(2) == 0).then_some(7),
    }
}

fn site(random: &mut Random, callee: bool) -> UnknownSite {
    UnknownSite {
        callee: callee.then(|| name(random)),
        place: (random.below(2) == 0).then(|| place(random)),
    }
}

fn list(random: &mut Random, depth: usize) -> Vec<SpecExpr> {
    (0..1 + random.below(2)).map(|_| expr(random, depth)).collect()
}

/// Any expression of at most the given depth.
pub fn expr(random: &mut Random, depth: usize) -> SpecExpr {
    let boxed = |random: &mut Random| Box::new(expr(random, depth - 1));
    match random.below(if depth == 1 { 8 } else { 26 }) {
        0 => SpecExpr::Name(name(random)),
        1 => SpecExpr::name(random.pick(&NAMES)),
        2 => SpecExpr::int(random.pick(&[0, 5, -5, i64::MIN])),
        3 => SpecExpr::Bool(random.below(2) == 0),
        4 | 5 => SpecExpr::Null,
        6 => SpecExpr::Result(site(random, true)),
        7 => SpecExpr::Raw(random.pick(&["", "*(x)", "a \"b\" \\", "\t"]).into()),
        8 => SpecExpr::After(boxed(random), {
            let callee = random.below(2) == 0;
            site(random, callee)
        }),
        9 => SpecExpr::Apply(name(random), list(random, depth - 1)),
        10 => SpecExpr::Field(boxed(random), name(random)),
        11 => SpecExpr::Arrow(boxed(random), name(random)),
        12 => SpecExpr::Index(boxed(random), list(random, depth - 1)),
        13 => {
            let words = random.pick(&["int", "unsigned char", "struct list"]);
            let stars = 1 + random.below(2) as u32;
            SpecExpr::Cast(
                PointerType::new(words, stars).expect("words and stars"),
                boxed(random),
            )
        }
        14 => SpecExpr::Forall(
            (0..1 + random.below(2)).map(|_| name(random)).collect(),
            boxed(random),
        ),
        15..=18 => {
            let op = random.pick(&[UnaryOp::Not, UnaryOp::Neg, UnaryOp::Deref, UnaryOp::AddressOf]);
            SpecExpr::Unary(op, boxed(random))
        }
        _ => {
            let op = random.pick(&BinaryOp::ALL);
            SpecExpr::Binary(op, boxed(random), boxed(random))
        }
    }
}
