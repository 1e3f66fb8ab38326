//! Statements.

use lariat_base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::declare::Callable;
use super::labels::BodyKind;
use super::maps::{MapAccess, select_expr, store_expr};
use super::{Candidates, Checker, types};
use crate::ast;
use crate::typed::{
    Attributes, BinaryOp, ConstructorRef, Expr, ExprKind, FunctionId, Invariant, Measure, Name, Stmt,
    StmtKind, Type, VarId, VarKind, Visibility,
};

/// `x[i1][i2]…[in] := e` becomes a term with as many copies of `x` as there are indices, and each
/// copy has all indices up to its own: beyond this length that would not fit into memory.
const MAX_ASSIGNED_PATH: usize = 200;

impl Checker<'_> {
    pub(super) fn statements(&mut self, stmts: &[ast::Stmt]) -> Vec<Stmt> {
        let mut checked = Vec::with_capacity(stmts.len());
        let mut label: Option<&Name> = None;
        for stmt in stmts {
            let kind = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.statement(stmt, label));
            checked.extend(kind.map(|kind| Stmt {
                kind,
                span: stmt.span,
            }));
            label = match &stmt.kind {
                ast::StmtKind::Label(label) => Some(&label.name),
                _ => None,
            };
        }
        checked
    }

    /// The statement, or `None` if it has an error or no effect. The label is the one directly before it.
    fn statement(&mut self, stmt: &ast::Stmt, label: Option<&Name>) -> Option<StmtKind> {
        self.attributes(&stmt.attributes);
        Some(match &stmt.kind {
            ast::StmtKind::Label(label) => StmtKind::Label(label.name.clone()),
            ast::StmtKind::Assert { attributes, expr } => {
                let (expr, attributes) = self.predicate(attributes, expr, "an assertion");
                StmtKind::Assert { expr, attributes }
            }
            ast::StmtKind::Assume { attributes, expr } => {
                let (expr, attributes) = self.predicate(attributes, expr, "an assumption");
                StmtKind::Assume { expr, attributes }
            }
            ast::StmtKind::Havoc(names) => {
                StmtKind::Havoc(names.iter().filter_map(|name| self.assigned_var(name)).collect())
            }
            ast::StmtKind::Assign {
                attributes,
                targets,
                values,
            } => {
                self.attributes(attributes);
                return self.assignment(targets, values, stmt.span);
            }
            ast::StmtKind::Unpack {
                constructor,
                vars,
                value,
                assign,
            } => {
                return self.unpacking(constructor, vars, value, *assign, stmt.span);
            }
            ast::StmtKind::Call(call) => return self.call(call, stmt.span),
            ast::StmtKind::CallForall {
                attributes,
                procedure,
                args,
            } => {
                return self.call_forall(attributes, procedure, args, stmt.span);
            }
            ast::StmtKind::If { .. } => {
                self.enter_enclosing(label, false);
                let kind = self.if_statement(&stmt.kind);
                self.leave_enclosing();
                return kind;
            }
            ast::StmtKind::While {
                guard,
                invariants,
                body,
                attributes,
            } => {
                self.attributes(attributes);
                let guard = self.guard(guard, "the condition of a loop");
                let mut measure = None;
                let mut checked = Vec::new();
                for invariant in invariants {
                    checked.extend(self.invariant(invariant, &mut measure));
                }
                self.enter_enclosing(label, true);
                let body = self.statements(body);
                self.leave_enclosing();
                StmtKind::While {
                    guard,
                    invariants: checked,
                    measure,
                    body,
                }
            }
            ast::StmtKind::Break(label) => {
                self.check_break(label.as_ref(), stmt.span);
                StmtKind::Break(label.as_ref().map(|label| label.name.clone()))
            }
            ast::StmtKind::Goto(targets) => {
                self.check_goto(targets);
                StmtKind::Goto(targets.iter().map(|target| target.name.clone()).collect())
            }
            ast::StmtKind::Yield => StmtKind::Yield,
            ast::StmtKind::Return => {
                if self.body.kind == BodyKind::Code {
                    self.report(
                        Diagnostic::error(
                            "misplaced-return",
                            stmt.span,
                            "a code expression must return a value",
                        )
                        .hint("write `return e;` with a Boolean expression"),
                    );
                }
                StmtKind::Return
            }
            ast::StmtKind::ReturnExpr(expr) => {
                if self.body.kind != BodyKind::Code {
                    self.report(
                        Diagnostic::error(
                            "misplaced-return",
                            stmt.span,
                            "a procedure does not return a value",
                        )
                        .hint("assign the out parameters, then `return;`"),
                    );
                }
                StmtKind::ReturnExpr(self.condition(expr, "the value of a code expression"))
            }
            ast::StmtKind::HideReveal { hide, name } => {
                let function = match name {
                    None => None,
                    Some(name) => Some(self.function_to_hide(name)?),
                };
                self.ignored_visibility(if *hide { "hide" } else { "reveal" }, stmt.span);
                StmtKind::Visibility(match hide {
                    true => Visibility::Hide(function),
                    false => Visibility::Reveal(function),
                })
            }
            ast::StmtKind::Push => {
                self.ignored_visibility("push", stmt.span);
                StmtKind::Visibility(Visibility::Push)
            }
            ast::StmtKind::Pop => {
                self.ignored_visibility("pop", stmt.span);
                StmtKind::Visibility(Visibility::Pop)
            }
        })
    }

    fn ignored_visibility(&mut self, what: &'static str, span: Span) {
        self.program.ignored.push((what, span));
    }

    fn function_to_hide(&mut self, name: &ast::Ident) -> Option<FunctionId> {
        match self.functions.get(&name.name) {
            Some(Callable::Function(function)) => Some(*function),
            Some(_) => None,
            None => {
                self.undeclared("undeclared-function", "function", name, Candidates::Functions);
                None
            }
        }
    }

    fn predicate(
        &mut self,
        attributes: &[ast::Attribute],
        expr: &ast::Expr,
        what: &str,
    ) -> (Expr, Attributes) {
        let attributes = self.attributes(attributes);
        self.register_statement_id(&attributes);
        (self.condition(expr, what), attributes)
    }

    fn guard(&mut self, guard: &ast::Guard, what: &str) -> Option<Expr> {
        match guard {
            ast::Guard::Any => None,
            ast::Guard::Expr(expr) => Some(self.condition(expr, what)),
        }
    }

    /// An `if` inside the enclosing statement that it makes; so are the `else if`s after it.
    fn if_statement(&mut self, kind: &ast::StmtKind) -> Option<StmtKind> {
        let ast::StmtKind::If {
            guard,
            then_branch,
            else_branch,
            then_end,
            else_end,
            attributes,
        } = kind
        else {
            return None;
        };
        self.attributes(attributes);
        let guard = self.guard(guard, "the condition of `if`");
        let then_branch = self.statements(then_branch);
        let else_branch = match else_branch {
            None => Vec::new(),
            Some(ast::Else::Block(stmts)) => self.statements(stmts),
            Some(ast::Else::If(stmt)) => {
                let kind = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.if_statement(&stmt.kind));
                kind.map(|kind| Stmt {
                    kind,
                    span: stmt.span,
                })
                .into_iter()
                .collect()
            }
        };
        Some(StmtKind::If {
            guard,
            then_branch,
            else_branch,
            then_end: *then_end,
            else_end: *else_end,
        })
    }

    /// An invariant, or the measure of the loop.
    fn invariant(&mut self, invariant: &ast::Invariant, measure: &mut Option<Measure>) -> Option<Invariant> {
        match &invariant.kind {
            ast::InvariantKind::Invariant { free, expr } => {
                let (expr, attributes) = self.predicate(&invariant.attributes, expr, "a loop invariant");
                Some(Invariant {
                    free: *free,
                    expr,
                    attributes,
                    span: invariant.span,
                })
            }
            ast::InvariantKind::Measure(exprs) => {
                let found = self.measure(exprs, &invariant.attributes, invariant.span);
                if measure.is_some() {
                    self.error("second-measure", invariant.span, "a loop has one measure at most");
                }
                *measure = Some(found);
                None
            }
        }
    }

    /// A variable that is about to be assigned: it must be mutable and, if global, in the `modifies` clause.
    pub(super) fn assigned_var(&mut self, name: &ast::Ident) -> Option<VarId> {
        let Some(id) = self.scope.get(&name.name) else {
            self.undeclared("undeclared-variable", "variable", name, Candidates::Variables);
            return None;
        };
        let var = &self.program.vars[id];
        let what = match var.kind {
            VarKind::Out | VarKind::Local => return Some(id),
            VarKind::Global => {
                self.check_frame(id, name.span);
                return Some(id);
            }
            VarKind::Const { .. } => "constant",
            VarKind::In => "in parameter",
            VarKind::Bound => "bound variable",
        };
        let declared = var.span;
        self.report(
            Diagnostic::error(
                "immutable",
                name.span,
                format!("the {what} `{}` cannot be assigned", name.name),
            )
            .related(declared, "declared here"),
        );
        None
    }

    fn assignment(
        &mut self,
        targets: &[ast::AssignTarget],
        values: &[ast::Expr],
        span: Span,
    ) -> Option<StmtKind> {
        let mut checked_targets = Vec::with_capacity(targets.len());
        let mut first_use: FxHashMap<VarId, Span> = FxHashMap::default();
        for target in targets {
            let checked = self.assignment_target(target);
            if let Some(Target { var, .. }) = &checked
                && targets.len() > 1
                && let Some(first) = first_use.insert(*var, target.span)
            {
                let name = self.program.vars[*var].name.clone();
                self.report(
                    Diagnostic::error(
                        "assigned-twice",
                        target.span,
                        format!("the variable `{name}` is assigned more than once in a parallel assignment"),
                    )
                    .related(first, "first here"),
                );
            }
            checked_targets.push(checked);
        }
        let mut assignments = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let value = self.expr(value);
            let Some(Some(target)) = checked_targets.get_mut(index).map(Option::take) else {
                continue;
            };
            assignments.push(self.assign(target, value, span));
        }
        if targets.len() != values.len() {
            self.error(
                "assignment-count",
                span,
                format!("{} variables are assigned {} values", targets.len(), values.len()),
            );
        }
        if self.settle() {
            for (_, value) in &mut assignments {
                self.replace_in_expr(value);
            }
            self.infer.clear();
        }
        Some(StmtKind::Assign(assignments))
    }

    /// `x->f[i] := value` as an assignment to `x`.
    fn assign(&mut self, target: Target, value: Expr, span: Span) -> (VarId, Expr) {
        let Target { var, root, path, ty } = target;
        self.check_assumption_assignment(var, path.is_empty(), &value, span);
        if !self.infer.unify(&ty, &value.ty) {
            let (expected, found) = (self.show(&ty), self.show(&value.ty));
            self.report(
                Diagnostic::error(
                    "type-mismatch",
                    value.span,
                    format!("a value of type `{found}` cannot be assigned to a target of type `{expected}`"),
                )
                .label(format!("expected `{expected}`, found `{found}`"))
                .related(root.span, "the target"),
            );
            return (var, value);
        }
        if path.is_empty() {
            return (var, value);
        }
        // From the innermost access outwards; `bases` are `x`, `x->f`, `x->f[i]`, …
        let mut bases = vec![root];
        for step in &path[..path.len() - 1] {
            let base = bases.last().expect("there is the root").clone();
            bases.push(match step {
                Step::Index {
                    indices,
                    result,
                    type_args,
                    span,
                } => {
                    let access = MapAccess {
                        result: result.clone(),
                        type_args: type_args.clone(),
                    };
                    select_expr(base, indices.clone(), access, *span)
                }
                Step::Field(field) => self.field(base, field, field.span),
            });
        }
        let value = path
            .into_iter()
            .zip(bases)
            .rev()
            .fold(value, |value, (step, base)| match step {
                Step::Index {
                    indices,
                    type_args,
                    span,
                    ..
                } => store_expr(base, indices, value, type_args, span),
                Step::Field(field) => self.field_update(base, &field, value, field.span),
            });
        (var, value)
    }

    fn assignment_target(&mut self, target: &ast::AssignTarget) -> Option<Target> {
        let var = self.assigned_var(&target.name)?;
        if target.accesses.len() > MAX_ASSIGNED_PATH {
            self.error(
                "nesting-too-deep",
                target.span,
                format!("the target has more than {MAX_ASSIGNED_PATH} indices and fields"),
            );
            return None;
        }
        let root = Expr {
            kind: ExprKind::Var(var),
            ty: self.program.vars[var].ty.clone(),
            span: target.name.span,
        };
        let mut path = Vec::with_capacity(target.accesses.len());
        // Only the type of the value that was reached matters for the next step.
        let mut reached = root.clone();
        for access in &target.accesses {
            let (step, ty) = match access {
                ast::Access::Index(indices) => {
                    let indices = self.exprs(indices);
                    let MapAccess { result, type_args } = self.map_access(&reached, &indices, target.span)?;
                    let step = Step::Index {
                        indices,
                        result: result.clone(),
                        type_args,
                        span: target.span,
                    };
                    (step, result)
                }
                ast::Access::Field(field) => {
                    let ty = self.field(reached.clone(), field, field.span).ty;
                    if types::is_error(&ty) {
                        return None;
                    }
                    (Step::Field(field.clone()), ty)
                }
            };
            reached.ty = ty;
            path.push(step);
        }
        Some(Target {
            var,
            root,
            path,
            ty: reached.ty,
        })
    }

    /// An assumption variable is only ever strengthened, and only once.
    fn check_assumption_assignment(&mut self, var: VarId, is_whole: bool, value: &Expr, span: Span) {
        if !is_whole || !self.program.vars[var].attributes.is_set("assumption") {
            return;
        }
        let strengthens = matches!(&value.kind, ExprKind::Binary(BinaryOp::And, left, _)
            if matches!(left.kind, ExprKind::Var(left) if left == var));
        let name = self.program.vars[var].name.clone();
        if !strengthens {
            self.error(
                "assumption-variable",
                span,
                format!("the assumption variable `{name}` may only be assigned `{name} && e`"),
            );
        } else if !self.assigned_assumptions.insert(var) {
            self.error(
                "assumption-variable",
                span,
                format!("the assumption variable `{name}` may not be assigned more than once"),
            );
        }
    }

    /// `C(x, y) := e;`
    fn unpacking(
        &mut self,
        constructor: &ast::Ident,
        vars: &[ast::Ident],
        value: &ast::Expr,
        assign: Span,
        span: Span,
    ) -> Option<StmtKind> {
        let value = self.expr(value);
        let assigned: Vec<Option<VarId>> = vars.iter().map(|name| self.assigned_var(name)).collect();
        self.check_distinct("assigned variable", vars);
        let constructor_ref = match self.functions.get(&constructor.name).copied() {
            Some(Callable::Constructor(constructor)) => constructor,
            Some(Callable::Function(_)) => {
                self.error(
                    "undeclared-constructor",
                    constructor.span,
                    format!(
                        "`{}` is a function, not a constructor of a datatype",
                        constructor.name
                    ),
                );
                return self.abandon();
            }
            None => {
                self.undeclared(
                    "undeclared-constructor",
                    "constructor",
                    constructor,
                    Candidates::Functions,
                );
                return self.abandon();
            }
        };
        let stmt = self.unpack_constructor(constructor_ref, constructor, &assigned, value, span);
        if stmt.is_none() {
            return self.abandon();
        }
        let (mut type_args, vars, mut value) = stmt?;
        if self.settle() {
            self.replace_in_types(&mut type_args);
            self.replace_in_expr(&mut value);
            self.infer.clear();
        }
        Some(StmtKind::Unpack {
            constructor: constructor_ref,
            type_args,
            vars,
            value,
            assign,
        })
    }

    fn unpack_constructor(
        &mut self,
        constructor: ConstructorRef,
        name: &ast::Ident,
        assigned: &[Option<VarId>],
        value: Expr,
        span: Span,
    ) -> Option<(std::sync::Arc<[Type]>, Vec<VarId>, Expr)> {
        let datatype = &self.program.datatypes[constructor.datatype];
        let (params, declared) = (datatype.params.clone(), datatype.span);
        let arity = datatype.constructors[constructor.constructor as usize]
            .fields
            .len();
        if assigned.len() != arity {
            self.wrong_arity(name, "constructor", arity, assigned.len(), declared);
            return None;
        }
        let substitution = self.fresh_type_args(&params, &name.name, span);
        let mut vars = Vec::with_capacity(arity);
        for (index, var) in assigned.iter().enumerate() {
            let var = (*var)?;
            let field = self.field_type(constructor, index, &substitution);
            let place = &self.program.vars[var];
            let place = Expr {
                kind: ExprKind::Var(var),
                ty: place.ty.clone(),
                span: name.span,
            };
            self.expect_type(&place, &field, "type-mismatch", "the variable for the field");
            vars.push(var);
        }
        let type_args = self.type_args(substitution);
        let ty = Type::Datatype(constructor.datatype, type_args.clone());
        self.expect_type(&value, &ty, "type-mismatch", "the value that is taken apart");
        Some((type_args, vars, value))
    }

    /// Gives up a statement with errors.
    pub(super) fn abandon<T>(&mut self) -> Option<T> {
        if self.code_depth == 0 {
            self.infer.clear();
        }
        None
    }
}

/// What an assignment changes: a part of a variable, reached by a path.
struct Target {
    var: VarId,
    root: Expr,
    path: Vec<Step>,
    /// The type of the part.
    ty: Type,
}

enum Step {
    Index {
        indices: Vec<Expr>,
        result: Type,
        type_args: std::sync::Arc<[Type]>,
        span: Span,
    },
    Field(ast::Ident),
}
