//! C text ─ c-reader ─> c-program ─ **c-lower** ─> IR
//!
//! C functions as procedures over terms: one procedure per function, memory as one map per region of
//! the points-to analysis, C integers as `c-arith` has them.
//!
//! Decisions that hold everywhere in this crate:
//! - A variable that is *split* (`Regions::is_split`) is one IR variable per scalar leaf; every other object has an
//!   address, and its bytes are in the maps of its regions.
//! - Operands are evaluated from left to right, and in every order where they interfere (`order`). A value that a later
//!   operand could change is *pinned*: kept in a temporary.
//! - Addresses are never used twice: an object that has ended leaves its addresses unused. Hence fresh memory is
//!   memory that nobody has written, and its content is arbitrary without further ado.
//!   Comparisons whose results depend on it are open (`comparison`).
//! - Records are passed and returned by value, leaf by leaf. A union is a record of bytes.
//! - A construct without a meaning here is an assertion of kind `Unsupported`: to reach it makes the verdict `unknown`.

mod allocate;
mod builder;
mod builtins;
mod call;
mod checks;
mod choose;
mod comparison;
mod condition;
mod effects;
mod environment;
mod expr;
mod external;
mod floats;
mod function;
mod init;
mod layout;
mod lowering;
mod monitor;
mod names;
mod open;
mod operators;
mod options;
mod order;
mod place;
mod property;
mod purity;
mod record;
mod reserved;
mod scopes;
mod special;
mod spots;
mod start;
mod stmt;
mod storage;
mod switch;
mod threads;
mod uninit;
mod variadic;

pub use lowering::{ExternalUse, Lowered, lower};
pub use names::{CaseLabel, InitialMemory, InputSource, MonitorName, Names, PartialHavoc, Shown};
pub use options::{LowerOptions, OpenOptions};
