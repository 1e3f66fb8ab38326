//! Measurements that a benchmark of rows does not show, each as a table in text.
//!
//! Invariants: a table shows what was measured in this run, and a run without result says so instead of a figure; means and
//! ratios are over rows with a result only, and say over how many.

mod abstraction;
mod angelic;
mod budgets;
mod chain;
mod concurrent;
mod conform;
mod handshake;
mod inlining;
mod merge;
mod minimise;
mod refinement;
mod rows;
mod run;
mod search;
mod two_phase_commit;
mod unbounded;
mod workers;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lariat_report::VerifyRequest;
use lariat_worker::{Ending, Order, Outcome, Request, StopSignal, Supervisor};

pub use abstraction::{AbstractionRow, AbstractionTable, measure_abstraction};
pub use angelic::{AngelicRow, AngelicTable, Truth, measure_angelic};
pub use budgets::{BudgetsTable, measure_budgets};
pub use chain::{ChainRow, ChainSizes, ChainTable, measure_chain};
pub use concurrent::{ConcurrentRow, ConcurrentTable, measure_concurrent};
pub use conform::{ConformAnswer, ConformCell, ConformOutcome, ConformQuestion};
pub use handshake::{LevelsRow, LevelsTable, measure_levels};
pub use inlining::{Aggregate, InliningTable, measure_inlining};
pub use merge::{MergeLimits, MergeRow, MergeTable, measure_merge};
pub use minimise::{WaysRow, WaysTable, measure_ablation, measure_minimise, measure_optimality};
pub use refinement::{
    ComparisonRow, RefinementLimits, RefinementTable, measure_refinement, measure_refinement_of,
};
pub use rows::RowChoice;
pub use run::{RunRow, RunTable, measure_run};
pub use search::{SearchTable, SearchWay, measure_search};
pub use two_phase_commit::{TwoPhaseCommitRow, TwoPhaseCommitTable, measure_two_phase_commit};
pub use unbounded::{UnboundedRow, UnboundedTable, measure_unbounded};
pub use workers::{QueueCosts, WorkersRow, WorkersTable, simulate_workers};

/// Runs requests one at a time in worker processes.
pub struct TableRunner<'a> {
    pub supervisor: &'a Supervisor,
    pub stop: &'a StopSignal,
    /// The base of every request.
    pub settings: &'a VerifyRequest,
    pub time_limit: Duration,
    pub memory_limit: Option<u64>,
    /// Called with what is measured next.
    pub announce: &'a mut dyn FnMut(&str),
}

impl TableRunner<'_> {
    /// A panic of the child is an error: its figures mean nothing.
    fn run<R: Request>(&self, request: R) -> io::Result<Outcome<R::Report>> {
        let order = Order::new(request).within(Some(self.time_limit), self.memory_limit);
        let outcome = self.supervisor.run(&order, self.stop, &mut |_| {})?;
        match outcome.ending {
            Ending::Panicked(panic) => Err(io::Error::other(format!("internal error: {}", panic.message))),
            _ => Ok(outcome),
        }
    }
}

/// A folder for generated programs, removed in the end.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn new(name: &str) -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("lariat-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Scratch { folder })
    }

    fn write(
        &self,
        name: &str,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<PathBuf> {
        let path = self.folder.join(name);
        let mut file = BufWriter::new(File::create(&path)?);
        content(&mut file)?;
        file.flush()?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that cannot be removed stays among the temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The name of a file without its endings.
fn short_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let mut short = name.as_str();
    while let Some(shorter) = short.strip_suffix(".bpl") {
        short = shorter;
    }
    short.to_owned()
}

/// The geometric mean; `None` of nothing.
pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_without_endings() {
        assert_eq!(short_name(Path::new("d/driver_0.bpl.bpl")), "driver_0");
        assert_eq!(short_name(Path::new("a.b")), "a.b");
    }

    #[test]
    fn geometric_means() {
        assert_eq!(geometric_mean(&[]), None);
        let mean = geometric_mean(&[0.5, 2.0, 8.0]).expect("a mean");
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
    }
}
