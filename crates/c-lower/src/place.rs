//! Places: where a value is read from and written to.

mod access;

use std::rc::Rc;

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{BitField, GlobalId, LocalId, Place, PlaceKind, Scalar, Type, TypeId};
use lariat_c_regions::{Cell, RegionId, Variable};
use lariat_term::{TermId, VarId};
use num_bigint::BigInt;

use crate::function::{FunctionLowering, LocalStorage};
use crate::layout::{Leaf, scalar_bytes, scalar_of};
use crate::options::Check;
use crate::storage::Split;

/// An object or part of one, with everything evaluated that its address depends on.
#[derive(Clone, Debug)]
pub struct Located {
    pub at: Where,
    pub ty: TypeId,
    pub bits: Option<BitField>,
    /// As C writes it, where it is in memory.
    pub span: Option<Span>,
    /// Part of a variable that is accessed by its name, with every index checked: nothing is left to be checked.
    pub is_safe: bool,
    /// The pointer that was followed, before offsets were added; `None` if it cannot be null.
    pub base: Option<TermId>,
}

#[derive(Clone, Debug)]
pub enum Where {
    /// Part of a split variable, from this offset on.
    Split {
        split: Rc<Split>,
        offset: u64,
    },
    Memory {
        address: Value,
        cell: Cell,
    },
    /// Part of a record value.
    Value {
        leaves: Rc<[Leaf]>,
        values: Rc<[Value]>,
        offset: u64,
    },
}

impl FunctionLowering<'_, '_> {
    pub fn place(&mut self, place: &Place) -> Located {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.place_inner(place))
    }

    fn place_inner(&mut self, place: &Place) -> Located {
        let span = Some(place.span);
        match &place.kind {
            PlaceKind::Local(local) => Located {
                span,
                ..self.local_place(*local, place.ty)
            },
            PlaceKind::Global(global) => {
                self.cx.mention(self.proc, *global);
                let at = match self.cx.storage.split_globals.get(global) {
                    Some(split) => Where::Split {
                        split: Rc::new(split.clone()),
                        offset: 0,
                    },
                    None => {
                        let address = self.global_address(*global);
                        Where::Memory {
                            address,
                            cell: self.cx.regions.variable(Variable::Global(*global)),
                        }
                    }
                };
                Located {
                    at,
                    ty: place.ty,
                    bits: None,
                    span,
                    is_safe: true,
                    base: None,
                }
            }
            PlaceKind::Deref(pointer) => {
                let (address, base) = self.pointer(pointer);
                Located {
                    at: Where::Memory {
                        address,
                        cell: self.cx.regions.target(pointer.id),
                    },
                    ty: place.ty,
                    bits: None,
                    span,
                    is_safe: false,
                    base,
                }
            }
            PlaceKind::Member { base, record, field } => {
                let base = self.place(base);
                let field = &self.cx.c.types.records[*record].fields[*field as usize];
                let (offset, bits) = (field.offset, field.bits);
                if bits.is_some() && self.cx.has_threads && self.cx.options.checks(Check::Race) {
                    // Neighbours are one object for races, which variables and regions do not say.
                    self.unsupported(
                        "a bit-field in a program whose data races are checked",
                        place.span,
                    );
                }
                Located {
                    span,
                    bits,
                    ..self.part(base, offset, place.ty)
                }
            }
            PlaceKind::Index { base, index } => self.element(place, base, index, false),
            PlaceKind::CompoundLiteral { local, init } => {
                self.start_local(*local, None, place.span);
                let located = self.local_place(*local, place.ty);
                self.initialize(&located, init, place.span);
                Located { span, ..located }
            }
            PlaceKind::Temporary(value) => {
                let values: Rc<[Value]> = self.record(value).into();
                let leaves = self.cx.leaves(place.ty).unwrap_or_default();
                Located {
                    at: Where::Value {
                        leaves,
                        values,
                        offset: 0,
                    },
                    ty: place.ty,
                    bits: None,
                    span,
                    is_safe: true,
                    base: None,
                }
            }
        }
    }

    /// The place whose address is taken: it may be one past the end of an array.
    pub fn place_for_address(&mut self, place: &Place) -> Located {
        match &place.kind {
            PlaceKind::Index { base, index } => self.element(place, base, index, true),
            _ => self.place(place),
        }
    }

    fn element(
        &mut self,
        place: &Place,
        base: &Place,
        index: &lariat_c_program::Expr,
        may_be_end: bool,
    ) -> Located {
        let index_scalar = self.scalar(index.ty);
        let (located, _, values) = self.place_and_value(base, index, false, place.span);
        let value = self.only(values, index);
        let size = self.cx.c.types.size(place.ty).unwrap_or(1);
        let mut is_safe = false;
        if let Type::Array {
            length: Some(length), ..
        } = self.cx.c.types.get(base.ty)
        {
            // The array at the end of an allocated record may be longer than it says.
            is_safe = located.is_safe;
            if is_safe || *length > 1 {
                let limit = if may_be_end { *length + 1 } else { *length };
                self.check_index(&value, index_scalar, limit, place.span);
            }
        }
        let span = Some(place.span);
        let followed = located.base;
        match located.at {
            Where::Memory { address, .. } => {
                let size = BigInt::from(size);
                let pool = &mut self.cx.ir.pool;
                let address = self
                    .cx
                    .arith
                    .pointer_add(pool, &address, &value, index_scalar, &size, false);
                Located {
                    at: Where::Memory {
                        address,
                        cell: self.cx.regions.place(self.cx.c, Some(self.function), place),
                    },
                    ty: place.ty,
                    bits: None,
                    span,
                    is_safe,
                    base: followed,
                }
            }
            // An array inside a record value: only constant indices are supported.
            at => match self.constant_index(&value, base.ty) {
                Some(index) => {
                    let offset = index * size;
                    let ty = place.ty;
                    self.part(Located { at, ..located_of(ty) }, offset, ty)
                }
                None => {
                    self.unsupported("an element of an array inside a record value", place.span);
                    Located {
                        at,
                        ..located_of(place.ty)
                    }
                }
            },
        }
    }

    /// The one value that an index has, in either form of integers, if there is such an element.
    fn constant_index(&self, value: &Value, array: TypeId) -> Option<u64> {
        let range = value.range.as_ref().filter(|range| range.lo == range.hi);
        let number = range
            .map(|range| &range.lo)
            .or_else(|| self.cx.ir.pool.as_bv(value.term))?;
        let index = u64::try_from(number).ok()?;
        match self.cx.c.types.get(array) {
            Type::Array {
                length: Some(length), ..
            } if index < *length => Some(index),
            _ => None,
        }
    }

    pub fn local_place(&mut self, local: LocalId, ty: TypeId) -> Located {
        let at = match self.locals[local].clone() {
            Some(LocalStorage::Split(split)) => Where::Split {
                split: Rc::new(split),
                offset: 0,
            },
            Some(LocalStorage::Memory { address, .. }) => Where::Memory {
                address: self.value_of(address, Scalar::Pointer),
                cell: self.cx.regions.variable(Variable::Local(self.function, local)),
            },
            None => Where::Value {
                leaves: Rc::new([]),
                values: Rc::new([]),
                offset: 0,
            },
        };
        let is_variable = matches!(self.cx.c.types.get(ty), Type::VariableArray { .. });
        Located {
            at,
            ty,
            bits: None,
            span: None,
            is_safe: !is_variable,
            base: None,
        }
    }

    /// The part of an object at a constant offset.
    pub fn part(&mut self, base: Located, offset: u64, ty: TypeId) -> Located {
        let at = match base.at {
            Where::Split { split, offset: at } => Where::Split {
                split,
                offset: at + offset,
            },
            Where::Value {
                leaves,
                values,
                offset: at,
            } => Where::Value {
                leaves,
                values,
                offset: at + offset,
            },
            Where::Memory { address, cell } => Where::Memory {
                address: self.add_bytes(&address, offset),
                cell: self.cx.regions.part(cell, base.ty, offset, ty),
            },
        };
        Located {
            at,
            ty,
            bits: None,
            span: base.span,
            is_safe: base.is_safe,
            base: base.base,
        }
    }

    pub fn add_bytes(&mut self, address: &Value, offset: u64) -> Value {
        if offset == 0 {
            return address.clone();
        }
        let index = BigInt::from(offset);
        let scalar = Scalar::Int {
            bits: 64,
            signed: false,
        };
        let pool = &mut self.cx.ir.pool;
        let index = self.cx.arith.int(pool, scalar, &index);
        self.cx
            .arith
            .pointer_add(pool, address, &index, scalar, &BigInt::from(1), false)
    }

    /// Where an object with static or thread storage is.
    pub fn global_address(&mut self, global: GlobalId) -> Value {
        match self.cx.storage.thread_addresses.get(&global) {
            Some(&own) => self.value_of(own, Scalar::Pointer),
            None => {
                let address = self.cx.storage.address(global);
                self.address(&address)
            }
        }
    }

    pub fn address(&mut self, address: &BigInt) -> Value {
        self.cx.arith.int(&mut self.cx.ir.pool, Scalar::Pointer, address)
    }

    /// The place, safe from later changes of variables.
    pub fn pin_place(&mut self, mut located: Located, span: Span) -> Located {
        if let Where::Memory { address, cell } = located.at {
            let before = address.term;
            let address = self.pin(address, span);
            located.base = located.base.map(|base| match base == before {
                true => address.term,
                false => self.pin_term(base, span),
            });
            located.at = Where::Memory { address, cell };
        }
        located
    }

    pub fn read(&mut self, located: &Located, span: Span) -> Value {
        let types = &self.cx.c.types;
        let Some(scalar) = scalar_of(types, located.ty) else {
            self.unsupported(&format!("a value of type `{}`", types.name(located.ty)), span);
            return self.zero(Scalar::Pointer);
        };
        let bytes = scalar_bytes(types, located.ty);
        match &located.at {
            Where::Split { split, offset } => match leaf_index(&split.leaves, *offset, located.bits) {
                Some(index) => {
                    if let Some(&written) = split.written.get(index) {
                        let condition = self.cx.ir.pool.var(written);
                        self.check(Check::Uninit, condition, span, None);
                    }
                    let value = self.value_of(split.vars[index], split.leaves[index].scalar);
                    self.narrow(value, located.bits, scalar)
                }
                None => self.lost(span, scalar),
            },
            Where::Value {
                leaves,
                values,
                offset,
            } => match leaf_index(leaves, *offset, located.bits) {
                // The first byte of a union is a leaf too.
                Some(index) if located.bits.is_some() || leaves[index].bytes == bytes => {
                    let (from, value) = (leaves[index].scalar, values[index].clone());
                    self.cx.arith.convert(&mut self.cx.ir.pool, from, scalar, &value)
                }
                _ if located.bits.is_some() => self.lost(span, scalar),
                _ => self.bytes_of_value(leaves.clone(), values.clone(), *offset, scalar, bytes, span),
            },
            Where::Memory { address, cell } => {
                let (address, cell) = (address.clone(), *cell);
                self.check_access(located, &address, bytes, false, span);
                self.load(&address, cell, scalar, bytes, located.bits, span)
            }
        }
    }

    /// A scalar composed of the bytes of a union inside a record value.
    fn bytes_of_value(
        &mut self,
        leaves: Rc<[Leaf]>,
        values: Rc<[Value]>,
        offset: u64,
        scalar: Scalar,
        bytes: u64,
        span: Span,
    ) -> Value {
        let parts: Option<Vec<Value>> = (offset..offset + bytes)
            .map(|at| {
                let index = leaf_index(&leaves, at, None).filter(|&index| leaves[index].bytes == 1)?;
                Some(values[index].clone())
            })
            .collect();
        match parts {
            Some(parts) => self.cx.arith.from_bytes(&mut self.cx.ir.pool, scalar, &parts),
            None => self.lost(span, scalar),
        }
    }

    /// A part that the layout does not know: nothing can be said.
    fn lost(&mut self, span: Span, scalar: Scalar) -> Value {
        self.unsupported("a part of a variable that overlaps others", span);
        self.zero(scalar)
    }

    /// What a bit-field of this width can hold is less than its type.
    pub fn narrow(&mut self, value: Value, bits: Option<BitField>, scalar: Scalar) -> Value {
        match bits {
            Some(bits) => self
                .cx
                .arith
                .truncate_to_bits(&mut self.cx.ir.pool, scalar, &value, bits.width),
            None => value,
        }
    }

    pub fn memory(&mut self, region: RegionId) -> VarId {
        let cx = &mut *self.cx;
        cx.storage.maps.memory(
            region,
            cx.regions,
            cx.options,
            &cx.arith,
            &mut cx.ir,
            &mut cx.names,
        )
    }

    /// Writes a scalar of the place's type.
    pub fn write(&mut self, located: &Located, value: &Value, span: Span) {
        let types = &self.cx.c.types;
        let Some(scalar) = scalar_of(types, located.ty) else {
            return self.unsupported(&format!("a value of type `{}`", types.name(located.ty)), span);
        };
        let bytes = scalar_bytes(types, located.ty);
        match &located.at {
            Where::Split { split, offset } => match leaf_index(&split.leaves, *offset, located.bits) {
                Some(index) => {
                    let value = self.narrow(value.clone(), located.bits, scalar);
                    self.set(split.vars[index], value.term, span);
                    if let Some(&written) = split.written.get(index) {
                        let yes = self.cx.ir.pool.bool(true);
                        self.set_silently(written, self.store_flag.unwrap_or(yes), span);
                    }
                }
                None => {
                    self.lost(span, scalar);
                }
            },
            Where::Value { .. } => self.unsupported("an assignment to a value that is no object", span),
            Where::Memory { address, cell } => {
                let (address, cell) = (address.clone(), *cell);
                self.check_access(located, &address, bytes, true, span);
                let shown = located.span.map(|place| (place, located.ty));
                self.store(&address, cell, scalar, bytes, located.bits, value, span, shown);
            }
        }
    }

    /// The address of a place in memory.
    pub fn address_of(&mut self, located: &Located, span: Span) -> Value {
        match &located.at {
            Where::Memory { address, .. } => address.clone(),
            // Such places are in memory by the definition of `is_split`, but for parts of record values.
            _ => {
                self.unsupported("the address of a value that is no object", span);
                self.zero(Scalar::Pointer)
            }
        }
    }

    pub fn scalar(&mut self, ty: TypeId) -> Scalar {
        // Other types have no value; the error was reported where the value was made.
        scalar_of(&self.cx.c.types, ty).unwrap_or(Scalar::Pointer)
    }

    pub fn zero(&mut self, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Float(kind) => self.cx.arith.float(&mut self.cx.ir.pool, kind, 0.0),
            _ => self.cx.arith.int(&mut self.cx.ir.pool, scalar, &BigInt::from(0)),
        }
    }
}

fn located_of(ty: TypeId) -> Located {
    Located {
        at: Where::Value {
            leaves: Rc::new([]),
            values: Rc::new([]),
            offset: 0,
        },
        ty,
        bits: None,
        span: None,
        is_safe: true,
        base: None,
    }
}

/// How many bytes an access to a bit-field or to a whole scalar touches.
pub fn container_bytes(bits: Option<BitField>, bytes: u64) -> u64 {
    bits.map_or(bytes, |bits| u64::from((bits.shift + bits.width).div_ceil(8)))
}

pub fn leaf_index(leaves: &[Leaf], offset: u64, bits: Option<BitField>) -> Option<usize> {
    leaves
        .iter()
        .position(|leaf| leaf.offset == offset && leaf.bits == bits)
}
