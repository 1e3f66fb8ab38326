//! Houdini candidates: what the user wants to be tried, not checked.
//!
//! Boogie: a clause (`requires`, `ensures`, `invariant`, `assert`) that is a chain of implications with an
//! antecedent `b`, declared `const {:existential true} b: bool`, of which no axiom speaks. The constants
//! count as `true` in it. An `assert` is tried like an invariant of all loops in its procedure: front ends
//! put them at heads of loops.
//!
//! Corral: all clauses of a procedure `{:template}` without a body, over globals, for every procedure.
//!
//! A candidate is neither asserted nor assumed; a `free` one is a candidate like any other.

use lariat_base::{Diagnostic, Span};
use lariat_boogie::ast::BinaryOp;
use lariat_boogie::typed::{AttributeParam, Contract, Expr, ExprKind, Procedure, Type, VarId};
use lariat_ir::{CandidateClause, CandidateKind, ProcId, Stmt};
use lariat_term::{Substitution, TermId, VarId as PoolVar, VarSet};

use crate::body::{BodyBuilder, Exit};
use crate::lowering::Lowering;
use crate::scope::Scope;

/// Pre- and postconditions.
fn clauses(procedure: &Procedure) -> impl Iterator<Item = (CandidateKind, &Contract)> {
    let requires = procedure.requires.iter();
    let ensures = procedure.ensures.iter();
    requires
        .map(|clause| (CandidateKind::Requires, clause))
        .chain(ensures.map(|clause| (CandidateKind::Ensures, clause)))
}

impl Lowering<'_> {
    /// Whether the clause is to be tried only.
    pub(crate) fn is_candidate(&self, expr: &Expr) -> bool {
        self.existential_antecedents(expr).next().is_some()
    }

    /// The existential constants that the clause depends on: `b` in `e ==> b ==> f`.
    fn existential_antecedents<'e>(&self, expr: &'e Expr) -> impl Iterator<Item = VarId> + use<'e, '_> {
        let implication = |expr: &'e Expr| match &expr.kind {
            ExprKind::Binary(BinaryOp::Implies, left, right) => Some((&**left, &**right)),
            _ => None,
        };
        std::iter::successors(implication(expr), move |&(_, right)| implication(right)).filter_map(
            |(left, _)| match left.kind {
                ExprKind::Var(var) if self.existential.contains(&var) => Some(var),
                _ => None,
            },
        )
    }

    /// Boogie's rule: the attribute has the parameter `true`.
    pub(crate) fn find_existential(&mut self) {
        if self.is_modular() {
            // There the constants have values, which the clauses read.
            return;
        }
        let source = self.source;
        let is_existential = |var: &VarId| {
            let var = &source.vars[*var];
            let attribute = var.attributes.get("existential");
            var.ty == Type::Bool
                && attribute.is_some_and(|attribute| {
                    matches!(
                        attribute.params.as_slice(),
                        [AttributeParam::Expr(Expr {
                            kind: ExprKind::Bool(true),
                            ..
                        })]
                    )
                })
        };
        let constants = source.constants.iter().copied();
        self.existential = constants.filter(is_existential).collect();
    }

    /// An axiom may say that a clause is not to be dropped, so a constant that one speaks about is ordinary.
    pub(crate) fn keep_free_existential(&mut self) {
        if self.existential.is_empty() {
            return;
        }
        let axioms: Vec<TermId> = self.ir.axioms.iter().map(|axiom| axiom.term).collect();
        let bound = self.ir.pool.free_vars(&axioms);
        let mut existential = std::mem::take(&mut self.existential);
        existential.retain(|&constant| !bound.contains(&self.shared_var(constant)));
        self.existential = existential;
    }

    /// In Boogie the value of such a constant is what became of its candidates; here it is arbitrary.
    pub(crate) fn warn_of_existential(&mut self) {
        if self.existential.is_empty() {
            return;
        }
        let stmts = self.ir.procs.values().flat_map(|proc| proc.blocks.values());
        let stmts = stmts.flat_map(|block| &block.stmts);
        let terms: Vec<TermId> = stmts.flat_map(Stmt::terms).collect();
        let used = self.ir.pool.free_vars(&terms);
        let source = self.source;
        for constant in &source.constants {
            if self.existential.contains(constant) && used.contains(&self.shared_var(*constant)) {
                let declaration = &source.vars[*constant];
                self.warn(
                    Diagnostic::warning(
                        "existential-constant",
                        declaration.span,
                        format!(
                            "`{}` is existential, but it does not only tell which candidates hold: elsewhere it \
                             has any value",
                            declaration.name
                        ),
                    )
                    .hint("a candidate is a clause of the form `b ==> e`"),
                );
            }
        }
    }

    /// The candidate that a clause is; `None`, with a warning, if it cannot be expressed.
    fn lower_candidate(
        &mut self,
        kind: CandidateKind,
        expr: &Expr,
        span: Span,
        scope: &mut Scope,
    ) -> Option<CandidateClause> {
        // What only a candidate reads is not kept by the body.
        let used = scope.used_snapshots.clone();
        let lowered = self.lower_expr(expr, scope);
        scope.used_snapshots = used;
        let term = match lowered {
            Ok(term) => term,
            Err(unsupported) => {
                self.ignore_candidate(span, &format!("it contains {}", unsupported.reason));
                return None;
            }
        };
        let constants: Vec<VarId> = self.existential_antecedents(expr).collect();
        let truth = self.ir.pool.bool(true);
        let mut kept: Substitution = constants
            .into_iter()
            .map(|constant| (self.shared_var(constant), truth))
            .collect();
        let term = kept.apply(&mut self.ir.pool, term);
        let free = self.ir.pool.free_vars(&[term]);
        let mut old: Vec<(PoolVar, PoolVar)> = scope
            .snapshots
            .iter()
            .filter(|(_, snapshot)| free.contains(*snapshot))
            .map(|(&global, &snapshot)| (snapshot, self.shared_var(global)))
            .collect();
        old.sort_unstable();
        Some(CandidateClause {
            proc: None,
            kind,
            term,
            old,
            span: Some(span),
        })
    }

    fn ignore_candidate(&mut self, span: Span, reason: &str) {
        self.warn(Diagnostic::warning(
            "candidate-ignored",
            span,
            format!("this candidate is not tried: {reason}"),
        ));
    }

    /// The candidates among the clauses of a contract, over the formals that the scope binds.
    pub(crate) fn lower_contract_candidates(
        &mut self,
        procedure: &Procedure,
        scope: &mut Scope,
    ) -> Vec<CandidateClause> {
        let mut candidates = Vec::new();
        for (kind, clause) in clauses(procedure) {
            if self.is_candidate(&clause.expr) {
                candidates.extend(self.lower_candidate(kind, &clause.expr, clause.span, scope));
            }
        }
        candidates
    }

    /// Adds the candidates of an instance, over the given formals, to the procedures that it consists of.
    pub(crate) fn add_candidates(
        &mut self,
        candidates: Vec<CandidateClause>,
        formals: &[PoolVar],
        procs: &[ProcId],
    ) {
        for candidate in candidates {
            if procs.is_empty() {
                // Nothing can be checked of it, and what is not checked is not believed.
                if let Some(span) = candidate.span {
                    self.ignore_candidate(span, "its procedure has no body");
                }
            }
            for &proc in procs {
                let own: Vec<PoolVar> = {
                    let proc = &self.ir.procs[proc];
                    proc.params.iter().chain(&proc.outs).copied().collect()
                };
                let mut renamed: Substitution = formals
                    .iter()
                    .zip(own)
                    .map(|(&formal, own)| (formal, self.ir.pool.var(own)))
                    .collect();
                let term = renamed.apply(&mut self.ir.pool, candidate.term);
                self.ir.candidates.push(CandidateClause {
                    proc: Some(proc),
                    term,
                    ..candidate.clone()
                });
            }
        }
    }

    /// Takes an invariant or assertion out of a body if it is a candidate.
    pub(crate) fn take_candidate(&mut self, expr: &Expr, span: Span, builder: &mut BodyBuilder) -> bool {
        // In a formula it is a part of the value.
        if matches!(builder.exit, Exit::Code { .. }) || !self.is_candidate(expr) {
            return false;
        }
        let candidate = self.lower_candidate(CandidateKind::Invariant, expr, span, &mut builder.scope);
        builder.candidates.extend(candidate);
        true
    }

    /// Corral's templates.
    pub(crate) fn lower_templates(&mut self) {
        let source = self.source;
        for (id, procedure) in source.procedures.iter() {
            if !procedure.attributes.is_set("template") || self.implementations.contains_key(&id) {
                continue;
            }
            let mut scope = Scope {
                may_be_asserted: true,
                ..Scope::default()
            };
            let mut formals = VarSet::default();
            for &formal in procedure.ins.iter().chain(&procedure.outs) {
                formals.insert(self.declare_in(formal, &mut scope));
            }
            for (kind, clause) in clauses(procedure) {
                let Some(candidate) = self.lower_candidate(kind, &clause.expr, clause.span, &mut scope)
                else {
                    continue;
                };
                let free = self.ir.pool.free_vars(&[candidate.term]);
                if free.iter().any(|var| formals.contains(var)) {
                    self.ignore_candidate(clause.span, "a template may speak about globals only");
                } else {
                    self.ir.candidates.push(candidate);
                }
            }
        }
    }
}
