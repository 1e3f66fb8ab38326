//! C types with their layout.
//!
//! Invariants: types are interned, so equal types of one program have equal ids; every complete object type has its
//! size and alignment in bytes as the target's ABI has them; a record's fields are in the order of their declaration
//! with offsets as the ABI has them.

use std::sync::Arc;

use cranelift_entity::{PrimaryMap, entity_impl};
pub use lariat_options::Machine;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u32);
entity_impl!(RecordId, "record");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumId(u32);
entity_impl!(EnumId, "enum");

/// The integer types of C. `Char` is plain `char`, which is signed on our targets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    pub fn bits(self, machine: Machine) -> u32 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => machine.pointer_bits(),
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
        }
    }

    pub fn signed(self) -> bool {
        matches!(
            self,
            IntKind::Char
                | IntKind::SChar
                | IntKind::Short
                | IntKind::Int
                | IntKind::Long
                | IntKind::LongLong
                | IntKind::Int128
        )
    }

    /// As C writes it.
    pub fn name(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    Float,
    Double,
    /// The 80-bit format of the x87.
    LongDouble,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    Int(IntKind),
    Enum(EnumId),
    Float(FloatKind),
    Pointer(TypeId),
    /// `None`: an incomplete array, or a flexible member at the end of a record.
    Array {
        element: TypeId,
        length: Option<u64>,
    },
    /// An array whose length is computed when its declaration is reached. A pointer to it knows the
    /// element only; the sizes of multi-dimensional ones are computed by the reader's expressions.
    VariableArray {
        element: TypeId,
    },
    Record(RecordId),
    Function(FunctionType),
    /// `va_list`.
    VaList,
    /// A type that Lariat does not model (`_Complex`, vectors); its name.
    Unsupported(Arc<str>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub result: TypeId,
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// Declared with a parameter list; otherwise (`int f()`) any arguments may be given.
    pub prototyped: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, or what the reader calls an anonymous one.
    pub name: Arc<str>,
    pub is_union: bool,
    pub fields: Vec<Field>,
    /// In bytes; `None` for an incomplete record.
    pub size: Option<u64>,
    pub align: u64,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// Empty for an anonymous record.
    pub name: Arc<str>,
    pub ty: TypeId,
    /// In bytes. For a bit-field, the offset of the smallest naturally aligned unit of the declared type that holds
    /// it; where it crosses such units or they exceed the record (packed records), of its first byte.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub is_const: bool,
}

/// Where a bit-field lies: `width` bits from bit `shift` of the little-endian number that starts at the field's offset.
/// `shift + width` may exceed the bits of the declared type only in packed records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    pub shift: u32,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Enumeration {
    pub name: Arc<str>,
    pub underlying: IntKind,
    /// In the order of the declaration.
    pub constants: Vec<(Arc<str>, i128)>,
}

/// What a value that fits a register is, without names: what arithmetic needs to know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// 0 or 1.
    Bool,
    Int {
        bits: u32,
        signed: bool,
    },
    Pointer,
    Float(FloatKind),
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    pub machine: Machine,
    types: PrimaryMap<TypeId, Type>,
    interned: FxHashMap<Type, TypeId>,
    pub records: PrimaryMap<RecordId, Record>,
    pub enums: PrimaryMap<EnumId, Enumeration>,
}

impl Types {
    pub fn new(machine: Machine) -> Self {
        Types {
            machine,
            types: PrimaryMap::new(),
            interned: FxHashMap::default(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
        }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    pub fn ids(&self) -> impl Iterator<Item = TypeId> + '_ {
        self.types.keys()
    }

    /// The id of a type that the program has.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.interned.get(ty).copied()
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    pub fn pointer_to(&mut self, pointee: TypeId) -> TypeId {
        self.intern(Type::Pointer(pointee))
    }

    /// What arithmetic sees; `None` for types that are no scalars.
    pub fn scalar(&self, id: TypeId) -> Option<Scalar> {
        Some(match self.get(id) {
            Type::Bool => Scalar::Bool,
            Type::Int(kind) => self.int_scalar(*kind),
            Type::Enum(id) => self.int_scalar(self.enums[*id].underlying),
            Type::Float(kind) => Scalar::Float(*kind),
            Type::Pointer(_) => Scalar::Pointer,
            Type::Void
            | Type::Array { .. }
            | Type::VariableArray { .. }
            | Type::Record(_)
            | Type::Function(_)
            | Type::VaList
            | Type::Unsupported(_) => return None,
        })
    }

    pub fn int_scalar(&self, kind: IntKind) -> Scalar {
        Scalar::Int {
            bits: kind.bits(self.machine),
            signed: kind.signed(),
        }
    }

    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(pointee) => Some(*pointee),
            _ => None,
        }
    }

    pub fn record_of(&self, id: TypeId) -> Option<RecordId> {
        match self.get(id) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// The size in bytes; `None` for incomplete and variable types. As in GNU C, `void` and functions have size 1.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Function(_) | Type::Bool => Some(1),
            Type::Int(kind) => Some(u64::from(kind.bits(self.machine) / 8)),
            Type::Enum(id) => Some(u64::from(self.enums[*id].underlying.bits(self.machine) / 8)),
            Type::Float(kind) => Some(self.float_layout(*kind).0),
            Type::Pointer(_) => Some(self.machine.pointer_bytes()),
            Type::Array { element, length } => self.size(*element)?.checked_mul((*length)?),
            Type::VariableArray { .. } | Type::Unsupported(_) => None,
            Type::Record(id) => self.records[*id].size,
            Type::VaList => Some(match self.machine {
                Machine::Lp64 => 24,
                Machine::Ilp32 => 4,
            }),
        }
    }

    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Function(_) | Type::Bool | Type::Unsupported(_) => 1,
            Type::Int(kind) => self.int_align(*kind),
            Type::Enum(id) => self.int_align(self.enums[*id].underlying),
            Type::Float(kind) => self.float_layout(*kind).1,
            Type::Pointer(_) | Type::VaList => self.machine.pointer_bytes(),
            Type::Array { element, .. } | Type::VariableArray { element } => self.align(*element),
            Type::Record(id) => self.records[*id].align,
        }
    }

    /// On i386 a 64-bit integer inside a record is aligned to 4 bytes; that of a variable does not matter here.
    fn int_align(&self, kind: IntKind) -> u64 {
        let bytes = u64::from(kind.bits(self.machine) / 8);
        match self.machine {
            Machine::Lp64 => bytes,
            Machine::Ilp32 => bytes.min(4),
        }
    }

    fn float_layout(&self, kind: FloatKind) -> (u64, u64) {
        match (kind, self.machine) {
            (FloatKind::Float, _) => (4, 4),
            (FloatKind::Double, Machine::Lp64) => (8, 8),
            (FloatKind::Double, Machine::Ilp32) => (8, 4),
            (FloatKind::LongDouble, Machine::Lp64) => (16, 16),
            (FloatKind::LongDouble, Machine::Ilp32) => (12, 4),
        }
    }

    /// As C writes it, without qualifiers.
    pub fn name(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int(kind) => kind.name().into(),
            Type::Enum(id) => format!("enum {}", self.enums[*id].name),
            Type::Float(FloatKind::Float) => "float".into(),
            Type::Float(FloatKind::Double) => "double".into(),
            Type::Float(FloatKind::LongDouble) => "long double".into(),
            Type::Pointer(_) | Type::Array { .. } | Type::VariableArray { .. } | Type::Function(_) => {
                self.declarator(id, "")
            }
            Type::Record(id) => {
                let record = &self.records[*id];
                let keyword = if record.is_union { "union" } else { "struct" };
                format!("{keyword} {}", record.name)
            }
            Type::VaList => "va_list".into(),
            Type::Unsupported(name) => name.to_string(),
        }
    }

    /// A declaration of `inner` (a name, or empty) with this type.
    pub fn declarator(&self, id: TypeId, inner: &str) -> String {
        match self.get(id) {
            Type::Array { element, length } => {
                let length = length.map(|n| n.to_string()).unwrap_or_default();
                self.declarator(*element, &format!("{inner}[{length}]"))
            }
            Type::VariableArray { element } => self.declarator(*element, &format!("{inner}[*]")),
            Type::Function(function) => {
                let mut params: Vec<String> = function.params.iter().map(|&param| self.name(param)).collect();
                if function.variadic {
                    params.push("...".into());
                }
                if params.is_empty() && function.prototyped {
                    params.push("void".into());
                }
                self.declarator(function.result, &format!("{inner}({})", params.join(", ")))
            }
            Type::Pointer(pointee) => match self.get(*pointee) {
                Type::Function(_) | Type::Array { .. } | Type::VariableArray { .. } => {
                    self.declarator(*pointee, &format!("(*{inner})"))
                }
                _ => self.declarator(*pointee, &format!("*{inner}")),
            },
            _ if inner.is_empty() => self.name(id),
            _ => format!("{} {inner}", self.name(id)),
        }
    }
}
