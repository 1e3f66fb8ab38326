//! Expressions of specifications: print ∘ parse, parentheses, errors.

mod support;

use lariat_specs::{BinaryOp, CallPlace, MAX_DEPTH, PointerType, SpecExpr, UnaryOp, UnknownSite};

use support::{Random, expr};

/// Reads a text and demands that it is printed as it was written.
fn same(text: &str) -> SpecExpr {
    let expr = SpecExpr::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(expr.to_string(), text);
    expr
}

fn printed(text: &str) -> String {
    SpecExpr::parse(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .to_string()
}

/// The marked part of the text, and the message.
fn error(text: &str) -> (&str, String) {
    let error = SpecExpr::parse(text).expect_err(text);
    (&text[error.range.clone()], error.to_string())
}

#[test]
fn what_specifications_look_like() {
    same("Lib1() != NULL && Lib2() != Lib1()");
    same("m[Lib2()] != NULL");
    same("p != NULL ==> p->next->prev == p && p->length >= 0");
    same("*out after get()@12 != NULL");
    same("x after havoc@12 > 0");
    same("open()@util.c:12:5.r == -1");
    same("forall z :: b[z] != NULL");
    same("a[i, j + 1] <= 2 * (n - 1) % 8");
    same("*(int *)(p + 8) != 0");
    same("!locked || lock->state == 1");
    same("Mem_T.INT4[p + 4] != $M.0[p]");
    same("&g != p");
    same("\"the third word at p\" != NULL");
    same("`a name`.`another one`[0] == 1");
}

#[test]
fn the_structure_is_what_the_text_says() {
    let name = SpecExpr::name;
    assert_eq!(
        same("*out after get()@12 != NULL"),
        SpecExpr::binary(
            BinaryOp::Ne,
            name("out")
                .deref()
                .after(UnknownSite::call("get").at(CallPlace::line(12))),
            SpecExpr::Null
        )
    );
    assert_eq!(
        same("-p->f[3]"),
        SpecExpr::unary(UnaryOp::Neg, name("p").arrow("f").index(SpecExpr::int(3)))
    );
    assert_eq!(
        same("*(unsigned char **)q"),
        SpecExpr::Cast(
            PointerType::new("unsigned char", 2).expect("a type"),
            Box::new(name("q"))
        )
        .deref()
    );
    assert_eq!(
        same("open().r"),
        SpecExpr::Result(UnknownSite::call("open")).field("r")
    );
    assert_eq!(same("a.b()"), SpecExpr::Result(UnknownSite::call("a.b")));
    assert_eq!(same("`after`"), SpecExpr::Name("after".into()));
    assert_eq!(name("Mem_T.INT4").dotted_name().as_deref(), Some("Mem_T.INT4"));
    assert_eq!(same("Mem_T.INT4"), name("Mem_T").field("INT4"));
    assert_eq!(SpecExpr::parse("0x1F"), Ok(SpecExpr::int(31)));
    assert_eq!(same("-7"), SpecExpr::int(-7));
    assert_eq!(
        SpecExpr::conjunction([name("a"), name("b"), name("c")]),
        same("a && b && c")
    );
    assert_eq!(SpecExpr::disjunction([]), same("false"));
}

#[test]
fn parentheses_are_only_where_they_are_needed() {
    for (text, minimal) in [
        ("((a))", "a"),
        ("(a && b) || (c && d)", "a && b || c && d"),
        ("(a || b) && c", "(a || b) && c"),
        ("a ==> (b ==> c)", "a ==> b ==> c"),
        ("(a ==> b) ==> c", "(a ==> b) ==> c"),
        ("(a - b) - c", "a - b - c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a < b) == c", "(a < b) == c"),
        ("!(a == b)", "!(a == b)"),
        ("!(*p)", "!*p"),
        ("(*p).f", "(*p).f"),
        ("*(p.f)", "*p.f"),
        ("a - -5", "a - -5"),
        ("- -x", "-(-x)"),
        ("(*out) after get()", "*out after get()"),
        ("*(out after get())", "*(out after get())"),
        ("a ==> forall x :: b[x]", "a ==> (forall x :: b[x])"),
        ("(forall x :: b[x] ==> c)", "forall x :: b[x] ==> c"),
        ("(int*)((p))", "(int *)p"),
        ("(f)(x)", "f(x)"),
    ] {
        assert_eq!(printed(text), minimal, "{text}");
    }
}

/// Every operator inside every other, on both sides.
#[test]
fn nested_operators_are_read_back() {
    let x = || SpecExpr::name("x");
    for outer in BinaryOp::ALL {
        for inner in BinaryOp::ALL {
            for expr in [
                SpecExpr::binary(outer, SpecExpr::binary(inner, x(), x()), x()),
                SpecExpr::binary(outer, x(), SpecExpr::binary(inner, x(), x())),
            ] {
                assert_eq!(SpecExpr::parse(&expr.to_string()), Ok(expr));
            }
        }
    }
}

#[test]
fn random_expressions_are_read_back() {
    let mut random = Random::new(7);
    let mut longest = 0;
    for round in 0..20_000 {
        let expr = expr(&mut random, 1 + round % 7);
        let text = expr.to_string();
        longest = longest.max(text.len());
        assert_eq!(SpecExpr::parse(&text).as_ref(), Ok(&expr), "{text}");
    }
    assert!(longest > 300, "the expressions are too simple: {longest}");
}

/// Random bytes of the language neither panic nor are read as something that prints differently.
#[test]
fn random_texts_do_no_harm() {
    const PARTS: [&str; 34] = [
        "x", "f()", "(", ")", "[", "]", ".", "->", "*", "-", "!", "&", "&&", "==", "==>", "<==>", "@", "12",
        ":", "::", "after", "havoc", "forall", ",", "`", "\"", "NULL", "(int *)", " ", "\\", "é", "0x", "/",
        "=",
    ];
    let mut random = Random::new(11);
    let mut accepted = 0;
    for _ in 0..100_000 {
        let text: String = (0..1 + random.below(8)).map(|_| random.pick(&PARTS)).collect();
        match SpecExpr::parse(&text) {
            Ok(expr) => {
                accepted += 1;
                assert_eq!(SpecExpr::parse(&expr.to_string()), Ok(expr), "{text}");
            }
            Err(error) => assert!(
                text.get(error.range.clone()).is_some() && !error.message.is_empty(),
                "{text}: {error:?}"
            ),
        }
    }
    assert!(accepted > 4_000, "{accepted}");
}

#[test]
fn errors_say_what_was_expected_and_where() {
    for (text, marked, message) in [
        ("x != ", "", "expected an expression, but the text ends here"),
        ("", "", "expected an expression, but the text ends here"),
        (
            "(x != NULL",
            "",
            "expected an operator or `)`, but the text ends here",
        ),
        ("x = NULL", "=", "write `==`"),
        ("x != NULL y", "y", "expected an operator or the end, found `y`"),
        ("a < b < c", "<", "write `a < b && b < c`"),
        ("p->", "", "the name of a field after `->`"),
        ("x)", ")", "nothing is open that `)` could close"),
        ("b[1", "", "expected `,` or `]`"),
        ("forall :: b[z]", "::", "expected a variable, found `::`"),
        ("forall z: int :: b[z]", ":", "without a type"),
        ("forall true :: x", "true", "in backquotes"),
        ("*out after get", "", "expected `()`"),
        ("*out after get(x)", "x", "arguments of the call are not written"),
        ("f()@", "", "the number of a line"),
        ("f()@x", "", "the number of a line"),
        ("f()@99999999999", "99999999999", "the number of a line"),
        ("12ab", "12ab", "is not a number"),
        ("\"open", "\"open", "never closed"),
        ("a | b", "|", "`||`"),
        ("x + (int *)", "", "expected an expression"),
        ("p->f()", "(", "only a name can be called"),
        ("a ∧ b", "∧", "not part of the language"),
    ] {
        let (at, full) = error(text);
        assert_eq!(at, marked, "{text}: {full}");
        assert!(full.contains(message), "{text}: {full}");
    }
}

#[test]
fn deep_expressions_are_refused() {
    for text in [
        format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}x", "!".repeat(100_000)),
        format!("x{}", "->f".repeat(100_000)),
        format!("x{}", " + x".repeat(100_000)),
        format!("x{}", " ==> x".repeat(100_000)),
        format!("{}x", "m[".repeat(100_000)),
        format!("{}x", "(int *)".repeat(100_000)),
        format!("{}x", "forall x :: ".repeat(100_000)),
    ] {
        let error = SpecExpr::parse(&text).expect_err("too deep");
        assert!(error.message.contains("levels"), "{error}");
    }
    let deepest = same(&format!("x{}", "->f".repeat(MAX_DEPTH - 1)));
    assert_eq!(deepest.depth(), MAX_DEPTH);
    let x = || SpecExpr::name("x");
    let deepest = (1..MAX_DEPTH).fold(x(), |inner, _| SpecExpr::binary(BinaryOp::Sub, x(), inner));
    assert_eq!(SpecExpr::parse(&deepest.to_string()), Ok(deepest));
}

#[test]
fn what_does_not_return_is_a_specification_as_a_whole() {
    let text = "fatal does not return";
    let read = SpecExpr::parse(text).expect("a specification");
    assert_eq!(read, SpecExpr::NeverReturns("fatal".into()));
    assert_eq!(read.to_string(), text);
    for wrong in ["f() does not return", "x != y does not return", "does not return"] {
        assert!(SpecExpr::parse(wrong).is_err(), "{wrong}");
    }
}
