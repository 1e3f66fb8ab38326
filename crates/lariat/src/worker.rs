//! The child process that does the work.

use std::io;

use lariat_base::Budget;
use lariat_report::{
    AngelicReport, AngelicRequest, ConformReport, ConformRequest, Progress, VerifyReport, VerifyRequest,
};

use crate::arguments::WorkerTask;
use crate::exit::ExitCode;

/// Tests make the child misbehave by this variable, as a solver that dies would.
const FAULT_VARIABLE: &str = "LARIAT_TEST_FAULT";

pub fn run(task: WorkerTask) -> ExitCode {
    let give_up = || std::process::exit(ExitCode::Interrupted.code());
    let served = match task {
        WorkerTask::Verify => lariat_worker::serve(io::stdin(), io::stdout(), give_up, verify),
        WorkerTask::Angelic => lariat_worker::serve(io::stdin(), io::stdout(), give_up, angelic),
        WorkerTask::Conform => lariat_worker::serve(io::stdin(), io::stdout(), give_up, conform),
    };
    match served {
        Ok(()) => ExitCode::Success,
        Err(error) => {
            anstream::eprintln!(
                "this is a child process of lariat and not meant to be started by hand: {error}"
            );
            ExitCode::BadInput
        }
    }
}

fn verify(request: &VerifyRequest, budget: &Budget, progress: &mut dyn FnMut(Progress)) -> VerifyReport {
    let report = lariat_verify::verify(request, budget, progress);
    // What was decided before the fault must survive it.
    misbehave(|| progress(Progress::Partial(Box::new(report.clone()))));
    report
}

fn angelic(request: &AngelicRequest, budget: &Budget, progress: &mut dyn FnMut(Progress)) -> AngelicReport {
    let report = lariat_angelic::angelic(request, budget, progress);
    misbehave(|| progress(Progress::AngelicPartial(Box::new(report.clone()))));
    report
}

fn conform(request: &ConformRequest, budget: &Budget, progress: &mut dyn FnMut(Progress)) -> ConformReport {
    let report = lariat_conform::run::conform(request, budget, progress);
    misbehave(|| progress(Progress::ConformPartial(Box::new(report.clone()))));
    report
}

/// Does not return if a fault is asked for; `abort` is preceded by a partial report.
fn misbehave(tell: impl FnOnce()) {
    match std::env::var(FAULT_VARIABLE).as_deref() {
        Ok("abort") => {
            tell();
            std::process::abort()
        }
        Ok("panic") => panic!("a fault was asked for by {FAULT_VARIABLE}"),
        Ok("hang") => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        Ok("oom") => {
            let mut eaten = Vec::new();
            loop {
                eaten.push(vec![1_u8; 1 << 20]);
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
        }
        _ => {}
    }
}
