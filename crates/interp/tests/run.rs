//! Executions of small Boogie programs.

use lariat_base::Budget;
use lariat_interp::{
    Inputs, NoOracle, ReplayGoal, ReplayOptions, ReplayOutcome, RunOptions, RunOutcome, Trace, replay, run,
};
use lariat_ir::{AssertId, ProcId, Program};
use lariat_testkit::boogie;

fn lower(text: &str) -> (Program, ProcId) {
    let program = boogie::program(text);
    let main = program.proc_by_name("main").expect("there is a main");
    (program, main)
}

fn run_with(program: &Program, main: ProcId, seed: u64) -> RunOutcome {
    let options = RunOptions {
        max_steps: 20_000_000,
        max_depth: 100_000,
        seed,
        ..RunOptions::default()
    };
    run(
        program,
        main,
        &ReplayGoal::AnyAssert,
        &options,
        &Budget::unlimited(),
    )
    .outcome
}

fn outcome(text: &str) -> RunOutcome {
    let (program, main) = lower(text);
    run_with(&program, main, 0)
}

fn confirm(program: &Program, main: ProcId, assert: AssertId, trace: &Trace) {
    let replay = replay(
        program,
        main,
        trace,
        &mut NoOracle,
        &ReplayOptions::default(),
        &Budget::unlimited(),
    );
    assert!(replay.confirms_failure(program), "{:?}", replay.complaint());
    assert!(
        matches!(replay.outcome, ReplayOutcome::AssertionFailed { assert: found, .. } if found == assert),
        "{:?}",
        replay.outcome
    );
    assert_eq!((replay.skipped, replay.guessed), (0, 0));
}

/// The number of seeds among the first few with which the program fails; all are confirmed.
fn failing_seeds(text: &str) -> usize {
    let (program, main) = lower(text);
    let mut failing = 0;
    for seed in 0..30 {
        match run_with(&program, main, seed) {
            RunOutcome::Failed { assert, trace } => {
                confirm(&program, main, assert, &trace);
                failing += 1;
            }
            RunOutcome::Passed => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    failing
}

fn is_only(text: &str) {
    let found = outcome(text);
    assert!(matches!(found, RunOutcome::NoneFails), "{found:?}\n{text}");
}

fn passes(text: &str) {
    let found = outcome(text);
    assert!(matches!(found, RunOutcome::Passed), "{found:?}\n{text}");
}

fn fails(text: &str) {
    let (program, main) = lower(text);
    match run_with(&program, main, 0) {
        RunOutcome::Failed { assert, trace } => confirm(&program, main, assert, &trace),
        other => panic!("{other:?}\n{text}"),
    }
}

fn gives_up(text: &str, with: &str) {
    match outcome(text) {
        RunOutcome::GaveUp(reason) => assert!(reason.contains(with), "{reason}"),
        other => panic!("{other:?}"),
    }
}

fn main_with(locals: &str, body: &str) -> String {
    format!("procedure main() {{ {locals} {body} }}")
}

#[test]
fn deterministic_recursion_is_decided_by_running_it() {
    let fibonacci = |argument: u32, result: u32| {
        format!(
            "procedure fib(n: int) returns (r: int) {{
               var a, b: int;
               if (n < 2) {{ r := n; return; }}
               call a := fib(n - 1);
               call b := fib(n - 2);
               r := a + b;
             }}
             procedure main() {{ var r: int; call r := fib({argument}); assert r == {result}; }}"
        )
    };
    is_only(&fibonacci(15, 610));
    fails(&fibonacci(12, 145));
    let factorial = |result: &str| {
        format!(
            "procedure fac(n: int) returns (r: int) {{
               if (n == 0) {{ r := 1; }} else {{ call r := fac(n - 1); r := n * r; }}
             }}
             procedure main() {{ var r: int; call r := fac(40); assert r == {result}; }}"
        )
    };
    is_only(&factorial("815915283247897734345611269596115894272000000000"));
    fails(&factorial("815915283247897734345611269596115894272000000001"));
}

#[test]
fn loops_over_constant_data() {
    let program = |limit: u32| {
        main_with(
            "var i, s: int; var a: [int]int;",
            &format!(
                "i := 0; s := 0;
                 while (i < 1000) {{ a[i] := i * i; i := i + 1; }}
                 i := 0;
                 while (i < 1000) {{ s := s + a[i]; i := i + 1; }}
                 assert s != {limit};"
            ),
        )
    };
    is_only(&program(332_833_501));
    fails(&program(332_833_500));
}

#[test]
fn open_values_that_do_not_matter_are_no_choice() {
    is_only(&main_with("var x: int;", "havoc x; x := 1; assert x == 1;"));
    is_only(&main_with(
        "var x, y: int;",
        "havoc x; assume 0 <= x && x <= 10; y := x; assert 1 == 1;",
    ));
    is_only(&main_with("var x, y: int;", "x := y; y := x; assert x == y;"));
    is_only(&main_with(
        "var x: int; var m: [int]int;",
        "havoc m; x := m[3]; m[4] := x; assert m[4] == m[3];",
    ));
    is_only(
        "procedure id(x: int) returns (r: int) { r := x; }
         procedure main(x: int) { var a, b: int; call a := id(x); call b := id(x); assert a == b && a <= b; }",
    );
}

#[test]
fn ranges_decide_what_they_can() {
    let ranged = |body: &str| {
        main_with(
            "var x: int; var b: bool;",
            &format!("havoc x, b; assume 3 <= x && x <= 10; {body}"),
        )
    };
    is_only(&ranged("assert x < 11;"));
    is_only(&ranged("if (x < 3) { assert false; }"));
    is_only(&ranged("assume x <= 3; assert x * x == 9;"));
    is_only(&ranged("assume x == 7; assert x + 1 == 8;"));
    is_only(&ranged("assume b; if (!b) { assert false; }"));
    is_only(&ranged("assume x < 3; assert false;"));
    fails(&ranged("assert x != 6;"));
    fails(&ranged("assert x <= 9;"));
    fails(&ranged("assume !b; assert b || x * 0 == 1;"));
    passes(&ranged("assert x * x >= 9;"));
    passes(&ranged("if (x < 5) { x := 0; }"));
}

#[test]
fn a_value_that_was_chosen_makes_others_possible() {
    passes(&main_with("var x: int;", "havoc x; assert x * x >= 0;"));
    passes(&main_with("var x: int;", "x := x + 1; assert true;"));
    passes("procedure main(b: bool) { if (b) { assert b; } }");
    passes(
        "var m: [int]bool; procedure main() { assume !m[1]; assert m[0] || !m[1] || m[2]; if (m[0]) { } }",
    );
    passes("const c: int; procedure main() { assert c * c >= 0; }");
}

#[test]
fn failures_that_depend_on_choices_are_found_and_replayed() {
    let hidden = failing_seeds(&main_with(
        "var x, y: int;",
        "havoc x; assume -1000 <= x && x <= 1000; if (x == 77) { y := 2 * x; assert y != 154; }",
    ));
    assert!((5..30).contains(&hidden), "{hidden}");
    let computed = failing_seeds(&main_with("var x: int;", "havoc x; assert x * x - x != 12;"));
    assert!((1..30).contains(&computed), "{computed}");
    let of_maps = failing_seeds(
        "var m: [int]int;
         procedure main(i: int, j: int) modifies m; {
           assume 0 <= i && i < 3 && 0 <= j && j < 3;
           m[i + 0] := 5; m[j + 1] := 6;
           assert m[i] == 5 || m[j + 1] != 6;
         }",
    );
    assert!((1..30).contains(&of_maps), "{of_maps}");
    let of_loops = failing_seeds(
        "procedure pick() returns (r: int) { while (*) { havoc r; } }
         procedure main(n: int) {
           var i, s, t: int;
           i := 0; s := 0;
           while (i < n) { call t := pick(); if (t > 0) { s := s + 1; } i := i + 1; }
           assert s != 2;
         }",
    );
    assert!((1..30).contains(&of_loops), "{of_loops}");
}

#[test]
fn initial_values_of_activations_are_in_the_trace() {
    let failing = failing_seeds(
        "var g: [int][bool]bv8;
         procedure p(k: int) returns (r: int) { var x: int; if (k > 0) { call r := p(k - 1); } r := r + x + k; }
         procedure main() {
           var r, u: int; var b: bool;
           call r := p(2);
           assert r * r != 9 || u + u != 2 || g[u][b] != 3bv8;
           assert r * r < 40;
         }",
    );
    assert!(failing > 5, "{failing}");
}

#[test]
fn blocked_executions_do_not_fail() {
    is_only(&main_with("var x: int;", "x := 1; assume x == 2; assert false;"));
    is_only(&main_with(
        "var x: int;",
        "x := 1; while (x < 5) { x := x + 1; assume x != 4; } assert false;",
    ));
    passes(&main_with("var x: int;", "assume x * x == 2; assert false;"));
    is_only("procedure main() { goto a, b; a: assume false; assert false; b: assume 1 == 2; assert false; }");
}

#[test]
fn ways_of_jumps() {
    is_only(
        "procedure main() { var x: int; x := 3; goto a, b, c; a: assume x < 3; assert false; b: assume x == 3; return; c: assume x > 3; assert false; }",
    );
    let failing = failing_seeds("procedure main() { goto a, b; a: return; b: assert false; }");
    assert!((5..25).contains(&failing), "{failing}");
    // Guards that need a choice: exactly one remains.
    assert_eq!(
        failing_seeds(
            "procedure main(x: int) { goto a, b; a: assume x * x < 4; return; b: assume x * x >= 4; return; }"
        ),
        0
    );
}

#[test]
fn whole_maps_are_values() {
    is_only(
        "var m: [int]int;
         procedure set(n: [int]int, i: int) returns (r: [int]int) { r := n[i := 1]; }
         procedure main() modifies m; {
           var a, b: [int]int;
           a := m;
           m[0] := 7;
           call b := set(m, 1);
           m[1] := 2; m[0] := m[0] + m[1];
           assert b[0] == 7 && b[1] == 1 && m[0] == 9 && m[1] == 2 && a[5] == m[5] && b[5] == m[5];
         }",
    );
    fails(
        "procedure main(m: [int,bool]int) {
           var n: [int,bool]int;
           n := m[3, true := 4];
           assert n[3, false] == 5 || n[3, true] == 5;
         }",
    );
    is_only(
        "procedure main() {
           var m: [int][int]int; var i: int;
           i := 0;
           while (i < 3) { m[i][i] := i; i := i + 1; }
           assert m[0][0] == 0 && m[2][2] == 2 && m[1][1] == 1;
         }",
    );
    gives_up(
        "procedure main(m: [int]int, n: [int]int) { assert m == n; }",
        "whole maps",
    );
}

#[test]
fn bit_vectors_are_executed() {
    let program = |last: &str| {
        format!(
            "function {{:bvbuiltin \"bvadd\"}} add(a: bv32, b: bv32): bv32;
             function {{:bvbuiltin \"bvmul\"}} mul(a: bv100, b: bv100): bv100;
             function {{:bvbuiltin \"bvult\"}} less(a: bv32, b: bv32): bool;
             procedure main(y: bv32) {{
               var x: bv32; var w: bv100;
               x := 4294967295bv32; x := add(x, 2bv32);
               w := 1267650600228229401496703205375bv100; w := mul(w, w);
               assert less(x, {last}) && w == 1bv100;
               assume less(y, 3bv32); assert less(y, 4bv32) && y[32:2] == 0bv30;
             }}"
        )
    };
    passes(&program("2bv32"));
    fails(&program("1bv32"));
}

#[test]
fn what_cannot_be_executed_is_given_up() {
    gives_up(
        "function f(x: int): int; procedure main() { assert f(1) == f(2); }",
        "function",
    );
    gives_up(
        "procedure main(x: int) { assert 1 div (x - x) == 0; }",
        "division by zero",
    );
    gives_up(
        "procedure main() { assert (forall x: int :: x * x != 2); }",
        "quantifier",
    );
    gives_up("procedure main() { while (true) { } }", "step limit");
    gives_up("procedure main() { call main(); }", "too deep");
    gives_up(
        "axiom 1 == 2; const c: int; axiom c == 3; procedure main() { assert c == 3; }",
        "axioms",
    );
    // What is not evaluated does not matter.
    is_only("procedure main() { var x: int; x := 0; assert x == 0 || 1 div x == 7; }");
    is_only("function f(x: int): int; procedure main() { var x: int; x := 1; if (x == 0) { x := f(x); } }");
}

#[test]
fn only_assertions_of_the_goal_count() {
    let (program, main) =
        lower("procedure main(x: int) { assert x * x == 2; assert x != 0; assume x > 0; assert true; }");
    let goals: Vec<AssertId> = program.asserts.keys().collect();
    let options = RunOptions::default();
    let with = |goal: AssertId| {
        let goal = ReplayGoal::Asserts([goal].into_iter().collect());
        run(&program, main, &goal, &options, &Budget::unlimited()).outcome
    };
    assert!(matches!(with(goals[0]), RunOutcome::Failed { assert, .. } if assert == goals[0]));
    let RunOutcome::Failed { assert, trace } = with(goals[1]) else {
        panic!("the second one fails");
    };
    let options = ReplayOptions {
        goal: ReplayGoal::Asserts([assert].into_iter().collect()),
        ..ReplayOptions::default()
    };
    let replay = replay(
        &program,
        main,
        &trace,
        &mut NoOracle,
        &options,
        &Budget::unlimited(),
    );
    assert!(replay.confirms_failure(&program));
    assert!(matches!(with(goals[2]), RunOutcome::NoneFails));
}

#[test]
fn the_budget_is_asked() {
    let (program, main) = lower("procedure main() { while (true) { } }");
    let budget = Budget::unlimited();
    budget.interrupt();
    let found = run(
        &program,
        main,
        &ReplayGoal::AnyAssert,
        &RunOptions::default(),
        &budget,
    );
    assert!(matches!(found.outcome, RunOutcome::GaveUp(reason) if reason == "interrupted"));
}

fn with_unknown_inputs(text: &str) -> RunOutcome {
    let (program, main) = lower(text);
    let options = RunOptions {
        inputs: Inputs::Unknown,
        ..RunOptions::default()
    };
    run(
        &program,
        main,
        &ReplayGoal::AnyAssert,
        &options,
        &Budget::unlimited(),
    )
    .outcome
}

/// The result of a call decides a branch, and what it sets is not looked at: as with `printf` and `errno`.
#[test]
fn unknown_values_that_do_not_matter_leave_one_answer() {
    let program = |condition: &str| {
        format!(
            "var errno: int;
             procedure print() returns (r: int) {{
               havoc r;
               if (r < 0) {{ havoc errno; assume errno > 0; }}
             }}
             procedure main() {{
               var i, r, sum: int;
               i := 0; sum := 0;
               while (i < 100) {{ call r := print(); sum := sum + i; i := i + 1; }}
               assert {condition};
             }}"
        )
    };
    let decided = with_unknown_inputs(&program("sum == 4950"));
    assert!(matches!(decided, RunOutcome::NoneFails), "{decided:?}");
    for undecided in ["sum == 4950 && r >= 0", "errno == 0", "sum == 1"] {
        let found = with_unknown_inputs(&program(undecided));
        assert!(matches!(found, RunOutcome::GaveUp(_)), "{undecided}: {found:?}");
    }
}

#[test]
fn what_differs_between_ways_is_unknown_where_they_meet() {
    let program = |condition: &str| {
        format!(
            "procedure main(b: bool, n: int) {{
               var x, y: int; var m: [int]int;
               m[1] := 5; m[2] := 6;
               if (b) {{ x := 1; m[1] := 7; }} else {{ x := 3; }}
               if (n > 10) {{ y := n; }} else {{ y := 10; }}
               assert {condition};
             }}"
        )
    };
    for holds in ["x >= 1 && x <= 3", "m[2] == 6", "m[1] >= 5 && m[1] <= 7"] {
        let found = with_unknown_inputs(&program(holds));
        assert!(matches!(found, RunOutcome::NoneFails), "{holds}: {found:?}");
    }
    // What a way assumes of an unknown value does not hold where the ways meet.
    for unknown in ["x == 1", "m[1] == 5", "y == 10", "y >= 10", "n <= 10"] {
        let found = with_unknown_inputs(&program(unknown));
        assert!(!matches!(found, RunOutcome::NoneFails), "{unknown}: {found:?}");
    }
}

#[test]
fn ways_that_end_do_not_count() {
    let text = "procedure stop() { assume false; }
         procedure main(n: int) {
           var x: int;
           x := 1;
           if (n == 7) { x := 2; call stop(); }
           assert x == 1;
         }";
    let found = with_unknown_inputs(text);
    assert!(matches!(found, RunOutcome::NoneFails), "{found:?}");
}
