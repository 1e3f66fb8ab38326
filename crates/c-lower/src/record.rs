//! Values of record type, leaf by leaf.

use std::rc::Rc;

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Expr, ExprKind, TypeId};
use lariat_ir::{Origin, StmtKind};

use crate::function::FunctionLowering;
use crate::layout::Leaf;
use crate::place::{Located, Where, leaf_index};

impl FunctionLowering<'_, '_> {
    /// The leaves of a value of record type, or of a scalar as its only leaf; none for `void`.
    pub fn record(&mut self, expr: &Expr) -> Vec<Value> {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.record_inner(expr))
    }

    fn record_inner(&mut self, expr: &Expr) -> Vec<Value> {
        if self.cx.c.types.scalar(expr.ty).is_some() {
            return vec![self.expr(expr)];
        }
        match &expr.kind {
            ExprKind::Load(place) => {
                let keeps_flags = std::mem::take(&mut self.keeps_flags);
                let located = self.place(place);
                let mut values = self.read_leaves(&located, expr.span);
                if self.others_may_change(&located) {
                    values = self.pin_all(values, expr.span);
                }
                self.note_record(&located, keeps_flags, expr.span);
                match self.is_environment(place, &located) {
                    true => self.any_values(expr.ty, expr.span),
                    false => values,
                }
            }
            ExprKind::Assign { place, value } => {
                self.check_constant(place, expr.span);
                let (located, _, values) = self.place_and_value(place, value, false, expr.span);
                let values = self.pin_all(values, expr.span);
                self.write_leaves(&located, &values, expr.span, true);
                values
            }
            ExprKind::Call { callee, args } => {
                let values = self.call(expr, callee, args);
                self.check_result(expr.span);
                values
            }
            ExprKind::Comma(left, right) => {
                self.discard(left);
                self.record(right)
            }
            ExprKind::Convert(value) => self.record(value),
            ExprKind::Statements(stmts) => self.statement_expression(stmts, expr.span),
            ExprKind::VaArg(list) => self.next_argument(list, expr.ty, expr.span),
            ExprKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => self.conditional_record(expr, condition, then, otherwise),
            ExprKind::Unsupported(reason) => {
                self.unsupported(reason, expr.span);
                self.zeros(expr.ty)
            }
            _ => {
                let name = self.cx.c.types.name(expr.ty);
                self.unsupported(&format!("an expression of type `{name}`"), expr.span);
                self.zeros(expr.ty)
            }
        }
    }

    fn conditional_record(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Vec<Value> {
        let leaves = self.known_leaves(expr.ty, expr.span);
        let vars: Vec<_> = leaves
            .iter()
            .map(|leaf| self.scalar_temporary(leaf.scalar))
            .collect();
        let [yes, no, after] = [self.new_block(), self.new_block(), self.new_block()];
        self.branch(condition, yes, no);
        for (block, side) in [(yes, then), (no, otherwise)] {
            self.at(block);
            let values = self.record(side);
            for (&var, value) in vars.iter().zip(values) {
                self.set_silently(var, value.term, expr.span);
            }
            self.jump(after);
        }
        self.at(after);
        vars.iter()
            .zip(leaves.iter())
            .map(|(&var, leaf)| self.value_of(var, leaf.scalar))
            .collect()
    }

    pub fn pin_all(&mut self, values: Vec<Value>, span: Span) -> Vec<Value> {
        values.into_iter().map(|value| self.pin(value, span)).collect()
    }

    pub fn zeros(&mut self, ty: TypeId) -> Vec<Value> {
        let leaves = self.cx.leaves(ty).unwrap_or_default();
        leaves.iter().map(|leaf| self.zero(leaf.scalar)).collect()
    }

    /// The leaves of a type; where there are too many, the path ends as unsupported.
    pub fn known_leaves(&mut self, ty: TypeId, span: Span) -> Rc<[Leaf]> {
        match self.cx.leaves(ty) {
            Some(leaves) => leaves,
            None => {
                let name = self.cx.c.types.name(ty);
                self.unsupported(&format!("`{name}` is too large to be copied as a value"), span);
                Rc::new([])
            }
        }
    }

    /// All leaves of an object.
    pub fn read_leaves(&mut self, located: &Located, span: Span) -> Vec<Value> {
        let leaves = self.known_leaves(located.ty, span);
        let located = &self.check_once(located, span);
        leaves
            .iter()
            .map(|leaf| {
                let part = self.leaf_place(located, leaf);
                self.read_leaf(&part, leaf, span)
            })
            .collect()
    }

    /// The pointer to a record is checked once and not for each leaf.
    fn check_once(&mut self, located: &Located, span: Span) -> Located {
        let mut located = located.clone();
        if !located.is_safe {
            let base = located.base.take();
            self.check_base(base, span);
        }
        located
    }

    /// Copying a record does not use its values: those of a union and those never written are copied as they are.
    fn read_leaf(&mut self, part: &Located, leaf: &Leaf, span: Span) -> Value {
        match &part.at {
            Where::Memory { address, cell } => {
                let (address, cell) = (address.clone(), *cell);
                self.check_access(part, &address, leaf.bytes, false, span);
                self.copying = true;
                let value = self.load(&address, cell, leaf.scalar, leaf.bytes, leaf.bits, span);
                self.copying = false;
                value
            }
            Where::Split { split, offset } => match leaf_index(&split.leaves, *offset, leaf.bits) {
                Some(index) => self.value_of(split.vars[index], leaf.scalar),
                None => self.read(part, span),
            },
            Where::Value {
                leaves,
                values,
                offset,
            } => match leaf_index(leaves, *offset, leaf.bits) {
                Some(index) => values[index].clone(),
                None => self.read(part, span),
            },
        }
    }

    pub fn leaf_place(&mut self, located: &Located, leaf: &Leaf) -> Located {
        let mut part = self.part(located.clone(), leaf.offset, leaf.ty);
        part.bits = leaf.bits;
        part
    }

    /// Writes all leaves of an object. The values must be pinned if the object is in memory.
    pub fn write_leaves(&mut self, located: &Located, values: &[Value], span: Span, shown: bool) {
        let leaves = self.known_leaves(located.ty, span);
        let flags = self.copied.take().filter(|flags| flags.len() == leaves.len());
        if let Where::Split { split, offset } = &located.at {
            let assignments = leaves
                .iter()
                .zip(values)
                .filter_map(|(leaf, value)| {
                    let index = leaf_index(&split.leaves, offset + leaf.offset, leaf.bits)?;
                    Some((split.vars[index], value.term))
                })
                .collect();
            let origin = if shown { Origin::Source } else { Origin::Internal };
            self.push(StmtKind::Assign(assignments), span, origin);
            for (at, leaf) in leaves.iter().enumerate() {
                if let Some(index) = leaf_index(&split.leaves, offset + leaf.offset, leaf.bits)
                    && let Some(&written) = split.written.get(index)
                {
                    let yes = self.cx.ir.pool.bool(true);
                    let flag = flags.as_ref().map_or(yes, |flags| flags[at]);
                    self.set_silently(written, flag, span);
                }
            }
            return;
        }
        let located = &self.check_once(located, span);
        for (at, (leaf, value)) in leaves.iter().zip(values).enumerate() {
            self.store_flag = flags.as_ref().map(|flags| flags[at]);
            let part = self.leaf_place(located, leaf);
            match &part.at {
                Where::Memory { address, cell } => {
                    let (address, cell) = (address.clone(), *cell);
                    self.check_access(&part, &address, leaf.bytes, true, span);
                    let shown = located.span.filter(|_| shown).map(|place| (place, leaf.ty));
                    self.store(
                        &address,
                        cell,
                        leaf.scalar,
                        leaf.bytes,
                        leaf.bits,
                        value,
                        span,
                        shown,
                    );
                }
                _ => self.unsupported("an assignment to a value that is no object", span),
            }
        }
        self.store_flag = None;
    }
}
