//! Boogie: see `lariat_fuzz_targets::boogie`.
//!
//! `cargo +nightly fuzz run boogie fuzz/corpus/boogie crates/boogie/tests/programs`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| lariat_fuzz_targets::boogie(text));
