//! The child process that does the work.

use std::io;

use lariat_base::Budget;
use lariat_report::{
    AngelicReport, AngelicRequest, BoogieReport, BoogieRequest, ConformReport, ConformRequest, CoverReport,
    CoverRequest, Progress, SurveyReport, SurveyRequest, VerifyReport, VerifyRequest,
};
use lariat_worker::Request;

use crate::exit::ExitCode;

/// Makes the child misbehave, for tests: `abort`, `panic`, `hang` and `oom` after the work is done, anything else as a
/// panic at the place of that name (see [`Budget::fault_point`]).
const FAULT_VARIABLE: &str = "LARIAT_TEST_FAULT";

/// A request that a child can serve.
trait Work: Request {
    fn work(&self, budget: &Budget, progress: &mut dyn FnMut(Progress<Self::Report>)) -> Self::Report;
}

impl Work for VerifyRequest {
    fn work(&self, budget: &Budget, progress: &mut dyn FnMut(Progress)) -> VerifyReport {
        lariat_verify::verify(self, budget, progress)
    }
}

impl Work for AngelicRequest {
    fn work(&self, budget: &Budget, progress: &mut dyn FnMut(Progress<AngelicReport>)) -> AngelicReport {
        lariat_angelic::angelic(self, budget, progress)
    }
}

impl Work for BoogieRequest {
    fn work(&self, budget: &Budget, progress: &mut dyn FnMut(Progress<BoogieReport>)) -> BoogieReport {
        lariat_modular::verify(self, budget, progress)
    }
}

impl Work for ConformRequest {
    fn work(&self, budget: &Budget, progress: &mut dyn FnMut(Progress<ConformReport>)) -> ConformReport {
        lariat_conform::run::conform(self, budget, progress)
    }
}

impl Work for CoverRequest {
    fn work(&self, budget: &Budget, progress: &mut dyn FnMut(Progress<CoverReport>)) -> CoverReport {
        lariat_cover::cover(self, budget, progress)
    }
}

impl Work for SurveyRequest {
    fn work(&self, _: &Budget, _: &mut dyn FnMut(Progress<SurveyReport>)) -> SurveyReport {
        lariat_project::survey(self)
    }
}

/// Serves one request of the kind with this name.
pub fn run(name: &str) -> ExitCode {
    let served = match name {
        VerifyRequest::NAME => serve::<VerifyRequest>(),
        AngelicRequest::NAME => serve::<AngelicRequest>(),
        BoogieRequest::NAME => serve::<BoogieRequest>(),
        ConformRequest::NAME => serve::<ConformRequest>(),
        CoverRequest::NAME => serve::<CoverRequest>(),
        SurveyRequest::NAME => serve::<SurveyRequest>(),
        _ => Err(io::Error::other(format!("`{name}` is not a kind of request"))),
    };
    match served {
        Ok(()) => ExitCode::Success,
        Err(error) => {
            anstream::eprintln!("lariat starts this process itself; do not start it by hand: {error}");
            ExitCode::BadInput
        }
    }
}

fn serve<R: Work>() -> io::Result<()> {
    let give_up = || std::process::exit(ExitCode::Interrupted.code());
    lariat_worker::serve(io::stdin(), io::stdout(), give_up, work::<R>)
}

fn work<R: Work>(request: &R, budget: &Budget, progress: &mut dyn FnMut(Progress<R::Report>)) -> R::Report {
    let fault = std::env::var(FAULT_VARIABLE).unwrap_or_default();
    let budget = match fault.as_str() {
        "" => budget.clone(),
        place => budget.clone().with_fault(place),
    };
    let report = request.work(&budget, progress);
    match fault.as_str() {
        "abort" => {
            // What was decided before must survive it.
            progress(Progress::Partial(Box::new(report)));
            std::process::abort()
        }
        "panic" => panic!("{FAULT_VARIABLE} asks for a panic"),
        "hang" => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        "oom" => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(vec![1_u8; 1 << 20]);
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
        }
        _ => report,
    }
}
