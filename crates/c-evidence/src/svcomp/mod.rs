//! The conventions of the Competition on Software Verification (SV-COMP): property files, the line
//! that states the verdict, and witnesses in both formats that validators read.
//!
//! An answer never says more than the verdict: `TRUE` is for proofs without a bound about the integers
//! of the machine, `FALSE` for executions that were replayed, and everything else is `UNKNOWN`.

mod graphml;
mod property;
mod time;
mod witness;
mod yaml;

pub use graphml::graphml;
pub use property::{Answer, Clause, Property};
pub use time::utc_time;
pub use witness::{WitnessKind, WitnessTask};
pub use yaml::yaml;
