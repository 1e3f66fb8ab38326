//! The problems of a request, for measurements that do not need an answer.

use lariat_base::Budget;
use lariat_engine::SearchOptions;
use lariat_report::{Progress, Severity, VerifyRequest};
use lariat_vc::Problem;

use crate::entry::EntryCheck;
use crate::question;

/// What an engine is given for one entry.
pub struct EntryProblem {
    /// The name of the entry.
    pub entry: String,
    pub problem: Problem,
    /// Those of the engine in the request.
    pub options: SearchOptions,
}

/// Reads and prepares a program as [`crate::verify`] does; the error is the first of the diagnostics.
pub fn problems(request: &VerifyRequest) -> Result<Vec<EntryProblem>, String> {
    let reading = lariat_front_end::read(&request.into(), false, &mut |_: Progress| {});
    let Some(front_end) = reading.program else {
        let mut diagnostics = reading.diagnostics.into_iter();
        let first = diagnostics.find(|diagnostic| diagnostic.severity == Severity::Error);
        return Err(first.map_or_else(|| "it cannot be read".into(), |error| error.message));
    };
    let questions =
        question::questions(request, &front_end).map_err(|diagnostic| diagnostic.message.to_string())?;
    let budget = Budget::unlimited();
    let problem = |question: question::Question| {
        let check = EntryCheck::new(request, &front_end, &question, &budget);
        let problem = Problem::from(check.prepare(&question.goal).0);
        let options = check.search_options(request.engine);
        EntryProblem {
            entry: question.name.clone(),
            problem,
            options,
        }
    };
    Ok(questions.into_iter().map(problem).collect())
}
