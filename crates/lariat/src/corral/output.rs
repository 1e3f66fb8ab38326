//! What Corral prints of an answer.
//!
//! Callers look for phrases anywhere in the output: `timed out`, `no bugs`, `can fail`. Each may appear only where it is the
//! answer, and of several only the worst.

use std::fmt::Write;

use lariat_report::{EntryReport, Failure, GoalKind, UnknownCause, Verdict, VerifyReport};

use super::flags::Flags;
use super::trace;

/// What is printed before anything is known.
pub fn heading(flags: &Flags) -> String {
    let mut text = format!(
        "Corral program verifier, by Lariat {}\n",
        env!("CARGO_PKG_VERSION")
    );
    for note in &flags.notes {
        let _ = writeln!(text, "{}", harmless(note));
    }
    if flags.bound() != flags.recursion_bound.unwrap_or(0) {
        text.push_str("Warning: Using default recursion bound of 1\n");
    }
    text
}

pub fn render(flags: &Flags, report: &VerifyReport) -> String {
    let body = match flags.only_stratified {
        true => search_alone(flags, report),
        false => whole_run(flags, report),
    };
    heading(flags) + &body
}

/// The answer in Corral's terms.
enum Answer<'r> {
    NoBugs {
        reached_bound: bool,
    },
    Bugs(Vec<&'r Failure>),
    /// With the bound that was completed.
    TimedOut(Option<u32>),
    None(String),
}

fn answer<'r>(flags: &Flags, report: &'r VerifyReport) -> Answer<'r> {
    let entry = report.entries.first();
    // Lariat asks whether the entry returns if there is no assertion; without one Corral has nothing to find.
    let is_without_assertions = entry.is_some_and(|entry| entry.goal.kind == GoalKind::EntryReturns);
    if is_without_assertions && !flags.only_stratified {
        return Answer::NoBugs { reached_bound: false };
    }
    let completed = entry.and_then(|entry| entry.bound);
    match &report.verdict {
        Verdict::Bug | Verdict::BugUnconfirmed { .. } => {
            let failures = report.failures().take(flags.failures as usize);
            Answer::Bugs(failures.collect())
        }
        Verdict::Proved | Verdict::Accepted => Answer::NoBugs { reached_bound: false },
        Verdict::Bounded { bound, .. } if flags.is_deep() && *bound < flags.bound() => {
            Answer::TimedOut(Some(*bound))
        }
        Verdict::Bounded { .. } => Answer::NoBugs { reached_bound: true },
        Verdict::Unknown { cause, reason } => match cause {
            UnknownCause::NothingChecked if entry.is_some() => Answer::NoBugs { reached_bound: false },
            UnknownCause::Time => Answer::TimedOut(completed),
            _ => Answer::None(reason.clone()),
        },
        Verdict::BadInput => Answer::None("the program cannot be verified".to_owned()),
    }
}

fn whole_run(flags: &Flags, report: &VerifyReport) -> String {
    let mut text = String::new();
    let tracked = tracked(report.entries.first());
    let verifying = format!("Verifying program while tracking: {{{}}}\n", tracked.join(", "));
    text.push_str(&verifying);
    match answer(flags, report) {
        Answer::NoBugs { reached_bound } => {
            text.push_str("Program has no bugs\n");
            if reached_bound {
                let _ = writeln!(text, "Reached recursion bound of {}", flags.bound());
            }
        }
        Answer::Bugs(failures) => {
            for (index, failure) in failures.into_iter().enumerate() {
                if index > 0 {
                    text.push_str(&verifying);
                }
                text.push_str("Program has a potential bug: True bug\n");
                if !flags.no_trace {
                    text.push_str(&trace::render(flags, failure));
                }
                if let Some(reason) = &failure.why_not {
                    let _ = writeln!(text, "Note: the trace was not replayed: {}", harmless(reason));
                }
            }
        }
        Answer::TimedOut(completed) => text.push_str(&timed_out(completed)),
        Answer::None(reason) => {
            let _ = writeln!(text, "No answer: {}", harmless(&reason));
        }
    }
    let _ = writeln!(text, "Number of procedures inlined: {}", report.stats.inlined);
    let _ = writeln!(text, "Number of variables tracked: {}", tracked.len());
    let _ = writeln!(text, "Total Time: {:.2} s", report.stats.total_seconds);
    text
}

/// `/si`: the status of the search, and what it cost.
fn search_alone(flags: &Flags, report: &VerifyReport) -> String {
    let mut text = String::new();
    match answer(flags, report) {
        Answer::NoBugs { reached_bound } => {
            let status = if reached_bound { "ReachedBound" } else { "OK" };
            let _ = writeln!(text, "Return status: {status}\nNo bugs found");
        }
        Answer::Bugs(failures) => {
            let entry = report
                .entries
                .first()
                .map_or("main", |entry| entry.entry.as_str());
            let _ = writeln!(
                text,
                "Return status: NOK\nProgram has bugs\n{entry} did not verify"
            );
            for failure in failures.iter().filter(|_| !flags.no_trace) {
                text.push_str(&trace::render(flags, failure));
            }
        }
        Answer::TimedOut(completed) => text.push_str(&timed_out(completed)),
        Answer::None(reason) => {
            let _ = writeln!(text, "Return status: Unknown\nNo answer: {}", harmless(&reason));
        }
    }
    let _ = writeln!(text, "Number of procedures inlined: {}", report.stats.inlined);
    let _ = writeln!(
        text,
        "Total Time: {:.2} s\n\nStopping: Done",
        report.stats.total_seconds
    );
    text
}

fn timed_out(completed: Option<u32>) -> String {
    let completed = completed.map(|bound| format!("Exhausted recursion bound of {bound}\n"));
    completed.unwrap_or_default() + "Corral timed out\n"
}

/// What Corral would say is tracked: its own flag, and the globals that were not left out.
fn tracked(entry: Option<&EntryReport>) -> Vec<&str> {
    let globals = entry
        .and_then(|entry| entry.tracked.as_deref())
        .unwrap_or_default();
    let globals = globals.iter().map(String::as_str);
    ["assertsPassed"].into_iter().chain(globals).collect()
}

/// Words in which nobody finds a verdict.
fn harmless(text: &str) -> String {
    let mut text = text.to_owned();
    for (phrase, instead) in [
        ("timed out", "ran out of time"),
        ("time out", "end of time"),
        ("ran out of resources", "gave up"),
        ("no bugs", "no bug"),
        ("can fail", "may fail"),
        ("verified, ", "verified; "),
        ("ERRORS", "errors"),
        ("ASSERTION FAILS", "assertion fails"),
    ] {
        text = text.replace(phrase, instead);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_no_verdict() {
        let text = harmless("Z3 ran out of resources: 3 time out, no bugs, it can fail, it timed out");
        for phrase in [
            "time out",
            "ran out of resources",
            "timed out",
            "no bugs",
            "can fail",
        ] {
            assert!(!text.contains(phrase), "{text}");
        }
    }
}
