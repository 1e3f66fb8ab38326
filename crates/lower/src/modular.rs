//! Modular verification: every body is checked against its contract, and calls are what contracts say.
//!
//! The meaning is Boogie's: a `free requires` is assumed by the body and means nothing at a call, nor does the
//! `where` clause of a parameter; invariants stand at the heads of loops only, where a later stage cuts them.
//!
//! A call of a procedure that is to be inlined is lowered to both, for the later stage to choose:
//!
//! ```text
//!          ┌─> call P ─────────────────────────────┐
//! requires ┤                                       ├─> …
//!          └─> havoc outs, modifies; where; ensures ┘
//! ```

use std::sync::Arc;

use lariat_base::Span;
use lariat_boogie::typed::{
    AttributeParam, Attributes, Contract, ExprKind, FunctionId, Implementation, Procedure, VarId, VarKind,
    Visibility,
};
use lariat_ir::{Origin, ProcId, StmtId, StmtKind};
use lariat_term::{FunId, TermId, VarId as PoolVar};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::body::BodyBuilder;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

/// What is asked of the lowering for modular verification.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModularOptions {
    /// Calls of procedures with a body and `{:inline n}` can be inlined.
    pub inline: bool,
    /// Calls of all procedures with a body can be inlined so deep.
    pub inline_all: Option<u32>,
}

/// What modular verification needs to know beside the program.
#[derive(Clone, Debug, Default)]
pub struct ModularInfo {
    /// Every body, in the order of the text.
    pub bodies: Vec<ModularBody>,
    /// What attributes say about a statement, where they say something.
    pub notes: FxHashMap<StmtId, StmtNote>,
    /// `where` clauses of globals, results and locals.
    pub where_clauses: FxHashMap<PoolVar, TermId>,
    /// Locals that collect assumptions: never true again.
    pub monotone: FxHashSet<PoolVar>,
    /// `measure` clauses that must not be negative, among the places of preconditions.
    pub measures: FxHashSet<Span>,
    /// Procedures with bodies whose calls stand for their contracts: the origin of the havocs in the place of these calls.
    pub implemented: FxHashSet<Arc<str>>,
    /// Some statement hides or reveals functions.
    pub hides: bool,
    /// Where functions come from, for what their `uses` clauses add.
    pub functions: FxHashMap<FunId, FunctionId>,
}

#[derive(Clone, Debug)]
pub struct ModularBody {
    pub proc: ProcId,
    /// The position among the implementations of the typed program.
    pub implementation: usize,
    /// For types of which nothing is known: the one that is verified.
    pub is_generic: bool,
    /// What is assumed of parameters at the start: not by callers that inline the body.
    pub prologue: FxHashSet<StmtId>,
    /// How deep calls of it are inlined.
    pub inline: Option<u32>,
}

/// Attributes of an assertion, an assumption or a call.
#[derive(Clone, Debug, Default)]
pub struct StmtNote {
    /// `{:subsumption 0}`: what was asserted is not assumed afterwards.
    pub no_subsumption: bool,
    pub split_here: bool,
    pub focus: bool,
    pub isolate: bool,
    pub start_checking_here: bool,
    /// `{:partition}` of the guards of loops and branches that Boogie made is not among these.
    pub print: Vec<PrintPart>,
    /// What a statement that does nothing else does to the axioms that are known.
    pub visibility: Option<Visibility>,
    /// An assumption that is a part of a `call` as a ghost of its own (`{:captureState "…"}`).
    pub state: Option<std::sync::Arc<str>>,
}

/// A part of `{:print "text", e}`.
#[derive(Clone, Debug)]
pub enum PrintPart {
    Text(std::sync::Arc<str>),
    Term(TermId),
}

/// The modular side while a round is under way.
pub(crate) struct Modular {
    pub options: ModularOptions,
    pub info: ModularInfo,
}

impl Modular {
    pub(crate) fn new(options: ModularOptions) -> Self {
        Modular {
            options,
            info: ModularInfo::default(),
        }
    }
}

impl Lowering<'_> {
    pub(crate) fn is_modular(&self) -> bool {
        self.modular.is_some()
    }

    /// How deep calls of a body are inlined, if they are.
    pub(crate) fn inline_depth(&self, procedure: &Procedure, body: &Implementation) -> Option<u32> {
        let options = self.modular.as_ref()?.options;
        let given = inline_count(&body.attributes).or_else(|| inline_count(&procedure.attributes));
        match (given, options.inline_all) {
            (Some(depth), _) if options.inline => Some(depth),
            (None, Some(depth)) => Some(depth),
            _ => None,
        }
    }

    /// `free … {:always_assume}`: assumed where others are checked.
    pub(crate) fn is_always_assumed(&self, clause: &Contract) -> bool {
        self.is_modular() && clause.attributes.is_set("always_assume")
    }

    fn is_assumption(&self, var: VarId) -> bool {
        self.is_modular() && self.source.vars[var].attributes.is_set("assumption")
    }

    /// A local that collects assumptions starts as true, and never becomes true again.
    pub(crate) fn start_assumption(&mut self, var: VarId, builder: &mut BodyBuilder) {
        if !self.is_assumption(var) {
            return;
        }
        let variable = self.variable(var, &builder.scope);
        let value = self.ir.pool.var(variable);
        let span = self.source.vars[var].span;
        self.emit(builder, StmtKind::Assume(value), span, Origin::Where);
        if let Some(modular) = &mut self.modular {
            modular.info.monotone.insert(variable);
        }
    }

    /// The values of variables that collect assumptions, before they get any value.
    pub(crate) fn keep_assumptions(
        &mut self,
        vars: &[VarId],
        builder: &mut BodyBuilder,
    ) -> Vec<(TermId, TermId)> {
        let mut kept = Vec::new();
        for &var in vars {
            if !self.is_assumption(var) {
                continue;
            }
            let variable = self.variable(var, &builder.scope);
            let value = self.ir.pool.var(variable);
            let (name, sort) = (
                self.source.vars[var].name.clone(),
                self.ir.pool.var_sort(variable),
            );
            let before = self.fresh_local(name, sort, builder);
            let assignment = SmallVec::from_elem((before, value), 1);
            let span = self.source.vars[var].span;
            self.emit(builder, StmtKind::Assign(assignment), span, Origin::Internal);
            kept.push((value, self.ir.pool.var(before)));
        }
        kept
    }

    /// Notes what attributes say about a statement.
    pub(crate) fn note_attributes(
        &mut self,
        stmt: Option<StmtId>,
        attributes: &Attributes,
        scope: &mut Scope,
    ) -> Lowers<()> {
        let Some(stmt) = stmt.filter(|_| self.is_modular() && !attributes.0.is_empty()) else {
            return Ok(());
        };
        let mut print = Vec::new();
        for attribute in attributes
            .0
            .iter()
            .filter(|attribute| &*attribute.name == "print")
        {
            for param in &attribute.params {
                print.push(match param {
                    AttributeParam::String(text) => PrintPart::Text(text.clone()),
                    AttributeParam::Expr(expr) => PrintPart::Term(self.lower_expr(expr, scope)?),
                });
            }
        }
        let note = StmtNote {
            no_subsumption: attributes
                .int("subsumption")
                .is_some_and(|level| level.to_i32() == Some(0)),
            split_here: attributes.is_set("split_here"),
            focus: attributes.is_set("focus"),
            isolate: attributes.is_set("isolate"),
            start_checking_here: attributes.is_set("start_checking_here"),
            print,
            visibility: None,
            state: attributes.string("captureState").map(Into::into),
        };
        if let Some(modular) = &mut self.modular {
            modular.info.notes.insert(stmt, note);
        }
        Ok(())
    }

    /// `hide` and its like.
    pub(crate) fn note_visibility(&mut self, visibility: Visibility, span: Span, builder: &mut BodyBuilder) {
        if !self.is_modular() {
            return;
        }
        let nothing = StmtKind::Assume(self.ir.pool.bool(true));
        let stmt = self.emit_at(builder, nothing, span, Origin::Internal, None);
        if let (Some(stmt), Some(modular)) = (stmt, &mut self.modular) {
            modular.info.hides = true;
            let note = StmtNote {
                visibility: Some(visibility),
                ..StmtNote::default()
            };
            modular.info.notes.insert(stmt, note);
        }
    }

    /// Keeps the `where` clause of a variable for the stage that cuts loops.
    pub(crate) fn note_where(&mut self, var: VarId, scope: &mut Scope) {
        let source = self.source;
        let Some(clause) = source.vars[var].where_clause.as_ref() else {
            return;
        };
        if !self.is_modular() {
            return;
        }
        let lowered = match source.vars[var].kind {
            VarKind::Global => self.global_where_clause(var),
            _ => self.lower_expr(clause, scope).map(Some),
        };
        let variable = self.variable(var, scope);
        // One that is not supported was reported where it was assumed.
        if let (Ok(Some(term)), Some(modular)) = (lowered, &mut self.modular) {
            modular.info.where_clauses.insert(variable, term);
        }
    }

    /// `{:verified_under A}`: the condition counts as verified where `A` holds.
    pub(crate) fn verified_under(
        &mut self,
        condition: TermId,
        attributes: &Attributes,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let given = attributes.get("verified_under").filter(|_| self.is_modular());
        let Some(AttributeParam::Expr(expr)) = given.and_then(|attribute| attribute.params.first()) else {
            return Ok(condition);
        };
        let under = self.lower_expr(expr, scope)?;
        Ok(self.ir.pool.or(&[under, condition]))
    }
}

fn inline_count(attributes: &Attributes) -> Option<u32> {
    match attributes.get("inline")?.params.first()? {
        AttributeParam::Expr(expr) => match &expr.kind {
            ExprKind::Int(count) => count.to_u32(),
            _ => None,
        },
        AttributeParam::String(_) => None,
    }
}
