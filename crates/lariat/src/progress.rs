//! One line on the terminal that says how a run gets on. Nothing where there is no terminal.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lariat_report::{AngelicUpdate, ConformUpdate, Phase, ProgressUpdate};

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
    /// Instead of `update`, once the program is read.
    angelic: Option<AngelicUpdate>,
    conform: Option<ConformUpdate>,
}

impl RunProgress {
    pub fn new(wanted: bool) -> Self {
        RunProgress {
            enabled: wanted && std::io::stderr().is_terminal(),
            started: Instant::now(),
            state: RefCell::default(),
        }
    }

    pub fn update(&self, update: &ProgressUpdate) {
        if self.enabled {
            let memory_bytes = update.memory_bytes.max(self.state.borrow().update.memory_bytes);
            self.state.borrow_mut().update = ProgressUpdate {
                memory_bytes,
                ..update.clone()
            };
            self.draw();
        }
    }

    pub fn angelic(&self, update: &AngelicUpdate) {
        if self.enabled {
            let mut state = self.state.borrow_mut();
            state.update.memory_bytes = state.update.memory_bytes.max(update.memory_bytes);
            state.angelic = Some(update.clone());
            drop(state);
            self.draw();
        }
    }

    pub fn conform(&self, update: &ConformUpdate) {
        if self.enabled {
            let mut state = self.state.borrow_mut();
            state.update.memory_bytes = state.update.memory_bytes.max(update.memory_bytes);
            state.conform = Some(update.clone());
            drop(state);
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
        let text = match (&state.angelic, &state.conform) {
            (Some(angelic), _) => describe_angelic(angelic, state.update.memory_bytes),
            (None, Some(conform)) => describe_conform(conform, state.update.memory_bytes),
            (None, None) => describe(&state.update),
        };
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
    let mut parts = vec![match &update.entry {
        Some(entry) => format!("{} {entry}", update.phase.text()),
        None => update.phase.text().to_owned(),
    }];
    if update.phase >= Phase::Solving {
        if let Some(bound) = update.bound {
            parts.push(format!("bound {bound}"));
        }
        parts.push(format!("{} inlined", update.inlined));
        parts.push(units::count(update.open_call_sites, "open call"));
        parts.push(format!("solver {}", units::seconds(update.solver_seconds)));
    }
    if update.memory_bytes > 0 {
        parts.push(units::bytes(update.memory_bytes));
    }
    parts.join(" · ")
}

fn describe_angelic(update: &AngelicUpdate, memory_bytes: u64) -> String {
    let mut parts = vec![format!(
        "{} of {}",
        update.entries_done,
        units::count_of(update.entries, "entry", "entries")
    )];
    if let Some(entry) = &update.entry {
        parts.push(entry.clone());
    }
    parts.push(units::count(update.traces, "trace"));
    parts.push(units::count(update.specifications, "specification"));
    parts.push(units::count(update.warnings, "warning"));
    parts.push(format!("solver {}", units::seconds(update.solver_seconds)));
    if memory_bytes > 0 {
        parts.push(units::bytes(memory_bytes));
    }
    parts.join(" · ")
}

fn describe_conform(update: &ConformUpdate, memory_bytes: u64) -> String {
    let mut parts = Vec::new();
    if update.specifications > 1 {
        parts.push(format!(
            "{} of {}",
            update.specifications_done,
            units::count(update.specifications, "specification")
        ));
    }
    parts.push(update.specification.clone());
    parts.push(format!("iteration {}", update.predicate_iterations));
    if update.action_iterations > 0 {
        parts.push(units::count(update.action_iterations, "split"));
    }
    parts.push(units::count(update.predicates, "predicate"));
    parts.push(units::count(update.states, "state"));
    if memory_bytes > 0 {
        parts.push(units::bytes(memory_bytes));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_well() {
        let mut update = ProgressUpdate {
            phase: Phase::Parsing,
            memory_bytes: 31 << 20,
            ..ProgressUpdate::default()
        };
        assert_eq!(describe(&update), "parsing · 31 MB");
        update.phase = Phase::Solving;
        update.entry = Some("main".to_owned());
        update.bound = Some(2);
        update.inlined = 120;
        update.open_call_sites = 1;
        update.solver_seconds = 3.21;
        assert_eq!(
            describe(&update),
            "solving main · bound 2 · 120 inlined · 1 open call · solver 3.2 s · 31 MB"
        );
    }

    #[test]
    fn progress_of_entries_reads_well() {
        let update = AngelicUpdate {
            entries: 40,
            entries_done: 7,
            entry: Some("probe".to_owned()),
            traces: 12,
            specifications: 9,
            warnings: 1,
            solver_seconds: 0.5,
            memory_bytes: 0,
        };
        assert_eq!(
            describe_angelic(&update, 31 << 20),
            "7 of 40 entries · probe · 12 traces · 9 specifications · 1 warning · solver 0.50 s · 31 MB"
        );
    }

    #[test]
    fn progress_of_refinement_reads_well() {
        let mut update = ConformUpdate {
            specification: "SERVER".to_owned(),
            specifications: 1,
            predicate_iterations: 4,
            predicates: 7,
            states: 1200,
            ..ConformUpdate::default()
        };
        assert_eq!(
            describe_conform(&update, 0),
            "SERVER · iteration 4 · 7 predicates · 1200 states"
        );
        update.specifications = 3;
        update.specifications_done = 1;
        update.action_iterations = 1;
        assert_eq!(
            describe_conform(&update, 31 << 20),
            "1 of 3 specifications · SERVER · iteration 4 · 1 split · 7 predicates · 1200 states · 31 MB"
        );
    }
}
