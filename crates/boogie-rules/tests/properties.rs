//! What properties and rules make of programs, as text; and what is said about mistakes.

use std::sync::atomic::{AtomicU32, Ordering};

use lariat_base::{Diagnostics, SourceMap};
use lariat_boogie::ast::Program;
use lariat_boogie::{parser, printer};

static FILES: AtomicU32 = AtomicU32::new(0);

/// A rule file of this text.
fn file(extension: &str, text: &str) -> String {
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let name = format!("lariat-rule-{}-{number}.{extension}", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("it can be written");
    path.display().to_string()
}

struct Outcome {
    text: String,
    messages: Vec<String>,
    monitors: Vec<String>,
    procedures: Vec<String>,
}

fn instrument(program: &str, extension: &str, rule: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let id = sources.add("program.bpl", program);
    let (mut program, found): (Program, Diagnostics) = parser::parse(&sources, id);
    assert!(!found.has_errors(), "the program is right");
    let mut diagnostics = Diagnostics::new();
    let path = file(extension, rule);
    let wanted = std::slice::from_ref(&path);
    let added = lariat_boogie_rules::instrument(&mut program, wanted, false, &mut sources, &mut diagnostics);
    let message = |diagnostic: &lariat_base::Diagnostic| {
        let line = diagnostic.span.map_or(0, |span| sources.line_column(span).0);
        format!(
            "{line}: {} ({})",
            diagnostic.message,
            diagnostic.hint.clone().unwrap_or_default()
        )
    };
    let outcome = Outcome {
        text: printer::print(&program),
        messages: diagnostics.iter().map(message).collect(),
        monitors: added.monitors,
        procedures: added.procedures,
    };
    std::fs::remove_file(path).expect("it can be removed");
    outcome
}

/// The body of the procedure `p`, one statement a line, without marks of the rule.
fn body(program: &str, rule: &str) -> String {
    let outcome = instrument(program, "avp", rule);
    assert_eq!(outcome.messages, Vec::<String>::new(), "{rule}");
    let start = outcome.text.find(" p(").expect("there is a procedure p");
    let body = &outcome.text[start..];
    let body = &body[..body.find("\n}").expect("it ends")];
    let lines = body.lines().skip(2).map(str::trim);
    let plain = lines.map(|line| match (line.find("{:typestaterule"), line.find("\"} ")) {
        (Some(from), Some(to)) => format!("{}{}", &line[..from], &line[to + 3..]),
        _ => line.to_owned(),
    });
    plain.collect::<Vec<_>>().join(" ")
}

#[test]
fn commands_are_replaced() {
    let templates = "TemplateVariables { var e, b: int; var {:#IdentifierExpr} x: int; var m: [int]int;
        function f(int): int; procedure {:#AnyArguments} any({:pointer} q: int); }\n";
    let program = |stmts: &str| {
        format!(
            "var M, N: [int]int; function g(i: int): int; procedure h({{:pointer}} a: int, b: int, {{:pointer}} c: int);
             procedure k() returns (r: int); procedure p({{:pointer}} a: int, b: int) {{ var y, z: int; {stmts} }}"
        )
    };
    for (stmt, rule, expected) in [
        // Placeholders for expressions, functions and maps.
        (
            "y := M[g(a)];",
            "e := m[f(x)];\n}-->{ assert f(x) > 0; #this;",
            "assert g(a) > 0; y := M[g(a)];",
        ),
        (
            "y := M[g(3)];",
            "e := m[f(x)];\n}-->{ assert f(x) > 0; #this;",
            "y := M[g(3)];",
        ),
        (
            "M[a] := y + 1;",
            "m[x] := e;\n}-->{ #this; assert e != x;",
            "M[a] := y + 1; assert y + 1 != a;",
        ),
        // Twice the same.
        ("assume a == a;", "assume e == e;\n}-->{", ""),
        ("assume a == y;", "assume e == e;\n}-->{", "assume a == y;"),
        // Attributes, and names that are no placeholders.
        (
            "assume {:nonnull} y > 0;",
            "assume {:nonnull} e > 0;\n}-->{ havoc x0;",
            "havoc x0;",
        ),
        (
            "assume y > 0;",
            "assume {:nonnull} e > 0;\n}-->{ havoc x0;",
            "assume y > 0;",
        ),
        (
            "assume g(y) == N[0];",
            "assume g(e) == N[0];\n}-->{ call any0();",
            "call any0();",
        ),
        // Each argument that fits, the command once.
        (
            "call h(a, b, y + 1);",
            "call any(e);\n}-->{ assert e > 0; #this; assert e < 9;",
            "assert a > 0; assert y + 1 > 0; call h(a, b, y + 1); assert a < 9; assert y + 1 < 9;",
        ),
        ("call h(a, b, y);", "call h(e, b, e);\n}-->{", "call h(a, b, y);"),
        // Results.
        (
            "call y := k();",
            "call x := k();\n}-->{ #this; assert x > 0;",
            "call y := k(); assert y > 0;",
        ),
        // Several patterns; one assignment of several.
        (
            "y, z := b, M[a];",
            "assume e;\n e := m[x];\n}-->{ assert x > 0; #this;",
            "assert a > 0; y, z := b, M[a];",
        ),
        // Branches and loops.
        (
            "if (y < b) { z := 1; }",
            "assume e >= b;\n}-->{ assert e > 0; #this;",
            "if (*) { assume y < b; z := 1; } else { assert y > 0; assume y >= b; }",
        ),
        (
            "while (y < b) { z := 1; }",
            "assume e < b;\n}-->{ assert e > 0; #this;",
            "while (true) { if (*) { assume y >= b; break; } assert y > 0; assume y < b; z := 1; }",
        ),
    ] {
        let rule = format!("{templates}CmdRule\n{{ {rule} }}\n");
        // `b` is both a placeholder and a name: which one, the rule decides by declaring it.
        let rule = rule.replace("var e, b: int", "var e: int");
        let expected = format!("var y: int, z: int; {expected}");
        assert_eq!(body(&program(stmt), &rule), expected.trim(), "{stmt} with {rule}");
    }
}

#[test]
fn procedures_get_code() {
    let program =
        "var g: int; procedure {:entrypoint} p({:pointer} a: int, b: int, {:pointer} c: int) { g := 1; }";
    for (signature, code, expected) in [
        ("procedure p(x: int);", "g := x;", "g := a; g := 1;"),
        (
            "procedure {:#AnyProcedure} q(x: int, {:#AnyParameters} r: int);",
            "g := x;",
            "g := a; g := 1;",
        ),
        (
            "procedure {:#AnyProcedure} {:entrypoint} q({:pointer} {:#AnyParameters} r: int);",
            "g := r;",
            "g := a; g := c; g := 1;",
        ),
        (
            "procedure {:#ReplaceImplementation} p(x: int, y: int);",
            "g := y; return;",
            "g := b;",
        ),
        (
            "procedure {:#NameMatches \"^[pq]$\"} q();",
            "g := 2;",
            "g := 2; g := 1;",
        ),
        (
            "procedure {:#NameMatches \"p\"} {:#NameNotMatches \"^p\"} q();",
            "g := 2;",
            "g := 1;",
        ),
        ("procedure {:#NoImplementation} p();", "g := 2;", "g := 1;"),
        ("procedure {:other} p();", "g := 2;", "g := 1;"),
        ("procedure p(x: bool);", "g := 2;", "g := 1;"),
        // The first that matches.
        (
            "procedure q();\nprocedure p(x: int, y: int);",
            "g := y;",
            "g := b; g := 1;",
        ),
    ] {
        let rule = format!("ProcedureRule {{ {signature} }} --> {{ {code} }}");
        assert_eq!(body(program, &rule), expected, "{signature}");
    }
    let stub = "var g: int; procedure p({:ref \"M\"} a: int) returns (r: int); modifies g; ensures r > 0;";
    let rule =
        "ProcedureRule { procedure {:#MatchPtrs} p({:ptr \"N\"} a: int) returns (r: int); } --> { g := 1; }
        ProcedureRule { procedure {:#MatchPtrs} p({:ptr \"M\"} a: int) returns (r: int); } --> { g := r; }";
    let outcome = instrument(stub, "avp", rule);
    assert!(outcome.text.contains("free ensures r > 0"), "{}", outcome.text);
    assert!(
        outcome.text.contains("havoc r, g;\n  g := r;"),
        "{}",
        outcome.text
    );
}

#[test]
fn declarations_and_what_is_to_be_reached() {
    let rule = "
        // A comment with { in it.
        GlobalDeclarations {
          var {:propertyMap} seen: [int]bool; /* } */
          function {:ReachableStates} MustReach(bool): bool;
          procedure {:corralExtraInitExtension} first() { assume seen[0]; }
        }
        NegativeFilter { anything }
        TemplateVariables { var x: int; }
        CmdRule { call q(x); } --> { assume MustReach(seen[x]); #this; }";
    let program = "procedure q(a: int); procedure p(a: int) { call q(a); }";
    let outcome = instrument(program, "avp", rule);
    assert_eq!(outcome.monitors, ["seen"]);
    assert_eq!(outcome.procedures, ["first"]);
    assert!(
        outcome.text.contains("assert {:angelic} !seen[a];"),
        "{}",
        outcome.text
    );
    assert!(
        outcome.text.contains("{:ProgramInitialization} first()"),
        "{}",
        outcome.text
    );
    assert!(
        outcome.messages[0].contains("is ignored"),
        "{:?}",
        outcome.messages
    );
    let program = format!("{program} procedure CorralExtraInit() {{ call p(1); }}");
    let outcome = instrument(&program, "avp", rule);
    assert!(
        outcome.text.contains("call first();\n  call p(1);"),
        "{}",
        outcome.text
    );
}

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let program = "procedure q(a: int); procedure p(a: int) { call q(a); }";
    for (rule, expected) in [
        (
            "\nCmdRules { }",
            "2: expected the name of a section, found `CmdRules`",
        ),
        ("CmdRule call q(x);", "1: expected `{`, found `call`"),
        ("CmdRule { call q(1); }\n{ }", "2: expected `-->`, found `{`"),
        (
            "CmdRule { call q(1); } -->",
            "expected `{`, found the end of the file",
        ),
        ("CmdRule\n{ call q(1); ", "2: this brace is not closed"),
        ("CmdRule {\n call q(1) } --> { }", "2: expected `;`"),
        (
            "CmdRule {\n goto q; } --> { }",
            "2: a rule cannot match this statement",
        ),
        (
            "TemplateVariables {\nconst c: int; }",
            "2: a constant is no placeholder",
        ),
        (
            "TemplateVariables { var x, y: int; } CmdRule { call q(x); } -->\n{ assert y > 0; }",
            "2: `y` stands for nothing here",
        ),
        (
            "TemplateVariables { var x: int; } CmdRule { call q(x); } -->\n{ while (true) { } }",
            "2: a rule cannot insert this statement",
        ),
        // Dropped, it would leave code that does more than the property says.
        (
            "TemplateVariables { var x: int; } CmdRule { call q(x); } -->\n{ if (x > 0) { return; } assert x == 0; }",
            "2: a rule cannot insert this statement",
        ),
        // `x` stands for `a`, and the quantifier would take it for its own.
        (
            "TemplateVariables { var x: int; } CmdRule { call q(x); } -->\n{ assert (forall a: int :: a != x); }",
            "2: the bound variable `a` has the name of something that is inserted here",
        ),
        (
            "TemplateVariables { var x: int; } CmdRule { call q(x); } -->\n{ assert (exists x: int :: x > 3); }",
            "2: the bound variable `x` has the name of something that is inserted here",
        ),
        (
            "ProcedureRule { procedure q(); } -->\n{ #this; }",
            "2: `#this` is the command",
        ),
        (
            "ProcedureRule {\nprocedure {:#NameMatches \"(\"} q(); } --> { }",
            "2: `(` is no regular expression",
        ),
        (
            "ProcedureRule { var x: int; } --> { }",
            "1: a rule for procedures matches procedures only",
        ),
    ] {
        let outcome = instrument(program, "avp", rule);
        let found = outcome
            .messages
            .iter()
            .any(|message| message.starts_with(expected) || message.contains(expected));
        assert!(found, "{rule}\ngives {:?}", outcome.messages);
    }
}

#[test]
fn rule_files_work_in_boogie() {
    let program = "const NULL: int; var lock: int; var l: int;
        procedure take(l: int) returns (ok: int); procedure {:allocator} make() returns (p: int);
        procedure p(m: int) {
          var n: int;
          call n := take(m);
          call m := make();
          call * := take(l);
          assume {:nonnull} m != NULL;
        }";
    let rule = r#"
        name = "lock"
        states = ["free", "held"]
        incoming = "free"
        [[event]]
        call = "take"
        object = 1
        require = "free"
        message = "taken twice"
        when = "result == 0"
        set = "held"
        [[event]]
        on = "dereference"
        forbid = "held"
        [[event]]
        on = "exit"
        require = "free"
    "#;
    let outcome = instrument(program, "toml", rule);
    assert_eq!(outcome.messages, Vec::<String>::new());
    assert_eq!(outcome.monitors, ["lock.state", "lock.state.before"]);
    for expected in [
        "m == NULL || lock.state[m] == 0;\n  call n := take(m);\n  lock.state[m] := if n == 0 then 1 else lock.state[m];",
        "call m := make();\n  lock.state[m] := 0;",
        "l.0 := l;",
        "call ok.1 := take(l.0);\n  lock.state[l.0] := if ok.1 == 0 then 1 else lock.state[l.0];",
        "assume {:nonnull} m != NULL;\n  assert {:typestaterule \"lock\"} {:msg \"the rule is violated\"} !(lock.state[m] == 1);",
        "lock.state := (lambda object: int :: 0);\n  lock.state.before := lock.state;",
        "lock.state[object] == lock.state.before[object] || lock.state[object] == 0;",
    ] {
        assert!(
            outcome.text.contains(expected),
            "{expected} is not in\n{}",
            outcome.text
        );
    }
    let other = "type ref; const NULL: ref; procedure take(l: int); procedure p() { call take(3); }";
    let outcome = instrument(other, "toml", &rule.replace("when = \"result == 0\"", ""));
    assert!(
        outcome.messages[0].contains("has the type int instead of ref"),
        "{:?}",
        outcome.messages
    );
}
