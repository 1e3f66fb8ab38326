//! Model files that are read when something asks for them.
//!
//! Most programs use a few functions of the library, and parsing all models takes longer than reading a small program. So
//! a model file is parsed when a name is looked for that it defines and no other file has. Which names a file defines is
//! read off its text: clang is what takes the time.

use lariat_base::{Diagnostic, SourceId};
use lariat_c_program::Purpose;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clang::Unit;
use crate::session::Session;

/// Parses the input of a number.
type Parse<'u> = dyn Fn(usize) -> Result<&'u Unit<'u>, Diagnostic> + 'u;

/// The models that have not been read yet.
pub struct Library<'u> {
    parse: &'u Parse<'u>,
    /// The inputs that define a name, with their sources.
    files: FxHashMap<String, Vec<(usize, SourceId)>>,
    /// Functions that no model stands for.
    without_model: FxHashSet<String>,
}

impl<'u> Library<'u> {
    pub fn new(parse: &'u Parse<'u>, without_model: &[String]) -> Self {
        Library {
            parse,
            files: FxHashMap::default(),
            without_model: without_model.iter().cloned().collect(),
        }
    }

    /// Whether a model may stand for a function of this name.
    pub fn may_model(&self, name: &str) -> bool {
        !self.without_model.contains(name)
    }

    pub fn add(&mut self, input: usize, source: SourceId, bytes: &[u8]) {
        for name in defined_names(&String::from_utf8_lossy(bytes)) {
            self.files
                .entry(name.to_owned())
                .or_default()
                .push((input, source));
        }
    }
}

impl Session<'_, '_> {
    /// Reads the models that define a name, unless they have been read.
    pub fn read_library(&mut self, name: &str) {
        for (input, source) in self.library.files.remove(name).unwrap_or_default() {
            if self.units.iter().any(|&(_, _, known)| known == source) {
                continue;
            }
            match (self.library.parse)(input) {
                Ok(unit) => {
                    self.add_unit(unit, Purpose::Model, source);
                    self.report_messages(unit);
                    self.index_unit(unit, Purpose::Model);
                }
                Err(message) => self.diagnostics.push(message),
            }
        }
    }
}

/// What is between two names at the top level of a C file.
enum Token<'t> {
    Name(&'t str),
    Mark(u8),
}

/// The names of functions and variables that a C file defines, and some others: types, and words of the language. A
/// declarator in parentheses is not understood.
pub fn defined_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut item = Item::default();
    let (mut braces, mut parentheses) = (0_u32, 0_u32);
    for token in tokens(text) {
        let outside = braces == 0 && parentheses == 0;
        match token {
            Token::Name(name) if outside && !item.has_value => item.names.push(name),
            Token::Name(_) => {}
            Token::Mark(b'=') => item.has_value |= outside,
            Token::Mark(b'(') => {
                item.has_parameters |= outside && !item.has_value;
                parentheses += 1;
            }
            Token::Mark(b')') => parentheses = parentheses.saturating_sub(1),
            Token::Mark(b'{') => {
                item.has_braces |= outside;
                braces += 1;
            }
            Token::Mark(b'}') => {
                braces = braces.saturating_sub(1);
                if braces == 0 && item.has_parameters && !item.has_value {
                    names.extend(std::mem::take(&mut item).names);
                }
            }
            Token::Mark(b';') if outside => {
                let item = std::mem::take(&mut item);
                if item.has_value || item.has_braces || !item.has_parameters {
                    names.extend(item.names);
                }
            }
            Token::Mark(_) => {}
        }
    }
    names
}

/// A declaration at file scope, as far as it has been read.
#[derive(Default)]
struct Item<'t> {
    names: Vec<&'t str>,
    has_parameters: bool,
    has_value: bool,
    has_braces: bool,
}

/// Names and punctuation, without comments, literals and lines of the preprocessor.
fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            let rest = &text.as_bytes()[start..];
            let find = |end: &str| {
                text.get(start..)?
                    .find(end)
                    .map(|length| start + length + end.len())
            };
            at = match byte {
                b'/' if rest.starts_with(b"//") => find("\n").unwrap_or(bytes.len()),
                b'/' if rest.starts_with(b"/*") => find("*/").unwrap_or(bytes.len()),
                b'#' => end_of_directive(bytes, start),
                b'"' | b'\'' => end_of_literal(bytes, start),
                _ if is_word(&byte) => start + rest.iter().take_while(|byte| is_word(byte)).count(),
                _ => start + 1,
            };
            if is_word(&byte) {
                return text.get(start..at).map(Token::Name);
            }
            if at == start + 1 && !byte.is_ascii_whitespace() {
                return Some(Token::Mark(byte));
            }
        }
        None
    })
}

/// The end of a line that may go on after a backslash.
fn end_of_directive(bytes: &[u8], start: usize) -> usize {
    let ends = |&at: &usize| bytes[at] == b'\n' && bytes[at - 1] != b'\\';
    (start + 1..bytes.len()).find(ends).unwrap_or(bytes.len())
}

fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::defined_names;

    #[test]
    fn definitions_are_told_from_declarations() {
        let text = "typedef unsigned long size_t;\n\
            #define TWICE(x) \\\n  hidden(x) { }\n\
            void *malloc(size_t n); // not ours: int no(void) {}\n\
            static int counter = 1, other(void);\n\
            char *names[] = { \"a{\", \"}\" };\n\
            int twice(int x) /* ( */ { char c = '{'; return inner(x) + c; }\n\
            long\nadd(long a, long b) { if (a) { b++; } return a + b; }\n\
            extern struct file { int x; } *stream;\n";
        let names = defined_names(text);
        for name in ["counter", "names", "twice", "add", "stream"] {
            assert!(names.contains(&name), "{name} of {names:?}");
        }
        for name in ["malloc", "no", "inner", "hidden", "x", "a", "c"] {
            assert!(!names.contains(&name), "{name} of {names:?}");
        }
    }
}
