//! Exit codes, and the message about a bug of ours.

use lariat_report::{AngelicEntry, AngelicReport, CoverReport, EntryOutcome, Verdict};
use lariat_worker::PanicReport;

use crate::style;

/// What the exit code of the process means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitCode {
    /// Proved, accepted, or done.
    Success,
    /// A bug in the program under verification, or a warning; for `bench`, a wrong verdict.
    Bug,
    /// Bad input or usage.
    BadInput,
    /// Bounded, unknown or incomplete.
    NoAnswer,
    /// Our own bug.
    Internal,
    /// The user interrupted the run.
    Interrupted,
    /// `corral`: bad input, bad usage or our own bug, which Corral does not tell apart.
    CorralError,
}

impl ExitCode {
    pub fn code(self) -> i32 {
        match self {
            ExitCode::Success => 0,
            ExitCode::Bug => 1,
            ExitCode::BadInput => 2,
            ExitCode::NoAnswer => 3,
            ExitCode::Internal => 101,
            ExitCode::Interrupted => 130,
            ExitCode::CorralError => 1,
        }
    }

    /// The meaning of the code of another process of this program.
    pub fn of_code(code: Option<i32>) -> Self {
        match code {
            Some(0) => ExitCode::Success,
            Some(1) => ExitCode::Bug,
            Some(2) => ExitCode::BadInput,
            Some(3) => ExitCode::NoAnswer,
            Some(130) => ExitCode::Interrupted,
            _ => ExitCode::Internal,
        }
    }

    /// `bounded_ok`: a bounded verdict counts as a proof.
    pub fn of_verdict(verdict: &Verdict, bounded_ok: bool) -> Self {
        match verdict {
            Verdict::Proved | Verdict::Accepted => ExitCode::Success,
            Verdict::Bounded { .. } if bounded_ok => ExitCode::Success,
            Verdict::Bounded { .. } | Verdict::Unknown { .. } => ExitCode::NoAnswer,
            Verdict::Bug | Verdict::BugUnconfirmed { .. } => ExitCode::Bug,
            Verdict::BadInput => ExitCode::BadInput,
        }
    }

    /// A success if nothing is left open, and the tests show what was claimed.
    pub fn of_cover(report: &CoverReport) -> Self {
        let counts = report.counts();
        let measured = report.measured.as_ref();
        let disagrees = measured.is_some_and(|it| !it.missed.is_empty() || !it.contradicted.is_empty());
        match counts.is_decided() && counts.all > 0 && !disagrees {
            _ if report.bad_input => ExitCode::BadInput,
            true => ExitCode::Success,
            false => ExitCode::NoAnswer,
        }
    }

    /// A run without warnings is a success only if every entry was analysed.
    pub fn of_angelic(report: &AngelicReport) -> Self {
        let analysed = |entry: &AngelicEntry| entry.outcome == EntryOutcome::Done;
        let entries = &report.entries;
        if report.bad_input {
            ExitCode::BadInput
        } else if !report.warnings.is_empty() {
            ExitCode::Bug
        } else if report.unfinished.is_some() || entries.is_empty() || !entries.iter().all(analysed) {
            ExitCode::NoAnswer
        } else {
            ExitCode::Success
        }
    }
}

/// Explains a panic to the user. The default message would read as if they had done something wrong.
pub fn report_panic(panic: &PanicReport) {
    let error = style::ERROR;
    anstream::eprintln!("{error}internal error{error:#}: {}", panic.message);
    if let Some(location) = &panic.location {
        anstream::eprintln!("  in Lariat's own source, at {location}");
    }
    anstream::eprintln!(
        "This is a bug in Lariat, not in your program. Please report it at {}/issues with the command, the input \
         and this version: lariat {}.",
        env!("CARGO_PKG_REPOSITORY"),
        env!("CARGO_PKG_VERSION"),
    );
    match &panic.backtrace {
        Some(backtrace) => anstream::eprintln!("{backtrace}"),
        None => anstream::eprintln!("Set RUST_BACKTRACE=1 to see where it happened."),
    }
}

/// Panics of this process are our bugs too. Rust ends a process that panics with exit code 101.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| report_panic(&PanicReport::new(info))));
}

#[cfg(test)]
mod tests {
    use lariat_report::UnknownCause;

    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_manual() {
        let code = |verdict: &Verdict, bounded_ok| ExitCode::of_verdict(verdict, bounded_ok).code();
        let bounded = Verdict::bounded(3);
        let unknown = Verdict::unknown(UnknownCause::NothingChecked, "nothing was checked");
        assert_eq!(code(&Verdict::Proved, false), 0);
        assert_eq!(code(&Verdict::Bug, true), 1);
        assert_eq!(
            code(
                &Verdict::BugUnconfirmed {
                    reason: String::new()
                },
                true
            ),
            1
        );
        assert_eq!(code(&Verdict::BadInput, true), 2);
        assert_eq!(code(&bounded, false), 3);
        assert_eq!(code(&bounded, true), 0);
        assert_eq!(code(&unknown, true), 3);
        assert_eq!(ExitCode::of_angelic(&AngelicReport::default()).code(), 3);
        assert_eq!(ExitCode::Internal.code(), 101);
        assert_eq!(ExitCode::Interrupted.code(), 130);
    }
}
