//! Types of clang.

use clang_sys::*;

use super::Unit;
use super::cursor::Cursor;
use super::functions::Functions;

/// A type, with its typedefs and qualifiers.
#[derive(Clone, Copy)]
pub struct Type<'u> {
    unit: &'u Unit<'u>,
    raw: CXType,
}

extern "C" fn collect_field(field: CXCursor, list: CXClientData) -> CXVisitorResult {
    // SAFETY: `Type::fields` passes its list, which nothing else uses meanwhile.
    unsafe { &mut *list.cast::<Vec<CXCursor>>() }.push(field);
    CXVisit_Continue
}

// SAFETY of all blocks below: a type belongs to its unit, which is live, and libclang accepts any of them for any of these
// functions.
impl<'u> Type<'u> {
    pub(super) fn new(unit: &'u Unit<'u>, raw: CXType) -> Self {
        Type { unit, raw }
    }

    fn functions(self) -> &'u Functions {
        &self.unit.clang.functions
    }

    pub fn kind(self) -> CXTypeKind {
        self.raw.kind
    }

    /// As a key: equal only for the same type, written the same.
    pub fn key(self) -> usize {
        self.raw.data[0] as usize
    }

    pub fn canonical(self) -> Type<'u> {
        Type {
            unit: self.unit,
            raw: unsafe { (self.functions().type_canonical)(self.raw) },
        }
    }

    pub fn spelling(self) -> String {
        self.unit
            .clang
            .text(unsafe { (self.functions().type_spelling)(self.raw) })
    }

    pub fn pointee(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_pointee)(self.raw) })
    }

    pub fn array_element(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_array_element)(self.raw) })
    }

    pub fn array_length(self) -> Option<u64> {
        u64::try_from(unsafe { (self.functions().type_array_size)(self.raw) }).ok()
    }

    pub fn result(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_result)(self.raw) })
    }

    pub fn arguments(self) -> Vec<Type<'u>> {
        let count = unsafe { (self.functions().type_arg_count)(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            .filter_map(|index| {
                self.unit
                    .some_type(unsafe { (self.functions().type_arg)(self.raw, index) })
            })
            .collect()
    }

    pub fn is_variadic(self) -> bool {
        unsafe { (self.functions().type_variadic)(self.raw) != 0 }
    }

    /// In bytes. Only for records, which have no placeholder types, on whose size libclang crashes.
    pub fn record_layout(self) -> Option<(u64, u64)> {
        if self.raw.kind != CXType_Record {
            return None;
        }
        let size = unsafe { (self.functions().type_size)(self.raw) };
        let align = unsafe { (self.functions().type_align)(self.raw) };
        Some((u64::try_from(size).ok()?, u64::try_from(align).ok()?))
    }

    pub fn declaration(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().type_declaration)(self.raw) })
    }

    pub fn named(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_named)(self.raw) })
    }

    pub fn atomic_value(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_value)(self.raw) })
    }

    pub fn is_const(self) -> bool {
        unsafe { (self.functions().type_is_const)(self.raw) != 0 }
    }

    pub fn is_volatile(self) -> bool {
        unsafe { (self.functions().type_is_volatile)(self.raw) != 0 }
    }

    pub fn fields(self) -> Vec<Cursor<'u>> {
        let mut raw: Vec<CXCursor> = Vec::new();
        unsafe { (self.functions().type_fields)(self.raw, collect_field, (&raw mut raw).cast()) };
        raw.into_iter().map(|raw| self.unit.cursor(raw)).collect()
    }
}
