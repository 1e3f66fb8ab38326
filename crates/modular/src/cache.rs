//! Bodies that were verified before.
//!
//! What is kept is the fingerprint of everything that the solver is asked about a body: its condition with the contracts
//! of callees, axioms, options and limits. So a body whose text moved is still known, and one that depends on anything
//! that changed is not. Only proofs are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
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

/// The text of a condition with the numbers of its names in the order in which they come, so that it does not depend
/// on what stands before the body in the file. Different names stay different.
pub fn with_own_numbers(text: &str) -> String {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(position) = rest.find('!') {
        let (before, after) = rest.split_at(position + 1);
        result.push_str(before);
        let is_name = after.starts_with(['v', 'f']);
        let digits = after.get(1..).unwrap_or_default();
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        if !is_name || length == 0 {
            rest = after;
            continue;
        }
        let (name, left) = after.split_at(1 + length);
        let next = numbers.len();
        let number = *numbers.entry(name).or_insert(next);
        result.push_str(&name[..1]);
        result.push_str(&number.to_string());
        rest = left;
    }
    result.push_str(rest);
    result
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_names_are_those_of_the_text() {
        let first = with_own_numbers("(and x!v12 (f!f3 y!v7) x!v12 k!0)");
        assert_eq!(first, "(and x!v0 (f!f1 y!v2) x!v0 k!0)");
        assert_eq!(first, with_own_numbers("(and x!v40 (f!f9 y!v8) x!v40 k!0)"));
        assert_ne!(first, with_own_numbers("(and x!v40 (f!f9 y!v40) x!v40 k!0)"));
    }
}
