//! What a search reports while it runs: progress, and what [`SearchOptions`] asks to be logged.

use lariat_options::LogStage;

use crate::dag::CallSiteId;
use crate::options::SearchOptions;
use crate::outcome::EngineStats;
use crate::unfolding::Unfolding;

/// What a search reports while it runs.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    Progress(SearchProgress),
    /// A text that [`SearchOptions`] asks for.
    Log(LogStage, String),
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct SearchProgress {
    pub bound: u32,
    /// The largest bound that was completed without reaching the end.
    pub completed: Option<u32>,
    pub stats: EngineStats,
    /// Of a search that was split: how many parts are done, and how many there are.
    pub parts: Option<(u64, u64)>,
}

/// Passes the steps of a search on to its receiver.
pub(crate) struct Observer<'a> {
    receiver: &'a mut dyn FnMut(SearchEvent),
    log_steps: bool,
    log_dag: bool,
    log_smt: bool,
}

impl<'a> Observer<'a> {
    pub fn new(options: &SearchOptions, receiver: &'a mut dyn FnMut(SearchEvent)) -> Self {
        Observer {
            receiver,
            log_steps: options.log,
            log_dag: options.log_dag,
            log_smt: options.log_smt,
        }
    }

    pub fn progress(&mut self, bound: u32, completed: Option<u32>, stats: EngineStats) {
        (self.receiver)(SearchEvent::Progress(SearchProgress {
            bound,
            completed,
            stats,
            parts: None,
        }));
    }

    /// Query type 1 was answered.
    pub fn under_approximated(&mut self, open: usize, found: bool, stats: &EngineStats) {
        self.step(|| {
            format!(
                "all {open} open calls blocked: {} ({:.2} s in the solver)",
                execution(found),
                stats.solver_seconds
            )
        });
    }

    /// Query type 2 was answered.
    pub fn over_approximated(&mut self, bound: u32, cut: usize, found: bool, stats: &EngineStats) {
        self.step(|| {
            format!(
                "bound {bound}, {cut} calls beyond it: {} ({:.2} s in the solver)",
                execution(found),
                stats.solver_seconds
            )
        });
    }

    /// Query type 2 was answered for one path.
    pub fn went_along(&mut self, found: bool, stats: &EngineStats) {
        self.step(|| {
            format!(
                "along this path: {} ({:.2} s in the solver)",
                execution(found),
                stats.solver_seconds
            )
        });
    }

    /// A widening step found no execution, and which calls to blame.
    pub fn widened(&mut self, open: usize, within: usize, beyond: usize, stats: &EngineStats) {
        self.step(|| {
            format!(
                "all {open} open calls blocked: no execution, because of {within} within the bound and {beyond} beyond it ({:.2} s in the solver)",
                stats.solver_seconds
            )
        });
    }

    /// These calls are about to be inlined.
    pub fn inlining(&mut self, unfolding: &Unfolding, sites: &[CallSiteId]) {
        self.step(|| {
            let names: Vec<String> = sites.iter().map(|&site| unfolding.site_text(site)).collect();
            format!("inline {}", names.join(", "))
        });
    }

    /// The search is split at this call.
    pub fn splitting(&mut self, unfolding: &Unfolding, site: CallSiteId) {
        self.step(|| format!("split at {}: blocked, or reached", unfolding.site_text(site)));
    }

    /// The path of a counterexample has no execution.
    pub fn path_blocked(&mut self) {
        self.step(|| "the path is infeasible and is blocked".into());
    }

    /// A query exceeded its effort because of inferred facts.
    pub fn facts_too_hard(&mut self) {
        self.step(|| "too hard with the inferred facts, asked again without them".into());
    }

    /// The search is over.
    pub fn ended(&mut self, unfolding: &Unfolding) {
        if self.log_dag {
            (self.receiver)(SearchEvent::Log(LogStage::Dag, unfolding.to_dot()));
        }
        if self.log_smt {
            (self.receiver)(SearchEvent::Log(LogStage::Smt, unfolding.to_smtlib()));
        }
    }

    fn step(&mut self, text: impl FnOnce() -> String) {
        if self.log_steps {
            (self.receiver)(SearchEvent::Log(LogStage::Unfolding, text()));
        }
    }
}

fn execution(found: bool) -> &'static str {
    if found { "an execution" } else { "no execution" }
}
