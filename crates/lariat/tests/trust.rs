//! Small C programs of the kinds that verifiers get wrong, made at random and compared with what compilers and
//! sanitizers say. A program is `proved` only if it runs without failing, and has a `bug` only if it fails; every other
//! answer is honest, if not helpful.
//!
//! A campaign, run on demand: `LARIAT_TRUST=n` makes n programs of each kind, `LARIAT_SEED=n` only the one of that seed.
//! It still finds wrong verdicts, so `cargo test` alone skips it with a message. Without gcc, or without clang for
//! uninitialised values, the programs that need them are skipped too.

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
    match (number("LARIAT_SEED"), number("LARIAT_TRUST")) {
        (Some(seed), _) => vec![seed],
        (None, Some(count)) => (0..count).collect(),
        (None, None) => Vec::new(),
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

/// What is wrong with the verdict, if anything.
fn complaint(verdict: &str, native: Native) -> Option<&'static str> {
    match native {
        Native::Fails if verdict.starts_with("proved") => Some("an execution fails"),
        Native::Passes if verdict.starts_with("bug") => Some("no execution fails"),
        _ => None,
    }
}

fn check(kind: Kind) {
    let sandbox = Sandbox::new(&format!("trust-{kind:?}"));
    let (mut wrong, mut decided, mut skipped) = (Vec::new(), 0, 0);
    let seeds = seeds();
    if seeds.is_empty() {
        return eprintln!("skipped: set LARIAT_TRUST to the number of programs of each kind");
    }
    for &seed in &seeds {
        let CProgram {
            text,
            flags,
            truth: how,
        } = kinds::generate(kind, seed);
        let file = format!("{seed}.c");
        sandbox.write(&file, &text);
        let native = truth(&sandbox, &file, how);
        if native == Native::Unavailable {
            skipped += 1;
            continue;
        }
        let mut words = vec!["verify", "-q", "--time-limit", SECONDS];
        words.extend(flags);
        words.push(&file);
        let output = sandbox.run(&words);
        let verdict = stdout(&output).lines().next().unwrap_or_default().to_owned();
        decided += usize::from(verdict.starts_with("proved") || verdict.starts_with("bug"));
        if let Some(why) = complaint(&verdict, native) {
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
    assert!(
        skipped == 0 || !gcc::tools_are_there("trust", &["gcc", "clang"]),
        "{skipped} programs of {kind:?} do not compile"
    );
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
