//! Printing and reading back gives the same program.

use crate::support::{accepted, programs, tree};
use lariat_boogie::printer::print;

fn assert_round_trip(name: &str, text: &str) {
    let program = accepted(text);
    let printed = print(&program);
    let again = accepted(&printed);
    assert_eq!(tree(&program), tree(&again), "{name} printed as\n{printed}");
    assert_eq!(printed, print(&again), "{name}: printing is not stable");
}

#[test]
fn every_program_reads_back_as_it_was() {
    for (name, text) in programs() {
        assert_round_trip(&name, &text);
    }
}

/// Keeps the sample programs honest: a construct that none of them has is not tested.
#[test]
fn the_programs_have_every_construct() {
    let trees: String = programs().iter().map(|(_, text)| tree(&accepted(text))).collect();
    let constructs = [
        // declarations and their parts
        "Type(TypeDecl",
        "synonym: Some",
        "Datatype(",
        "ConstructorDecl",
        "unique: true",
        "uses: [AxiomDecl",
        "revealed: true",
        "hideable: true",
        "Var(VarDecl",
        "where_clause: Some",
        "pure: true",
        "body: Some",
        "Implementation(",
        "Requires(",
        "Ensures(",
        "free: true",
        "Modifies",
        "Measure {",
        "String(\"",
        // statements
        "Label(",
        "Assert {",
        "Assume {",
        "Havoc(",
        "Assign {",
        "Unpack {",
        "Call(Call",
        "CallForall {",
        "is_async: true",
        "is_free: true",
        "If {",
        "Block(",
        "If(",
        "While {",
        "guard: Any",
        "Measure([",
        "Break(None",
        "Break(Some",
        "Goto(",
        "Return,",
        "ReturnExpr(",
        "HideReveal { hide: true",
        "HideReveal { hide: false",
        "Push",
        "Pop",
        "Index(",
        "Field(",
        "outs: [None",
        "args: [None",
        // types
        "kind: Bool",
        "kind: Int",
        "kind: Real",
        "RoundingMode",
        "kind: String",
        "Regex",
        "Bv(",
        "Float {",
        "Named(",
        "Map(MapType",
        "type_params: [Ident",
        // expressions
        "Bool(true",
        "Int(",
        "Real(\"",
        "Bv {",
        "Float(\"",
        "NearestEven",
        "NearestAway",
        "TowardPositive",
        "TowardNegative",
        "TowardZero",
        "Var(Ident",
        "Call(Ident",
        "ToInt",
        "ToReal",
        "Old(",
        "Neg",
        "Not",
        "Iff",
        "Implies",
        "ImpliedBy",
        "And",
        "Or",
        "Eq",
        "Neq",
        "Lt",
        "Le",
        "Gt",
        "Ge",
        "Concat",
        "Add",
        "Sub",
        "Mul",
        "IntDiv",
        "Mod",
        "RealDiv",
        "Pow",
        "IfThenElse(",
        "Select(",
        "Store(",
        "Extract {",
        "FieldUpdate(",
        "Is(",
        "Coerce(",
        "Forall",
        "Exists",
        "Lambda",
        "negative: true",
        "negative: false",
        "Let {",
        "Code(",
    ];
    for construct in constructs {
        assert!(trees.contains(construct), "no program has {construct:?}");
    }
}

#[track_caller]
fn assert_prints(expression: &str, expected: &str) {
    let printed = print(&accepted(&format!("axiom {expression};")));
    assert_eq!(printed, format!("axiom {expected};\n"));
}

#[test]
fn only_the_needed_parentheses_are_printed() {
    assert_prints("((a + (b * c)))", "a + b * c");
    assert_prints("((a + b) * c)", "(a + b) * c");
    assert_prints("(a - b) - c", "a - b - c");
    assert_prints("a - (b - c)", "a - (b - c)");
    assert_prints("a ==> (b ==> c)", "a ==> b ==> c");
    assert_prints("(a ==> b) ==> c", "(a ==> b) ==> c");
    assert_prints("(a <== b) <== c", "a <== b <== c");
    assert_prints("(a && b) || (c && d)", "(a && b) || (c && d)");
    assert_prints("(a && b) && c", "a && b && c");
    assert_prints("a && (b && c)", "a && (b && c)");
    assert_prints("(a < b) == (c < d)", "(a < b) == (c < d)");
    assert_prints("a ** (b ** c)", "a ** b ** c");
    assert_prints("(a ** b) ** c", "(a ** b) ** c");
    assert_prints("(-a) ** b", "-a ** b");
    assert_prints("-(a is C)", "-(a is C)");
    assert_prints("(m[i])[j]", "m[i][j]");
    assert_prints("(-m)[j]", "(-m)[j]");
    assert_prints("(if a then b else c)", "if a then b else c");
    assert_prints("(if a then b else c) + d", "(if a then b else c) + d");
    assert_prints("(a: int) < b", "a: int < b");
    assert_prints("(a: T) < b", "(a: T) < b");
    assert_prints("-(0x1.0e0f24e8)", "-(0x1.0e0f24e8)");
    assert_prints("((forall x: int :: (a)))", "(forall x: int :: a)");
}

#[test]
fn keywords_as_names_are_quoted() {
    assert_prints(r"\forall + \left", r"\forall + left");
}

#[test]
fn deep_programs_are_printed_and_dropped_on_an_ordinary_stack() {
    let depth = 9_900;
    let deep = [
        format!("axiom {}x;\n", "-".repeat(depth)),
        format!("axiom x{};\n", " + x".repeat(depth)),
        format!("axiom x{};\n", " ==> x".repeat(depth)),
        format!("axiom x{};\n", "[0]".repeat(depth)),
        format!("axiom {}x{};\n", "f(".repeat(depth), ")".repeat(depth)),
        format!("axiom {}x;\n", "if x then y else ".repeat(depth)),
        format!("var x: {}int, y: {0}int;\n", "[int]".repeat(depth)),
        format!(
            "\nprocedure p()\n{{\n  {}{{\n  }}\n}}\n",
            "if (*) {\n  } else ".repeat(depth)
        )
        .trim_start()
        .to_owned(),
    ];
    for text in deep {
        assert_eq!(print(&accepted(&text)), text, "{}", &text[..40]);
    }
    let nested = format!(
        "procedure p() {{ {}{} }}",
        "while (*) { ".repeat(depth),
        "} ".repeat(depth)
    );
    assert_eq!(print(&accepted(&nested)).matches("while").count(), depth);
}
