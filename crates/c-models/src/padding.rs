//! Bytes of records that belong to no member, or to bit-fields only in part.
//!
//! `memset`, `memcpy` and their kin write them, an assignment of the members does not: where blocks of records are assigned
//! (see `block`), the bytes between the members are stored one by one. Where they are too many, the call is not modelled.

use lariat_c_program::{Expr, ExprKind, IntKind, LocalId, Place, Type, TypeId, Types};

use crate::build::Build;
use crate::instantiate::{Binder, LibraryCall};

/// Records with more such bytes, or larger ones, are not modelled where their padding must be stored.
const MOST: usize = 512;
const LARGEST: u64 = 1 << 16;

/// Why a block of such records is not modelled.
pub(crate) const TOO_MUCH: &str = "a block of large records with many bytes between their members";

pub(crate) fn is_transformed(name: &str) -> bool {
    matches!(name, "__lariat_zero_padding" | "__lariat_copy_padding")
}

/// `__lariat_zero_padding(to)` and `__lariat_copy_padding(to, from)` in models of arrays of any type. Most types have no
/// padding; then nothing is left of the call, whose arguments have no effects.
pub(crate) fn bind(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    if !is_transformed(&call.name) {
        return None;
    }
    let element = binder.program.types.pointee(call.args.first()?.ty)?;
    let bytes = offsets(&binder.program.types, element);
    let Some(bytes) = bytes else {
        let mut build = binder.build(call.function, call.span);
        let int = build.int_type();
        return Some(build.expr(ExprKind::Unsupported(TOO_MUCH.into()), int));
    };
    let args = std::mem::take(&mut call.args);
    let mut build = binder.build(call.function, call.span);
    if bytes.is_empty() {
        let int = build.int_type();
        return Some(build.int(0, int));
    }
    let (locals, mut stmts): (Vec<LocalId>, Vec<_>) = args.into_iter().map(|arg| build.declare(arg)).unzip();
    for offset in bytes {
        let to = byte(&mut build, locals[0], offset)?;
        let value = match locals.get(1) {
            Some(&from) => {
                let from = byte(&mut build, from, offset)?;
                build.load(from)
            }
            None => build.zero(to.ty),
        };
        stmts.push(build.assign(to, value));
    }
    let int = build.int_type();
    let nothing = build.int(0, int);
    Some(build.statements(stmts, nothing))
}

/// The byte at this distance from where a pointer points to.
pub(crate) fn byte(build: &mut Build<'_>, pointer: LocalId, offset: u64) -> Option<Place> {
    let byte = build.program.types.int(IntKind::UChar);
    let ty = build.program.types.pointer_to(byte);
    let pointer = build.load_local(pointer);
    let pointer = build.convert(pointer, ty);
    build.element(pointer, offset)
}

/// Where the bytes are that no member has, or bit-fields only in part; `None` if there are too many.
pub(crate) fn offsets(types: &Types, ty: TypeId) -> Option<Vec<u64>> {
    let Some(size) = types.size(ty).filter(|_| types.record_of(ty).is_some()) else {
        return Some(Vec::new());
    };
    if size > LARGEST {
        return None;
    }
    let mut used = vec![0; size as usize];
    mark(types, ty, 0, &mut used);
    let unused = (0..size).filter(|&at| used[at as usize] != u8::MAX);
    let found: Vec<u64> = unused.take(MOST + 1).collect();
    (found.len() <= MOST).then_some(found)
}

/// Marks the bits that a value of this type has at this place.
fn mark(types: &Types, ty: TypeId, at: u64, used: &mut [u8]) {
    match (types.get(ty), types.record_of(ty)) {
        (_, Some(record)) if !types.records[record].is_union => {
            for field in &types.records[record].fields {
                match field.bits {
                    Some(bits) => {
                        for bit in bits.shift..bits.shift + bits.width {
                            let byte = at + field.offset + u64::from(bit / 8);
                            if let Some(byte) = used.get_mut(byte as usize) {
                                *byte |= 1 << (bit % 8);
                            }
                        }
                    }
                    None => mark(types, field.ty, at + field.offset, used),
                }
            }
        }
        (
            Type::Array {
                element,
                length: Some(length),
            },
            _,
        ) => {
            let (element, bytes) = (*element, types.size(*element).unwrap_or(0));
            for index in 0..*length {
                mark(types, element, at + index * bytes, used);
            }
        }
        _ => fill(used, at, types.size(ty).unwrap_or(0)),
    }
}

fn fill(used: &mut [u8], at: u64, bytes: u64) {
    if let Some(range) = used.get_mut(at as usize..(at + bytes) as usize) {
        range.fill(u8::MAX);
    }
}
