//! Calls of scanf functions whose format is a constant.

use lariat_c_program::{CompareOp, Expr, FloatKind, IntKind, PlaceKind, Stmt, StmtKind, Type, TypeId};
use rustc_hash::FxHashMap;

use super::{Parts, conversions, integer_kind};
use crate::formats::{Amount, Conversion, Length, Piece};
use crate::instantiate::{Binder, LibraryCall};

/// The type of the object that a conversion of scanf stores to, and a value for it: an intrinsic and its type.
fn scanned(binder: &mut Binder<'_>, conversion: &Conversion) -> Option<(TypeId, &'static str, TypeId)> {
    let types = &mut binder.program.types;
    let machine = types.machine;
    let (object, intrinsic, value) = match conversion.letter {
        letter @ (b'd' | b'i' | b'u' | b'o' | b'x' | b'X') => {
            let kind = integer_kind(conversion.length, machine, matches!(letter, b'd' | b'i'));
            let (intrinsic, value) = match kind {
                IntKind::Char | IntKind::SChar => ("__VERIFIER_nondet_char", IntKind::Char),
                IntKind::UChar => ("__VERIFIER_nondet_uchar", kind),
                IntKind::Short => ("__VERIFIER_nondet_short", kind),
                IntKind::UShort => ("__VERIFIER_nondet_ushort", kind),
                IntKind::Int => ("__VERIFIER_nondet_int", kind),
                IntKind::UInt => ("__VERIFIER_nondet_uint", kind),
                IntKind::Long => ("__VERIFIER_nondet_long", kind),
                IntKind::ULong => ("__VERIFIER_nondet_ulong", kind),
                IntKind::LongLong => ("__VERIFIER_nondet_longlong", kind),
                _ => ("__VERIFIER_nondet_ulonglong", IntKind::ULongLong),
            };
            (Type::Int(kind), intrinsic, Type::Int(value))
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
            let (object, intrinsic, value) = match conversion.length {
                Length::Long => (FloatKind::Double, "__VERIFIER_nondet_double", FloatKind::Double),
                Length::LongDouble => (
                    FloatKind::LongDouble,
                    "__VERIFIER_nondet_double",
                    FloatKind::Double,
                ),
                _ => (FloatKind::Float, "__VERIFIER_nondet_float", FloatKind::Float),
            };
            (Type::Float(object), intrinsic, Type::Float(value))
        }
        b'p' => {
            let void = types.void();
            (
                Type::Pointer(void),
                "__VERIFIER_nondet_ulong",
                Type::Int(IntKind::ULong),
            )
        }
        _ => return None,
    };
    Some((types.intern(object), intrinsic, types.intern(value)))
}

/// `({ made = begin(stream, n); if (made > 0) *first = …; …; made; })`; `format` is the format's place.
pub(super) fn scan(
    binder: &mut Binder<'_>,
    call: &mut LibraryCall,
    pieces: &[Piece],
    begin: &'static str,
    format: usize,
) -> Option<Expr> {
    let stored: Vec<&Conversion> = conversions(pieces)
        .filter(|conversion| !conversion.suppressed)
        .collect();
    let pointers = call.args.get(format + 1..)?;
    let is_pointer = |arg: &Expr| binder.program.types.pointee(arg.ty).is_some();
    let is_plain = |conversion: &&Conversion| {
        !matches!(conversion.letter, b's' | b'c' | b'[' | b'n') || conversion.length == Length::None
    };
    if pointers.len() < stored.len() || !pointers.iter().all(is_pointer) || !stored.iter().all(is_plain) {
        return None;
    }
    let models = [
        begin,
        "__lariat_scan_string",
        "__lariat_scan_chars",
        "__lariat_printed_count",
    ];
    if models.iter().any(|name| binder.model(name).is_none()) {
        return None;
    }
    let args = std::mem::take(&mut call.args);
    let mut parts = Parts {
        binder,
        call,
        copies: FxHashMap::default(),
        stmts: Vec::new(),
    };
    let mut args = args;
    args.remove(format);
    let mut places = parts.declare_arguments(args);
    let mut begin_args: Vec<Expr> = Vec::new();
    for local in places.by_ref().take(format) {
        begin_args.push(parts.load(local));
    }
    let counted = stored
        .iter()
        .filter(|conversion| conversion.letter != b'n')
        .count();
    begin_args.push(parts.int(counted as i64));
    let made = parts.call(begin, begin_args)?;
    let made = parts.declare(made);
    let mut before = 0;
    for (conversion, place) in stored.into_iter().zip(places) {
        let is_count = conversion.letter == b'n';
        let pointer = parts.load(place);
        let stmt = store(&mut parts, conversion, pointer)?;
        let left = parts.load(made);
        let right = parts.int(before);
        let op = if is_count { CompareOp::Ge } else { CompareOp::Gt };
        let mut build = parts.build();
        let condition = build.compare(op, left, right);
        let stmt = build.stmt(StmtKind::If {
            condition,
            then: Box::new(stmt),
            otherwise: None,
        });
        parts.stmts.push(stmt);
        before += i64::from(!is_count);
    }
    let result = parts.load(made);
    let stmts = std::mem::take(&mut parts.stmts);
    let result = binder.result_as(call, result);
    Some(binder.build(call.function, call.span).statements(stmts, result))
}

/// What a conversion of scanf stores through its pointer.
fn store(parts: &mut Parts<'_, '_>, conversion: &Conversion, pointer: Expr) -> Option<Stmt> {
    let width = match conversion.width {
        Amount::Constant(width) => i64::from(width),
        Amount::None | Amount::Argument => 0,
    };
    // Each pointer is another buffer, so that each gets its own copy of the model.
    parts.copies.clear();
    let is_text = parts.call.name == "sscanf";
    let made = match conversion.letter {
        b's' | b'[' => {
            let width = parts.int(width);
            let spaces = parts.int(i64::from(conversion.letter == b'['));
            let is_text = parts.int(i64::from(is_text));
            parts.call("__lariat_scan_string", vec![pointer, width, spaces, is_text])?
        }
        b'c' => {
            let width = parts.int(width.max(1));
            parts.call("__lariat_scan_chars", vec![pointer, width])?
        }
        b'n' => parts.call("__lariat_printed_count", vec![pointer])?,
        _ => {
            let (ty, intrinsic, any) = scanned(parts.binder, conversion)?;
            let intrinsic = if is_text { "__lariat_any_number" } else { intrinsic };
            let span = parts.call.span;
            let intrinsic = parts.binder.intrinsic(intrinsic, any, Vec::new(), span);
            let mut build = parts.build();
            let value = build.call(intrinsic, Vec::new(), any);
            let value = build.convert(value, ty);
            let target = build.program.types.pointer_to(ty);
            let pointer = build.convert(pointer, target);
            let place = build.place(PlaceKind::Deref(Box::new(pointer)), ty);
            return Some(build.assign(place, value));
        }
    };
    Some(parts.build().stmt(StmtKind::Expr(made)))
}
