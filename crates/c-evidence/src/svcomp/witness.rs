//! What both formats of witnesses have in common.

use std::io;
use std::path::PathBuf;

use lariat_report::{Failure, Input, Location, Machine, TraceKind};
use sha2::{Digest, Sha256};

use crate::scan::{self, Token};

/// What a witness is about.
#[derive(Clone, Debug)]
pub struct WitnessTask<'a> {
    pub(super) kind: WitnessKind<'a>,
    pub(super) files: Vec<WitnessFile>,
    /// The text of the property.
    pub(super) specification: &'a str,
    pub(super) machine: Machine,
    /// The function to start from.
    pub(super) entry: &'a str,
    /// The version of Lariat.
    pub(super) version: &'a str,
    /// ISO 8601.
    pub(super) creation_time: &'a str,
}

/// What a witness claims.
#[derive(Clone, Copy, Debug)]
pub enum WitnessKind<'a> {
    /// The property holds.
    Correctness,
    /// An execution violates it.
    Violation(&'a Failure),
}

#[derive(Clone, Debug)]
pub struct WitnessFile {
    /// As it was given.
    pub name: String,
    pub text: String,
    /// SHA-256, in hexadecimal digits.
    pub hash: String,
}

impl<'a> WitnessTask<'a> {
    /// Reads the files of the program.
    pub fn read(
        kind: WitnessKind<'a>,
        files: &[PathBuf],
        specification: &'a str,
        machine: Machine,
        entry: &'a str,
        version: &'a str,
        creation_time: &'a str,
    ) -> io::Result<Self> {
        let mut read = Vec::new();
        for file in files {
            let bytes = std::fs::read(file)?;
            read.push(WitnessFile {
                name: file.display().to_string(),
                hash: hexadecimal(&Sha256::digest(&bytes)),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            });
        }
        Ok(WitnessTask {
            kind,
            files: read,
            specification,
            machine,
            entry,
            version,
            creation_time,
        })
    }

    /// An identifier by RFC 9562 (version 8), determined by everything that the witness is about.
    pub(super) fn uuid(&self) -> String {
        let mut digest = Sha256::new();
        for part in [self.creation_time, self.specification, self.version] {
            digest.update(part);
            digest.update([0]);
        }
        for file in &self.files {
            digest.update(&file.hash);
        }
        let mut bytes = digest.finalize();
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let digits = hexadecimal(&bytes[..16]);
        let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
        parts.join("-")
    }

    /// The file that a location names.
    pub(super) fn file_of(&self, location: &Location) -> Option<&WitnessFile> {
        let by_name = self.files.iter().find(|file| file.name == location.file);
        match self.files.as_slice() {
            [only] if by_name.is_none() => {
                let same =
                    std::path::absolute(&only.name).ok()? == std::path::absolute(&location.file).ok()?;
                same.then_some(only)
            }
            _ => by_name,
        }
    }

    /// The inputs that a validator can use: calls that are found in the text and whose results are
    /// integers. The list ends before the first call that is not found, because a later answer could
    /// be taken for that of an earlier call.
    pub(super) fn answers(&self, failure: &'a Failure) -> Vec<FoundAnswer<'a>> {
        let mut found = Vec::new();
        for input in failure.inputs.iter().filter(|input| input.function != self.entry) {
            if self.is_variable(input) {
                continue;
            }
            let Some(call) = self.find_call(input) else {
                break;
            };
            // Its type decides whether the results of a call are included, always or never.
            if is_integer(&input.value) {
                found.push(FoundAnswer { input, ..call });
            }
        }
        found
    }

    /// Whether an input is the value of a variable without initialiser.
    fn is_variable(&self, input: &Input) -> bool {
        input.location.as_ref().is_some_and(|location| {
            self.file_of(location).is_some_and(|file| {
                let tokens = scan::tokens(&file.text);
                scan::variable_at(&tokens, &input.function, location.line, location.column).is_some()
            })
        })
    }

    fn find_call(&self, input: &'a Input) -> Option<FoundAnswer<'a>> {
        let location = input.location.as_ref()?;
        let file = self.file_of(location)?;
        let tokens = scan::tokens(&file.text);
        let calls = |at: usize| {
            let (name, next) = (tokens[at], tokens.get(at + 1));
            name.line == location.line
                && name.text == input.function
                && next.is_some_and(|next| next.text == "(")
        };
        let on_line: Vec<usize> = (0..tokens.len()).filter(|&at| calls(at)).collect();
        let exact = on_line.iter().find(|&&at| tokens[at].column == location.column);
        let at = match (exact, on_line.as_slice()) {
            (Some(&at), _) | (None, &[at]) => at,
            _ => return None,
        };
        let end = scan::closing(&tokens, at + 1)?;
        Some(FoundAnswer {
            input,
            file: file.name.clone(),
            call_line: tokens[at].line,
            line: tokens[end].line,
            column: tokens[end].column,
            function: function_at(&tokens, location.line),
        })
    }

    /// How the threads of an execution alternate; nothing if there is only one.
    pub(super) fn schedule(&self, failure: &Failure) -> Vec<Turn> {
        let mut turns = Vec::new();
        if thread_of_failure(failure).is_none() {
            return turns;
        }
        let mut running = 1;
        for line in &failure.trace {
            let Some(thread) = line.thread else { continue };
            let started = line.text.strip_prefix("starts with ");
            if let (TraceKind::Call, Some(function)) = (line.kind, started) {
                turns.push(Turn::Starts {
                    thread: thread - 1,
                    function: function.to_owned(),
                });
                continue;
            }
            let place = line.location.as_ref().filter(|_| !line.is_library);
            if thread == running || line.kind != TraceKind::Statement {
                continue;
            }
            if let Some(place) = place
                && let Some(file) = self.file_of(place)
            {
                running = thread;
                let text = file.text.lines().nth(place.line.saturating_sub(1) as usize);
                let before = text
                    .unwrap_or("")
                    .chars()
                    .take(place.column.saturating_sub(1) as usize);
                turns.push(Turn::GoesOn {
                    is_first: before.into_iter().all(char::is_whitespace),
                    thread: thread - 1,
                    file: file.name.clone(),
                    function: self.function_at(place),
                    line: place.line,
                    column: place.column,
                });
            }
        }
        turns
    }

    /// The function around a line.
    pub(super) fn function_at(&self, location: &Location) -> Option<String> {
        function_at(&scan::tokens(&self.file_of(location)?.text), location.line)
    }
}

/// What changes which thread runs. Threads are numbered from 0, in the order of their creation.
#[derive(Clone, Debug)]
pub enum Turn {
    Starts {
        thread: u32,
        function: String,
    },
    /// The thread goes on with the statement at this place.
    GoesOn {
        thread: u32,
        /// Whether it is the first on its line.
        is_first: bool,
        file: String,
        function: Option<String>,
        line: u32,
        column: u32,
    },
}

/// The thread that fails, numbered from 0, if there are several.
pub fn thread_of_failure(failure: &Failure) -> Option<u32> {
    let last = failure.trace.iter().rev().find_map(|line| line.thread)?;
    Some(last.saturating_sub(1))
}

/// A call whose result is known.
#[derive(Clone, Debug)]
pub struct FoundAnswer<'a> {
    pub input: &'a Input,
    pub file: String,
    /// Where the call starts.
    pub call_line: u32,
    /// Of its closing parenthesis.
    pub line: u32,
    pub column: u32,
    /// The function that it stands in.
    pub function: Option<String>,
}

fn function_at(tokens: &[Token<'_>], line: u32) -> Option<String> {
    let definitions = scan::definitions(tokens);
    let around = definitions
        .iter()
        .find(|one| (one.lines.0..=one.lines.1).contains(&line))?;
    Some(around.name.to_owned())
}

/// An integer constant, with or without sign and suffix.
pub fn is_integer(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
