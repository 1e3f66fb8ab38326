//! Which lines a success is about: after it, `cover` is asked about the lines of the same program, within the same bound.

use std::time::Duration;

use lariat_report::{CoverAim, CoverRequest, Verdict, VerifyRequest};
use lariat_worker::{Order, Outcome, StopSignal};

use crate::arguments::Arguments;
use crate::command;
use crate::say;

/// At least this much time is given to it.
const SHORTEST: Duration = Duration::from_secs(10);

/// Adds the coverage to the report of a success. It takes no longer than the verification did, or [`SHORTEST`].
pub fn add(outcome: &mut Outcome, order: &Order<VerifyRequest>, stop: &StopSignal, common: &Arguments) {
    let bound = match outcome.report.verdict {
        Verdict::Bounded { bound, .. } => bound,
        Verdict::Proved => order.request.bound,
        _ => return,
    };
    let spent = Duration::try_from_secs_f64(outcome.seconds).unwrap_or_default();
    let limit = match order.time_limit() {
        Some(limit) => limit.saturating_sub(spent).min(spent.max(SHORTEST)),
        None => spent.max(SHORTEST),
    };
    if limit.is_zero() || stop.is_requested() {
        return;
    }
    let request = CoverRequest {
        program: VerifyRequest {
            bound,
            deepen: false,
            log: Vec::new(),
            ..order.request.clone()
        },
        aim: CoverAim::Line,
        ..CoverRequest::default()
    };
    let order = Order::new(request).within(Some(limit), order.memory_limit_bytes);
    match command::supervise(&order, stop, common, &mut |_| {}) {
        Ok(covered) if covered.report.bad_input => {}
        Ok(covered) => {
            let mut report = covered.report;
            // What the executions do on their way is not shown.
            for execution in &mut report.executions {
                execution.end.trace.clear();
                execution.end.steps.clear();
            }
            outcome.report.coverage = Some(Box::new(report));
        }
        Err(error) => say::warning(&format!("the coverage is not known: {error}")),
    }
}
