//! Dereferences that are proved without a solver: which are, which are not, and that none of those that are can fail.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_interp::{Domains, ExploreLimits, ExploreVerdict, explore};
use lariat_ir::{OpenInfo, Program, StmtKind};
use lariat_lower::{Lowered, OpenOptions};
use lariat_passes::proved_nonnull;
use lariat_testkit::seeds::seeds;
use lariat_testkit::{Random, boogie};

fn read(text: &str) -> (Program, OpenInfo) {
    let typed = boogie::check(text);
    let lowered = lariat_lower::lower_open(&typed.program, &OpenOptions::default());
    let Lowered { program, open, .. } = lowered.unwrap_or_else(|_| panic!("{text}"));
    (program, open.expect("it is lowered as an open program"))
}

/// The program has one assertion in each line that has any. Lines that end in `// proved` are proved, no others.
fn check(text: &str) {
    let text = format!("const NULL: int;\n{text}");
    let (program, open) = read(&text);
    let proved = proved_nonnull(&program, &open);
    let line_of = |assert: &lariat_ir::AssertId| {
        let span = program.asserts[*assert]
            .span
            .expect("assertions of the text have places");
        text[..span.start as usize].matches('\n').count() + 1
    };
    let found: Vec<usize> = proved.iter().map(line_of).collect();
    let expected: Vec<usize> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.ends_with("// proved"))
        .map(|(index, _)| index + 1)
        .collect();
    assert_eq!(found, expected, "{text}\n{}", program.text());
}

#[test]
fn guards_and_assertions_are_remembered() {
    check(
        "procedure f(p: int, q: int) {
            assert p != NULL;
            assert p != NULL; // proved
            if (q != NULL && p > 3) {
                assert q != NULL; // proved
            } else {
                assert q != NULL;
            }
            assert q != NULL; // proved
        }
        procedure g(p: int) {
            if (p == NULL) { return; }
            assert p != NULL; // proved
            assert !(NULL == p); // proved
            assert p + 4 != NULL;
        }",
    );
}

#[test]
fn what_is_known_on_one_way_only_is_not_known() {
    check(
        "procedure f(p: int, c: bool) {
            var x: int;
            if (c) { assume p != NULL; x := p; } else { x := p; }
            assert x != NULL;
            if (c) { assume p == NULL; }
            assert p != NULL; // proved
        }
        procedure h(p: int, c: bool) {
            if (c) { assume p != NULL; } else { assume p != NULL; }
            assert p != NULL; // proved
        }",
    );
}

#[test]
fn copies_are_the_same_value() {
    check(
        "var m: [int]int;
        procedure f(p: int) {
            var x: int, y: int, z: int;
            x := m[p + 8];
            assert x != NULL;
            y := m[p + 8];
            assert y != NULL; // proved
            assert m[p + 8] != NULL; // proved
            x := NULL;
            assert y != NULL; // proved
            assert x != NULL;
            havoc y;
            assert y != NULL;
            z := m[p + 8];
            assert z != NULL; // proved
        }
        procedure swap(a: int, b: int) {
            var x: int, y: int;
            x, y := a, b;
            assert x != NULL;
            x, y := y, x;
            assert y != NULL; // proved
            assert a != NULL; // proved
            assert x != NULL;
        }
        procedure equal(a: int, b: int) {
            assume a == b;
            assert b != NULL;
            assert a != NULL; // proved
        }",
    );
}

#[test]
fn writes_to_maps_leave_other_offsets_alone() {
    check(
        "var m: [int]int;
        var n: [int]int;
        procedure f(p: int, q: int) modifies m, n; {
            assert m[p] != NULL;
            n[p] := NULL;
            assert m[p] != NULL; // proved
            m[p + 4] := NULL;
            assert m[p] != NULL; // proved
            assert m[p + 4] != NULL;
            m[q] := q;
            assert m[p] != NULL;
            m[p] := NULL;
            assert m[p] != NULL;
        }
        procedure stored(p: int, q: int) modifies m, n; {
            assert q != NULL;
            m[p + 8] := q;
            assert m[p + 8] != NULL; // proved
            m[p + 8] := m[p];
            assert m[p + 8] != NULL;
            assert m[p] != NULL;
        }
        procedure nested(p: int) modifies m, n; {
            assert m[m[p]] != NULL;
            m[p + 1] := NULL;
            assert m[m[p]] != NULL;
            n[m[p]] := NULL;
            assert m[m[p]] != NULL; // proved
        }
        procedure moved(p: int) modifies m, n; {
            var q: int;
            q := p;
            assert m[q + 1] != NULL;
            q := q + 1;
            assert m[q + 1] != NULL;
        }",
    );
}

#[test]
fn numbers_and_null() {
    check(
        "axiom NULL == 0;
        const c: int;
        axiom c > 10;
        procedure f(p: int) {
            var x: int;
            x := 5;
            assert x != NULL; // proved
            x := x + 16;
            assert x != NULL; // proved
            x := x - 30;
            assert x != NULL;
            x := c;
            assert x != NULL; // proved
            if (p >= 4096) {
                assert p != NULL; // proved
                assert p + 1 != NULL; // proved
            }
            if (p < 0) { x := p; } else { assume 3 < p; x := if p > 7 then p else 9; }
            assert x != NULL; // proved
        }",
    );
    check(
        "axiom NULL == 0;
        procedure order(p: int, q: int, r: int) {
            assume p != NULL;
            assume p < q;
            assert q != NULL;
            assume p > 0 && p < r;
            assert r != NULL; // proved
        }",
    );
    // Without the axiom nobody knows what is null.
    check("procedure f() { var x: int; x := 5;\nassert x != NULL;\n}");
}

#[test]
fn loops_are_fixpoints() {
    check(
        "var m: [int]int;
        procedure f(p: int) {
            var x: int;
            assert p != NULL;
            x := p;
            while (*) {
                assert p != NULL; // proved
                assert x != NULL; // proved
                x := m[x];
                if (x == NULL) { break; }
            }
        }
        procedure list(p: int) {
            var x: int;
            x := p;
            while (x != NULL) {
                assert x != NULL; // proved
                x := m[x + 1];
            }
            assert x != NULL;
        }
        procedure late(p: int) {
            var x: int;
            assume p != NULL;
            x := p;
            while (*) {
                assert x != NULL;
                if (*) { x := NULL; }
            }
        }",
    );
}

#[test]
fn procedures_tell_their_callers() {
    check(
        "var g: int;
        var h: int;
        procedure {:allocator} alloc() returns (r: int);
        procedure unknown() returns (r: int);
        procedure make() returns (r: int) {
            call r := alloc();
        }
        procedure maybe(c: bool) returns (r: int) {
            if (c) { call r := make(); } else { r := NULL; }
        }
        procedure deref(p: int) {
            assert p != NULL;
        }
        procedure set(p: int) modifies g; {
            g := p;
        }
        procedure deep(n: int) returns (r: int) {
            if (n > 0) { call r := deep(n - 1); } else { call r := make(); }
        }
        procedure never(p: int) returns (r: int) {
            call r := never(p);
        }
        procedure main(p: int, q: int) modifies g; {
            var x: int;
            call x := make();
            assert x != NULL; // proved
            call x := maybe(true);
            assert x != NULL;
            call x := unknown();
            assert x != NULL;
            call deref(p);
            assert p != NULL; // proved
            assume g != NULL && h != NULL;
            call set(q);
            assert h != NULL; // proved
            assert g != NULL;
            call x := deep(3);
            assert x != NULL; // proved
            call x := never(q);
            assert q != NULL; // proved
        }",
    );
}

#[test]
fn a_callee_is_an_entry_itself() {
    check(
        "procedure callee(p: int) {
            assert p != NULL;
        }
        procedure main(p: int) {
            assume p != NULL;
            call callee(p);
        }",
    );
}

/// Only the outer procedure is an entry: the inner one starts with what is known at all its calls.
#[test]
fn procedures_that_are_no_entries_start_with_what_their_callers_know() {
    let text = "const NULL: int;
        axiom NULL == 0;
        var next: int;
        procedure inner() modifies next; {
            assert next != NULL;
            next := next + 16;
        }
        procedure middle() modifies next; {
            call inner();
            call inner();
        }
        procedure entry() modifies next; {
            next := 4096;
            call middle();
        }";
    let (program, mut open) = read(text);
    assert_eq!(proved_nonnull(&program, &open), []);
    open.entries.retain(|entry| &*entry.name == "entry");
    assert_eq!(proved_nonnull(&program, &open), open.dereferences);
    // Nobody is known to call it: anybody may.
    open.entries.clear();
    assert_eq!(proved_nonnull(&program, &open), open.dereferences);
    open.entries = read(text).1.entries;
    open.entries.retain(|entry| &*entry.name == "middle");
    assert_eq!(proved_nonnull(&program, &open), []);
}

const VARS: [&str; 4] = ["x", "y", "p", "g"];
const TARGETS: [&str; 3] = ["x", "y", "g"];

fn pointer(random: &mut Random) -> String {
    let var = VARS[random.below(4)];
    match random.below(9) {
        0 => format!("m[{var}]"),
        1 => format!("m[{var} + 1]"),
        2 => format!("{var} + 1"),
        3 => ["NULL", "1", "2"][random.below(3)].to_owned(),
        4 => format!(
            "if {} then {} else {}",
            condition(random),
            VARS[random.below(4)],
            VARS[random.below(4)]
        ),
        _ => var.to_owned(),
    }
}

fn place(random: &mut Random) -> String {
    let var = VARS[random.below(4)];
    match random.below(9) {
        0 | 1 => format!("m[{var}]"),
        2 | 3 => format!("m[{var} + 1]"),
        4 => format!("m[m[{var} + 1]]"),
        _ => var.to_owned(),
    }
}

fn condition(random: &mut Random) -> String {
    let (left, right) = (place(random), place(random));
    match random.below(9) {
        8 => format!("{left} < {right}"),
        0 => format!("({left} == NULL || {right} != NULL)"),
        1 => format!("({left} != NULL && {right} != NULL)"),
        2 => format!("{left} == {right}"),
        3 => format!("{left} > 0"),
        4 => format!("{left} == NULL"),
        5 => format!("!({left} == NULL && {right} == NULL)"),
        _ => format!("{left} != NULL"),
    }
}

/// Straight code has neither branches nor calls, so that there are few executions of many statements.
fn statements(random: &mut Random, count: usize, depth: usize, straight: bool, text: &mut String) {
    let kinds = match (straight, depth) {
        (true, _) => 10,
        (false, 0) => 12,
        _ => 16,
    };
    for _ in 0..count {
        match random.below(kinds) {
            0..=3 => {
                let _ = writeln!(text, "assert {} != NULL;", place(random));
            }
            4..=6 => {
                let _ = writeln!(text, "{} := {};", TARGETS[random.below(3)], pointer(random));
            }
            7 => {
                let offset = ["", " + 1"][random.below(2)];
                let _ = writeln!(
                    text,
                    "m[{}{offset}] := {};",
                    VARS[random.below(4)],
                    pointer(random)
                );
            }
            8 if straight && random.below(2) == 0 => {
                let targets = ["x, y", "x, m[x]", "m[p], g", "y, m[y + 1]"][random.below(4)];
                let _ = writeln!(text, "{targets} := {}, {};", pointer(random), pointer(random));
            }
            8 => {
                let _ = writeln!(text, "assume {};", condition(random));
            }
            9 => {
                let _ = writeln!(text, "havoc {};", TARGETS[random.below(3)]);
            }
            10 | 11 => {
                let callee = ["f", "h", "ext"][random.below(3)];
                let _ = writeln!(
                    text,
                    "call {} := {callee}({});",
                    TARGETS[random.below(2)],
                    pointer(random)
                );
            }
            12 | 13 => {
                let _ = writeln!(text, "if ({}) {{", condition(random));
                statements(random, 2, depth - 1, straight, text);
                text.push_str("} else {\n");
                statements(random, 1, depth - 1, straight, text);
                text.push_str("}\n");
            }
            _ => {
                let _ = writeln!(text, "while ({}) {{", condition(random));
                statements(random, 2, depth - 1, straight, text);
                text.push_str("}\n");
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from(
        "const NULL: int;\nvar g: int;\nvar m: [int]int;\nprocedure ext(p: int) returns (r: int);\n",
    );
    let straight = !seed.is_multiple_of(4);
    if straight || random.below(2) == 0 {
        text.push_str("axiom NULL == 0;\n");
    }
    for name in ["f", "h"] {
        let _ = writeln!(
            text,
            "procedure {name}(p: int) returns (x: int) modifies g, m; {{\nvar y: int;"
        );
        let count = if straight { 10 } else { 5 };
        statements(&mut random, count, 2, straight, &mut text);
        text.push_str("}\n");
    }
    text
}

/// Only the assertions that were proved are left; the others have passed.
fn without_the_others(program: &Program, proved: &[lariat_ir::AssertId]) -> Program {
    let mut program = program.clone();
    for proc in program.procs.values_mut() {
        for stmt in proc.blocks.values_mut().flat_map(|block| &mut block.stmts) {
            if let StmtKind::Assert { condition, assert } = stmt.kind
                && !proved.contains(&assert)
            {
                stmt.kind = StmtKind::Assume(condition);
            }
        }
    }
    program
}

#[test]
fn no_proved_assertion_of_a_random_program_fails() {
    let limits = ExploreLimits {
        loop_visits: 3,
        activations: 2,
        steps: 5_000,
    };
    let (mut dereferences, mut found, mut failing) = (0, 0, 0);
    let seeds = seeds(0, 400);
    let count = seeds.clone().count();
    for seed in seeds {
        let text = program(seed);
        let (program, mut open) = read(&text);
        if seed % 3 == 0 {
            // The others start with what this one knows.
            open.entries.truncate(1);
        }
        let proved = proved_nonnull(&program, &open);
        dereferences += open.dereferences.len();
        found += proved.len();
        let checked = without_the_others(&program, &proved);
        for entry in &open.entries {
            let run = |program| {
                explore(
                    program,
                    entry.proc,
                    &Domains::default(),
                    &limits,
                    &Budget::unlimited(),
                )
            };
            let verdict = run(&checked).verdict;
            assert!(
                !matches!(verdict, ExploreVerdict::Fails(_)),
                "seed {seed}: {verdict:?} of {proved:?}\n{text}\n{}",
                checked.text()
            );
            failing += usize::from(matches!(run(&program).verdict, ExploreVerdict::Fails(_)));
        }
    }
    // The programs are such that wrong answers would show.
    assert!(found * 10 > dereferences, "{found} of {dereferences}");
    assert!(failing * 3 > count, "{failing} entries of {count} programs fail");
}

#[test]
fn fifty_thousand_statements_take_little_time() {
    for procedures in [1, 100] {
        let mut text = String::from("const NULL: int;\nvar m: [int]int;\nvar g: int;\n");
        for number in 0..procedures {
            let _ = writeln!(
                text,
                "procedure f{number}(p: int) returns (r: int) modifies m, g; {{\nvar x: int, y: int;\nr := p;"
            );
            for block in 0..6_000 / procedures {
                let callee = (number + 1).min(procedures - 1);
                let _ = writeln!(
                    text,
                    "x := m[p + {block}];\nassert x != NULL;\nif (*) {{\ny := m[x + 1];\nassert y != NULL;\n\
                     m[y] := x;\n}} else {{\nm[p + {block}] := x;\n}}\nassert m[p + {block}] != NULL;\nassert p != NULL;"
                );
                if block % 10 == 0 {
                    let _ = writeln!(
                        text,
                        "call r := f{callee}(x);\nassert r != NULL;\nwhile (g != NULL) {{\ng := m[g];\n}}"
                    );
                }
            }
            text.push_str("}\n");
        }
        let (program, open) = read(&text);
        let start = Instant::now();
        let proved = proved_nonnull(&program, &open);
        let elapsed = start.elapsed();
        let statements: usize = program
            .procs
            .values()
            .flat_map(|proc| proc.blocks.values())
            .map(|block| block.stmts.len())
            .sum();
        assert!(statements >= 50_000, "{statements}");
        assert!(
            proved.len() > 4_000,
            "{} of {}",
            proved.len(),
            open.dereferences.len()
        );
        assert!(
            elapsed < Duration::from_secs(20),
            "{elapsed:?} with {procedures} procedures"
        );
    }
}
