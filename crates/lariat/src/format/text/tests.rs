//! Reports of `lariat verify` and `lariat angelic` as text.

mod angelic;

use lariat_report::{
    Change, CutKind, CutSite, EntryReport, EntryStats, External, Failure, FailureKind, Goal, GoalKind,
    HarnessOutcome, Location, TraceKind, TraceLine, UnknownCause, Verdict, VerifyReport, VerifyRequest,
    Warning,
};

use super::*;

const OPTIONS: Options = Options {
    quiet: false,
    verbose: false,
    width: 80,
    cut: false,
};

fn answer(report: &VerifyReport, options: &Options) -> String {
    render(&crate::verify::view(report), options)
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn location(line: u32) -> Option<Location> {
    Some(Location {
        file: "examples/lock.bpl".to_owned(),
        line,
        column: 3,
    })
}

fn report(verdict: Verdict) -> VerifyReport {
    let request = VerifyRequest::new(vec!["examples/lock.bpl".into()]);
    let mut report = VerifyReport::new(&request, verdict.clone());
    report.entries.push(EntryReport {
        entry: "main".to_owned(),
        goal: Goal {
            kind: GoalKind::AssertionFails,
            text: "whether an assertion can fail".to_owned(),
        },
        verdict,
        bound: Some(3),
        ended_by_time: false,
        contexts: None,
        cut: Vec::new(),
        failures: Vec::new(),
        tracked: None,
        stats: EntryStats::default(),
    });
    report.stats.total_seconds = 0.5;
    report
}

fn step(indent: u32, kind: TraceKind, line: u32, text: &str, changes: &[(&str, &str)]) -> TraceLine {
    TraceLine {
        indent,
        kind,
        location: location(line),
        text: text.to_owned(),
        changes: changes
            .iter()
            .map(|&(name, value)| Change {
                name: name.to_owned(),
                value: value.to_owned(),
                is_global: false,
            })
            .collect(),
        ..TraceLine::default()
    }
}

#[test]
fn a_bug_is_shown_with_its_place_and_an_aligned_trace() {
    let mut report = report(Verdict::Bug);
    report.entries[0].failures.push(Failure {
        id: Some("lock-is-free".to_owned()),
        location: location(17),
        trace: vec![
            step(0, TraceKind::Start, 54, "main(requests)", &[("requests", "2")]),
            step(0, TraceKind::LoopIteration, 62, "round 1", &[]),
            step(
                0,
                TraceKind::Call,
                63,
                "call ServeRequest(next);",
                &[("request", "0"), ("status", "1")],
            ),
            step(1, TraceKind::Failure, 17, "assert\n\t!lockHeld;", &[]),
        ],
        ..Failure::new(FailureKind::Assertion, "assertion can fail")
    });
    assert_eq!(
        plain(&answer(&report, &OPTIONS)),
        "\
bug  examples/lock.bpl:17:3  assertion can fail  {:id \"lock-is-free\"}

  lock.bpl:54  main(requests)             requests = 2
  lock.bpl:62  ↻ round 1
  lock.bpl:63  call ServeRequest(next);   request = 0  status = 1
  lock.bpl:17    ✗ assert !lockHeld;

asked whether an assertion can fail · bound 3 · 0.50 s in all
"
    );
}

#[test]
fn a_bug_that_was_not_replayed_says_why() {
    let reason = "a quantifier was not decided";
    let mut report = report(Verdict::BugUnconfirmed {
        reason: reason.to_owned(),
    });
    report.entries[0].failures.push(Failure {
        location: location(17),
        confirmed: false,
        why_not: Some(reason.to_owned()),
        ..Failure::new(FailureKind::Assertion, "assertion can fail")
    });
    let text = plain(&answer(&report, &OPTIONS));
    assert!(
        text.starts_with("bug-unconfirmed  examples/lock.bpl:17:3  assertion can fail\n"),
        "{text}"
    );
    assert!(
        text.contains("not replayed: a quantifier was not decided"),
        "{text}"
    );
}

#[test]
fn bounded_names_what_was_cut() {
    let mut report = report(Verdict::bounded(3));
    report.entries[0].cut.push(CutSite {
        name: "main".to_owned(),
        kind: CutKind::Loop,
        location: location(62),
    });
    let text = plain(&answer(&report, &OPTIONS));
    assert!(
        text.starts_with("bounded(3)  examples/lock.bpl  main: no assertion can fail within bound 3\n"),
        "{text}"
    );
    assert!(text.contains("loop in main  examples/lock.bpl:62:3\n"), "{text}");
}

#[test]
fn nothing_checked_is_said_in_words_even_if_quiet() {
    let reason = "nothing was checked: no assertion can be reached";
    let mut report = report(Verdict::unknown(UnknownCause::NothingChecked, reason));
    report.warnings.push(Warning {
        kind: WarningKind::NothingChecked,
        message: reason.to_owned(),
        location: None,
    });
    let quiet = Options {
        quiet: true,
        ..OPTIONS
    };
    assert_eq!(
        plain(&answer(&report, &quiet)),
        format!("unknown  examples/lock.bpl  main: {reason}\n")
    );
    assert!(plain(&remarks(&crate::verify::view(&report), &quiet)).contains("nothing was checked"));
}

#[test]
fn a_run_without_entries_still_has_a_verdict() {
    let mut report = report(Verdict::BadInput);
    report.entries.clear();
    let text = plain(&answer(&report, &OPTIONS));
    assert!(
        text.starts_with("bad-input  examples/lock.bpl  nothing was verified\n"),
        "{text}"
    );
}

#[test]
fn a_run_that_died_keeps_what_its_entries_decided() {
    let mut report = report(Verdict::Proved);
    report.verdict = Verdict::unknown(UnknownCause::Crashed, "the process that did the work died");
    let text = plain(&answer(&report, &OPTIONS));
    assert!(
        text.contains("proved  examples/lock.bpl  main: no assertion can fail\n"),
        "{text}"
    );
    assert!(
        text.contains("unknown  examples/lock.bpl  the process that did the work died\n"),
        "{text}"
    );
}

#[test]
fn control_characters_of_the_source_do_not_reach_the_terminal() {
    let mut report = report(Verdict::Bug);
    report.entries[0].failures.push(Failure {
        location: location(1),
        trace: vec![step(0, TraceKind::Statement, 1, "x := 1; // \u{1b}[2J", &[])],
        ..Failure::new(FailureKind::Assertion, "assertion can fail")
    });
    assert!(!answer(&report, &OPTIONS).contains("\u{1b}[2J"));
}

fn c_failure(compiled: bool, reproduced: bool) -> Failure {
    Failure {
        location: location(4),
        harness: Some(HarnessOutcome {
            path: "out.c".to_owned(),
            compiled,
            reproduced,
            how: if compiled {
                "gcc -w out.c"
            } else {
                "no C compiler was found"
            }
            .to_owned(),
            output: if compiled {
                "stack-buffer-overflow"
            } else {
                "set CC"
            }
            .to_owned(),
        }),
        ..Failure::new(FailureKind::OutOfBounds, "access can be out of bounds")
    }
}

#[test]
fn a_failure_in_c_shows_what_the_harness_did() {
    let shown = |compiled, reproduced| {
        let mut report = report(Verdict::Bug);
        report.entries[0].failures.push(c_failure(compiled, reproduced));
        plain(&answer(&report, &OPTIONS))
    };
    assert_eq!(
        shown(true, true),
        "\
bug  examples/lock.bpl:4:3  access can be out of bounds
  harness: out.c fails in the same way: stack-buffer-overflow
    compiled with gcc -w out.c

asked whether an assertion can fail · bound 3 · 0.50 s in all
"
    );
    let text = shown(true, false);
    assert!(
        text.contains("harness: out.c does not fail in the same way: stack-buffer-overflow"),
        "{text}"
    );
    let text = shown(false, false);
    assert!(
        text.contains("harness: out.c was not compiled: no C compiler was found\n    set CC\n"),
        "{text}"
    );
}

#[test]
fn what_was_assumed_belongs_to_the_verdict() {
    let mut report = report(Verdict::Proved);
    report.integers = Some("with mathematical integers".to_owned());
    for (name, effect) in [
        ("read_sensor", "any result"),
        ("fill", "any result, and writes what its arguments point to"),
        ("clock_ticks", "any result"),
    ] {
        report.externals.push(External {
            name: name.to_owned(),
            location: None,
            effect: effect.to_owned(),
        });
    }
    assert_eq!(
        plain(&answer(
            &report,
            &Options {
                width: 100,
                ..OPTIONS
            }
        )),
        "\
proved  examples/lock.bpl  main: no assertion can fail (with mathematical integers)
functions without body:
  read_sensor, clock_ticks: any result
  fill: any result, and writes what its arguments point to
asked whether an assertion can fail · bound 3 · 0.50 s in all
"
    );
}

#[test]
fn statements_that_do_not_fit_are_cut_on_a_terminal_only() {
    let mut report = report(Verdict::Bug);
    let long = "x := f(x); ".repeat(20);
    let trace = vec![step(0, TraceKind::Statement, 1, &long, &[])];
    report.entries[0].failures.push(Failure {
        trace,
        harness: None,
        ..c_failure(false, false)
    });
    let whole = plain(&answer(&report, &OPTIONS));
    assert!(whole.contains(long.trim_end()), "{whole}");
    let cut = plain(&answer(&report, &Options { cut: true, ..OPTIONS }));
    assert!(
        cut.contains('…') && cut.lines().all(|line| line.chars().count() <= 80),
        "{cut}"
    );
}
