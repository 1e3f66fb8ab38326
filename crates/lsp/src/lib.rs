//! A language server for C, Boogie and FSP: diagnostics, verification in the background, lenses, hovers and symbols; decisions about
//! specifications.
//!
//! ```text
//! editor <── JSON-RPC ──> server (one thread) <── channel ── jobs (a thread and a child process each)
//! ```
//!
//! Architecture invariants:
//! - The server never verifies itself: every job is a child process under `worker`, so a cancelled job ends at once and a crash is
//!   a message.
//! - What is shown of a file belongs to one version of its text: a job of an older version shows nothing.
//! - Nothing here prints. The connection is passed in by the binary.

mod convert;
mod document;
mod jobs;
mod server;
mod specs;
pub mod text;

pub use server::{Options, serve};
