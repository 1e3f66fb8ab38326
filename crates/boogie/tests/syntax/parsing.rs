//! What the parser accepts, how it groups, and what it says about bad input.

use crate::support::{accepted, programs, read, reports, tree};
use lariat_boogie::ast::{Decl, Expr, ExprKind, MAX_DEPTH, StmtKind};
use lariat_boogie::printer::print;

/// The expression with parentheses around every operation.
fn grouped(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Var(name) => name.name.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Binary(op, left, right) => format!("({} {op:?} {})", grouped(left), grouped(right)),
        ExprKind::Unary(op, operand) => format!("({op:?} {})", grouped(operand)),
        ExprKind::Is(operand, name) => format!("({} Is {})", grouped(operand), name.name),
        ExprKind::Coerce(operand, _) => format!("({} Coerce)", grouped(operand)),
        ExprKind::Select(map, indices) => {
            let indices: Vec<String> = indices.iter().map(grouped).collect();
            format!("({} Select {})", grouped(map), indices.join(","))
        }
        ExprKind::IfThenElse(condition, then_value, else_value) => {
            format!(
                "(If {} {} {})",
                grouped(condition),
                grouped(then_value),
                grouped(else_value)
            )
        }
        other => panic!("not expected here: {other:?}"),
    }
}

#[track_caller]
fn assert_grouping(text: &str, expected: &str) {
    let program = accepted(&format!("axiom {text};"));
    let [Decl::Axiom(axiom)] = &program.decls[..] else {
        panic!("one axiom was written")
    };
    assert_eq!(grouped(&axiom.body), expected, "{text}");
}

#[track_caller]
fn assert_reports(text: &str, expected: &[&str]) {
    assert_eq!(reports(text), expected, "{text}");
}

#[test]
fn operators_group_as_in_boogie() {
    assert_grouping("a <==> b ==> c", "(a Iff (b Implies c))");
    assert_grouping("a <==> b <==> c", "((a Iff b) Iff c)");
    assert_grouping("a ==> b ==> c", "(a Implies (b Implies c))");
    assert_grouping("a <== b <== c", "((a ImpliedBy b) ImpliedBy c)");
    assert_grouping("a && b ==> c || d", "((a And b) Implies (c Or d))");
    assert_grouping("a && b && c", "((a And b) And c)");
    assert_grouping("a == b && c < d", "((a Eq b) And (c Lt d))");
    assert_grouping("a ++ b == c ++ d", "((a Concat b) Eq (c Concat d))");
    assert_grouping("a + b ++ c", "((a Add b) Concat c)");
    assert_grouping("a - b - c + d", "(((a Sub b) Sub c) Add d)");
    assert_grouping(
        "a + b * c div d mod e / f",
        "(a Add ((((b Mul c) IntDiv d) Mod e) RealDiv f))",
    );
    assert_grouping("a * b ** c ** d", "(a Mul (b Pow (c Pow d)))");
    assert_grouping("-a ** b", "((Neg a) Pow b)");
    assert_grouping("!a == b", "((Not a) Eq b)");
    assert_grouping("- - !a", "(Neg (Neg (Not a)))");
    assert_grouping("-a is C", "((Neg a) Is C)");
    assert_grouping("a is C ** b", "((a Is C) Pow b)");
    assert_grouping("-a : int + b", "((Neg (a Coerce)) Add b)");
    assert_grouping("-a[b][c, d]", "(Neg ((a Select b) Select c,d))");
    assert_grouping("if a then b else c + d", "(If a b (c Add d))");
    assert_grouping("a + if b then c else d == e", "(a Add (If b c (d Eq e)))");
}

#[test]
fn operators_that_must_not_be_mixed_are_refused() {
    assert_reports(
        "axiom a && b || c;\naxiom a || b && c;",
        &[
            "1:14 mixed-operators `&&` and `||` are mixed without parentheses",
            "2:14 mixed-operators `&&` and `||` are mixed without parentheses",
        ],
    );
    assert_reports(
        "axiom a ==> b <== c;\naxiom a <== b ==> c;",
        &[
            "1:15 mixed-operators `==>` and `<==` are mixed without parentheses",
            "2:15 mixed-operators `==>` and `<==` are mixed without parentheses",
        ],
    );
    assert_reports(
        "axiom a < b < c;",
        &["1:13 chained-comparison comparisons cannot be chained"],
    );
    assert_reports(
        "axiom a == b != c;",
        &["1:14 chained-comparison comparisons cannot be chained"],
    );
    accepted("axiom (a && b) || c;\naxiom a ==> (b <== c);\naxiom (a < b) == c;");
}

#[test]
fn a_type_behind_a_coercion_takes_up_what_follows() {
    // As in Boogie: `<` is read as the start of a map type.
    assert_reports("axiom x: C < 0;", &["1:14 syntax expected a name, found `0`"]);
    accepted("axiom (x: C) < 0;\naxiom x: int < 0;");
}

#[test]
fn lone_names_among_function_parameters_share_the_next_type() {
    let same = |left: &str, right: &str| assert_eq!(tree(&accepted(left)), tree(&accepted(right)));
    same(
        "function f(a, b: int, c: bool): int;",
        "function f(a: int, b: int, c: bool) returns (int);",
    );
    same(
        "function f(bv8, b: int): int;",
        "function f(bv8: int, b: int): int;",
    );
    same(
        "var a, b: int where a > 0;",
        "var a: int where a > 0, b: int where a > 0;",
    );
    assert_reports(
        "function f(a: int, b): int;\nfunction f([int]int, b: int): int;",
        &[
            "1:20 missing-type the type of the last parameter is missing",
            "2:12 missing-name this parameter has a type and no name",
        ],
    );
}

#[test]
fn bounds_of_bits_are_two_literals_between_brackets() {
    let program = accepted("axiom e[8:0];");
    assert!(tree(&program).contains("hi: 8, lo: 0"));
    assert_reports(
        "axiom e[x:0] == f;",
        &["1:9 bad-extract misplaced bit-vector bounds"],
    );
    assert_reports(
        "axiom e[(8:0)];",
        &["1:10 bad-extract misplaced bit-vector bounds"],
    );
    assert_reports(
        "axiom e[99999999999:0];",
        &["1:9 number-too-large the position of the bit is too large"],
    );
}

#[test]
fn float_literals_must_be_exact() {
    for good in [
        "0x1.0e0f24e8",
        "-0x0.8e32f24e8",
        "0x0.ffffffe0f24e8",
        "0x0.000008e-32f24e8",
        "0x0.00000ce-32f24e8",
        "0x1.0e536870911f24e32",
        "0x0.0e0f2e2",
    ] {
        accepted(&format!("axiom x == {good};"));
    }
    let problem = |literal: &str| {
        let report = reports(&format!("axiom x == {literal};")).join("\n");
        report.rsplit(": ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(problem("0x1.0e32f24e8"), "it is too large for the format");
    assert_eq!(
        problem("0x1.000001e0f24e8"),
        "it has more digits than the significand"
    );
    assert_eq!(problem("0x0.000004e-32f24e8"), "it is too small for the format");
    assert_eq!(
        problem("0x0.3fffffffe-31f24e8"),
        "it has more digits than the significand"
    );
    assert_eq!(
        problem("0x0.0e0f1e8"),
        "significand and exponent need at least two bits"
    );
    assert_eq!(
        problem("0NaN24e1"),
        "significand and exponent need at least two bits"
    );
}

#[test]
fn what_boogie_checks_while_it_reads_is_checked() {
    assert_reports(
        "function {:inline} {:define} f(x: int): int { x }\nfunction {:define} g<t>(x: t): t { x }",
        &[
            "1:20 inline-and-define the function `f` has both `{:inline}` and `{:define}`",
            "2:10 polymorphic-define the function `g` is polymorphic and cannot have `{:define}`",
        ],
    );
    assert_reports(
        "implementation p(x: int where x > 0) { }",
        &["1:25 where-not-allowed a `where` clause is not allowed on the parameters of an implementation"],
    );
    assert_reports(
        "axiom (forall x: int where p :: true);\naxiom (lambda x: int :: {f(x)} x)[0] == 0;",
        &[
            "1:22 where-not-allowed a `where` clause is not allowed on bound variables",
            "2:25 lambda-trigger a lambda expression cannot have triggers",
        ],
    );
    assert_reports(
        "axiom (forall x: int :: {:nopats x, y} true);\nconst c: T extends d;\nconst c: int extends d;",
        &[
            "1:25 bad-nopats `{:nopats}` takes exactly one expression",
            "2:12 order-specification `extends` is not part of Boogie 3",
            "3:14 order-specification `extends` is not part of Boogie 3",
        ],
    );
}

#[test]
fn many_errors_are_reported_in_one_run() {
    assert_reports(
        "var x: ;\n\
         procedure p(a: int) {\n  \
           x := 1 +;\n  \
           y = 2;\n  \
           if (x >) { z := ); }\n  \
           assert true\n  \
           call q(;\n\
         }\n\
         function f(x: int) { x }\n\
         axiom true;\n\
         procedure q( { }\n\
         implementation r() { var v: int; }",
        &[
            "1:8 syntax expected a type, found `;`",
            "3:11 syntax expected an expression, found `;`",
            "4:5 syntax expected `:=`, found `=`",
            "5:10 syntax expected an expression, found `)`",
            "5:19 syntax expected an expression, found `)`",
            "6:14 syntax expected `;`, found the keyword `call`",
            "7:10 syntax expected an expression, found `;`",
            "9:20 syntax expected `returns` or `:` with the result type, found `{`",
            "11:14 syntax expected a name, found `{`",
        ],
    );
}

#[test]
fn what_is_right_is_kept_beside_errors() {
    let (program, diagnostics, _) =
        read("var x: int;\nprocedure p() { x := ; x := 1; }\nvar y int;\nvar z: int;");
    assert_eq!(diagnostics.error_count(), 2);
    assert_eq!(
        print(&program),
        "var x: int;\n\nprocedure p()\n{\n  x := 1;\n}\nvar z: int;\n"
    );
}

#[test]
fn a_missing_semicolon_is_one_error_and_loses_nothing() {
    let text = "var x: int\n\
                type T\n\
                axiom x == 0\n\
                procedure p()\n  \
                  requires true\n  \
                  ensures true\n\
                {\n  \
                  var y: int\n  \
                  y := 1\n  \
                  while (true) invariant true {\n    \
                    y := 2\n  \
                  }\n\
                }";
    let (program, ..) = read(text);
    let expected = reports(text);
    let missing_at = |line: usize, column: usize| format!("{line}:{column} syntax expected `;`, found");
    let places = [
        (1, 11),
        (2, 7),
        (3, 13),
        (5, 16),
        (6, 15),
        (8, 13),
        (9, 9),
        (10, 31),
        (11, 11),
    ];
    assert_eq!(expected.len(), places.len(), "{expected:?}");
    for (report, (line, column)) in expected.iter().zip(places) {
        assert!(
            report.starts_with(&missing_at(line, column)),
            "{report}, expected at {line}:{column}"
        );
    }
    let mended = print(&program);
    assert_eq!(mended.matches(';').count(), places.len(), "{mended}");
}

#[test]
fn hints_say_what_to_write_instead() {
    let hint = |text: &str| {
        read(text)
            .1
            .iter()
            .find_map(|it| it.hint.clone())
            .unwrap_or_default()
    };
    assert_eq!(hint("axiom a = b;"), "equality is `==` and assignment is `:=`");
    assert_eq!(
        hint("procedure p() { x = 1; }"),
        "equality is `==` and assignment is `:=`"
    );
    assert_eq!(
        hint("procedure p() { f(x); }"),
        "a procedure is called with `call`"
    );
    assert_eq!(
        hint("var type: int;"),
        "as a name this keyword is written `\\type`"
    );
    assert_eq!(
        hint("axiom forall x: int :: true;"),
        "put the quantifier into parentheses"
    );
    assert_eq!(
        hint("procedure p() { x := 1; var y: int; }"),
        "declare local variables at the start of the body"
    );
}

#[test]
fn constructs_of_civl_are_refused_by_name() {
    for (text, construct) in [
        ("yield procedure p();", "a yield procedure"),
        ("yield invariant {:layer 1} i();", "a yield invariant"),
        ("yield left procedure p();", "a yield procedure"),
        ("action a() { }", "an action"),
        ("async atomic action a() { }", "an action"),
        ("pure action a() { }", "an action"),
        ("left procedure p();", "a mover procedure"),
        ("procedure p() { par a() | b(); }", "a parallel call (`par`)"),
        ("procedure p(); refines a;", "a `refines` clause"),
        ("procedure p(); creates a;", "a `creates` clause"),
        ("procedure p(); preserves call i();", "a `preserves` clause"),
        (
            "procedure p(); requires call i();",
            "a specification that calls a yield invariant",
        ),
        ("var {:layer 0, 1} x: int;", "the attribute `{:layer}`"),
        (
            "procedure p({:linear \"d\"} x: int);",
            "the attribute `{:linear}`",
        ),
    ] {
        let reports = reports(text);
        let expected = format!("civl-construct {construct} belongs to Civl, which is not supported");
        assert!(reports[0].ends_with(&expected), "{text}: {reports:?}");
    }
    accepted("var left, right, both, atomic, action, creates: int;\nprocedure p() { action := left; }");
}

#[test]
fn code_expressions_have_labelled_blocks_only() {
    assert_reports(
        "axiom |{ return true; }|;",
        &["1:10 syntax expected a label, found the keyword `return`"],
    );
    assert_reports(
        "axiom |{ a: assume true; }|;\naxiom |{ a: while (true) { } return x; }|;",
        &[
            "1:26 syntax expected `goto` or `return` at the end of a block, found `}|`",
            "2:13 syntax expected a simple statement, found the keyword `while`",
        ],
    );
    assert_reports(
        "axiom |{ a: b: return true; }|;",
        &["1:13 second-label a block of a code expression has one label"],
    );
}

#[test]
fn bad_text_is_reported_at_its_place() {
    assert_reports(
        "var x: int; @@ var y: int; %",
        &[
            "1:13 unknown-character `@@` is no part of the language",
            "1:28 unknown-character `%` is no part of the language",
        ],
    );
    assert_reports(
        "var x: int;\n/* /* */",
        &["2:1 unterminated-comment the comment is never closed"],
    );
    assert_reports(
        "axiom {:a \"open} true;\nvar x: int;",
        &[
            "1:11 unterminated-string the string has no closing quote",
            "2:1 syntax expected an expression, found the keyword `var`",
        ],
    );
    assert_reports(
        "#pragma\n#line x\n#line 5\nvar x: int;",
        &[
            "1:1 unknown-pragma unrecognized pragma `#pragma`",
            "2:1 malformed-pragma malformed pragma `#line x`",
        ],
    );
    assert_reports(
        "#else\n#if A\nvar x",
        &[
            "1:1 misplaced-directive misplaced `#else`",
            "2:1 missing-endif this `#if` is never closed",
        ],
    );
    assert_reports("", &["1:1 empty-file the file declares nothing"]);
    assert_reports(
        " // only a comment\n",
        &["2:1 empty-file the file declares nothing"],
    );
    assert_reports(
        "var x: int;\n\0\x01\x02",
        &["2:1 binary-file this is not a text file"],
    );
    assert_reports(
        "\u{FEFF}var x: int",
        &["1:12 syntax expected `;`, found the end of the file"],
    );
}

#[test]
fn numbers_beyond_reason_are_refused() {
    let digits = "9".repeat(1_000_000);
    assert_reports(
        &format!("axiom x == {digits};"),
        &["1:12 number-too-large the number is too large"],
    );
    assert_reports(
        "axiom x == 1e999999999;",
        &["1:12 number-too-large the exponent is too large"],
    );
    assert_reports(
        "axiom x == 1bv99999999999;",
        &["1:12 number-too-large the width of the bit-vector is too large"],
    );
    assert_reports(
        "var x: bv99999999999;",
        &["1:8 number-too-large the type `bv99999999999` is too wide"],
    );
}

#[test]
fn nesting_beyond_the_limit_is_one_error() {
    let many = 100_000;
    let half = MAX_DEPTH / 2 + 10;
    for text in [
        format!("axiom {}x{};", "(".repeat(many), ")".repeat(many)),
        format!("axiom {}x;", "(".repeat(many)),
        format!("axiom {}x;", "!".repeat(many)),
        format!("axiom x{};", " + x".repeat(many)),
        format!("axiom x{};", " ==> x".repeat(many)),
        format!("axiom x{};", "[0]".repeat(many)),
        format!("axiom x{};", ": int".repeat(many)),
        format!("axiom {}0;", "if x then y else ".repeat(many)),
        format!("axiom {}x{};", "f(".repeat(many), ")".repeat(many)),
        format!("axiom {}0;", "|{ a: return ".repeat(many)),
        // Neither part alone is too deep.
        format!(
            "axiom {}x{}{};",
            "(".repeat(half),
            ")".repeat(half),
            " + x".repeat(half)
        ),
        format!(
            "axiom (x: {}int{}){};",
            "(".repeat(half),
            ")".repeat(half),
            " + x".repeat(half)
        ),
        format!("var x: {}int;", "[int]".repeat(many)),
        format!("var x: {}int;", "(".repeat(many)),
        format!("procedure p() {{ {} }}", "if (*) { ".repeat(many)),
        format!(
            "procedure p() {{ if (*) {{ }} {} }}",
            "else if (*) { }".repeat(many)
        ),
        format!("procedure p() {{ {} }}", "while (*) { ".repeat(many)),
    ] {
        let reports = reports(&text);
        let shown = &text[..60];
        assert_eq!(reports.len(), 1, "{shown}: {reports:?}");
        assert!(reports[0].contains("nesting-too-deep"), "{shown}: {reports:?}");
    }
}

#[test]
fn a_million_statements_are_read() {
    let count = 1_000_000;
    let program = accepted(&format!(
        "procedure p() {{ var x: int; {} }}",
        "x := x + 1; ".repeat(count)
    ));
    let [Decl::Procedure(procedure)] = &program.decls[..] else {
        panic!("one procedure was written")
    };
    let body = procedure.body.as_ref().expect("the procedure has a body");
    assert_eq!(body.stmts.len(), count);
    assert!(
        body.stmts
            .iter()
            .all(|stmt| matches!(stmt.kind, StmtKind::Assign { .. }))
    );
}

#[test]
fn a_text_that_is_all_errors_ends_early() {
    let reports = reports(&"procedure p( { ) ; x y z\n".repeat(10_000));
    assert!(reports.len() <= 201, "{}", reports.len());
    assert!(
        reports
            .last()
            .is_some_and(|last| last.contains("too-many-errors"))
    );
}

/// Every prefix of every program, and every program with one token dropped or repeated, gives a
/// result; a prefix that ends inside a declaration gives an error.
#[test]
fn damaged_programs_are_survived() {
    for (_, text) in programs() {
        for (end, _) in text.char_indices() {
            read(&text[..end]);
        }
        let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
        for skipped in 0..words.len() {
            let without: String = [&words[..skipped], &words[skipped + 1..]].concat().concat();
            read(&without);
            let twice: String = [&words[..=skipped], &words[skipped..]].concat().concat();
            read(&twice);
        }
    }
    let (_, text) = programs()
        .into_iter()
        .find(|(name, _)| name.ends_with("statements.bpl"))
        .expect("it is there");
    let inside = text.find("havoc j").expect("the program has it");
    assert!(read(&text[..inside]).1.has_errors());
}
