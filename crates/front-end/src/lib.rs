//! files ─ **front-end** ─> IR ─ passes, engine, replay ─> events ─ **front-end** ─> trace in source terms
//!
//! One place reads programs: [`read`] takes files and options and returns the program, the diagnostics, what was assumed of
//! functions without body and how long each step took. `verify` and `angelic` use it; `conform` reads each of its components
//! with [`read_component`].
//!
//! Architecture invariants:
//! - the language of a file is decided by `COptions::is_c_file` and nowhere else; C++ is refused;
//! - a program that was read without errors is well-formed IR; a construct without a meaning there is an assertion of kind
//!   `Unsupported`;
//! - the result keeps what is needed to show terms, traces and inputs in source terms: users of this crate do not look at
//!   C or Boogie.

mod boogie;
mod c;
mod read;
pub mod rendering;
mod source_terms;
mod survey;

pub use c::{CComponent, CSide, read_component};
pub use read::{FrontEnd, OpenRequest, ReadRequest, Reading, is_c_plus_plus, read};
pub use source_terms::{Naming, Resolved, ResolvedSite};
pub use survey::{database_files, survey};
