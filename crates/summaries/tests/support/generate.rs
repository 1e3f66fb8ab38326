//! Small random programs with loops, recursion and assertions over integers and a flag.

use lariat_testkit::Random;

const READABLE: [&str; 5] = ["g", "h", "x", "r", "i"];
const WRITABLE: [&str; 4] = ["g", "h", "r", "i"];

struct Generator {
    random: Random,
    procs: usize,
}

/// The text of a program with the entry `main`.
pub fn random_program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let procs = 1 + random.below(4);
    let mut generator = Generator { random, procs };
    let mut text = String::from("var g: int, h: int, f: bool;\n");
    for proc in 0..procs {
        let body = generator.block(proc, 3);
        text +=
            &format!("procedure p{proc}(x: int) returns (r: int) {{\n  var i: int;\n  i := 0;\n{body}}}\n");
    }
    let (start, body) = (generator.number(), generator.block(procs, 3));
    let assertion = generator.condition();
    text += &format!(
        "procedure main(x: int) {{\n  var i: int, r: int;\n  g := {}; h := 0; f := false; r := 0; i := 0;\n{body}\
         assert {assertion};\n}}\n",
        start.replace(['g', 'h', 'r', 'i'], "x")
    );
    text
}

impl Generator {
    fn number(&mut self) -> String {
        let var = self.random.pick(&READABLE);
        match self.random.below(7) {
            0 | 1 => self.random.below(3).to_string(),
            2 => format!("{var} + {}", 1 + self.random.below(2)),
            3 => format!("{var} - 1"),
            4 => format!("{var} + {}", self.random.pick(&READABLE)),
            _ => var.to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.random.pick(&READABLE), self.number());
        match self.random.below(8) {
            0 => "f".to_owned(),
            1 => "!f".to_owned(),
            2 => format!("{a} == {b}"),
            3 => format!("{a} != {b}"),
            4 => format!("{a} < {b}"),
            5 => format!("f ==> {a} >= {b}"),
            6 => format!("{a} >= 0 || {a} < {b}"),
            _ => format!("{a} <= {b}"),
        }
    }

    /// Statements of procedure `proc`, which calls itself and those with smaller numbers.
    fn block(&mut self, proc: usize, depth: usize) -> String {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.stmt(proc, depth)).collect()
    }

    fn stmt(&mut self, proc: usize, depth: usize) -> String {
        let target = self.random.pick(&WRITABLE);
        match self.random.below(if depth == 0 { 6 } else { 11 }) {
            0..=2 => format!("  {target} := {};\n", self.number()),
            3 => format!("  f := {};\n", self.condition()),
            4 => format!(
                "  havoc {target};\n  assume {target} >= {};\n",
                self.random.below(3)
            ),
            5 => format!("  assert {};\n", self.condition()),
            6 | 7 => {
                let callee = self.random.below((proc + 1).min(self.procs));
                let argument = self.number();
                if callee == proc {
                    format!("  if (*) {{ call r := p{callee}({argument}); }}\n")
                } else {
                    format!("  call r := p{callee}({argument});\n")
                }
            }
            8 => {
                let (condition, body) = (self.condition(), self.block(proc, depth - 1));
                let otherwise = self.block(proc, depth - 1);
                format!("  if ({condition}) {{\n{body}  }} else {{\n{otherwise}  }}\n")
            }
            9 => {
                let body = self.block(proc, depth - 1);
                format!("  while (i < x) {{\n{body}    i := i + 1;\n  }}\n")
            }
            _ => {
                let body = self.block(proc, depth - 1);
                format!("  while (*) {{\n{body}  }}\n")
            }
        }
    }
}
