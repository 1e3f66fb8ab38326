//! Programs with many globals whose abstractions have spurious counterexamples, as Boogie text.
//!
//! `main` runs through stages that move values between globals, in nested procedures with branches.
//! A few *chains* hold what matters: a chain of `k` globals starts with a constant, each link is
//! computed from the one before it, in another stage, and an assertion looks at the last. So the
//! assertion cannot fail, and to see that takes the `k` globals of the chain. All other globals are
//! shuffled around, compared and assumed about.

use std::fmt::Write as _;

/// Assertions in a program, one for each chain. The lengths 2 to 7 take turns; the last global of a chain
/// is in the assertion itself, so that 1 to 6 are left to be found.
const CHAINS: usize = 6;
const STAGES: usize = 12;
/// Maps besides, as programs with a heap have them.
const MAPS: usize = 8;

/// A small generator of numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit.max(1) as u64) as usize
    }
}

/// One step of a chain: in which stage, and the statement.
struct Link {
    stage: usize,
    text: String,
}

/// A program with the given number of globals (at least 60); the same seed gives the same program.
pub fn generate_program(seed: u64, globals: usize) -> String {
    let globals = globals.max(60);
    let mut random = Random(seed.wrapping_mul(0x1234_5678_9ABC_DEF1) ^ 0x5EED);
    let mut order: Vec<usize> = (0..globals).collect();
    for index in (1..globals).rev() {
        order.swap(index, random.below(index + 1));
    }
    let mut links = Vec::new();
    let mut checks = Vec::new();
    let mut used = 0;
    for chain in 0..CHAINS {
        let length = 2 + (seed as usize + chain) % CHAINS;
        let members = &order[used..used + length];
        used += length;
        chain_links(&mut random, members, &mut links, &mut checks);
    }
    let noise: Vec<String> = order[used..].iter().map(|index| format!("g{index}")).collect();
    let mut text = String::new();
    for index in 0..globals {
        let _ = writeln!(text, "var g{index}: int;");
    }
    for index in 0..MAPS {
        let _ = writeln!(text, "var m{index}: [int]int;");
    }
    let _ = writeln!(text, "procedure main() {{");
    for stage in 0..STAGES {
        let _ = writeln!(text, "  call stage{stage}();");
    }
    for check in &checks {
        let _ = writeln!(text, "  assert {check};");
    }
    let _ = writeln!(text, "}}");
    for stage in 0..STAGES {
        write_stage(&mut random, &mut text, stage, &links, &noise);
    }
    text
}

/// The statements of a chain and what holds of its last global.
fn chain_links(random: &mut Random, members: &[usize], links: &mut Vec<Link>, checks: &mut Vec<String>) {
    let mut value = random.below(100);
    let first = random.below(STAGES - members.len());
    links.push(Link {
        stage: first,
        text: format!("g{} := {value};", members[0]),
    });
    for (stage, pair) in (first + 1..).zip(members.windows(2)) {
        let step = random.below(10);
        value += step;
        let text = match random.below(3) {
            0 => format!("g{} := g{} + {step};", pair[1], pair[0]),
            1 => format!("x := g{}; g{} := x + {step};", pair[0], pair[1]),
            _ => format!("call g{} := add(g{}, {step});", pair[1], pair[0]),
        };
        links.push(Link { stage, text });
    }
    if let Some(last) = members.last() {
        checks.push(format!("g{last} == {value}"));
    }
}

/// A stage calls two helpers, of which each has branches of its own.
fn write_stage(random: &mut Random, text: &mut String, stage: usize, links: &[Link], noise: &[String]) {
    let _ = writeln!(text, "procedure stage{stage}() {{\n  var x: int;");
    write_noise(random, text, noise, 10);
    let _ = writeln!(text, "  call first{stage}();");
    for link in links.iter().filter(|link| link.stage == stage) {
        let _ = writeln!(text, "  {}", link.text);
    }
    let _ = writeln!(text, "  call second{stage}();\n}}");
    for name in ["first", "second"] {
        let _ = writeln!(text, "procedure {name}{stage}() {{\n  var x: int;");
        write_noise(random, text, noise, 10);
        for _ in 0..2 {
            let (a, b) = (random.below(noise.len()), random.below(noise.len()));
            let _ = writeln!(text, "  if ({} <= {}) {{", noise[a], noise[b]);
            write_noise(random, text, noise, 5);
            let _ = writeln!(text, "  }} else {{");
            write_noise(random, text, noise, 5);
            let _ = writeln!(text, "  }}");
        }
        let _ = writeln!(text, "}}");
    }
    if stage == 0 {
        let _ = writeln!(
            text,
            "procedure add(a: int, b: int) returns (r: int) {{ r := a + b; }}"
        );
    }
}

/// Statements about globals that do not matter for the assertions. Assumptions are about what was just
/// havocked and can always be satisfied; so a path is infeasible because of a chain, or
/// because it goes a way that the comparisons of globals exclude.
fn write_noise(random: &mut Random, text: &mut String, noise: &[String], count: usize) {
    for _ in 0..count {
        let first = random.below(noise.len());
        let second = (first + 1 + random.below(noise.len() - 1)) % noise.len();
        let (a, b, c) = (&noise[first], &noise[second], &noise[random.below(noise.len())]);
        let map = random.below(MAPS);
        let _ = match random.below(8) {
            0 => writeln!(text, "  {a} := {b} + {};", random.below(10)),
            1 => writeln!(text, "  {a} := {b} - {c};"),
            2 => writeln!(text, "  x := {b}; {a} := x + {c};"),
            3 => writeln!(text, "  havoc {a};"),
            4 => writeln!(text, "  havoc {a}; assume {a} > {b};"),
            5 => writeln!(text, "  m{map}[{b}] := {c};"),
            6 => writeln!(text, "  {a} := m{map}[{b}];"),
            _ => {
                let width = random.below(10);
                writeln!(
                    text,
                    "  havoc x; assume {b} <= x && x <= {b} + {width}; {a} := x;"
                )
            }
        };
    }
}
