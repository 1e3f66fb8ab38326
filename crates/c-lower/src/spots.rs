//! Where values are: parts of split variables, and regions of memory.

use std::collections::BTreeSet;

use lariat_c_program::{CProgram, FunctionId, GlobalId, LocalId, Place, PlaceKind, Scalar, TypeId};
use lariat_c_regions::{Access, RegionId, Regions, Variable};

use crate::layout::{scalar_bytes, scalar_of};

/// The program that effects are computed in, and the function at hand.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub c: &'a CProgram,
    pub regions: &'a Regions,
    pub function: FunctionId,
}

/// Something that holds values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Holder {
    /// A split variable of the function at hand.
    Local(LocalId),
    /// A split variable with static storage.
    Global(GlobalId),
    Region(RegionId),
}

/// Part of a holder, in bits; of a region always all of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    pub holder: Holder,
    start: u64,
    end: u64,
}

impl Spot {
    pub fn all(holder: Holder) -> Self {
        Spot {
            holder,
            start: 0,
            end: u64::MAX,
        }
    }

    pub fn meets(&self, other: &Spot) -> bool {
        self.holder == other.holder && self.start < other.end && other.start < self.end
    }
}

/// What an access to a place touches.
pub fn spots(scene: Scene<'_>, place: &Place) -> BTreeSet<Spot> {
    if let Some((holder, offset)) = split_part(scene, place) {
        let types = &scene.c.types;
        let start = offset * 8;
        let spot = match bits_of(scene, place) {
            Some((shift, width)) => Spot {
                holder,
                start: start + u64::from(shift),
                end: start + u64::from(shift) + u64::from(width),
            },
            None => Spot {
                holder,
                start,
                end: start + types.size(place.ty).unwrap_or(1) * 8,
            },
        };
        return BTreeSet::from([spot]);
    }
    if matches!(place.kind, PlaceKind::Temporary(_)) {
        return BTreeSet::new();
    }
    let cell = scene.regions.place(scene.c, Some(scene.function), place);
    let regions = match scalar_of(&scene.c.types, place.ty) {
        Some(scalar) => scalar_regions(scene, place, scalar, place.ty),
        None => scene.regions.object_regions(cell),
    };
    let holders = regions.into_iter().map(Holder::Region);
    holders.map(Spot::all).collect()
}

fn scalar_regions(scene: Scene<'_>, place: &Place, scalar: Scalar, ty: TypeId) -> Vec<RegionId> {
    let cell = scene.regions.place(scene.c, Some(scene.function), place);
    let bytes = scalar_bytes(&scene.c.types, ty);
    let bits = match place.kind {
        PlaceKind::Member { record, field, .. } => scene.c.types.records[record].fields[field as usize].bits,
        _ => None,
    };
    match scene.regions.find_access(cell, scalar, bytes, bits) {
        Some(Access::Word(region) | Access::Bytes(region)) => vec![region],
        None => Vec::new(),
    }
}

fn bits_of(scene: Scene<'_>, place: &Place) -> Option<(u32, u32)> {
    match place.kind {
        PlaceKind::Member { record, field, .. } => scene.c.types.records[record].fields[field as usize]
            .bits
            .map(|bits| (bits.shift, bits.width)),
        _ => None,
    }
}

/// The split variable that a place is part of, and the offset in bytes.
fn split_part(scene: Scene<'_>, place: &Place) -> Option<(Holder, u64)> {
    match &place.kind {
        PlaceKind::Local(local) | PlaceKind::CompoundLiteral { local, .. } => scene
            .regions
            .is_split(Variable::Local(scene.function, *local))
            .then_some((Holder::Local(*local), 0)),
        PlaceKind::Global(global) => scene
            .regions
            .is_split(Variable::Global(*global))
            .then_some((Holder::Global(*global), 0)),
        PlaceKind::Member { base, record, field } => {
            let (holder, offset) = split_part(scene, base)?;
            let field = &scene.c.types.records[*record].fields[*field as usize];
            Some((holder, offset + field.offset))
        }
        _ => None,
    }
}
