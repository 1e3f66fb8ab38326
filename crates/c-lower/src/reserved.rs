//! Variables of the entry that have a number of their own as an object, like variables with static storage.
//!
//! The entry is executed once, so a variable that is declared outside of its loops is one object. With a number that is known,
//! most checks of accesses to it are decided before the search. Objects that are made later have larger numbers: each
//! is assumed to be above the numbers of these, which holds by construction and tells passes that writes to its state do
//! not concern them.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{FunctionId, LocalId, Node, Scalar, StmtKind, visit_stmt};
use lariat_c_regions::Variable;
use lariat_term::{TermId, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::function::{FunctionLowering, LocalStorage};
use crate::lowering::Lowering;
use crate::storage::{SLOT_BITS, VARIABLE};

impl Lowering<'_> {
    /// Keeps numbers free for the variables of the entries.
    pub fn reserve(&mut self, entries: &[FunctionId]) {
        if !self.options.tracks_objects() || self.is_open() {
            return;
        }
        let counts = entries.iter().map(|&entry| self.reserved_locals(entry).len());
        let most = counts.max().unwrap_or(0);
        self.storage.first_fresh = &self.storage.first_dynamic + most;
    }

    /// The numbers of variables of the entry, from the first number behind those of static objects on.
    pub fn reserved_locals(&self, entry: FunctionId) -> FxHashMap<LocalId, usize> {
        let mut reserved = FxHashMap::default();
        let Some(body) = &self.c.functions[entry].body else {
            return reserved;
        };
        // After a jump back to a label a declaration is reached again.
        let mut jumps = false;
        visit_stmt(body, &mut |node| {
            if let Node::Stmt(stmt) = node {
                jumps |= matches!(
                    stmt.kind,
                    StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default(_)
                );
            }
        });
        if let (StmtKind::Block(stmts), false) = (&body.kind, jumps) {
            for stmt in stmts {
                if let StmtKind::Declare {
                    local, size: None, ..
                } = stmt.kind
                    && !self.is_split(Variable::Local(entry, local))
                {
                    let next = reserved.len();
                    reserved.entry(local).or_insert(next);
                }
            }
        }
        reserved
    }
}

impl FunctionLowering<'_, '_> {
    /// The object of a variable that has a number of its own; its address.
    pub fn allocate_reserved(&mut self, local: LocalId, size: &Value, span: Span) -> Option<Value> {
        let number = *self.reserved.get(&local)?;
        let storage = &self.cx.storage;
        let (sizes, states) = (storage.size, storage.state);
        let slot = &storage.first_dynamic + number;
        let pool = &mut self.cx.ir.pool;
        let (key, state) = (pool.int(slot.clone()), pool.int(VARIABLE));
        let (size_map, state_map) = (pool.var(sizes), pool.var(states));
        let size_map = pool.store(size_map, &[key], size.term);
        let state_map = pool.store(state_map, &[key], state);
        self.set_silently(sizes, size_map, span);
        self.set_silently(states, state_map, span);
        let address: BigInt = slot << SLOT_BITS;
        let pool = &mut self.cx.ir.pool;
        Some(self.cx.arith.int(pool, Scalar::Pointer, &address))
    }

    /// Whether the variable holds the address of one of them.
    pub fn is_reserved(&self, holder: VarId) -> bool {
        self.reserved.keys().any(|&local| {
            matches!(self.locals[local], Some(LocalStorage::Memory { address, .. }) if address == holder)
        })
    }

    /// The number of an object that was made while the program runs, or 0.
    pub fn assume_made_later(&mut self, slot: TermId, span: Span) {
        let first = self.cx.storage.first_fresh.clone();
        let pool = &mut self.cx.ir.pool;
        let (zero, first) = (pool.int(0), pool.int(first));
        let is_none = pool.eq(slot, zero);
        let is_later = pool.le(first, slot);
        let condition = pool.or(&[is_none, is_later]);
        self.assume(condition, span);
    }
}
