//! The benchmark runner: runs the rows of manifests in worker processes, judges the verdicts and
//! draws the result.
//!
//! ```text
//! manifest.jsonl ─ manifest ─> rows ─ run (worker processes) ─> judge ─> records ─┬─ results.jsonl
//!                                                                                 ├─ results.csv
//!                                                                                 └─ report.html
//! ```
//!
//! [`tables`] measures single techniques, on programs that [`Family`] generates or that the user provides.
//!
//! Architecture invariants: nothing here prints; the rules of right and wrong are in [`judge`] and
//! nowhere else; a record is on disk before the next one of its worker is started, so a run that is
//! stopped can be resumed.

mod comparison;
mod csv;
mod generate;
mod html;
pub mod judge;
pub mod manifest;
mod record;
mod run;
mod summary;
pub mod tables;

pub use comparison::{Comparison, comparisons};
pub use csv::write_csv;
pub use generate::Family;
pub use html::{PageInput, page};
pub use judge::Judgement;
pub use manifest::{Expect, Manifest, Row};
pub use record::{CaseName, Record, read_records};
pub use run::{BenchError, BenchEvent, BenchOptions, BenchResult, CONFORM, run};
pub use summary::{Counts, Series, Summary, peer_series};
