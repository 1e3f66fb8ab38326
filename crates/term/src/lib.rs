//! Sorts and hash-consed terms: the same objects from IR expressions to the solver.
//!
//! Architecture invariants:
//! - every term is made by a constructor of [`TermPool`], which keeps it well-sorted and
//!   lightly simplified; equal terms have equal ids;
//! - a term's id is greater than the ids of its arguments, so that a vector indexed by
//!   [`TermId`] filled in ascending order sees arguments first;
//! - nothing here recurses over the depth of a term.

mod arena;
mod bitvec;
mod display;
mod library;
mod map;
mod op;
mod pool;
pub mod rational;
mod rewrite;
mod simplify;
mod sort;
mod substitute;
mod value;

pub use bitvec::fold_bv;
pub use library::{LIBRARY_FUNCTION, LibraryFunction};
pub use map::VarSet;
pub use op::{BvOp, NumberId, Op, QuantifierId, QuantifierKind, RoundingMode, StringId, TheoryId, TheoryOp};
pub use pool::{FunId, Function, PoolSize, Quantifier, TermId, TermPool, Var, VarId};
pub use rewrite::Rewriting;
pub use sort::{Constructor, Datatype, DatatypeId, Field, Sort, SortId, UninterpretedId};
pub use substitute::Substitution;
pub use value::{MapValue, Value};
