//! FSP: see `lariat_fuzz_targets::fsp`.
//!
//! `cargo +nightly fuzz run fsp fuzz/corpus/fsp examples/conform`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| lariat_fuzz_targets::fsp(text));
