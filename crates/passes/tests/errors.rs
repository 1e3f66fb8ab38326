//! What assertions become.

mod support;

use std::collections::BTreeSet;

use lariat_ir::{AssertId, ProcId, Program, Stage, validate};
use lariat_passes::{CallGraph, Goal, Instrumented, compute_interfaces, instrument_errors};
use lariat_testkit::ir_text::read_program;
use support::oracle::behaviour;

fn instrumented(text: &str, goal: &Goal) -> (Program, Instrumented) {
    let mut program = read_program(text);
    let result = instrument_errors(&mut program, ProcId::from_u32(0), goal);
    validate(&program, Stage::Instrumented).unwrap_or_else(|violation| panic!("{violation}"));
    (program, result)
}

fn any_failure() -> Goal {
    Goal::AssertionFails { checked: None }
}

const CALLS: &str = "
    global g: int
    proc main()
     start:
      call safe()
      call checks(1)
      g := 2
      call checks(2)
      return
    proc checks(x: int)
     start:
      assert (< x 2)
      g := x
      return
    proc safe()
     start:
      g := 1
      return";

#[test]
fn assertions_and_calls_branch() {
    let (program, result) = instrumented(CALLS, &any_failure());
    let expected = "\
global g: Int
global error: Bool
proc main() {
block0: // start
  error := false
  call safe()
  call checks(1)
  goto block1, block2
block2:
  assume (not error)
  g := 2
  call checks(2)
  assume error
  return
block1:
  assume error
  return
}
proc checks(x: Int) {
block0: // start
  error := false
  goto block1, block2
block2:
  assume (< x 2)
  g := x
  return
block1:
  assume (<= 2 x)
  error := true
  return
}
proc safe() {
block0: // start
  g := 1
  return
}
";
    assert_eq!(program.text(), expected);
    assert_eq!(result.checked, [AssertId::from_u32(0)]);
    assert_eq!(result.failures.len(), 1);
    assert!(result.unsupported.is_empty());
}

#[test]
fn the_flag_only_comes_out_and_only_where_something_can_fail() {
    let (program, result) = instrumented(CALLS, &any_failure());
    let error = result.error.expect("something can fail");
    let interfaces = compute_interfaces(&program);
    for (id, fails) in [("main", false), ("checks", true), ("safe", false)] {
        let interface = &interfaces[program.proc_by_name(id).expect("a procedure")];
        assert!(!interface.ins.contains(&error), "{id}");
        assert_eq!(interface.outs.contains(&error), fails, "{id}");
    }
}

#[test]
fn only_the_assertions_asked_for_can_fail() {
    let text = "
        global b: bool
        proc main()
         start:
          assert b
          assert (not b)
          return";
    let ask = |number: u32| Goal::AssertionFails {
        checked: Some(BTreeSet::from([AssertId::from_u32(number)])),
    };
    for (number, fails) in [(0, true), (1, true)] {
        let (program, result) = instrumented(text, &ask(number));
        assert_eq!(result.checked, [AssertId::from_u32(number)]);
        let found = behaviour(&program, result.entry, 1_000).expect("a small program");
        assert_eq!(found.returns, fails, "{}", program.text());
    }
    let (program, result) = instrumented(text, &ask(7));
    assert_eq!((result.error, result.checked.as_slice()), (None, [].as_slice()));
    assert!(
        !behaviour(&program, result.entry, 1_000)
            .expect("a small program")
            .returns
    );
}

#[test]
fn what_is_unsupported_is_seen_whatever_is_asked() {
    let text = |condition: &str| {
        format!(
            "global b: bool
             proc main()
              start:
               assume {condition}
               unsupported async call
               return"
        )
    };
    let goals = [
        any_failure(),
        Goal::EntryReturns,
        Goal::AssertionFails {
            checked: Some(BTreeSet::new()),
        },
    ];
    for goal in goals {
        for (condition, reached) in [("b", true), ("false", false)] {
            let (program, result) = instrumented(&text(condition), &goal);
            assert_eq!(result.unsupported, [AssertId::from_u32(0)]);
            assert!(result.checked.is_empty());
            let found = behaviour(&program, result.entry, 1_000).expect("a small program");
            assert_eq!(found.returns, reached, "{goal:?} {condition}");
        }
    }
}

#[test]
fn a_variable_is_looked_at_where_the_entry_returns_and_assertions_count() {
    for (value, condition, reached) in [
        ("0:2", "true", false),
        ("2:2", "true", true),
        ("a", "true", true),
        ("0:2", "(= a 0:2)", true),
    ] {
        let program = read_program(&format!(
            "global g: bv2
             proc main(a: bv2)
              start:
               g := {value}
               assert {condition}
               return"
        ));
        let goal = Goal::VariableNonZero(program.globals[0]);
        let mut program = program;
        let result = instrument_errors(&mut program, ProcId::from_u32(0), &goal);
        let found = behaviour(&program, result.entry, 1_000).expect("a small program");
        assert_eq!(found.returns, reached, "{value} {condition}");
        assert_eq!(result.checked, [AssertId::from_u32(0)]);
    }
}

#[test]
fn a_recursive_entry_is_asked_about_as_a_copy() {
    let text = "
        global b: bool
        proc main(stop: bool)
         start:
          goto again end
         again:
          assume (not stop)
          call main(true)
          assert b
          return
         end:
          assume stop
          return";
    let (program, result) = instrumented(text, &any_failure());
    assert_ne!(result.entry, ProcId::from_u32(0));
    assert!(CallGraph::new(&program).callers(result.entry).is_empty());
    assert!(
        behaviour(&program, result.entry, 10_000)
            .expect("a small program")
            .returns
    );
    let copy = program.procs[result.entry].params[0];
    assert_eq!(
        result.origins.get(&copy),
        Some(&program.procs[ProcId::from_u32(0)].params[0])
    );
}

#[test]
fn what_holds_initially_binds_the_start_only() {
    let mut program = read_program(
        "global b: bool
         proc main()
          start:
           b := (not b)
           assert b
           return",
    );
    let b = program.globals[0];
    let b = program.pool.var(b);
    program.initial.push(b);
    let result = instrument_errors(&mut program, ProcId::from_u32(0), &any_failure());
    assert!(program.initial.is_empty());
    assert!(
        program
            .proc_text(result.entry)
            .contains("  error := false\n  assume b\n  b := (not b)\n")
    );
}
