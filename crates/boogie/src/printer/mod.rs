//! text ─> tokens ─> **ast ─> text**
//!
//! Prints a program in the notation of Boogie 3. Comments are gone; everything else reads back
//! as the same tree, apart from spans: lists that share a type or attributes come out
//! separately, parentheses are those that the binding strengths need.
//!
//! Invariant: no line starts in the first column with a name, as `#` there starts a pragma.

mod exprs;
mod stmts;
mod types;

use crate::ast::{
    Attribute, AttributeParam, AxiomDecl, Body, ConstDecl, Contract, DatatypeDecl, Decl, Expr, FunctionDecl,
    FunctionParam, Ident, ImplementationDecl, LocalDecl, ProcedureDecl, Program, Signature, Spec, Type,
    TypeDecl, TypedIdent, VarDecl,
};
use crate::lexer::is_reserved_word;

/// The program as text.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::default();
    for (index, decl) in program.decls.iter().enumerate() {
        let has_body = matches!(decl, Decl::Procedure(_) | Decl::Implementation(_));
        if has_body && index > 0 {
            printer.text("\n");
        }
        printer.decl(decl);
    }
    printer.output
}

/// An expression as text.
pub fn print_expr(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr);
    printer.output
}

/// A type as text.
pub fn print_type(ty: &Type) -> String {
    let mut printer = Printer::default();
    printer.type_(ty);
    printer.output
}

#[derive(Default)]
struct Printer {
    output: String,
    indentation: usize,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.output.push_str(text);
    }

    fn line_start(&mut self) {
        for _ in 0..self.indentation {
            self.output.push_str("  ");
        }
    }

    fn name(&mut self, ident: &Ident) {
        if is_reserved_word(&ident.name) {
            self.output.push('\\');
        }
        self.output.push_str(&ident.name);
    }

    fn separated<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }

    fn names(&mut self, names: &[Ident]) {
        self.separated(names, Self::name);
    }

    /// `<a, b>`, or nothing.
    fn type_params(&mut self, params: &[Ident]) {
        if !params.is_empty() {
            self.text("<");
            self.names(params);
            self.text(">");
        }
    }

    /// Attributes, each with a space behind it.
    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.text("{:");
            self.name(&attribute.name);
            if !attribute.params.is_empty() {
                self.text(" ");
                self.separated(&attribute.params, |printer, param| match param {
                    AttributeParam::String(text, _) => printer.string(text),
                    AttributeParam::Expr(expr) => printer.expr(expr),
                });
            }
            self.text("} ");
        }
    }

    fn string(&mut self, contents: &str) {
        self.text("\"");
        self.text(contents);
        self.text("\"");
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Type(decl) => self.type_decl(decl),
            Decl::Datatype(decl) => self.datatype_decl(decl),
            Decl::Const(decl) => self.const_decl(decl),
            Decl::Function(decl) => self.function_decl(decl),
            Decl::Axiom(decl) => self.axiom_decl(decl),
            Decl::Var(VarDecl { attributes, vars, .. }) => self.variables(attributes, vars),
            Decl::Procedure(decl) => self.procedure_decl(decl),
            Decl::Implementation(decl) => self.implementation_decl(decl),
        }
    }

    fn type_decl(&mut self, decl: &TypeDecl) {
        self.text("type ");
        self.attributes(&decl.attributes);
        self.name(&decl.name);
        for param in &decl.params {
            self.text(" ");
            self.name(param);
        }
        if let Some(synonym) = &decl.synonym {
            self.text(" = ");
            self.type_(synonym);
        }
        self.text(";\n");
    }

    fn datatype_decl(&mut self, decl: &DatatypeDecl) {
        self.text("datatype ");
        self.attributes(&decl.attributes);
        self.name(&decl.name);
        self.type_params(&decl.params);
        self.text(" { ");
        self.separated(&decl.constructors, |printer, constructor| {
            printer.name(&constructor.name);
            printer.formals(&constructor.fields);
        });
        self.text(" }\n");
    }

    fn const_decl(&mut self, decl: &ConstDecl) {
        self.text("const ");
        self.attributes(&decl.attributes);
        if decl.unique {
            self.text("unique ");
        }
        self.names(&decl.names);
        self.text(": ");
        self.type_(&decl.ty);
        if decl.uses.is_empty() {
            self.text(";\n");
        } else {
            self.uses_clause(&decl.uses);
        }
    }

    fn function_decl(&mut self, decl: &FunctionDecl) {
        if decl.revealed {
            self.text("revealed ");
        }
        self.text("function ");
        self.attributes(&decl.attributes);
        self.name(&decl.name);
        self.type_params(&decl.type_params);
        self.text("(");
        self.separated(&decl.params, Self::function_param);
        self.text(") returns (");
        self.function_param(&decl.result);
        self.text(")");
        if let Some(body) = &decl.body {
            self.text(" { ");
            self.expr(body);
            self.text(" }");
        }
        match (&decl.body, decl.uses.is_empty()) {
            (_, false) => self.uses_clause(&decl.uses),
            (Some(_), true) => self.text("\n"),
            (None, true) => self.text(";\n"),
        }
    }

    fn function_param(&mut self, param: &FunctionParam) {
        self.attributes(&param.attributes);
        if let Some(name) = &param.name {
            self.name(name);
            self.text(": ");
        }
        self.type_(&param.ty);
    }

    fn uses_clause(&mut self, axioms: &[AxiomDecl]) {
        self.text(" uses {\n");
        for axiom in axioms {
            self.text("  ");
            self.axiom_decl(axiom);
        }
        self.text("}\n");
    }

    fn axiom_decl(&mut self, decl: &AxiomDecl) {
        if decl.hideable {
            self.text("hideable ");
        }
        self.text("axiom ");
        self.attributes(&decl.attributes);
        self.expr(&decl.body);
        self.text(";\n");
    }

    /// `var …;`, global or local.
    fn variables(&mut self, attributes: &[Attribute], vars: &[TypedIdent]) {
        self.text("var ");
        self.attributes(attributes);
        self.separated(vars, Self::typed_identifier);
        self.text(";\n");
    }

    fn typed_identifier(&mut self, ident: &TypedIdent) {
        self.attributes(&ident.attributes);
        self.name(&ident.name);
        self.text(": ");
        self.type_(&ident.ty);
        if let Some(condition) = &ident.where_clause {
            self.text(" where ");
            self.expr(condition);
        }
    }

    fn formals(&mut self, formals: &[TypedIdent]) {
        self.text("(");
        self.separated(formals, Self::typed_identifier);
        self.text(")");
    }

    fn signature(&mut self, attributes: &[Attribute], name: &Ident, signature: &Signature) {
        self.attributes(attributes);
        self.name(name);
        self.type_params(&signature.type_params);
        self.formals(&signature.ins);
        if !signature.outs.is_empty() {
            self.text(" returns ");
            self.formals(&signature.outs);
        }
    }

    fn procedure_decl(&mut self, decl: &ProcedureDecl) {
        if decl.pure {
            self.text("pure ");
        }
        self.text("procedure ");
        self.signature(&decl.attributes, &decl.name, &decl.signature);
        self.text(if decl.body.is_none() { ";\n" } else { "\n" });
        for spec in &decl.specs {
            self.spec(spec);
        }
        if let Some(body) = &decl.body {
            self.body(body);
        }
    }

    fn implementation_decl(&mut self, decl: &ImplementationDecl) {
        self.text("implementation ");
        self.signature(&decl.attributes, &decl.name, &decl.signature);
        self.text("\n");
        self.body(&decl.body);
    }

    fn spec(&mut self, spec: &Spec) {
        self.text("  ");
        match spec {
            Spec::Requires(contract) => self.contract("requires ", contract),
            Spec::Ensures(contract) => self.contract("ensures ", contract),
            Spec::Modifies { names, free, .. } => {
                self.text(if *free { "free modifies" } else { "modifies" });
                if !names.is_empty() {
                    self.text(" ");
                    self.names(names);
                }
            }
            Spec::Measure {
                attributes, exprs, ..
            } => {
                self.text("measure ");
                self.attributes(attributes);
                self.separated(exprs, Self::expr);
            }
        }
        self.text(";\n");
    }

    fn contract(&mut self, keyword: &str, contract: &Contract) {
        if contract.free {
            self.text("free ");
        }
        self.text(keyword);
        self.attributes(&contract.attributes);
        self.expr(&contract.expr);
    }

    fn body(&mut self, body: &Body) {
        self.text("{\n");
        self.indentation += 1;
        self.local_decls(&body.locals);
        self.statements(&body.stmts);
        self.indentation -= 1;
        self.text("}\n");
    }

    fn local_decls(&mut self, locals: &[LocalDecl]) {
        for local in locals {
            self.line_start();
            self.variables(&local.attributes, &local.vars);
        }
    }
}
