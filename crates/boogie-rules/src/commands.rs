//! Rules for commands: every command of every body is replaced by the code of the first rule that matches it.
//!
//! `if (e)` and `while (e)` are taken apart where a rule matches `assume e` or `assume !e`: what a rule says of an assumption,
//! it says of the condition of a branch.

use lariat_base::Diagnostics;
use lariat_boogie::ast::{
    Body, Decl, Else, Expr, Guard, Invariant, LocalDecl, Program, Signature, Stmt, StmtKind,
};
use rustc_hash::FxHashMap;

use crate::build::Build;
use crate::declared::{Declared, Marks, Name, locals, marks};
use crate::insertion::Inserted;
use crate::matching::{Place, negated};
use crate::template::Templates;

/// Any of the patterns is replaced by the code.
pub struct CommandRule {
    pub patterns: Vec<Stmt>,
    pub code: Vec<Stmt>,
}

pub fn apply(
    program: &mut Program,
    rules: &[CommandRule],
    templates: &Templates,
    inserted: &Inserted<'_>,
    diagnostics: &mut Diagnostics,
) {
    if rules.is_empty() {
        return;
    }
    let declared = Declared::of(program);
    for decl in &mut program.decls {
        let (name, signature, body) = match decl {
            Decl::Procedure(decl) => match &mut decl.body {
                Some(body) => (&decl.name, &decl.signature, body),
                None => continue,
            },
            Decl::Implementation(decl) => (&decl.name, &decl.signature, &mut decl.body),
            _ => continue,
        };
        let locals = local_marks(&declared, &name.name, signature, &body.locals);
        let mut instrumenter = Instrumenter {
            rules,
            place: Place {
                templates,
                declared: &declared,
                locals: &locals,
            },
            inserted,
            diagnostics,
        };
        instrumenter.body(body);
    }
}

/// Attributes of a body's variables: those of parameters are in the procedure, in the implementation or in both.
fn local_marks(
    declared: &Declared,
    procedure: &Name,
    signature: &Signature,
    vars: &[LocalDecl],
) -> FxHashMap<Name, Marks> {
    let mut found: FxHashMap<Name, Marks> = FxHashMap::default();
    let procedure = declared.procedures.get(procedure);
    let formals = procedure.map(|procedure| procedure.ins.iter().chain(&procedure.outs));
    for (own, formal) in signature
        .ins
        .iter()
        .chain(&signature.outs)
        .zip(formals.into_iter().flatten())
    {
        let mut all = marks(&own.attributes);
        all.extend(formal.marks.clone());
        found.insert(own.name.name.clone(), all);
    }
    found.extend(vars.iter().flat_map(locals));
    found
}

struct Instrumenter<'a> {
    rules: &'a [CommandRule],
    place: Place<'a>,
    inserted: &'a Inserted<'a>,
    diagnostics: &'a mut Diagnostics,
}

impl Instrumenter<'_> {
    fn body(&mut self, body: &mut Body) {
        let stmts = std::mem::take(&mut body.stmts);
        body.stmts = self.stmts(stmts);
    }

    fn stmts(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        stmts.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: Stmt) -> Vec<Stmt> {
        if matches!(stmt.kind, StmtKind::If { .. }) {
            return vec![self.branch(stmt)];
        }
        if let StmtKind::While {
            guard,
            invariants,
            body,
            attributes,
        } = stmt.kind
        {
            let body = self.stmts(body);
            let (guard, body) = self.looped(guard, body);
            return vec![looping(
                stmt.span,
                stmt.attributes,
                guard,
                invariants,
                body,
                attributes,
            )];
        }
        match self.replaced(&stmt) {
            Some(code) => code,
            None => vec![stmt],
        }
    }

    /// The code of the first rule that matches.
    fn replaced(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        for rule in self.rules {
            for pattern in &rule.patterns {
                let bindings = self.place.command(pattern, stmt);
                if bindings.is_empty() {
                    continue;
                }
                return match self.inserted.around(&rule.code, &bindings, stmt) {
                    Ok(code) => Some(code),
                    Err(diagnostic) => {
                        self.diagnostics.push(*diagnostic);
                        None
                    }
                };
            }
        }
        None
    }

    /// What stands in the place of `assume e` and of `assume !e`, if a rule matches one of them.
    fn taken_apart(&mut self, condition: &Expr) -> Option<(Vec<Stmt>, Vec<Stmt>)> {
        let build = Build(condition.span);
        let yes = build.assume(condition.clone());
        let no = build.assume(negated(condition, condition.span));
        let (then, otherwise) = (self.replaced(&yes), self.replaced(&no));
        if then.is_none() && otherwise.is_none() {
            return None;
        }
        Some((
            then.unwrap_or_else(|| vec![yes]),
            otherwise.unwrap_or_else(|| vec![no]),
        ))
    }

    fn branch(&mut self, mut stmt: Stmt) -> Stmt {
        let StmtKind::If {
            guard,
            then_branch,
            else_branch,
            then_end,
            else_end,
            ..
        } = &mut stmt.kind
        else {
            return stmt;
        };
        *then_branch = self.stmts(std::mem::take(then_branch));
        *else_branch = else_branch.take().map(|branch| match branch {
            Else::Block(stmts) => Else::Block(self.stmts(stmts)),
            Else::If(inner) => Else::If(Box::new(self.branch(*inner))),
        });
        let apart = match &*guard {
            Guard::Expr(condition) => self.taken_apart(condition),
            Guard::Any => None,
        };
        if let Some((mut then, mut otherwise)) = apart {
            *guard = Guard::Any;
            then.append(then_branch);
            *then_branch = then;
            match else_branch.take() {
                Some(Else::Block(stmts)) => otherwise.extend(stmts),
                Some(Else::If(inner)) => otherwise.push(*inner),
                None => {}
            }
            *else_branch = Some(Else::Block(otherwise));
            else_end.get_or_insert(*then_end);
        }
        stmt
    }

    /// `while (e) { s }` is `while (true) { if (*) { assume !e; break; } assume e; s }`.
    fn looped(&mut self, guard: Guard, body: Vec<Stmt>) -> (Guard, Vec<Stmt>) {
        let Guard::Expr(condition) = &guard else {
            return (guard, body);
        };
        let Some((again, mut done)) = self.taken_apart(condition) else {
            return (guard, body);
        };
        let build = Build(condition.span);
        done.push(build.stmt(StmtKind::Break(None)));
        let leave = build.stmt(StmtKind::If {
            guard: Guard::Any,
            then_branch: done,
            else_branch: None,
            then_end: condition.span,
            else_end: None,
            attributes: Vec::new(),
        });
        let forever = Guard::Expr(build.expr(lariat_boogie::ast::ExprKind::Bool(true)));
        (forever, std::iter::once(leave).chain(again).chain(body).collect())
    }
}

fn looping(
    span: lariat_base::Span,
    attributes: Vec<lariat_boogie::ast::Attribute>,
    guard: Guard,
    invariants: Vec<Invariant>,
    body: Vec<Stmt>,
    own: Vec<lariat_boogie::ast::Attribute>,
) -> Stmt {
    Stmt {
        kind: StmtKind::While {
            guard,
            invariants,
            body,
            attributes: own,
        },
        attributes,
        span,
    }
}
