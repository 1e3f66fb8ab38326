//! What is known of an open program beside its procedures: where the environment comes in.
//!
//! Statements and variables are those of the lowered program.

use std::sync::Arc;

use lariat_base::Span;
use lariat_term::{TermId, VarId};

use crate::program::{AssertId, ProcId, StmtId};

/// The open side of a program.
#[derive(Clone, Debug, Default)]
pub struct OpenInfo {
    /// The null pointer.
    pub null: Option<TermId>,
    /// The variables that hold pointers, and the maps whose elements are pointers, if the source distinguishes them from numbers.
    pub pointers: Option<Vec<VarId>>,
    /// The procedures that the environment may call, in the order of the text.
    pub entries: Vec<OpenEntry>,
    /// Havocs whose values the environment chooses, one for each variable.
    pub unknowns: Vec<Unknown>,
    /// Havocs whose values are addresses of fresh memory: different from everything that was there before.
    pub fresh: Vec<(StmtId, VarId)>,
    /// Monitor variables of typestate rules: globals.
    pub typestate: Vec<VarId>,
    /// Assumptions of branches that say that a pointer is null.
    pub null_tests: Vec<StmtId>,
    /// Assertions that no specification may prove: what the user wrote, not the policies.
    pub angelic: Vec<AssertId>,
    /// Calls of procedures without body that may be the end of the path: whether they return, a Boolean that is assumed next.
    pub endings: Vec<Unknown>,
    /// Assertions that are dereferences: a cheap analysis may prove them.
    pub dereferences: Vec<AssertId>,
}

/// A procedure that is analysed with unknown parameters and globals.
#[derive(Clone, Debug)]
pub struct OpenEntry {
    /// As the user calls it.
    pub name: Arc<str>,
    /// What is executed: its parameters and the initial values of the globals are the inputs.
    pub proc: ProcId,
    /// Marked as an entry point by the user.
    pub marked: bool,
}

/// A value that the environment chooses while the program runs.
#[derive(Clone, Debug)]
pub struct Unknown {
    pub stmt: StmtId,
    pub var: VarId,
    /// The procedure without body that gives the value; `None` for a `havoc` that the user wrote.
    pub callee: Option<Arc<str>>,
    /// What the value is, in words of the source: `Lib1()`, `*out after get(out)`, `x` (havocked).
    pub text: Arc<str>,
    pub span: Option<Span>,
}

impl Unknown {
    /// Whether both are what one call of a procedure without body gives: its result, and what it wrote.
    pub fn is_of_same_call(&self, other: &Unknown) -> bool {
        self.callee.is_some()
            && self.span.is_some()
            && (&self.callee, self.span) == (&other.callee, other.span)
    }
}

/// Whether a name has a word that people use for what does not return: `fatal`, `KeBugCheck`, `die_now`.
///
/// A name alone decides nothing: the program must treat each call as the end of its path, and the user sees what is assumed.
pub fn sounds_like_an_end(name: &str) -> bool {
    const WORDS: [&str; 15] = [
        "abort",
        "bug",
        "bugcheck",
        "crash",
        "die",
        "exit",
        "fatal",
        "halt",
        "oom",
        "oops",
        "panic",
        "quit",
        "terminate",
        "throw",
        "unreachable",
    ];
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphabetic() || (was_lower && letter.is_ascii_uppercase()) {
            words.push(String::new());
        }
        was_lower = letter.is_ascii_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_ascii_alphabetic()) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.iter().any(|word| WORDS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_found_in_names() {
        for name in ["fatal", "KeBugCheck", "die_now", "x_FATAL", "myPanic2"] {
            assert!(super::sounds_like_an_end(name), "{name}");
        }
        for name in ["log", "studied", "debug", "exited", "Bugle"] {
            assert!(!super::sounds_like_an_end(name), "{name}");
        }
    }
}
