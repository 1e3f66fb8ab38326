//! The scalar leaves of a type.

use lariat_c_program::{BitField, Scalar, Type, TypeId, Types};

/// A larger object is not copied leaf by leaf.
const MOST_LEAVES: usize = 4096;

/// A scalar inside an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// In bytes from the start of the object.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub ty: TypeId,
    pub scalar: Scalar,
    pub bytes: u64,
    /// How C writes the way from the object to it: `.x[2]`.
    pub path: String,
}

/// All scalars of an object of this type in the order of their offsets; a union is its bytes. `None` if the type has no
/// known size or too many.
pub fn leaves(types: &Types, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(types, ty, 0, String::new(), &mut found)?;
    Some(found)
}

/// The scalar that a type is in memory or in a variable; `va_list` is the address of its next argument.
pub fn scalar_of(types: &Types, ty: TypeId) -> Option<Scalar> {
    match types.get(ty) {
        Type::VaList => Some(Scalar::Pointer),
        _ => types.scalar(ty),
    }
}

pub fn scalar_bytes(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::VaList => types.machine.pointer_bytes(),
        _ => types.size(ty).unwrap_or(1),
    }
}

fn collect(types: &Types, ty: TypeId, offset: u64, path: String, found: &mut Vec<Leaf>) -> Option<()> {
    if found.len() > MOST_LEAVES {
        return None;
    }
    if let Some(scalar) = scalar_of(types, ty) {
        found.push(Leaf {
            offset,
            bits: None,
            ty,
            scalar,
            bytes: scalar_bytes(types, ty),
            path,
        });
        return Some(());
    }
    match types.get(ty) {
        Type::Array { element, length } => {
            let (element, length) = (*element, length.unwrap_or(0));
            let size = types.size(element)?;
            for index in 0..length {
                collect(
                    types,
                    element,
                    offset + index * size,
                    format!("{path}[{index}]"),
                    found,
                )?;
            }
            Some(())
        }
        Type::Record(id) if types.records[*id].is_union => {
            let byte = Scalar::Int {
                bits: 8,
                signed: false,
            };
            for index in 0..types.records[*id].size? {
                found.push(Leaf {
                    offset: offset + index,
                    bits: None,
                    ty,
                    scalar: byte,
                    bytes: 1,
                    path: format!("{path} byte {index}"),
                });
                if found.len() > MOST_LEAVES {
                    return None;
                }
            }
            Some(())
        }
        Type::Record(id) => {
            for field in &types.records[*id].fields {
                let path = match &*field.name {
                    "" => path.clone(),
                    name => format!("{path}.{name}"),
                };
                match field.bits {
                    Some(bits) if bits.width == 0 => {}
                    Some(bits) => found.push(Leaf {
                        offset: offset + field.offset,
                        bits: Some(bits),
                        ty: field.ty,
                        scalar: types.scalar(field.ty)?,
                        bytes: types.size(field.ty)?,
                        path,
                    }),
                    None => collect(types, field.ty, offset + field.offset, path, found)?,
                }
            }
            Some(())
        }
        Type::Void => Some(()),
        _ => None,
    }
}
