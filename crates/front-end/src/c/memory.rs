//! What an execution found in memory: objects that came to be, and elements that were read before they were written.

use lariat_c_program::Scalar;
use lariat_interp::{Change, ChangeKind, Event, EventKind, Read};
use lariat_report::{FreshObject, MemoryCell};
use lariat_term::{Value, VarId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::FrontEnd;
use crate::rendering;

impl FrontEnd {
    /// The fresh objects of an execution in their order, and what was read of memory before it was written.
    pub fn fresh_memory(&self, events: &[Event]) -> (Vec<FreshObject>, Vec<MemoryCell>) {
        let mut objects = Vec::new();
        let mut reader = MemoryReader {
            front_end: self,
            initial: FxHashMap::default(),
            written: FxHashSet::default(),
            lost: FxHashSet::default(),
            cells: Vec::new(),
        };
        for event in events {
            reader.event(event);
            objects.extend(self.fresh_object(event));
        }
        (objects, reader.cells)
    }

    fn fresh_object(&self, event: &Event) -> Option<FreshObject> {
        let c = self.c.as_ref()?;
        let EventKind::Assign { changes } = &event.kind else {
            return None;
        };
        let stmt = event.place.stmt(&self.program)?;
        let object = c.names.objects.get(&stmt.id)?;
        let address = changes.iter().find_map(|change| match &change.kind {
            ChangeKind::Whole { new: Some(value), .. } => number(value)?.to_u64(),
            _ => None,
        })?;
        Some(FreshObject {
            name: object.as_ref().map(|(name, _)| name.clone()),
            location: object
                .as_ref()
                .map(|(_, span)| rendering::location(&self.sources, *span)),
            address,
        })
    }
}

struct MemoryReader<'a> {
    front_end: &'a FrontEnd,
    /// The maps as they were at the start.
    initial: FxHashMap<VarId, &'a Value>,
    written: FxHashSet<(VarId, BigInt)>,
    /// Maps that were set or lost as a whole.
    lost: FxHashSet<VarId>,
    cells: Vec<MemoryCell>,
}

impl<'a> MemoryReader<'a> {
    fn event(&mut self, event: &'a Event) {
        if let EventKind::Start { values } = &event.kind {
            self.initial
                .extend(values.iter().map(|(var, value)| (*var, value)));
            return;
        }
        let sources = event.flows.iter().flat_map(|flow| &flow.sources);
        for read in event.uses.iter().chain(sources) {
            self.read(read);
        }
        match &event.kind {
            EventKind::Assign { changes } | EventKind::Havoc { changes } => {
                changes.iter().for_each(|change| self.change(change));
            }
            _ => {}
        }
        for flow in &event.flows {
            if let Some(address) = flow.target.indices.as_deref().and_then(address) {
                self.written.insert((flow.target.var, address));
            }
        }
    }

    fn change(&mut self, change: &Change) {
        match &change.kind {
            ChangeKind::Whole { .. } => {
                self.lost.insert(change.var);
            }
            ChangeKind::Elements(elements) => {
                for element in elements {
                    if let Some(address) = address(&element.indices) {
                        self.written.insert((change.var, address));
                    }
                }
            }
        }
    }

    fn read(&mut self, read: &Read) {
        let Some(c) = &self.front_end.c else { return };
        let Some(scalar) = c.names.memory.get(&read.var) else {
            return;
        };
        let Some(address) = read.indices.as_deref().and_then(address) else {
            return;
        };
        if self.lost.contains(&read.var) || !self.written.insert((read.var, address.clone())) {
            return;
        }
        let Some(Value::Map(map)) = self.initial.get(&read.var) else {
            return;
        };
        let pointer_bits = c.program.types.machine.pointer_bits();
        let bits = match scalar {
            Scalar::Bool => 8,
            Scalar::Int { bits, .. } => *bits,
            Scalar::Pointer => pointer_bits,
            Scalar::Float(_) => return,
        };
        let indices = read.indices.clone().unwrap_or_default();
        let Some(value) = number(map.get(&indices)) else {
            return;
        };
        let modulus = BigInt::from(1) << bits;
        let value = ((value % &modulus) + &modulus) % modulus;
        if let (Some(address), Some(value)) = (address.to_u64(), value.to_u64()) {
            self.cells.push(MemoryCell {
                address,
                bytes: bits / 8,
                value,
                pointer: *scalar == Scalar::Pointer,
            });
        }
    }
}

pub(super) fn address(indices: &[Value]) -> Option<BigInt> {
    match indices {
        [index] => number(index),
        _ => None,
    }
}

fn number(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) | Value::Bv { value: number, .. } => Some(number.clone()),
        _ => None,
    }
}
