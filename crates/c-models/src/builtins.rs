//! Functions whose calls are expressions of C: the compiler's, `alloca`, and glibc's tables of characters.

use lariat_c_program::{
    BinaryOp, Callee, CompareOp, Expr, ExprKind, FunctionId, IntKind, PlaceKind, Type, TypeId,
};

use crate::build::constant;
use crate::instantiate::{Binder, LibraryCall};

/// Names without `__builtin_`; see [`crate::names`].
const TRANSFORMED: &[&str] = &[
    "__lariat_builtin_expect",
    "__lariat_builtin_expect_with_probability",
    "__lariat_builtin_assume_aligned",
    "__lariat_builtin_constant_p",
    "__lariat_builtin_object_size",
    "__lariat_builtin_dynamic_object_size",
    "__lariat_builtin_alloca_with_align",
    "__lariat_builtin_inf",
    "__lariat_builtin_inff",
    "__lariat_builtin_infl",
    "__lariat_builtin_huge_val",
    "__lariat_builtin_huge_valf",
    "__lariat_builtin_huge_vall",
    "__lariat_builtin_nan",
    "__lariat_builtin_nanf",
    "__lariat_builtin_nanl",
    "__lariat_builtin_isnan",
    "__lariat_builtin_isinf",
    "__lariat_builtin_isinf_sign",
    "__lariat_builtin_isfinite",
    "__lariat_builtin_signbit",
    "__lariat_builtin_isgreater",
    "__lariat_builtin_isgreaterequal",
    "__lariat_builtin_isless",
    "__lariat_builtin_islessequal",
    "__lariat_builtin_isunordered",
    "alloca",
];

pub(crate) fn is_transformed(name: &str) -> bool {
    TRANSFORMED.contains(&name) || overflow_operation(name).is_some()
}

pub(crate) fn bind(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    let name = call.name.clone();
    if let Some(op) = overflow_operation(&name) {
        return bind_overflow(binder, call, op);
    }
    if name == "alloca" {
        return bind_alloca(binder, call);
    }
    match name.strip_prefix("__lariat_builtin_")? {
        // The others only say what is likely.
        "expect" | "expect_with_probability" | "assume_aligned" if !call.args.is_empty() => {
            let value = std::mem::take(&mut call.args).swap_remove(0);
            Some(binder.result_as(call, value))
        }
        "constant_p" => {
            let is_constant = call.args.first().is_some_and(|arg| constant(arg).is_some());
            Some(integer(binder, call, i64::from(is_constant)))
        }
        "object_size" | "dynamic_object_size" => {
            let kind = call.args.get(1).and_then(constant);
            let is_maximum = kind.is_none_or(|kind| kind < 2.into());
            Some(integer(binder, call, if is_maximum { -1 } else { 0 }))
        }
        "alloca_with_align" => {
            call.args.truncate(1);
            bind_alloca(binder, call)
        }
        "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" => {
            let ty = call.ty;
            Some(
                binder
                    .build(call.function, call.span)
                    .expr(ExprKind::Float(f64::INFINITY), ty),
            )
        }
        "nan" | "nanf" | "nanl" => {
            let ty = call.ty;
            Some(
                binder
                    .build(call.function, call.span)
                    .expr(ExprKind::Float(f64::NAN), ty),
            )
        }
        "isnan" => classify(binder, call, "__isnan"),
        "isinf" | "isinf_sign" => classify(binder, call, "__isinf"),
        "isfinite" => classify(binder, call, "__finite"),
        "signbit" => classify(binder, call, "__signbit"),
        "isgreater" => comparison(binder, call, CompareOp::Gt),
        "isgreaterequal" => comparison(binder, call, CompareOp::Ge),
        "isless" => comparison(binder, call, CompareOp::Lt),
        "islessequal" => comparison(binder, call, CompareOp::Le),
        "isunordered" => unordered(binder, call),
        _ => None,
    }
}

/// A constant of the call's type; -1 is the largest number.
fn integer(binder: &mut Binder<'_>, call: &LibraryCall, value: i64) -> Expr {
    let mut build = binder.build(call.function, call.span);
    let bits = match build.program.types.scalar(call.ty) {
        Some(lariat_c_program::Scalar::Int { bits, signed: false }) if value < 0 => bits,
        _ => 0,
    };
    let offset = if bits > 0 {
        num_bigint::BigInt::from(1) << bits
    } else {
        0.into()
    };
    build.int(offset + value, call.ty)
}

/// The object lives as long as the function that calls `alloca`, so the intrinsic is called there.
fn bind_alloca(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    if call.args.len() != 1 {
        return None;
    }
    let bytes = std::mem::take(&mut call.args).swap_remove(0);
    let mut build = binder.build(call.function, call.span);
    let (size, int) = (build.size_type(), build.int_type());
    let void = build.program.types.void();
    let pointer = build.program.types.pointer_to(void);
    let bytes = build.convert(bytes, size);
    let kind = build.int(1, int);
    let allocate = binder.intrinsic("__lariat_allocate", pointer, vec![size, int], call.span);
    let mut build = binder.build(call.function, call.span);
    let made = build.call(allocate, vec![bytes, kind], pointer);
    Some(binder.result_as(call, made))
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

/// `__builtin_add_overflow` and the like.
fn overflow_operation(name: &str) -> Option<BinaryOp> {
    let rest = name
        .strip_prefix("__lariat_builtin_")?
        .strip_suffix("_overflow")?;
    let rest = rest
        .strip_prefix(['s', 'u'])
        .and_then(|rest| rest.strip_suffix("ll").or(rest.strip_suffix('l')).or(Some(rest)))
        .filter(|rest| ["add", "sub", "mul"].contains(rest))
        .unwrap_or(rest);
    match rest {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Sub),
        "mul" => Some(BinaryOp::Mul),
        _ => None,
    }
}

/// `({ wide = (wide)a op (wide)b; *result = wide; *result != wide; })` with 128 bits, in which nothing is lost: the
/// operands have at most 64. (A negative result comes back as a number that no product of such operands is.)
fn bind_overflow(binder: &mut Binder<'_>, call: &mut LibraryCall, op: BinaryOp) -> Option<Expr> {
    let [left, right, result] = &call.args[..] else {
        return None;
    };
    let types = &binder.program.types;
    let target = types.pointee(result.ty)?;
    let bits = |ty: TypeId| match types.scalar(ty)? {
        lariat_c_program::Scalar::Int { bits, signed } => Some((bits, signed)),
        lariat_c_program::Scalar::Bool => Some((1, false)),
        _ => None,
    };
    let (left_bits, right_bits, _) = (bits(left.ty)?, bits(right.ty)?, bits(target)?);
    if left_bits.0 > 64 || right_bits.0 > 64 {
        return None;
    }
    // The product of two unsigned numbers of 64 bits needs all 128.
    let is_unsigned = op == BinaryOp::Mul && left_bits == (64, false) && right_bits == (64, false);
    let kind = if is_unsigned {
        IntKind::UInt128
    } else {
        IntKind::Int128
    };
    let mut args = std::mem::take(&mut call.args).into_iter();
    let (left, right, result) = (args.next()?, args.next()?, args.next()?);
    let mut build = binder.build(call.function, call.span);
    let wide = build.program.types.int(kind);
    let left = build.convert(left, wide);
    let right = build.convert(right, wide);
    let exact = build.expr(
        ExprKind::Binary {
            op,
            left: Box::new(left),
            right: Box::new(right),
        },
        wide,
    );
    let mut stmts = Vec::new();
    let (exact, declare) = build.declare(exact);
    stmts.push(declare);
    let value = build.load_local(exact);
    let narrow = build.convert(value, target);
    let (narrow, declare) = build.declare(narrow);
    stmts.push(declare);
    let place = build.place(PlaceKind::Deref(Box::new(result)), target);
    let value = build.load_local(narrow);
    stmts.push(build.assign(place, value));
    let value = build.load_local(narrow);
    let back = build.convert(value, wide);
    let value = build.load_local(exact);
    let overflows = build.compare(CompareOp::Ne, back, value);
    let made = build.statements(stmts, overflows);
    Some(binder.result_as(call, made))
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
