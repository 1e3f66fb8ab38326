//! rule file ─> `Rule` ─ c-lower ─> assertions and assignments at calls
//!
//! Typestate rules: a finite state for each object, or one number for the whole program, that calls require and change.
//! A rule is a small TOML file; the classic ones are shipped.
//!
//! ```toml
//! name = "lock"
//! description = "Locks are taken and released in alternation."
//! kind = "object"                     # or "global": one state for the whole program
//! states = ["unlocked", "locked"]     # numbered from 0; a global rule without states is a counter
//! fresh = "unlocked"                  # of memory that the program allocates; the first state if left out
//! incoming = "unlocked"               # of objects of the environment; any state if left out
//! null = "object"                     # null is required to be in a state too; "ignored" if left out
//!
//! [[event]]
//! call = ["spin_lock", "*_mutex_lock"]    # `*`: any text
//! object = 1                              # an argument, counted from 1, or "result"
//! require = "unlocked"                    # one of these; also `<= locked`, `!= 2`
//! message = "a lock is taken twice"
//! set = "locked"
//! ```
//!
//! Other keys of an event: `on = "dereference"` (of the object) or `on = "exit"` (the end of an entry) instead of `call`;
//! `forbid` instead of `require` or in addition to it; `add = 1` for counters; `set-argument = 2` (the state becomes the argument's
//! value) and `keep-old = 2` (the state is stored where the argument points to); `when = "result == 0"`: the state changes only if the
//! call returned this.
//!
//! Invariants of a [`Rule`]: states of conditions and effects exist; an event of an object rule that is a call names its
//! object; numbers of arguments are counted from 0 here.

mod read;

use std::path::Path;

use lariat_base::names::matches_pattern;
use lariat_base::{Diagnostic, Diagnostics, SourceMap};

/// How something must be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    pub name: String,
    pub description: String,
    pub kind: RuleKind,
    /// Names of the states; a counter has none.
    pub states: Vec<String>,
    /// The state of what the program allocates: of object rules.
    pub fresh: i64,
    /// The state of everything else when an entry starts; `None`: any.
    pub incoming: Option<i64>,
    /// Nothing is required of null: `free(NULL)` does nothing.
    pub ignores_null: bool,
    pub events: Vec<Event>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleKind {
    /// Each object has a state, by its address.
    Object,
    /// There is one state.
    Global,
}

/// What requires or changes the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub trigger: Trigger,
    /// Of object rules only, and not of dereferences and exits.
    pub object: Option<Object>,
    /// One of these must hold, unless there are none.
    pub require: Vec<Condition>,
    /// None of these may hold.
    pub forbid: Vec<Condition>,
    pub message: String,
    pub effect: Effect,
    /// The state before is stored where this argument points to.
    pub keep_old: Option<usize>,
    /// The state changes only if the result of the call is so.
    pub when: Option<ResultIs>,
}

/// `result == 0`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultIs {
    pub comparison: Comparison,
    pub number: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// A call of a function with one of these names, in which `*` is any text.
    Call(Vec<String>),
    /// Any access through a pointer to the object.
    Dereference,
    /// The environment gets control back.
    Exit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    Argument(usize),
    Result,
}

/// A condition on a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    pub comparison: Comparison,
    pub state: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Keep,
    Set(i64),
    Add(i64),
    /// To the value of an argument.
    SetArgument(usize),
}

/// The rules that come with Lariat: names and texts.
pub const SHIPPED: [(&str, &str); 5] = [
    ("lock", include_str!("../rules/lock.toml")),
    ("open-close", include_str!("../rules/open-close.toml")),
    ("double-free", include_str!("../rules/double-free.toml")),
    ("use-after-free", include_str!("../rules/use-after-free.toml")),
    ("irql", include_str!("../rules/irql.toml")),
];

impl Rule {
    /// The rule as after a harness that has set up its monitor: what a fresh object is, every object is when an entry
    /// starts. A state that the rule names itself (`incoming`) stays.
    pub fn set_up(self) -> Rule {
        Rule {
            incoming: self.incoming.or(Some(self.fresh)),
            ..self
        }
    }
}

impl Event {
    /// Whether a call of a function with this name is one.
    pub fn is_call_of(&self, name: &str) -> bool {
        match &self.trigger {
            Trigger::Call(patterns) => patterns.iter().any(|pattern| matches_pattern(pattern, name)),
            Trigger::Dereference | Trigger::Exit => false,
        }
    }
}

/// Reads rules: each is the name of one that is shipped, or a file. Those with errors are left out.
pub fn load(wanted: &[String], sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for name in wanted {
        let shipped = SHIPPED.iter().find(|(shipped, _)| shipped == name);
        let text = match shipped {
            Some((_, text)) => Ok((*text).to_owned()),
            None => std::fs::read_to_string(name),
        };
        let path = match shipped {
            Some((shipped, _)) => format!("rules/{shipped}.toml"),
            None => name.clone(),
        };
        match text {
            Ok(text) => {
                let Some(rule) = parse(Path::new(&path), &text, sources, diagnostics) else {
                    continue;
                };
                if !rules.iter().any(|other| other.name == rule.name) {
                    rules.push(rule);
                }
            }
            Err(error) => diagnostics.push(no_rule(name, &error)),
        }
    }
    rules
}

fn no_rule(name: &str, error: &std::io::Error) -> Diagnostic {
    let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
    let looks_like_file = name.contains('/') || name.ends_with(".toml");
    let message = match looks_like_file {
        true => format!("cannot read the rule {name}: {error}"),
        false => format!("there is no rule `{name}`"),
    };
    Diagnostic::global_error("no-such-rule", message).hint(format!(
        "shipped are {}; everything else is the path of a rule file",
        names.join(", ")
    ))
}

/// Reads the text of a rule file. `None` if it has errors.
pub fn parse(
    path: &Path,
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Rule> {
    let source = sources.add(path, text);
    read::rule(text, source, diagnostics)
}
