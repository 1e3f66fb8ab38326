//! Runs a verification of any kind in a child process under limits of time and memory.
//!
//! A verification may meet a solver that crashes, a stack that overflows or a system that runs out
//! of memory. None of it may take the answer away from the user, so the work is done by a child
//! process and watched by its parent:
//!
//! ```text
//! parent: Supervisor::run ── Order (one JSON line), then silence ──> child: serve
//!                         <── Message (one JSON line each) ─────────
//! ```
//!
//! What is asked ([`Request`]) determines what comes back; parent and child agree on it beforehand, by the
//! arguments of the child.
//!
//! Invariants:
//! - Whatever happens to the child, [`Supervisor::run`] returns a report. What the child had decided
//!   (its last partial report) is in it, and a run that did not finish is never a success.
//! - The child obeys its limits itself; the parent kills it where it does not.
//! - Closing the child's input asks it to stop. A child whose parent has died therefore stops too.
//! - Nothing here prints. The child's ends of the pipe are passed in by the binary.

mod limits;
mod protocol;
mod request;
mod serve;
mod stop;
mod supervise;

pub use limits::{memory_of_process, memory_of_system};
pub use protocol::{Message, Order, PanicReport};
pub use request::Request;
pub use serve::serve;
pub use stop::StopSignal;
pub use supervise::{Ending, Observation, Outcome, Supervisor};
