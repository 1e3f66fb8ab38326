//! Statements.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{
    Asm, Expr, ExprKind, LabelId, Node, Place, PlaceKind, Stmt, StmtKind, visit_expr, visit_stmt,
};
use lariat_c_regions::Variable;
use lariat_ir::{BlockId, Origin, Terminator};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use crate::function::{FunctionLowering, LocalStorage};
use crate::options::Check;

/// The parts of a loop.
struct Loop<'s> {
    condition: Option<&'s Expr>,
    step: Option<&'s Expr>,
    body: &'s Stmt,
    /// `do … while`: the first round comes before the condition.
    body_first: bool,
}

impl FunctionLowering<'_, '_> {
    pub fn stmt(&mut self, stmt: &Stmt) {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.stmt_inner(stmt));
    }

    fn stmt_inner(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.discard(expr),
            StmtKind::Declare { local, init, size } => {
                let size = size.as_ref().map(|size| {
                    let scalar = self.scalar(size.ty);
                    let value = self.expr(size);
                    let pool = &mut self.cx.ir.pool;
                    self.cx
                        .arith
                        .convert(pool, scalar, lariat_c_program::Scalar::Pointer, &value)
                });
                let is_set_at_once = init
                    .as_ref()
                    .is_some_and(|init| init.zero || init.items.iter().any(|item| item.path.is_empty()));
                let is_split = matches!(self.locals[*local], Some(LocalStorage::Split(_)));
                if !(is_split && is_set_at_once) {
                    if let Some(size) = &size {
                        self.check_array_size(size, span);
                    }
                    self.start_local(*local, size, span);
                }
                if let Some(init) = init {
                    let ty = self.local_type(*local);
                    let place = self.local_place(*local, ty);
                    self.initialize(&place, init, span);
                }
                self.protect(*local, init.is_some(), span);
            }
            StmtKind::Block(stmts) => {
                self.in_scope(stmt, |this| stmts.iter().for_each(|stmt| this.stmt(stmt)));
            }
            StmtKind::If {
                condition, otherwise, ..
            } if self.asks_in_vain(condition) => otherwise.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let [yes, no, after] = [self.new_block(), self.new_block(), self.new_block()];
                self.branch(condition, yes, no);
                self.at(yes);
                self.stmt(then);
                self.jump(after);
                self.at(no);
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
                self.jump(after);
                self.at(after);
            }
            StmtKind::While { condition, body } => self.repeat(Loop {
                condition: Some(condition),
                step: None,
                body,
                body_first: false,
            }),
            StmtKind::DoWhile { body, condition } => self.repeat(Loop {
                condition: Some(condition),
                step: None,
                body,
                body_first: true,
            }),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => self.in_scope(stmt, |this| {
                init.iter().for_each(|init| this.stmt(init));
                this.repeat(Loop {
                    condition: condition.as_ref(),
                    step: step.as_ref(),
                    body,
                    body_first: false,
                });
            }),
            StmtKind::Switch { value, body } => self.switch(value, body, span),
            StmtKind::Case { low, high, body } => {
                self.case(*low, *high, span);
                self.atomic_blocks = 0;
                self.revive_in_switch(span);
                self.stmt(body);
            }
            StmtKind::Default(body) => {
                self.default_case();
                self.atomic_blocks = 0;
                self.revive_in_switch(span);
                self.stmt(body);
            }
            StmtKind::Label { label, body } => {
                let block = self.label_block(*label);
                self.jump(block);
                self.at(block);
                self.atomic_blocks = 0;
                self.revive_locals(0, span);
                let name = self.cx.c.functions[self.function].labels[*label].clone();
                if self.cx.error_label.as_deref() == Some(&*name) {
                    let never = self.cx.ir.pool.bool(false);
                    let message = format!("the label {name} can be reached");
                    self.check(Check::Reach, never, span, Some(message));
                }
                self.stmt(body);
            }
            StmtKind::Goto(label) => {
                self.leave_for_label(*label, span);
                let block = self.label_block(*label);
                self.jump(block);
            }
            StmtKind::GotoComputed(target) => self.computed_goto(target),
            StmtKind::Break => {
                if let Some(&target) = self.breaks.last() {
                    self.leave_scopes(self.scopes.breaks.last().copied().unwrap_or(0), span);
                    self.jump(target);
                }
            }
            StmtKind::Continue => {
                if let Some(&target) = self.continues.last() {
                    self.leave_scopes(self.scopes.continues.last().copied().unwrap_or(0), span);
                    self.jump(target);
                }
            }
            StmtKind::Return(value) => self.return_value(value.as_ref(), span),
            StmtKind::Asm(asm) => self.assembly(asm, span),
            StmtKind::AtomicBegin => self.begin_synchronising(span),
            StmtKind::AtomicEnd => self.end_synchronising(span),
            StmtKind::Unsupported(reason) => self.unsupported(reason, span),
        }
    }

    /// The value of `({ … })`: that of its last statement.
    pub fn statement_expression(&mut self, stmts: &[Stmt], span: Span) -> Vec<Value> {
        let Some((last, first)) = stmts.split_last() else {
            return Vec::new();
        };
        self.open_scope(std::ptr::from_ref(last) as usize);
        first.iter().for_each(|stmt| self.stmt(stmt));
        let values = self.last_value(last, span);
        self.close_scope(span);
        values
    }

    fn revive_in_switch(&mut self, span: Span) {
        let depth = self.scopes.switches.last().copied().unwrap_or(0);
        self.revive_locals(depth, span);
    }

    fn last_value(&mut self, stmt: &Stmt, span: Span) -> Vec<Value> {
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                let values = self.record(expr);
                self.pin_all(values, span)
            }
            StmtKind::Label { label, body } => {
                let block = self.label_block(*label);
                self.jump(block);
                self.at(block);
                self.atomic_blocks = 0;
                self.last_value(body, span)
            }
            _ => {
                self.stmt(stmt);
                Vec::new()
            }
        }
    }

    fn repeat(&mut self, parts: Loop<'_>) {
        let [head, body, next, after] = [
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
        ];
        let span = parts
            .condition
            .map_or(parts.body.span, |condition| condition.span);
        self.jump(if parts.body_first { body } else { head });
        self.at(if parts.body_first { body } else { head });
        self.assume_types(&parts, span);
        if parts.body_first {
            self.round(parts.body, after, next);
            self.at(next);
            match parts.condition {
                Some(condition) => self.branch(condition, body, after),
                None => self.jump(body),
            }
        } else {
            match parts.condition {
                Some(condition) => self.branch(condition, body, after),
                None => self.jump(body),
            }
            self.at(body);
            self.round(parts.body, after, next);
            self.at(next);
            parts.step.iter().for_each(|step| self.discard(step));
            self.jump(head);
        }
        self.at(after);
    }

    fn round(&mut self, body: &Stmt, after: BlockId, next: BlockId) {
        self.breaks.push(after);
        self.continues.push(next);
        let depth = self.scopes.depth();
        self.scopes.breaks.push(depth);
        self.scopes.continues.push(depth);
        self.stmt(body);
        self.scopes.breaks.pop();
        self.scopes.continues.pop();
        self.breaks.pop();
        self.continues.pop();
        self.jump(next);
    }

    /// Split variables that a loop changes always hold values of their types: an invariant that needs no proof, told to
    /// those who look at a round on its own.
    fn assume_types(&mut self, parts: &Loop<'_>, span: Span) {
        let mut changed: Vec<Variable> = Vec::new();
        let mut seen = FxHashSet::default();
        let function = self.function;
        let mut visit = |node: Node<'_>| {
            let place = match node {
                Node::Expr(Expr {
                    kind:
                        ExprKind::Assign { place, .. }
                        | ExprKind::CompoundAssign { place, .. }
                        | ExprKind::Step { place, .. },
                    ..
                }) => place,
                _ => return,
            };
            if let Some(variable) = root(place, function)
                && seen.insert(variable)
            {
                changed.push(variable);
            }
        };
        visit_stmt(parts.body, &mut visit);
        for expr in parts.condition.into_iter().chain(parts.step) {
            visit_expr(expr, &mut visit);
        }
        for variable in changed {
            let split = match variable {
                Variable::Local(_, local) => match &self.locals[local] {
                    Some(LocalStorage::Split(split)) => split.clone(),
                    _ => continue,
                },
                Variable::Global(global) => match self.cx.storage.split_globals.get(&global) {
                    Some(split) => split.clone(),
                    None => continue,
                },
            };
            for (leaf, &var) in split.leaves.iter().zip(&split.vars) {
                let term = self.cx.ir.pool.var(var);
                self.assume_in_type(term, leaf.scalar, span);
            }
        }
    }

    fn label_block(&mut self, label: LabelId) -> BlockId {
        if let Some(block) = self.labels[label] {
            return block;
        }
        let block = self.new_block();
        self.labels[label] = Some(block);
        self.body.blocks[block].label = self.cx.c.functions[self.function].labels.get(label).cloned();
        block
    }

    /// The value of `&&label` is the label's number; any other address leads nowhere.
    fn computed_goto(&mut self, target: &Expr) {
        let value = self.expr(target);
        let value = self.pin(value, target.span);
        let labels: Vec<LabelId> = self.cx.c.functions[self.function].labels.keys().collect();
        for label in labels {
            let block = self.label_block(label);
            let next = self.new_block();
            let address = self.address(&BigInt::from(label.as_u32() + 1));
            let is_it = self.cx.ir.pool.eq(value.term, address.term);
            self.guard(is_it, block, next, target.span);
            self.at(next);
        }
        self.stop();
    }

    fn return_value(&mut self, value: Option<&Expr>, span: Span) {
        if let Some(expr) = value {
            let values = self.record(expr);
            let outs = self.cx.ir.procs[self.proc].outs.clone();
            if outs.len() == values.len() {
                let assignments = outs
                    .into_iter()
                    .zip(values)
                    .map(|(out, value)| (out, value.term))
                    .collect();
                self.push(lariat_ir::StmtKind::Assign(assignments), span, Origin::Source);
                self.expect_result(span);
            }
        }
        self.terminate(Terminator::goto(self.exit), Some(span));
    }

    /// Any value may be in the outputs, and in all memory if it says so.
    fn assembly(&mut self, asm: &Asm, span: Span) {
        asm.inputs.iter().for_each(|input| self.discard(input));
        for output in &asm.outputs {
            let located = self.place(output);
            let leaves = self.known_leaves(located.ty, span);
            for leaf in leaves.iter() {
                let part = self.leaf_place(&located, leaf);
                let any = self.scalar_temporary(leaf.scalar);
                self.havoc(any, leaf.scalar, span, Origin::External("asm".into()));
                let value = self.value_of(any, leaf.scalar);
                self.write(&part, &value, span);
            }
        }
        if asm.clobbers_memory && !self.is_open() {
            let all: Vec<_> = self.cx.regions.regions().keys().collect();
            self.havoc_regions(&all, span, "asm", true);
        }
        let effect = match asm.clobbers_memory {
            true => "writes any values to its outputs and to memory",
            false => "writes any values to its outputs",
        };
        self.cx.use_external("asm", span, effect.to_owned());
        for &label in &asm.labels {
            let block = self.label_block(label);
            let next = self.new_block();
            let targets = [block, next].into_iter().collect();
            self.terminate(Terminator::Goto(targets), Some(span));
            self.at(next);
        }
    }
}

/// The variable that a place without indirection is part of.
fn root(place: &Place, function: lariat_c_program::FunctionId) -> Option<Variable> {
    match &place.kind {
        PlaceKind::Local(local) => Some(Variable::Local(function, *local)),
        PlaceKind::Global(global) => Some(Variable::Global(*global)),
        PlaceKind::Member { base, .. } => root(base, function),
        _ => None,
    }
}
