//! AUT: see `lariat_fuzz_targets::aut`.
//!
//! `cargo +nightly fuzz run aut fuzz/corpus/aut`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| lariat_fuzz_targets::aut(text));
