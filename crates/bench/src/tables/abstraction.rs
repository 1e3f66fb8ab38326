//! [Corral12] Fig. 6: where the time goes when globals are left out and brought back: refining (R) and searching (S).

use std::fmt;
use std::time::{Duration, Instant};

use lariat_abstraction::{CegarOptions, CegarOutcome, Found, RefineOptions, cegar};
use lariat_base::Budget;
use lariat_engine::{SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_report::{Engine, VerifyRequest};
use lariat_vc::Problem;
use lariat_verify::problems;

use super::rows::RowChoice;
use super::short_name;

/// One program.
#[derive(Clone, Debug)]
pub struct AbstractionRow {
    pub program: String,
    pub lines: usize,
    pub globals: usize,
    pub procedures: usize,
    /// What the last search said.
    pub answer: String,
    /// Searches of an abstract program.
    pub iterations: u64,
    pub tracked: usize,
    pub seconds: f64,
    /// Making abstract programs, checking paths, refining.
    pub refining: f64,
    pub searching: f64,
}

#[derive(Clone, Debug, Default)]
pub struct AbstractionTable {
    pub rows: Vec<AbstractionRow>,
    /// Programs that could not be read, and why.
    pub failed: Vec<(String, String)>,
}

/// Runs the loop of abstraction and refinement on the programs of manifests.
pub fn measure_abstraction(
    choice: &RowChoice<'_>,
    time: Duration,
    settings: &VerifyRequest,
    announce: &mut dyn FnMut(&str),
) -> AbstractionTable {
    let mut table = AbstractionTable::default();
    for (manifest, _, row, request) in choice.requests(settings) {
        let path = manifest.folder.join(&row.file);
        let program = short_name(&path);
        announce(&program);
        let request = VerifyRequest {
            engine: Engine::Stratified,
            ..request
        };
        let lines = std::fs::read_to_string(&path).map_or(0, |text| {
            let is_empty = |line: &&str| line.trim().is_empty();
            text.lines().filter(|line| !is_empty(line)).count()
        });
        table.add(&program, lines, &request, time);
    }
    table
}

impl AbstractionTable {
    fn add(&mut self, program: &str, lines: usize, request: &VerifyRequest, time: Duration) {
        let started = Instant::now();
        let budget = Budget::new(Some(time), None);
        let problems = match problems(request) {
            Ok(problems) => problems,
            Err(reason) => return self.failed.push((program.to_owned(), reason)),
        };
        let reading = started.elapsed().as_secs_f64() / problems.len().max(1) as f64;
        for one in problems {
            let started = Instant::now();
            let options = cegar_options(&one.options);
            let search = |problem: Problem| search(problem, &one.options, &budget);
            let result = cegar(&one.problem, &options, &budget, search, &mut |_| {});
            let stats = &result.stats;
            self.rows.push(AbstractionRow {
                program: program.to_owned(),
                lines,
                globals: one.problem.program.globals.len(),
                procedures: one.problem.program.procs.len(),
                answer: match result.outcome {
                    CegarOutcome::NoPath(answer) => answer,
                    CegarOutcome::Feasible { .. } => "bug, not replayed".to_owned(),
                    CegarOutcome::Stopped(stop) => stop.to_string(),
                },
                iterations: stats.iterations,
                tracked: result.tracked.len(),
                seconds: reading + started.elapsed().as_secs_f64(),
                refining: stats.abstract_seconds + stats.concretise_seconds + stats.refinement.seconds,
                searching: stats.search_seconds,
            });
        }
    }
}

/// Those of the loop that go with a search.
pub(super) fn cegar_options(options: &SearchOptions) -> CegarOptions {
    CegarOptions {
        refine: RefineOptions {
            solver_options: options.solver_options.clone(),
        },
        in_place: options.in_place && options.unfolding.stack_depth.is_none(),
        ..CegarOptions::default()
    }
}

/// The search for a path in an abstract program, and what it says without one.
pub(super) fn search(problem: Problem, options: &SearchOptions, budget: &Budget) -> Found<String> {
    let mut silent = |_: SearchEvent| {};
    let mut search = match Session::new(problem, options.clone(), budget.clone(), &mut silent) {
        Ok(search) => search,
        Err(error) => return Found::NoPath(error.to_string()),
    };
    match search.run() {
        SearchOutcome::Reached(counterexample) => Found::Path {
            blocks: counterexample.path.blocks,
            answer: String::new(),
        },
        SearchOutcome::Proved => Found::NoPath("safe".to_owned()),
        SearchOutcome::Bounded { .. } => Found::NoPath("safe (bounded)".to_owned()),
        SearchOutcome::Unknown { .. } => Found::NoPath("no answer".to_owned()),
    }
}

impl fmt::Display for AbstractionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.program.chars().count());
        let width = names.max().unwrap_or(0).max("program".len());
        writeln!(
            f,
            "{:width$}{:>9}{:>6}{:>7}{:>6}{:>9}{:>10}{:>6}{:>6}  answer",
            "program", "lines", "vars", "procs", "iter", "tracked", "seconds", "R %", "S %"
        )?;
        for row in &self.rows {
            let share = |seconds: f64| 100.0 * seconds / row.seconds.max(f64::MIN_POSITIVE);
            writeln!(
                f,
                "{:width$}{:>9}{:>6}{:>7}{:>6}{:>9}{:>10.1}{:>6.0}{:>6.0}  {}",
                row.program,
                row.lines,
                row.globals,
                row.procedures,
                row.iterations,
                row.tracked,
                row.seconds,
                share(row.refining),
                share(row.searching),
                row.answer
            )?;
        }
        for (program, reason) in &self.failed {
            writeln!(f, "{program}: {reason}")?;
        }
        Ok(())
    }
}
