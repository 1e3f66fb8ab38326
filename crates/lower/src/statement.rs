//! Statements without control flow of their own, except calls.

use lariat_base::Span;
use lariat_boogie::typed::{ConstructorRef, Expr, Stmt, StmtKind as SourceKind, Type, VarId, VarKind};
use lariat_ir::{AssertKind, Origin, StmtId, StmtKind};
use lariat_term::{SortId, VarId as PoolVar};
use smallvec::SmallVec;

use crate::body::BodyBuilder;
use crate::location::{assert_info, external_location};
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope, Unsupported};

impl Lowering<'_> {
    pub(crate) fn lower_simple_stmt(&mut self, stmt: &Stmt, builder: &mut BodyBuilder) -> Lowers<()> {
        let span = stmt.span;
        match &stmt.kind {
            SourceKind::Assert { expr, .. } if self.take_candidate(expr, span, builder) => {}
            SourceKind::Assert { expr, attributes } => {
                let condition = self.lower_expr(expr, &mut builder.scope)?;
                let condition = self.verified_under(condition, attributes, &mut builder.scope)?;
                let kind = match attributes.string("typestaterule") {
                    Some(rule) => AssertKind::Rule(rule.into()),
                    None => AssertKind::Assert,
                };
                let info = assert_info(kind, span, None, attributes);
                let emitted = self.emit_assert(builder, condition, info, external_location(attributes));
                self.note_assertion(emitted.map(|(_, assert)| assert), attributes);
                self.note_attributes(emitted.map(|(stmt, _)| stmt), attributes, &mut builder.scope)?;
                self.note_assert_attributes(emitted.map(|(_, assert)| assert), attributes);
            }
            SourceKind::Assume { expr, attributes } => {
                let condition = self.lower_expr(expr, &mut builder.scope)?;
                let location = external_location(attributes);
                let stmt = self.emit_at(
                    builder,
                    StmtKind::Assume(condition),
                    span,
                    Origin::Source,
                    location,
                );
                self.note_attributes(stmt, attributes, &mut builder.scope)?;
            }
            SourceKind::Havoc(vars) => self.lower_havoc(vars, span, builder),
            SourceKind::Assign(assignments) => {
                let mut lowered = SmallVec::with_capacity(assignments.len());
                for (var, value) in assignments {
                    let value = self.lower_expr(value, &mut builder.scope)?;
                    lowered.push((self.variable(*var, &builder.scope), value));
                }
                self.emit(builder, StmtKind::Assign(lowered), span, Origin::Source);
            }
            SourceKind::Unpack {
                constructor,
                type_args,
                vars,
                value,
                assign,
            } => {
                let type_args = self.ground_all(type_args, &builder.scope);
                self.lower_unpack(
                    *constructor,
                    &Type::Datatype(constructor.datatype, type_args),
                    vars,
                    value,
                    (span, *assign),
                    builder,
                )?;
            }
            SourceKind::Call(call) => self.lower_call(call, span, builder)?,
            SourceKind::CallForall {
                procedure,
                type_args,
                args,
                attributes,
            } => {
                let condition =
                    self.lower_call_forall(*procedure, type_args, args, span, &mut builder.scope)?;
                let location = external_location(attributes);
                self.emit_at(
                    builder,
                    StmtKind::Assume(condition),
                    span,
                    Origin::Source,
                    location,
                );
            }
            // What other threads do is not modelled there.
            SourceKind::Yield if self.is_modular() => return self.unsupported(span, "`yield`"),
            SourceKind::Yield => self.lower_yield(span, builder),
            SourceKind::Visibility(visibility) => self.note_visibility(*visibility, span, builder),
            SourceKind::Label(_)
            | SourceKind::If { .. }
            | SourceKind::While { .. }
            | SourceKind::Break(_)
            | SourceKind::Goto(_)
            | SourceKind::Return
            | SourceKind::ReturnExpr(_) => unreachable!("control flow is lowered with the body"),
        }
        Ok(())
    }

    /// The pool's variable of a variable that statements may name.
    pub(crate) fn variable(&self, var: VarId, scope: &Scope) -> PoolVar {
        match scope.vars.get(&var) {
            Some(&term) => self
                .ir
                .pool
                .as_var(term)
                .expect("assigned variables are not bound by `let`"),
            None => self.shared_var(var),
        }
    }

    fn lower_havoc(&mut self, vars: &[VarId], span: Span, builder: &mut BodyBuilder) {
        let mut lowered: SmallVec<[PoolVar; 2]> = SmallVec::new();
        for &var in vars {
            let variable = self.variable(var, &builder.scope);
            if !lowered.contains(&variable) {
                lowered.push(variable);
            }
        }
        let kept = self.keep_assumptions(vars, builder);
        let havoc = StmtKind::Havoc(lowered.clone());
        let stmt = self.emit_at(builder, havoc, span, Origin::Source, None);
        self.note_havoc(stmt, &lowered, span, builder);
        for (value, before) in kept {
            let condition = self.ir.pool.implies(value, before);
            self.emit(builder, StmtKind::Assume(condition), span, Origin::Where);
        }
        for &var in vars {
            self.assume_where(var, builder);
        }
    }

    /// Assumes the `where` clause of a variable of the procedure or of a global.
    pub(crate) fn assume_where(&mut self, var: VarId, builder: &mut BodyBuilder) -> Option<StmtId> {
        let source = self.source;
        let clause = source.vars[var].where_clause.as_ref()?;
        let term = if source.vars[var].kind == VarKind::Global {
            self.global_where_clause(var)
        } else {
            self.lower_expr(clause, &mut builder.scope).map(Some)
        };
        match term {
            Ok(Some(term)) if self.ir.pool.as_bool(term) == Some(true) => None,
            Ok(Some(term)) => self.emit_at(builder, StmtKind::Assume(term), clause.span, Origin::Where, None),
            Ok(None) => None,
            Err(unsupported) => {
                self.emit_unsupported(builder, &unsupported, clause.span);
                None
            }
        }
    }

    /// `C(x, y) := e`
    fn lower_unpack(
        &mut self,
        constructor: ConstructorRef,
        ty: &Type,
        vars: &[VarId],
        value: &Expr,
        (span, assign): (Span, Span),
        builder: &mut BodyBuilder,
    ) -> Lowers<()> {
        let datatype = self.pool_datatype(ty);
        let value = self.lower_expr(value, &mut builder.scope)?;
        let index = constructor.constructor;
        let fits = self.ir.pool.is_constructor(datatype, index, value);
        let place = if self.is_modular() { assign } else { span };
        let info = assert_info(AssertKind::Unpack, place, None, &Default::default());
        self.emit_assert(builder, fits, info, None);
        let assignments: SmallVec<[_; 1]> = vars
            .iter()
            .enumerate()
            .map(|(field, &var)| {
                let field = self.ir.pool.field(datatype, index, field as u32, value);
                (self.variable(var, &builder.scope), field)
            })
            .collect();
        if !assignments.is_empty() {
            self.emit(builder, StmtKind::Assign(assignments), span, Origin::Source);
        }
        Ok(())
    }

    /// A new local that the user did not write.
    pub(crate) fn fresh_local(
        &mut self,
        name: impl Into<std::sync::Arc<str>>,
        sort: SortId,
        builder: &mut BodyBuilder,
    ) -> PoolVar {
        let var = self.ir.pool.declare_var(name, sort);
        builder.locals.push(var);
        var
    }

    pub(crate) fn unsupported<T>(&self, span: Span, reason: &str) -> Lowers<T> {
        Err(Unsupported::new(span, reason))
    }
}
