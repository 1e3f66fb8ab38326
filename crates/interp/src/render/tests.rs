use std::sync::Arc;

use lariat_base::Budget;
use lariat_ir::{BlockId, ExternalLocation, StmtKind};
use lariat_term::{MapValue, TermId};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use super::*;
use crate::oracle::NoOracle;
use crate::replay::{Replay, ReplayOptions, replay};
use crate::testing::{Builder, assign, call};
use crate::trace::{Trace, TraceStep};
use crate::wording::PlainWording;

fn run(b: &Builder, entry: ProcId, trace: &Trace) -> Replay {
    b.check();
    let options = ReplayOptions::default();
    replay(
        &b.program,
        entry,
        trace,
        &mut NoOracle,
        &options,
        &Budget::unlimited(),
    )
}

fn texts(b: &Builder, replay: &Replay, detail: TraceDetail) -> Vec<String> {
    render(
        &replay.events,
        &b.program,
        &SourceMap::new(),
        &PlainWording::default(),
        detail,
    )
    .into_iter()
    .map(|line| {
        let changes: Vec<String> = line
            .changes
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let indent = "  ".repeat(line.indent as usize);
        format!("{indent}{} | {}", line.text, changes.join(" "))
    })
    .collect()
}

/// `noise := 5; wanted := 1; call helper(); call y := inc(wanted); assert y == 0;`
fn with_noise() -> (Builder, ProcId) {
    let mut b = Builder::new();
    let (p, r, h) = (b.var("p"), b.var("r"), b.var("h"));
    let next = b.plus(p, 1);
    let inc = b.proc(
        "inc",
        vec![p],
        vec![r],
        vec![],
        vec![(vec![assign(r, next)], vec![])],
    );
    let seven = b.program.pool.int(7);
    let helper = b.proc(
        "helper",
        vec![],
        vec![],
        vec![h],
        vec![(vec![assign(h, seven)], vec![])],
    );
    let (noise, wanted, y) = (b.var("noise"), b.var("wanted"), b.var("y"));
    let (five, one) = (b.program.pool.int(5), b.program.pool.int(1));
    let argument = b.term(wanted);
    let condition = b.equals(y, 0);
    let check = b.assert(condition);
    let kinds = vec![
        assign(noise, five),
        assign(wanted, one),
        call(helper, vec![], vec![]),
        call(inc, vec![argument], vec![y]),
        check,
    ];
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![noise, wanted, y],
        vec![(kinds, vec![])],
    );
    (b, main)
}

fn trace_with_calls(b: &Builder, main: ProcId, calls: &[usize]) -> Trace {
    let mut trace = Trace::new(FxHashMap::default());
    let root = trace.root;
    for &index in calls {
        trace.push_call(root, b.stmt_id(main, 0, index));
    }
    trace
}

#[test]
fn brief_shows_what_the_failure_depends_on() {
    let (b, main) = with_noise();
    let replay = run(&b, main, &trace_with_calls(&b, main, &[2, 3]));
    assert_eq!(
        texts(&b, &replay, TraceDetail::Brief),
        [
            "entry main | ",
            "wanted := 1 | wanted=1",
            "call helper(…) … returned | ",
            "call y := inc(wanted) | p=1",
            "  r := (+ p 1) | r=2",
            "return from inc | y=2",
            "assert0 (= y 0) | y=2",
        ]
    );
}

#[test]
fn full_shows_everything() {
    let (b, main) = with_noise();
    let replay = run(&b, main, &trace_with_calls(&b, main, &[2, 3]));
    let lines = texts(&b, &replay, TraceDetail::Full);
    assert!(lines.contains(&"noise := 5 | noise=5".to_string()), "{lines:#?}");
    assert!(lines.contains(&"  h := 7 | h=7".to_string()), "{lines:#?}");
}

#[test]
fn many_calls_that_do_not_matter_are_one_line() {
    let mut b = Builder::new();
    let helper = b.proc("helper", vec![], vec![], vec![], vec![(vec![], vec![])]);
    let never = b.program.pool.bool(false);
    let check = b.assert(never);
    let mut kinds: Vec<StmtKind> = (0..10).map(|_| call(helper, vec![], vec![])).collect();
    kinds.push(check);
    let main = b.proc("main", vec![], vec![], vec![], vec![(kinds, vec![])]);
    let replay = run(
        &b,
        main,
        &trace_with_calls(&b, main, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    );
    let lines = texts(&b, &replay, TraceDetail::Brief);
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert!(lines[1].contains("10 calls"), "{lines:#?}");
}

/// Writes two elements of a map, asserts about one.
#[test]
fn only_the_elements_that_matter_are_shown() {
    let mut b = Builder::new();
    let sort = b.int_sort;
    let map_sort = b.program.pool.array_sort(&[sort], sort);
    let map = b.program.pool.declare_var("m", map_sort);
    b.program.globals.push(map);
    let [one, two, three] = [1, 2, 3].map(|value| b.program.pool.int(value));
    let m = b.term(map);
    let write = |b: &mut Builder, index: TermId, value: TermId| {
        let written = b.program.pool.store(m, &[index], value);
        assign(map, written)
    };
    let (first, second) = (write(&mut b, one, three), write(&mut b, two, three));
    let read = b.program.pool.select(m, &[one]);
    let wrong = b.program.pool.eq(read, one);
    let check = b.assert(wrong);
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![],
        vec![(vec![first, second, check], vec![])],
    );
    let empty = Value::Map(Arc::new(MapValue::constant(map_sort, Value::Int(0.into()))));
    let replay = run(&b, main, &Trace::new([(map, empty)].into_iter().collect()));
    assert_eq!(
        texts(&b, &replay, TraceDetail::Brief),
        [
            "entry main | ",
            "m := (store m 1 3) | m[1]=3",
            "assert0 (= 1 (select m 1)) | m[1]=3",
        ]
    );
}

/// `if (a == 1) { skip } else { skip }  if (c == 1) { x := 1; } assert x == 0;`
#[test]
fn only_jumps_that_decide_are_shown() {
    let mut b = Builder::new();
    let (a, c, x) = (b.global("a"), b.global("c"), b.global("x"));
    let one = b.program.pool.int(1);
    let guards = [a, c].map(|var| {
        let is_one = b.equals(var, 1);
        [is_one, b.program.pool.not(is_one)].map(StmtKind::Assume)
    });
    let [[a_yes, a_no], [c_yes, c_no]] = guards;
    let is_zero = b.equals(x, 0);
    let check = b.assert(is_zero);
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![],
        vec![
            (vec![], vec![1, 2]),
            (vec![a_yes], vec![3]),
            (vec![a_no], vec![3]),
            (vec![], vec![4, 5]),
            (vec![c_yes, assign(x, one)], vec![6]),
            (vec![c_no], vec![6]),
            (vec![check], vec![]),
        ],
    );
    let inputs = [(a, 1), (c, 1), (x, 0)];
    let inputs = inputs
        .map(|(var, value)| (var, Value::Int(value.into())))
        .into_iter()
        .collect();
    let mut trace = Trace::new(inputs);
    let root = trace.root;
    for block in [1, 4] {
        trace.push(root, TraceStep::Enter(BlockId::from_u32(block)));
    }
    let replay = run(&b, main, &trace);
    assert_eq!(
        texts(&b, &replay, TraceDetail::Brief),
        [
            "entry main | c=1",
            "assume (= 1 c) | ",
            "x := 1 | x=1",
            "assert0 (= x 0) | x=1",
        ]
    );
}

#[test]
fn a_value_left_open_is_shown_as_it_was_chosen() {
    let mut b = Builder::new();
    let x = b.var("x");
    let above = {
        let (term, nine) = (b.term(x), b.program.pool.int(9));
        b.program.pool.lt(nine, term)
    };
    let never = b.equals(x, 0);
    let check = b.assert(never);
    let kinds = vec![StmtKind::Havoc(smallvec![x]), StmtKind::Assume(above), check];
    let main = b.proc("main", vec![], vec![], vec![x], vec![(kinds, vec![])]);
    let replay = run(&b, main, &Trace::new(FxHashMap::default()));
    let lines = texts(&b, &replay, TraceDetail::Brief);
    assert!(lines.contains(&"havoc x | x=10".to_string()), "{lines:#?}");
}

#[test]
fn places_come_from_the_source_or_from_an_external_location() {
    let mut sources = SourceMap::new();
    let text = "procedure main() {\n  x := 1;\n  assert {:id \"a\"}   x  == 2;\n}\n";
    let file = sources.add("dir/a.bpl", text);
    let mut b = Builder::new();
    let x = b.global("x");
    let one = b.program.pool.int(1);
    let condition = b.equals(x, 2);
    let check = b.assert(condition);
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![],
        vec![(vec![assign(x, one), check], vec![])],
    );
    let span_of = |part: &str| {
        let start = text.find(part).expect("the text has it");
        let end = start + text[start..].find(';').expect("it ends") + 1;
        Span::new(file, start, end)
    };
    let stmts = &mut b.program.procs[main].blocks[BlockId::from_u32(0)].stmts;
    stmts[0].span = Some(span_of("x := 1"));
    stmts[0].location = Some(Arc::new(ExternalLocation {
        file: "driver.c".into(),
        line: 77,
        column: None,
    }));
    stmts[1].span = Some(span_of("assert"));
    let replay = run(&b, main, &Trace::new(FxHashMap::default()));
    let lines = render(
        &replay.events,
        &b.program,
        &sources,
        &PlainWording::default(),
        TraceDetail::Brief,
    );
    let [_, assignment, failure] = lines.as_slice() else {
        panic!("three lines, not {lines:#?}")
    };
    assert_eq!(
        (assignment.file.as_deref(), assignment.line),
        (Some("driver.c"), Some(77))
    );
    assert_eq!(assignment.text, "x := 1;");
    assert_eq!(
        (failure.file.as_deref(), failure.line, failure.column),
        (Some("dir/a.bpl"), Some(3), Some(3))
    );
    assert_eq!(failure.text, "assert x == 2;");
    assert_eq!(failure.kind, LineKind::Failure);
}
