//! Values and places: how the one becomes the other, and conversions between values.
//!
//! Invariants: what clang calls an lvalue is a place until something needs its value, which then loads it or lets it decay;
//! a conversion of a constant is computed.

use lariat_base::Span;
use lariat_c_program::{
    Expr, ExprKind, FunctionId, LocalId, Place, PlaceKind, RecordId, Scalar, Type, TypeId,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::session::Session;

/// What an expression of clang denotes.
pub enum Node {
    Value(Expr),
    Place(Place),
    Function(FunctionId),
    /// What a value of pointer-to-function type points to.
    FunctionAt(Expr),
}

impl Session<'_, '_> {
    pub fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> Expr {
        let id = self.program.fresh_node();
        Expr { id, kind, ty, span }
    }

    pub fn place_at(&mut self, kind: PlaceKind, ty: TypeId, span: Span) -> Place {
        let id = self.program.fresh_node();
        Place { id, kind, ty, span }
    }

    pub fn int(&mut self, value: impl Into<BigInt>, ty: TypeId, span: Span) -> Expr {
        self.expr(ExprKind::Int(value.into()), ty, span)
    }

    pub fn size(&mut self, bytes: u64, span: Span) -> Expr {
        let ty = self.size_type();
        self.int(bytes, ty, span)
    }

    pub fn unsupported(&mut self, reason: impl Into<String>, ty: TypeId, span: Span) -> Expr {
        self.expr(ExprKind::Unsupported(reason.into()), ty, span)
    }

    /// A place of which nothing is known but its type: what an unsupported pointer points to.
    pub fn unsupported_place(&mut self, reason: impl Into<String>, ty: TypeId, span: Span) -> Place {
        let pointer_type = self.program.types.pointer_to(ty);
        let pointer = self.unsupported(reason, pointer_type, span);
        self.place_at(PlaceKind::Deref(Box::new(pointer)), ty, span)
    }

    pub fn load_local(&mut self, local: LocalId, span: Span) -> Expr {
        let ty = match &self.body {
            Some(body) => body.locals[local].ty,
            None => self.int_type(),
        };
        let place = self.place_at(PlaceKind::Local(local), ty, span);
        self.expr(ExprKind::Load(Box::new(place)), ty, span)
    }

    /// The value of a node: functions and arrays decay, other places are loaded.
    pub fn value_of(&mut self, node: Node, span: Span) -> Expr {
        match node {
            Node::Value(value) => value,
            Node::FunctionAt(pointer) => pointer,
            Node::Function(function) => {
                let ty = self.program.functions[function].ty;
                let ty = self.program.types.pointer_to(ty);
                self.expr(ExprKind::FunctionAddress(function), ty, span)
            }
            Node::Place(place) => match self.program.types.get(place.ty).clone() {
                Type::Array { element, .. } | Type::VariableArray { element } => self.decay(place, element),
                Type::Unsupported(name) => {
                    let reason = format!("a value of type `{name}`");
                    let ty = place.ty;
                    self.unsupported(reason, ty, span)
                }
                Type::Void => {
                    // `*p` where `p` is a `void *`: nothing is read.
                    let ty = place.ty;
                    let address = self.address_of(place, span);
                    self.expr(ExprKind::Convert(Box::new(address)), ty, span)
                }
                _ => {
                    let ty = place.ty;
                    self.expr(ExprKind::Load(Box::new(place)), ty, span)
                }
            },
        }
    }

    /// A pointer to the first element of an array.
    pub fn decay(&mut self, array: Place, element: TypeId) -> Expr {
        let ty = self.program.types.pointer_to(element);
        let span = array.span;
        self.expr(ExprKind::AddressOf(Box::new(array)), ty, span)
    }

    pub fn place_of(&mut self, node: Node, span: Span) -> Place {
        match node {
            Node::Place(place) => place,
            Node::Value(value) => {
                let ty = value.ty;
                self.place_at(PlaceKind::Temporary(Box::new(value)), ty, span)
            }
            Node::Function(_) | Node::FunctionAt(_) => {
                let ty = self.unsupported_type("a function");
                self.unsupported_place("a function used as an object", ty, span)
            }
        }
    }

    /// `&place`, and `&*pointer` is the pointer.
    pub fn address_of(&mut self, place: Place, span: Span) -> Expr {
        let ty = self.program.types.pointer_to(place.ty);
        match place.kind {
            PlaceKind::Deref(pointer) if pointer.ty == ty => *pointer,
            kind => {
                let place = Place { kind, ..place };
                self.expr(ExprKind::AddressOf(Box::new(place)), ty, span)
            }
        }
    }

    /// `*pointer`; of a decayed array its first element, of an address the object itself.
    pub fn dereference(&mut self, pointer: Expr, target: TypeId, span: Span) -> Place {
        match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == target => *place,
            ExprKind::AddressOf(place)
                if matches!(
                    self.program.types.get(place.ty),
                    Type::Array { element, .. } | Type::VariableArray { element } if *element == target
                ) =>
            {
                let index = self.int_type();
                let index = self.int(0, index, span);
                self.place_at(
                    PlaceKind::Index {
                        base: place,
                        index: Box::new(index),
                    },
                    target,
                    span,
                )
            }
            kind => {
                let pointer = Expr { kind, ..pointer };
                self.place_at(PlaceKind::Deref(Box::new(pointer)), target, span)
            }
        }
    }

    /// A value converted to a type.
    pub fn convert(&mut self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        let span = value.span;
        if let (ExprKind::Int(number), Some(target)) = (&value.kind, self.program.types.scalar(ty)) {
            let constant = number.to_i128();
            if let (Some(number), true) = (constant, !matches!(target, Scalar::Float(_))) {
                let wrapped = self.wrap(number, ty);
                return self.int(wrapped, ty, span);
            }
        }
        let types = &self.program.types;
        let is_void = *types.get(ty) == Type::Void;
        if is_void || (types.scalar(value.ty).is_some() && types.scalar(ty).is_some()) {
            return self.expr(ExprKind::Convert(Box::new(value)), ty, span);
        }
        if let ExprKind::Unsupported(reason) = value.kind {
            return self.unsupported(reason, ty, span);
        }
        let reason = format!(
            "a conversion of `{}` to `{}`",
            self.program.types.name(value.ty),
            self.program.types.name(ty)
        );
        self.unsupported(reason, ty, span)
    }

    /// The member `field` of `record`, reached from a place through anonymous members.
    pub fn member(&mut self, base: Place, record: RecordId, field: u32, span: Span) -> Place {
        let Some(path) = self.path_to(base.ty, record, field) else {
            let ty = self.program.types.records[record].fields[field as usize].ty;
            return self.unsupported_place("a member of another record", ty, span);
        };
        path.into_iter().fold(base, |base, (record, field)| {
            let ty = self.program.types.records[record].fields[field as usize].ty;
            self.place_at(
                PlaceKind::Member {
                    base: Box::new(base),
                    record,
                    field,
                },
                ty,
                span,
            )
        })
    }

    /// The members to go through from an object of type `from` to `field` of `record`.
    pub fn path_to(&self, from: TypeId, record: RecordId, field: u32) -> Option<Vec<(RecordId, u32)>> {
        let start = self.program.types.record_of(from)?;
        if start == record {
            return Some(vec![(record, field)]);
        }
        let fields = &self.program.types.records[start].fields;
        fields.iter().enumerate().find_map(|(index, member)| {
            if !member.name.is_empty() {
                return None;
            }
            let mut path = vec![(start, index as u32)];
            path.extend(self.path_to(member.ty, record, field)?);
            Some(path)
        })
    }
}
