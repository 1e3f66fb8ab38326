//! What is around `main`: its arguments, and the handlers of `atexit`.

use lariat_c_program::{
    Callee, CompareOp, Edited, Expr, ExprKind, FunctionId, IntKind, LocalId, Node, PlaceKind, Purpose, Stmt,
    StmtKind, Type, edit_stmt, visit_stmt,
};

use crate::instantiate::{Binder, LibraryCall};

/// The user's `main`.
fn entry(binder: &Binder<'_>) -> Option<FunctionId> {
    let mut functions = binder.program.functions.iter();
    let (main, _) = functions.find(|(_, function)| {
        &*function.name == "main" && function.purpose == Purpose::User && function.body.is_some()
    })?;
    Some(main)
}

/// Lets the parameters of `main` be what a hosted program gets: `argc >= 0`, `argv[0..argc)` are strings, `argv[argc]` is null;
/// the environment is such an array too.
pub(crate) fn give_arguments(binder: &mut Binder<'_>) {
    let Some(main) = entry(binder).filter(|&main| !is_called(binder, main)) else {
        return;
    };
    if binder.model("__lariat_arguments").is_none() {
        return;
    }
    let function = &binder.program.functions[main];
    let (params, span) = (function.params.clone(), function.span);
    let Some(&count) = params.first() else { return };
    let types = &mut binder.program.types;
    let (void, int) = (types.void(), types.int(IntKind::Int));
    if function_types_differ(binder, main, &params) {
        return;
    }
    let assume = binder.intrinsic("__lariat_assume", void, vec![int], span);
    let mut build = binder.build(main, span);
    let (value, zero) = (build.load_local(count), build.int(0, int));
    let is_count = build.compare(CompareOp::Ge, value, zero);
    let assumed = build.call(assume, vec![is_count], void);
    let mut stmts = vec![build.stmt(StmtKind::Expr(assumed))];
    for (index, &param) in params.iter().enumerate().skip(1) {
        if !is_used(binder, main, param) {
            continue;
        }
        let call = LibraryCall {
            function: main,
            span,
            ty: int,
            name: "__lariat_arguments".to_owned(),
            args: Vec::new(),
        };
        let length = match index {
            1 => binder.build(main, span).load_local(count),
            _ => {
                let small = binder.program.types.int(IntKind::UShort);
                let any = binder.intrinsic("__VERIFIER_nondet_ushort", small, Vec::new(), span);
                let mut build = binder.build(main, span);
                let any = build.call(any, Vec::new(), small);
                build.convert(any, int)
            }
        };
        let Some(array) = binder.call_model(&call, "__lariat_arguments", vec![length]) else {
            continue;
        };
        let mut build = binder.build(main, span);
        let place = build.local_place(param);
        let array = build.convert(array, place.ty);
        stmts.push(build.assign(place, array));
    }
    if let Some(body) = binder.program.functions[main].body.take() {
        stmts.push(body);
        binder.program.functions[main].body = Some(Stmt {
            kind: StmtKind::Block(stmts),
            span,
        });
    }
}

/// Whether `main` has other parameters than `int` and pointers to pointers.
fn function_types_differ(binder: &Binder<'_>, main: FunctionId, params: &[LocalId]) -> bool {
    let types = &binder.program.types;
    let locals = &binder.program.functions[main].locals;
    let is_int = |ty| matches!(types.get(ty), Type::Int(IntKind::Int));
    let is_array = |ty| types.pointee(ty).is_some_and(|ty| types.pointee(ty).is_some());
    params.iter().enumerate().any(|(index, &param)| match index {
        0 => !is_int(locals[param].ty),
        _ => !is_array(locals[param].ty),
    })
}

fn is_used(binder: &Binder<'_>, main: FunctionId, param: LocalId) -> bool {
    let mut found = false;
    if let Some(body) = &binder.program.functions[main].body {
        visit_stmt(body, &mut |node| {
            if let Node::Place(place) = node {
                found |= matches!(place.kind, PlaceKind::Local(local) if local == param);
            }
        });
    }
    found
}

/// Lets `main` of a program with exit handlers run them when it returns.
pub(crate) fn run_handlers(binder: &mut Binder<'_>) {
    if binder.model("__lariat_run_exit_handlers").is_none() {
        return;
    }
    let Some(main) = entry(binder) else { return };
    let is_called = is_called(binder, main);
    let Some(mut body) = binder.program.functions[main].body.take() else {
        return;
    };
    edit_stmt(&mut body, &mut |node| {
        if let Edited::Stmt(stmt) = node
            && let StmtKind::Return(value) = &mut stmt.kind
        {
            let value = value.take();
            stmt.kind = StmtKind::Block(end(binder, main, value, is_called));
        }
    });
    let last = end(binder, main, None, is_called);
    let span = body.span;
    let stmts = [body].into_iter().chain(last.into_iter().take(1)).collect();
    binder.program.functions[main].body = Some(Stmt {
        kind: StmtKind::Block(stmts),
        span,
    });
}

/// `T result = value; run(result); return result;`
fn end(binder: &mut Binder<'_>, main: FunctionId, value: Option<Expr>, is_called: bool) -> Vec<Stmt> {
    let span = value
        .as_ref()
        .map_or(binder.program.functions[main].span, |value| value.span);
    let mut build = binder.build(main, span);
    if is_called {
        let reason = "exit handlers of a program that calls `main`";
        return vec![build.stmt(StmtKind::Unsupported(reason.into()))];
    }
    let int = build.int_type();
    let mut stmts = Vec::new();
    let mut result = None;
    let status = match value {
        Some(value) => {
            let (local, declare) = build.declare(value);
            stmts.push(declare);
            result = Some(build.load_local(local));
            let status = build.load_local(local);
            build.convert(status, int)
        }
        None => build.int(0, int),
    };
    let call = LibraryCall {
        function: main,
        span,
        ty: int,
        name: "__lariat_run_exit_handlers".to_owned(),
        args: Vec::new(),
    };
    let run = binder.call_model(&call, "__lariat_run_exit_handlers", vec![status]);
    let build = binder.build(main, span);
    stmts.extend(run.map(|run| build.stmt(StmtKind::Expr(run))));
    stmts.push(build.stmt(StmtKind::Return(result)));
    stmts
}

fn is_called(binder: &Binder<'_>, main: FunctionId) -> bool {
    let mut found = false;
    for function in binder.program.functions.values() {
        let Some(body) = &function.body else { continue };
        visit_stmt(body, &mut |node| {
            if let Node::Expr(expr) = node {
                found |= match &expr.kind {
                    ExprKind::FunctionAddress(id) => *id == main,
                    ExprKind::Call {
                        callee: Callee::Function(id),
                        ..
                    } => *id == main,
                    _ => false,
                };
            }
        });
    }
    found
}
