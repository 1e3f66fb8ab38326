//! Values and places.

use cranelift_entity::entity_impl;
use lariat_base::Span;
use num_bigint::BigInt;

use crate::program::{FunctionId, GlobalId, LocalId};
use crate::stmt::{Initializer, LabelId, Stmt};
use crate::types::{RecordId, TypeId};

/// An expression or place of the program; unique.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "node");

/// A value. Of `void` type if it is evaluated for its effects only.
#[derive(Clone, Debug)]
pub struct Expr {
    pub id: NodeId,
    pub kind: ExprKind,
    pub ty: TypeId,
    /// Where it stands in the file; an implicit conversion has the span of its operand.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Of an integer, enumeration, `_Bool` or pointer type (a null pointer, or an address given as a number).
    Int(BigInt),
    /// The bits of the nearest `double`; exact for all `float` and `double` literals of that type.
    Float(f64),
    /// The value in a place of scalar or record type.
    Load(Box<Place>),
    /// `&place`; also an array or string that decays to a pointer to its first element.
    AddressOf(Box<Place>),
    /// A function's address, explicit or by decay.
    FunctionAddress(FunctionId),
    /// `&&label`.
    LabelAddress(LabelId),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    /// Arithmetic on two operands of this expression's type; of a shift the right operand has its own type.
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// Both operands have one type (arithmetic or pointer); the result is `int` 0 or 1.
    Compare {
        op: CompareOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `pointer + index` elements (`index` of any integer type, not yet scaled); `subtract` for `pointer - index`.
    /// `element` is the size of an element in bytes; an expression for variable arrays.
    PointerAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        subtract: bool,
        element: Box<Expr>,
    },
    /// In elements; the type is `ptrdiff_t`.
    PointerDifference {
        left: Box<Expr>,
        right: Box<Expr>,
        element: Box<Expr>,
    },
    /// `&&` and `||`; operands are scalars, the result is `int` 0 or 1.
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Logical negation of a scalar; the result is `int`.
    Not(Box<Expr>),
    /// `c ? a : b`; `None` is the GNU form `c ?: b`, whose value is `c` converted to this type.
    Conditional {
        condition: Box<Expr>,
        then: Option<Box<Expr>>,
        otherwise: Box<Expr>,
    },
    /// A conversion, implicit or not, between scalar types or to `void`.
    Convert(Box<Expr>),
    /// Of scalar or record type; the value has the place's type.
    Assign {
        place: Box<Place>,
        value: Box<Expr>,
    },
    /// `place op= operand`: the place's value is converted to `computation`, the result back. For pointers the operand is
    /// an index and `computation` is the pointer type.
    CompoundAssign {
        place: Box<Place>,
        op: AssignOp,
        operand: Box<Expr>,
        computation: TypeId,
    },
    /// `++` and `--` before or after an integer, floating or pointer place.
    Step {
        place: Box<Place>,
        increment: bool,
        prefix: bool,
    },
    /// Arguments are converted to the parameters' types, further ones promoted.
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// `({ … })`. The last statement is an expression statement whose value is the value, unless the type is `void`.
    Statements(Vec<Stmt>),
    /// `va_arg(list, type)`; the list is a pointer to it.
    VaArg(Box<Expr>),
    /// The size in bytes of a variable array, as its declaration computed it.
    SizeOfLocal(LocalId),
    /// A construct that is not modelled: evaluating it makes the verdict `unknown` with this reason.
    Unsupported(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Neg,
    BitNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The operator of a compound assignment.
#[derive(Clone, Debug)]
pub enum AssignOp {
    Arithmetic(BinaryOp),
    /// `pointer += index`, or `-=`; the size of an element in bytes.
    Pointer {
        subtract: bool,
        element: Box<Expr>,
    },
}

#[derive(Clone, Debug)]
pub enum Callee {
    Function(FunctionId),
    /// A value of pointer-to-function type.
    Pointer(Box<Expr>),
}

/// An object, or part of one.
#[derive(Clone, Debug)]
pub struct Place {
    pub id: NodeId,
    pub kind: PlaceKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Local(LocalId),
    Global(GlobalId),
    /// `*pointer`, `pointer->…`, `pointer[0]`. Its type is the pointer's target.
    Deref(Box<Expr>),
    Member {
        base: Box<Place>,
        record: RecordId,
        field: u32,
    },
    /// An element of an array place (`a[i]` where `a` is an array, not a pointer); `index` of any integer type.
    Index {
        base: Box<Place>,
        index: Box<Expr>,
    },
    /// `(type){…}`: initialises the hidden local (a global at file scope is a [`PlaceKind::Global`]).
    CompoundLiteral {
        local: LocalId,
        init: Initializer,
    },
    /// The value of an expression of record type, as a place to take a member of: `f().x`.
    Temporary(Box<Expr>),
}
