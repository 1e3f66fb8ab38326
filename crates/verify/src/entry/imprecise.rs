//! Executions that depend on more than the real library does.

use std::sync::Arc;

use lariat_interp::{ChangeKind, Event, EventKind, Needed, Replay, deciding_events};
use lariat_ir::{ProcId, StmtId};
use lariat_term::{Value, VarId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::EntryCheck;

impl EntryCheck<'_> {
    /// Why the failure may not happen with the real library: it depends on a value that a model only knows roughly.
    pub(super) fn imprecise(&self, result: &Replay) -> Option<String> {
        let (_, function) = self.rough_values(result).into_iter().next()?;
        let c = self.front_end.c.as_ref()?;
        Some(c.names.reason(&function))
    }

    /// The statements of an execution that gave rough values which its failure depends on.
    pub(super) fn rough_statements(&self, result: &Replay) -> Vec<StmtId> {
        let values = self.rough_values(result).into_iter();
        values.map(|(stmt, _)| stmt).collect()
    }

    /// The same, with the functions that gave them.
    fn rough_values(&self, result: &Replay) -> Vec<(StmtId, Arc<str>)> {
        let Some(c) = self.front_end.c.as_ref() else {
            return Vec::new();
        };
        let (known, partial) = (&c.names.imprecise, &c.names.partial);
        if known.is_empty() && partial.is_empty() {
            return Vec::new();
        }
        let lowered = &self.front_end.program;
        let procs: FxHashSet<ProcId> = result.events.iter().map(|event| event.place.proc).collect();
        let is_own = |proc: &ProcId| !c.is_model(&lowered.procs[*proc].name);
        let own: FxHashSet<ProcId> = procs.into_iter().filter(is_own).collect();
        let deciding = deciding_events(lowered, &result.events, &|proc| own.contains(&proc));
        let mut values = FxHashMap::default();
        let mut rough = Vec::new();
        for (index, event) in result.events.iter().enumerate() {
            note_values(event, &mut values);
            if !deciding.relevant[index] {
                continue;
            }
            let Some(stmt) = event.place.stmt(lowered) else {
                continue;
            };
            let needed = deciding.havocked.get(&index);
            if let Some(name) = known.get(&stmt.id) {
                rough.push((stmt.id, name.clone()));
            } else if let (Some(partial), Some(needed)) = (partial.get(&stmt.id), needed)
                && !is_written(
                    needed,
                    values.get(&(event.activation, partial.from)),
                    values.get(&(event.activation, partial.size)),
                )
            {
                rough.push((stmt.id, partial.function.clone()));
            }
        }
        rough
    }
}

/// The last numbers that variables were set to, by activation.
fn note_values(event: &Event, values: &mut FxHashMap<(u32, VarId), BigInt>) {
    let EventKind::Assign { changes } = &event.kind else {
        return;
    };
    for change in changes {
        if let ChangeKind::Whole { new: Some(new), .. } = &change.kind
            && let Some(number) = number(new)
        {
            values.insert((event.activation, change.var), number);
        }
    }
}

fn number(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(value) | Value::Bv { value, .. } => Some(value.clone()),
        _ => None,
    }
}

/// Whether a function that writes so many bytes from an address on writes all that matters.
fn is_written(needed: &[Needed], from: Option<&BigInt>, size: Option<&BigInt>) -> bool {
    let (Some(from), Some(size)) = (from, size) else {
        return false;
    };
    let is_inside = |address: BigInt| *from <= address && address < from + size;
    needed.iter().all(|needed| match needed {
        Needed::Whole => false,
        Needed::Elements(elements) => elements
            .iter()
            .all(|key| key.first().and_then(number).is_some_and(is_inside)),
    })
}
