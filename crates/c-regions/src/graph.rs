//! The graph of abstract memory: nodes with byte-offset fields, joined by union-find.
//!
//! A node stands for a set of objects that share one coordinate: byte `k` of each of them lies at offset `k` plus the
//! object's own offset in the node, modulo the node's stride if that is not 0. A [`Cell`] is an offset in a node. Offsets
//! are signed because a pointer may be seen before it is known that it points to the middle of something
//! (`container_of`).
//!
//! Invariants (after every public operation):
//! - a node that is not a root has a parent and a shift, by which its offsets move when they are read in the parent;
//! - offsets in a root's tables are normal: in `0..stride` if the stride is not 0;
//! - pointers that are stored at overlapping places of one root point to one cell, apart from their offset;
//! - what is stored in an external root points to the external node.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use lariat_c_program::{FloatKind, FunctionId, NodeId, RecordId, Scalar};

use crate::Variable;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MemoryId(u32);
entity_impl!(MemoryId, "m");

/// A place in memory, as the analysis knows it: opaque to others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub(crate) node: MemoryId,
    pub(crate) offset: i64,
}

impl Cell {
    pub(crate) fn plus(self, bytes: i64) -> Cell {
        Cell {
            node: self.node,
            offset: self.offset.wrapping_add(bytes),
        }
    }
}

/// What is allocated in a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Object {
    Variable(Variable),
    /// By the call.
    Heap(NodeId),
    /// The extra arguments of variadic calls.
    Varargs,
}

/// How a value lies in its bytes. Values of one class and size can share the elements of a map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Class {
    Bool,
    /// Integers of either sign, and pointers.
    Int,
    Float(FloatKind),
    /// A range of bytes, copied or set as such.
    Raw,
}

impl Class {
    pub(crate) fn of(scalar: Scalar) -> Class {
        match scalar {
            Scalar::Bool => Class::Bool,
            Scalar::Int { .. } | Scalar::Pointer => Class::Int,
            Scalar::Float(kind) => Class::Float(kind),
        }
    }
}

/// Bits `8 * offset + shift ..+ width` of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AccessKey {
    pub offset: i64,
    pub shift: u32,
    pub width: u64,
    pub class: Class,
}

/// All accesses of one key.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AccessInfo {
    pub signed: u32,
    pub unsigned: u32,
    pub pointers: u32,
    /// Bytes of the scalar's type.
    pub bytes: u64,
    /// Bits of the scalar's type; of a bit-field, of the declared type.
    pub bits: u32,
    pub reads: bool,
    /// By more than initialisers and copies of whole records.
    pub writes: bool,
    pub initializes: bool,
    /// A value that may be part of an address is read from these bytes into an integer that is not followed.
    pub exposes: bool,
    /// Such an integer is written to these bytes.
    pub forges: bool,
    /// The field that the access names, the first seen.
    pub label: Option<(RecordId, u32)>,
}

impl AccessInfo {
    pub(crate) fn absorb(&mut self, other: &AccessInfo) {
        self.signed = self.signed.saturating_add(other.signed);
        self.unsigned = self.unsigned.saturating_add(other.unsigned);
        self.pointers = self.pointers.saturating_add(other.pointers);
        self.bytes = self.bytes.max(other.bytes);
        self.bits = self.bits.max(other.bits);
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.initializes |= other.initializes;
        self.exposes |= other.exposes;
        self.forges |= other.forges;
        self.label = self.label.or(other.label);
    }

    /// Something else than an initialiser or the target of a copy.
    pub(crate) fn is_needed(&self) -> bool {
        self.reads || self.writes
    }
}

/// What is known of a root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// 0: offsets are exact.
    pub stride: u64,
    pub edges: BTreeMap<i64, Cell>,
    pub accesses: BTreeMap<AccessKey, AccessInfo>,
    pub objects: BTreeMap<Object, i64>,
    pub functions: BTreeSet<FunctionId>,
    /// Unknown functions that may have stored or returned a pointer to this: it may be whatever they could reach. Kept
    /// only while nobody uses the pointer but to give it to further unknown functions.
    pub origins: BTreeSet<usize>,
    /// Holds values and no objects: a variable that is never in memory, the value of a call. Accesses are not recorded.
    pub is_value: bool,
    /// A pointer to this is called.
    pub called: bool,
    /// Unknown code may have put objects here.
    pub external: bool,
    /// An address of this may be in an integer that is narrower than a pointer.
    pub exposed: bool,
    /// A pointer to this may have been made of such an integer.
    pub forged: bool,
    /// Unknown bytes were written here: the pointers in it may have been made of such integers.
    pub filled: bool,
}

impl Memory {
    /// Nothing is here: a pointer to it is at most compared and copied.
    pub(crate) fn is_inert(&self) -> bool {
        self.edges.is_empty()
            && self.accesses.is_empty()
            && self.objects.is_empty()
            && self.functions.is_empty()
    }

    fn weight(&self) -> usize {
        self.edges.len() + self.accesses.len() + self.objects.len() + self.functions.len()
    }

    pub(crate) fn normal(&self, offset: i64) -> i64 {
        match i64::try_from(self.stride) {
            Ok(0) | Err(_) => offset,
            Ok(stride) => offset.rem_euclid(stride),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Link {
    parent: MemoryId,
    shift: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Graph {
    links: PrimaryMap<MemoryId, Link>,
    memories: PrimaryMap<MemoryId, Memory>,
    /// What unknown functions were given, by call.
    given: Vec<Vec<Cell>>,
    /// Pairs that are to be one, not done yet.
    pending: Vec<(Cell, Cell)>,
    pointer_bytes: u64,
    external: Cell,
    /// Grows whenever something changes that a later round may have to look at again.
    changes: u64,
}

impl Graph {
    pub(crate) fn new(pointer_bytes: u64) -> Graph {
        let mut graph = Graph {
            links: PrimaryMap::new(),
            memories: PrimaryMap::new(),
            given: Vec::new(),
            pending: Vec::new(),
            pointer_bytes,
            external: Cell {
                node: MemoryId::new(0),
                offset: 0,
            },
            changes: 0,
        };
        graph.external = graph.fresh();
        let root = &mut graph.memories[graph.external.node];
        root.external = true;
        root.stride = 1;
        graph
    }

    pub(crate) fn fresh(&mut self) -> Cell {
        let node = self.memories.push(Memory::default());
        self.links.push(Link {
            parent: node,
            shift: 0,
        });
        Cell { node, offset: 0 }
    }

    /// A place for values that are never in memory.
    pub(crate) fn fresh_value(&mut self) -> Cell {
        let cell = self.fresh();
        self.memories[cell.node].is_value = true;
        cell
    }

    /// Memory of unknown code; every pointer of unknown origin points to it. Its stride is 1.
    pub(crate) fn external(&self) -> Cell {
        self.external
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    pub(crate) fn pointer_bytes(&self) -> u64 {
        self.pointer_bytes
    }

    /// The same place, in a root and normal.
    pub(crate) fn find(&self, cell: Cell) -> Cell {
        let mut node = cell.node;
        let mut offset = cell.offset;
        loop {
            let link = self.links[node];
            if link.parent == node {
                return Cell {
                    node,
                    offset: self.memories[node].normal(offset),
                };
            }
            offset = offset.wrapping_add(link.shift);
            node = link.parent;
        }
    }

    fn find_and_compress(&mut self, cell: Cell) -> Cell {
        let mut node = cell.node;
        let mut total = 0i64;
        while self.links[node].parent != node {
            total = total.wrapping_add(self.links[node].shift);
            node = self.links[node].parent;
        }
        let root = node;
        let (mut node, mut rest) = (cell.node, total);
        while self.links[node].parent != root && node != root {
            let link = self.links[node];
            self.links[node] = Link {
                parent: root,
                shift: rest,
            };
            rest = rest.wrapping_sub(link.shift);
            node = link.parent;
        }
        Cell {
            node: root,
            offset: self.memories[root].normal(cell.offset.wrapping_add(total)),
        }
    }

    /// All paths become short; for the time after the analysis.
    pub(crate) fn compress(&mut self) {
        for node in self.memories.keys().collect::<Vec<_>>() {
            self.find_and_compress(Cell { node, offset: 0 });
        }
    }

    pub(crate) fn roots(&self) -> impl Iterator<Item = MemoryId> + '_ {
        self.links
            .iter()
            .filter(|(node, link)| *node == link.parent)
            .map(|(node, _)| node)
    }

    /// Of a root.
    pub(crate) fn memory(&self, root: MemoryId) -> &Memory {
        &self.memories[root]
    }

    pub(crate) fn at(&self, cell: Cell) -> &Memory {
        &self.memories[self.find(cell).node]
    }

    fn root_mut(&mut self, cell: Cell) -> (Cell, &mut Memory) {
        let cell = self.find_and_compress(cell);
        (cell, &mut self.memories[cell.node])
    }

    pub(crate) fn add_object(&mut self, cell: Cell, object: Object) {
        let (cell, memory) = self.root_mut(cell);
        memory.objects.insert(object, cell.offset);
        self.changes += 1;
    }

    pub(crate) fn add_function(&mut self, cell: Cell, function: FunctionId) {
        let (_, memory) = self.root_mut(cell);
        memory.functions.insert(function);
        self.changes += 1;
    }

    /// Notes a call of an unknown function.
    pub(crate) fn add_call(&mut self, given: Vec<Cell>) -> usize {
        self.given.push(given);
        self.changes += 1;
        self.given.len() - 1
    }

    /// The call may have made a pointer to this.
    pub(crate) fn add_origin(&mut self, cell: Cell, call: usize) {
        let (_, memory) = self.root_mut(cell);
        let changed = memory.origins.insert(call);
        self.changes += u64::from(changed);
    }

    pub(crate) fn set_called(&mut self, cell: Cell) {
        let (_, memory) = self.root_mut(cell);
        let changed = !std::mem::replace(&mut memory.called, true);
        self.changes += u64::from(changed);
    }

    pub(crate) fn set_exposed(&mut self, cell: Cell) {
        let (_, memory) = self.root_mut(cell);
        let changed = !std::mem::replace(&mut memory.exposed, true);
        self.changes += u64::from(changed);
    }

    pub(crate) fn set_forged(&mut self, cell: Cell) {
        let (_, memory) = self.root_mut(cell);
        let changed = !std::mem::replace(&mut memory.forged, true);
        self.changes += u64::from(changed);
    }

    pub(crate) fn set_filled(&mut self, cell: Cell) {
        let (_, memory) = self.root_mut(cell);
        let changed = !std::mem::replace(&mut memory.filled, true);
        self.changes += u64::from(changed);
    }

    pub(crate) fn set_external(&mut self, cell: Cell) {
        let external = self.external;
        let (_, memory) = self.root_mut(cell);
        if !std::mem::replace(&mut memory.external, true) {
            let targets: Vec<Cell> = memory.edges.values().copied().collect();
            self.pending
                .extend(targets.into_iter().map(|target| (target, external)));
            self.changes += 1;
            self.settle();
        }
    }

    /// Records accesses to these bits.
    pub(crate) fn access(&mut self, cell: Cell, mut key: AccessKey, info: AccessInfo) {
        let (cell, memory) = self.root_mut(cell);
        if memory.is_value {
            return;
        }
        key.offset = cell.offset;
        match memory.accesses.get_mut(&key) {
            Some(known) => known.absorb(&info),
            None => {
                memory.accesses.insert(key, info);
                self.changes += 1;
            }
        }
    }

    /// Where the pointer that is stored there points to.
    pub(crate) fn edge(&mut self, cell: Cell) -> Cell {
        let cell = self.find_and_compress(cell);
        if let Some(&target) = self.memories[cell.node].edges.get(&cell.offset) {
            return target;
        }
        let target = self.fresh();
        self.insert_edge(cell, target);
        self.settle();
        target
    }

    /// `cell` is in a root and normal.
    fn insert_edge(&mut self, cell: Cell, target: Cell) {
        let memory = &mut self.memories[cell.node];
        if let Some(&known) = memory.edges.get(&cell.offset) {
            self.pending.push((known, target));
            return;
        }
        self.changes += 1;
        let reach = self.pointer_bytes as i64 - 1;
        if memory.stride != 0 && memory.stride <= self.pointer_bytes {
            self.pending
                .extend(memory.edges.values().map(|&other| (other, target)));
        } else {
            let stride = memory.stride as i64;
            let turns: &[i64] = if stride == 0 { &[0] } else { &[-stride, 0, stride] };
            for turn in turns {
                let center = cell.offset + turn;
                let near = memory
                    .edges
                    .range(center.saturating_sub(reach)..=center.saturating_add(reach));
                self.pending.extend(near.map(|(_, &other)| (other, target)));
            }
        }
        memory.edges.insert(cell.offset, target);
        if memory.external {
            self.pending.push((target, self.external));
        }
    }

    /// Makes the pointers stored in the `bytes` bytes at `left` and at `right` the same, as far as any are known.
    pub(crate) fn transfer(&mut self, left: Cell, right: Cell, bytes: u64) {
        for (from, to) in [(left, right), (right, left)] {
            for distance in self.slots(from, bytes) {
                let source = self.edge(from.plus(distance));
                let target = self.edge(to.plus(distance));
                self.unify(source, target);
            }
        }
    }

    /// What the pointers point to that are stored in the `bytes` bytes at `cell`.
    pub(crate) fn targets_in(&self, cell: Cell, bytes: u64) -> Vec<Cell> {
        let memory = self.at(cell);
        let slots = self.slots(cell, bytes).into_iter();
        let offsets = slots.map(|distance| self.find(cell.plus(distance)).offset);
        offsets
            .filter_map(|offset| memory.edges.get(&offset).copied())
            .collect()
    }

    /// Where pointers are stored that share a byte with the `bytes` bytes at `cell`, from there.
    fn slots(&self, cell: Cell, bytes: u64) -> Vec<i64> {
        let cell = self.find(cell);
        let memory = &self.memories[cell.node];
        let (bytes, reach) = (bytes.min(i64::MAX as u64) as i64, self.pointer_bytes as i64 - 1);
        if memory.stride == 0 {
            let range = cell.offset.saturating_sub(reach)..cell.offset.saturating_add(bytes);
            return memory
                .edges
                .range(range)
                .map(|(offset, _)| offset - cell.offset)
                .collect();
        }
        let stride = memory.stride as i64;
        let mut found = Vec::new();
        for offset in memory.edges.keys() {
            let distance = (offset - cell.offset).rem_euclid(stride);
            if distance < bytes {
                found.push(distance);
            }
            // The slot that starts before may reach into the bytes.
            if stride - distance <= reach {
                found.push(distance - stride);
            }
        }
        found
    }

    /// The two places are one from now on, with all that is reached from them.
    pub(crate) fn unify(&mut self, left: Cell, right: Cell) {
        self.pending.push((left, right));
        self.settle();
    }

    /// An index of unknown value times `stride` is added to an address in this node.
    pub(crate) fn fold(&mut self, cell: Cell, stride: u64) {
        let cell = self.find_and_compress(cell);
        self.fold_root(cell.node, stride);
        self.settle();
    }

    fn settle(&mut self) {
        while let Some((left, right)) = self.pending.pop() {
            let left = self.find_and_compress(left);
            let right = self.find_and_compress(right);
            if left.node == right.node {
                self.fold_root(left.node, left.offset.abs_diff(right.offset));
            } else if self.memories[left.node].weight() >= self.memories[right.node].weight() {
                self.merge(left, right);
            } else {
                self.merge(right, left);
            }
        }
    }

    fn fold_root(&mut self, root: MemoryId, stride: u64) {
        let new = gcd(self.memories[root].stride, stride);
        if new == self.memories[root].stride {
            return;
        }
        self.changes += 1;
        let mut old = std::mem::take(&mut self.memories[root]);
        let edges = std::mem::take(&mut old.edges);
        let accesses = std::mem::take(&mut old.accesses);
        old.stride = new;
        self.memories[root] = old;
        self.take_over(root, 0, edges, accesses);
    }

    /// `gone` becomes a part of `kept`: the two cells are one.
    fn merge(&mut self, kept: Cell, gone: Cell) {
        self.changes += 1;
        let shift = kept.offset.wrapping_sub(gone.offset);
        let old = std::mem::take(&mut self.memories[gone.node]);
        self.links[gone.node] = Link {
            parent: kept.node,
            shift,
        };
        self.fold_root(kept.node, old.stride);
        let external = self.external;
        let memory = &mut self.memories[kept.node];
        if old.external && !memory.external {
            self.pending
                .extend(memory.edges.values().map(|&target| (target, external)));
        }
        memory.is_value &= old.is_value;
        memory.called |= old.called;
        memory.external |= old.external;
        memory.exposed |= old.exposed;
        memory.forged |= old.forged;
        memory.filled |= old.filled;
        memory.functions.extend(old.functions);
        memory.origins.extend(old.origins);
        for (object, offset) in old.objects {
            memory.objects.insert(object, offset.wrapping_add(shift));
        }
        self.take_over(kept.node, shift, old.edges, old.accesses);
    }

    fn take_over(
        &mut self,
        root: MemoryId,
        shift: i64,
        edges: BTreeMap<i64, Cell>,
        accesses: BTreeMap<AccessKey, AccessInfo>,
    ) {
        for (offset, target) in edges {
            let offset = self.memories[root].normal(offset.wrapping_add(shift));
            self.insert_edge(Cell { node: root, offset }, target);
        }
        let memory = &mut self.memories[root];
        for (mut key, info) in accesses {
            key.offset = memory.normal(key.offset.wrapping_add(shift));
            memory.accesses.entry(key).or_default().absorb(&info);
        }
    }

    /// All roots that can be reached from there through stored pointers, those first.
    pub(crate) fn reachable(&self, from: impl IntoIterator<Item = Cell>) -> Vec<MemoryId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut open: Vec<MemoryId> = from.into_iter().map(|cell| self.find(cell).node).collect();
        open.reverse();
        while let Some(root) = open.pop() {
            if !seen.insert(root) {
                continue;
            }
            found.push(root);
            let memory = &self.memories[root];
            open.extend(memory.edges.values().map(|&target| self.find(target).node));
            for &call in &memory.origins {
                open.extend(self.given[call].iter().map(|&cell| self.find(cell).node));
                open.push(self.find(self.external).node);
            }
        }
        found
    }
}

/// `gcd(0, n) = n`.
fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
