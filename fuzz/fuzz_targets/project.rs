//! project files: see `lariat_fuzz_targets::project`.
//!
//! `cargo +nightly fuzz run project fuzz/corpus/project examples/conform`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| lariat_fuzz_targets::project(text));
