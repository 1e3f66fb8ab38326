//! Runs a request in a child process under limits of time and memory.
//!
//! The solver may crash, the stack may overflow and the system may run out of memory. The user must get an answer all the
//! same, so a child process does the work and its parent watches it:
//!
//! ```text
//! parent: Supervisor::run ── Order (one JSON line), then silence ──> child: serve
//!                         <── Message (one JSON line each) ─────────
//! ```
//!
//! The kind of [`Request`] determines the type of the report. The last argument of the child names it.
//!
//! Invariants:
//! - Whatever happens to the child, [`Supervisor::run`] returns a report. It contains what the child had decided (its last
//!   partial report), and a run that did not finish is never a success.
//! - A panic of any thread of the child ends the run as [`Ending::Panicked`], whatever the other threads found.
//! - The child obeys its limits itself; the parent kills it if it does not.
//! - Closing the child's input asks it to stop. A child whose parent has died therefore stops too.
//! - Nothing here prints. The child's ends of the pipe are passed in by the binary.

mod limits;
mod lines;
mod pool;
mod protocol;
mod request;
mod serve;
mod stop;
mod supervise;

pub use limits::memory_of_system;
pub use lines::{JsonLines, read_json_lines};
pub use pool::{TaskEvent, run_tasks};
pub use protocol::{Message, Order, PanicReport};
pub use request::Request;
pub use serve::serve;
pub use stop::StopSignal;
pub use supervise::{Ending, Observation, Outcome, Supervisor};
