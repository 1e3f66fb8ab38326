//! The refinement algorithms side by side on the spurious counterexamples of a program ([Corral12] Fig. 9).

use std::collections::BTreeSet;

use lariat_abstraction::{
    Algorithm, CegarOptions, CegarOutcome, Found, PathProgram, RefineOptions, RefineStats, Spurious, cegar,
    is_minimal, refine,
};
use lariat_base::Budget;
use lariat_ir::BlockId;
use lariat_smt::Stop;
use lariat_term::VarId;
use lariat_vc::Problem;

/// One spurious counterexample, with a column for each of [`Algorithm::ALL`].
#[derive(Clone, Debug)]
pub struct ComparisonRow {
    pub program: String,
    /// Globals that its path reads.
    pub globals: usize,
    /// Statements on its path.
    pub statements: usize,
    /// Globals that were tracked before, and how many each algorithm adds.
    pub tracked: usize,
    pub added: [usize; 4],
    pub stats: [RefineStats; 4],
    /// Each result is minimal by definition.
    pub minimal: [bool; 4],
}

#[derive(Clone, Debug, Default)]
pub struct RefinementTable {
    pub rows: Vec<ComparisonRow>,
}

impl RefinementTable {
    /// Runs the loop on a problem and all algorithms on each spurious counterexample that it meets.
    pub fn add<A>(
        &mut self,
        name: &str,
        problem: &Problem,
        options: &CegarOptions,
        budget: &Budget,
        search: impl FnMut(Problem) -> Found<A>,
    ) -> Result<(), Stop> {
        let mut found: Vec<(Vec<BlockId>, BTreeSet<VarId>)> = Vec::new();
        let mut note = |spurious: &Spurious<'_>| {
            found.push((spurious.blocks.to_vec(), spurious.tracked.clone()));
        };
        let outcome = cegar(problem, options, budget, search, &mut note).outcome;
        // The counterexamples of a loop that did not end are spurious as well.
        for (blocks, tracked) in found {
            let path = PathProgram::new(problem, &blocks, options.in_place)?;
            self.rows
                .push(compare(name, &path, &tracked, &options.refine, budget)?);
        }
        match outcome {
            CegarOutcome::Stopped(stop) => Err(stop),
            CegarOutcome::NoPath(_) | CegarOutcome::Feasible { .. } => Ok(()),
        }
    }

    /// The mean seconds of an algorithm, by its position in [`Algorithm::ALL`].
    pub fn mean_seconds(&self, algorithm: usize) -> f64 {
        self.mean(|row| row.stats[algorithm].seconds)
    }

    pub fn mean_calls(&self, algorithm: usize) -> f64 {
        self.mean(|row| row.stats[algorithm].solver_calls as f64)
    }

    fn mean(&self, of: impl Fn(&ComparisonRow) -> f64) -> f64 {
        self.rows.iter().map(of).sum::<f64>() / self.rows.len().max(1) as f64
    }
}

/// All algorithms on one spurious path.
fn compare(
    name: &str,
    path: &PathProgram,
    tracked: &BTreeSet<VarId>,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<ComparisonRow, Stop> {
    let mut row = ComparisonRow {
        program: name.to_owned(),
        globals: path.globals().len(),
        statements: path.len(),
        tracked: tracked.len(),
        added: [0; 4],
        stats: [RefineStats::default(); 4],
        minimal: [false; 4],
    };
    for (index, &algorithm) in Algorithm::ALL.iter().enumerate() {
        // Each on a copy: terms that one has made must not help another.
        let mut own = path.clone();
        let refinement = refine(algorithm, &mut own, tracked, options, budget)?;
        row.added[index] = refinement.tracked.len().saturating_sub(tracked.len());
        row.stats[index] = refinement.stats;
        row.minimal[index] = is_minimal(&mut path.clone(), tracked, &refinement.tracked, options, budget)?;
    }
    Ok(row)
}

impl std::fmt::Display for RefinementTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.rows.iter().map(|row| row.program.chars().count());
        let width = names.max().unwrap_or(0).max("program".len());
        writeln!(
            f,
            "{:<width$} {:>7} {:>5} {:>7} {:>5} | {:>14} | {:>14} | {:>14} | {:>14} | minimal",
            "program",
            "globals",
            "stmts",
            "tracked",
            "added",
            "Storm",
            "Algorithm 1",
            "Algorithm 2",
            "2 with cores"
        )?;
        for row in &self.rows {
            write!(
                f,
                "{:<width$} {:>7} {:>5} {:>7} {:>5}",
                row.program, row.globals, row.statements, row.tracked, row.added[2]
            )?;
            for stats in &row.stats {
                write!(f, " | {:>4} {:>8.4}s", stats.solver_calls, stats.seconds)?;
            }
            let minimal = row.minimal.iter().all(|&minimal| minimal);
            writeln!(f, " | {}", if minimal { "all" } else { "NOT ALL" })?;
        }
        write!(
            f,
            "{:<mean$}",
            format!("mean of {}", self.rows.len()),
            mean = width + 28
        )?;
        for index in 0..Algorithm::ALL.len() {
            write!(
                f,
                " | {:>4.0} {:>8.4}s",
                self.mean_calls(index),
                self.mean_seconds(index)
            )?;
        }
        writeln!(f)?;
        let speed_up = |slow: usize| self.mean_seconds(slow) / self.mean_seconds(2).max(f64::MIN_POSITIVE);
        writeln!(
            f,
            "Algorithm 2 is {:.1} times faster than Algorithm 1 and {:.1} times faster than Storm (means).",
            speed_up(1),
            speed_up(0)
        )
    }
}
