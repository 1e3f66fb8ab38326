//! What an execution did: data for display and for the slice over it.

use lariat_base::Span;
use lariat_ir::{AssertId, BlockId, ExternalLocation, Origin, ProcId, Program, Stmt};
use lariat_term::{Value, VarId};

/// A statement, or with the index after the last one the terminator of the block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub proc: ProcId,
    pub block: BlockId,
    pub index: usize,
}

impl Place {
    /// `None` for a terminator.
    pub fn stmt(self, program: &Program) -> Option<&Stmt> {
        program.procs[self.proc].blocks[self.block].stmts.get(self.index)
    }

    pub fn span(self, program: &Program) -> Option<Span> {
        match self.stmt(program) {
            Some(stmt) => stmt.span,
            None => program.procs[self.proc].blocks[self.block].span,
        }
    }

    pub fn origin(self, program: &Program) -> Option<&Origin> {
        Some(&self.stmt(program)?.origin)
    }

    pub fn location(self, program: &Program) -> Option<&ExternalLocation> {
        self.stmt(program)?.location.as_deref()
    }
}

#[derive(Clone, Debug)]
pub struct Event {
    pub place: Place,
    pub kind: EventKind,
    /// Which activation of the procedure: numbered from 0, the entry, in the order of calls.
    pub activation: u32,
    /// Which thread: numbered from 0, the first one, in the order of their creation.
    pub thread: u32,
    /// How many calls are open.
    pub depth: u32,
    /// What the statement looked at to go on: the condition of an assume or assert.
    pub uses: Vec<Read>,
    /// What it assigned, from what.
    pub flows: Vec<Flow>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The entry is called: the values that the trace gives its parameters, globals and constants.
    Start {
        values: Vec<(VarId, Value)>,
    },
    Assign {
        changes: Vec<Change>,
    },
    Havoc {
        changes: Vec<Change>,
    },
    Assume,
    AssertHeld,
    /// With the values that the condition read.
    AssertFailed {
        assert: AssertId,
        values: Vec<(Read, Value)>,
    },
    /// A value that the program shows. `None`: any value.
    Record {
        value: Option<Value>,
    },
    /// A jump with several targets.
    Branch {
        target: BlockId,
    },
    /// Parameters of the callee and their values; `activation` is the callee's.
    Call {
        callee: ProcId,
        activation: u32,
        arguments: Vec<(VarId, Option<Value>)>,
    },
    /// Back in the caller: its variables that took the results.
    Return {
        callee: ProcId,
        activation: u32,
        changes: Vec<Change>,
        /// Outs of the callee with their values.
        results: Vec<(VarId, Option<Value>)>,
    },
    /// A call that the trace leaves out because it does not matter.
    Skipped {
        callee: ProcId,
    },
}

/// A variable, or an element of a map, that an event read or wrote.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Read {
    /// `None` for globals and constants.
    pub activation: Option<u32>,
    pub var: VarId,
    /// The element, if only one was touched.
    pub indices: Option<Vec<Value>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    pub target: Read,
    pub sources: Vec<Read>,
    /// The target is the first source: elements of maps keep their indices.
    pub is_copy: bool,
}

/// A variable that has another value now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub var: VarId,
    pub kind: ChangeKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// `None`: any value; no later step depended on it so far.
    Whole { old: Option<Value>, new: Option<Value> },
    /// The elements of a map that changed.
    Elements(Vec<ElementChange>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ElementChange {
    pub indices: Vec<Value>,
    pub old: Value,
    pub new: Value,
}

impl Change {
    /// The difference of two values of a variable; `None` if there is none.
    pub(crate) fn between(var: VarId, old: Option<Value>, new: Option<Value>) -> Option<Change> {
        if old.is_some() && old == new {
            return None;
        }
        if let (Some(Value::Map(before)), Some(Value::Map(after))) = (&old, &new)
            && before.default == after.default
        {
            let written = after.entries().filter(|(key, value)| before.get(key) != *value);
            let removed = before
                .entries()
                .filter(|(key, _)| after.get(key) == &after.default);
            let mut keys: Vec<&Vec<Value>> = written
                .map(|(key, _)| key)
                .chain(removed.map(|(key, _)| key))
                .collect();
            keys.sort_unstable();
            keys.dedup();
            let elements = keys
                .into_iter()
                .map(|key| ElementChange {
                    indices: key.clone(),
                    old: before.get(key).clone(),
                    new: after.get(key).clone(),
                })
                .collect();
            return Some(Change {
                var,
                kind: ChangeKind::Elements(elements),
            });
        }
        Some(Change {
            var,
            kind: ChangeKind::Whole { old, new },
        })
    }
}
