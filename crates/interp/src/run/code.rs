//! Procedures in the form that a run executes.
//!
//! Variables are slots: those of an activation (parameters, outs, locals, in this order) and those
//! that all share (globals and constants). Terms are flat code for a stack of values.

use std::cmp::Ordering;
use std::sync::Arc;

use lariat_ir::{AssertId, BlockId, StmtId};
use lariat_term::{BvOp, SortId, VarId};
use smallvec::SmallVec;

use super::value::Val;

#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Local(u32),
    Shared(u32),
}

/// A term.
#[derive(Debug)]
pub(super) enum Code {
    Const(Val),
    Var(Place),
    Flat(FlatCode),
}

#[derive(Debug)]
pub(super) struct FlatCode {
    pub instructions: Vec<Instruction>,
    /// Subterms that occur more than once, computed at most once for each evaluation.
    pub memos: u32,
}

/// Arguments are on the stack, the last one on top; they are replaced by the result.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Const(Val),
    Var(Place),
    Select {
        indices: u32,
    },
    /// Of a map variable, which is not put on the stack.
    SelectVar {
        map: Place,
        indices: u32,
    },
    Store {
        indices: u32,
    },
    ConstMap,
    Not,
    Add,
    Mul,
    Div,
    Mod,
    Compare(Relation),
    Distinct(u32),
    BitVector(Box<BitVectorOperator>),
    Jump(u32),
    /// Takes the condition from the stack.
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    /// The value of the memo; if there is none yet, the code at `at` computes it.
    Memo {
        memo: u32,
        at: u32,
    },
    /// Back from the code of a memo.
    SetMemo(u32),
    /// The value is on the stack.
    Done,
    Unsupported(Arc<str>),
}

#[derive(Clone, Debug)]
pub(super) struct BitVectorOperator {
    pub op: BvOp,
    /// Of the arguments that are bit-vectors.
    pub widths: SmallVec<[u32; 2]>,
    /// Of the result; 0 if it is no bit-vector.
    pub result: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Le,
    Lt,
    Eq,
    Ne,
}

impl Relation {
    #[inline]
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Le => order != Ordering::Greater,
            Relation::Lt => order == Ordering::Less,
            Relation::Eq => order == Ordering::Equal,
            Relation::Ne => order != Ordering::Equal,
        }
    }
}

/// A part of a condition.
#[derive(Debug)]
pub(super) enum Conjunct {
    Compare(Relation, Code, Code),
    /// A Boolean that is to have this value.
    Is(Code, bool),
}

#[derive(Debug)]
pub(super) enum Update {
    Whole(Code),
    /// Elements of a map variable, in the order in which they are written.
    Elements(Box<[(Box<[Code]>, Code)]>),
}

#[derive(Debug)]
pub(super) enum Action {
    Assume(Box<[Conjunct]>),
    Assert {
        condition: Box<[Conjunct]>,
        assert: AssertId,
        is_supported: bool,
    },
    /// `x := t`, the most frequent statement.
    Set(Place, Code),
    Assign(Box<[(Place, Update)]>),
    Havoc {
        stmt: StmtId,
        targets: Box<[(Place, VarId, SortId)]>,
    },
    Call(Box<CallAction>),
    Jump(Target),
    Branch(Box<[Target]>),
    Return,
    /// A jump to nowhere.
    Stop,
}

#[derive(Debug)]
pub(super) struct CallAction {
    pub stmt: StmtId,
    /// Its index among the compiled procedures.
    pub callee: usize,
    pub ins: Box<[Code]>,
    pub outs: Box<[Place]>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub block: BlockId,
    /// The first action of the block.
    pub start: usize,
}

#[derive(Debug)]
pub(super) struct ProcCode {
    pub actions: Vec<Action>,
    pub start: usize,
    /// The variables of an activation by slot.
    pub slots: Vec<(VarId, SortId)>,
    pub params: usize,
    pub outs: usize,
}
