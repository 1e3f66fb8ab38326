//! `lariat cover`.

mod suite;
mod view;

use std::path::PathBuf;

use clap::Args;
use lariat_options::{CArguments, Engine, Language};
use lariat_report::{CoverAim, CoverReport, CoverRequest, VerifyRequest};
use lariat_worker::{Order, Outcome, StopSignal};

use crate::arguments::{Arguments, SearchArguments};
use crate::command::{self, Command, LimitArguments, OutputArguments};
use crate::exit::ExitCode;
use crate::log::Log;
use crate::say;
use crate::view::View;

pub use view::{add_coverage, view};

#[derive(Args, Debug)]
pub struct CoverArguments {
    /// Files of one program: Boogie (`.bpl`) or C (`.c`, preprocessed `.i`)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Language of the files [default: by the extension `.c`, `.i`, `.h` or `.bpl`, else by the text]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<Language>,

    /// Start from this procedure or function; may be repeated. A goal is dead if none of them reaches it [default: the
    /// implementation or procedure marked `{:entrypoint}`, else `main`]
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,

    /// What to reach: `branch` (each side of each condition), `line`, `error` (each failure of an assertion or check), or the
    /// name of a label
    #[arg(long, value_name = "GOAL", default_value = "branch")]
    pub goal: String,

    /// Stop executing with random inputs when this many executions in a row reach nothing new; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = CoverRequest::DEFAULT_RUNS, help_heading = "Search")]
    pub runs: u32,

    /// Only execute with random inputs, to compare with
    #[arg(long, help_heading = "Search")]
    pub random_only: bool,

    #[command(flatten)]
    pub search: SearchArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,

    #[command(flatten)]
    pub c: CArguments,

    /// Write the executions as tests to this folder: C programs, and a suite in the format of Test-Comp
    #[arg(long, value_name = "DIR", help_heading = "Options for C")]
    pub tests: Option<PathBuf>,

    /// Compile and run the tests, and compare what gcov counts with what is claimed
    #[arg(long, requires = "tests", help_heading = "Options for C")]
    pub measure: bool,
}

pub fn run(arguments: &CoverArguments, common: &Arguments) -> ExitCode {
    let request = match request(arguments) {
        Ok(request) => request,
        Err(message) => return say::usage_error(&message),
    };
    let cover = Cover {
        order: arguments.limits.order(request),
        arguments,
    };
    command::run(&cover, common, Log::default())
}

fn request(arguments: &CoverArguments) -> Result<CoverRequest, String> {
    let engine = match arguments.search.engine[..] {
        [] => Engine::default(),
        [engine] => engine,
        _ => return Err("`cover` takes one `--engine`".to_owned()),
    };
    if let Some(file) = arguments.files.iter().find(|file| file.to_str().is_none()) {
        return Err(format!("the name of {} is not valid Unicode", file.display()));
    }
    let mut program = VerifyRequest {
        files: arguments.files.clone(),
        language: arguments.language,
        entries: arguments.entry.clone(),
        c: arguments.c.options(),
        color: arguments.output.color(),
        ..arguments.search.request(engine)
    };
    if arguments.tests.is_some() && !program.is_c() {
        return Err("`--tests` is for programs in C (`.c` or `.i`)".to_owned());
    }
    program.deepen = arguments.search.bound.is_none() && program.is_c();
    Ok(CoverRequest {
        program,
        aim: CoverAim::parse(&arguments.goal),
        runs: arguments.runs,
        search: !arguments.random_only,
    })
}

struct Cover<'a> {
    arguments: &'a CoverArguments,
    order: Order<CoverRequest>,
}

impl Command for Cover<'_> {
    type Request = CoverRequest;

    fn order(&self) -> &Order<CoverRequest> {
        &self.order
    }

    fn output(&self) -> &OutputArguments {
        &self.arguments.output
    }

    fn complete(&self, outcome: &mut Outcome<CoverReport>, _stop: &StopSignal, _common: &Arguments) {
        let Some(folder) = &self.arguments.tests else {
            return;
        };
        let measured = self.arguments.measure;
        if let Err(message) = suite::write(&mut outcome.report, &self.order.request, folder, measured) {
            say::warning(&message);
        }
    }

    fn view<'r>(&'r self, report: &'r CoverReport) -> View<'r> {
        view(report)
    }

    fn exit_code(&self, report: &CoverReport) -> ExitCode {
        ExitCode::of_cover(report)
    }
}
