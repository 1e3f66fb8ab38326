//! Procedures and implementations.

use lariat_base::{Diagnostic, Span};

use super::declare::duplicate;
use super::labels::{BodyContext, BodyKind};
use super::{Candidates, Checker, StateAccess, types};
use crate::ast;
use crate::typed::{
    Attributes, Body, Contract, Implementation, Measure, ProcedureId, Type, TypeParamId, VarId, VarKind,
};

/// A resolved signature, its type parameters in the order of their first occurrence.
pub(super) struct Signature {
    pub type_params: Vec<TypeParamId>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
}

impl<'a> Checker<'a> {
    pub(super) fn resolve_signature(
        &mut self,
        signature: &ast::Signature,
        span: Span,
        what: &str,
    ) -> Signature {
        let outer = self.type_binders.len();
        let type_params = self.bind_type_params(&signature.type_params);
        let declare = |checker: &mut Self, params: &[ast::TypedIdent], kind: VarKind| -> Vec<VarId> {
            params
                .iter()
                .map(|param| {
                    let ty = checker.resolve_type(&param.ty);
                    checker.new_var(&param.name, ty, kind)
                })
                .collect()
        };
        let ins = declare(self, &signature.ins, VarKind::In);
        let outs = declare(self, &signature.outs, VarKind::Out);
        self.type_binders.truncate(outer);
        let types: Vec<Type> = ins
            .iter()
            .chain(&outs)
            .map(|&var| self.program.vars[var].ty.clone())
            .collect();
        self.demand_occurrence(&type_params, types.iter(), span, what);
        let type_params = types::sort_params(&type_params, types.iter());
        Signature {
            type_params,
            ins,
            outs,
        }
    }

    /// Brings variables into the innermost scope.
    fn declare_vars(&mut self, vars: &[VarId], what: &str) {
        for &id in vars {
            let var = &self.program.vars[id];
            if let Err(first) = self.scope.declare(&var.name, id) {
                let name = ast::Ident {
                    name: var.name.clone(),
                    span: var.span,
                };
                let first = self.program.vars[first].span;
                self.report(duplicate(what, &name, first));
            }
        }
    }

    pub(super) fn check_procedure(&mut self, id: ProcedureId, decl: &ast::ProcedureDecl) {
        self.program.procedures[id].modifies = self.modified_globals(decl);
        let (state_before, state_after) = if decl.pure {
            (StateAccess::None, StateAccess::None)
        } else {
            (StateAccess::Present, StateAccess::PresentAndOld)
        };
        let outer = self.type_binders.len();
        self.rebind_type_params(&self.program.procedures[id].type_params.clone());
        self.scope.open();
        let (ins, outs) = (
            self.program.procedures[id].ins.clone(),
            self.program.procedures[id].outs.clone(),
        );
        self.declare_vars(&ins, "parameter");
        self.state = state_before;
        self.check_params(&ins, &decl.signature.ins);
        let mut requires = Vec::new();
        let mut measure: Option<Measure> = None;
        for spec in &decl.specs {
            match spec {
                ast::Spec::Requires(contract) => requires.push(self.contract(contract, "a precondition")),
                ast::Spec::Measure {
                    attributes,
                    exprs,
                    span,
                } => {
                    let more = self.measure(exprs, attributes, *span);
                    match &mut measure {
                        None => measure = Some(more),
                        // Several clauses are one after the other.
                        Some(measure) => {
                            measure.exprs.extend(more.exprs);
                            measure.clauses += 1;
                        }
                    }
                }
                ast::Spec::Ensures(_) | ast::Spec::Modifies { .. } => {}
            }
        }
        self.declare_vars(&outs, "parameter");
        self.check_params(&outs, &decl.signature.outs);
        self.state = state_after;
        let mut ensures = Vec::new();
        for spec in &decl.specs {
            if let ast::Spec::Ensures(contract) = spec {
                ensures.push(self.contract(contract, "a postcondition"));
            }
        }
        self.state = StateAccess::Present;
        let attributes = self.attributes(&decl.attributes);
        self.scope.close();
        self.type_binders.truncate(outer);
        let procedure = &mut self.program.procedures[id];
        procedure.measure = measure;
        procedure.requires = requires;
        procedure.ensures = ensures;
        procedure.attributes = attributes;
    }

    /// The attributes and `where` clauses of parameters, all of which are in scope.
    fn check_params(&mut self, vars: &[VarId], params: &[ast::TypedIdent]) {
        for (&var, param) in vars.iter().zip(params) {
            self.program.vars[var].attributes = self.attributes(&param.attributes);
            if let Some(where_clause) = &param.where_clause {
                self.where_clause(var, where_clause);
            }
        }
    }

    fn modified_globals(&mut self, decl: &ast::ProcedureDecl) -> Vec<VarId> {
        let mut modified = Vec::new();
        for spec in &decl.specs {
            let ast::Spec::Modifies { names, span, .. } = spec else {
                continue;
            };
            if decl.pure && !names.is_empty() {
                self.error("impure", *span, "a pure procedure modifies nothing");
            }
            for name in names {
                match self.scope.get(&name.name) {
                    None => self.undeclared(
                        "undeclared-variable",
                        "global variable",
                        name,
                        Candidates::Variables,
                    ),
                    Some(var) if self.program.vars[var].kind == VarKind::Global => {
                        if self.frame_of[var] != self.frames + 1 {
                            self.frame_of[var] = self.frames + 1;
                            modified.push(var);
                        }
                    }
                    Some(var) => {
                        let declared = self.program.vars[var].span;
                        self.report(
                            Diagnostic::error(
                                "modifies-constant",
                                name.span,
                                format!("the `modifies` clause lists the constant `{}`", name.name),
                            )
                            .related(declared, "declared here"),
                        );
                    }
                }
            }
        }
        // The marks served to find repetitions.
        self.frames += 1;
        modified
    }

    fn contract(&mut self, contract: &ast::Contract, what: &str) -> Contract {
        let expr = self.condition(&contract.expr, what);
        let attributes = self.attributes(&contract.attributes);
        Contract {
            free: contract.free,
            expr,
            attributes,
            span: contract.span,
        }
    }

    /// `procedure p(…) { … }`: its body is an implementation with the same parameters.
    pub(super) fn check_body_in_place(
        &mut self,
        id: ProcedureId,
        decl: &ast::ProcedureDecl,
        body: &ast::Body,
    ) {
        let procedure = &self.program.procedures[id];
        let old_params = procedure.type_params.clone();
        let (old_ins, old_outs) = (procedure.ins.clone(), procedure.outs.clone());
        let attributes = procedure.attributes.clone();
        let type_params: Vec<TypeParamId> = old_params
            .iter()
            .map(|&param| {
                let name = self.infer.names[param].clone();
                self.infer.names.push(name)
            })
            .collect();
        let renaming: types::Substitution = old_params
            .iter()
            .copied()
            .zip(type_params.iter().map(|&param| Type::Param(param)))
            .collect();
        let copy = |checker: &mut Self, vars: &[VarId]| -> Vec<VarId> {
            vars.iter()
                .map(|&var| {
                    let old = &checker.program.vars[var];
                    let (name, ty, kind) = (
                        ast::Ident {
                            name: old.name.clone(),
                            span: old.span,
                        },
                        old.ty.clone(),
                        old.kind,
                    );
                    let attributes = old.attributes.clone();
                    let ty = checker.infer.substitute(&ty, &renaming);
                    let new = checker.new_var(&name, ty, kind);
                    checker.program.vars[new].attributes = attributes;
                    new
                })
                .collect()
        };
        let ins = copy(self, &old_ins);
        let outs = copy(self, &old_outs);
        let signature = Signature {
            type_params,
            ins,
            outs,
        };
        self.implementation(
            id,
            signature,
            body,
            AttributesOf::Procedure(attributes),
            decl.span,
        );
    }

    /// `implementation p(…) { … }`
    pub(super) fn check_implementation(&mut self, decl: &ast::ImplementationDecl) {
        let signature =
            self.resolve_signature(&decl.signature, decl.name.span, "the implementation's parameters");
        for param in decl.signature.ins.iter().chain(&decl.signature.outs) {
            if let Some(where_clause) = &param.where_clause {
                self.error(
                    "misplaced-where",
                    where_clause.span,
                    "a `where` clause of a parameter belongs to the procedure, not to its implementation",
                );
            }
        }
        let Some(&id) = self.procedures.get(&decl.name.name) else {
            self.undeclared(
                "undeclared-procedure",
                "procedure",
                &decl.name,
                Candidates::Procedures,
            );
            return;
        };
        self.match_signatures(id, &signature, decl);
        let outer = self.type_binders.len();
        self.rebind_type_params(&signature.type_params);
        for (&var, param) in signature
            .ins
            .iter()
            .chain(&signature.outs)
            .zip(decl.signature.ins.iter().chain(&decl.signature.outs))
        {
            self.program.vars[var].attributes = self.attributes(&param.attributes);
        }
        self.type_binders.truncate(outer);
        self.implementation(
            id,
            signature,
            &decl.body,
            AttributesOf::Own(&decl.attributes),
            decl.span,
        );
    }

    /// Names of parameters may differ from the procedure's, types may not.
    fn match_signatures(&mut self, id: ProcedureId, signature: &Signature, decl: &ast::ImplementationDecl) {
        let procedure = &self.program.procedures[id];
        let declared = procedure.span;
        let mismatch = |message: String| {
            Diagnostic::error("implementation-mismatch", decl.name.span, message)
                .related(declared, "the procedure is declared here")
        };
        let name = &decl.name.name;
        if procedure.type_params.len() != signature.type_params.len() {
            let message = format!(
                "the implementation of `{name}` has {} type parameters, its procedure {}",
                signature.type_params.len(),
                procedure.type_params.len()
            );
            self.report(mismatch(message));
            return;
        }
        let renaming: types::Substitution = signature
            .type_params
            .iter()
            .copied()
            .zip(procedure.type_params.iter().map(|&param| Type::Param(param)))
            .collect();
        let lists = [
            ("in", procedure.ins.clone(), &signature.ins),
            ("out", procedure.outs.clone(), &signature.outs),
        ];
        for (kind, of_procedure, of_implementation) in lists {
            if of_procedure.len() != of_implementation.len() {
                let message = format!(
                    "the implementation of `{name}` has {} {kind} parameters, its procedure {}",
                    of_implementation.len(),
                    of_procedure.len()
                );
                self.report(mismatch(message));
                continue;
            }
            for (&theirs, &ours) in of_procedure.iter().zip(of_implementation) {
                let (their_type, our_type) = (
                    self.program.vars[theirs].ty.clone(),
                    self.program.vars[ours].ty.clone(),
                );
                let renamed = self.infer.substitute(&our_type, &renaming);
                if renamed == their_type || types::is_error(&renamed) || types::is_error(&their_type) {
                    continue;
                }
                let (expected, found) = (self.show(&their_type), self.show(&our_type));
                let (our, their) = (&self.program.vars[ours], &self.program.vars[theirs]);
                let diagnostic = Diagnostic::error(
                    "implementation-mismatch",
                    our.span,
                    format!(
                        "the {kind} parameter `{}` has another type than in the procedure `{name}`",
                        our.name
                    ),
                )
                .label(format!("expected `{expected}`, found `{found}`"))
                .related(their.span, "declared here in the procedure");
                self.report(diagnostic);
            }
        }
        self.infer.clear();
    }

    fn implementation(
        &mut self,
        procedure: ProcedureId,
        signature: Signature,
        body: &ast::Body,
        attributes: AttributesOf<'_>,
        span: Span,
    ) {
        let outer = self.type_binders.len();
        self.rebind_type_params(&signature.type_params);
        self.scope.open();
        match attributes {
            AttributesOf::Own(_) => {
                self.declare_vars(&signature.ins, "parameter");
                self.declare_vars(&signature.outs, "parameter");
            }
            // A clash of names was reported for the procedure.
            AttributesOf::Procedure(_) => {
                for &var in signature.ins.iter().chain(&signature.outs) {
                    let _ = self.scope.declare(&self.program.vars[var].name, var);
                }
            }
        }
        self.enter_frame(procedure);
        self.body = BodyContext::new(BodyKind::Implementation(procedure));
        self.collect_labels(&body.stmts);
        let locals = self.locals(body);
        let attributes = match attributes {
            AttributesOf::Own(attributes) => self.attributes(attributes),
            AttributesOf::Procedure(attributes) => attributes,
        };
        self.state = if self.pure_procedures.contains(&procedure) {
            StateAccess::None
        } else {
            StateAccess::PresentAndOld
        };
        let stmts = self.statements(&body.stmts);
        self.state = StateAccess::Present;
        self.body = BodyContext::default();
        self.scope.close();
        self.type_binders.truncate(outer);
        self.program.implementations.push(Implementation {
            procedure,
            type_params: signature.type_params,
            ins: signature.ins,
            outs: signature.outs,
            body: Body {
                locals,
                stmts,
                end: closing_brace(body.span),
            },
            attributes,
            span,
        });
    }

    /// Declares the locals of a body in the innermost scope.
    pub(super) fn locals(&mut self, body: &ast::Body) -> Vec<VarId> {
        let mut locals = Vec::new();
        for decl in &body.locals {
            for var in &decl.vars {
                let ty = self.resolve_type(&var.ty);
                locals.push(self.new_var(&var.name, ty, VarKind::Local));
            }
        }
        self.declare_vars(&locals, "variable");
        let declared = body
            .locals
            .iter()
            .flat_map(|decl| decl.vars.iter().map(move |var| (decl, var)));
        for (&id, (decl, var)) in locals.iter().zip(declared) {
            let mut attributes = self.attributes(&decl.attributes);
            attributes.0.extend(self.attributes(&var.attributes).0);
            self.program.vars[id].attributes = attributes;
            if let Some(where_clause) = &var.where_clause {
                self.where_clause(id, where_clause);
            }
            self.check_assumption_var(id);
        }
        locals
    }
}

/// Where the attributes of an implementation come from.
enum AttributesOf<'s> {
    Own(&'s [ast::Attribute]),
    /// Those of the procedure, which were checked there.
    Procedure(Attributes),
}

/// The last character of a body.
pub(super) fn closing_brace(body: Span) -> Span {
    Span {
        start: body.end.saturating_sub(1).max(body.start),
        ..body
    }
}
