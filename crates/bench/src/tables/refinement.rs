//! [Corral12] Fig. 9: the refinement algorithms on spurious counterexamples of generated programs, or of those of manifests.

mod comparison;

use std::io;
use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{Engine, VerifyRequest};
use lariat_verify::problems;

use super::abstraction::{cegar_options, search};
use super::rows::RowChoice;
use super::{Scratch, short_name};
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
        failed.extend(table.add_program(&name, &request, limits.time));
    }
    Ok((table, failed))
}

/// The same on the programs of manifests.
pub fn measure_refinement_of(
    choice: &RowChoice<'_>,
    time: Duration,
    settings: &VerifyRequest,
    announce: &mut dyn FnMut(&str),
) -> (RefinementTable, Vec<String>) {
    let mut table = RefinementTable::default();
    let mut failed = Vec::new();
    for (manifest, _, row, request) in choice.requests(settings) {
        let name = short_name(&manifest.folder.join(&row.file));
        announce(&name);
        let request = VerifyRequest {
            engine: Engine::Stratified,
            ..request
        };
        failed.extend(table.add_program(&name, &request, time));
    }
    (table, failed)
}

impl RefinementTable {
    /// Adds what the loop meets in a program; the result is why there is nothing more of it.
    fn add_program(&mut self, name: &str, request: &VerifyRequest, time: Duration) -> Option<String> {
        let problems = match problems(request) {
            Ok(problems) => problems,
            Err(reason) => return Some(format!("{name}: {reason}")),
        };
        let budget = Budget::new(Some(time), None);
        for one in problems {
            let options = cegar_options(&one.options);
            let search = |problem| search(problem, &one.options, &budget);
            if let Err(stop) = self.add(name, &one.problem, &options, &budget, search) {
                return Some(format!("{name}: {stop}"));
            }
        }
        None
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
