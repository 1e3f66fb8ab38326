//! Where the text of stages goes (`--log`).

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use lariat_report::{LogStage, LogText};

use crate::say;

/// Standard error by default.
#[derive(Default)]
pub struct Log {
    file: Option<BufWriter<File>>,
    failure: Option<io::Error>,
}

impl Log {
    /// A log in this file, if there is one.
    pub fn open(path: Option<&Path>) -> Result<Self, String> {
        let create = |path: &Path| {
            let file = File::create(path);
            file.map_err(|error| format!("cannot write {}: {error}", path.display()))
        };
        Ok(Log {
            file: path.map(create).transpose()?.map(BufWriter::new),
            failure: None,
        })
    }

    pub fn write(&mut self, log: &LogText) {
        let mut text = String::new();
        if !log.title.is_empty() {
            // Titles are comments in the language of the stage, so that its tools can read the file.
            let comment = if log.stage == LogStage::Smt { ";" } else { "//" };
            text.push_str(&format!("{comment} {}: {}\n", log.stage.name(), log.title));
        }
        text.push_str(&log.text);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let written = match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => io::stderr().write_all(text.as_bytes()),
        };
        if let Err(error) = written {
            self.failure.get_or_insert(error);
        }
    }

    pub fn finish(mut self) {
        if let Some(Err(error)) = self.file.as_mut().map(Write::flush) {
            self.failure.get_or_insert(error);
        }
        if let Some(error) = self.failure {
            say::warning(&format!("the log is not complete: {error}"));
        }
    }
}
