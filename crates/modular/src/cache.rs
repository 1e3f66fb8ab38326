//! Bodies that were verified before.
//!
//! What is kept is the fingerprint of everything that the solver is asked about a body: its condition with the contracts
//! of callees, axioms, options and limits. So a body whose text moved is still known, and one that depends on anything
//! that changed is not. Only proofs are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

/// The name of the file in the folder.
const NAME: &str = "verified.txt";

pub struct Cache {
    path: PathBuf,
    /// Everything is verified again.
    pub check: bool,
    known: FxHashSet<String>,
    new: Mutex<FxHashSet<String>>,
}

impl Cache {
    /// Reads what is kept in a folder; the folder need not be there yet.
    pub fn read(folder: &Path, check: bool) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(NAME);
        let known = match fs::read_to_string(&path) {
            Ok(text) => text.lines().map(str::to_owned).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => FxHashSet::default(),
            Err(error) => return Err(error),
        };
        Ok(Cache {
            path,
            check,
            known,
            new: Mutex::default(),
        })
    }

    pub fn is_known(&self, fingerprint: &str) -> bool {
        self.known.contains(fingerprint)
    }

    pub fn add(&self, fingerprint: String) {
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.insert(fingerprint);
    }

    /// Writes what was known and what is new. A run that is killed meanwhile loses nothing.
    pub fn write(&self) -> io::Result<()> {
        let new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        if new.is_subset(&self.known) {
            return Ok(());
        }
        let mut all: Vec<&str> = self.known.union(&new).map(String::as_str).collect();
        all.sort_unstable();
        let fresh = self.path.with_extension("new");
        fs::write(&fresh, all.join("\n") + "\n")?;
        fs::rename(&fresh, &self.path)
    }
}

/// The fingerprint of what is asked.
pub fn fingerprint(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION"));
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
