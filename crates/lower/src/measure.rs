//! `measure` clauses: loops and recursive procedures end.
//!
//! A measure is a tuple of integers, and of Booleans, which count as 0 and 1. Each round of a loop, and each call of a
//! procedure that may come back to its caller, must make it smaller: the first component that changes decreases.
//! Integers in it are not negative: that is an invariant of the loop, and a precondition of the procedure. Only modular
//! verification checks them.

use lariat_base::Span;
use lariat_boogie::typed::{Call, Expr, Measure, ProcedureId, Stmt, StmtKind as SourceKind, Type};
use lariat_ir::{AssertInfo, AssertKind, Origin, StmtId, StmtKind};
use lariat_term::TermId;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::body::BodyBuilder;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

const MESSAGE: &str = "measure could not be proved to decrease";

impl Lowering<'_> {
    fn component(&mut self, expr: &Expr, scope: &mut Scope) -> Lowers<TermId> {
        let term = self.lower_expr(expr, scope)?;
        if expr.ty != Type::Bool {
            return Ok(term);
        }
        let (one, zero) = (self.ir.pool.int(1), self.ir.pool.int(0));
        Ok(self.ir.pool.ite(term, one, zero))
    }

    /// Keeps the present value of a measure.
    pub(crate) fn keep_measure(&mut self, measure: &Measure, builder: &mut BodyBuilder) -> Vec<TermId> {
        if !self.is_modular() {
            return Vec::new();
        }
        let mut kept = Vec::new();
        for expr in &measure.exprs {
            match self.component(expr, &mut builder.scope) {
                Ok(value) => {
                    let sort = self.ir.pool.sort_of(value);
                    let before = self.fresh_local("measure", sort, builder);
                    let assignment = SmallVec::from_elem((before, value), 1);
                    self.emit(builder, StmtKind::Assign(assignment), expr.span, Origin::Internal);
                    kept.push(self.ir.pool.var(before));
                }
                Err(unsupported) => self.emit_unsupported(builder, &unsupported, expr.span),
            }
        }
        kept
    }

    /// The integers of a measure must not be negative: with the expression of each.
    fn not_negative(&mut self, measure: &Measure, scope: &mut Scope) -> Vec<(Span, Lowers<TermId>)> {
        let numbers = measure.exprs.iter().filter(|expr| expr.ty == Type::Int);
        let mut conditions = Vec::new();
        for expr in numbers {
            let term = self.lower_expr(expr, scope);
            let zero = self.ir.pool.int(0);
            conditions.push((expr.span, term.map(|term| self.ir.pool.le(zero, term))));
        }
        conditions
    }

    /// At the head of a loop.
    pub(crate) fn check_head(&mut self, measure: &Measure, builder: &mut BodyBuilder) {
        if !self.is_modular() {
            return;
        }
        for (span, condition) in self.not_negative(measure, &mut builder.scope) {
            match condition {
                Ok(condition) => {
                    let info = AssertInfo {
                        kind: AssertKind::LoopInvariant,
                        span: Some(span),
                        condition_span: None,
                        id: None,
                        message: None,
                    };
                    self.emit_assert(builder, condition, info, None);
                }
                Err(unsupported) => self.emit_unsupported(builder, &unsupported, span),
            }
        }
    }

    /// At the start of a procedure; the statements.
    pub(crate) fn assume_measure(&mut self, measure: &Measure, builder: &mut BodyBuilder) -> Vec<StmtId> {
        let mut assumed = Vec::new();
        if !self.is_modular() {
            return assumed;
        }
        for (span, condition) in self.not_negative(measure, &mut builder.scope) {
            match condition {
                Ok(condition) => {
                    let kind = StmtKind::Assume(condition);
                    assumed.extend(self.emit_at(builder, kind, span, Origin::Requires, None));
                }
                Err(unsupported) => self.emit_unsupported(builder, &unsupported, span),
            }
        }
        assumed
    }

    /// At the end of a round of a loop.
    pub(crate) fn check_round(&mut self, measure: &Measure, before: &[TermId], builder: &mut BodyBuilder) {
        if !self.is_modular() || !builder.is_reachable() {
            return;
        }
        let mut now = Vec::new();
        for expr in &measure.exprs {
            match self.component(expr, &mut builder.scope) {
                Ok(value) => now.push(value),
                Err(unsupported) => return self.emit_unsupported(builder, &unsupported, expr.span),
            }
        }
        self.check_decrease(&now, before, measure.span, builder);
    }

    /// At a call: the measure is not negative, and smaller if the call may come back to the caller.
    pub(crate) fn check_call_measure(
        &mut self,
        call: &Call,
        actuals: &[Option<TermId>],
        span: Span,
        builder: &mut BodyBuilder,
    ) -> Lowers<()> {
        let source = self.source;
        let callee = &source.procedures[call.procedure];
        let Some(measure) = callee.measure.as_ref().filter(|_| self.is_modular()) else {
            return Ok(());
        };
        let type_args = self.ground_all(&call.type_args, &builder.scope);
        let mut scope = Scope::with_types(&callee.type_params, &type_args);
        for (&formal, actual) in callee.ins.iter().zip(actuals) {
            if let Some(actual) = actual {
                scope.vars.insert(formal, *actual);
            } else {
                self.declare_in(formal, &mut scope);
            }
        }
        if !builder.measure.is_empty() && self.may_come_back(call.procedure) {
            let mut now = Vec::new();
            for expr in &measure.exprs {
                now.push(self.component(expr, &mut scope)?);
            }
            let before = builder.measure.clone();
            self.check_decrease(&now, &before, span, builder);
        }
        if call.is_free {
            return Ok(());
        }
        for (clause, condition) in self.not_negative(measure, &mut scope) {
            if let Some(modular) = &mut self.modular {
                modular.info.measures.insert(clause);
            }
            let info = AssertInfo {
                kind: AssertKind::Requires(callee.name.clone()),
                span: Some(span),
                condition_span: Some(clause),
                id: None,
                message: None,
            };
            self.emit_assert(builder, condition?, info, None);
        }
        Ok(())
    }

    /// Whether a procedure can be called again before it returns.
    fn may_come_back(&self, procedure: ProcedureId) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![procedure];
        while let Some(next) = stack.pop() {
            let bodies = self.implementations.get(&next).into_iter().flatten();
            let mut called = Vec::new();
            for &index in bodies {
                collect_calls(&self.source.implementations[index].body.stmts, &mut called);
            }
            for callee in called {
                if callee == procedure {
                    return true;
                }
                if seen.insert(callee) {
                    stack.push(callee);
                }
            }
        }
        false
    }

    fn check_decrease(&mut self, now: &[TermId], before: &[TermId], span: Span, builder: &mut BodyBuilder) {
        let pool = &mut self.ir.pool;
        let mut decreases = pool.bool(false);
        for (&now, &before) in now.iter().zip(before).rev() {
            let smaller = pool.lt(now, before);
            let same = pool.eq(now, before);
            let later = pool.and(&[same, decreases]);
            decreases = pool.or(&[smaller, later]);
        }
        let info = AssertInfo {
            kind: AssertKind::Assert,
            span: Some(span),
            condition_span: None,
            id: None,
            message: Some(MESSAGE.into()),
        };
        self.emit_assert(builder, decreases, info, None);
    }
}

fn collect_calls(stmts: &[Stmt], found: &mut Vec<ProcedureId>) {
    for stmt in stmts {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match &stmt.kind {
            SourceKind::Call(call) => found.push(call.procedure),
            SourceKind::If {
                then_branch,
                else_branch,
                ..
            } => {
                collect_calls(then_branch, found);
                collect_calls(else_branch, found);
            }
            SourceKind::While { body, .. } => collect_calls(body, found),
            _ => {}
        });
    }
}
