//! From a pointer or an object to a scalar inside it, as C writes it.

use lariat_c_lower::InitialMemory;
use lariat_c_program::{Scalar, Type, TypeId, Types};
use lariat_specs::SpecExpr;
use lariat_term::TermId;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// What an address was made from.
#[derive(Clone, Debug)]
pub enum Start {
    Pointer {
        expr: SpecExpr,
        pointee: TypeId,
    },
    Object {
        expr: SpecExpr,
        ty: TypeId,
    },
    /// A pointer of unknown type.
    Untyped {
        expr: SpecExpr,
    },
}

/// The way to a scalar.
#[derive(Clone, Debug)]
pub struct Path {
    pub expr: SpecExpr,
    pub ty: TypeId,
}

/// Makes the text of a sum: factors and terms, and a constant.
pub type Number<'a> = dyn FnMut(&[(BigInt, TermId)], &BigInt) -> SpecExpr + 'a;

/// Where the walk is.
#[derive(Clone, Debug)]
enum At {
    /// What the pointer points to.
    Target(SpecExpr),
    Object(SpecExpr),
}

impl At {
    fn member(self, name: &str) -> At {
        match self {
            At::Target(pointer) => At::Object(pointer.arrow(name)),
            At::Object(object) => At::Object(object.field(name)),
        }
    }

    fn object(self) -> SpecExpr {
        match self {
            At::Target(pointer) => pointer.deref(),
            At::Object(object) => object,
        }
    }
}

type Rest = Vec<(BigInt, TermId)>;

/// The records that the walk has entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Via {
    NoRecord,
    /// Among them that of the member that all elements of the memory are, by this member.
    Wanted,
    Others,
}

/// The scalar that lies `offset` bytes and the products behind the start; `memory` says what kind of scalar it must be.
/// Without `memory`: the largest part that starts there.
pub fn find(
    types: &Types,
    start: &Start,
    offset: &BigInt,
    rest: &[(BigInt, TermId)],
    memory: Option<&InitialMemory>,
    number: &mut Number<'_>,
) -> Option<Path> {
    let mut walk = Walk {
        types,
        memory,
        number,
    };
    match start {
        Start::Pointer { expr, pointee } => {
            if matches!(types.get(*pointee), Type::Void | Type::Function(_)) {
                return None;
            }
            let size = types.size(*pointee).filter(|&size| size > 0)?;
            let (index, offset, divisible, rest) = divide(offset, rest, size);
            // The object around what is pointed to, and no element of an array.
            if index.is_negative() && types.record_of(*pointee).is_some() {
                return None;
            }
            let is_first = index.is_zero() && divisible.is_empty();
            let at = match is_first {
                true => At::Target(expr.clone()),
                false => At::Object(expr.clone().index((walk.number)(&divisible, &index))),
            };
            walk.step(at, *pointee, Via::NoRecord, offset, rest)
        }
        Start::Object { expr, ty } => {
            let at = At::Object(expr.clone());
            walk.step(at, *ty, Via::NoRecord, offset.clone(), rest.to_vec())
        }
        Start::Untyped { .. } => None,
    }
}

struct Walk<'a, 'n> {
    types: &'a Types,
    memory: Option<&'a InitialMemory>,
    number: &'a mut Number<'n>,
}

impl Walk<'_, '_> {
    /// The depth is that of the nesting of types.
    fn step(&mut self, at: At, ty: TypeId, via: Via, offset: BigInt, rest: Rest) -> Option<Path> {
        // Of an address the largest part that starts there.
        if let At::Object(object) = &at
            && self.memory.is_none()
            && offset.is_zero()
            && rest.is_empty()
        {
            return Some(Path {
                expr: object.clone(),
                ty,
            });
        }
        match self.types.get(ty) {
            Type::Record(record) => {
                let record = *record;
                let fields = self.types.records[record].fields.clone();
                for (index, field) in fields.iter().enumerate() {
                    let start = BigInt::from(field.offset);
                    let size = self.types.size(field.ty);
                    let is_inside = start <= offset
                        && size.is_none_or(|size| offset < &start + BigInt::from(size.max(1)));
                    let is_wanted = self
                        .memory
                        .and_then(|memory| memory.member)
                        .and_then(|(wanted, member)| (wanted == record).then_some(member as usize == index));
                    if !is_inside || !is_wanted.unwrap_or(field.bits.is_none()) {
                        continue;
                    }
                    let via = match (via, is_wanted) {
                        (Via::Wanted, _) | (_, Some(true)) => Via::Wanted,
                        _ => Via::Others,
                    };
                    let part = match &*field.name {
                        "" => at.clone(),
                        name => at.clone().member(name),
                    };
                    let found = self.step(part, field.ty, via, &offset - start, rest.clone());
                    if found.is_some() {
                        return found;
                    }
                }
                None
            }
            Type::Array { element, .. } | Type::VariableArray { element } => {
                let element = *element;
                let size = self.types.size(element).filter(|&size| size > 0)?;
                let (index, offset, divisible, rest) = divide(&offset, &rest, size);
                let index = (self.number)(&divisible, &index);
                self.step(At::Object(at.object().index(index)), element, via, offset, rest)
            }
            _ => {
                let scalar = match self.types.get(ty) {
                    Type::VaList => Scalar::Pointer,
                    _ => self.types.scalar(ty)?,
                };
                let is_wanted = self.memory.is_none_or(|memory| {
                    // What is a member of one record is no member of another.
                    is_same(memory.element, scalar) && (memory.member.is_none() || via != Via::Others)
                });
                (offset.is_zero() && rest.is_empty() && is_wanted).then(|| Path {
                    expr: at.object(),
                    ty,
                })
            }
        }
    }
}

fn is_same(left: Scalar, right: Scalar) -> bool {
    match (left, right) {
        (Scalar::Int { bits: left, .. }, Scalar::Int { bits: right, .. }) => left == right,
        _ => left == right,
    }
}

/// Elements of a size: the constant index, what is left of the offset, the part of the index that is computed, and what
/// is no multiple.
fn divide(offset: &BigInt, rest: &[(BigInt, TermId)], size: u64) -> (BigInt, BigInt, Rest, Rest) {
    let size = BigInt::from(size);
    let remainder = ((offset % &size) + &size) % &size;
    let index = (offset - &remainder) / &size;
    let (divisible, other): (Rest, Rest) = rest
        .iter()
        .cloned()
        .partition(|(factor, _)| (factor % &size).is_zero());
    let divisible: Rest = divisible
        .into_iter()
        .map(|(factor, term)| (factor / &size, term))
        .collect();
    (index, remainder, divisible, other)
}
