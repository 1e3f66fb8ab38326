//! The code that a rule inserts, with its placeholders replaced.

use lariat_base::{Diagnostic, Span};
use lariat_boogie::ast::{
    Access, AssignTarget, Attribute, AttributeParam, Call, Else, Expr, ExprKind, Guard, Ident, Stmt, StmtKind,
};
use lariat_boogie::printer::print_expr;
use rustc_hash::FxHashSet;

use crate::build::Build;
use crate::declared::Name;
use crate::matching::Binding;

/// What all rules of a property share.
pub struct Inserted<'a> {
    /// The name of the property, for reports.
    pub rule: &'a str,
    /// Placeholders: those without a meaning must not be used.
    pub placeholders: &'a FxHashSet<Name>,
    /// Functions `{:ReachableStates}`: `assume f(e)` says that some execution is to come here with `e`.
    pub reachable: &'a FxHashSet<Name>,
}

type Made<T> = Result<T, Box<Diagnostic>>;

/// Whether a statement is `#this`: the command that was matched. The reader has put `yield`, which is as long, in its place.
pub fn is_this(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Yield)
}

impl Inserted<'_> {
    /// The code for a command: what stands before and behind `#this` once for each binding, the command itself once.
    pub fn around(&self, code: &[Stmt], bindings: &[Binding], this: &Stmt) -> Made<Vec<Stmt>> {
        let mut made = Vec::new();
        for (position, part) in code.split(is_this).enumerate() {
            if position > 0 {
                made.push(this.clone());
            }
            for binding in bindings {
                made.extend(self.code(part, binding, this.span)?);
            }
        }
        Ok(made)
    }

    /// Statements at a place.
    pub fn code(&self, code: &[Stmt], binding: &Binding, at: Span) -> Made<Vec<Stmt>> {
        self.each(code, |stmt| self.stmt(stmt, binding, at))
    }

    fn stmt(&self, stmt: &Stmt, binding: &Binding, at: Span) -> Made<Stmt> {
        let kind = match &stmt.kind {
            StmtKind::Assume { attributes, expr } => match self.reached(expr) {
                Some(wanted) => {
                    let mark = Build(at).attribute("angelic", None);
                    let expr = Build(stmt.span).not(self.expr(wanted, binding)?);
                    StmtKind::Assert {
                        attributes: vec![mark],
                        expr,
                    }
                }
                None => StmtKind::Assume {
                    attributes: self.attributes(attributes, binding)?,
                    expr: self.expr(expr, binding)?,
                },
            },
            StmtKind::Assert { attributes, expr } => {
                let mut attributes = self.attributes(attributes, binding)?;
                attributes.push(Build(at).attribute("typestaterule", Some(self.rule)));
                StmtKind::Assert {
                    attributes,
                    expr: self.expr(expr, binding)?,
                }
            }
            StmtKind::Havoc(names) => StmtKind::Havoc(self.each(names, |name| self.name(name, binding))?),
            StmtKind::Assign {
                attributes,
                targets,
                values,
            } => StmtKind::Assign {
                attributes: self.attributes(attributes, binding)?,
                targets: self.each(targets, |target| self.target(target, binding))?,
                values: self.exprs(values, binding)?,
            },
            StmtKind::Call(call) => StmtKind::Call(Call {
                attributes: self.attributes(&call.attributes, binding)?,
                outs: self.each(&call.outs, |out| {
                    out.as_ref().map(|out| self.name(out, binding)).transpose()
                })?,
                args: self.each(&call.args, |arg| {
                    arg.as_ref().map(|arg| self.expr(arg, binding)).transpose()
                })?,
                procedure: call.procedure.clone(),
                is_async: call.is_async,
                is_free: call.is_free,
            }),
            StmtKind::If {
                guard,
                then_branch,
                else_branch,
                then_end,
                else_end,
                attributes,
            } => StmtKind::If {
                guard: match guard {
                    Guard::Any => Guard::Any,
                    Guard::Expr(expr) => Guard::Expr(self.expr(expr, binding)?),
                },
                then_branch: self.code(then_branch, binding, at)?,
                else_branch: match else_branch {
                    None => None,
                    Some(Else::Block(stmts)) => Some(Else::Block(self.code(stmts, binding, at)?)),
                    Some(Else::If(inner)) => Some(Else::If(Box::new(self.stmt(inner, binding, at)?))),
                },
                then_end: *then_end,
                else_end: *else_end,
                attributes: attributes.clone(),
            },
            _ => {
                let message = "a rule cannot insert this statement";
                let hint = "it may insert assert, assume, havoc, assignments, calls, `if` and, once, `#this`";
                return Err(Box::new(
                    Diagnostic::error("bad-property", stmt.span, message).hint(hint),
                ));
            }
        };
        Ok(Stmt {
            kind,
            attributes: stmt.attributes.clone(),
            span: at,
        })
    }

    /// The condition of `assume f(e)`, where `f` asks for executions.
    fn reached<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match &expr.kind {
            ExprKind::Call(function, args) if self.reachable.contains(&function.name) => args.first(),
            _ => None,
        }
    }

    fn each<T, U>(&self, items: &[T], make: impl Fn(&T) -> Made<U>) -> Made<Vec<U>> {
        items.iter().map(make).collect()
    }

    fn exprs(&self, exprs: &[Expr], binding: &Binding) -> Made<Vec<Expr>> {
        self.each(exprs, |expr| self.expr(expr, binding))
    }

    fn attributes(&self, attributes: &[Attribute], binding: &Binding) -> Made<Vec<Attribute>> {
        self.each(attributes, |attribute| {
            let params = self.each(&attribute.params, |param| {
                Ok(match param {
                    AttributeParam::String(text, span) => AttributeParam::String(text.clone(), *span),
                    AttributeParam::Expr(expr) => AttributeParam::Expr(self.expr(expr, binding)?),
                })
            })?;
            Ok(Attribute {
                params,
                ..attribute.clone()
            })
        })
    }

    fn meaning<'b>(&self, name: &Ident, binding: &'b Binding) -> Made<Option<&'b Expr>> {
        match binding.exprs.get(&name.name) {
            None if self.placeholders.contains(&name.name) => Err(Box::new(
                Diagnostic::error(
                    "bad-property",
                    name.span,
                    format!("`{}` stands for nothing here", name.name),
                )
                .hint("a placeholder must occur in what the rule matches"),
            )),
            found => Ok(found),
        }
    }

    /// Refuses a bound variable that would hide a placeholder, or a variable of what one stands for.
    fn check_bound(&self, bound: &Ident, binding: &Binding) -> Made<()> {
        let is_hidden = self.placeholders.contains(&bound.name)
            || binding.exprs.contains_key(&bound.name)
            || binding.exprs.values().any(|expr| mentions(expr, &bound.name));
        match is_hidden {
            false => Ok(()),
            true => Err(Box::new(
                Diagnostic::error(
                    "bad-property",
                    bound.span,
                    format!(
                        "the bound variable `{}` has the name of something that is inserted here",
                        bound.name
                    ),
                )
                .hint("give it a name that neither the program nor the placeholders use"),
            )),
        }
    }

    /// A name that something is assigned to.
    fn name(&self, name: &Ident, binding: &Binding) -> Made<Ident> {
        match self.meaning(name, binding)?.map(|expr| &expr.kind) {
            None => Ok(name.clone()),
            Some(ExprKind::Var(found)) => Ok(found.clone()),
            Some(_) => Err(Box::new(
                Diagnostic::error(
                    "bad-property",
                    name.span,
                    format!("`{}` is assigned to, and stands for an expression", name.name),
                )
                .hint("mark the placeholder {:#IdentifierExpr}, so that it stands for variables only"),
            )),
        }
    }

    fn target(&self, target: &AssignTarget, binding: &Binding) -> Made<AssignTarget> {
        Ok(AssignTarget {
            name: self.name(&target.name, binding)?,
            accesses: self.each(&target.accesses, |access| {
                Ok(match access {
                    Access::Index(indices) => Access::Index(self.exprs(indices, binding)?),
                    Access::Field(field) => Access::Field(field.clone()),
                })
            })?,
            span: target.span,
        })
    }

    fn expr(&self, expr: &Expr, binding: &Binding) -> Made<Expr> {
        let one = |inner: &Expr| self.expr(inner, binding).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Var(name) => match self.meaning(name, binding)? {
                Some(found) => return Ok(found.clone()),
                None => ExprKind::Var(name.clone()),
            },
            ExprKind::Call(function, args) => {
                let name = binding.functions.get(&function.name).unwrap_or(&function.name);
                let function = Ident {
                    name: name.clone(),
                    span: function.span,
                };
                ExprKind::Call(function, self.exprs(args, binding)?)
            }
            ExprKind::Convert(conversion, inner) => ExprKind::Convert(*conversion, one(inner)?),
            ExprKind::Old(inner) => ExprKind::Old(one(inner)?),
            ExprKind::Unary(op, inner) => ExprKind::Unary(*op, one(inner)?),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, one(left)?, one(right)?),
            ExprKind::IfThenElse(a, b, c) => ExprKind::IfThenElse(one(a)?, one(b)?, one(c)?),
            ExprKind::Select(map, indices) => ExprKind::Select(one(map)?, self.exprs(indices, binding)?),
            ExprKind::Store(map, indices, value) => {
                ExprKind::Store(one(map)?, self.exprs(indices, binding)?, one(value)?)
            }
            ExprKind::Field(inner, field) => ExprKind::Field(one(inner)?, field.clone()),
            ExprKind::FieldUpdate(inner, field, value) => {
                ExprKind::FieldUpdate(one(inner)?, field.clone(), one(value)?)
            }
            ExprKind::Is(inner, constructor) => ExprKind::Is(one(inner)?, constructor.clone()),
            ExprKind::Coerce(inner, ty) => ExprKind::Coerce(one(inner)?, ty.clone()),
            ExprKind::Extract { value, hi, lo } => ExprKind::Extract {
                value: one(value)?,
                hi: *hi,
                lo: *lo,
            },
            ExprKind::Quantifier(quantifier) => {
                let mut quantifier = quantifier.clone();
                for var in &quantifier.bound {
                    self.check_bound(&var.name, binding)?;
                }
                quantifier.body = self.expr(&quantifier.body, binding)?;
                for trigger in &mut quantifier.triggers {
                    trigger.exprs = self.exprs(&trigger.exprs, binding)?;
                }
                ExprKind::Quantifier(quantifier)
            }
            ExprKind::Let {
                vars,
                values,
                attributes,
                body,
            } => {
                for var in vars {
                    self.check_bound(&var.name, binding)?;
                }
                ExprKind::Let {
                    vars: vars.clone(),
                    values: self.exprs(values, binding)?,
                    attributes: attributes.clone(),
                    body: one(body)?,
                }
            }
            literal => literal.clone(),
        };
        Ok(Expr {
            kind,
            span: expr.span,
        })
    }
}

/// Whether a name stands in an expression.
fn mentions(expr: &Expr, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "'~#$^_.?`\\".contains(c);
    print_expr(expr).split(|c| !is_part(c)).any(|word| word == name)
}
