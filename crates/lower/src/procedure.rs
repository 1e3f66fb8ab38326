//! Instances of procedures, their bodies, and dispatchers.
//!
//! The formals of an instance are the parameters of its first implementation's IR procedure, so
//! that its contract holds of that procedure as it is. Further implementations have parameters of
//! their own and get the contract by substitution.

use std::rc::Rc;
use std::sync::Arc;

use cranelift_entity::PrimaryMap;
use lariat_boogie::typed::{Attributes, Implementation, ProcedureId, Type, TypeParamId, VarId};
use lariat_ir::{
    AssertKind, Block, BlockId, Call, EntryMark, Origin, Proc, ProcId, ProcKind, StmtKind, Terminator,
};
use lariat_term::{Substitution, TermId, VarId as PoolVar};
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::body::{BodyBuilder, Exit, Postcondition};
use crate::contract::{Clause, Contract};
use crate::instances::TypeArgs;
use crate::location::{assert_info, external_location};
use crate::lowering::Lowering;
use crate::modular::ModularBody;
use crate::scope::{Lowers, Scope};

/// Whether an instance is the one for types of which nothing is known.
fn key_is_generic(params: &[TypeParamId], args: &[Type]) -> bool {
    params
        .iter()
        .map(|&param| Type::Param(param))
        .eq(args.iter().cloned())
}

pub(crate) struct ProcedureInstance<'a> {
    pub procedure: ProcedureId,
    pub type_args: TypeArgs,
    pub name: Arc<str>,
    pub ins: Vec<PoolVar>,
    pub outs: Vec<PoolVar>,
    pub contract: Contract<'a>,
    /// What a call goes to; `None` without an implementation.
    pub target: Option<ProcId>,
}

/// A body that is still to be lowered into its procedure.
pub(crate) struct PendingBody<'a> {
    proc: ProcId,
    /// Whether the instance's formals are this procedure's parameters.
    is_first: bool,
    /// The position of its implementation.
    index: usize,
    instance: Rc<ProcedureInstance<'a>>,
}

impl<'a> Lowering<'a> {
    /// The instance of a procedure; makes its IR procedures if it is new.
    pub(crate) fn procedure_instance(
        &mut self,
        id: ProcedureId,
        type_args: TypeArgs,
    ) -> Lowers<Rc<ProcedureInstance<'a>>> {
        let key = (id, type_args);
        if let Some(instance) = self.procedures.get(&key) {
            return Ok(instance.clone());
        }
        let source = self.source;
        let procedure = &source.procedures[id];
        if !self.contracts_in_progress.insert(key.clone()) {
            return self.unsupported(procedure.span, "a contract that calls its own procedure");
        }
        let indices = self.implementations.get(&id).cloned().unwrap_or_default();
        let first = indices.first().map(|&index| &source.implementations[index]);
        let mut scope = Scope::with_types(&procedure.type_params, &key.1);
        // The instance for types of which nothing is known has the plain name.
        let name = if key_is_generic(&procedure.type_params, &key.1) {
            procedure.name.clone()
        } else {
            self.instance_name(&procedure.name, &key.1)
        };
        let ins = self.declare_formals(
            &procedure.ins,
            first.map(|first| first.ins.as_slice()),
            &mut scope,
        );
        let outs = self.declare_formals(
            &procedure.outs,
            first.map(|first| first.outs.as_slice()),
            &mut scope,
        );
        let contract = self.lower_contract(procedure, &mut scope);
        let candidates = self.lower_contract_candidates(procedure, &mut scope);
        self.contracts_in_progress.remove(&key);
        let procs: Vec<ProcId> = indices
            .iter()
            .enumerate()
            .map(|(position, &index)| {
                let name = if position == 0 {
                    name.clone()
                } else {
                    format!("{name}#{}", position + 1).into()
                };
                let (params, outs) = if position == 0 {
                    (ins.clone(), outs.clone())
                } else {
                    (self.copy_vars(&ins), self.copy_vars(&outs))
                };
                self.declare_proc(name, &source.implementations[index], params, outs)
            })
            .collect();
        let inline = indices
            .first()
            .and_then(|&index| self.inline_depth(procedure, &source.implementations[index]));
        let target = match procs.as_slice() {
            _ if self.is_modular() => procs.first().copied().filter(|_| inline.is_some()),
            [] => None,
            [only] => Some(*only),
            several => Some(self.add_dispatcher(&name, several)),
        };
        let formals: Vec<PoolVar> = ins.iter().chain(&outs).copied().collect();
        let dispatcher = target.filter(|target| !procs.contains(target));
        let all: Vec<ProcId> = procs.iter().copied().chain(dispatcher).collect();
        self.add_candidates(candidates, &formals, &all);
        let instance = Rc::new(ProcedureInstance {
            procedure: id,
            type_args: key.1.clone(),
            name,
            ins,
            outs,
            contract,
            target,
        });
        self.procedures.insert(key, instance.clone());
        // Bodies are verified once, for types of which nothing is known.
        let is_generic = key_is_generic(&procedure.type_params, &instance.type_args);
        for (position, (&index, &proc)) in indices.iter().zip(&procs).enumerate() {
            if self.is_modular() && !is_generic && inline.is_none() {
                continue;
            }
            self.pending_bodies.push_back(PendingBody {
                proc,
                is_first: position == 0,
                index,
                instance: instance.clone(),
            });
        }
        Ok(instance)
    }

    /// Declares formals under the names that the implementation gives them.
    fn declare_formals(
        &mut self,
        formals: &[VarId],
        names: Option<&[VarId]>,
        scope: &mut Scope,
    ) -> Vec<PoolVar> {
        let source = self.source;
        formals
            .iter()
            .enumerate()
            .map(|(index, &formal)| {
                let named = names.and_then(|names| names.get(index)).unwrap_or(&formal);
                let sort = self.sort_in(&source.vars[formal].ty, scope);
                let declared = self.ir.pool.declare_var(source.vars[*named].name.clone(), sort);
                scope.vars.insert(formal, self.ir.pool.var(declared));
                declared
            })
            .collect()
    }

    pub(crate) fn copy_vars(&mut self, vars: &[PoolVar]) -> Vec<PoolVar> {
        vars.iter()
            .map(|&var| {
                let (name, sort) = (self.ir.pool.var_name(var).clone(), self.ir.pool.var_sort(var));
                self.ir.pool.declare_var(name, sort)
            })
            .collect()
    }

    /// A procedure whose blocks come later.
    fn declare_proc(
        &mut self,
        name: Arc<str>,
        implementation: &Implementation,
        params: Vec<PoolVar>,
        outs: Vec<PoolVar>,
    ) -> ProcId {
        let procedure = &self.source.procedures[implementation.procedure];
        let entry_mark = if implementation.attributes.is_set("entrypoint") {
            Some(EntryMark::Implementation)
        } else if procedure.attributes.is_set("entrypoint") {
            Some(EntryMark::Procedure)
        } else {
            None
        };
        let extra = |attributes: &Attributes| attributes.int("SIextraRecBound").and_then(ToPrimitive::to_u32);
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(Block::new(Terminator::Return));
        self.ir.procs.push(Proc {
            span: Some(implementation.span),
            entry_mark,
            extra_bound: extra(&implementation.attributes)
                .or_else(|| extra(&procedure.attributes))
                .unwrap_or(0),
            params,
            outs,
            ..Proc::new(name, ProcKind::Source, blocks, entry)
        })
    }

    /// A procedure that goes to any of several implementations.
    fn add_dispatcher(&mut self, name: &str, procs: &[ProcId]) -> ProcId {
        let first = self.ir.procs[procs[0]].clone();
        let params = self.copy_vars(&first.params);
        let outs = self.copy_vars(&first.outs);
        let ins: Vec<TermId> = params.iter().map(|&param| self.ir.pool.var(param)).collect();
        let mut blocks: PrimaryMap<BlockId, Block> = PrimaryMap::new();
        let entry = blocks.push(Block::new(Terminator::Return));
        let mut choices = SmallVec::new();
        for &callee in procs {
            let call = StmtKind::Call(Call {
                callee,
                ins: ins.clone(),
                outs: outs.clone(),
            });
            let stmt = self.ir.stmt(call, first.span, Origin::Internal);
            let mut block = Block::new(Terminator::Return);
            block.stmts.push(stmt);
            choices.push(blocks.push(block));
        }
        blocks[entry].terminator = Terminator::Goto(choices);
        self.ir.procs.push(Proc {
            name: format!("{name}#any").into(),
            entry_mark: None,
            params,
            outs,
            locals: Vec::new(),
            blocks,
            entry,
            ..first
        })
    }

    pub(crate) fn lower_body(&mut self, pending: PendingBody<'a>) {
        let PendingBody {
            proc,
            is_first,
            index,
            instance,
        } = pending;
        let source = self.source;
        let implementation = &source.implementations[index];
        let procedure = &source.procedures[instance.procedure];
        let (params, outs) = (
            self.ir.procs[proc].params.clone(),
            self.ir.procs[proc].outs.clone(),
        );
        self.note_polymorphic(&procedure.name, procedure.span, &instance.type_args);
        let mut scope = Scope::with_types(&procedure.type_params, &instance.type_args);
        scope.bind_types(&implementation.type_params, &instance.type_args);
        for (formals, vars) in [
            (&procedure.ins, &params),
            (&procedure.outs, &outs),
            (&implementation.ins, &params),
            (&implementation.outs, &outs),
        ] {
            for (&formal, &var) in formals.iter().zip(vars) {
                scope.vars.insert(formal, self.ir.pool.var(var));
            }
        }
        let mut own = if is_first {
            scope
                .snapshots
                .extend(instance.contract.snapshots.iter().copied());
            Substitution::new()
        } else {
            self.contract_substitution(&instance, &params, &outs, &mut scope)
        };
        for (&formal, &out) in implementation.outs.iter().zip(&outs) {
            self.note_declared(out, source.vars[formal].span);
        }
        let mut returns = Vec::new();
        for clause in &instance.contract.ensures {
            if clause.source.free && !self.is_always_assumed(clause.source) {
                continue;
            }
            let condition = self.own_clause(clause, &mut own, &mut scope);
            let info = assert_info(
                AssertKind::Ensures(instance.name.clone()),
                implementation.body.end,
                Some(clause.source.span),
                &clause.source.attributes,
            );
            returns.push(Postcondition {
                condition,
                info,
                assumed: clause.source.free,
            });
        }
        let mut builder = BodyBuilder::new(scope, Exit::Procedure(returns));
        for &local in &implementation.body.locals {
            let declared = self.declare_in(local, &mut builder.scope);
            self.note_declared(declared, source.vars[local].span);
            builder.locals.push(declared);
        }
        let mut prologue = FxHashSet::default();
        for (formals, others, is_in) in [
            (&procedure.ins, &implementation.ins, true),
            (&procedure.outs, &implementation.outs, false),
        ] {
            for (&formal, &other) in formals.iter().zip(others) {
                let clause = if source.vars[other].where_clause.is_some() {
                    other
                } else {
                    formal
                };
                let stmt = self.assume_where(clause, &mut builder);
                prologue.extend(stmt.filter(|_| is_in));
                if !is_in {
                    self.note_where(clause, &mut builder.scope);
                }
            }
        }
        for &local in &implementation.body.locals {
            self.start_assumption(local, &mut builder);
            self.assume_where(local, &mut builder);
            self.note_where(local, &mut builder.scope);
        }
        for clause in &instance.contract.requires {
            let span = clause.source.span;
            match self.own_clause(clause, &mut own, &mut builder.scope) {
                Ok(term) if self.ir.pool.as_bool(term) == Some(true) => {}
                Ok(term) => {
                    let location = external_location(&clause.source.attributes);
                    prologue.extend(self.emit_at(
                        &mut builder,
                        StmtKind::Assume(term),
                        span,
                        Origin::Requires,
                        location,
                    ));
                }
                Err(unsupported) => self.emit_unsupported(&mut builder, &unsupported, span),
            }
        }
        if let Some(measure) = &procedure.measure {
            prologue.extend(self.assume_measure(measure, &mut builder));
            builder.measure = self.keep_measure(measure, &mut builder);
        }
        self.lower_stmts_before(&implementation.body.stmts, true, &mut builder);
        self.lower_return(implementation.body.end, &mut builder);
        self.finish_body(proc, builder);
        let inline = self.inline_depth(procedure, implementation);
        if let Some(modular) = &mut self.modular {
            modular.info.bodies.push(ModularBody {
                proc,
                implementation: index,
                is_generic: key_is_generic(&procedure.type_params, &instance.type_args),
                prologue,
                inline,
            });
        }
    }

    /// What replaces the instance's formals and snapshots in a later implementation.
    fn contract_substitution(
        &mut self,
        instance: &ProcedureInstance<'a>,
        params: &[PoolVar],
        outs: &[PoolVar],
        scope: &mut Scope,
    ) -> Substitution {
        let mut substitution = Substitution::new();
        for (&formal, &var) in instance
            .ins
            .iter()
            .chain(&instance.outs)
            .zip(params.iter().chain(outs))
        {
            substitution.insert(formal, self.ir.pool.var(var));
        }
        for &(global, snapshot) in &instance.contract.snapshots {
            let own = self.declare_snapshot(global);
            scope.snapshots.insert(global, own);
            substitution.insert(snapshot, self.ir.pool.var(own));
        }
        substitution
    }

    /// A clause over the parameters of the body; its snapshots count as used there.
    fn own_clause(
        &mut self,
        clause: &Clause<'a>,
        own: &mut Substitution,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let term = clause.term.clone()?;
        for global in &clause.old {
            let snapshot = scope.snapshots[global];
            scope.used_snapshots.insert(*global, snapshot);
        }
        Ok(own.apply(&mut self.ir.pool, term))
    }

    /// Puts the blocks into the procedure, the snapshots at its start.
    fn finish_body(&mut self, proc: ProcId, mut builder: BodyBuilder) {
        let used = std::mem::take(&mut builder.scope.used_snapshots);
        if !used.is_empty() {
            let assignments = used
                .iter()
                .map(|(&global, &snapshot)| {
                    let value = self.shared_vars[global].expect("globals are declared first");
                    (snapshot, value)
                })
                .collect();
            builder.locals.extend(used.values().copied());
            let span = self.ir.procs[proc].span;
            let stmt = self
                .ir
                .stmt(StmtKind::Assign(assignments), span, Origin::Internal);
            builder.prepend(stmt);
        }
        for mut candidate in std::mem::take(&mut builder.candidates) {
            candidate.proc = Some(proc);
            self.ir.candidates.push(candidate);
        }
        let (blocks, entry, locals) = builder.finish();
        let data = &mut self.ir.procs[proc];
        data.blocks = blocks;
        data.entry = entry;
        data.locals = locals;
    }
}
