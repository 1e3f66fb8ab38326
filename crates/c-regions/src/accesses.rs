//! Reading, writing and copying: accesses that become regions, and the pointers that go with them.

use lariat_c_program::{BitField, RecordId, Scalar, TypeId};

use crate::graph::{AccessInfo, AccessKey, Cell, Class};
use crate::layout::{Leaf, leaves, may_hold_address, stored_scalar};
use crate::values::Collector;

/// Where a scalar is and which field it is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub cell: Cell,
    pub bits: Option<BitField>,
    pub label: Option<(RecordId, u32)>,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Read,
    Write,
    /// By an initialiser with a constant, or as the target of a copy.
    Initialize,
    /// By an initialiser with another value.
    Define,
    /// As the source of a copy whose pointers are transferred.
    Copy,
    /// As the target of such a copy, or of a constant.
    Paste,
}

impl Collector<'_> {
    /// Records an access to a scalar.
    pub(crate) fn touch(&mut self, slot: Slot, scalar: Scalar, bytes: u64, how: Use) {
        let follows = may_hold_address(&self.program.types, scalar) && slot.bits.is_none();
        let (bits, signed) = match scalar {
            Scalar::Bool => (8, false),
            Scalar::Int { bits, signed } => (bits, signed),
            Scalar::Pointer => (self.program.types.machine.pointer_bits(), false),
            Scalar::Float(_) => (bytes as u32 * 8, true),
        };
        let info = AccessInfo {
            signed: u32::from(signed),
            unsigned: u32::from(!signed && scalar != Scalar::Pointer),
            pointers: u32::from(scalar == Scalar::Pointer),
            bytes,
            bits,
            reads: matches!(how, Use::Read | Use::Copy),
            writes: matches!(how, Use::Write | Use::Paste),
            initializes: matches!(how, Use::Initialize | Use::Define),
            exposes: !follows && how == Use::Read,
            forges: !follows && matches!(how, Use::Write | Use::Define),
            label: slot.label,
        };
        self.graph
            .access(slot.cell, access_key(scalar, bytes, slot.bits), info);
    }

    pub(crate) fn touch_raw(&mut self, cell: Cell, bytes: u64) {
        let key = AccessKey {
            offset: 0,
            shift: 0,
            width: bytes.saturating_mul(8),
            class: Class::Raw,
        };
        let info = AccessInfo {
            bytes: 1,
            bits: 8,
            unsigned: 1,
            reads: true,
            writes: true,
            ..AccessInfo::default()
        };
        self.graph.access(cell, key, info);
    }

    pub(crate) fn load(&mut self, slot: Slot, ty: TypeId) -> Option<Cell> {
        let (scalar, bytes) = stored_scalar(&self.program.types, ty)?;
        self.touch(slot, scalar, bytes, Use::Read);
        self.content(slot, scalar, bytes)
    }

    /// What the scalar there points to.
    fn content(&mut self, slot: Slot, scalar: Scalar, bytes: u64) -> Option<Cell> {
        if !may_hold_address(&self.program.types, scalar) {
            return None;
        }
        if slot.bits.is_some() {
            // A bit-field is not followed: what comes out may be any address that went into one.
            let cell = self.graph.fresh();
            self.graph.set_forged(cell);
            return Some(cell);
        }
        let target = self.graph.edge(slot.cell);
        let pointer = self.graph.pointer_bytes();
        for part in 1..bytes.div_ceil(pointer) {
            let other = self.graph.edge(slot.cell.plus((part * pointer) as i64));
            self.graph.unify(target, other);
        }
        Some(target)
    }

    pub(crate) fn store(&mut self, slot: Slot, ty: TypeId, value: Option<Cell>, how: Use) {
        let Some((scalar, bytes)) = stored_scalar(&self.program.types, ty) else {
            return;
        };
        self.touch(slot, scalar, bytes, how);
        let Some(value) = value else { return };
        if slot.bits.is_some() {
            self.graph.set_exposed(value);
        } else if let Some(target) = self.content(slot, scalar, bytes) {
            self.graph.unify(target, value);
        }
    }

    /// All scalars of a record are read or written at once.
    pub(crate) fn touch_record(&mut self, cell: Cell, ty: TypeId, how: Use) {
        let parts = leaves(&self.program.types, ty);
        self.touch_leaves(cell, &parts, how);
    }

    fn touch_leaves(&mut self, cell: Cell, parts: &[Leaf], how: Use) {
        for part in parts {
            match part {
                Leaf::Scalar {
                    offset,
                    scalar,
                    bytes,
                    bits,
                    label,
                } => {
                    let slot = Slot {
                        cell: cell.plus(*offset as i64),
                        bits: *bits,
                        label: *label,
                    };
                    self.touch(slot, *scalar, *bytes, how);
                }
                Leaf::Raw { offset, bytes } => self.touch_raw(cell.plus(*offset as i64), *bytes),
                Leaf::Repeat {
                    offset,
                    stride,
                    element,
                } => {
                    self.graph.fold(cell, *stride);
                    self.touch_leaves(cell.plus(*offset as i64), element, how);
                }
            }
        }
    }

    pub(crate) fn copy_record(&mut self, target: Cell, source: Cell, ty: TypeId) {
        self.touch_record(source, ty, Use::Copy);
        self.touch_record(target, ty, Use::Initialize);
        if let Some(size) = self.program.types.size(ty) {
            self.transfers.push((target, source, size));
        }
    }
}

pub(crate) fn access_key(scalar: Scalar, bytes: u64, bits: Option<BitField>) -> AccessKey {
    AccessKey {
        offset: 0,
        shift: bits.map_or(0, |bits| bits.shift),
        width: bits.map_or(bytes * 8, |bits| u64::from(bits.width)),
        class: Class::of(scalar),
    }
}
