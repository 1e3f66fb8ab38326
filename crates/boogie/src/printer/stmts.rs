//! Statements.

use super::Printer;
use crate::ast::{Access, AssignTarget, Call, Else, Expr, Guard, InvariantKind, Stmt, StmtKind};

impl Printer {
    pub(super) fn statements(&mut self, stmts: &[Stmt]) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            for stmt in stmts {
                self.statement(stmt);
            }
        });
    }

    fn statement(&mut self, stmt: &Stmt) {
        self.line_start();
        match &stmt.kind {
            StmtKind::Label(name) => {
                self.name(name);
                self.text(":\n");
                return;
            }
            StmtKind::If { .. } => {
                self.if_statement(stmt);
                self.text("\n");
                return;
            }
            StmtKind::While {
                guard,
                invariants,
                body,
                attributes,
            } => {
                self.text("while ");
                self.attributes(attributes);
                self.guard(guard);
                self.text("\n");
                for invariant in invariants {
                    self.line_start();
                    let keyword = match &invariant.kind {
                        InvariantKind::Invariant { free: true, .. } => "  free invariant ",
                        InvariantKind::Invariant { free: false, .. } => "  invariant ",
                        InvariantKind::Measure(_) => "  measure ",
                    };
                    self.text(keyword);
                    self.attributes(&invariant.attributes);
                    match &invariant.kind {
                        InvariantKind::Invariant { expr, .. } => self.expr(expr),
                        InvariantKind::Measure(exprs) => self.separated(exprs, Self::expr),
                    }
                    self.text(";\n");
                }
                self.line_start();
                self.block(body);
                self.text("\n");
                return;
            }
            StmtKind::Assert { attributes, expr } => {
                self.text("assert ");
                self.attributes(attributes);
                self.expr(expr);
            }
            StmtKind::Assume { attributes, expr } => {
                self.text("assume ");
                self.attributes(attributes);
                self.expr(expr);
            }
            StmtKind::Havoc(names) => {
                self.text("havoc ");
                self.names(names);
            }
            StmtKind::Assign {
                attributes,
                targets,
                values,
            } => {
                self.separated(targets, Self::assign_target);
                self.text(" := ");
                self.attributes(attributes);
                self.separated(values, Self::expr);
            }
            StmtKind::Unpack {
                constructor,
                vars,
                value,
                ..
            } => {
                self.name(constructor);
                self.text("(");
                self.names(vars);
                self.text(") := ");
                self.attributes(&stmt.attributes);
                self.expr(value);
            }
            StmtKind::Call(call) => self.call(call),
            StmtKind::CallForall {
                attributes,
                procedure,
                args,
            } => {
                self.text("call ");
                self.attributes(attributes);
                self.text("forall ");
                self.name(procedure);
                self.call_arguments(args);
            }
            StmtKind::Break(None) => self.text("break"),
            StmtKind::Break(Some(label)) => {
                self.text("break ");
                self.name(label);
            }
            StmtKind::Goto(labels) => {
                self.text("goto ");
                self.attributes(&stmt.attributes);
                self.names(labels);
            }
            StmtKind::Return => {
                self.text(if stmt.attributes.is_empty() {
                    "return"
                } else {
                    "return "
                });
                self.attributes(&stmt.attributes);
            }
            StmtKind::Yield => self.text("yield"),
            StmtKind::ReturnExpr(value) => {
                self.text("return ");
                self.attributes(&stmt.attributes);
                self.expr(value);
            }
            StmtKind::HideReveal { hide, name } => {
                self.text(if *hide { "hide " } else { "reveal " });
                match name {
                    Some(name) => self.name(name),
                    None => self.text("*"),
                }
            }
            StmtKind::Push => self.text("push"),
            StmtKind::Pop => self.text("pop"),
        }
        self.text(";\n");
    }

    fn block(&mut self, stmts: &[Stmt]) {
        self.text("{\n");
        self.indentation += 1;
        self.statements(stmts);
        self.indentation -= 1;
        self.line_start();
        self.text("}");
    }

    fn guard(&mut self, guard: &Guard) {
        self.text("(");
        match guard {
            Guard::Any => self.text("*"),
            Guard::Expr(expr) => self.expr(expr),
        }
        self.text(")");
    }

    /// An `if` with all its `else if`, without recursion over them.
    fn if_statement(&mut self, stmt: &Stmt) {
        let mut stmt = stmt;
        while let StmtKind::If {
            guard,
            then_branch,
            else_branch,
            attributes,
            ..
        } = &stmt.kind
        {
            self.text("if ");
            self.attributes(attributes);
            self.guard(guard);
            self.text(" ");
            self.block(then_branch);
            match else_branch {
                None => return,
                Some(Else::Block(block)) => {
                    self.text(" else ");
                    self.block(block);
                    return;
                }
                Some(Else::If(next)) => {
                    self.text(" else ");
                    stmt = next;
                }
            }
        }
    }

    fn assign_target(&mut self, target: &AssignTarget) {
        self.name(&target.name);
        for access in &target.accesses {
            match access {
                Access::Index(indices) => {
                    self.text("[");
                    self.separated(indices, Self::expr);
                    self.text("]");
                }
                Access::Field(field) => {
                    self.text("->");
                    self.name(field);
                }
            }
        }
    }

    fn call(&mut self, call: &Call) {
        if call.is_async {
            self.text("async ");
        }
        if call.is_free {
            self.text("free ");
        }
        self.text("call ");
        self.attributes(&call.attributes);
        if !call.outs.is_empty() {
            self.separated(&call.outs, |printer, out| match out {
                Some(name) => printer.name(name),
                None => printer.text("*"),
            });
            self.text(" := ");
        }
        self.name(&call.procedure);
        self.call_arguments(&call.args);
    }

    fn call_arguments(&mut self, args: &[Option<Expr>]) {
        self.text("(");
        self.separated(args, |printer, arg| match arg {
            Some(expr) => printer.expr(expr),
            None => printer.text("*"),
        });
        self.text(")");
    }
}
