//! C text ─ c-reader ─> **c-program** ─ c-regions, c-lower ─> IR
//!
//! A C program as it is after reading: several translation units linked to one program, names
//! resolved, every expression typed and every conversion explicit, constants evaluated, initialisers
//! spread out, sizes and offsets known. What is left of C is its evaluation: places and values,
//! side effects inside expressions, structured statements and jumps.
//!
//! Architecture invariants:
//! - this crate is data; only `c-reader` makes it from text, and nothing in it refers to clang;
//! - [`Expr`] and [`Place`] nodes have a [`NodeId`] that is unique in the program, so that an
//!   analysis annotates them from outside;
//! - an arithmetic operator has operands of one type, which is its own type (except shifts, whose right operand
//!   has its own promoted type, and comparisons, whose type is `int`): the usual arithmetic conversions are
//!   [`ExprKind::Convert`] nodes;
//! - no type has qualifiers; typedefs, `typeof`, attributes and parentheses are gone.

mod check;
mod expr;
mod program;
mod stmt;
mod text;
mod types;
mod walk;

pub use check::check_program;
pub use expr::{AssignOp, BinaryOp, Callee, CompareOp, Expr, ExprKind, NodeId, Place, PlaceKind, UnaryOp};
pub use program::{CProgram, Function, FunctionId, Global, GlobalId, Linkage, Local, LocalId, Purpose};
pub use stmt::{Asm, InitItem, InitStep, InitValue, Initializer, LabelId, Stmt, StmtKind};
pub use text::{print_expr, print_function, print_place, print_program, print_record};
pub use types::{
    BitField, EnumId, Enumeration, Field, FloatKind, FunctionType, IntKind, Machine, Record, RecordId,
    Scalar, Type, TypeId, Types,
};
pub use walk::{Edited, Node, edit_expr, edit_stmt, visit_expr, visit_initializer, visit_place, visit_stmt};
