//! C: see `lariat_fuzz_targets::c`.
//!
//! `cargo +nightly fuzz run c fuzz/corpus/c crates/verify/tests/files/c`

#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

/// libclang reads files; every process has a folder.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("lariat-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        folder
    })
}

fuzz_target!(|text: &str| lariat_fuzz_targets::c(text, folder()));
