//! How far an unknown function reaches through one of its arguments, by the argument's type.

use lariat_c_program::{CProgram, Expr, ExprKind, PlaceKind, Scalar};

use crate::graph::{Cell, Class, Graph, MemoryId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// The whole object and all that is reached from it.
    All,
    /// The member of so many bytes whose address is given, and all that is reached from there.
    Member(u64),
    /// Numbers of so many bytes, and nothing from there: `int *`.
    Numbers {
        bytes: u64,
        class: Class,
        /// It is the address of a member: just this number.
        is_member: bool,
    },
}

pub(crate) fn reach(program: &CProgram, arg: &Expr) -> Reach {
    let types = &program.types;
    let Some(pointee) = types.pointee(arg.ty) else {
        return Reach::All;
    };
    let Some(bytes) = types.size(pointee) else {
        return Reach::All;
    };
    let is_member = match &arg.kind {
        ExprKind::AddressOf(place) => matches!(place.kind, PlaceKind::Member { .. }) && place.ty == pointee,
        _ => false,
    };
    match types.scalar(pointee) {
        Some(Scalar::Int { bits, .. }) if bits > 8 => Reach::Numbers {
            bytes,
            class: Class::Int,
            is_member,
        },
        Some(Scalar::Float(kind)) => Reach::Numbers {
            bytes,
            class: Class::Float(kind),
            is_member,
        },
        None if is_member && types.record_of(pointee).is_some() => Reach::Member(bytes),
        _ => Reach::All,
    }
}

impl Graph {
    /// The roots that a function reaches through its arguments as a whole, and what the pointers point to that it can
    /// change.
    pub(crate) fn reached(&self, args: &[(Cell, Reach)]) -> (Vec<MemoryId>, Vec<Cell>) {
        let mut from = Vec::new();
        let mut stored = Vec::new();
        for &(cell, reach) in args {
            match reach {
                Reach::All => from.push(cell),
                Reach::Member(bytes) => {
                    let targets = self.targets_in(cell, bytes);
                    from.extend(targets.iter().copied());
                    stored.extend(targets);
                }
                Reach::Numbers { .. } => {}
            }
        }
        let roots = self.reachable(from);
        stored.extend(
            roots
                .iter()
                .flat_map(|&root| self.memory(root).edges.values().copied()),
        );
        (roots, stored)
    }
}
