//! The operators of terms. Literals, quantifiers and theory operators are interned in the
//! pool, so an operator is small and `Copy`.

use cranelift_entity::entity_impl;

use crate::pool::{FunId, VarId};
use crate::sort::{DatatypeId, SortId};

/// An interned integer, rational or bit pattern.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberId(u32);
entity_impl!(NumberId, "number");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringId(u32);
entity_impl!(StringId, "string");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuantifierId(u32);
entity_impl!(QuantifierId, "quantifier");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TheoryId(u32);
entity_impl!(TheoryId, "theory");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QuantifierKind {
    Forall,
    Exists,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    // Leaves.
    Bool(bool),
    /// An integer; its number is a whole one.
    Int(NumberId),
    Real(NumberId),
    /// A bit-vector literal, unsigned; the width is in the sort.
    Bv(NumberId),
    /// IEEE bits as an unsigned number; the format is in the sort.
    Float(NumberId),
    RoundingMode(RoundingMode),
    String(StringId),
    /// Any variable: of the program, an incarnation, or bound by a quantifier.
    Var(VarId),

    // Core.
    Not,
    /// At least two arguments, none of them a conjunction.
    And,
    /// At least two arguments, none of them a disjunction.
    Or,
    /// Of two terms of one sort; on `Bool` it is equivalence.
    Eq,
    /// Pairwise distinct.
    Distinct,
    Ite,

    // Integers and reals (both arguments of one sort).
    /// At least two arguments, none of them a sum; a literal comes last.
    Add,
    /// Two arguments.
    Mul,
    /// SMT-LIB `div`: rounds so that the remainder is not negative. By zero: any value.
    IntDiv,
    /// SMT-LIB `mod`: never negative. By zero: any value.
    Mod,
    RealDiv,
    Pow,
    Le,
    Lt,
    ToReal,
    /// Floor.
    ToInt,

    Bv2(BvOp),

    // Maps: the map, then its indices, then for `Store` the value.
    Select,
    Store,
    /// The map of this sort that is everywhere its argument.
    ConstArray(SortId),

    Construct {
        datatype: DatatypeId,
        constructor: u32,
    },
    /// Any value on other constructors.
    Field {
        datatype: DatatypeId,
        constructor: u32,
        field: u32,
    },
    Is {
        datatype: DatatypeId,
        constructor: u32,
    },

    /// An uninterpreted function.
    Apply(FunId),
    /// An operator that only the solver knows, by its SMT-LIB name.
    Theory(TheoryId),
    Quantifier(QuantifierId),
}

/// Bit-vector operators of SMT-LIB, with its meaning of division by zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BvOp {
    Concat,
    /// Bits `lo` to `hi`, both inclusive as in SMT-LIB.
    Extract {
        hi: u32,
        lo: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    RotateLeft(u32),
    RotateRight(u32),
    Repeat(u32),
    Not,
    Neg,
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// One bit: equal?
    Comp,
    /// From `Int`, modulo 2^width.
    FromInt(u32),
    /// To `Int`, unsigned.
    ToNat,
    /// To `Int`, two's complement.
    ToInt,
}

/// An operator known to the solver only: floating point, strings, regular expressions and
/// whatever `{:builtin}` names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TheoryOp {
    /// As SMT-LIB writes it, with its indices: `fp.add`, `(_ fp.to_sbv 32)`, `str.++`.
    pub name: String,
    pub args: Vec<SortId>,
    pub result: SortId,
}
