//! Procedures in the form that a run executes: a machine with registers.
//!
//! A register is a variable, a literal or an intermediate result. Expressions write registers and jump
//! forwards; statements change the state of the program. Everything with a variable number of parts lies
//! in a table of the procedure, so that instructions are small.

use std::cmp::Ordering;
use std::sync::Arc;

use lariat_ir::{AssertId, BlockId, StmtId, ThreadPrimitive};
use lariat_term::{BvOp, SortId, VarId};
use smallvec::SmallVec;

use crate::float::FloatOperator;

/// From 0 on: of the running activation (parameters, outs, locals, intermediate results, in this order).
/// Below: `!index` of what all share (globals, constants, literals).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reg(i32);

impl Reg {
    pub fn local(slot: usize) -> Reg {
        Reg(slot as i32)
    }

    pub fn shared(index: usize) -> Reg {
        Reg(!(index as i32))
    }

    pub fn place(self) -> Place {
        match self.0 < 0 {
            true => Place::Shared(!self.0 as usize),
            false => Place::Local(self.0 as usize),
        }
    }

    /// In one vector where the shared ones come first.
    #[inline(always)]
    pub fn index(self, base: usize) -> usize {
        match self.0 < 0 {
            true => !self.0 as usize,
            false => base + self.0 as usize,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Local(usize),
    Shared(usize),
}

/// An index into a table of the procedure.
pub(super) type TableIndex = u32;

#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    // ---- expressions: the result goes to the register `to` ----
    Move {
        to: Reg,
        from: Reg,
    },
    Add {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    AddNumber {
        to: Reg,
        a: Reg,
        number: i64,
    },
    Mul {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// By 2^bits, with bits < 127.
    DivPower {
        to: Reg,
        a: Reg,
        bits: u8,
    },
    ModPower {
        to: Reg,
        a: Reg,
        bits: u8,
    },
    /// The product modulo 2^bits.
    MulModPower {
        to: Reg,
        a: Reg,
        b: Reg,
        bits: u8,
    },
    Compare {
        relation: Relation,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Not {
        to: Reg,
        a: Reg,
    },
    Select {
        to: Reg,
        map: Reg,
        index: Reg,
    },
    /// At several indices.
    SelectMany {
        to: Reg,
        map: Reg,
        indices: TableIndex,
    },
    /// The list has the indices, then the value.
    Store {
        to: Reg,
        map: Reg,
        list: TableIndex,
    },
    ConstMap {
        to: Reg,
        element: Reg,
    },
    BitVector {
        to: Reg,
        operator: TableIndex,
        args: TableIndex,
    },
    /// The most frequent form: two arguments of the width of the result, which has at most 64 bits.
    NarrowBitVector {
        to: Reg,
        a: Reg,
        b: Reg,
        operator: NarrowOperator,
        width: u8,
    },
    Float {
        to: Reg,
        operator: TableIndex,
        args: TableIndex,
    },
    Distinct {
        to: Reg,
        args: TableIndex,
    },
    Jump(u32),
    JumpIf {
        condition: Reg,
        expected: bool,
        target: u32,
    },
    /// Jumps if the relation does not hold.
    JumpUnless {
        relation: Relation,
        a: Reg,
        b: Reg,
        target: u32,
    },
    JumpUnlessNumber {
        relation: Relation,
        a: Reg,
        target: u32,
        number: i64,
    },
    /// The memo has no value from now on.
    Forget(Reg),
    /// If the memo has no value, the code at `at` computes it and comes back.
    Memo {
        memo: Reg,
        at: u32,
    },
    EndMemo,
    GiveUp(TableIndex),

    // ---- statements ----
    Assume {
        relation: Relation,
        a: Reg,
        b: Reg,
    },
    AssumeNumber {
        relation: Relation,
        a: Reg,
        number: i64,
    },
    AssumeIs {
        value: Reg,
        expected: bool,
    },
    Assert {
        relation: Relation,
        a: Reg,
        b: Reg,
        assert: AssertId,
    },
    AssertIs {
        value: Reg,
        expected: bool,
        assert: AssertId,
    },
    /// An element of a map variable is written in place.
    Write {
        map: Reg,
        index: Reg,
        value: Reg,
    },
    /// The list has the indices, then the value.
    WriteMany {
        map: Reg,
        list: TableIndex,
    },
    Havoc(TableIndex),
    Call(TableIndex),
    /// Another thread may go on here.
    Switch(TableIndex),
    /// A call of a primitive of threads.
    Primitive(TableIndex),
    Goto {
        block: BlockId,
        start: u32,
        steps: u32,
    },
    Branch(TableIndex),
    /// The branch goes to its first target if the relation holds, otherwise to its second.
    BranchOn {
        relation: Relation,
        a: Reg,
        b: Reg,
        branch: TableIndex,
    },
    BranchOnNumber {
        relation: Relation,
        a: Reg,
        branch: TableIndex,
        number: i64,
    },
    Return {
        steps: u32,
    },
    /// A jump to nowhere.
    Stop {
        steps: u32,
    },
}

/// Bit-vector operators with two arguments of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NarrowOperator {
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct BitVectorOperator {
    pub op: BvOp,
    /// Of the arguments that are bit-vectors.
    pub widths: SmallVec<[u32; 2]>,
    /// Of the result; 0 if it is no bit-vector.
    pub result: u32,
}

/// A floating-point operator, with the widths of the arguments that are bit-vectors.
#[derive(Clone, Debug)]
pub(super) struct FloatCode {
    pub operator: FloatOperator,
    pub widths: SmallVec<[u32; 4]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Le,
    Lt,
    Ge,
    Gt,
    Eq,
    Ne,
}

impl Relation {
    pub fn negated(self) -> Relation {
        match self {
            Relation::Le => Relation::Gt,
            Relation::Lt => Relation::Ge,
            Relation::Ge => Relation::Lt,
            Relation::Gt => Relation::Le,
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
        }
    }

    /// The same relation with its sides exchanged.
    pub fn flipped(self) -> Relation {
        match self {
            Relation::Le => Relation::Ge,
            Relation::Lt => Relation::Gt,
            Relation::Ge => Relation::Le,
            Relation::Gt => Relation::Lt,
            Relation::Eq | Relation::Ne => self,
        }
    }

    #[inline]
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Le => order != Ordering::Greater,
            Relation::Lt => order == Ordering::Less,
            Relation::Ge => order != Ordering::Less,
            Relation::Gt => order == Ordering::Greater,
            Relation::Eq => order == Ordering::Equal,
            Relation::Ne => order != Ordering::Equal,
        }
    }

    #[inline(always)]
    pub fn of_small(self, a: i64, b: i64) -> bool {
        match self {
            Relation::Le => a <= b,
            Relation::Lt => a < b,
            Relation::Ge => a >= b,
            Relation::Gt => a > b,
            Relation::Eq => a == b,
            Relation::Ne => a != b,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct HavocCode {
    pub stmt: StmtId,
    pub targets: Box<[(Reg, VarId, SortId)]>,
}

#[derive(Clone, Debug)]
pub(super) struct CallCode {
    pub stmt: StmtId,
    /// Its index among the compiled procedures.
    pub callee: usize,
    pub ins: Box<[Reg]>,
    pub outs: Box<[Reg]>,
}

/// Where a thread may give way.
#[derive(Clone, Debug)]
pub(super) enum SwitchCode {
    Before(StmtId),
    /// Before the first statement of whichever block the branch goes to.
    AtBranch(Box<[(BlockId, StmtId)]>),
}

#[derive(Clone, Debug)]
pub(super) struct PrimitiveCode {
    pub primitive: ThreadPrimitive,
    pub call: CallCode,
    /// The sort of the result, if there is one.
    pub result: Option<SortId>,
    /// Of a start of a thread: its first statement, which is for those that do not know threads.
    pub announced: Option<StmtId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub block: BlockId,
    /// The first instruction of the block.
    pub start: u32,
    /// The first one behind the assumption that the block starts with.
    pub after: u32,
    /// The first one behind all assumptions that it starts with.
    pub end: u32,
}

#[derive(Clone, Debug)]
pub(super) struct BranchCode {
    pub targets: SmallVec<[Target; 2]>,
    /// There are two targets, and each starts with the negation of what the other one assumes.
    pub is_complementary: bool,
    /// Where the targets come together again, if they do: the block and its first instruction.
    pub join: Option<(BlockId, u32)>,
    pub steps: u32,
}

/// Consecutive instructions, and what they are for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub start: u32,
    pub end: u32,
    pub purpose: UnitPurpose,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum UnitPurpose {
    /// They change nothing but this register.
    Set(Reg, SortId),
    /// A conjunct that is assumed.
    Assume,
    /// The guard of a branch.
    Guard(TableIndex),
    Other,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub lists: Vec<SmallVec<[Reg; 4]>>,
    pub bit_vectors: Vec<BitVectorOperator>,
    pub floats: Vec<FloatCode>,
    pub reasons: Vec<Arc<str>>,
    pub havocs: Vec<HavocCode>,
    pub calls: Vec<CallCode>,
    pub switches: Vec<SwitchCode>,
    pub primitives: Vec<PrimitiveCode>,
    pub branches: Vec<BranchCode>,
    /// By their places.
    pub units: Vec<Unit>,
}

#[derive(Debug)]
pub(super) struct ProcCode {
    pub instructions: Vec<Instruction>,
    pub tables: Tables,
    pub start: usize,
    /// The variables of an activation by slot.
    pub slots: Vec<(VarId, SortId)>,
    /// With those for intermediate results.
    pub registers: usize,
    pub params: usize,
    pub outs: usize,
}
