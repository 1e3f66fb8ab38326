//! front end ─> **ir** ─ passes ─> ir ─> passive procedures ─> ProcVc
//!
//! A program is a set of procedures over global variables; a procedure is a control-flow
//! graph of blocks whose expressions are hash-consed terms. There are no contracts, no
//! types but sorts, and no polymorphism: front ends have lowered all that.
//!
//! Architecture invariants:
//! - front ends make IR, passes map IR to IR, and nothing but this crate knows its fields;
//! - every statement keeps its [`StmtId`] through all passes (copies share it), which is how
//!   a trace of the transformed program is replayed on the lowered program;
//! - [`validate`] states all well-formedness rules.

mod display;
mod interface;
mod open;
mod program;
mod threads;
mod validate;

pub use interface::Interface;
pub use open::{OpenEntry, OpenInfo, Unknown, sounds_like_an_end};
pub use program::{
    AssertId, AssertInfo, AssertKind, AttributeText, AttributeValue, Axiom, Block, BlockId, Call,
    CandidateClause, CandidateKind, EntryMark, ExternalLocation, Origin, Proc, ProcId, ProcKind, Program,
    Record, Stmt, StmtId, StmtKind, Terminator,
};
pub use threads::{ThreadPrimitive, Threads};
pub use validate::{Stage, Violation, validate};
