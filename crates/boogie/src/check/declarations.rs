//! What declarations contain besides types: attributes, `where` clauses, axioms, bodies of
//! functions.

use lariat_base::Span;
use rustc_hash::FxHashMap;

use super::declare::{Declared, DeclaredVar, ImplementationSource, duplicate};
use super::{Checker, StateAccess};
use crate::ast;
use crate::typed::{Attributes, Axiom, AxiomUser, Expr, FunctionId, Measure, Name, Type, VarId};

impl<'a> Checker<'a> {
    pub(super) fn check_declarations(&mut self, declared: &Declared<'a>) {
        for &(id, decl) in &declared.type_cons {
            self.program.type_cons[id].attributes = self.attributes(&decl.attributes);
        }
        for index in 0..self.synonyms.len() {
            let decl = self.synonyms[index].decl;
            self.attributes(&decl.attributes);
        }
        for &(id, decl) in &declared.datatypes {
            self.program.datatypes[id].attributes = self.attributes(&decl.attributes);
            for field in decl
                .constructors
                .iter()
                .flat_map(|constructor| &constructor.fields)
            {
                self.attributes(&field.attributes);
            }
        }
        for var in &declared.vars {
            self.check_declared_var(var);
        }
        for &(id, decl) in &declared.functions {
            self.check_function(id, decl);
        }
        self.check_axioms(&declared.axioms);
        for &(id, decl) in &declared.procedures {
            self.check_procedure(id, decl);
        }
        for implementation in &declared.implementations {
            match implementation {
                ImplementationSource::InPlace(id, decl, body) => self.check_body_in_place(*id, decl, body),
                ImplementationSource::Apart(decl) => self.check_implementation(decl),
            }
        }
    }

    fn check_declared_var(&mut self, var: &DeclaredVar<'_>) {
        let mut attributes = self.attributes(var.attributes[0]);
        attributes.0.extend(self.attributes(var.attributes[1]).0);
        self.program.vars[var.id].attributes = attributes;
        if let Some(where_clause) = var.where_clause {
            self.where_clause(var.id, where_clause);
        }
        self.check_assumption_var(var.id);
    }

    pub(super) fn where_clause(&mut self, var: VarId, where_clause: &ast::Expr) {
        let expr = self.condition(where_clause, "a `where` clause");
        self.program.vars[var].where_clause = Some(expr);
        if self.code_depth > 0 {
            self.infer.vars.push(var);
        }
    }

    /// A variable marked `{:assumption}` collects assumptions: it is Boolean and starts as true.
    pub(super) fn check_assumption_var(&mut self, id: VarId) {
        let var = &self.program.vars[id];
        if !var.attributes.is_set("assumption") {
            return;
        }
        let (span, name) = (var.span, var.name.clone());
        let (has_where, is_bool) = (var.where_clause.is_some(), var.ty == Type::Bool);
        if has_where {
            self.error(
                "assumption-variable",
                span,
                format!("the assumption variable `{name}` may not have a `where` clause"),
            );
        }
        if !is_bool {
            self.error(
                "assumption-variable",
                span,
                format!("the assumption variable `{name}` must be of type `bool`"),
            );
        }
    }

    fn check_function(&mut self, id: FunctionId, decl: &ast::FunctionDecl) {
        let outer = self.type_binders.len();
        self.rebind_type_params(&self.program.functions[id].type_params.clone());
        self.scope.open();
        let params = self.program.functions[id].params.clone();
        for (param, &var) in decl.params.iter().zip(&params) {
            if param.name.is_some() {
                // Parameters with the same name were reported when the function was declared.
                let _ = self.scope.declare(&self.program.vars[var].name, var);
            }
        }
        for (param, &var) in decl.params.iter().zip(&params) {
            self.program.vars[var].attributes = self.attributes(&param.attributes);
        }
        self.attributes(&decl.result.attributes);
        self.program.functions[id].attributes = self.attributes(&decl.attributes);
        if let Some(body) = &decl.body {
            self.state = StateAccess::None;
            let mut body = self.expr(body);
            self.state = StateAccess::Present;
            let result = self.program.functions[id].result.clone();
            self.expect_type(&body, &result, "type-mismatch", "the body of the function");
            self.finish_expr(&mut body);
            self.program.functions[id].body = Some(body);
        }
        self.scope.close();
        self.type_binders.truncate(outer);
    }

    fn check_axioms(&mut self, axioms: &[(&ast::AxiomDecl, Option<AxiomUser>)]) {
        let mut names: FxHashMap<Name, Span> = FxHashMap::default();
        for &(decl, user) in axioms {
            let attributes = self.attributes(&decl.attributes);
            if let Some(name) = attributes.string("name") {
                let ident = ast::Ident {
                    name: Name::from(name),
                    span: decl.span,
                };
                match names.get(&ident.name) {
                    Some(_) if attributes.is_set("extern") => continue,
                    Some(&first) => self.report(duplicate("axiom", &ident, first)),
                    None => {
                        names.insert(ident.name, decl.span);
                    }
                }
            }
            self.state = StateAccess::None;
            let expr = self.condition(&decl.body, "an axiom");
            self.state = StateAccess::Present;
            self.program.axioms.push(Axiom {
                expr,
                attributes,
                span: decl.span,
                user,
                hideable: decl.hideable,
            });
        }
    }

    /// A complete expression that must be Boolean.
    pub(super) fn condition(&mut self, expr: &ast::Expr, what: &str) -> Expr {
        let mut checked = self.expr(expr);
        self.expect_type(&checked, &Type::Bool, "type-mismatch", what);
        self.finish_expr(&mut checked);
        checked
    }

    /// `measure e, …`: integers or Booleans.
    pub(super) fn measure(
        &mut self,
        exprs: &[ast::Expr],
        attributes: &[ast::Attribute],
        span: Span,
    ) -> Measure {
        let _: Attributes = self.attributes(attributes);
        let mut components = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let mut checked = self.expr(expr);
            // A Boolean component counts as 0 or 1.
            if self.infer.head(&checked.ty) != Type::Bool {
                self.expect_type(&checked, &Type::Int, "type-mismatch", "a measure");
            }
            self.finish_expr(&mut checked);
            components.push(checked);
        }
        self.program.ignored.push(("measure", span));
        Measure {
            exprs: components,
            clauses: 1,
            span,
        }
    }
}
