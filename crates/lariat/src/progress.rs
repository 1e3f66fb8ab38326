//! One line on the terminal that says how far a run is. Nothing without a terminal.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lariat_report::{Figure, PartKind, ProgressUpdate};

use crate::units;

/// Runs that are over before this show no progress: it would only flicker.
const PATIENCE: Duration = Duration::from_millis(400);

/// The progress of one run.
pub struct RunProgress {
    enabled: bool,
    started: Instant,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    bar: Option<ProgressBar>,
    update: ProgressUpdate,
}

impl RunProgress {
    pub fn new(wanted: bool) -> Self {
        RunProgress {
            enabled: wanted && std::io::stderr().is_terminal(),
            started: Instant::now(),
            state: RefCell::default(),
        }
    }

    pub fn update(&self, update: ProgressUpdate) {
        if self.enabled {
            let memory_bytes = update.memory_bytes.max(self.state.borrow().update.memory_bytes);
            self.state.borrow_mut().update = ProgressUpdate {
                memory_bytes,
                ..update
            };
            self.draw();
        }
    }

    pub fn memory(&self, bytes: u64) {
        if self.enabled {
            self.state.borrow_mut().update.memory_bytes = bytes;
            self.draw();
        }
    }

    /// Takes the line away while something else is printed.
    pub fn suspend(&self, print: impl FnOnce()) {
        let bar = self.state.borrow().bar.clone();
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.state.borrow().bar {
            bar.finish_and_clear();
        }
    }

    fn draw(&self) {
        if self.started.elapsed() < PATIENCE {
            return;
        }
        let mut state = self.state.borrow_mut();
        let text = describe(&state.update);
        state
            .bar
            .get_or_insert_with(|| new_bar(self.started))
            .set_message(text);
    }
}

fn new_bar(started: Instant) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner:.cyan} {elapsed:.bold}  {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::new_spinner()
        .with_elapsed(started.elapsed())
        .with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn describe(update: &ProgressUpdate) -> String {
    let mut parts = Vec::new();
    if let Some(done) = &update.parts {
        let total = match done.kind {
            PartKind::Entries => units::count_of(done.total, "entry", "entries"),
            PartKind::Files => units::count(done.total, "file"),
            PartKind::Parts => units::count(done.total, "part"),
            PartKind::Specifications => units::count(done.total, "specification"),
        };
        parts.push(format!("{} of {total}", done.done));
    }
    parts.push(match &update.subject {
        Some(subject) => format!("{} {subject}", update.phase.text()),
        None => update.phase.text().to_owned(),
    });
    parts.extend(update.figures.iter().map(figure));
    if update.memory_bytes > 0 {
        parts.push(units::bytes(update.memory_bytes));
    }
    parts.join(" · ")
}

fn figure(figure: &Figure) -> String {
    match *figure {
        Figure::Bound(bound) => format!("bound {bound}"),
        Figure::Contexts(contexts) => units::count(contexts.into(), "context"),
        Figure::Threads(threads) => units::count(threads, "thread"),
        Figure::Inlined(inlined) => format!("{inlined} inlined"),
        Figure::OpenCalls(calls) => units::count(calls, "open call"),
        Figure::Traces(traces) => units::count(traces, "trace"),
        Figure::Specifications(specifications) => units::count(specifications, "specification"),
        Figure::Warnings(warnings) => units::count(warnings, "warning"),
        Figure::Iteration(iteration) => format!("iteration {iteration}"),
        Figure::Splits(splits) => units::count(splits, "split"),
        Figure::Predicates(predicates) => units::count(predicates, "predicate"),
        Figure::States(states) => units::count(states, "state"),
        Figure::SolverSeconds(seconds) => format!("solver {}", units::seconds(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use lariat_report::{Parts, Phase};

    use super::*;

    #[test]
    fn progress_reads_well() {
        let mut update = ProgressUpdate {
            phase: Phase::Parsing,
            ..ProgressUpdate::default()
        };
        assert_eq!(describe(&update), "parsing");
        update.phase = Phase::Solving;
        update.subject = Some("main".to_owned());
        update.figures = vec![
            Figure::Bound(3),
            Figure::Inlined(12),
            Figure::OpenCalls(1),
            Figure::SolverSeconds(1.25),
        ];
        update.memory_bytes = 31 << 20;
        assert_eq!(
            describe(&update),
            "solving main · bound 3 · 12 inlined · 1 open call · solver 1.2 s · 31 MB"
        );
    }

    #[test]
    fn parts_that_are_done_are_counted() {
        let update = ProgressUpdate {
            phase: Phase::Solving,
            subject: Some("FooBar".to_owned()),
            parts: Some(Parts {
                kind: PartKind::Entries,
                done: 3,
                total: 40,
            }),
            figures: vec![Figure::Traces(5), Figure::Warnings(1)],
            memory_bytes: 0,
        };
        assert_eq!(
            describe(&update),
            "3 of 40 entries · solving FooBar · 5 traces · 1 warning"
        );
    }
}
