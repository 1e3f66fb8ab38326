//! Statements and initialisers.

use cranelift_entity::entity_impl;
use lariat_base::Span;

use crate::expr::{Expr, Place};
use crate::program::LocalId;

/// A label of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(u32);
entity_impl!(LabelId, "label");

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// The declaration of a local with automatic storage is reached. `size` is the size in bytes of a variable array.
    Declare {
        local: LocalId,
        init: Option<Initializer>,
        size: Option<Expr>,
    },
    Block(Vec<Stmt>),
    If {
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        condition: Expr,
    },
    For {
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// The value is promoted; case labels are converted to its type.
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// `case low ... high:`; `high` equals `low` in standard C.
    Case {
        low: i128,
        high: i128,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Label {
        label: LabelId,
        body: Box<Stmt>,
    },
    Goto(LabelId),
    /// `goto *pointer`.
    GotoComputed(Expr),
    Break,
    Continue,
    /// The value is converted to the function's result type.
    Return(Option<Expr>),
    Asm(Asm),
    /// From here to the matching end is one step of its thread.
    AtomicBegin,
    AtomicEnd,
    /// A construct that is not modelled: reaching it makes the verdict `unknown` with this reason.
    Unsupported(String),
}

/// Inline assembly: any value may come out.
#[derive(Clone, Debug)]
pub struct Asm {
    pub text: String,
    /// Places that it may write (outputs, and inputs that are memory operands are not among them).
    pub outputs: Vec<Place>,
    pub inputs: Vec<Expr>,
    /// It says that it changes memory.
    pub clobbers_memory: bool,
    /// Labels that it may jump to.
    pub labels: Vec<LabelId>,
}

/// What an object starts with. Items are in the order of evaluation; later ones win where they overlap.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// Whatever no item sets is zero: true for every aggregate that has a braced initialiser.
    pub zero: bool,
    pub items: Vec<InitItem>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    /// From the object to the part that is set; empty for the whole (a scalar, or a record copied from an expression).
    pub path: Vec<InitStep>,
    pub value: InitValue,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InitStep {
    Field(u32),
    Element(u64),
}

#[derive(Clone, Debug)]
pub enum InitValue {
    Expr(Expr),
    /// An array of characters (1, 2 or 4 bytes each) set from a string literal, with its zero where that fits.
    String(Vec<u32>),
}
