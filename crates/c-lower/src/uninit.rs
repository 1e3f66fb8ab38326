//! Which parts of objects were written: followed through copies of records, and into results of functions.
//!
//! Copying a record does not use its values, so a copy is as little written as the original. As an argument or a result a
//! record must be written completely, or the execution ends as unsupported. A function that ends without `return` has no
//! result: to use it is the failure.

use lariat_base::Span;
use lariat_c_program::{BitField, CompareOp, Expr, ExprKind, IntKind, Place, PlaceKind, Scalar, Type};
use lariat_c_regions::{Access, Cell};
use lariat_ir::{AssertInfo, AssertKind, Origin, StmtKind};
use lariat_term::TermId;

use crate::function::FunctionLowering;
use crate::layout::{Leaf, scalar_bytes, scalar_of};
use crate::options::Check;
use crate::place::{Located, Where, container_bytes, leaf_index};
use crate::special::strip;
use crate::storage::SLOT_BITS;

impl FunctionLowering<'_, '_> {
    fn follows_writes(&self) -> bool {
        self.cx.options.checks(Check::Uninit) && !self.is_open()
    }

    /// A record's leaves, for a place that they are copied to right away: what was not written stays so.
    pub fn copy_record(&mut self, expr: &Expr) -> Vec<lariat_c_arith::Value> {
        self.copied = None;
        let is_record = self.cx.c.types.scalar(expr.ty).is_none();
        self.keeps_flags = is_record && matches!(strip(expr).kind, ExprKind::Load(_));
        let values = self.record(expr);
        self.keeps_flags = false;
        values
    }

    /// A record was read: either its copy remembers what was written, or all of it must have been.
    pub fn note_record(&mut self, located: &Located, keeps_flags: bool, span: Span) {
        if !self.follows_writes() {
            return;
        }
        let leaves = self.known_leaves(located.ty, span);
        let mut flags = Vec::new();
        for leaf in leaves.iter() {
            let part = self.leaf_place(located, leaf);
            flags.push(self.leaf_flag(&part, leaf));
        }
        if keeps_flags {
            let flags = flags.into_iter().map(|flag| self.pin_term(flag, span));
            self.copied = Some(flags.collect());
        } else if !self.is_model() {
            for flag in flags {
                self.undetermined_unless(
                    flag,
                    "a record that is not written completely and is passed on",
                    span,
                );
            }
        }
    }

    fn leaf_flag(&mut self, part: &Located, leaf: &Leaf) -> TermId {
        match &part.at {
            Where::Split { split, offset } => {
                let index = leaf_index(&split.leaves, *offset, leaf.bits);
                let written = index.and_then(|index| split.written.get(index).copied());
                match written {
                    Some(written) => self.cx.ir.pool.var(written),
                    None => self.cx.ir.pool.bool(true),
                }
            }
            Where::Value { .. } => self.cx.ir.pool.bool(true),
            Where::Memory { address, cell } => {
                let (address, cell) = (address.clone(), *cell);
                self.memory_flag(&address, cell, leaf.scalar, leaf.bytes, leaf.bits)
            }
        }
    }

    /// Whether all bytes of a scalar in memory were written.
    fn memory_flag(
        &mut self,
        address: &lariat_c_arith::Value,
        cell: Cell,
        scalar: Scalar,
        bytes: u64,
        bits: Option<BitField>,
    ) -> TermId {
        let (region, count) = match self.cx.regions.find_access(cell, scalar, bytes, bits) {
            Some(Access::Word(region)) => (region, 1),
            Some(Access::Bytes(region)) => (region, container_bytes(bits, bytes)),
            None => return self.cx.ir.pool.bool(true),
        };
        self.memory(region);
        let Some(written) = self.cx.storage.maps.written[region] else {
            return self.cx.ir.pool.bool(true);
        };
        if self.cx.regions.regions()[region].external {
            return self.cx.ir.pool.bool(true);
        }
        let first = match self.cx.options.tracks_objects() {
            true => &self.cx.storage.first_dynamic << SLOT_BITS,
            false => self.cx.storage.first_dynamic.clone(),
        };
        let mut flags = Vec::new();
        for offset in 0..count {
            let at = self.add_bytes(address, offset);
            let pool = &mut self.cx.ir.pool;
            let map = pool.var(written);
            flags.push(pool.select(map, &[at.term]));
        }
        let pool = &mut self.cx.ir.pool;
        let first = self.cx.arith.int(pool, Scalar::Pointer, &first);
        let is_static = self
            .cx
            .arith
            .compare(pool, CompareOp::Lt, Scalar::Pointer, address, &first);
        let all = pool.and(&flags);
        pool.or(&[is_static, all])
    }

    /// In a model: the value is only read to be stored elsewhere, and what was not written stays so.
    pub fn is_move(&self, value: &Expr) -> bool {
        self.is_model() && matches!(strip(value).kind, ExprKind::Load(_))
    }

    /// `*to = *from` of bytes: whoever copies an object byte by byte does not use its padding, which was never written.
    pub fn is_move_of_byte(&mut self, to: &Place, value: &Expr) -> bool {
        let ExprKind::Load(from) = &value.kind else {
            return false;
        };
        let is_byte = |place: &Place| {
            let is_character = matches!(
                self.cx.c.types.get(place.ty),
                Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
            );
            is_character && matches!(place.kind, PlaceKind::Deref(_))
        };
        is_byte(to) && is_byte(from) && !self.place_has_effect(from)
    }

    /// Whether a scalar that is only moved was written.
    pub fn copied_flag(&mut self, value: &Expr) -> Option<TermId> {
        if !self.follows_writes() {
            return None;
        }
        let ExprKind::Load(place) = &strip(value).kind else {
            return None;
        };
        if self.place_has_effect(place) {
            return None;
        }
        let located = self.place(place);
        let Where::Memory { address, cell } = located.at else {
            return None;
        };
        let types = &self.cx.c.types;
        let scalar = scalar_of(types, place.ty)?;
        let bytes = scalar_bytes(types, place.ty);
        let flag = self.memory_flag(&address, cell, scalar, bytes, located.bits);
        Some(self.pin_term(flag, place.span))
    }

    /// A function is about to be called: unless it says otherwise, it gives a result.
    pub fn expect_result(&mut self, span: Span) {
        if let Some(returned) = self.cx.storage.returned {
            let yes = self.cx.ir.pool.bool(true);
            self.set_silently(returned, yes, span);
        }
    }

    /// The function ends without `return`.
    pub fn end_without_result(&mut self, span: Span) {
        let result = self.cx.function_type(self.function).result;
        if let Some(returned) = self.cx.storage.returned
            && !matches!(self.cx.c.types.get(result), Type::Void)
        {
            let no = self.cx.ir.pool.bool(false);
            self.set_silently(returned, no, span);
        }
    }

    /// The result of the last call is used.
    pub fn check_result(&mut self, span: Span) {
        if let Some(returned) = self.cx.storage.returned {
            let condition = self.cx.ir.pool.var(returned);
            let message = "the result of a function that ends without `return` can be used".to_owned();
            self.check(Check::Uninit, condition, span, Some(message));
        }
    }

    /// Nothing can be said unless the condition holds.
    fn undetermined_unless(&mut self, condition: TermId, reason: &str, span: Span) {
        if self.cx.ir.pool.as_bool(condition) == Some(true) {
            return;
        }
        let assert = self.cx.ir.asserts.push(AssertInfo {
            kind: AssertKind::Unsupported(reason.into()),
            span: Some(span),
            condition_span: None,
            id: None,
            message: None,
        });
        self.push(StmtKind::Assert { condition, assert }, span, Origin::Source);
        self.assume(condition, span);
    }
}
