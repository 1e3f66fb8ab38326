//! [Corral12] Fig. 9: the refinement algorithms on spurious counterexamples of generated programs.

mod comparison;

use std::io;
use std::time::Duration;

use lariat_abstraction::{CegarOptions, Found, RefineOptions};
use lariat_base::Budget;
use lariat_engine::{SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_report::{Engine, VerifyRequest};
use lariat_vc::Problem;
use lariat_verify::problems;

use super::Scratch;
use crate::generate::generate_program;

pub use comparison::{ComparisonRow, RefinementTable};

/// How many globals the programs have.
const GLOBALS: [usize; 9] = [120, 150, 180, 210, 240, 280, 320, 360, 400];

#[derive(Clone, Debug)]
pub struct RefinementLimits {
    /// For each program.
    pub time: Duration,
    pub globals: Vec<usize>,
}

impl RefinementLimits {
    pub fn new(time: Duration) -> Self {
        RefinementLimits {
            time,
            globals: GLOBALS.to_vec(),
        }
    }
}

/// Runs the loop of abstraction and refinement on generated programs, and all algorithms on each of the
/// spurious counterexamples that it meets. Programs without an answer are listed with the reason.
pub fn measure_refinement(
    limits: &RefinementLimits,
    settings: &VerifyRequest,
    announce: &mut dyn FnMut(&str),
) -> io::Result<(RefinementTable, Vec<String>)> {
    let scratch = Scratch::new("refinement")?;
    let mut table = RefinementTable::default();
    let mut failed = Vec::new();
    for (seed, &globals) in limits.globals.iter().enumerate() {
        let name = format!("seed {seed}");
        announce(&name);
        let text = generate_program(seed as u64, globals);
        let path = scratch.write(&format!("refinement-{seed}.bpl"), |output| {
            output.write_all(text.as_bytes())
        })?;
        let request = VerifyRequest {
            files: vec![path],
            engine: Engine::Stratified,
            // The programs have neither loops nor recursion.
            bound: 1,
            ..settings.clone()
        };
        let budget = Budget::new(Some(limits.time), None);
        for one in problems(&request).map_err(io::Error::other)? {
            let options = CegarOptions {
                refine: RefineOptions {
                    solver_options: one.options.solver_options.clone(),
                },
                ..CegarOptions::default()
            };
            let added = table.add(&name, &one.problem, &options, &budget, |problem| {
                search(problem, &one.options, &budget)
            });
            if let Err(stop) = added {
                failed.push(format!("{name}: {stop}"));
            }
        }
    }
    Ok((table, failed))
}

/// The search for abstract paths.
fn search(problem: Problem, options: &SearchOptions, budget: &Budget) -> Found<()> {
    let mut silent = |_: SearchEvent| {};
    let Ok(mut search) = Session::new(problem, options.clone(), budget.clone(), &mut silent) else {
        return Found::NoPath(());
    };
    match search.run() {
        SearchOutcome::Reached(counterexample) => Found::Path {
            blocks: counterexample.path.blocks,
            answer: (),
        },
        SearchOutcome::Proved | SearchOutcome::Bounded { .. } | SearchOutcome::Unknown { .. } => {
            Found::NoPath(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_programs_have_spurious_counterexamples_of_many_globals() {
        let limits = RefinementLimits {
            globals: vec![120],
            ..RefinementLimits::new(Duration::from_secs(300))
        };
        let measured = measure_refinement(&limits, &VerifyRequest::default(), &mut |_| {});
        let (table, failed) = measured.expect("a folder for the program");
        assert_eq!(failed, Vec::<String>::new());
        assert!(table.rows.len() >= 3, "{table}");
        for row in &table.rows {
            assert!(row.globals >= 100, "{table}");
            assert!(row.minimal.iter().all(|&minimal| minimal), "{table}");
            let [storm, hrefine, vcrefine, _] = row.stats;
            assert_eq!(hrefine.solver_calls, vcrefine.solver_calls, "{table}");
            assert!(storm.solver_calls > vcrefine.solver_calls, "{table}");
        }
    }
}
