//! Why a queue cannot go on.

use std::fmt;
use std::io;

#[derive(Debug)]
pub enum QueueError {
    /// The server cannot be used: where it is, and why.
    Server(String),
    /// A file of the task, of the user's credentials or of this machine.
    File(String),
    /// Children cannot be started.
    Worker(io::Error),
    /// What the observer of a run met.
    Observer(String),
}

impl QueueError {
    /// All that a library knows about its error, the cause last.
    pub(crate) fn server(what: &str, error: &(dyn std::error::Error + 'static)) -> Self {
        QueueError::Server(format!("{what}: {}", chain(error)))
    }
}

/// An error and what caused it. Messages that repeat their cause are told once.
pub(crate) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}

impl fmt::Display for QueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueueError::Server(text) | QueueError::File(text) | QueueError::Observer(text) => {
                f.write_str(text)
            }
            QueueError::Worker(error) => write!(f, "worker processes cannot be started: {error}"),
        }
    }
}

impl std::error::Error for QueueError {}

impl From<io::Error> for QueueError {
    fn from(error: io::Error) -> Self {
        QueueError::Worker(error)
    }
}
