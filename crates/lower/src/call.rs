//! Calls, with the contracts of their callees.
//!
//! ```text
//! assert requires[ins := actuals]
//! before(g) := g                         for each g that is modified and under `old`
//! call outs := P(actuals)                or, without a body: havoc outs, modifies
//! assume ensures[ins := actuals, outs := outs, old(g) := before(g)]
//! ```
//!
//! Postconditions speak of the actual parameters as they were before the call, so an actual that
//! the call may change is kept in a variable.

use std::rc::Rc;
use std::sync::Arc;

use lariat_base::Span;
use lariat_boogie::typed::{Call as SourceCall, Expr, ProcedureId, Type, VarKind};
use lariat_ir::{AssertKind, Call, Origin, Record, StmtId, StmtKind, Terminator};
use lariat_term::{Quantifier, QuantifierKind, Substitution, TermId, VarId as PoolVar, VarSet};
use smallvec::SmallVec;

use crate::body::{BodyBuilder, Exit};
use crate::expr::Terms;
use crate::location::{assert_info, external_location};
use crate::lowering::Lowering;
use crate::procedure::ProcedureInstance;
use crate::scope::{Lowers, Scope};

/// Procedures by which a program has values shown: Corral's `/printDataValues`.
const RECORD_PREFIX: &str = "boogie_si_record_";

type Assignments = SmallVec<[(PoolVar, TermId); 1]>;

impl<'a> Lowering<'a> {
    pub(crate) fn lower_call(
        &mut self,
        call: &SourceCall,
        span: Span,
        builder: &mut BodyBuilder,
    ) -> Lowers<()> {
        let one_thread = self.is_open() || self.is_modular() || matches!(builder.exit, Exit::Code { .. });
        if call.is_async && one_thread {
            let name = &self.source.procedures[call.procedure].name;
            return self.unsupported(span, &format!("async call of {name}"));
        }
        // Boogie gives no name a meaning of its own.
        if !call.is_async && !self.is_modular() && self.lower_corral_call(call, span, builder)? {
            return Ok(());
        }
        let type_args = self.ground_all(&call.type_args, &builder.scope);
        let mut actuals: Vec<Option<TermId>> = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            actuals.push(
                arg.as_ref()
                    .map(|arg| self.lower_expr(arg, &mut builder.scope))
                    .transpose()?,
            );
        }
        self.check_call_measure(call, &actuals, span, builder)?;
        let instance = self.procedure_instance(call.procedure, type_args)?;
        if instance.target.is_some() && matches!(builder.exit, Exit::Code { .. }) {
            return self.unsupported(span, "a call of a procedure with a body in a code expression");
        }
        if call.is_async {
            if instance.target.is_none() && self.changes_globals(call) {
                return self.unsupported(
                    span,
                    "async call of a procedure without body that modifies globals",
                );
            }
            let ins = self.in_arguments(&actuals, &instance, &[], span, builder);
            let mut substitution: Substitution =
                instance.ins.iter().copied().zip(ins.iter().copied()).collect();
            self.check_requires(call, &instance, &mut substitution, span, builder);
            self.call_async(call, instance.target, ins, span, builder);
            return Ok(());
        }
        let (outs, copies) = self.out_arguments(call, &instance, builder);
        let ins = self.in_arguments(&actuals, &instance, &outs, span, builder);
        let mut substitution: Substitution = instance.ins.iter().copied().zip(ins.iter().copied()).collect();
        self.check_requires(call, &instance, &mut substitution, span, builder);
        self.keep_globals(&instance, &mut substitution, span, builder);
        let location = external_location(&call.attributes);
        let mut joined = None;
        if let Some(callee) = instance.target {
            let mut choices = None;
            if self.is_modular() {
                let (inlined, by_contract) = (builder.new_block(), builder.new_block());
                let targets = SmallVec::from_slice(&[inlined, by_contract]);
                builder.end_block(Terminator::Goto(targets), Some(span));
                builder.start(inlined);
                choices = Some((by_contract, builder.new_block()));
            }
            let kind = StmtKind::Call(Call {
                callee,
                ins: ins.clone(),
                outs: outs.clone(),
            });
            self.emit_at(builder, kind, span, Origin::Source, location.clone());
            if let Some((by_contract, join)) = choices {
                builder.jump(join, Some(span));
                builder.start(by_contract);
                joined = Some(join);
            }
        }
        let by_contract = instance.target.is_none() || joined.is_some();
        let is_implemented = self.implementations.contains_key(&instance.procedure);
        if let (Some(modular), true) = (&mut self.modular, is_implemented) {
            modular.info.implemented.insert(instance.name.clone());
        }
        if by_contract {
            let changed: SmallVec<[PoolVar; 2]> = instance
                .contract
                .modifies
                .iter()
                .map(|&(_, var)| var)
                .chain(outs.iter().copied())
                .collect();
            let origin = Origin::External(instance.name.clone());
            let changed = without_duplicates(changed);
            let stmt = self.emit_at(builder, StmtKind::Havoc(changed), span, origin, location);
            self.note_external(stmt, &instance, &outs, span, builder);
            self.note_record(stmt, call, &ins);
        }
        for (&formal, &out) in instance.outs.iter().zip(&outs) {
            substitution.insert(formal, self.ir.pool.var(out));
        }
        if by_contract {
            self.assume_external_where(&instance, &mut substitution, builder);
        }
        self.assume_ensures(&instance, &mut substitution, span, builder);
        if let Some(join) = joined {
            builder.jump(join, Some(span));
            builder.start(join);
        }
        if !copies.is_empty() {
            self.emit(builder, StmtKind::Assign(copies), span, Origin::Source);
        }
        if instance.target.is_none() && instance.outs.is_empty() {
            self.note_ending(&instance.name, span, builder);
        }
        Ok(())
    }

    /// Keeps what a call of `boogie_si_record_…` shows.
    fn note_record(&mut self, stmt: Option<StmtId>, call: &SourceCall, ins: &[TermId]) {
        let name = &self.source.procedures[call.procedure].name;
        if let (Some(stmt), &[value], true) = (stmt, ins, name.starts_with(RECORD_PREFIX)) {
            let text = call.attributes.string("cexpr").map(Arc::from);
            self.ir.records.insert(stmt, Record { text, value });
        }
    }

    /// The variables that receive the results, and the assignments to be made after the
    /// postconditions were assumed: a result that goes to a global which the postconditions
    /// mention would change their meaning.
    fn out_arguments(
        &mut self,
        call: &SourceCall,
        instance: &Rc<ProcedureInstance<'a>>,
        builder: &mut BodyBuilder,
    ) -> (Vec<PoolVar>, Assignments) {
        let mut outs: Vec<PoolVar> = Vec::with_capacity(call.outs.len());
        let mut copies = Assignments::new();
        let contract = &instance.contract;
        for (out, &formal) in call.outs.iter().zip(&instance.outs) {
            let target = out.map(|out| self.variable(out, &builder.scope));
            let is_global = out.is_some_and(|out| self.source.vars[out].kind == VarKind::Global);
            if let Some(target) = target
                && !outs.contains(&target)
                && !(is_global && contract.post_vars.contains(&target))
            {
                outs.push(target);
                continue;
            }
            let (name, sort) = (
                self.ir.pool.var_name(formal).clone(),
                self.ir.pool.var_sort(formal),
            );
            let dropped = self.fresh_local(name, sort, builder);
            outs.push(dropped);
            if let Some(target) = target {
                let value = self.ir.pool.var(dropped);
                copies.retain(|(var, _)| *var != target);
                copies.push((target, value));
            }
        }
        (outs, copies)
    }

    /// The terms of the actual parameters.
    fn in_arguments(
        &mut self,
        actuals: &[Option<TermId>],
        instance: &Rc<ProcedureInstance<'a>>,
        outs: &[PoolVar],
        span: Span,
        builder: &mut BodyBuilder,
    ) -> Vec<TermId> {
        let contract = &instance.contract;
        let mut changed: Option<VarSet> = None;
        let mut ins = Vec::with_capacity(actuals.len());
        for (&actual, &formal) in actuals.iter().zip(&instance.ins) {
            let (name, sort) = (
                self.ir.pool.var_name(formal).clone(),
                self.ir.pool.var_sort(formal),
            );
            let Some(actual) = actual else {
                let any = self.fresh_local(name, sort, builder);
                let havoc = StmtKind::Havoc(SmallVec::from_elem(any, 1));
                let stmt = self.emit_at(builder, havoc, span, Origin::Internal, None);
                self.note_havoc(stmt, &[any], span, builder);
                ins.push(self.ir.pool.var(any));
                continue;
            };
            let changed = changed.get_or_insert_with(|| {
                contract
                    .modifies
                    .iter()
                    .map(|&(_, var)| var)
                    .chain(outs.iter().copied())
                    .collect()
            });
            let is_changed = contract.post_vars.contains(&formal)
                && !self.ir.pool.is_closed(actual)
                && self
                    .ir
                    .pool
                    .free_vars(&[actual])
                    .iter()
                    .any(|var| changed.contains(var));
            if is_changed {
                let kept = self.fresh_local(name, sort, builder);
                let assignment = SmallVec::from_elem((kept, actual), 1);
                self.emit(builder, StmtKind::Assign(assignment), span, Origin::Internal);
                ins.push(self.ir.pool.var(kept));
            } else {
                ins.push(actual);
            }
        }
        ins
    }

    fn check_requires(
        &mut self,
        call: &SourceCall,
        instance: &Rc<ProcedureInstance<'a>>,
        substitution: &mut Substitution,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        for &(global, snapshot) in &instance.contract.snapshots {
            // Before the call the old value is the present one.
            let value = self.shared_vars[global].expect("globals are declared first");
            substitution.insert(snapshot, value);
        }
        for clause in &instance.contract.requires {
            let is_assumed = clause.source.free && self.is_always_assumed(clause.source);
            if clause.source.free && !is_assumed {
                continue;
            }
            let term = match &clause.term {
                Ok(term) => substitution.apply(&mut self.ir.pool, *term),
                Err(unsupported) => {
                    self.emit_unsupported(builder, unsupported, span);
                    continue;
                }
            };
            if is_assumed {
                self.emit(builder, StmtKind::Assume(term), span, Origin::Requires);
                continue;
            }
            if call.is_free && self.is_modular() {
                continue;
            }
            if call.is_free {
                self.emit(builder, StmtKind::Assume(term), span, Origin::Requires);
            } else {
                let kind = AssertKind::Requires(instance.name.clone());
                let info = assert_info(kind, span, Some(clause.source.span), &clause.source.attributes);
                let term = match self.verified_under(term, &call.attributes, &mut builder.scope) {
                    Ok(term) => term,
                    Err(unsupported) => {
                        self.emit_unsupported(builder, &unsupported, span);
                        continue;
                    }
                };
                let emitted = self.emit_assert(builder, term, info, external_location(&call.attributes));
                self.note_assert_attributes(emitted.map(|(_, assert)| assert), &clause.source.attributes);
            }
        }
    }

    /// Keeps the globals that the call may change and the postconditions compare with.
    fn keep_globals(
        &mut self,
        instance: &Rc<ProcedureInstance<'a>>,
        substitution: &mut Substitution,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        let contract = &instance.contract;
        let mut kept = Assignments::new();
        for &(global, snapshot) in &contract.snapshots {
            let is_modified = contract.modifies.iter().any(|&(var, _)| var == global);
            if !is_modified || !contract.post_vars.contains(&snapshot) {
                continue;
            }
            let value = self.shared_vars[global].expect("globals are declared first");
            let before = match builder.before_call.get(&global) {
                Some(&before) => before,
                None => {
                    let name = format!("before({})", self.source.vars[global].name);
                    let sort = self.ir.pool.sort_of(value);
                    let before = self.fresh_local(name, sort, builder);
                    builder.before_call.insert(global, before);
                    before
                }
            };
            kept.push((before, value));
            substitution.insert(snapshot, self.ir.pool.var(before));
        }
        if !kept.is_empty() {
            self.emit(builder, StmtKind::Assign(kept), span, Origin::Internal);
        }
    }

    fn assume_ensures(
        &mut self,
        instance: &Rc<ProcedureInstance<'a>>,
        substitution: &mut Substitution,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        for clause in &instance.contract.ensures {
            match &clause.term {
                Ok(term) => {
                    let term = substitution.apply(&mut self.ir.pool, *term);
                    if self.ir.pool.as_bool(term) != Some(true) {
                        self.emit(
                            builder,
                            StmtKind::Assume(term),
                            clause.source.span,
                            Origin::Ensures,
                        );
                    }
                }
                Err(unsupported) => self.emit_unsupported(builder, unsupported, span),
            }
        }
    }

    /// The `where` clauses of what a procedure without a body may change.
    fn assume_external_where(
        &mut self,
        instance: &Rc<ProcedureInstance<'a>>,
        substitution: &mut Substitution,
        builder: &mut BodyBuilder,
    ) {
        for &(global, _) in &instance.contract.modifies {
            self.assume_where(global, builder);
        }
        for clause in &instance.contract.out_where {
            let span = self.source.vars[clause.var].span;
            match &clause.term {
                Ok(term) => {
                    let term = substitution.apply(&mut self.ir.pool, *term);
                    self.emit(builder, StmtKind::Assume(term), span, Origin::Where);
                }
                Err(unsupported) => self.emit_unsupported(builder, unsupported, span),
            }
        }
    }

    /// `call forall P(e, *)`: `forall star :: requires ==> ensures` of a lemma procedure.
    pub(crate) fn lower_call_forall(
        &mut self,
        procedure: ProcedureId,
        type_args: &Arc<[Type]>,
        args: &[Option<Expr>],
        span: Span,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let type_args = self.ground_all(type_args, scope);
        let instance = self.procedure_instance(procedure, type_args)?;
        if !instance.outs.is_empty() || !instance.contract.modifies.is_empty() {
            return self.unsupported(span, "call forall of a procedure with results or effects");
        }
        let mut substitution = Substitution::new();
        let mut bound = Vec::new();
        for (arg, &formal) in args.iter().zip(&instance.ins) {
            let value = match arg {
                Some(arg) => self.lower_expr(arg, scope)?,
                None => {
                    let (name, sort) = (
                        self.ir.pool.var_name(formal).clone(),
                        self.ir.pool.var_sort(formal),
                    );
                    let var = self.ir.pool.declare_var(name, sort);
                    bound.push(var);
                    self.ir.pool.var(var)
                }
            };
            substitution.insert(formal, value);
        }
        for &(global, snapshot) in &instance.contract.snapshots {
            let value = self.shared_vars[global].expect("globals are declared first");
            substitution.insert(snapshot, value);
        }
        let mut implication = Terms::new();
        for clause in &instance.contract.requires {
            let term = substitution.apply(&mut self.ir.pool, clause.term.clone()?);
            implication.push(self.ir.pool.not(term));
        }
        let mut ensured = Terms::new();
        for clause in &instance.contract.ensures {
            ensured.push(substitution.apply(&mut self.ir.pool, clause.term.clone()?));
        }
        implication.push(self.ir.pool.and(&ensured));
        let body = self.ir.pool.or(&implication);
        Ok(self.ir.pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: bound.into(),
            triggers: Box::new([]),
            no_patterns: Box::new([]),
            body,
            weight: None,
        }))
    }
}

fn without_duplicates(vars: SmallVec<[PoolVar; 2]>) -> SmallVec<[PoolVar; 2]> {
    let mut seen = VarSet::default();
    vars.into_iter().filter(|&var| seen.insert(var)).collect()
}
