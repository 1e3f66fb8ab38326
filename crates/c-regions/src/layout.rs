//! What the analysis needs to know of types: leaves, sizes, which variables are scalars in disguise.

use lariat_c_program::{BitField, Expr, ExprKind, RecordId, Scalar, Type, TypeId, Types, UnaryOp};
use num_traits::ToPrimitive;

/// Arrays with more scalars than this are folded where they are copied as a whole.
const MOST_LEAVES: u64 = 64;

/// Part of an object that is copied or set as a whole.
#[derive(Clone, Debug)]
pub(crate) enum Leaf {
    Scalar {
        offset: u64,
        scalar: Scalar,
        bytes: u64,
        bits: Option<BitField>,
        label: Option<(RecordId, u32)>,
    },
    /// A union.
    Raw { offset: u64, bytes: u64 },
    /// A large array: the leaves of an element, each `stride` bytes.
    Repeat {
        offset: u64,
        stride: u64,
        element: Vec<Leaf>,
    },
}

/// The scalar that is stored for a type. A `va_list` is stored as the address of its next argument.
pub(crate) fn stored_scalar(types: &Types, ty: TypeId) -> Option<(Scalar, u64)> {
    match types.get(ty) {
        Type::VaList => Some((Scalar::Pointer, types.machine.pointer_bytes())),
        _ => Some((types.scalar(ty)?, types.size(ty)?)),
    }
}

/// Whether values of this scalar are followed as possible addresses.
pub(crate) fn may_hold_address(types: &Types, scalar: Scalar) -> bool {
    match scalar {
        Scalar::Pointer => true,
        Scalar::Int { bits, .. } => bits >= types.machine.pointer_bits(),
        Scalar::Bool | Scalar::Float(_) => false,
    }
}

pub(crate) fn leaves(types: &Types, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(types, ty, 0, None, &mut found);
    found
}

fn collect(types: &Types, ty: TypeId, offset: u64, label: Option<(RecordId, u32)>, found: &mut Vec<Leaf>) {
    if let Some((scalar, bytes)) = stored_scalar(types, ty) {
        found.push(Leaf::Scalar {
            offset,
            scalar,
            bytes,
            bits: None,
            label,
        });
        return;
    }
    match types.get(ty) {
        Type::Array { element, length } => {
            let (Some(stride), Some(length)) = (types.size(*element), *length) else {
                return;
            };
            let element = leaves(types, *element);
            if length.saturating_mul(element.len() as u64) <= MOST_LEAVES {
                for index in 0..length {
                    found.extend(
                        element
                            .iter()
                            .map(|leaf| moved(leaf, offset + index * stride, label)),
                    );
                }
            } else {
                found.push(Leaf::Repeat {
                    offset,
                    stride,
                    element: element.iter().map(|leaf| moved(leaf, 0, label)).collect(),
                });
            }
        }
        Type::Record(id) => {
            let record = &types.records[*id];
            let Some(size) = record.size else { return };
            if record.is_union {
                if size > 0 {
                    found.push(Leaf::Raw { offset, bytes: size });
                }
                return;
            }
            for (index, field) in record.fields.iter().enumerate() {
                let label = Some((*id, index as u32));
                match field.bits {
                    Some(bits) if bits.width == 0 => {}
                    Some(bits) => {
                        if let Some((scalar, bytes)) = stored_scalar(types, field.ty) {
                            found.push(Leaf::Scalar {
                                offset: offset + field.offset,
                                scalar,
                                bytes,
                                bits: Some(bits),
                                label,
                            });
                        }
                    }
                    None => collect(types, field.ty, offset + field.offset, label, found),
                }
            }
        }
        _ => {}
    }
}

fn moved(leaf: &Leaf, by: u64, outer: Option<(RecordId, u32)>) -> Leaf {
    match leaf.clone() {
        Leaf::Scalar {
            offset,
            scalar,
            bytes,
            bits,
            label,
        } => Leaf::Scalar {
            offset: offset + by,
            scalar,
            bytes,
            bits,
            label: label.or(outer),
        },
        Leaf::Raw { offset, bytes } => Leaf::Raw {
            offset: offset + by,
            bytes,
        },
        Leaf::Repeat {
            offset,
            stride,
            element,
        } => Leaf::Repeat {
            offset: offset + by,
            stride,
            element,
        },
    }
}

/// A scalar, or a record made of scalars and such records only.
pub(crate) fn is_splittable(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Record(id) => {
            let record = &types.records[*id];
            !record.is_union
                && record.size.is_some()
                && record.fields.iter().all(|field| is_splittable(types, field.ty))
        }
        _ => types.scalar(ty).is_some(),
    }
}

/// The value of an integer constant with the conversions around it.
pub(crate) fn constant(types: &Types, expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(value) => value.to_i128(),
        ExprKind::Convert(operand) => {
            let value = constant(types, operand)?;
            match types.scalar(expr.ty)? {
                Scalar::Int { bits, signed } => Some(wrapped(value, bits, signed)),
                Scalar::Pointer => Some(wrapped(value, types.machine.pointer_bits(), false)),
                Scalar::Bool => Some(i128::from(value != 0)),
                Scalar::Float(_) => None,
            }
        }
        ExprKind::Unary {
            op: UnaryOp::Neg,
            operand,
        } => match types.scalar(expr.ty)? {
            Scalar::Int { bits, signed } => {
                Some(wrapped(constant(types, operand)?.checked_neg()?, bits, signed))
            }
            _ => None,
        },
        _ => None,
    }
}

fn wrapped(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let low = value & ((1i128 << bits) - 1);
    if signed && (low >> (bits - 1)) & 1 == 1 {
        low - (1i128 << bits)
    } else {
        low
    }
}

/// Whether a number used as an address is none of an object: null and its neighbours on either side, which programs use
/// as marks (`(void *)-1`).
pub(crate) fn is_no_address(types: &Types, value: i128) -> bool {
    const NEAR: i128 = 4096;
    let value = wrapped(value, types.machine.pointer_bits(), true);
    -NEAR < value && value < NEAR
}
