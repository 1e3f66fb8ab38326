//! failing trace ─> control slice ─> wlp ─> no map updates ─> atoms ─> **blocking formula**
//!
//! ExplainError, Algorithm 2 of "Angelic Verification" (seed 003, DOI 10.1007/978-3-319-21690-4_19).

mod explanation;

pub use explanation::{
    Blocking, ExplainOptions, Explained, Explanation, FailingTrace, Placeholder, Source, ValueOrigin,
};

use std::time::Instant;

use lariat_smt::SolverError;
use lariat_term::TermPool;

/// Algorithm 2. The pool holds the program's terms under their own ids; new ones go there.
pub fn explain(
    pool: &mut TermPool,
    trace: &FailingTrace<'_>,
    options: &ExplainOptions,
) -> Result<Explained, SolverError> {
    let _ = (pool, trace, options);
    let started = Instant::now();
    Ok(Explained {
        explanation: Explanation::NotExpressible {
            reason: "traces are not explained yet".into(),
            needed: None,
        },
        origin: ValueOrigin::default(),
        seconds: started.elapsed().as_secs_f64(),
        solver_calls: 0,
    })
}
