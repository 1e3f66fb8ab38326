//! Loops cut by their invariants.

mod support;

use lariat_ir::{ProcId, Program, Stage, validate};
use lariat_passes::{Goal, PrepareOptions, cut_loops, prepare};
use lariat_testkit::Random;
use lariat_testkit::ir_text::random_program;
use lariat_testkit::ir_text::read_program;
use support::oracle::behaviour;

const STEPS: usize = 30_000;

fn entry() -> ProcId {
    ProcId::from_u32(0)
}

fn options(cut: bool) -> PrepareOptions {
    PrepareOptions {
        cut_loops_by_invariants: cut,
        ..PrepareOptions::default()
    }
}

/// Whether an assertion can fail, by the oracle, after all passes.
fn fails(program: &Program, cut: bool) -> bool {
    let goal = Goal::AssertionFails { checked: None };
    let prepared = prepare(program, entry(), &goal, &options(cut));
    assert_eq!(!prepared.cut_loops.is_empty(), cut);
    behaviour(&prepared.program, prepared.entry, STEPS)
        .expect("a small program")
        .returns
}

#[test]
fn a_loop_is_cut() {
    let mut program = read_program(
        "global g: bv2
         proc main(n: bv2)
           var x: bv2
           var y: bv2
          before:
           x := 0:2
           goto head
          head:
           invariant (<= x n)
           goto body after
          body:
           assume (< x n)
           x := (+ x 1:2)
           call f()
           goto head
          after:
           assume (<= n x)
           assert (= x n)
           return
         proc f()
          b0:
           havoc g
           return",
    );
    let cut = cut_loops(&mut program);
    validate(&program, Stage::LoopFree).unwrap_or_else(|violation| panic!("{violation}"));
    assert_eq!(cut.len(), 1);
    assert_eq!(&*cut[0].procedure, "main");
    let text = program.proc_text(entry());
    let squeezed: Vec<&str> = text.lines().map(str::trim).collect();
    let has = |line: &str| squeezed.iter().filter(|other| other.contains(line)).count();
    assert_eq!(has("havoc g, x"), 1, "{text}");
    assert_eq!(has("assume (bvule x n)"), 1, "{text}");
    assert_eq!(has("assert0 (bvule x n)"), 2, "{text}");
}

/// A loop with the given invariant that counts from 0 to 2 and asserts where it ends.
fn counter(invariant: &str) -> Program {
    read_program(&format!(
        "proc main()
           var x: bv2
          before:
           x := 0:2
           goto head
          head:
           {invariant}
           goto body after
          body:
           assume (< x 2:2)
           x := (+ x 1:2)
           goto head
          after:
           assume (not (< x 2:2))
           assert (= x 2:2)
           return"
    ))
}

#[test]
fn the_invariant_decides() {
    assert!(
        !fails(&counter("invariant (<= x 2:2)"), true),
        "strong enough and kept"
    );
    assert!(fails(&counter("invariant true"), true), "too weak");
    assert!(fails(&counter("invariant (<= x 1:2)"), true), "not kept");
    assert!(fails(&counter("invariant (= x 1:2)"), true), "not so on entry");
    // Without the cut, the program is what it was.
    assert!(!fails(&counter("invariant (<= x 2:2)"), false));
    assert!(!fails(&counter("invariant true"), false));
    assert!(fails(&counter("invariant (<= x 1:2)"), false));
}

#[test]
fn free_invariants_are_assumed() {
    assert!(!fails(&counter("invariant true\n assume (<= x 2:2)"), true));
}

#[test]
fn loops_without_invariants_stay() {
    assert!(!fails(&counter("assert (<= x 2:2)"), false));
    let mut program = counter("assert (<= x 2:2)");
    let before = program.text();
    assert!(cut_loops(&mut program).is_empty());
    assert_eq!(program.text(), before);
}

#[test]
fn nested_loops_are_cut_one_by_one() {
    let text = "proc main()
           var x: bv2
           var y: bv2
          before:
           x := 0:2
           goto outer
          outer:
           invariant (<= x 2:2)
           goto body after
          body:
           assume (< x 2:2)
           y := 0:2
           goto inner
          inner:
           INNER
           goto step leave
          step:
           assume (< y 2:2)
           y := (+ y 1:2)
           goto inner
          leave:
           assume (not (< y 2:2))
           assert (= y 2:2)
           x := (+ x 1:2)
           goto outer
          after:
           assume (not (< x 2:2))
           assert (= x 2:2)
           return";
    let both = text.replace("INNER", "invariant (and (<= y 2:2) (<= x 1:2))");
    assert!(!fails(&read_program(&both), true));
    let forgotten = text.replace("INNER", "invariant (<= y 2:2)");
    assert!(
        !fails(&read_program(&forgotten), true),
        "the inner loop does not change x"
    );
    let none = text.replace("INNER", "");
    assert!(!fails(&read_program(&none), true), "the inner loop stays");
    let weak = text.replace("INNER", "invariant true");
    assert!(fails(&read_program(&weak), true), "y may be 3");
}

/// Invariants of all kinds at the start of half of the blocks.
fn with_invariants(text: &str, random: &mut Random) -> String {
    let mut result = String::new();
    for line in text.lines() {
        result.push_str(line);
        result.push('\n');
        if line.ends_with(':') && random.below(2) == 0 {
            let (var, limit) = (["x", "y", "gn", "gm"][random.below(4)], random.below(4));
            let invariant = match random.below(4) {
                0 => "true".to_owned(),
                1 => format!("(or gb (<= {var} {limit}:2))"),
                2 => format!("(not (= {var} {limit}:2))"),
                _ => format!("(or p (<= {limit}:2 {var}))"),
            };
            result.push_str(&format!("  invariant {invariant}\n"));
        }
    }
    result
}

#[test]
fn random_programs_are_over_approximated() {
    let (mut cut, mut still, mut still_not) = (0, 0, 0);
    for seed in 40_000..40_250 {
        let text = with_invariants(&random_program(seed), &mut Random::new(seed));
        let program = read_program(&text);
        let Some(before) = behaviour(&program, entry(), STEPS) else {
            continue;
        };
        for (goal, expected) in [
            (
                Goal::AssertionFails { checked: None },
                !before.failures.is_empty(),
            ),
            (Goal::EntryReturns, before.returns),
        ] {
            let prepared = prepare(&program, entry(), &goal, &options(true));
            let Some(after) = behaviour(&prepared.program, prepared.entry, 20 * STEPS) else {
                continue;
            };
            cut += prepared.cut_loops.len();
            assert!(after.returns || !expected, "seed {seed} {goal:?}\n{text}");
            if !prepared.cut_loops.is_empty() {
                still += usize::from(expected);
                still_not += usize::from(!after.returns);
            }
        }
    }
    assert!(
        cut > 80 && still > 30 && still_not > 15,
        "{cut} {still} {still_not}"
    );
}
