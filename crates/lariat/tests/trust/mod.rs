//! Generators of programs, one file for each kind. The same seed gives the same program.

mod addresses;
mod control_flow;
mod environment;
mod evaluation_order;
mod false_bugs;
mod linkage;
mod memory;

use lariat_testkit::Random;

/// What verifiers get wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    LostAddress,
    HiddenControlFlow,
    Linkage,
    Environment,
    Builtins,
    EvaluationOrder,
    MemoryChecks,
    FalseBugs,
    Vacuous,
}

/// Who knows whether a program can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The program has one execution; the compiled program shows how it ends.
    Run,
    /// The same under the address sanitizer, …
    Address,
    /// … the sanitizer of arithmetic, …
    Arithmetic,
    /// … and the one of uninitialised memory.
    Memory,
    /// By the standard, whatever the compiler at hand makes of it.
    SomeExecutionFails,
    NoExecutionFails,
}

pub struct CProgram {
    pub text: String,
    pub flags: &'static [&'static str],
    pub truth: Truth,
}

pub fn generate(kind: Kind, seed: u64) -> CProgram {
    let random = &mut Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(kind as u64));
    match kind {
        Kind::LostAddress => addresses::generate(random),
        Kind::HiddenControlFlow => control_flow::generate(random),
        Kind::Linkage => linkage::generate(random),
        Kind::Environment => environment::generate(random),
        Kind::Builtins => environment::builtin(random),
        Kind::EvaluationOrder => evaluation_order::generate(random),
        Kind::MemoryChecks => memory::generate(random),
        Kind::FalseBugs => false_bugs::generate(random),
        Kind::Vacuous => false_bugs::vacuous(random),
    }
}

/// The headers that most programs need.
const HEADERS: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
";

fn program(body: &str) -> String {
    format!("{HEADERS}{body}")
}
