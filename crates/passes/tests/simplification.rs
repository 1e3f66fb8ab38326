//! What constants, dead ends, merging and slicing leave of a program.

mod support;

use lariat_ir::{ProcId, Program, Stage, validate};
use lariat_passes::{
    Goal, PrepareOptions, merge_blocks, prepare, propagate_constants, prune_procedures, remove_dead_ends,
    slice,
};
use lariat_testkit::ir_text::read_program;

fn after(text: &str, pass: impl FnOnce(&mut Program, ProcId)) -> String {
    let mut program = read_program(text);
    pass(&mut program, ProcId::from_u32(0));
    validate(&program, Stage::Instrumented).unwrap_or_else(|violation| panic!("{violation}"));
    let entry = prune_procedures(&mut program, ProcId::from_u32(0)).entry;
    assert_eq!(entry, ProcId::from_u32(0));
    program.text()
}

#[test]
fn known_values_flow_into_calls() {
    let text = after(
        "global mode: int
         proc main(a: int)
           var x: int
           var y: int
          start:
           call set(3)
           x := (+ mode 1)
           assume (= y x)
           call y := use(x, a)
           assume (< y 100)
           goto yes no
          yes:
           assume (= mode 2)
           return
          no:
           assume (not (= mode 2))
           return
         proc set(value: int)
          start:
           mode := value
           return
         proc use(p: int, q: int) -> (r: int)
          start:
           r := (+ p mode)
           assume (< r q)
           return",
        propagate_constants,
    );
    // `set` is called with 3 only, but what is known where it returns holds whatever it is given.
    assert!(text.contains("  mode := 3\n"), "{text}");
    assert!(text.contains("  x := (+ mode 1)\n"), "{text}");
}

#[test]
fn what_a_callee_always_sets_is_known_after_the_call() {
    let text = after(
        "global mode: int
         proc main(a: int)
           var x: int
          start:
           call initialise()
           goto yes no
          yes:
           assume (= mode 2)
           assume (< a 0)
           return
          no:
           assume (not (= mode 2))
           x := a
           return
         proc initialise()
          start:
           mode := 3
           return",
        |program, entry| {
            propagate_constants(program, entry);
            remove_dead_ends(program);
            merge_blocks(program);
        },
    );
    let expected = "\
global mode: Int
proc main(a: Int) {
  var x: Int
block0: // start
  call initialise()
  x := a
  return
}
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn an_in_parameter_that_is_always_the_same_is_known() {
    let text = after(
        "global g: int
         proc main(a: int)
          start:
           call f(5, a)
           call f(5, 6)
           return
         proc f(same: int, other: int)
          start:
           assume (< (+ same other) g)
           goto again out
          again:
           call f(same, other)
           return
          out:
           return",
        propagate_constants,
    );
    assert!(text.contains("assume (< (+ other 5) g)"), "{text}");
    assert!(text.contains("call f(5, other)"), "{text}");
}

#[test]
fn facts_do_not_outlive_assignments_and_joins() {
    let text = after(
        "global g: int
         proc main(a: int)
           var x: int
          start:
           x := 1
           goto one two
          one:
           x := 2
           goto end
          two:
           goto end
          end:
           assume (< x g)
           x := 4
           havoc x
           assume (< x a)
           return",
        propagate_constants,
    );
    assert!(text.contains("assume (< x g)"), "{text}");
    assert!(text.contains("assume (< x a)"), "{text}");
}

#[test]
fn calls_that_never_return_end_the_path() {
    let text = after(
        "global g: int
         proc main(a: int)
          start:
           goto left right
          left:
           call forever()
           return
          right:
           assume (< a g)
           return
         proc forever()
          start:
           g := (+ g 1)
           call forever()
           return",
        |program, _| remove_dead_ends(program),
    );
    assert!(!text.contains("forever"), "{text}");
    assert!(text.contains("assume (< a g)"), "{text}");
}

#[test]
fn chains_become_one_block_and_marks_stay() {
    let mut program = read_program(
        "proc main(a: int)
          start:
           goto one
          one:
           goto two three two
          two:
           goto five
          three:
           assume (< a 0)
           goto four
          four:
           goto five
          five:
           assume (< a 10)
           return",
    );
    lariat_passes::mark_blocks(&mut program);
    merge_blocks(&mut program);
    let expected = "\
proc main(a: Int) {
block0: // start
  goto block1, block2
block2: // three
  enter block3
  assume (< a 0)
  goto block3
block1: // two
  enter block2
  goto block3
block3: // five
  assume (< a 10)
  return
}
";
    assert_eq!(program.text(), expected);
}

#[test]
fn what_no_assumption_sees_is_cut_away() {
    let text = after(
        "global seen: int
         global unseen: int
         proc main(a: int)
           var x: int
           var y: int
          start:
           x := a
           y := (+ x 1)
           unseen := y
           call x := step(x, y)
           call log(y)
           assume (< x seen)
           return
         proc step(p: int, q: int) -> (r: int)
          start:
           unseen := q
           r := (+ p 1)
           return
         proc log(value: int)
          start:
           goto big small
          big:
           assume (< 10 value)
           unseen := value
           return
          small:
           assume (not (< 10 value))
           return",
        slice,
    );
    let expected = "\
global seen: Int
proc main(a: Int) {
  var x: Int
block0: // start
  x := a
  call x := step(x)
  assume (< x seen)
  return
}
proc step(p: Int) returns (r: Int) {
block0: // start
  r := (+ p 1)
  return
}
";
    assert_eq!(text, expected);
}

#[test]
fn a_procedure_that_may_block_stays() {
    for (body, stays) in [
        ("assume (< 10 value)\nreturn", true),
        (
            "goto big small\nbig:\nassume (< 10 value)\nreturn\nsmall:\nassume (< value 10)\nreturn",
            true,
        ),
        (
            "goto big small\nbig:\nassume (< 10 value)\nstop\nsmall:\nassume (not (< 10 value))\nreturn",
            true,
        ),
        ("call log(value)\nreturn", true),
        (
            "goto big small\nbig:\nassume (< 10 value)\nreturn\nsmall:\nassume (not (< 10 value))\nreturn",
            false,
        ),
        ("g := value\nreturn", false),
    ] {
        let text = after(
            &format!(
                "global g: int
                 global seen: int
                 proc main(a: int)
                  start:
                   call log(a)
                   assume (< seen 0)
                   return
                 proc log(value: int)
                  start:
                   {body}"
            ),
            slice,
        );
        assert_eq!(text.contains("call log"), stays, "{body}");
    }
}

#[test]
fn that_a_value_is_of_its_type_does_not_make_it_matter() {
    let text = after(
        "global seen: int
         proc main(a: int)
          var used: int
          var unused: int
          start:
           call unused := hash(a)
           typed (and (<= 0 unused) (<= unused 255))
           call used := next(a)
           typed (and (<= 0 used) (<= used 255))
           typed (<= 0 (+ used 1))
           assume (< used seen)
           return
         proc hash(value: int) -> (result: int)
          start:
           havoc result
           typed (and (<= 0 result) (<= result 255))
           return
         proc next(value: int) -> (result: int)
          start:
           result := (+ value 1)
           return",
        slice,
    );
    assert!(!text.contains("hash") && !text.contains("unused"), "{text}");
    let kept = "  call used := next(a)\n  assume (and (<= 0 used) (<= used 255))\n";
    assert!(text.contains(kept), "{text}");
}

#[test]
fn a_call_that_gives_any_value_stays() {
    let text = after(
        "global g: int
         proc main()
          start:
           g := 0
           call g := any()
           assume (< 0 g)
           return
         proc any() -> (r: int)
          start:
           return",
        slice,
    );
    assert!(text.contains("call g := any()"), "{text}");
}

#[test]
fn stages_are_recorded_when_asked_for() {
    let program = read_program("proc main()\nstart:\nassert false\nreturn");
    let options = PrepareOptions {
        record_stages: true,
        ..PrepareOptions::default()
    };
    let goal = Goal::AssertionFails { checked: None };
    let prepared = prepare(&program, ProcId::from_u32(0), &goal, &options);
    let names: Vec<&str> = prepared.stages.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "mark",
            "prune",
            "tables",
            "loops",
            "errors",
            "dead-ends",
            "constants",
            "merge",
            "bounds",
            "slice",
            "prune again"
        ]
    );
    assert!(prepared.stages[0].1.contains("assert0 false"));
}

#[test]
fn procedures_are_told_from_which_lowered_ones_they_come() {
    let program = read_program(
        "proc unused()
          start:
           return
         proc main(a: int)
          start:
           goto head
          head:
           assert (< a 0)
           goto head again
          again:
           call main(a)
           return",
    );
    let main = program.proc_by_name("main").expect("main");
    let goal = Goal::AssertionFails { checked: None };
    let prepared = prepare(&program, main, &goal, &PrepareOptions::default());
    assert!(prepared.program.procs.len() > 1);
    assert!(prepared.originals.values().all(|&original| original == main));
    assert_eq!(prepared.originals.len(), prepared.program.procs.len());
    for proc in prepared.program.procs.values() {
        for var in proc
            .params
            .iter()
            .filter(|var| !program.procs[main].params.contains(var))
        {
            assert_eq!(
                prepared.var_origins.get(var),
                Some(&program.procs[main].params[0])
            );
        }
    }
}
