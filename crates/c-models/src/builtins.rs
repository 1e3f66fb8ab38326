//! Calls that are bound to other functions than the model of their name: comparisons of floating-point numbers, which
//! have any type, and glibc's tables of characters.

use lariat_c_program::{BinaryOp, Callee, CompareOp, Expr, ExprKind, FunctionId, PlaceKind, Type};

use crate::build::constant;
use crate::instantiate::{Binder, LibraryCall};

pub(crate) fn is_transformed(name: &str) -> bool {
    matches!(
        name,
        "isfinite"
            | "isinf_sign"
            | "isgreater"
            | "isgreaterequal"
            | "isless"
            | "islessequal"
            | "isunordered"
            | "fpclassify"
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
        "fpclassify" => class(binder, call),
        _ => None,
    }
}

/// What the name of a function for numbers of this type ends with.
fn suffix_of(binder: &Binder<'_>, number: &Expr) -> &'static str {
    match binder.program.types.get(number.ty) {
        Type::Float(lariat_c_program::FloatKind::Float) => "f",
        Type::Float(lariat_c_program::FloatKind::LongDouble) => "l",
        _ => "",
    }
}

/// The variant of a function for the type of the argument.
fn classify(binder: &mut Binder<'_>, call: &mut LibraryCall, name: &str) -> Option<Expr> {
    let suffix = suffix_of(binder, call.args.first()?);
    let name = format!("{name}{suffix}");
    binder.model(&name)?;
    let args = std::mem::take(&mut call.args);
    let made = binder.call_model(call, &name, args)?;
    Some(binder.result_as(call, made))
}

/// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`.
fn class(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    let [.., number] = &call.args[..] else { return None };
    let suffix = suffix_of(binder, number);
    let name = format!("__fpclassify{suffix}");
    if call.args.len() != 6 || binder.model(&name).is_none() {
        return None;
    }
    let number = call.args.pop()?;
    let classes = std::mem::take(&mut call.args);
    let found = binder.call_model(call, &name, vec![number])?;
    let mut build = binder.build(call.function, call.span);
    let (local, declare) = build.declare(found);
    let int = build.int_type();
    // In the order of the arguments, the numbers that the model gives; what is left is zero.
    let mut classes: Vec<Expr> = classes;
    let mut value = classes.pop()?;
    for (class, number) in classes.into_iter().zip([0, 1, 4, 3]).rev() {
        let (left, right) = (build.load_local(local), build.int(number, int));
        let condition = build.compare(CompareOp::Eq, left, right);
        let choice = ExprKind::Conditional {
            condition: Box::new(condition),
            then: Some(Box::new(class)),
            otherwise: Box::new(value),
        };
        value = build.expr(choice, int);
    }
    Some(build.statements(vec![declare], value))
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
    let (locals, stmts) = binder.declare_arguments(call, args);
    let mut build = binder.build(call.function, call.span);
    let mut tests = Vec::new();
    for local in locals {
        let (left, right) = (build.load_local(local), build.load_local(local));
        tests.push(build.compare(CompareOp::Ne, left, right));
    }
    let int = build.int_type();
    let (right, left) = (tests.pop()?, tests.pop()?);
    let value = build.expr(ExprKind::Or(Box::new(left), Box::new(right)), int);
    Some(build.statements(stmts, value))
}

/// `(*__ctype_b_loc())[c] & mask`, which glibc's `isalpha(c)` and so on are, becomes `isalpha(c) ? mask : 0`.
pub(crate) fn bind_character_class(binder: &mut Binder<'_>, function: FunctionId, expr: &mut Expr) {
    let (span, ty) = (expr.span, expr.ty);
    let ExprKind::Binary {
        op: BinaryOp::BitAnd,
        left,
        right,
    } = &mut expr.kind
    else {
        return;
    };
    let Some(mask) = constant(right) else { return };
    let Some((_, class)) = CLASSES.iter().find(|(bit, _)| mask == (*bit).into()) else {
        return;
    };
    let mut table = &mut **left;
    while matches!(table.kind, ExprKind::Convert(_)) {
        let ExprKind::Convert(inner) = &mut table.kind else {
            return;
        };
        table = inner;
    }
    let Some(("__lariat_ctype_b", index)) = table_access(binder, table) else {
        return;
    };
    let call = LibraryCall {
        function,
        span,
        ty,
        name: (*class).into(),
        args: Vec::new(),
    };
    if ["__lariat_ctype_index", class]
        .iter()
        .any(|name| binder.model(name).is_none())
    {
        return;
    }
    let index = take(binder, &call, index);
    let Some(index) = binder.call_model(&call, "__lariat_ctype_index", vec![index]) else {
        return;
    };
    let Some(test) = binder.call_model(&call, class, vec![index]) else {
        return;
    };
    let mut build = binder.build(function, span);
    let then = build.int(mask, ty);
    let otherwise = build.int(0, ty);
    *expr = build.expr(
        ExprKind::Conditional {
            condition: Box::new(test),
            then: Some(Box::new(then)),
            otherwise: Box::new(otherwise),
        },
        ty,
    );
}

/// The bits of glibc's table, on a little-endian machine.
const CLASSES: &[(u32, &str)] = &[
    (1 << 8, "isupper"),
    (1 << 9, "islower"),
    (1 << 10, "isalpha"),
    (1 << 11, "isdigit"),
    (1 << 12, "isxdigit"),
    (1 << 13, "isspace"),
    (1 << 14, "isprint"),
    (1 << 15, "isgraph"),
    (1 << 0, "isblank"),
    (1 << 1, "iscntrl"),
    (1 << 2, "ispunct"),
    (1 << 3, "isalnum"),
];

/// `(*__ctype_tolower_loc())[c]` and the other tables become calls of models.
pub(crate) fn bind_character_table(binder: &mut Binder<'_>, function: FunctionId, expr: &mut Expr) {
    let (span, ty) = (expr.span, expr.ty);
    let Some((model, index)) = table_access(binder, expr) else {
        return;
    };
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
    let index = take(binder, &call, index);
    if let Some(made) = binder.call_model(&call, model, vec![index]) {
        *expr = binder.result_as(&call, made);
    }
}

/// An expression whose place is going to be thrown away.
fn take(binder: &mut Binder<'_>, call: &LibraryCall, expr: &mut Expr) -> Expr {
    let mut build = binder.build(call.function, call.span);
    let int = build.int_type();
    let nothing = build.int(0, int);
    std::mem::replace(expr, nothing)
}

/// The model and the index of a load from one of glibc's tables.
fn table_access<'e>(binder: &Binder<'_>, expr: &'e mut Expr) -> Option<(&'static str, &'e mut Expr)> {
    let ExprKind::Load(place) = &mut expr.kind else {
        return None;
    };
    let PlaceKind::Deref(pointer) = &mut place.kind else {
        return None;
    };
    let ExprKind::PointerAdd {
        pointer: table,
        index,
        subtract: false,
        ..
    } = &mut pointer.kind
    else {
        return None;
    };
    Some((table_of(binder, table)?, index))
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
