//! Children that behave and children that do not. This binary is both the test and the child: started
//! with `child` as its first argument it serves one order, and the entry's name says what it does.
#![allow(
    clippy::print_stdout,
    reason = "a test without the standard harness reports by itself"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_report::{
    AngelicEntry, AngelicEntryStats, AngelicReport, AngelicRequest, EntryOutcome, Figure, LogStage, LogText,
    PartKind, Parts, Progress, ProgressUpdate, UnknownCause, Verdict, VerifyReport, VerifyRequest,
};
use lariat_worker::{Ending, Observation, Order, Outcome, Request, StopSignal, Supervisor, serve};

fn main() {
    if std::env::args().nth(1).as_deref() == Some("child") {
        let give_up = || std::process::exit(130);
        let (input, output) = (std::io::stdin(), std::io::stdout());
        let served = match std::env::args().nth(2).as_deref() {
            Some(AngelicRequest::NAME) => serve(input, output, give_up, behave_angelically),
            _ => serve(input, output, give_up, behave),
        };
        return served.expect("served");
    }
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let wanted = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let mut failed = 0;
    for (name, test) in TESTS {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.contains(wanted.as_str()))
        {
            continue;
        }
        let passed = catch_unwind(AssertUnwindSafe(test)).is_ok();
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed += usize::from(!passed);
    }
    assert_eq!(failed, 0, "{failed} tests of supervision failed");
}

const TESTS: [(&str, fn()); 15] = [
    ("a_final_report_arrives", a_final_report_arrives),
    (
        "progress_and_logs_arrive_in_order",
        progress_and_logs_arrive_in_order,
    ),
    (
        "chatter_between_messages_is_ignored",
        chatter_between_messages_is_ignored,
    ),
    (
        "a_child_that_obeys_its_time_limit_reports_itself",
        a_child_that_obeys_its_time_limit_reports_itself,
    ),
    (
        "a_child_that_hangs_is_killed_and_its_bug_kept",
        a_child_that_hangs_is_killed_and_its_bug_kept,
    ),
    (
        "a_child_that_eats_memory_is_killed",
        a_child_that_eats_memory_is_killed,
    ),
    (
        "a_child_that_aborts_leaves_what_it_had_decided",
        a_child_that_aborts_leaves_what_it_had_decided,
    ),
    (
        "a_panic_is_reported_with_its_place",
        a_panic_is_reported_with_its_place,
    ),
    (
        "a_panic_of_another_thread_is_the_answer",
        a_panic_of_another_thread_is_the_answer,
    ),
    ("a_stack_overflow_is_survived", a_stack_overflow_is_survived),
    ("deep_recursion_has_room", deep_recursion_has_room),
    ("a_stop_is_obeyed_quickly", a_stop_is_obeyed_quickly),
    (
        "a_child_hears_that_somebody_waits",
        a_child_hears_that_somebody_waits,
    ),
    ("children_share_the_cores", children_share_the_cores),
    (
        "an_angelic_child_that_aborts_leaves_what_it_had_found",
        an_angelic_child_that_aborts_leaves_what_it_had_found,
    ),
];

/// The child's side.
fn behave(request: &VerifyRequest, budget: &Budget, progress: &mut dyn FnMut(Progress)) -> VerifyReport {
    let report = |verdict| VerifyReport::new(request, verdict);
    let partial = |verdict| Progress::Partial(Box::new(report(verdict)));
    match request.entries.first().map_or("", String::as_str) {
        "chatter" => println!("the solver says hello"),
        "progress" => {
            progress(Progress::Update(ProgressUpdate {
                figures: vec![Figure::Inlined(1)],
                ..ProgressUpdate::default()
            }));
            progress(Progress::Log(LogText {
                stage: LogStage::Ir,
                title: "lowered".to_owned(),
                text: "block0:\n".to_owned(),
            }));
            progress(partial(Verdict::bounded(1)));
        }
        "obey" => {
            while budget.check().is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
            return report(Verdict::unknown(UnknownCause::Time, "asked the budget"));
        }
        "share" => {
            while budget.check().is_ok() && !budget.idle().is_any() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let is_asked = budget.check().is_ok();
            return report(Verdict::bounded(if is_asked { 2 } else { 1 }));
        }
        "cores" => return report(Verdict::bounded(budget.cores() as u32)),
        "hang" => {
            progress(partial(Verdict::Bug));
            std::thread::sleep(Duration::from_secs(600));
        }
        "eat" => {
            let mut eaten: Vec<Vec<u8>> = Vec::new();
            for _ in 0..4000 {
                eaten.push(vec![1; 1 << 20]);
                std::thread::sleep(Duration::from_micros(100));
            }
            assert_eq!(eaten.len(), 4000);
        }
        "abort" => {
            progress(partial(Verdict::Proved));
            std::process::abort();
        }
        "panic" => panic!("the {} is broken", "invariant"),
        "panic-elsewhere" => {
            let thread = std::thread::spawn(|| panic!("a thread is broken"));
            assert!(thread.join().is_err());
            return report(Verdict::Bug);
        }
        "overflow" => assert!(recurse(u64::MAX) > 0),
        "deep" => assert_eq!(recurse(400_000), 400_000),
        _ => {}
    }
    report(Verdict::Proved)
}

/// The child's side of an angelic verification: one that dies after its first entry.
fn behave_angelically(
    request: &AngelicRequest,
    _: &Budget,
    progress: &mut dyn FnMut(Progress<AngelicReport>),
) -> AngelicReport {
    let entry = |name: &str, outcome| AngelicEntry {
        name: name.to_owned(),
        location: None,
        outcome,
        bound: 3,
        complete: true,
        fingerprint: String::new(),
        reused: false,
        stats: AngelicEntryStats::default(),
    };
    let mut report = AngelicReport::new(request);
    report.entries = vec![
        entry("first", EntryOutcome::Done),
        entry("second", EntryOutcome::Pending),
    ];
    progress(Progress::Update(ProgressUpdate {
        parts: Some(Parts {
            kind: PartKind::Entries,
            done: 1,
            total: 2,
        }),
        ..ProgressUpdate::default()
    }));
    progress(Progress::Partial(Box::new(report)));
    std::process::abort()
}

/// Takes at least a kilobyte of stack for each level.
fn recurse(levels: u64) -> u64 {
    let room = std::hint::black_box([levels; 128]);
    if levels == 0 { 0 } else { recurse(room[7] - 1) + 1 }
}

fn order(entry: &str) -> Order {
    let mut request = VerifyRequest::new(vec!["a.bpl".into()]);
    request.entries.push(entry.to_owned());
    Order::new(request)
}

fn children_share_the_cores() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for (jobs, expected) in [(1, cores), (2, (cores / 2).max(1)), (1_000_000, 1)] {
        let outcome = Supervisor::of_this_program(["child"])
            .and_then(|supervisor| {
                let supervisor = supervisor.with_jobs(jobs);
                supervisor.run(&order("cores"), &StopSignal::new(), &mut |_| {})
            })
            .expect("the child can be started");
        assert_eq!(outcome.report.verdict, Verdict::bounded(expected as u32));
    }
}

fn run(order: &Order) -> (Outcome, Vec<Observation>) {
    run_until(order, &StopSignal::new())
}

fn run_until(order: &Order, stop: &StopSignal) -> (Outcome, Vec<Observation>) {
    let mut seen = Vec::new();
    let outcome = Supervisor::of_this_program(["child"])
        .and_then(|supervisor| {
            supervisor.run(order, stop, &mut |observation| {
                if !matches!(observation, Observation::Memory(_)) {
                    seen.push(observation);
                }
            })
        })
        .expect("the child can be started");
    (outcome, seen)
}

fn a_final_report_arrives() {
    let (outcome, _) = run(&order("finish"));
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(outcome.report.verdict, Verdict::Proved);
}

fn progress_and_logs_arrive_in_order() {
    let (outcome, seen) = run(&order("progress"));
    assert_eq!(outcome.report.verdict, Verdict::Proved);
    assert!(
        matches!(&seen[..], [Observation::Update(_), Observation::Log(_)]),
        "{seen:?}"
    );
}

fn chatter_between_messages_is_ignored() {
    let (outcome, _) = run(&order("chatter"));
    assert_eq!(
        (outcome.ending, outcome.report.verdict),
        (Ending::Finished, Verdict::Proved)
    );
}

fn a_child_that_obeys_its_time_limit_reports_itself() {
    let mut order = order("obey");
    order.time_limit_seconds = Some(0.2);
    let (outcome, _) = run(&order);
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(
        outcome.report.verdict,
        Verdict::unknown(UnknownCause::Time, "asked the budget")
    );
}

fn a_child_that_hangs_is_killed_and_its_bug_kept() {
    let mut order = order("hang");
    order.time_limit_seconds = Some(0.2);
    let (outcome, _) = run(&order);
    assert_eq!(outcome.ending, Ending::TimeLimit);
    assert_eq!(outcome.report.verdict, Verdict::Bug);
    assert!(outcome.seconds < 10.0, "{} s", outcome.seconds);
}

fn a_child_that_eats_memory_is_killed() {
    let mut order = order("eat");
    order.memory_limit_bytes = Some(100 << 20);
    let (outcome, _) = run(&order);
    assert_eq!(outcome.ending, Ending::MemoryLimit);
    assert_eq!(
        outcome.report.verdict,
        Verdict::unknown(UnknownCause::Memory, "memory limit reached")
    );
    assert!(outcome.peak_memory_bytes > 100 << 20);
}

fn a_child_that_aborts_leaves_what_it_had_decided() {
    let (outcome, _) = run(&order("abort"));
    assert!(
        matches!(&outcome.ending, Ending::Died(how) if how.contains("SIGABRT")),
        "{:?}",
        outcome.ending
    );
    // `proved` of a run that died is not to be believed, but it is not lost as a partial report.
    assert!(matches!(
        outcome.report.verdict,
        Verdict::Unknown {
            cause: UnknownCause::Crashed,
            ..
        }
    ));
    assert_eq!(outcome.report.files, ["a.bpl"]);
}

fn a_panic_is_reported_with_its_place() {
    let (outcome, _) = run(&order("panic"));
    let Ending::Panicked(panic) = outcome.ending else {
        panic!("{:?}", outcome.ending);
    };
    assert_eq!(panic.message, "the invariant is broken");
    assert!(
        panic
            .location
            .is_some_and(|location| location.contains("supervision.rs"))
    );
    assert!(matches!(
        outcome.report.verdict,
        Verdict::Unknown {
            cause: UnknownCause::Internal,
            ..
        }
    ));
}

fn a_panic_of_another_thread_is_the_answer() {
    let (outcome, _) = run(&order("panic-elsewhere"));
    let Ending::Panicked(panic) = outcome.ending else {
        panic!("{:?}", outcome.ending);
    };
    assert_eq!(panic.message, "a thread is broken");
    // What was decided is not lost.
    assert_eq!(outcome.report.verdict, Verdict::Bug);
}

fn a_stack_overflow_is_survived() {
    let (outcome, _) = run(&order("overflow"));
    assert!(
        matches!(&outcome.ending, Ending::Died(how) if how.contains("overflow") || how.contains("SIG")),
        "{:?}",
        outcome.ending
    );
}

fn deep_recursion_has_room() {
    let (outcome, _) = run(&order("deep"));
    assert_eq!(outcome.ending, Ending::Finished);
}

fn a_stop_is_obeyed_quickly() {
    let stop = StopSignal::new();
    let asker = stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        asker.request();
    });
    let started = Instant::now();
    let (outcome, _) = run_until(&order("obey"), &stop);
    assert_eq!(outcome.ending, Ending::Finished);
    assert!(started.elapsed() < Duration::from_secs(30));
}

fn a_child_hears_that_somebody_waits() {
    let stop = StopSignal::new();
    let asks = stop.clone();
    let asker = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        asks.ask_to_split();
    });
    let limit = Some(Duration::from_secs(60));
    let (outcome, _) = run_until(&order("share").within(limit, None), &stop);
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(outcome.report.verdict, Verdict::bounded(2));
    assert!(asker.join().is_ok());
}

fn an_angelic_child_that_aborts_leaves_what_it_had_found() {
    let request = AngelicRequest {
        program: VerifyRequest::new(vec!["a.bpl".into()]),
        ..AngelicRequest::default()
    };
    let mut updates = 0;
    let outcome = Supervisor::of_this_program(["child"])
        .and_then(|supervisor| {
            supervisor.run(&Order::new(request), &StopSignal::new(), &mut |observation| {
                if let Observation::Update(update) = observation {
                    assert_eq!(update.parts.map(|parts| (parts.done, parts.total)), Some((1, 2)));
                    updates += 1;
                }
            })
        })
        .expect("the child can be started");
    assert!(matches!(&outcome.ending, Ending::Died(_)), "{:?}", outcome.ending);
    assert_eq!(updates, 1);
    let report = outcome.report;
    assert!(report.unfinished.is_some_and(|reason| reason.contains("SIGABRT")));
    assert_eq!(report.entries[0].outcome, EntryOutcome::Done);
    assert!(matches!(
        &report.entries[1].outcome,
        EntryOutcome::Incomplete { reason } if reason.contains("SIGABRT")
    ));
}
