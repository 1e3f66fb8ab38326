//! Whether a command or an expression of the program is what a property describes, and what its placeholders stand for then.
//!
//! A placeholder that occurs twice stands for the same expression in both places. Names that are no placeholders match
//! themselves.

use lariat_base::Span;
use lariat_boogie::ast::{
    Access, AssignTarget, Attribute, Call, Expr, ExprKind, Ident, Stmt, StmtKind, UnaryOp,
};
use lariat_boogie::printer::print_expr;
use rustc_hash::FxHashMap;

use crate::declared::{Declared, Marks, Name, marks};
use crate::template::{ANY_ARGUMENTS, ANY_EXPRESSION, IDENTIFIER, Pattern, Template, Templates, is_subset};

/// What the placeholders stand for.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    pub exprs: FxHashMap<Name, Expr>,
    pub functions: FxHashMap<Name, Name>,
}

impl Binding {
    /// Both of them; `None` if they differ about a placeholder.
    fn join(mut self, other: Binding) -> Option<Binding> {
        for (name, expr) in other.exprs {
            self.bind(&name, &expr)?;
        }
        for (name, function) in other.functions {
            self.bind_function(&name, &function)?;
        }
        Some(self)
    }

    pub fn bind(&mut self, name: &Name, expr: &Expr) -> Option<()> {
        match self.exprs.get(name) {
            Some(known) => (print_expr(known) == print_expr(expr)).then_some(()),
            None => {
                self.exprs.insert(name.clone(), expr.clone());
                Some(())
            }
        }
    }

    fn bind_function(&mut self, name: &Name, function: &Name) -> Option<()> {
        match self.functions.get(name) {
            Some(known) => (known == function).then_some(()),
            None => {
                self.functions.insert(name.clone(), function.clone());
                Some(())
            }
        }
    }
}

/// What is known where a command stands.
pub struct Place<'a> {
    pub templates: &'a Templates,
    pub declared: &'a Declared,
    /// Attributes of parameters, results and locals.
    pub locals: &'a FxHashMap<Name, Marks>,
}

impl Place<'_> {
    /// The ways in which a command is what the pattern describes: several only of a call with `{:#AnyArguments}`.
    pub fn command(&self, pattern: &Stmt, stmt: &Stmt) -> Vec<Binding> {
        match (&pattern.kind, &stmt.kind) {
            (
                StmtKind::Assume { attributes, expr },
                StmtKind::Assume {
                    attributes: given,
                    expr: found,
                },
            )
            | (
                StmtKind::Assert { attributes, expr },
                StmtKind::Assert {
                    attributes: given,
                    expr: found,
                },
            ) => self
                .proposition((attributes, expr), (given, found))
                .into_iter()
                .collect(),
            (
                StmtKind::Assign { targets, values, .. },
                StmtKind::Assign {
                    targets: found,
                    values: others,
                    ..
                },
            ) => {
                let ([target], [value]) = (targets.as_slice(), values.as_slice()) else {
                    return Vec::new();
                };
                let each = found.iter().zip(others);
                let mut matched = each.filter_map(|(other, found)| {
                    let left = self.expr(&place(target), &place(other))?;
                    left.join(self.expr(value, found)?)
                });
                matched.next().into_iter().collect()
            }
            (StmtKind::Call(call), StmtKind::Call(found)) => self.call(call, found),
            _ => Vec::new(),
        }
    }

    fn proposition(
        &self,
        (attributes, expr): (&[Attribute], &Expr),
        (given, found): (&[Attribute], &Expr),
    ) -> Option<Binding> {
        match is_subset(&marks(attributes), &marks(given)) {
            true => self.expr(expr, found),
            false => None,
        }
    }

    fn call(&self, pattern: &Call, call: &Call) -> Vec<Binding> {
        let Some(callee) = self.declared.procedures.get(&call.procedure.name) else {
            return Vec::new();
        };
        let template = match self.templates.get(&pattern.procedure.name) {
            Some(Template::Procedure(template)) => Some(template),
            _ => None,
        };
        let is_it = match template {
            Some(template) => template.is(&call.procedure.name, callee),
            None => pattern.procedure.name == call.procedure.name,
        };
        let Some(outs) = self.outs(&pattern.outs, &call.outs).filter(|_| is_it) else {
            return Vec::new();
        };
        let args: Vec<Binding> = match template.filter(|template| template.has(ANY_ARGUMENTS)) {
            Some(template) => self.any_argument(template, pattern, call),
            None if pattern.args.len() == call.args.len() => {
                let each = pattern.args.iter().zip(&call.args);
                let joined = each
                    .into_iter()
                    .try_fold(Binding::default(), |joined, pair| match pair {
                        (Some(arg), Some(found)) => joined.join(self.expr(arg, found)?),
                        (None, _) => Some(joined),
                        (Some(_), None) => None,
                    });
                joined.into_iter().collect()
            }
            None => Vec::new(),
        };
        args.into_iter()
            .filter_map(|arg| arg.join(outs.clone()))
            .collect()
    }

    /// The argument of the pattern is each argument of the call that has its type and its attributes.
    fn any_argument(&self, template: &Pattern, pattern: &Call, call: &Call) -> Vec<Binding> {
        let (Some(Some(arg)), Some(formal)) = (pattern.args.first(), template.declared.ins.first()) else {
            return vec![Binding::default()];
        };
        let callee = &self.declared.procedures[&call.procedure.name];
        let given = callee.ins.iter().zip(&call.args);
        let fitting = given.filter(|(other, _)| {
            other.type_text() == formal.type_text() && is_subset(&formal.marks, &other.marks)
        });
        fitting
            .filter_map(|(_, found)| self.expr(arg, found.as_ref()?))
            .collect()
    }

    /// A pattern without results is that of any call. Where the numbers of results differ, their placeholders stay without
    /// a meaning, which is an error only if the inserted code uses one.
    fn outs(&self, pattern: &[Option<Ident>], outs: &[Option<Ident>]) -> Option<Binding> {
        let mut binding = Binding::default();
        if pattern.len() != outs.len() {
            return Some(binding);
        }
        for (wanted, found) in pattern.iter().zip(outs) {
            let (Some(wanted), Some(found)) = (wanted, found) else {
                continue;
            };
            match self.templates.get(&wanted.name) {
                Some(Template::Variable(_)) => binding.bind(&wanted.name, &variable(found))?,
                _ if wanted.name == found.name => {}
                _ => return None,
            }
        }
        Some(binding)
    }

    /// What an expression must stand for to be this one.
    pub fn expr(&self, pattern: &Expr, expr: &Expr) -> Option<Binding> {
        let mut binding = Binding::default();
        match (&pattern.kind, &expr.kind) {
            (ExprKind::Var(name), _) if self.templates.contains_key(&name.name) => {
                self.variable(&name.name, expr).then_some(())?;
                binding.bind(&name.name, expr)?;
                Some(binding)
            }
            (ExprKind::Var(name), ExprKind::Var(found)) => (name.name == found.name).then_some(binding),
            (ExprKind::Call(function, args), _) if self.is_anywhere(&function.name) => {
                let [arg] = args.as_slice() else { return None };
                self.anywhere(arg, expr)
            }
            (ExprKind::Call(function, args), ExprKind::Call(found, others)) => {
                match self.templates.get(&function.name) {
                    Some(Template::Function(wanted)) => {
                        let unmarked = Marks::default();
                        let given = self.declared.marks.get(&found.name).unwrap_or(&unmarked);
                        is_subset(wanted, given).then_some(())?;
                        binding.bind_function(&function.name, &found.name)?;
                    }
                    _ => (function.name == found.name).then_some(())?,
                }
                self.all(binding, args, others)
            }
            (ExprKind::Select(map, indices), ExprKind::Select(found, others)) => {
                let map = self.expr(map, found)?;
                self.all(map, indices, others)
            }
            (ExprKind::Store(map, indices, value), ExprKind::Store(found, others, new)) => {
                let map = self.expr(map, found)?.join(self.expr(value, new)?)?;
                self.all(map, indices, others)
            }
            (ExprKind::Binary(op, a, b), ExprKind::Binary(found, c, d)) if op == found => {
                self.expr(a, c)?.join(self.expr(b, d)?)
            }
            (ExprKind::Unary(op, a), ExprKind::Unary(found, b)) if op == found => self.expr(a, b),
            (ExprKind::Old(a), ExprKind::Old(b)) => self.expr(a, b),
            (ExprKind::Field(a, field), ExprKind::Field(b, found)) if field.name == found.name => {
                self.expr(a, b)
            }
            (ExprKind::IfThenElse(a, b, c), ExprKind::IfThenElse(d, e, f)) => {
                self.expr(a, d)?.join(self.expr(b, e)?)?.join(self.expr(c, f)?)
            }
            (
                ExprKind::Bool(_)
                | ExprKind::Int(_)
                | ExprKind::Bv { .. }
                | ExprKind::Real(_)
                | ExprKind::String(_),
                _,
            ) => (print_expr(pattern) == print_expr(expr)).then_some(binding),
            _ => None,
        }
    }

    fn all(&self, binding: Binding, patterns: &[Expr], exprs: &[Expr]) -> Option<Binding> {
        if patterns.len() != exprs.len() {
            return None;
        }
        let mut pairs = patterns.iter().zip(exprs);
        pairs.try_fold(binding, |joined, (pattern, expr)| {
            joined.join(self.expr(pattern, expr)?)
        })
    }

    /// Whether a placeholder for variables may be this expression.
    fn variable(&self, template: &Name, expr: &Expr) -> bool {
        let Some(Template::Variable(wanted)) = self.templates.get(template) else {
            return false;
        };
        match &expr.kind {
            ExprKind::Var(found) => {
                let unmarked = Marks::default();
                let given = self.locals.get(&found.name);
                let given = given.or_else(|| self.declared.marks.get(&found.name));
                is_subset(wanted, given.unwrap_or(&unmarked))
            }
            _ => !wanted.contains_key(IDENTIFIER),
        }
    }

    fn is_anywhere(&self, function: &Name) -> bool {
        let template = self.templates.get(function);
        matches!(template, Some(Template::Function(marks)) if marks.contains_key(ANY_EXPRESSION))
    }

    /// The first part of the expression that is what the pattern describes.
    fn anywhere(&self, pattern: &Expr, expr: &Expr) -> Option<Binding> {
        let found = self.expr(pattern, expr);
        found.or_else(|| {
            parts(expr)
                .into_iter()
                .find_map(|part| self.anywhere(pattern, part))
        })
    }
}

pub fn variable(name: &Ident) -> Expr {
    Expr {
        kind: ExprKind::Var(name.clone()),
        span: name.span,
    }
}

/// The left side of an assignment as an expression.
fn place(target: &AssignTarget) -> Expr {
    let span = target.span;
    target
        .accesses
        .iter()
        .fold(variable(&target.name), |inner, access| {
            let kind = match access {
                Access::Index(indices) => ExprKind::Select(Box::new(inner), indices.clone()),
                Access::Field(field) => ExprKind::Field(Box::new(inner), field.clone()),
            };
            Expr { kind, span }
        })
}

fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Call(_, args) => args.iter().collect(),
        ExprKind::Old(inner) | ExprKind::Unary(_, inner) | ExprKind::Field(inner, _) => vec![inner],
        ExprKind::Binary(_, left, right) => vec![left, right],
        ExprKind::IfThenElse(a, b, c) => vec![a, b, c],
        ExprKind::Select(map, indices) => std::iter::once(&**map).chain(indices).collect(),
        ExprKind::Store(map, indices, value) => {
            std::iter::once(&**map).chain(indices).chain([&**value]).collect()
        }
        _ => Vec::new(),
    }
}

/// The negation of a condition as Boogie writes it when it takes an `if` apart: comparisons are turned around.
pub fn negated(expr: &Expr, span: Span) -> Expr {
    use lariat_boogie::ast::BinaryOp::{Eq, Ge, Gt, Le, Lt, Neq};
    let kind = match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => return (**inner).clone(),
        ExprKind::Binary(op @ (Eq | Neq | Lt | Le | Gt | Ge), left, right) => {
            let opposite = match op {
                Eq => Neq,
                Neq => Eq,
                Lt => Ge,
                Le => Gt,
                Gt => Le,
                _ => Lt,
            };
            ExprKind::Binary(opposite, left.clone(), right.clone())
        }
        _ => ExprKind::Unary(UnaryOp::Not, Box::new(expr.clone())),
    };
    Expr { kind, span }
}
