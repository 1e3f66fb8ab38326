//! NAME.specs.toml: the specifications of a program with the user's decisions.
//!
//! ```toml
//! [[spec]]
//! id = "s41c9a0be"
//! entry = "FooBar"
//! spec = "Lib2() != NULL"
//! status = "accepted"
//! suppresses = ["fig1.bpl:30:5: x != NULL in FooBar"]
//! formal = "forall x_2: int :: unknown_1(x_2) ==> x_2 != NULL"
//! ```
//!
//! Invariants:
//! - an id is made of the entry and the text as Lariat wrote them; so a text that was edited since shows, whatever its
//!   status says. Changes of blanks and redundant parentheses do not count;
//! - the user's decisions, keys and comments stay in the file; only inferred specifications come and go.

use lariat_base::{Diagnostics, SourceMap};
use lariat_report::{Specification, SpecificationStatus};
use sha2::{Digest, Sha256};

use crate::expr::SpecExpr;

/// The contents of a file of specifications. The default is the empty file.
#[derive(Debug, Default)]
pub struct SpecsFile {
    pub(crate) text: String,
    /// In the order of the file, one for each `[[spec]]`.
    pub(crate) specs: Vec<WrittenSpec>,
    pub(crate) warnings: Messages,
}

/// A `[[spec]]` of the file.
#[derive(Debug)]
pub(crate) struct WrittenSpec {
    pub spec: Specification,
    /// The id in the file: that of the specification which was there before the user edited it.
    pub written_id: Option<String>,
}

/// Messages about a file, with what is needed to show them.
#[derive(Debug, Default)]
pub struct Messages {
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
}

impl Messages {
    /// All of them as text.
    pub fn render(&self, color: bool) -> String {
        let rendered: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&self.sources, color))
            .collect();
        rendered.join("\n\n")
    }
}

impl SpecsFile {
    /// All specifications of the file, inferred ones too. What they suppress is known only after a run.
    pub fn specifications(&self) -> Vec<Specification> {
        self.specs.iter().map(|written| written.spec.clone()).collect()
    }

    /// Those with a decision of the user: the input of a run.
    pub fn decisions(&self) -> Vec<Specification> {
        let mut specs = self.specifications();
        specs.retain(|spec| spec.status != SpecificationStatus::Inferred);
        specs
    }

    /// Keys and specifications without effect.
    pub fn warnings(&self) -> &Messages {
        &self.warnings
    }
}

/// The stable id of a specification.
pub fn specification_id(entry: &str, text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(entry);
    hash.update([0]);
    hash.update(canonical(text));
    let digits: String = hash.finalize()[..4]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("s{digits}")
}

/// The text as Lariat writes it: equal for texts with the same structure.
pub(crate) fn canonical(text: &str) -> String {
    SpecExpr::parse(text).map_or_else(|_| text.trim().to_owned(), |expr| expr.to_string())
}

pub(crate) fn status_name(status: SpecificationStatus) -> &'static str {
    match status {
        SpecificationStatus::Inferred => "inferred",
        SpecificationStatus::Accepted => "accepted",
        SpecificationStatus::Rejected => "rejected",
        SpecificationStatus::Edited => "edited",
    }
}
