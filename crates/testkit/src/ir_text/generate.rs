//! Random programs over `bool` and `bv2`, as text for [`super::read`].

use std::fmt::Write as _;

use crate::Random;

const BOOLS: [&str; 3] = ["p", "q", "gb"];
const NUMBERS: [&str; 4] = ["x", "y", "gn", "gm"];

fn number(random: &mut Random, readable: &[&str]) -> String {
    match random.below(8) {
        0 | 1 => format!("{}:2", random.below(4)),
        2 => format!("(+ {} {}:2)", random.pick(readable), 1 + random.below(3)),
        3 => format!("(+ {} {})", random.pick(readable), random.pick(readable)),
        _ => random.pick(readable).to_string(),
    }
}

fn condition(random: &mut Random, numbers: &[&str]) -> String {
    match random.below(10) {
        0 => random.pick(&BOOLS).to_string(),
        1 => format!("(not {})", random.pick(&BOOLS)),
        2 | 3 => format!("(= {} {})", number(random, numbers), number(random, numbers)),
        4 => format!("(not (= {} {}:2))", random.pick(numbers), random.below(4)),
        5 => format!("(and {} {})", random.pick(&BOOLS), random.pick(&BOOLS)),
        6 => format!(
            "(or (not {}) (< {} {}))",
            random.pick(&BOOLS),
            number(random, numbers),
            number(random, numbers)
        ),
        7 => format!("(= {} {}:2)", random.pick(numbers), random.below(4)),
        _ => format!("(<= {} {})", number(random, numbers), number(random, numbers)),
    }
}

/// A program of a few procedures with arbitrary control flow, calls, recursion and assertions.
pub fn random_program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("global gb: bool\nglobal gn: bv2\nglobal gm: bv2\n");
    let procs = 1 + random.below(4);
    for proc in 0..procs {
        let _ = writeln!(text, "proc p{proc}(a: bv2) -> (r: bv2)");
        text.push_str("  var p: bool\n  var q: bool\n  var x: bv2\n  var y: bv2\n");
        if proc > 0 && random.below(3) == 0 {
            helper_body(&mut random, &mut text, proc, procs);
            continue;
        }
        let blocks = 2 + random.below(7);
        for block in 0..blocks {
            let _ = writeln!(text, " b{block}:");
            for _ in 0..random.below(4) {
                let stmt = random_stmt(&mut random, procs);
                let _ = writeln!(text, "  {stmt}");
            }
            let targets = random.below(8);
            if blocks == 1 || targets == 0 || (block + 1 == blocks && random.below(2) == 0) {
                text.push_str("  return\n");
            } else if targets == 1 {
                text.push_str("  stop\n");
            } else if targets < 5 {
                let _ = writeln!(text, "  goto b{}", 1 + random.below(blocks - 1));
            } else if targets < 6 {
                let (then, other) = (1 + random.below(blocks - 1), 1 + random.below(blocks - 1));
                let _ = writeln!(text, "  goto b{then} b{other}");
            } else {
                // A structured-looking step forwards, so that programs get somewhere.
                let next = (block + 1).min(blocks - 1).max(1);
                let _ = writeln!(text, "  goto b{next} b{}", 1 + random.below(blocks - 1));
            }
        }
    }
    text
}

/// A body that mostly returns whatever its state is: branches that cover all cases, and calls
/// of later procedures only.
fn helper_body(random: &mut Random, text: &mut String, proc: usize, procs: usize) {
    let readable = ["x", "y", "gn", "gm", "a", "r"];
    let step = |random: &mut Random, text: &mut String| {
        let target = random.pick(&["x", "y", "gm", "r", "x", "y"]);
        let _ = writeln!(text, "  {target} := {}", number(random, &readable));
        if proc + 1 < procs && random.below(4) == 0 {
            let callee = proc + 1 + random.below(procs - proc - 1);
            let _ = writeln!(
                text,
                "  call {target} := p{callee}({})",
                number(random, &readable)
            );
        }
    };
    text.push_str(" b0:\n");
    step(random, text);
    let diamonds = random.below(3);
    for diamond in 0..diamonds {
        let guard = condition(random, &readable);
        let (then, other, after) = (
            format!("t{diamond}"),
            format!("e{diamond}"),
            format!("j{diamond}"),
        );
        let _ = writeln!(text, "  goto {then} {other}\n {then}:\n  assume {guard}");
        step(random, text);
        let _ = writeln!(text, "  goto {after}\n {other}:\n  assume (not {guard})");
        step(random, text);
        if random.below(8) == 0 {
            let _ = writeln!(text, "  assume {}", condition(random, &readable));
        }
        let _ = writeln!(text, "  goto {after}\n {after}:");
        step(random, text);
    }
    text.push_str("  return\n");
}

fn random_stmt(random: &mut Random, procs: usize) -> String {
    let readable = ["x", "y", "gn", "gm", "a", "r"];
    match random.below(20) {
        0..=6 => {
            let target = random.pick(&["x", "y", "gn", "gm", "r", "x", "y"]);
            format!("{target} := {}", number(random, &readable))
        }
        7 => format!("{} := {}", random.pick(&BOOLS), condition(random, &NUMBERS)),
        8 => format!(
            "x, y := {}, {}",
            number(random, &readable),
            number(random, &readable)
        ),
        9 => format!("havoc {}", random.pick(&["x", "p", "gn", "y", "q", "r"])),
        10..=12 => format!("assume {}", condition(random, &readable)),
        13..=15 => {
            let condition = condition(random, &readable);
            format!("assert (or gb {condition})")
        }
        _ => {
            let out = random.pick(&["x", "y", "r", "gn"]);
            let callee = random.below(procs);
            format!("call {out} := p{callee}({})", number(random, &readable))
        }
    }
}
