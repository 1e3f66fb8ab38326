//! Open programs: where the environment comes in.
//!
//! While bodies are lowered, havocs that stand for the environment's choices are noted; what can be read
//! off the finished program (entries, tests for null, dereferences) is found at the end of a round.
//!
//! An *allocator* is a procedure `{:allocator}` without a body. Its results of the type of null are fresh,
//! and with `{:allocator "full"}` null where the program, not the environment, so chooses. Results that
//! the allocator's own postconditions speak about are left to them: programs that count addresses do.

mod entries;
mod scan;
mod uninitialised;

use std::rc::Rc;
use std::sync::Arc;

use lariat_base::{Diagnostic, Span};
use lariat_boogie::typed::{Attributes, VarId};
use lariat_ir::{AssertId, OpenInfo, Origin, StmtId, StmtKind, Terminator, Unknown, sounds_like_an_end};
use lariat_term::{TermId, VarId as PoolVar};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::body::{BodyBuilder, Exit};
use crate::lowering::Lowering;
use crate::procedure::ProcedureInstance;

/// The names that the constant for null may have, the first that there is.
const NULL_NAMES: [&str; 2] = ["NULL", "null"];

/// What is asked of the lowering of an open program.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Globals that are monitor variables besides those marked `{:typestatevar}`.
    pub typestate: Vec<String>,
}

/// What is known of the open side while a round is under way.
pub(crate) struct Open<'a> {
    pub options: &'a OpenOptions,
    pub info: OpenInfo,
    /// Where the results and locals of bodies are declared.
    pub declared: FxHashMap<PoolVar, Span>,
}

impl<'a> Open<'a> {
    pub(crate) fn new(options: &'a OpenOptions) -> Self {
        Open {
            options,
            info: OpenInfo::default(),
            declared: FxHashMap::default(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Allocator {
    /// Never null.
    Fresh,
    /// Null if the program so chooses.
    FreshOrNull,
}

fn allocator(attributes: &Attributes) -> Option<Allocator> {
    if !attributes.is_set("allocator") {
        return None;
    }
    Some(match attributes.string("allocator") {
        Some("full") => Allocator::FreshOrNull,
        _ => Allocator::Fresh,
    })
}

impl<'a> Lowering<'a> {
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Null and the monitor variables. Constants and globals are declared already.
    pub(crate) fn start_open(&mut self) {
        let source = self.source;
        let Some(open) = &self.open else { return };
        let mut errors = Vec::new();
        let mut typestate: Vec<PoolVar> = Vec::new();
        for &global in &source.globals {
            if source.vars[global].attributes.is_set("typestatevar") {
                typestate.push(self.shared_var(global));
            }
        }
        for name in &open.options.typestate {
            let named = |global: &&VarId| *source.vars[**global].name == **name;
            match source.globals.iter().find(named) {
                Some(&global) => typestate.push(self.shared_var(global)),
                None => errors.push(
                    Diagnostic::global_error(
                        "unknown-typestate-variable",
                        format!("the program has no global variable `{name}`"),
                    )
                    .hint("name global variables of the program as typestate variables"),
                ),
            }
        }
        typestate.sort_unstable();
        typestate.dedup();
        let null = NULL_NAMES.iter().find_map(|name| {
            let named = |constant: &&VarId| *source.vars[**constant].name == **name;
            let constant = source.constants.iter().find(named)?;
            self.shared_vars[*constant]
        });
        // Rules speak of their monitors.
        if null.is_none() && typestate.is_empty() {
            errors.push(
                Diagnostic::global_error(
                    "no-null-constant",
                    "the program declares no constant `NULL`, so nothing can be said about null pointers",
                )
                .hint("declare it: `const NULL: int;` (or `null`, of the type of pointers)"),
            );
        }
        for error in errors {
            self.errors.push(error);
        }
        if let Some(open) = &mut self.open {
            open.info.null = null;
            open.info.typestate = typestate;
        }
    }

    /// A result or local of a body.
    pub(crate) fn note_declared(&mut self, var: PoolVar, span: Span) {
        if let Some(open) = &mut self.open {
            open.declared.insert(var, span);
        }
    }

    /// The values of these variables are chosen by the environment in the statement.
    pub(crate) fn note_unknowns(
        &mut self,
        stmt: Option<StmtId>,
        vars: impl IntoIterator<Item = (PoolVar, Arc<str>)>,
        callee: Option<&Arc<str>>,
        span: Option<Span>,
    ) {
        let (Some(open), Some(stmt)) = (&mut self.open, stmt) else {
            return;
        };
        open.info
            .unknowns
            .extend(vars.into_iter().map(|(var, text)| Unknown {
                stmt,
                var,
                callee: callee.cloned(),
                text,
                span,
            }));
    }

    /// `havoc x` of the user, or `*` as an argument.
    pub(crate) fn note_havoc(
        &mut self,
        stmt: Option<StmtId>,
        vars: &[PoolVar],
        span: Span,
        builder: &BodyBuilder,
    ) {
        if !self.is_open() || matches!(builder.exit, Exit::Code { .. }) {
            return;
        }
        let named: Vec<(PoolVar, Arc<str>)> = vars
            .iter()
            .map(|&var| (var, self.ir.pool.var_name(var).clone()))
            .collect();
        self.note_unknowns(stmt, named, None, Some(span));
    }

    /// A call of a procedure without a body that may be the end of the path.
    pub(crate) fn note_ending(&mut self, name: &Arc<str>, span: Span, builder: &mut BodyBuilder) {
        if self.open.is_none() || !matches!(builder.exit, Exit::Procedure(_)) || !sounds_like_an_end(name) {
            return;
        }
        let text: Arc<str> = format!("{name}() returns").into();
        let sort = self.ir.pool.bool_sort();
        let var = self.fresh_local(text.clone(), sort, builder);
        let havoc = StmtKind::Havoc([var].into_iter().collect());
        let stmt = self.emit_at(builder, havoc, span, Origin::Internal, None);
        let returns = self.ir.pool.var(var);
        self.emit(builder, StmtKind::Assume(returns), span, Origin::Internal);
        if let (Some(open), Some(stmt)) = (&mut self.open, stmt) {
            open.info.endings.push(Unknown {
                stmt,
                var,
                callee: Some(name.clone()),
                text,
                span: Some(span),
            });
        }
    }

    /// Notes what the havoc in the place of a call of a procedure without a body stands for, and adds
    /// what is known of the results of an allocator.
    pub(crate) fn note_external(
        &mut self,
        stmt: Option<StmtId>,
        instance: &Rc<ProcedureInstance<'a>>,
        outs: &[PoolVar],
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        let Some(null) = self.open.as_ref().map(|open| open.info.null) else {
            return;
        };
        let Some(stmt) = stmt.filter(|_| matches!(builder.exit, Exit::Procedure(_))) else {
            return;
        };
        let name = &instance.name;
        let allocator = allocator(&self.source.procedures[instance.procedure].attributes);
        let null_sort = null.map(|null| self.ir.pool.sort_of(null));
        let mut unknowns: Vec<(PoolVar, Arc<str>)> = Vec::new();
        let mut allocated: Vec<PoolVar> = Vec::new();
        for (&formal, &out) in instance.outs.iter().zip(outs) {
            let is_pointer = Some(self.ir.pool.var_sort(out)) == null_sort;
            let is_counted = instance.contract.post_vars.contains(&formal);
            if allocator.is_some() && is_pointer && !is_counted {
                allocated.push(out);
                continue;
            }
            if let (Some(Allocator::Fresh), Some(null)) = (allocator, null.filter(|_| is_pointer)) {
                self.assume_not_null(out, null, span, builder);
            }
            let text = match instance.outs.as_slice() {
                [_] => format!("{name}()"),
                _ => format!("{name}().{}", self.ir.pool.var_name(formal)),
            };
            unknowns.push((out, text.into()));
        }
        for &(_, global) in &instance.contract.modifies {
            if !outs.contains(&global) {
                let text = format!("{} after {name}()", self.ir.pool.var_name(global));
                unknowns.push((global, text.into()));
            }
        }
        self.note_unknowns(Some(stmt), unknowns, Some(name), Some(span));
        if let Some(open) = &mut self.open {
            open.info.fresh.extend(allocated.iter().map(|&var| (stmt, var)));
        }
        for (var, null) in allocated.into_iter().filter_map(|var| Some((var, null?))) {
            self.assume_not_null(var, null, span, builder);
            if allocator == Some(Allocator::FreshOrNull) {
                self.maybe_null(var, null, name, span, builder);
            }
        }
    }

    fn assume_not_null(&mut self, var: PoolVar, null: TermId, span: Span, builder: &mut BodyBuilder) {
        let value = self.ir.pool.var(var);
        let is_null = self.ir.pool.eq(value, null);
        let condition = self.ir.pool.not(is_null);
        self.emit(builder, StmtKind::Assume(condition), span, Origin::Internal);
    }

    /// The variable keeps its value or becomes null.
    fn maybe_null(
        &mut self,
        var: PoolVar,
        null: TermId,
        name: &Arc<str>,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        let (fails, exit) = (builder.new_block(), builder.new_block());
        builder.end_block(Terminator::Goto(SmallVec::from_slice(&[exit, fails])), Some(span));
        builder.start(fails);
        let assignment = SmallVec::from_elem((var, null), 1);
        let origin = Origin::External(name.clone());
        self.emit(builder, StmtKind::Assign(assignment), span, origin);
        builder.jump(exit, Some(span));
        builder.start(exit);
    }

    /// What attributes make of an assertion.
    pub(crate) fn note_assertion(&mut self, assert: Option<AssertId>, attributes: &Attributes) {
        let (Some(open), Some(assert)) = (&mut self.open, assert) else {
            return;
        };
        if attributes.is_set("angelic") {
            open.info.angelic.push(assert);
        }
        if attributes.is_set("nonnull") {
            open.info.dereferences.push(assert);
        }
    }

    /// What is found in the finished program.
    pub(crate) fn finish_open(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.info.entries = self.open_entries();
        uninitialised::havoc_uninitialised(&mut self.ir, &open.declared, &mut open.info);
        scan::note_null(&self.ir, &mut open.info);
        self.open = Some(open);
    }
}
