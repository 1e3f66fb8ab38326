//! Fresh objects, and the end of their lives.

use lariat_base::Span;
use lariat_c_arith::{IntegerForm, Value};
use lariat_c_program::{LocalId, Scalar};
use lariat_ir::{Origin, StmtId, StmtKind};
use lariat_term::{BvOp, TermId};
use num_bigint::BigInt;
use smallvec::smallvec;

use crate::function::{FunctionLowering, LocalStorage};
use crate::names::InputSource;
use crate::options::Check;
use crate::storage::{FREED, HEAP, OBJECT_ALIGN, SLOT_BITS, VARIABLE};

impl FunctionLowering<'_, '_> {
    /// The life of a local starts where it is declared: its content is indeterminate. `size` is that of a variable array.
    pub fn start_local(&mut self, local: LocalId, size: Option<Value>, span: Span) {
        let stmt = self.start_undeclared(local, size, span);
        let declared = &self.cx.c.functions[self.function].locals[local];
        if let Some(stmt) = stmt
            && !self.is_model()
            && !declared.name.is_empty()
        {
            let object = Some((declared.name.to_string(), declared.span));
            self.cx.names.objects.insert(stmt, object);
        }
    }

    /// The same before the declaration is reached. The statement that sets the address of a local in memory.
    pub fn start_undeclared(&mut self, local: LocalId, size: Option<Value>, span: Span) -> Option<StmtId> {
        match self.locals[local].clone() {
            Some(LocalStorage::Split(split)) => {
                let is_scalar = self.cx.c.types.scalar(self.local_type(local)).is_some();
                for (leaf, &var) in split.leaves.iter().zip(&split.vars) {
                    let stmt = self.havoc(var, leaf.scalar, span, Origin::Internal);
                    if !self.is_model() {
                        let declared = &self.cx.c.functions[self.function].locals[local];
                        let shown = self.cx.names.vars.get(&var);
                        let member = shown.filter(|_| !is_scalar).map(|shown| shown.text.clone());
                        let source = InputSource {
                            function: member.unwrap_or_else(|| declared.name.to_string()),
                            ty: leaf.ty,
                            var,
                            span: declared.span,
                        };
                        self.cx.names.inputs.insert(stmt, source);
                    }
                }
                for &written in &split.written {
                    let no = self.cx.ir.pool.bool(false);
                    self.set_silently(written, no, span);
                }
                None
            }
            Some(LocalStorage::Memory {
                address,
                size: holder,
            }) => {
                let size = match size {
                    Some(size) => self.pin(size, span),
                    None => {
                        let ty = self.local_type(local);
                        let bytes = self.cx.c.types.size(ty).unwrap_or(1);
                        self.address(&BigInt::from(bytes))
                    }
                };
                if let Some(holder) = holder {
                    self.set_silently(holder, size.term, span);
                }
                let reserved = self.allocate_reserved(local, &size, span);
                let fresh = match reserved {
                    Some(address) => address,
                    None => self.allocate(&size, VARIABLE, span),
                };
                let stmt = self.push(
                    StmtKind::Assign(smallvec![(address, fresh.term)]),
                    span,
                    Origin::Internal,
                );
                self.enter_scope(local);
                Some(stmt)
            }
            None => None,
        }
    }

    /// A fresh object of this many bytes; its address, which is a multiple of 16.
    pub fn allocate(&mut self, size: &Value, state: u32, span: Span) -> Value {
        if self.cx.options.tracks_objects() {
            return self.allocate_tracked(size, state, span);
        }
        let next = self.cx.storage.next;
        let current = self.value_of(next, Scalar::Pointer);
        let address = self.pin(current, span);
        self.assume_room(&address, size, span);
        let end = self.next_object(&address, size);
        self.set_silently(next, end, span);
        if state == HEAP {
            self.count_live(1, span);
            self.note_heap_object(&address, span);
        }
        address
    }

    /// Memory does not run out: an object whose size the program does not fix ends within the part of the address space that
    /// programs have, so it overlaps no other one.
    fn assume_room(&mut self, address: &Value, size: &Value, span: Span) {
        if self.cx.ir.pool.is_value(size.term) {
            return;
        }
        let width = self.cx.c.types.machine.pointer_bits();
        let end = match width {
            64 => BigInt::from(1) << 47,
            _ => (BigInt::from(1) << width) - (BigInt::from(1) << 16),
        };
        let pool = &mut self.cx.ir.pool;
        let fits = match self.cx.arith.integers {
            IntegerForm::BitVectors => {
                let end = pool.bv(end, width);
                let room = pool.bv_op(BvOp::Sub, &[end, address.term]);
                let is_below = pool.bv_op(BvOp::Ule, &[address.term, end]);
                let has_room = pool.bv_op(BvOp::Ule, &[size.term, room]);
                pool.and(&[is_below, has_room])
            }
            _ => {
                let end = pool.int(end);
                let last = pool.add(&[address.term, size.term]);
                pool.le(last, end)
            }
        };
        self.assume(fits, span);
    }

    /// Remembers that what `malloc` returns here has the content that its memory had.
    fn note_heap_object(&mut self, address: &Value, span: Span) {
        let name = &*self.cx.c.functions[self.function].name;
        if self.is_model() && name != "malloc" {
            return;
        }
        let holder = self.scalar_temporary(Scalar::Pointer);
        let stmt = self.push(
            StmtKind::Assign(smallvec![(holder, address.term)]),
            span,
            Origin::Internal,
        );
        self.cx.names.objects.insert(stmt, None);
    }

    /// The first multiple of 16 behind an object, at least 16 bytes on.
    fn next_object(&mut self, address: &Value, size: &Value) -> TermId {
        let align = OBJECT_ALIGN;
        let pool = &mut self.cx.ir.pool;
        if let Some(range) = size.range.as_ref().filter(|range| range.lo == range.hi) {
            let align = BigInt::from(align);
            let rounded = (&range.lo / &align + 1) * align;
            let scalar = Scalar::Pointer;
            let rounded = self.cx.arith.int(pool, scalar, &rounded);
            return match self.cx.arith.integers {
                IntegerForm::BitVectors => pool.bv_op(BvOp::Add, &[address.term, rounded.term]),
                _ => pool.add(&[address.term, rounded.term]),
            };
        }
        match self.cx.arith.integers {
            IntegerForm::BitVectors => {
                let width = self.cx.c.types.machine.pointer_bits();
                let mask = pool.bv((BigInt::from(1) << width) - align, width);
                let one = pool.bv(align, width);
                let down = pool.bv_op(BvOp::And, &[size.term, mask]);
                let up = pool.bv_op(BvOp::Add, &[down, one]);
                pool.bv_op(BvOp::Add, &[address.term, up])
            }
            _ => {
                let unit = pool.int(align);
                let units = pool.int_div(size.term, unit);
                let one = pool.int(1);
                let units = pool.add(&[units, one]);
                let bytes = pool.mul(unit, units);
                pool.add(&[address.term, bytes])
            }
        }
    }

    fn allocate_tracked(&mut self, size: &Value, state: u32, span: Span) -> Value {
        let storage = &self.cx.storage;
        let (next, sizes, states) = (storage.next, storage.size, storage.state);
        let pool = &mut self.cx.ir.pool;
        let limit = pool.int(BigInt::from(1) << SLOT_BITS);
        let fits = pool.lt(size.term, limit);
        self.assume(fits, span);
        let pool = &mut self.cx.ir.pool;
        let slot = pool.var(next);
        let slot = self.pin_term(slot, span);
        self.assume_made_later(slot, span);
        let pool = &mut self.cx.ir.pool;
        let one = pool.int(1);
        let following = pool.add(&[slot, one]);
        let unit = pool.int(BigInt::from(1) << SLOT_BITS);
        let address = pool.mul(unit, slot);
        let state_term = pool.int(state);
        let (size_map, state_map) = (pool.var(sizes), pool.var(states));
        let size_map = pool.store(size_map, &[slot], size.term);
        let state_map = pool.store(state_map, &[slot], state_term);
        self.set_silently(next, following, span);
        self.set_silently(sizes, size_map, span);
        self.set_silently(states, state_map, span);
        let value = self.cx.arith.value(address, Scalar::Pointer);
        let value = self.pin(value, span);
        if state == HEAP {
            self.count_live(1, span);
            self.note_heap_object(&value, span);
        }
        value
    }

    fn count_live(&mut self, change: i32, span: Span) {
        if self.cx.options.checks(Check::Leak) {
            let live = self.cx.storage.live;
            let pool = &mut self.cx.ir.pool;
            let (old, change) = (pool.var(live), pool.int(change));
            let new = pool.add(&[old, change]);
            self.set_silently(live, new, span);
        }
    }

    /// `free(pointer)`.
    pub fn free(&mut self, pointer: &Value, span: Span) {
        let pointer = self.pin(pointer.clone(), span);
        let [null, freed, after] = [self.new_block(), self.new_block(), self.new_block()];
        let pool = &mut self.cx.ir.pool;
        let is_null = self.cx.arith.is_zero(pool, Scalar::Pointer, &pointer);
        self.guard_silently(is_null, null, freed, span);
        self.at(null);
        self.jump(after);
        self.at(freed);
        self.as_step(span, |this| this.free_object(&pointer, span));
        self.jump(after);
        self.at(after);
    }

    /// `free` of a pointer that is not null.
    fn free_object(&mut self, pointer: &Value, span: Span) {
        if self.cx.options.tracks_objects() {
            let slot = self.slot_of(pointer);
            let state = self.state_of(slot);
            let pool = &mut self.cx.ir.pool;
            let freed = pool.int(FREED);
            let twice = pool.eq(state, freed);
            let once = pool.not(twice);
            self.check(Check::DoubleFree, once, span, None);
            let pool = &mut self.cx.ir.pool;
            let heap = pool.int(HEAP);
            let allocated = pool.eq(state, heap);
            let unit = pool.int(BigInt::from(1) << SLOT_BITS);
            let start = pool.mul(unit, slot);
            let at_start = pool.eq(pointer.term, start);
            let valid = pool.and(&[allocated, at_start]);
            self.check(Check::InvalidFree, valid, span, None);
            self.set_state(slot, FREED, span);
        }
        self.count_live(-1, span);
    }

    pub fn set_state(&mut self, slot: TermId, state: u32, span: Span) {
        let states = self.cx.storage.state;
        let pool = &mut self.cx.ir.pool;
        let (map, state) = (pool.var(states), pool.int(state));
        let map = pool.store(map, &[slot], state);
        self.set_silently(states, map, span);
    }

    /// The objects of the function's variables end with it.
    pub fn end_locals(&mut self, span: Span) {
        if !self.cx.options.checks(Check::UseAfterFree) || self.is_entry {
            return;
        }
        let data = &self.cx.c.functions[self.function];
        for local in data.locals.keys() {
            if let Some(LocalStorage::Memory { address, .. }) = self.locals[local] {
                self.end_object(address, span);
            }
        }
        self.end_frame(span);
    }

    /// Addresses of locals are zero until their declarations are reached.
    pub fn clear_addresses(&mut self, span: Span) {
        if !self.cx.options.checks(Check::UseAfterFree) {
            return;
        }
        let data = &self.cx.c.functions[self.function];
        for local in data.locals.keys() {
            if let Some(LocalStorage::Memory { address, .. }) = self.locals[local] {
                let zero = self.zero(Scalar::Pointer);
                self.set_silently(address, zero.term, span);
            }
        }
    }
}
