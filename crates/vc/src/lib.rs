//! front end ─> ir ─ passes ─> ir ─> **passive procedures ─> ProcVc** ─> unfolding
//!
//! A [`PassiveProc`] has no assignments: every value is a term over the procedure's inputs, what was
//! havocked, what calls returned, and merges of values at joins. A [`ProcVc`] is its verification
//! condition with one Boolean for each block ([Legion22] §2.2), in which calls are left open.
//!
//! Architecture invariant: both are made once per procedure, whatever the number of times it is
//! inlined, and neither knows about the solver.

mod display;
mod passive;
mod problem;
mod procvc;
mod read;
mod shared_outs;
mod straight_line;

pub use passive::{CallSite, Edge, PassiveBlock, PassiveBlockId, PassiveProc, PassiveStep, Phi, passify};
pub use problem::{Problem, Summary};
pub use procvc::{CallSiteVc, ProcVc, VcBlock, VcEdge, generate_vc};
pub use straight_line::straight_line_procs;
