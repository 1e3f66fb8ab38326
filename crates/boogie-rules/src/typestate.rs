//! Rule files in Boogie programs: the same rules as in C, at calls of procedures.
//!
//! The monitor of a rule about objects is a map from pointers (values of the type of `NULL`, or `int`) to numbers of states, that
//! of any other rule a number. A dereference is what the program marks so: `assume {:nonnull} p != NULL`. Fresh memory is what a
//! procedure `{:allocator}` returns. Arguments have the values that they had before the call.

use lariat_base::{Diagnostic, Diagnostics, Span};
use lariat_boogie::ast::{
    BinaryOp, Body, Call, Decl, Else, Expr, ExprKind, Ident, LocalDecl, MapType, ProcedureDecl, Program,
    Quantifier, QuantifierKind, Signature, Stmt, StmtKind, Type, TypeKind, TypedIdent, VarDecl,
};
use lariat_boogie::printer::print_type;
use lariat_specs::rules::{Comparison, Condition, Effect, Event, Object, Rule, RuleKind, Trigger};

use crate::build::Build;
use crate::declared::{Declared, Formal, marks};

/// Adds the monitors of the rules. Returns their names.
pub fn apply(program: &mut Program, rules: &[Rule], diagnostics: &mut Diagnostics) -> Vec<String> {
    if rules.is_empty() {
        return Vec::new();
    }
    let declared = Declared::of(program);
    let Some(span) = program.decls.iter().find_map(place) else {
        return Vec::new();
    };
    let build = Build(span);
    let pointer = match &declared.null {
        Some((_, ty)) => ty.clone(),
        None => build_type(TypeKind::Int, span),
    };
    let monitors: Vec<Monitor<'_>> = rules
        .iter()
        .map(|rule| Monitor {
            rule,
            name: unused_name(&rule.name.replace('-', "_"), &declared),
        })
        .collect();
    for monitor in &monitors {
        if monitor.rule.events.iter().any(|event| event.keep_old.is_some()) {
            diagnostics.push(Diagnostic::warning(
                "rule-in-boogie",
                span,
                format!(
                    "`keep-old` of the rule {} is not obeyed: memory is a matter of the Boogie program",
                    monitor.rule.name
                ),
            ));
        }
    }
    let mut instrumenter = Instrumenter {
        monitors: &monitors,
        declared: &declared,
        pointer: &pointer,
        locals: Vec::new(),
        diagnostics,
    };
    for decl in &mut program.decls {
        match decl {
            Decl::Procedure(decl) => {
                if let Some(body) = &mut decl.body {
                    instrumenter.body(body);
                }
            }
            Decl::Implementation(decl) => instrumenter.body(&mut decl.body),
            _ => {}
        }
    }
    let mut names = Vec::new();
    for monitor in &monitors {
        names.push(monitor.name.clone());
        program.decls.push(monitor.declaration(build, &pointer));
        if monitor.has_object_exit() {
            let before = monitor.before();
            program
                .decls
                .push(variable(build, &before, monitor.sort(span, &pointer)));
            names.push(before);
        }
        if let Some(start) = monitor.start(build, &pointer) {
            program.decls.push(procedure(
                build,
                &format!("{}.start", monitor.name),
                "ProgramInitialization",
                (Vec::new(), start),
            ));
        }
        if let Some(end) = monitor.end(build, &pointer) {
            program.decls.push(procedure(
                build,
                &format!("{}.exit", monitor.name),
                "ProgramExit",
                end,
            ));
        }
    }
    names
}

fn place(decl: &Decl) -> Option<Span> {
    match decl {
        Decl::Procedure(decl) => Some(decl.span),
        Decl::Implementation(decl) => Some(decl.span),
        _ => None,
    }
}

fn build_type(kind: TypeKind, span: Span) -> Type {
    Type { kind, span }
}

fn unused_name(wanted: &str, declared: &Declared) -> String {
    let is_used = |name: &str| {
        declared.marks.contains_key(name)
            || declared.procedures.contains_key(name)
            || declared.functions.contains(name)
    };
    let mut name = wanted.to_owned();
    while is_used(&name) {
        name.push_str(".state");
    }
    name
}

fn variable(build: Build, name: &str, ty: Type) -> Decl {
    Decl::Var(VarDecl {
        attributes: Vec::new(),
        vars: vec![typed(build, name, ty)],
        span: build.0,
    })
}

fn typed(build: Build, name: &str, ty: Type) -> TypedIdent {
    TypedIdent {
        attributes: Vec::new(),
        name: build.ident(name),
        ty,
        where_clause: None,
    }
}

fn procedure(build: Build, name: &str, mark: &str, (locals, stmts): (Vec<LocalDecl>, Vec<Stmt>)) -> Decl {
    Decl::Procedure(ProcedureDecl {
        attributes: vec![build.attribute(mark, None)],
        pure: false,
        name: build.ident(name),
        signature: Signature {
            type_params: Vec::new(),
            ins: Vec::new(),
            outs: Vec::new(),
        },
        specs: Vec::new(),
        body: Some(Body {
            locals,
            stmts,
            span: build.0,
        }),
        span: build.0,
    })
}

/// The variable of a rule.
struct Monitor<'r> {
    rule: &'r Rule,
    name: String,
}

impl Monitor<'_> {
    fn sort(&self, span: Span, pointer: &Type) -> Type {
        let state = build_type(TypeKind::Int, span);
        match self.rule.kind {
            RuleKind::Global => state,
            RuleKind::Object => build_type(
                TypeKind::Map(Box::new(MapType {
                    type_params: Vec::new(),
                    indices: vec![pointer.clone()],
                    result: state,
                })),
                span,
            ),
        }
    }

    fn declaration(&self, build: Build, pointer: &Type) -> Decl {
        variable(build, &self.name, self.sort(build.0, pointer))
    }

    fn has_object_exit(&self) -> bool {
        let mut events = self.rule.events.iter();
        self.rule.kind == RuleKind::Object && events.any(|event| event.trigger == Trigger::Exit)
    }

    /// The states as they were when the entry started.
    fn before(&self) -> String {
        format!("{}.before", self.name)
    }

    fn state(&self, build: Build, object: Option<Expr>) -> Expr {
        match object {
            Some(object) => build.select(&self.name, object),
            None => build.var(&self.name),
        }
    }

    /// What is done before each entry.
    fn start(&self, build: Build, pointer: &Type) -> Option<Vec<Stmt>> {
        let mut stmts = Vec::new();
        match (self.rule.kind, self.rule.incoming) {
            (RuleKind::Object, Some(state)) => {
                let everywhere = build.expr(ExprKind::Quantifier(Box::new(Quantifier {
                    kind: QuantifierKind::Lambda,
                    type_params: Vec::new(),
                    bound: vec![typed(build, "object", pointer.clone())],
                    attributes: Vec::new(),
                    triggers: Vec::new(),
                    body: build.int(state),
                })));
                stmts.push(build.assign(&self.name, None, everywhere));
            }
            (RuleKind::Object, None) => {}
            (RuleKind::Global, Some(state)) => {
                stmts.push(build.assign(&self.name, None, build.int(state)));
            }
            (RuleKind::Global, None) => {
                stmts.extend(self.is_state(build, None).map(|is_state| build.assume(is_state)));
            }
        }
        if self.has_object_exit() {
            stmts.push(build.assign(&self.before(), None, build.var(&self.name)));
        }
        (!stmts.is_empty()).then_some(stmts)
    }

    /// What is checked after each entry. Of objects: whichever of them was left in another state than it had.
    fn end(&self, build: Build, pointer: &Type) -> Option<(Vec<LocalDecl>, Vec<Stmt>)> {
        let events = self.rule.events.iter();
        let exits: Vec<&Event> = events.filter(|event| event.trigger == Trigger::Exit).collect();
        if exits.is_empty() {
            return None;
        }
        let is_object = self.rule.kind == RuleKind::Object;
        let object = is_object.then(|| build.var("object"));
        let locals = is_object.then(|| LocalDecl {
            attributes: Vec::new(),
            vars: vec![typed(build, "object", pointer.clone())],
            span: build.0,
        });
        let stmts = exits.into_iter().map(|event| {
            let mut allowed = self.holds(build, event, object.clone());
            if let Some(object) = &object {
                let state = self.state(build, Some(object.clone()));
                let before = build.select(&self.before(), object.clone());
                let unchanged = build.binary(BinaryOp::Eq, state, before);
                allowed = build.binary(BinaryOp::Or, unchanged, allowed);
            }
            self.assert(build, event, allowed)
        });
        Some((locals.into_iter().collect(), stmts.collect()))
    }

    fn assert(&self, build: Build, event: &Event, condition: Expr) -> Stmt {
        let rule = build.attribute("typestaterule", Some(&self.rule.name));
        let message = build.attribute("msg", Some(&event.message));
        build.assert(vec![rule, message], condition)
    }

    /// One of the rule's states, unless it is a counter.
    fn is_state(&self, build: Build, object: Option<Expr>) -> Option<Expr> {
        let last = self.rule.states.len().checked_sub(1)? as i64;
        let state = || self.state(build, object.clone());
        let low = build.binary(BinaryOp::Le, build.int(0), state());
        let high = build.binary(BinaryOp::Le, state(), build.int(last));
        Some(build.binary(BinaryOp::And, low, high))
    }

    /// What the environment has left in the map is a state, and so is everything that the rule puts there.
    fn assume_state(&self, build: Build, object: &Expr) -> Option<Stmt> {
        let sets_states = |event: &Event| matches!(event.effect, Effect::Keep | Effect::Set(_));
        let is_closed = self.rule.incoming.is_none() && self.rule.events.iter().all(sets_states);
        let is_state = self.is_state(build, Some(object.clone()))?;
        is_closed.then(|| build.assume(is_state))
    }

    fn holds(&self, build: Build, event: &Event, object: Option<Expr>) -> Expr {
        let compared = |condition: &Condition| {
            let state = self.state(build, object.clone());
            compare(build, condition.comparison, state, condition.state)
        };
        let mut parts = Vec::new();
        if !event.require.is_empty() {
            let required = event.require.iter().map(&compared).collect();
            parts.push(build.all(BinaryOp::Or, required));
        }
        parts.extend(
            event
                .forbid
                .iter()
                .map(|condition| build.not(compared(condition))),
        );
        build.all(BinaryOp::And, parts)
    }
}

fn compare(build: Build, comparison: Comparison, left: Expr, number: i64) -> Expr {
    let op = match comparison {
        Comparison::Eq => BinaryOp::Eq,
        Comparison::Ne => BinaryOp::Neq,
        Comparison::Lt => BinaryOp::Lt,
        Comparison::Le => BinaryOp::Le,
        Comparison::Gt => BinaryOp::Gt,
        Comparison::Ge => BinaryOp::Ge,
    };
    build.binary(op, left, build.int(number))
}

struct Instrumenter<'a> {
    monitors: &'a [Monitor<'a>],
    declared: &'a Declared,
    pointer: &'a Type,
    /// New locals of the body.
    locals: Vec<LocalDecl>,
    diagnostics: &'a mut Diagnostics,
}

impl Instrumenter<'_> {
    fn body(&mut self, body: &mut Body) {
        let stmts = std::mem::take(&mut body.stmts);
        body.stmts = self.stmts(stmts);
        body.locals.append(&mut self.locals);
    }

    fn stmts(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        stmts.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, mut stmt: Stmt) -> Vec<Stmt> {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::Call(call) => {
                let (before, after) = self.call(call, span);
                return before.into_iter().chain([stmt]).chain(after).collect();
            }
            StmtKind::Assume { attributes, expr } | StmtKind::Assert { attributes, expr }
                if marks(&*attributes).contains_key("nonnull") =>
            {
                let checks = self.dereference(expr, span);
                return std::iter::once(stmt).chain(checks).collect();
            }
            StmtKind::If { .. } => self.branches(&mut stmt),
            StmtKind::While { body, .. } => *body = self.stmts(std::mem::take(body)),
            _ => {}
        }
        vec![stmt]
    }

    fn branches(&mut self, stmt: &mut Stmt) {
        let StmtKind::If {
            then_branch,
            else_branch,
            ..
        } = &mut stmt.kind
        else {
            return;
        };
        *then_branch = self.stmts(std::mem::take(then_branch));
        match else_branch {
            Some(Else::Block(stmts)) => *stmts = self.stmts(std::mem::take(stmts)),
            Some(Else::If(inner)) => self.branches(inner),
            None => {}
        }
    }

    /// `p != NULL`
    fn dereference(&self, condition: &Expr, span: Span) -> Vec<Stmt> {
        let Some((null, _)) = &self.declared.null else {
            return Vec::new();
        };
        let is_null = |expr: &Expr| matches!(&expr.kind, ExprKind::Var(name) if name.name == *null);
        let pointer = match &condition.kind {
            ExprKind::Binary(BinaryOp::Neq, left, right) if is_null(right) => left,
            ExprKind::Binary(BinaryOp::Neq, left, right) if is_null(left) => right,
            _ => return Vec::new(),
        };
        let build = Build(span);
        let mut checks = Vec::new();
        for monitor in self.monitors {
            for event in &monitor.rule.events {
                if event.trigger == Trigger::Dereference {
                    checks.extend(monitor.assume_state(build, pointer));
                    let holds = monitor.holds(build, event, Some((**pointer).clone()));
                    checks.push(monitor.assert(build, event, holds));
                }
            }
        }
        checks
    }

    /// What comes before and behind a call.
    fn call(&mut self, call: &mut Call, span: Span) -> (Vec<Stmt>, Vec<Stmt>) {
        let declared = self.declared;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let name = call.procedure.name.clone();
        let Some(callee) = declared.procedures.get(&name) else {
            return (before, after);
        };
        if callee.marks.contains_key("allocator") && !callee.has_body {
            self.allocation(&callee.outs, call, span, &mut after);
        }
        for monitor in self.monitors {
            for event in &monitor.rule.events {
                if event.is_call_of(&name) {
                    self.event(monitor, event, call, span, (&mut before, &mut after));
                }
            }
        }
        (before, after)
    }

    /// What the program allocates is in the state of fresh memory.
    fn allocation(&self, outs: &[Formal], call: &Call, span: Span, after: &mut Vec<Stmt>) {
        let build = Build(span);
        for monitor in self.monitors {
            if monitor.rule.kind == RuleKind::Global {
                continue;
            }
            for (formal, out) in outs.iter().zip(&call.outs) {
                if let Some(out) = out.as_ref().filter(|_| self.is_pointer(formal)) {
                    let fresh = build.int(monitor.rule.fresh);
                    after.push(build.assign(&monitor.name, Some(build.var(&out.name)), fresh));
                }
            }
        }
    }

    fn is_pointer(&self, formal: &Formal) -> bool {
        formal.type_text() == print_type(self.pointer)
    }

    fn event(
        &mut self,
        monitor: &Monitor<'_>,
        event: &Event,
        call: &mut Call,
        span: Span,
        (before, after): (&mut Vec<Stmt>, &mut Vec<Stmt>),
    ) {
        let build = Build(span);
        let object = match event.object {
            None => None,
            Some(object) => match self.object(object, call, span, before) {
                Some(object) => Some(object),
                None => return,
            },
        };
        let is_result = event.object == Some(Object::Result);
        let checks = if is_result { &mut *after } else { &mut *before };
        if let Some(object) = &object {
            checks.extend(monitor.assume_state(build, object));
        }
        if !event.require.is_empty() || !event.forbid.is_empty() {
            let mut holds = monitor.holds(build, event, object.clone());
            let null = self.declared.null.as_ref().filter(|_| monitor.rule.ignores_null);
            if let (Some(object), Some((null, _))) = (&object, null) {
                let is_null = build.binary(BinaryOp::Eq, object.clone(), build.var(null));
                holds = build.binary(BinaryOp::Or, is_null, holds);
            }
            checks.push(monitor.assert(build, event, holds));
        }
        let old = monitor.state(build, object.clone());
        let new = match event.effect {
            Effect::Keep => return,
            Effect::Set(state) => build.int(state),
            Effect::Add(by) => build.binary(BinaryOp::Add, old.clone(), build.int(by)),
            Effect::SetArgument(index) => match self.argument(index, call, span, before) {
                Some(value) => value,
                None => return,
            },
        };
        let new = match &event.when {
            None => new,
            Some(when) => {
                let Some(result) = self.result(call, span) else {
                    return;
                };
                let happens = compare(build, when.comparison, result, when.number);
                build.expr(ExprKind::IfThenElse(
                    Box::new(happens),
                    Box::new(new),
                    Box::new(old),
                ))
            }
        };
        after.push(build.assign(&monitor.name, object, new));
    }

    fn object(
        &mut self,
        object: Object,
        call: &mut Call,
        span: Span,
        before: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let callee = &self.declared.procedures[&call.procedure.name];
        let formal = match object {
            Object::Argument(index) => callee.ins.get(index)?,
            Object::Result => callee.outs.first()?,
        };
        if !self.is_pointer(formal) {
            let message = format!(
                "the rule takes `{}` of `{}` for an object, and it has the type {} instead of {}",
                formal.name,
                call.procedure.name,
                formal.type_text(),
                print_type(self.pointer),
            );
            let hint = "objects have the type of the constant `NULL`, or int";
            self.diagnostics
                .push(Diagnostic::error("rule-in-boogie", span, message).hint(hint));
            return None;
        }
        match object {
            Object::Argument(index) => self.argument(index, call, span, before),
            Object::Result => self.result(call, span),
        }
    }

    /// The value that an argument has before the call.
    fn argument(
        &mut self,
        index: usize,
        call: &mut Call,
        span: Span,
        before: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let formal = self.declared.procedures[&call.procedure.name]
            .ins
            .get(index)?
            .clone();
        let argument = call.args.get_mut(index)?;
        let build = Build(span);
        let stays = match argument.as_ref().map(|argument| &argument.kind) {
            Some(ExprKind::Int(_)) => true,
            // Only what this body alone can change, and the call does not.
            Some(ExprKind::Var(name)) => {
                let is_global = self.declared.marks.contains_key(&name.name);
                let is_out = |out: &Option<Ident>| out.as_ref().is_some_and(|out| out.name == name.name);
                !is_global && !call.outs.iter().any(is_out)
            }
            _ => false,
        };
        if stays {
            return argument.clone();
        }
        let held = self.new_local(&formal, span);
        if let Some(value) = argument.take() {
            before.push(build.assign(&held, None, value));
        }
        *argument = Some(build.var(&held));
        Some(build.var(&held))
    }

    /// The first result, which gets a name if the program throws it away.
    fn result(&mut self, call: &mut Call, span: Span) -> Option<Expr> {
        let formal = self.declared.procedures[&call.procedure.name]
            .outs
            .first()?
            .clone();
        let build = Build(span);
        let out = call.outs.first_mut()?;
        if out.is_none() {
            *out = Some(build.ident(&self.new_local(&formal, span)));
        }
        out.as_ref().map(|out| build.var(&out.name))
    }

    fn new_local(&mut self, formal: &Formal, span: Span) -> String {
        let build = Build(span);
        let name = format!("{}.{}", formal.name, self.locals.len());
        self.locals.push(LocalDecl {
            attributes: Vec::new(),
            vars: vec![typed(build, &name, formal.ty.clone())],
            span,
        });
        name
    }
}
