//! Random programs with a few globals, parallel assignments, calls, recursion and assertions.

use std::fmt::Write as _;

use lariat_testkit::Random;

const READABLE: [&str; 9] = ["g0", "g1", "g2", "g3", "g4", "x", "y", "a", "r"];
const WRITABLE: [&str; 8] = ["g0", "g1", "g2", "g3", "g4", "x", "y", "r"];

fn number(random: &mut Random) -> String {
    match random.below(9) {
        0..=3 => random.below(3).to_string(),
        4 => format!("{} + {}", random.pick(&READABLE), random.below(2)),
        5 => format!("m[{}]", random.pick(&READABLE)),
        _ => random.pick(&READABLE).to_owned(),
    }
}

fn condition(random: &mut Random) -> String {
    let (a, b) = (random.pick(&READABLE).to_owned(), number(random));
    let op = random.pick(&["==", "!=", "<=", "<"]);
    match random.below(5) {
        0 => format!(
            "{a} {op} {b} && {} == {}",
            random.pick(&READABLE),
            random.below(2)
        ),
        1 => format!(
            "{a} {op} {b} || {} == {}",
            random.pick(&READABLE),
            random.below(2)
        ),
        _ => format!("{a} {op} {b}"),
    }
}

fn statements(random: &mut Random, text: &mut String, procs: usize, depth: usize) {
    for _ in 0..1 + random.below(4) {
        let target = random.pick(&WRITABLE);
        let _ = match random.below(16) {
            0..=5 => writeln!(text, "{target} := {};", number(random)),
            6 => {
                let other = if target == "x" { "g1" } else { "x" };
                writeln!(
                    text,
                    "{target}, {other} := {}, {};",
                    number(random),
                    number(random)
                )
            }
            7 => writeln!(text, "havoc {target}, m;"),
            8 => writeln!(text, "m[{}] := {};", number(random), number(random)),
            9 => writeln!(text, "assume {};", condition(random)),
            10 | 11 => {
                let (a, b) = (condition(random), condition(random));
                writeln!(text, "assert ({a}) || ({b}) || ({});", condition(random))
            }
            12 if depth < 2 => {
                let _ = writeln!(text, "if ({}) {{", condition(random));
                statements(random, text, procs, depth + 1);
                let _ = writeln!(text, "}} else {{");
                statements(random, text, procs, depth + 1);
                writeln!(text, "}}")
            }
            13 if depth < 2 => {
                let _ = writeln!(text, "while ({}) {{", condition(random));
                statements(random, text, procs, depth + 1);
                writeln!(text, "}}")
            }
            _ => {
                let callee = random.below(procs);
                writeln!(text, "call {target} := p{callee}({});", number(random))
            }
        };
    }
}

pub fn random_program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("var g0, g1, g2, g3, g4: int;\nvar m: [int]int;\n");
    let procs = 1 + random.below(3);
    text.push_str("procedure main() {\n  var x, y, a, r: int;\n");
    for _ in 0..3 + random.below(5) {
        let _ = writeln!(text, "{} := {};", random.pick(&WRITABLE), random.below(3));
    }
    statements(&mut random, &mut text, procs, 0);
    statements(&mut random, &mut text, procs, 0);
    text.push_str("}\n");
    for proc in 0..procs {
        let _ = writeln!(
            text,
            "procedure p{proc}(a: int) returns (r: int) {{\n  var x, y: int;"
        );
        statements(&mut random, &mut text, procs, 0);
        text.push_str("}\n");
    }
    text
}
