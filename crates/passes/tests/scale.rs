//! Large programs: passes are near-linear and do not recurse. The time limits are generous;
//! they catch quadratic behaviour, not slow machines.

mod support;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use lariat_ir::{ProcId, Program};
use lariat_passes::{Goal, PrepareOptions, Prepared, prepare};
use lariat_testkit::Random;
use lariat_testkit::ir_text::read_program;

fn prepare_within(program: &Program, limit: Duration) -> Prepared {
    let start = Instant::now();
    let goal = Goal::AssertionFails { checked: None };
    let prepared = prepare(program, ProcId::from_u32(0), &goal, &PrepareOptions::default());
    let elapsed = start.elapsed();
    assert!(elapsed < limit, "{elapsed:?} of {limit:?}");
    prepared
}

#[test]
fn a_procedure_of_a_million_statements() {
    let mut text = String::from("global g: int\nproc main(a: int)\n var x: int\n b0:\n");
    for number in 0..500_000 {
        let _ = writeln!(text, "x := (+ x {})\nassert (< x {number})", number % 7);
    }
    let prepared = prepare_within(&read_program(&text), Duration::from_secs(60));
    assert_eq!(prepared.checked.len(), 500_000);
}

#[test]
fn spaghetti_of_ten_thousand_blocks() {
    let mut random = Random::new(1);
    let mut text = String::from("global g: int\nproc main(a: int)\n");
    for var in 0..50 {
        let _ = writeln!(text, "var x{var}: int");
    }
    for block in 0..10_000 {
        let (x, y) = (random.below(50), random.below(50));
        let _ = writeln!(text, "b{block}:\nx{x} := (+ x{y} 1)\nassert (< x{x} 100)");
        let (near, far) = ((block + 1).min(9_999), 1 + random.below(9_999));
        let _ = writeln!(text, "goto b{near} b{far}");
    }
    text.push_str("return\n");
    let prepared = prepare_within(&read_program(&text), Duration::from_secs(60));
    assert!(prepared.program.procs.len() > 1);
}

#[test]
fn nested_loops_a_thousand_deep() {
    let mut text = String::from("proc main(a: int)\n");
    for depth in 0..1_000 {
        let _ = writeln!(text, "var i{depth}: int");
    }
    text.push_str("b:\ngoto h0\n");
    for depth in 0..1_000 {
        let _ = writeln!(text, "h{depth}:\ngoto t{depth} e{depth}");
        let inner = if depth == 999 {
            "e1000".to_string()
        } else {
            format!("h{}", depth + 1)
        };
        let _ = writeln!(
            text,
            "t{depth}:\nassume (< i{depth} a)\ni{depth} := (+ i{depth} 1)\ngoto {inner}"
        );
        let outer = if depth == 0 {
            "end".to_string()
        } else {
            format!("h{}", depth - 1)
        };
        let _ = writeln!(text, "e{depth}:\nassume (<= a i{depth})\ngoto {outer}");
    }
    text.push_str("e1000:\ngoto h999\nend:\nassert (< a i0)\nreturn\n");
    let prepared = prepare_within(&read_program(&text), Duration::from_secs(60));
    assert_eq!(prepared.program.procs.len(), 1_001);
}

#[test]
fn a_call_chain_of_ten_thousand_procedures() {
    let mut text = String::from("global g: int\nproc main(a: int)\nb0:\ncall p0(a)\n");
    for number in 0..10_000 {
        let _ = writeln!(
            text,
            "proc p{number}(a: int)\nb0:\ng := (+ g 1)\ncall p{}(a)",
            (number + 1).min(10_000)
        );
    }
    text.push_str("proc p10000(a: int)\nb0:\nassert (< a g)\n");
    let prepared = prepare_within(&read_program(&text), Duration::from_secs(60));
    assert_eq!(prepared.program.procs.len(), 10_002);
}

#[test]
fn many_loops_side_by_side() {
    let mut text = String::from("global g: int\nproc main(a: int)\nvar x: int\nvar i: int\nb:\ngoto s0\n");
    for number in 0..3_000 {
        let _ = writeln!(
            text,
            "s{number}:\ni := 0\ngoto h{number}\nh{number}:\ngoto t{number} e{number}"
        );
        let _ = writeln!(
            text,
            "t{number}:\nassume (< i 5)\ni := (+ i 1)\nx := (+ x g)\ngoto h{number}"
        );
        let _ = writeln!(text, "e{number}:\nassume (<= 5 i)\ngoto s{}", number + 1);
    }
    text.push_str("s3000:\nassert (< x 0)\n");
    let prepared = prepare_within(&read_program(&text), Duration::from_secs(60));
    let bounded = prepared
        .program
        .procs
        .values()
        .filter(|proc| proc.extra_bound == 6)
        .count();
    assert_eq!(bounded, 3_000);
}
