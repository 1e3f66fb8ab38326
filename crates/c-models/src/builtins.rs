//! Calls that are bound to other functions than the model of their name: comparisons of floating-point numbers, which
//! have any type, and glibc's tables of characters.

use lariat_c_program::{Callee, CompareOp, Expr, ExprKind, FunctionId, PlaceKind, Type};

use crate::instantiate::{Binder, LibraryCall};

pub(crate) fn is_transformed(name: &str) -> bool {
    matches!(
        name,
        "isfinite" | "isinf_sign" | "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "isunordered"
    )
}

pub(crate) fn bind(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    match &*call.name {
        "isinf_sign" => classify(binder, call, "__isinf"),
        "isfinite" => classify(binder, call, "__finite"),
        "isgreater" => comparison(binder, call, CompareOp::Gt),
        "isgreaterequal" => comparison(binder, call, CompareOp::Ge),
        "isless" => comparison(binder, call, CompareOp::Lt),
        "islessequal" => comparison(binder, call, CompareOp::Le),
        "isunordered" => unordered(binder, call),
        _ => None,
    }
}

/// The variant of a function for the type of the argument.
fn classify(binder: &mut Binder<'_>, call: &mut LibraryCall, name: &str) -> Option<Expr> {
    let arg = call.args.first()?;
    let suffix = match binder.program.types.get(arg.ty) {
        Type::Float(lariat_c_program::FloatKind::Float) => "f",
        Type::Float(lariat_c_program::FloatKind::LongDouble) => "l",
        _ => "",
    };
    let name = format!("{name}{suffix}");
    binder.model(&name)?;
    let args = std::mem::take(&mut call.args);
    let made = binder.call_model(call, &name, args)?;
    Some(binder.result_as(call, made))
}

/// Comparisons that are quiet about what is not a number.
fn comparison(binder: &mut Binder<'_>, call: &mut LibraryCall, op: CompareOp) -> Option<Expr> {
    let [left, right] = &call.args[..] else {
        return None;
    };
    if left.ty != right.ty {
        return None;
    }
    let mut args = std::mem::take(&mut call.args).into_iter();
    let (left, right) = (args.next()?, args.next()?);
    Some(binder.build(call.function, call.span).compare(op, left, right))
}

/// `x != x || y != y`, each evaluated once.
fn unordered(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    if call.args.len() != 2 {
        return None;
    }
    let args = std::mem::take(&mut call.args);
    let mut build = binder.build(call.function, call.span);
    let mut stmts = Vec::new();
    let mut tests = Vec::new();
    for arg in args {
        let (local, declare) = build.declare(arg);
        stmts.push(declare);
        let (left, right) = (build.load_local(local), build.load_local(local));
        tests.push(build.compare(CompareOp::Ne, left, right));
    }
    let int = build.int_type();
    let (right, left) = (tests.pop()?, tests.pop()?);
    let value = build.expr(ExprKind::Or(Box::new(left), Box::new(right)), int);
    Some(build.statements(stmts, value))
}

/// `(*__ctype_b_loc())[c]`, which glibc's `isalpha(c)` and so on are, becomes a call of a model.
pub(crate) fn bind_character_table(binder: &mut Binder<'_>, function: FunctionId, expr: &mut Expr) {
    let ExprKind::Load(place) = &mut expr.kind else {
        return;
    };
    let PlaceKind::Deref(pointer) = &mut place.kind else {
        return;
    };
    let ExprKind::PointerAdd {
        pointer: table,
        index,
        subtract: false,
        ..
    } = &mut pointer.kind
    else {
        return;
    };
    let Some(model) = table_of(binder, table) else {
        return;
    };
    let (span, ty) = (expr.span, expr.ty);
    let call = LibraryCall {
        function,
        span,
        ty,
        name: model.into(),
        args: Vec::new(),
    };
    if binder.model(model).is_none() {
        return;
    }
    let mut build = binder.build(function, span);
    let nothing = build.int(0, ty);
    let index = std::mem::replace(&mut **index, nothing);
    if let Some(made) = binder.call_model(&call, model, vec![index]) {
        *expr = binder.result_as(&call, made);
    }
}

/// The model for a table, from the expression for its address.
fn table_of(binder: &Binder<'_>, table: &Expr) -> Option<&'static str> {
    let ExprKind::Load(place) = &table.kind else {
        return None;
    };
    let PlaceKind::Deref(location) = &place.kind else {
        return None;
    };
    let ExprKind::Call {
        callee: Callee::Function(callee),
        ..
    } = &location.kind
    else {
        return None;
    };
    match &*binder.program.functions[*callee].name {
        "__ctype_b_loc" => Some("__lariat_ctype_b"),
        "__ctype_tolower_loc" => Some("__lariat_ctype_tolower"),
        "__ctype_toupper_loc" => Some("__lariat_ctype_toupper"),
        _ => None,
    }
}
