//! `lariat lsp`: the language server on standard input and output.

use clap::Args;
use lariat_lsp::Options;
use lariat_options::CArguments;
use lariat_report::VerifyRequest;
use lsp_server::Connection;

use crate::command::supervisor;
use crate::exit::ExitCode;
use crate::format::html;
use crate::{say, verify};

#[derive(Args, Debug)]
pub struct LspArguments {
    /// Talk over standard input and output; this is always so, and editors like to say it
    #[arg(long)]
    pub stdio: bool,

    /// Do not verify when a file is opened or saved, only when the user asks
    #[arg(long)]
    pub on_demand: bool,

    /// Seconds for one verification
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub seconds: f64,

    #[command(flatten)]
    pub c: CArguments,
}

pub fn run(arguments: &LspArguments) -> ExitCode {
    let supervisor = match supervisor() {
        Ok(supervisor) => supervisor,
        Err(error) => return say::usage_error(&error.to_string()),
    };
    let (connection, threads) = Connection::stdio();
    let options = Options {
        supervisor,
        request: VerifyRequest {
            c: arguments.c.options(),
            all: true,
            steps: true,
            ..VerifyRequest::default()
        },
        seconds: arguments.seconds,
        verify_on_save: !arguments.on_demand,
        page: Box::new(|report| html::render(&verify::view(report))),
    };
    let served = lariat_lsp::serve(&connection, options);
    drop(connection);
    let joined = threads.join().map_err(|error| error.to_string());
    match served.and(joined) {
        Ok(()) => ExitCode::Success,
        Err(message) => say::usage_error(&message),
    }
}
