//! Results on standard output, messages on standard error.

use std::io::{self, Write};

use crate::exit::ExitCode;
use crate::style;

/// What the user has to change.
pub fn error(message: &str) {
    let label = style::ERROR;
    anstream::eprintln!("{label}error{label:#}: {message}");
}

/// An error in the arguments, with its exit code.
pub fn usage_error(message: &str) -> ExitCode {
    error(message);
    ExitCode::BadInput
}

pub fn warning(message: &str) {
    let label = style::WARNING;
    anstream::eprintln!("{label}warning{label:#}: {message}");
}

/// Text with its own labels. It must not keep the result from the user, so a failure to write it is ignored.
pub fn remarks(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Prints a result. A closed pipe is not an error: the reader has seen enough.
pub fn result(text: &str) -> Result<(), String> {
    let mut output = anstream::stdout();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// The error of a write to standard output.
pub fn written(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}
