use std::time::Duration;

use lariat_base::Budget;
use lariat_ir::{BlockId, Call, StmtKind};
use smallvec::smallvec;

use super::*;
use crate::event::{ChangeKind, EventKind};
use crate::oracle::NoOracle;
use crate::testing::{Builder, assign, call};
use crate::trace::TraceStep;

fn int(value: i64) -> Value {
    Value::Int(value.into())
}

fn replay_of(b: &Builder, entry: ProcId, trace: &Trace) -> Replay {
    replay_with(b, entry, trace, &ReplayOptions::default())
}

fn replay_with(b: &Builder, entry: ProcId, trace: &Trace, options: &ReplayOptions) -> Replay {
    b.check();
    replay(
        &b.program,
        entry,
        trace,
        &mut NoOracle,
        options,
        &Budget::unlimited(),
    )
}

fn enter(block: u32) -> TraceStep {
    TraceStep::Enter(BlockId::from_u32(block))
}

/// `havoc x; if (x == 1) { call y := inc(x); } assert y == 0;`
fn branching() -> (Builder, ProcId, [VarId; 2]) {
    let mut b = Builder::new();
    let (p, r) = (b.var("p"), b.var("r"));
    let p_plus = b.plus(p, 1);
    let inc = b.proc(
        "inc",
        vec![p],
        vec![r],
        vec![],
        vec![(vec![assign(r, p_plus)], vec![])],
    );
    let (x, y) = (b.var("x"), b.var("y"));
    let zero = b.program.pool.int(0);
    let is_one = b.equals(x, 1);
    let is_other = b.program.pool.not(is_one);
    let y_is_zero = b.equals(y, 0);
    let argument = b.term(x);
    let check = b.assert(y_is_zero);
    let call = StmtKind::Call(Call {
        callee: inc,
        ins: vec![argument],
        outs: vec![y],
    });
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![x, y],
        vec![
            (vec![assign(y, zero), StmtKind::Havoc(smallvec![x])], vec![1, 2]),
            (vec![StmtKind::Assume(is_one), call], vec![3]),
            (vec![StmtKind::Assume(is_other)], vec![3]),
            (vec![check], vec![]),
        ],
    );
    (b, main, [x, y])
}

#[test]
fn a_trace_leads_to_the_failing_assertion() {
    let (b, main, [x, y]) = branching();
    let mut trace = Trace::new(FxHashMap::default());
    let root = trace.root;
    trace.push(root, enter(0));
    trace.push(root, TraceStep::Havoc(b.stmt_id(main, 0, 1), vec![(x, int(1))]));
    trace.push(root, enter(1));
    trace.push_call(root, b.stmt_id(main, 1, 1));
    trace.push(root, enter(3));
    let replay = replay_of(&b, main, &trace);
    assert!(replay.confirms_failure(&b.program), "{:?}", replay.outcome);
    assert_eq!((replay.skipped, replay.guessed), (0, 0));
    let result = replay.events.iter().find_map(|event| match &event.kind {
        EventKind::Return { changes, .. } => Some(changes.clone()),
        _ => None,
    });
    let changes = result.expect("the call returns");
    assert_eq!(changes[0].var, y);
    assert_eq!(
        changes[0].kind,
        ChangeKind::Whole {
            old: Some(int(0)),
            new: Some(int(2))
        }
    );
    assert!(matches!(
        replay.events.last().map(|e| &e.kind),
        Some(EventKind::AssertFailed { .. })
    ));
    let depths: Vec<u32> = replay.events.iter().map(|event| event.depth).collect();
    assert_eq!(depths.iter().max(), Some(&1));
}

#[test]
fn values_that_contradict_the_way_are_noticed() {
    let (b, main, [x, _]) = branching();
    let mut trace = Trace::new(FxHashMap::default());
    let root = trace.root;
    trace.push(root, TraceStep::Havoc(b.stmt_id(main, 0, 1), vec![(x, int(5))]));
    trace.push(root, enter(1));
    let replay = replay_of(&b, main, &trace);
    // The other way is taken, on which nothing fails.
    assert_eq!(replay.guessed, 1);
    assert!(replay.confirms_return(), "{:?}", replay.outcome);
    assert!(!replay.confirms_failure(&b.program));
}

#[test]
fn a_false_assumption_ends_the_replay() {
    let mut b = Builder::new();
    let g = b.global("g");
    let is_one = b.equals(g, 1);
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![],
        vec![(vec![StmtKind::Assume(is_one)], vec![])],
    );
    let replay = replay_of(&b, main, &Trace::new([(g, int(2))].into_iter().collect()));
    assert!(matches!(replay.outcome, ReplayOutcome::Diverged { .. }));
    assert!(replay.complaint().is_some_and(|text| text.contains("assumption")));
}

#[test]
fn values_that_the_trace_leaves_open_suit_the_assumes() {
    let mut b = Builder::new();
    let (x, y) = (b.var("x"), b.var("y"));
    let (tx, ty) = (b.term(x), b.term(y));
    let limits = [b.program.pool.int(5), b.program.pool.int(100)];
    let above = b.program.pool.lt(limits[0], tx);
    let below = b.program.pool.lt(tx, limits[1]);
    let not_seven = {
        let is_six = b.equals(x, 6);
        b.program.pool.not(is_six)
    };
    let same = b.program.pool.eq(tx, ty);
    let never = b.equals(y, 7);
    let check = b.assert(never);
    let havoc = StmtKind::Havoc(smallvec![x, y]);
    let kinds = vec![
        havoc,
        StmtKind::Assume(above),
        StmtKind::Assume(below),
        StmtKind::Assume(not_seven),
        StmtKind::Assume(same),
        check,
    ];
    let main = b.proc("main", vec![], vec![], vec![x, y], vec![(kinds, vec![])]);
    let replay = replay_of(&b, main, &Trace::new(FxHashMap::default()));
    // x is chosen above 5 and not 6; y follows it, and 7 is the next candidate.
    match replay.outcome {
        ReplayOutcome::Diverged { reason, .. } => panic!("{reason}"),
        _ => assert!(replay.doubts.is_empty()),
    }
}

#[test]
fn a_value_that_was_used_is_not_chosen_again() {
    let mut b = Builder::new();
    let (x, g) = (b.var("x"), b.global("g"));
    let tx = b.term(x);
    let is_one = b.equals(x, 1);
    let kinds = vec![
        StmtKind::Havoc(smallvec![x]),
        assign(g, tx),
        StmtKind::Assume(is_one),
    ];
    let main = b.proc("main", vec![], vec![], vec![x], vec![(kinds, vec![])]);
    let replay = replay_of(&b, main, &Trace::new(FxHashMap::default()));
    assert!(matches!(replay.outcome, ReplayOutcome::Diverged { .. }));
}

#[test]
fn an_irrelevant_loop_is_executed_by_its_values() {
    // i := 0; while (i < 3) { i := i + 1; } assert i == 0;  with an empty trace.
    let mut b = Builder::new();
    let i = b.var("i");
    let (zero, three) = (b.program.pool.int(0), b.program.pool.int(3));
    let ti = b.term(i);
    let inside = b.program.pool.lt(ti, three);
    let outside = b.program.pool.not(inside);
    let next = b.plus(i, 1);
    let wrong = b.equals(i, 0);
    let check = b.assert(wrong);
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![i],
        vec![
            (vec![assign(i, zero)], vec![1]),
            (vec![], vec![2, 3]),
            (vec![StmtKind::Assume(inside), assign(i, next)], vec![1]),
            (vec![StmtKind::Assume(outside), check], vec![]),
        ],
    );
    let mut trace = Trace::new(FxHashMap::default());
    let root = trace.root;
    trace.push(root, enter(3));
    let replay = replay_of(&b, main, &trace);
    assert!(replay.confirms_failure(&b.program), "{:?}", replay.outcome);
    assert_eq!(replay.guessed, 3);
}

#[test]
fn calls_that_the_trace_leaves_out_are_executed_freely() {
    let (b, main, [x, _]) = branching();
    let mut trace = Trace::new(FxHashMap::default());
    let root = trace.root;
    trace.push(root, TraceStep::Havoc(b.stmt_id(main, 0, 1), vec![(x, int(1))]));
    trace.push(root, enter(1));
    let replay = replay_of(&b, main, &trace);
    assert!(replay.confirms_failure(&b.program), "{:?}", replay.outcome);
    assert_eq!(replay.skipped, 0);
}

/// `g := 1; call helper(); assert g == 0;` where the helper sets `g` to 2 and then does as given.
fn after_helper(blocks: impl Fn(&mut Builder, VarId) -> Vec<(Vec<StmtKind>, Vec<u32>)>) -> (Builder, Replay) {
    let mut b = Builder::new();
    let g = b.global("g");
    let blocks = blocks(&mut b, g);
    let helper = b.proc("helper", vec![], vec![], vec![], blocks);
    let one = b.program.pool.int(1);
    let condition = b.equals(g, 0);
    let check = b.assert(condition);
    let kinds = vec![assign(g, one), call(helper, vec![], vec![]), check];
    let main = b.proc("main", vec![], vec![], vec![], vec![(kinds, vec![])]);
    let replay = replay_of(&b, main, &Trace::new(FxHashMap::default()));
    (b, replay)
}

fn value_read_by_the_failure(replay: &Replay) -> Option<Value> {
    match &replay.events.last()?.kind {
        EventKind::AssertFailed { values, .. } => Some(values.first()?.1.clone()),
        _ => None,
    }
}

#[test]
fn a_free_run_that_gets_stuck_is_undone() {
    let (_, replay) = after_helper(|b, g| {
        let two = b.program.pool.int(2);
        let never = b.program.pool.bool(false);
        vec![(vec![assign(g, two), StmtKind::Assume(never)], vec![])]
    });
    assert_eq!(replay.skipped, 1);
    assert!(
        replay
            .events
            .iter()
            .any(|event| matches!(event.kind, EventKind::Skipped { .. }))
    );
    assert_eq!(value_read_by_the_failure(&replay), Some(int(1)));
}

#[test]
fn a_free_run_without_end_is_undone() {
    let (_, replay) = after_helper(|b, g| {
        let two = b.program.pool.int(2);
        vec![(vec![assign(g, two)], vec![1]), (vec![], vec![1])]
    });
    assert_eq!(replay.skipped, 1);
    assert_eq!(value_read_by_the_failure(&replay), Some(int(1)));
}

#[test]
fn a_free_run_leaves_loops_that_may_end() {
    let (b, replay) = after_helper(|b, g| {
        let two = b.program.pool.int(2);
        vec![
            (vec![assign(g, two)], vec![1]),
            (vec![], vec![2, 3]),
            (vec![], vec![1]),
            (vec![], vec![]),
        ]
    });
    assert_eq!(replay.skipped, 0);
    assert!(replay.confirms_failure(&b.program));
    assert_eq!(value_read_by_the_failure(&replay), Some(int(2)));
}

#[test]
fn a_free_run_that_gets_stuck_tries_other_ways() {
    let (b, replay) = after_helper(|b, g| {
        let two = b.program.pool.int(2);
        let never = b.program.pool.bool(false);
        vec![
            (vec![], vec![1, 2]),
            // No guard: that this way ends nowhere is seen too late.
            (vec![assign(g, two), StmtKind::Assume(never)], vec![]),
            (vec![assign(g, two)], vec![]),
        ]
    });
    assert_eq!(replay.skipped, 0);
    assert!(replay.confirms_failure(&b.program));
    assert_eq!(value_read_by_the_failure(&replay), Some(int(2)));
}

#[test]
fn only_selected_assertions_end_the_execution() {
    let mut b = Builder::new();
    let g = b.global("g");
    let wrong = b.equals(g, 1);
    let (first, second) = (b.assert(wrong), b.assert(wrong));
    let StmtKind::Assert { assert, .. } = second else {
        unreachable!("an assert was built")
    };
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![],
        vec![(vec![first, second.clone()], vec![])],
    );
    let trace = Trace::new([(g, int(0))].into_iter().collect());
    let options = ReplayOptions {
        goal: ReplayGoal::Asserts([assert].into_iter().collect()),
        ..ReplayOptions::default()
    };
    let replay = replay_with(&b, main, &trace, &options);
    assert!(matches!(replay.outcome, ReplayOutcome::AssertionFailed { assert: a, .. } if a == assert));
}

#[test]
fn what_cannot_be_evaluated_is_a_doubt() {
    let mut b = Builder::new();
    let g = b.global("g");
    let sort = b.int_sort;
    let function = b.program.pool.declare_function("f", vec![sort], sort);
    let tg = b.term(g);
    let f_of_g = b.program.pool.apply(function, &[tg]);
    let zero = b.program.pool.int(0);
    let condition = b.program.pool.eq(f_of_g, zero);
    let wrong = b.equals(g, 1);
    let check = b.assert(wrong);
    let kinds = vec![StmtKind::Assume(condition), check];
    let main = b.proc("main", vec![], vec![], vec![], vec![(kinds, vec![])]);
    let trace = Trace::new([(g, int(0))].into_iter().collect());
    let replay = replay_of(&b, main, &trace);
    assert!(matches!(replay.outcome, ReplayOutcome::AssertionFailed { .. }));
    assert!(!replay.confirms_failure(&b.program));
    assert_eq!(replay.doubts.len(), 1);
}

/// `proc down(n) { if (n == 0) { assert false; } else { call down(n - 1); } }`
fn recursive() -> (Builder, ProcId, VarId) {
    let mut b = Builder::new();
    let n = b.var("n");
    let is_zero = b.equals(n, 0);
    let is_other = b.program.pool.not(is_zero);
    let less = b.plus(n, -1);
    let never = b.program.pool.bool(false);
    let check = b.assert(never);
    let call = StmtKind::Call(Call {
        callee: ProcId::from_u32(0),
        ins: vec![less],
        outs: vec![],
    });
    let down = b.proc(
        "down",
        vec![n],
        vec![],
        vec![],
        vec![
            (vec![], vec![1, 2]),
            (vec![StmtKind::Assume(is_zero), check], vec![]),
            (vec![StmtKind::Assume(is_other), call], vec![]),
        ],
    );
    (b, down, n)
}

#[test]
fn deep_recursion_does_not_overflow_the_stack() {
    const DEPTH: i64 = 100_000;
    let (b, down, n) = recursive();
    let mut trace = Trace::new([(n, int(DEPTH))].into_iter().collect());
    let mut frame = trace.root;
    for _ in 0..DEPTH {
        trace.push(frame, enter(2));
        frame = trace.push_call(frame, b.stmt_id(down, 2, 1));
    }
    trace.push(frame, enter(1));
    let replay = replay_of(&b, down, &trace);
    assert!(replay.confirms_failure(&b.program), "{:?}", replay.outcome);
}

#[test]
fn an_endless_execution_is_given_up() {
    let mut b = Builder::new();
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![],
        vec![(vec![], vec![1]), (vec![], vec![1])],
    );
    let trace = Trace::new(FxHashMap::default());
    let replay = replay_of(&b, main, &trace);
    assert!(matches!(replay.outcome, ReplayOutcome::Diverged { .. }));
    let budget = Budget::new(Some(Duration::ZERO), None);
    let replay = super::replay(
        &b.program,
        main,
        &trace,
        &mut NoOracle,
        &ReplayOptions::default(),
        &budget,
    );
    assert!(replay.complaint().is_some_and(|text| text.contains("time")));
}

#[test]
fn variables_that_the_program_does_not_know_are_passed_by() {
    let mut b = Builder::new();
    let g = b.global("g");
    let condition = b.equals(g, 0);
    let check = b.assert(condition);
    let main = b.proc("main", vec![], vec![], vec![], vec![(vec![check], vec![])]);
    let foreign = VarId::from_u32(1_000);
    let mut trace = Trace::new([(g, int(1)), (foreign, int(1))].into_iter().collect());
    let root = trace.root;
    trace.frames[root].initial.push((foreign, int(1)));
    assert!(replay_of(&b, main, &trace).confirms_failure(&b.program));
}

#[test]
fn values_of_another_sort_are_refused() {
    let mut b = Builder::new();
    let g = b.global("g");
    let main = b.proc("main", vec![], vec![], vec![], vec![(vec![], vec![])]);
    let replay = replay_of(
        &b,
        main,
        &Trace::new([(g, Value::Bool(true))].into_iter().collect()),
    );
    assert!(replay.complaint().is_some_and(|text| text.contains("sort")));
}
