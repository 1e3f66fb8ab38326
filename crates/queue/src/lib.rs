//! Many tasks, in this process or on many machines.
//!
//! ```text
//! Work ─ pack ─> Task (program by hash, options, version) ─ JetStream ─> worker: take ─ unpack ─ Supervisor ─> Answer
//!                                                                                       │ stored, then acknowledged
//! observe <── Answer <── result by task id <────────────────────────────────────────────┘
//! ```
//!
//! [`Queue`] is what a coordinator sees: [`InProcess`] does the work in children of this process, [`JetStream`] leaves it to
//! workers ([`serve`]) that may be anywhere and may die at any time.
//!
//! Invariants:
//! - a task is named by what its answer depends on: the program, the options, the limits and the build of Lariat;
//! - an answer is stored before its task is acknowledged, and the first one stored stays: a worker that comes late changes nothing;
//! - a search that is split is done when all its parts are: a task is acknowledged when its answer is stored, or when the tasks of
//!   both its parts are in the queue;
//! - a worker keeps its lease only while it works, so what a lost worker had taken is given to another one;
//! - a program that a task asks for travels once and is known by its hash, which is checked where it arrives;
//! - a worker reads and writes only below a folder of its own for the task, and executes nothing of what it is sent;
//! - the asynchronous runtime stays in here: everything that is public blocks.

mod blobs;
mod build;
mod connection;
mod coordinator;
mod error;
mod parts;
mod program;
mod queue;
mod server;
mod status;
mod task;
mod worker;

pub use build::build_name;
pub use connection::Connection;
pub use coordinator::{JetStream, RunName};
pub use error::QueueError;
pub use queue::{Complete, InProcess, Queue, QueueEvent};
pub use server::Server;
pub use status::{QueueStatus, WorkerStatus, drain, purge, status};
pub use task::{Answer, Task, TaskId, Work};
pub use worker::{WorkerEvent, WorkerOptions, serve};
