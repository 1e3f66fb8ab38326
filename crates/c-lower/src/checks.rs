//! Checks of memory accesses.
//!
//! With tracked objects an address is `slot * 2^32 + offset`; maps by slot hold each object's size and state.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{
    CompareOp, ExprKind, LocalId, Machine, Place, PlaceKind, Purpose, Scalar, Type, TypeId, Types,
};
use lariat_c_regions::RegionId;
use lariat_ir::{BlockId, Origin};
use lariat_term::{Op, TermId, VarId};
use num_bigint::BigInt;

use crate::function::{FunctionLowering, LocalStorage};
use crate::options::Check;
use crate::place::Located;
use crate::special::strip;
use crate::storage::{ENDED, FREED, HEAP, READ_ONLY, SLOT_BITS, VARIABLE};

const WRITTEN_CONSTANT: &str = "a string literal or constant object can be written";

/// Smaller addresses are null, or a member of a record at null.
pub const FIRST_PAGE: u32 = 4096;

impl FunctionLowering<'_, '_> {
    /// Checks of arithmetic do not apply to the models of the library: they are ours.
    pub fn is_model(&self) -> bool {
        self.cx.c.functions[self.function].purpose == Purpose::Model
    }

    /// An access of this many bytes through a pointer.
    pub fn check_access(
        &mut self,
        located: &Located,
        address: &Value,
        bytes: u64,
        is_write: bool,
        span: Span,
    ) {
        if located.is_safe {
            return;
        }
        if self.is_open() {
            return self.check_base(located.base, span);
        }
        if self.cx.options.checks(Check::Null) {
            let pool = &mut self.cx.ir.pool;
            let first = self.cx.arith.int(pool, Scalar::Pointer, &FIRST_PAGE.into());
            let condition = self
                .cx
                .arith
                .compare(pool, CompareOp::Ge, Scalar::Pointer, address, &first);
            self.check(Check::Null, condition, span, None);
        } else {
            // The program ends here if it is null: what comes later must not be blamed on it.
            let base = self.without_offset(address);
            let zero = self.zero(Scalar::Pointer);
            let pool = &mut self.cx.ir.pool;
            let is_null = pool.eq(base, zero.term);
            let condition = pool.not(is_null);
            self.assume(condition, span);
        }
        if !self.cx.options.tracks_objects() {
            return;
        }
        self.as_step(span, |this| this.check_object(address, bytes, is_write, span));
    }

    /// An access of this many bytes is inside a live object.
    fn check_object(&mut self, address: &Value, bytes: u64, is_write: bool, span: Span) {
        let slot = self.slot_of(address);
        if self.cx.options.checks(Check::UseAfterFree) {
            let state = self.state_of(slot);
            let pool = &mut self.cx.ir.pool;
            let (freed, ended) = (pool.int(FREED), pool.int(ENDED));
            let (is_freed, is_ended) = (pool.eq(state, freed), pool.eq(state, ended));
            let dangling = pool.or(&[is_freed, is_ended]);
            let condition = pool.not(dangling);
            self.check(Check::UseAfterFree, condition, span, None);
        }
        if self.cx.options.follows_frees {
            let state = self.state_of(slot);
            let pool = &mut self.cx.ir.pool;
            let freed = pool.int(FREED);
            let is_freed = pool.eq(state, freed);
            let condition = pool.not(is_freed);
            self.supported_if(condition, "a data race with the `free` of an object", span);
        }
        if self.cx.options.checks(Check::Bounds) {
            let condition = self.is_within(address, slot, bytes);
            self.check(Check::Bounds, condition, span, None);
            if is_write {
                let state = self.state_of(slot);
                let pool = &mut self.cx.ir.pool;
                let read_only = pool.int(READ_ONLY);
                let is_read_only = pool.eq(state, read_only);
                let condition = pool.not(is_read_only);
                self.check(Check::Bounds, condition, span, Some(WRITTEN_CONSTANT.to_owned()));
                self.check_members(address, bytes, span);
            }
        }
    }

    /// A write of this many bytes meets no `const` member of a variable. Of allocated objects such members are not known: the
    /// first write gives them their types.
    fn check_members(&mut self, address: &Value, bytes: u64, span: Span) {
        let Some(constant) = self.cx.storage.constant else {
            return;
        };
        let last = self.add_bytes(address, bytes.max(1) - 1);
        let pool = &mut self.cx.ir.pool;
        let constant = pool.var(constant);
        let ends = [address, &last].map(|at| pool.select(constant, &[at.term]));
        let is_constant = pool.or(&ends);
        let condition = pool.not(is_constant);
        self.check(Check::Bounds, condition, span, Some(WRITTEN_CONSTANT.to_owned()));
    }

    /// From here on the `const` members of a variable at this address are not written.
    pub fn protect_members(&mut self, address: &Value, ty: TypeId, span: Span) {
        let Some(constant) = self.cx.storage.constant else {
            return;
        };
        let Some(bytes) = constant_bytes(&self.cx.c.types, ty) else {
            let name = self.cx.c.types.name(ty);
            return self.unsupported(&format!("`{name}`, which has many constant members,"), span);
        };
        if bytes.is_empty() {
            return;
        }
        let addresses: Vec<Value> = bytes.into_iter().map(|at| self.add_bytes(address, at)).collect();
        let pool = &mut self.cx.ir.pool;
        let yes = pool.bool(true);
        let mut map = pool.var(constant);
        for at in addresses {
            map = pool.store(map, &[at.term], yes);
        }
        self.set_silently(constant, map, span);
    }

    /// A place that is written by its own name, or by its address at once: it must not be constant.
    pub fn check_constant(&mut self, place: &Place, span: Span) {
        if !self.cx.options.checks(Check::Bounds) || self.is_open() || !self.is_constant(place) {
            return;
        }
        let never = self.cx.ir.pool.bool(false);
        self.check(Check::Bounds, never, span, Some(WRITTEN_CONSTANT.to_owned()));
    }

    /// Whether a place is part of a string literal or of a variable that is `const`.
    fn is_constant(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => self.cx.c.functions[self.function].locals[*local].is_const,
            PlaceKind::Global(global) => {
                let global = &self.cx.c.globals[*global];
                global.is_string || global.is_const
            }
            PlaceKind::Member { base, record, field } => {
                let fields = &self.cx.c.types.records[*record].fields;
                let is_const = fields.get(*field as usize).is_some_and(|field| field.is_const);
                (is_const && is_variable(base)) || self.is_constant(base)
            }
            PlaceKind::Index { base, .. } => self.is_constant(base),
            PlaceKind::Deref(pointer) => match &strip(pointer).kind {
                ExprKind::AddressOf(place) => self.is_constant(place),
                _ => false,
            },
            PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) => false,
        }
    }

    /// The size of a variable array, which as an unsigned number is large where its length is negative.
    pub fn check_array_size(&mut self, size: &Value, span: Span) {
        if !self.cx.options.checks(Check::Bounds) || self.is_open() {
            return;
        }
        let bits = match self.cx.c.types.machine {
            Machine::Lp64 => 63,
            Machine::Ilp32 => 31,
        };
        let pool = &mut self.cx.ir.pool;
        let limit = self
            .cx
            .arith
            .int(pool, Scalar::Pointer, &(BigInt::from(1) << bits));
        let condition = self
            .cx
            .arith
            .compare(pool, CompareOp::Lt, Scalar::Pointer, size, &limit);
        let message = "the length of an array can be negative".to_owned();
        self.check(Check::Bounds, condition, span, Some(message));
    }

    /// A `const` variable has its value: nothing else is written to it. Nor to the `const` members of one that has a value.
    pub fn protect(&mut self, local: LocalId, has_value: bool, span: Span) {
        let is_const = self.cx.c.functions[self.function].locals[local].is_const;
        if !self.cx.options.tracks_objects() {
            return;
        }
        if !is_const {
            if has_value && let Some(LocalStorage::Memory { address, .. }) = self.locals[local] {
                let address = self.value_of(address, Scalar::Pointer);
                let ty = self.local_type(local);
                self.protect_members(&address, ty, span);
            }
            return;
        }
        if let Some(LocalStorage::Memory { address, .. }) = self.locals[local] {
            let is_reserved = self.is_reserved(address);
            let address = self.value_of(address, Scalar::Pointer);
            let slot = self.slot_of(&address);
            if !is_reserved {
                self.assume_made_later(slot, span);
            }
            self.set_state(slot, READ_ONLY, span);
        }
    }

    /// The pointer that a member's address was made from, where its offset is a literal in a sum.
    fn without_offset(&mut self, address: &Value) -> TermId {
        let pool = &mut self.cx.ir.pool;
        let args: Vec<TermId> = pool.args(address.term).to_vec();
        match (pool.op(address.term), args.split_last()) {
            (Op::Add, Some((last, rest))) if is_small(pool.as_int(*last)) => pool.add(rest),
            _ => address.term,
        }
    }

    /// Whether this many bytes at the address are inside a live object.
    fn is_within(&mut self, address: &Value, slot: TermId, bytes: u64) -> TermId {
        let bytes = self.cx.ir.pool.int(bytes);
        self.are_within(address, slot, bytes)
    }

    pub fn are_within(&mut self, address: &Value, slot: TermId, bytes: TermId) -> TermId {
        let state = self.state_of(slot);
        let rest = self.bytes_left(address, slot);
        let pool = &mut self.cx.ir.pool;
        let states = [HEAP, VARIABLE, READ_ONLY].map(|alive| pool.int(alive));
        let alive = states.map(|alive| pool.eq(state, alive));
        let alive = pool.or(&alive);
        let fits = pool.le(bytes, rest);
        pool.and(&[alive, fits])
    }

    /// From the address to the end of its object.
    pub fn bytes_left(&mut self, address: &Value, slot: TermId) -> TermId {
        let size = self.cx.storage.size;
        let pool = &mut self.cx.ir.pool;
        let sizes = pool.var(size);
        let size = pool.select(sizes, &[slot]);
        let unit = pool.int(BigInt::from(1) << SLOT_BITS);
        let start = pool.mul(unit, slot);
        let offset = pool.sub(address.term, start);
        pool.sub(size, offset)
    }

    pub fn slot_of(&mut self, address: &Value) -> TermId {
        let pool = &mut self.cx.ir.pool;
        let unit = pool.int(BigInt::from(1) << SLOT_BITS);
        pool.int_div(address.term, unit)
    }

    pub fn state_of(&mut self, slot: TermId) -> TermId {
        let state = self.cx.storage.state;
        let pool = &mut self.cx.ir.pool;
        let states = pool.var(state);
        pool.select(states, &[slot])
    }

    /// An index into an array of known length.
    pub fn check_index(&mut self, index: &Value, scalar: Scalar, limit: u64, span: Span) {
        if !self.cx.options.checks(Check::Bounds) {
            return;
        }
        let pool = &mut self.cx.ir.pool;
        let wide = Scalar::Int {
            bits: 128,
            signed: true,
        };
        let index = self.cx.arith.convert(pool, scalar, wide, index);
        let zero = self.cx.arith.int(pool, wide, &BigInt::from(0));
        let limit = self.cx.arith.int(pool, wide, &BigInt::from(limit));
        let above = self.cx.arith.compare(pool, CompareOp::Ge, wide, &index, &zero);
        let below = self.cx.arith.compare(pool, CompareOp::Lt, wide, &index, &limit);
        let condition = pool.and(&[above, below]);
        self.check(Check::Bounds, condition, span, None);
    }

    /// An element that was allocated while the program runs must have been written. In models of the library that is asked
    /// of the texts and bytes that they look at.
    pub fn check_written(&mut self, region: RegionId, written: VarId, address: &Value, span: Span) {
        let data = &self.cx.regions.regions()[region];
        if data.external || (self.is_model() && (data.bytes != 1 || self.moves_scalar)) {
            return;
        }
        let first = match self.cx.options.tracks_objects() {
            true => &self.cx.storage.first_dynamic << SLOT_BITS,
            false => self.cx.storage.first_dynamic.clone(),
        };
        let pool = &mut self.cx.ir.pool;
        let first = self.cx.arith.int(pool, Scalar::Pointer, &first);
        let is_static = self
            .cx
            .arith
            .compare(pool, CompareOp::Lt, Scalar::Pointer, address, &first);
        let written = pool.var(written);
        let is_written = pool.select(written, &[address.term]);
        let condition = pool.or(&[is_static, is_written]);
        self.check_everywhere(Check::Uninit, condition, span, None);
    }

    /// Nothing is allocated any more when the program ends.
    pub fn check_leaks(&mut self, span: Span) {
        if self.is_open() {
            return;
        }
        let live = self.cx.storage.live;
        let pool = &mut self.cx.ir.pool;
        let (live, zero) = (pool.var(live), pool.int(0));
        let condition = pool.eq(live, zero);
        self.check(Check::Leak, condition, span, None);
    }

    /// A choice that traces do not show.
    pub fn guard_silently(&mut self, condition: TermId, then: BlockId, otherwise: BlockId, span: Span) {
        let before = self.body.blocks.len();
        self.guard(condition, then, otherwise, span);
        let blocks: Vec<BlockId> = self.body.blocks.keys().skip(before).collect();
        for block in blocks {
            for stmt in &mut self.body.blocks[block].stmts {
                stmt.origin = Origin::Internal;
            }
        }
    }
}

/// Of variables with more bytes of constant members these are not followed.
const MOST_CONSTANT: usize = 256;

/// Where a variable of this type has members that are `const`; `None` if there are too many.
fn constant_bytes(types: &Types, ty: TypeId) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    let mut open = vec![(ty, 0)];
    while let Some((ty, at)) = open.pop() {
        match (types.get(ty), types.record_of(ty)) {
            (_, Some(record)) => {
                for field in &types.records[record].fields {
                    match field.bits {
                        // Others may be in the same bytes.
                        Some(_) => {}
                        None if field.is_const => {
                            let size = types.size(field.ty).unwrap_or(0);
                            found.extend(
                                (at + field.offset..).take(size.min(MOST_CONSTANT as u64 + 1) as usize),
                            );
                        }
                        None => open.push((field.ty, at + field.offset)),
                    }
                }
            }
            (
                Type::Array {
                    element,
                    length: Some(length),
                },
                _,
            ) if has_constant(types, *element) => {
                let bytes = types.size(*element).unwrap_or(1);
                open.extend(
                    (0..(*length).min(MOST_CONSTANT as u64 + 1)).map(|index| (*element, at + index * bytes)),
                );
            }
            _ => {}
        }
        if found.len() > MOST_CONSTANT {
            return None;
        }
    }
    Some(found)
}

/// Whether a value of this type has members that are `const`.
fn has_constant(types: &Types, ty: TypeId) -> bool {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if let Some(record) = types.record_of(ty) {
            let fields = &types.records[record].fields;
            if fields.iter().any(|field| field.is_const) {
                return true;
            }
            open.extend(fields.iter().map(|field| field.ty));
        } else if let Type::Array { element, .. } = types.get(ty) {
            open.push(*element);
        }
    }
    false
}

/// Whether a place is part of a variable by its name.
fn is_variable(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::CompoundLiteral { .. } => true,
        PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => is_variable(base),
        PlaceKind::Deref(pointer) => match &strip(pointer).kind {
            ExprKind::AddressOf(place) => is_variable(place),
            _ => false,
        },
        PlaceKind::Temporary(_) => false,
    }
}

/// The offset of a member, not the address of an object.
fn is_small(literal: Option<&BigInt>) -> bool {
    literal.is_some_and(|offset| *offset > BigInt::from(0) && *offset < BigInt::from(FIRST_PAGE))
}
