//! files of specifications: see `lariat_fuzz_targets::specs`.
//!
//! `cargo +nightly fuzz run specs fuzz/corpus/specs`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| lariat_fuzz_targets::specs(text));
