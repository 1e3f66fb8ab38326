//! The flags for programs in C.
#![cfg(feature = "clap")]

use std::path::PathBuf;

use clap::Parser;
use lariat_options::{CArguments, COptions, Check, Machine};

#[derive(Parser)]
struct Only {
    #[command(flatten)]
    c: CArguments,
}

fn options(arguments: &[&str]) -> COptions {
    let words = std::iter::once("lariat").chain(arguments.iter().copied());
    Only::try_parse_from(words).expect("arguments").c.options()
}

#[test]
fn checks_come_in_groups_and_in_their_order() {
    assert_eq!(options(&[]), COptions::default());
    assert_eq!(
        options(&["--check", "overflow,reach", "--check", "reach"]).checks,
        [Check::Reach, Check::Overflow]
    );
    assert_eq!(options(&["--check", "memory"]).checks, Check::MEMORY);
    assert_eq!(options(&["--check=all"]).checks, Check::ALL);
    assert!(Only::try_parse_from(["lariat", "--check", "memry"]).is_err());
}

#[test]
fn flags_of_compilers_are_understood() {
    let options = options(&[
        "-Iinclude",
        "-I",
        "more",
        "-DX=1",
        "-D",
        "Y",
        "-UZ",
        "--std=c99",
        "--machine=ilp32",
    ]);
    assert_eq!(options.include, [PathBuf::from("include"), PathBuf::from("more")]);
    assert_eq!(options.macros, ["-DX=1", "-DY", "-UZ"]);
    assert_eq!(options.standard.as_deref(), Some("c99"));
    assert_eq!(options.machine, Machine::Ilp32);
}

#[test]
fn error_functions_are_added() {
    let options = options(&["--error-function", "panic", "--error-function=reach_error"]);
    assert_eq!(
        options.error_functions,
        ["__VERIFIER_error", "reach_error", "panic"]
    );
}
