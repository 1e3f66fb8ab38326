//! Types of clang to types of the program.
//!
//! Invariants: a record is made once, however many translation units declare it, if its tag and layout agree; an incomplete
//! record is the same as the complete one of its tag, if that exists.

use std::fmt::Write as _;
use std::sync::Arc;

use clang_sys::*;
use lariat_c_program::{
    BitField, EnumId, Enumeration, Field, FloatKind, FunctionType, IntKind, Machine, Record, RecordId, Type,
    TypeId,
};
use rustc_hash::FxHashMap;

use crate::clang;
use crate::session::Session;

/// What is known of the types of all units, by clang's keys.
#[derive(Default)]
pub struct TypeTable {
    types: FxHashMap<usize, TypeId>,
    records: FxHashMap<usize, RecordId>,
    enums: FxHashMap<usize, EnumId>,
    /// Where a field's declaration went.
    pub fields: FxHashMap<usize, (RecordId, u32)>,
    by_signature: FxHashMap<String, RecordId>,
    enums_by_signature: FxHashMap<String, EnumId>,
    incomplete: FxHashMap<String, RecordId>,
    complete: FxHashMap<String, RecordId>,
}

impl<'u> Session<'u, '_> {
    pub fn int_type(&mut self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }

    /// `size_t`.
    pub fn size_type(&mut self) -> TypeId {
        let kind = match self.program.types.machine {
            Machine::Lp64 => IntKind::ULong,
            Machine::Ilp32 => IntKind::UInt,
        };
        self.program.types.int(kind)
    }

    pub fn unsupported_type(&mut self, name: &str) -> TypeId {
        self.program.types.intern(Type::Unsupported(name.into()))
    }

    /// The type of a cursor; of one that has none, an unsupported type.
    pub fn type_of(&mut self, cursor: clang::Cursor<'u>) -> TypeId {
        match cursor.ty() {
            Some(ty) => self.ty(ty),
            None => self.unsupported_type("a type that clang does not know"),
        }
    }

    pub fn ty(&mut self, ty: clang::Type<'u>) -> TypeId {
        if let Some(&known) = self.types.types.get(&ty.key()) {
            return known;
        }
        let made = stacker::maybe_grow(64 << 10, 1 << 20, || self.make_type(ty));
        self.types.types.insert(ty.key(), made);
        made
    }

    fn make_type(&mut self, ty: clang::Type<'u>) -> TypeId {
        if let Some(kind) = int_kind(ty.kind()) {
            return self.program.types.int(kind);
        }
        let made = match ty.kind() {
            CXType_Void => Type::Void,
            CXType_Bool => Type::Bool,
            CXType_Float => Type::Float(FloatKind::Float),
            CXType_Double => Type::Float(FloatKind::Double),
            CXType_LongDouble => Type::Float(FloatKind::LongDouble),
            CXType_Pointer | CXType_LValueReference => match ty.pointee() {
                Some(pointee) => Type::Pointer(self.ty(pointee)),
                None => return self.no_type(ty),
            },
            CXType_ConstantArray | CXType_IncompleteArray => {
                let Some(element) = ty.array_element().map(|element| self.ty(element)) else {
                    return self.no_type(ty);
                };
                if *self.program.types.get(element) == Type::VaList && ty.array_length() == Some(1) {
                    return element;
                }
                Type::Array {
                    element,
                    length: if ty.kind() == CXType_ConstantArray {
                        ty.array_length()
                    } else {
                        None
                    },
                }
            }
            CXType_VariableArray => match ty.array_element() {
                Some(element) => Type::VariableArray {
                    element: self.ty(element),
                },
                None => return self.no_type(ty),
            },
            CXType_FunctionProto | CXType_FunctionNoProto => {
                let Some(result) = ty.result().map(|result| self.ty(result)) else {
                    return self.no_type(ty);
                };
                let prototyped = ty.kind() == CXType_FunctionProto;
                Type::Function(FunctionType {
                    result,
                    params: ty
                        .arguments()
                        .into_iter()
                        .map(|param| {
                            let written = self.ty(param);
                            self.decayed(written)
                        })
                        .collect(),
                    variadic: prototyped && ty.is_variadic(),
                    prototyped,
                })
            }
            CXType_Atomic => match ty.atomic_value() {
                Some(value) => return self.ty(value),
                None => return self.no_type(ty),
            },
            CXType_Elaborated => match ty.named() {
                Some(named) => return self.ty(named),
                None => return self.no_type(ty),
            },
            CXType_Typedef => {
                let Some(declaration) = ty.declaration() else {
                    return self.no_type(ty);
                };
                if declaration.spelling() == "__builtin_va_list" {
                    Type::VaList
                } else {
                    match declaration.typedef_type() {
                        Some(aliased) => return self.ty(aliased),
                        None => return self.no_type(ty),
                    }
                }
            }
            CXType_Record => return self.record_type(ty),
            CXType_Enum => return self.enum_type(ty),
            _ => {
                let canonical = ty.canonical();
                if canonical.key() == ty.key() || canonical.kind() == CXType_Invalid {
                    return self.no_type(ty);
                }
                return self.ty(canonical);
            }
        };
        self.program.types.intern(made)
    }

    /// The type of a value: libclang gives the array where a pointer is meant, as a parameter was written.
    pub fn value_type(&mut self, cursor: clang::Cursor<'u>) -> TypeId {
        let written = self.type_of(cursor);
        self.decayed(written)
    }

    /// The type of a value of a place of this type.
    pub fn decayed(&mut self, written: TypeId) -> TypeId {
        match *self.program.types.get(written) {
            Type::Array { element, .. } | Type::VariableArray { element } => {
                self.program.types.pointer_to(element)
            }
            Type::Function(_) => self.program.types.pointer_to(written),
            // On x86-64 a `va_list` is an array.
            Type::VaList if self.program.types.machine == Machine::Lp64 => {
                self.program.types.pointer_to(written)
            }
            _ => written,
        }
    }

    fn no_type(&mut self, ty: clang::Type<'u>) -> TypeId {
        self.unsupported_type(&ty.spelling())
    }

    fn record_type(&mut self, ty: clang::Type<'u>) -> TypeId {
        let Some(declaration) = ty.declaration() else {
            return self.no_type(ty);
        };
        if declaration.spelling() == "__va_list_tag" {
            return self.program.types.intern(Type::VaList);
        }
        let key = declaration.canonical().declaration_key();
        let record = match self.types.records.get(&key) {
            Some(&record) => record,
            None => self.make_record(ty.canonical(), declaration, key),
        };
        self.program.types.intern(Type::Record(record))
    }

    fn make_record(&mut self, ty: clang::Type<'u>, declaration: clang::Cursor<'u>, key: usize) -> RecordId {
        let definition = declaration.definition().unwrap_or(declaration);
        let is_union = definition.kind() == CXCursor_UnionDecl;
        let name = self.tag_name(ty, definition);
        let tag = format!("{is_union} {name}");
        let new_record = Record {
            name: name.as_str().into(),
            is_union,
            fields: Vec::new(),
            size: None,
            align: 1,
        };
        let Some((size, align)) = ty.record_layout() else {
            let known = self.types.complete.get(&tag).or(self.types.incomplete.get(&tag));
            let record = match known {
                Some(&record) => record,
                None => self.program.types.records.push(new_record),
            };
            self.types.incomplete.entry(tag).or_insert(record);
            self.types.records.insert(key, record);
            return record;
        };

        // An unnamed bit-field is no member.
        let mut fields = ty.fields();
        fields.retain(|field| field.bit_width().is_none() || !field.spelling().is_empty());
        let mut signature = format!("{tag} {size} {align}");
        for field in &fields {
            let spelling = field.ty().map(|ty| ty.canonical().spelling()).unwrap_or_default();
            // Writing to a string does not fail.
            let _ = write!(
                signature,
                ";{} {spelling} {:?} {:?}",
                field.spelling(),
                field.field_offset(),
                field.bit_width()
            );
        }
        if let Some(&record) = self.types.by_signature.get(&signature) {
            self.types.records.insert(key, record);
            for (index, field) in fields.iter().enumerate() {
                self.types
                    .fields
                    .insert(field.declaration_key(), (record, index as u32));
            }
            // The records inside are declared anew in this file too.
            for field in fields {
                self.type_of(field);
            }
            return record;
        }
        let open = self
            .types
            .incomplete
            .remove(&tag)
            .filter(|&record| self.program.types.records[record].size.is_none());
        let record = match open {
            Some(record) => record,
            None => self.program.types.records.push(new_record),
        };
        // A field may point to this record, so it is known before its fields are made.
        self.types.records.insert(key, record);
        self.types.by_signature.insert(signature, record);
        self.types.complete.entry(tag).or_insert(record);
        for field in fields {
            let made = self.make_field(field, size);
            let list = &mut self.program.types.records[record].fields;
            self.types
                .fields
                .insert(field.declaration_key(), (record, list.len() as u32));
            list.push(made);
        }
        let made = &mut self.program.types.records[record];
        made.size = Some(size);
        made.align = align;
        record
    }

    fn make_field(&mut self, field: clang::Cursor<'u>, record_size: u64) -> Field {
        let ty = self.type_of(field);
        let at = field.field_offset().unwrap_or(0);
        let name = Some(field.spelling()).filter(|name| !name.contains('('));
        let (offset, bits) = match field.bit_width() {
            None => (at / 8, None),
            Some(width) => {
                let unit = self.program.types.size(ty).unwrap_or(1).max(1);
                let unit_start = at / (8 * unit) * unit;
                let unit_end = unit_start + unit;
                if at + u64::from(width) <= unit_end * 8 && unit_end <= record_size {
                    let shift = (at - unit_start * 8) as u32;
                    (unit_start, Some(BitField { shift, width }))
                } else {
                    let shift = (at % 8) as u32;
                    (at / 8, Some(BitField { shift, width }))
                }
            }
        };
        Field {
            name: name.unwrap_or_default().as_str().into(),
            ty,
            offset,
            bits,
            is_const: crate::session::is_const(field),
        }
    }

    /// The tag, the typedef's name if there is none, or a name from its place.
    fn tag_name(&mut self, ty: clang::Type<'u>, declaration: clang::Cursor<'u>) -> String {
        let name = declaration.spelling();
        if !name.is_empty() && !name.contains('(') {
            return name;
        }
        let spelling = ty.spelling();
        if !spelling.contains('(') {
            let word = spelling.rsplit(' ').next().unwrap_or_default();
            if !word.is_empty() {
                return word.to_owned();
            }
        }
        let span = self.span(declaration);
        let (line, column) = self.sources.line_column(span);
        format!("<unnamed at {line}:{column}>")
    }

    fn enum_type(&mut self, ty: clang::Type<'u>) -> TypeId {
        let Some(declaration) = ty.declaration() else {
            return self.no_type(ty);
        };
        let key = declaration.canonical().declaration_key();
        if let Some(&known) = self.types.enums.get(&key) {
            return self.program.types.intern(Type::Enum(known));
        }
        let definition = declaration.definition().unwrap_or(declaration);
        let underlying = definition
            .enum_type()
            .and_then(|ty| int_kind(ty.canonical().kind()))
            .unwrap_or(IntKind::UInt);
        let constants: Vec<(Arc<str>, i128)> = definition
            .children()
            .into_iter()
            .filter(|child| child.kind() == CXCursor_EnumConstantDecl)
            .map(|child| {
                (
                    child.spelling().as_str().into(),
                    child.enum_value(underlying.signed()),
                )
            })
            .collect();
        let name = self.tag_name(ty.canonical(), definition);
        let signature = format!("{name} {underlying:?} {constants:?}");
        let id = match self.types.enums_by_signature.get(&signature) {
            Some(&known) => known,
            None => self.program.types.enums.push(Enumeration {
                name: name.as_str().into(),
                underlying,
                constants,
            }),
        };
        self.types.enums_by_signature.insert(signature, id);
        self.types.enums.insert(key, id);
        self.program.types.intern(Type::Enum(id))
    }
}

fn int_kind(kind: CXTypeKind) -> Option<IntKind> {
    Some(match kind {
        CXType_Char_S | CXType_Char_U => IntKind::Char,
        CXType_SChar => IntKind::SChar,
        CXType_UChar => IntKind::UChar,
        CXType_Short => IntKind::Short,
        CXType_UShort | CXType_Char16 => IntKind::UShort,
        CXType_Int | CXType_WChar => IntKind::Int,
        CXType_UInt | CXType_Char32 => IntKind::UInt,
        CXType_Long => IntKind::Long,
        CXType_ULong => IntKind::ULong,
        CXType_LongLong => IntKind::LongLong,
        CXType_ULongLong => IntKind::ULongLong,
        CXType_Int128 => IntKind::Int128,
        CXType_UInt128 => IntKind::UInt128,
        _ => return None,
    })
}
