//! Small C programs of the kinds that verifiers get wrong, made at random and compared with what compilers and
//! sanitizers say. A program is `proved` only if it runs without failing, and has a `bug` only if it fails; every other
//! answer is honest, if not helpful.
//!
//! `cargo test` makes a few programs of each kind; `LARIAT_RANDOM_C=n` makes n programs in all, and `LARIAT_SEED=n` those of
//! that seed, or all from it on if a number of programs is given too. Without gcc, or without clang for uninitialised values,
//! the programs that need them are skipped.

#![allow(
    clippy::print_stderr,
    reason = "it says what was skipped and how many programs were decided"
)]

#[allow(dead_code, reason = "each test uses a part")]
mod common;
#[path = "trust/mod.rs"]
mod kinds;

use std::process::{Command, Stdio};

use common::{Sandbox, stdout};
use kinds::{CProgram, Kind, Truth};
use lariat_testkit::gcc;

/// For one program. A program that takes longer counts as undecided.
const SECONDS: &str = "20";
/// How many programs of each kind `cargo test` makes.
const USUAL: u64 = 3;
const KINDS: u64 = 9;

/// What a compiler makes of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Native {
    Passes,
    Fails,
    /// The compiler or a sanitizer is missing, or does not take the program.
    Unavailable,
}

fn seeds() -> Vec<u64> {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse().expect("a number"))
    };
    let count = number("LARIAT_RANDOM_C").map(|count: u64| count.div_ceil(KINDS));
    match (number("LARIAT_SEED"), count) {
        (Some(seed), None) => vec![seed],
        (first, count) => {
            let first = first.unwrap_or(0);
            (first..first + count.unwrap_or(USUAL)).collect()
        }
    }
}

fn native(sandbox: &Sandbox, file: &str, compiler: &[&str]) -> Native {
    let executable = sandbox.path().join("a.out");
    let compiled = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-w", "-g", "-pthread", "-o"])
        .arg(&executable)
        .arg(sandbox.path().join(file))
        .arg("-lm")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        return Native::Unavailable;
    }
    let run = Command::new("timeout")
        .args(["-k", "1", "20"])
        .arg(&executable)
        .env(
            "ASAN_OPTIONS",
            "detect_stack_use_after_return=1:strict_string_checks=1:detect_leaks=0",
        )
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("`timeout` runs");
    match run.success() {
        true => Native::Passes,
        false => Native::Fails,
    }
}

fn truth(sandbox: &Sandbox, file: &str, truth: Truth) -> Native {
    match truth {
        Truth::SomeExecutionFails => Native::Fails,
        Truth::NoExecutionFails => Native::Passes,
        Truth::Run => native(sandbox, file, &["gcc", "-O0"]),
        Truth::Address => native(
            sandbox,
            file,
            &[
                "gcc",
                "-O0",
                // Calls of the library go through the sanitizer's own functions.
                "-fno-builtin",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
            ],
        ),
        Truth::Arithmetic => native(
            sandbox,
            file,
            &[
                "gcc",
                "-O0",
                "-fsanitize=undefined,float-cast-overflow",
                "-fno-sanitize-recover=all",
            ],
        ),
        Truth::Memory => native(sandbox, file, &["clang", "-O0", "-fsanitize=memory"]),
    }
}

/// What is wrong with an answer, if anything. A bug that depends on what a function of the library returns or the machine chooses,
/// and that says so, claims nothing.
fn complaint(answer: &str, native: Native) -> Option<&'static str> {
    let open = [
        "that the real function may not return",
        "which the machine chooses",
    ];
    let is_open = answer.starts_with("bug-unconfirmed") && open.iter().any(|reason| answer.contains(reason));
    match native {
        Native::Fails if answer.starts_with("proved") => Some("an execution fails"),
        Native::Passes if answer.starts_with("bug") && !is_open => Some("no execution fails"),
        _ => None,
    }
}

fn check(kind: Kind) {
    let sandbox = Sandbox::new(&format!("trust-{kind:?}"));
    let (mut wrong, mut decided, mut skipped) = (Vec::new(), 0, 0);
    let seeds = seeds();
    if !gcc::is_there("trust") {
        return;
    }
    let mut has_memory_sanitizer = None;
    for &seed in &seeds {
        let CProgram {
            text,
            flags,
            truth: how,
        } = kinds::generate(kind, seed);
        let is_skipped = how == Truth::Memory
            && !*has_memory_sanitizer
                .get_or_insert_with(|| gcc::memory_sanitizer_is_there("trust, for uninitialised values,"));
        if is_skipped {
            continue;
        }
        let file = format!("{seed}.c");
        sandbox.write(&file, &text);
        let native = truth(&sandbox, &file, how);
        if native == Native::Unavailable {
            skipped += 1;
            continue;
        }
        let mut words = vec!["verify", "--time-limit", SECONDS];
        words.extend(flags);
        words.push(&file);
        let output = sandbox.run(&words);
        let answer = stdout(&output);
        let verdict = answer.lines().next().unwrap_or_default();
        decided += usize::from(verdict.starts_with("proved") || verdict.starts_with("bug"));
        if let Some(why) = complaint(&answer, native) {
            wrong.push(format!(
                "seed {seed}: `{verdict}` with {flags:?}, but {why}:\n{text}"
            ));
        }
    }
    let count = seeds.len();
    eprintln!(
        "{kind:?}: {count} programs, {decided} decided, {skipped} skipped, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(skipped == 0, "{skipped} programs of {kind:?} do not compile");
}

#[test]
fn addresses_that_take_detours() {
    check(Kind::LostAddress);
}

#[test]
fn control_flow_that_no_call_shows() {
    check(Kind::HiddenControlFlow);
}

#[test]
fn names_that_the_linker_joins() {
    check(Kind::Linkage);
}

#[test]
fn what_the_environment_changes() {
    check(Kind::Environment);
}

#[test]
fn builtins_with_several_results() {
    check(Kind::Builtins);
}

#[test]
fn orders_of_evaluation() {
    check(Kind::EvaluationOrder);
}

#[test]
fn misuse_of_memory() {
    check(Kind::MemoryChecks);
}

#[test]
fn claims_that_hold() {
    check(Kind::FalseBugs);
}

#[test]
fn success_without_a_check() {
    check(Kind::Vacuous);
}
