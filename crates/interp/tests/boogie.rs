//! The interpreter on small Boogie programs.

use lariat_base::{Budget, SourceMap};
use lariat_interp::{
    Domains, Exploration, ExploreLimits, ExploreVerdict, LineKind, NoOracle, Replay, ReplayOptions, Trace,
    TraceDetail, TraceLine, explore, render, replay,
};
use lariat_ir::{ProcId, Program};
use lariat_testkit::boogie::check;
use rustc_hash::FxHashMap;

struct Source {
    sources: SourceMap,
    program: Program,
    main: ProcId,
}

fn lower(text: &str) -> Source {
    let typed = check(text);
    let program = lariat_lower::lower(&typed.program)
        .expect("the program can be lowered")
        .program;
    let main = program.proc_by_name("main").expect("there is a main");
    Source {
        sources: typed.sources,
        program,
        main,
    }
}

fn explored(text: &str) -> Exploration {
    let Source { program, main, .. } = lower(text);
    let (domains, limits) = (Domains::default(), ExploreLimits::default());
    explore(&program, main, &domains, &limits, &Budget::unlimited())
}

fn fails(text: &str) -> bool {
    matches!(explored(text).verdict, ExploreVerdict::Fails(_))
}

/// Replays without any help from a trace.
fn run(source: &Source) -> (Replay, Vec<TraceLine>) {
    let trace = Trace::new(FxHashMap::default());
    let options = ReplayOptions::default();
    let replay = replay(
        &source.program,
        source.main,
        &trace,
        &mut NoOracle,
        &options,
        &Budget::unlimited(),
    );
    let lines = render(
        &replay.events,
        &source.program,
        &source.sources,
        &lariat_interp::PlainWording::default(),
        TraceDetail::Brief,
    );
    (replay, lines)
}

#[test]
fn loops_and_contracts() {
    let program = |limit: u32| {
        format!(
            "procedure main() {{
               var i, s: int;
               i := 0; s := 0;
               while (i < 3) {{ i := i + 1; s := s + i; }}
               call check(s);
             }}
             procedure check(n: int) requires n < {limit}; {{ }}"
        )
    };
    assert!(fails(&program(6)));
    assert_eq!(
        explored(&program(7)).verdict,
        ExploreVerdict::NoFailure { complete: true }
    );
}

#[test]
fn maps_and_nondeterminism() {
    let program = |index: &str| {
        format!(
            "var m: [int]int;
             procedure main() modifies m; {{
               var i: int;
               havoc i;
               assume 0 <= i && i < 2;
               m[i] := 7;
               assert m[{index}] == 7;
             }}"
        )
    };
    assert!(!fails(&program("i")));
    assert!(fails(&program("0")));
}

#[test]
fn bit_vectors() {
    let program = |bound: u32| {
        format!(
            "function {{:bvbuiltin \"bvadd\"}} add(a: bv3, b: bv3): bv3;
             function {{:bvbuiltin \"bvult\"}} less(a: bv3, b: bv3): bool;
             procedure main(x: bv3) {{
               assume less(x, {bound}bv3);
               assert less(x, add(x, 1bv3));
             }}"
        )
    };
    assert_eq!(
        explored(&program(7)).verdict,
        ExploreVerdict::NoFailure { complete: true }
    );
    let whole = "function {:bvbuiltin \"bvadd\"} add(a: bv3, b: bv3): bv3;
                 procedure main(x: bv3) { assert add(x, 1bv3) != 0bv3; }";
    assert!(fails(whole));
}

#[test]
fn functions_with_bodies() {
    assert!(fails(
        "function twice(x: int): int { x + x }
         procedure main(x: int) { assert twice(x) != 2; }"
    ));
    assert!(!fails(
        "function twice(x: int): int { x + x }
         procedure main(x: int) { assert twice(x) - x == x; }"
    ));
}

#[test]
fn datatypes() {
    assert!(fails(
        "datatype List { Nil(), Cons(head: bool, tail: List) }
         procedure main(b: bool) {
           var l: List;
           l := Cons(b, Nil());
           assert l->head ==> l is Nil;
         }"
    ));
}

#[test]
fn a_run_without_a_trace_follows_its_values() {
    let source = lower(
        "var g: int;
procedure main() modifies g; {
  var i: int;
  g := 5;
  i := 0;
  while (i < 2) {
    i := i + 1;
    call unrelated();
  }
  call set(i);
  assert {:id \"last\"} g == 0;
}
procedure set(n: int) modifies g; { g := n; }
procedure unrelated() { var x: int; x := 1; }
",
    );
    let (replay, lines) = run(&source);
    assert!(replay.confirms_failure(&source.program), "{:?}", replay.outcome);
    assert_eq!(replay.skipped, 0);
    let failure = lines.last().expect("there are lines");
    assert_eq!((failure.kind, failure.line), (LineKind::Failure, Some(11)));
    assert_eq!(failure.text, "assert g == 0;");
    assert_eq!(failure.changes, [("g".to_string(), "2".to_string())]);
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert!(texts.contains(&"i := i + 1;"), "{texts:#?}");
    assert!(texts.contains(&"call set(i);"), "{texts:#?}");
    assert!(!texts.contains(&"g := 5;"), "it is overwritten: {texts:#?}");
    assert!(!texts.contains(&"x := 1;"), "it does not matter: {texts:#?}");
}

#[test]
fn guards_tell_which_way_they_went() {
    let source = lower(
        "procedure main() {
  var x: int;
  x := 3;
  if (x < 2) {
    x := 0;
  } else {
    assert x == 2;
  }
}
",
    );
    let (replay, lines) = run(&source);
    assert!(replay.confirms_failure(&source.program), "{:?}", replay.outcome);
    let guard = lines
        .iter()
        .find(|line| line.kind == LineKind::Guard)
        .expect("the guard is shown");
    assert_eq!(guard.outcome, Some(false));
    assert_eq!(guard.line, Some(4));
    assert!(guard.text.contains("x < 2"), "{guard:?}");
}

#[test]
fn elements_of_maps_are_written_at_once() {
    let source = lower(
        "procedure main() {
  var m, n: [int]int;
  m[1] := 5;
  m, n := m[1 := 6][2 := m[1]][1 := 7], m;
  assert m[1] == 7 && m[2] == 5;
  assert n[1] == 6;
}
",
    );
    let (replay, lines) = run(&source);
    assert!(replay.confirms_failure(&source.program), "{:?}", replay.outcome);
    let failure = lines.last().expect("there are lines");
    assert_eq!(failure.line, Some(6));
    assert_eq!(failure.changes, [("n[1]".to_string(), "5".to_string())]);
}

#[test]
fn a_long_trace_keeps_its_start_and_its_end() {
    let source = lower(
        "procedure main() {
  var i: int;
  i := 0;
  while (i < 5000) { i := i + 1; }
  assert i == 0;
}
",
    );
    let (_, lines) = run(&source);
    assert!(lines.len() < 1_100, "{}", lines.len());
    assert!(lines.iter().any(|line| line.kind == LineKind::Elided));
    assert_eq!(lines.last().map(|line| line.kind), Some(LineKind::Failure));
}
