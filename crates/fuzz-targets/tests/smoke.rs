//! Every target over its seeds and over mutated ones; `LARIAT_RANDOM_FACTOR` multiplies their number.

use std::path::{Path, PathBuf};

use lariat_testkit::folder::Folder;
use lariat_testkit::mutate::mutate;
use lariat_testkit::seeds::factor;
use lariat_testkit::{Random, files};

const INPUTS: u64 = 2_000;
/// Each input of C goes through libclang.
const C_INPUTS: u64 = 120;
/// Longer seeds take long and are mutated at few places.
const LONGEST_SEED: usize = 6_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The short files with this ending below a folder of the repository.
fn seeds(folder: &str, extension: &str) -> Vec<String> {
    let seeds: Vec<String> = files::below(&root().join(folder), extension)
        .into_iter()
        .map(|(_, path)| std::fs::read_to_string(path).expect("a seed can be read"))
        .filter(|text| text.len() <= LONGEST_SEED)
        .collect();
    assert!(!seeds.is_empty(), "no seeds in {folder}");
    seeds
}

fn smoke(seeds: &[String], pieces: &[&str], count: u64, target: impl Fn(&str)) {
    for seed in seeds {
        target(seed);
    }
    let mut random = Random::new(11);
    for _ in 0..count * factor() {
        let seed = random.choose(seeds);
        target(&mutate(&mut random, seed, pieces));
    }
}

#[test]
fn boogie() {
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ":=",
        ";",
        "<",
        "procedure",
        "bv8",
        "forall",
        "old",
        "1",
        "::",
        "\"",
        "/*",
    ];
    smoke(
        &seeds("crates/boogie/tests/programs", "bpl"),
        &pieces,
        INPUTS,
        lariat_fuzz_targets::boogie,
    );
}

#[test]
fn c() {
    let folder = Folder::new("fuzz-c");
    let pieces = [
        "(", ")", "{", "}", "[", "]", "*", "&", ";", ",", "struct", "union", "int", "(char)", "->", "0",
        "sizeof", "?", ":", "<<", "\"", "/*", "#if 1\n", "= {",
    ];
    smoke(
        &seeds("crates/verify/tests/files/c", "c"),
        &pieces,
        C_INPUTS,
        |text| lariat_fuzz_targets::c(text, folder.path()),
    );
}

#[test]
fn fsp() {
    let pieces = [
        "(", ")", "{", "}", "[", "]", "->", "=", "|", "||", ".", ",", "0", "9", "STOP", "ERROR", "return{",
        "..", "/", "\\", "when", "if", "const", "range", "property", "+", ":",
    ];
    smoke(
        &seeds("examples/conform", "fsp"),
        &pieces,
        INPUTS,
        lariat_fuzz_targets::fsp,
    );
}

#[test]
fn aut() {
    let seeds = [
        "des (0, 2, 3)\n(0, \"request\", 1)\n(1, i, 2)\n",
        "des (0, 4, 3)\n(0, a, 1)\n(0, \"b,c\", 1)\n(1, tau, 2)\n(2, \"tau\", 0)\n",
        "des (1, 2, 2)\n(1, \"i\", 0)\n(0, x(1), -1)\n",
    ]
    .map(str::to_owned);
    let pieces = [
        "(", ")", ",", "\"", "0", "1", "9", "-1", "i", "tau", "des", "\n", " ",
    ];
    smoke(&seeds, &pieces, INPUTS, lariat_fuzz_targets::aut);
}

#[test]
fn project() {
    let pieces = [
        "[",
        "]",
        "[[",
        "]]",
        "=",
        "\"",
        "'",
        ".",
        ",",
        "{",
        "}",
        "true",
        "0",
        "-1",
        "file",
        "routine",
        "component",
        "\n",
        "#",
    ];
    smoke(
        &seeds("examples/conform", "conform"),
        &pieces,
        INPUTS,
        lariat_fuzz_targets::project,
    );
}

#[test]
fn specs() {
    let seeds = [
        "[[spec]]\nentry = \"f\"\nstatus = \"accepted\"\ntext = \"x != NULL && p->next != NULL\"\n",
        "[[spec]]\nid = \"abc\"\nentry = \"g\"\nstatus = \"rejected\"\ntext = 'forall i :: a[i] <= *(int *)p'\n",
        "x != NULL ==> (y + 1) * 2 < z || !b\nresult(malloc) != 0\nafter(g, f@12) == old\n-(-3) - -x\n&s.f->g[1][i]\n",
    ]
    .map(str::to_owned);
    let pieces = [
        "(", ")", "[", "]", "->", ".", "*", "&", "!", "==>", "<==>", "&&", "||", "==", "<", "-", "+", "\"",
        "'", "`", "NULL", "forall", "::", "0", "@", "result", "after", "\n", "=",
    ];
    smoke(&seeds, &pieces, INPUTS, lariat_fuzz_targets::specs);
}
