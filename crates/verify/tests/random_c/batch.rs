//! Several programs in one file: what they return natively is what Lariat is asked to prove.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{CCheck, CIntegers, Engine, Verdict, VerifyReport, VerifyRequest};

use super::native;
use crate::support::tree::Program;

const COMMON: &str = "\
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
";

/// The names and types of the inputs.
const INPUTS: [(&str, &str); 13] = [
    ("_Bool", "bool"),
    ("char", "char"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("int", "int"),
    ("unsigned int", "uint"),
    ("long", "long"),
    ("unsigned long", "ulong"),
    ("long long", "longlong"),
    ("unsigned long long", "ulonglong"),
    ("float", "float"),
    ("double", "double"),
];

/// Enough for every loop and recursion in the programs: no verdict depends on it.
const BOUND: u32 = 12;
/// No batch is worth more; running into it is a failure.
const TIME: Duration = Duration::from_secs(120);

/// How Lariat is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub engine: Engine,
    pub integers: CIntegers,
}

impl Way {
    /// In turn.
    pub fn of(number: usize) -> Way {
        Way {
            engine: [Engine::Stratified, Engine::Widen, Engine::Dag][number % 3],
            integers: [CIntegers::Wrapped, CIntegers::BitVectors][number / 3 % 2],
        }
    }
}

/// A program with the number in the name of its function.
pub type Numbered = (u64, Program);

fn programs_text(programs: &[Numbered]) -> String {
    let mut text = String::from(COMMON);
    for (_, program) in programs {
        let _ = writeln!(text, "{}", program.text());
    }
    text
}

/// What gcc compiles: the inputs have their values, the results are printed.
fn native_text(programs: &[Numbered]) -> String {
    let mut text = String::from("#define INPUT(x, value) ((x) = (value))\nint printf(const char *, ...);\n");
    for (type_name, name) in INPUTS {
        let _ = writeln!(
            text,
            "static {type_name} __VERIFIER_nondet_{name}(void) {{ return 0; }}"
        );
    }
    text.push_str(&programs_text(programs));
    text.push_str("int main(void) {\n");
    for (seed, _) in programs {
        let _ = writeln!(text, "  printf(\"%lld\\n\", test_{seed}());");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// What Lariat reads: each result is compared with the expected one.
pub fn question_text(programs: &[Numbered], expected: &[i64]) -> String {
    let mut text = String::from("#define INPUT(x, value) __VERIFIER_assume((x) == (value))\n");
    text.push_str("extern void __VERIFIER_assume(int);\nextern void reach_error(void);\n");
    for (type_name, name) in INPUTS {
        let _ = writeln!(text, "extern {type_name} __VERIFIER_nondet_{name}(void);");
    }
    text.push_str(&programs_text(programs));
    text.push_str("int main(void) {\n");
    for ((seed, _), value) in programs.iter().zip(expected) {
        let value = match *value {
            i64::MIN => "-9223372036854775807LL - 1".to_owned(),
            value => format!("{value}LL"),
        };
        let _ = writeln!(text, "  if (test_{seed}() != {value}) reach_error();");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// What the programs return. The error says what is wrong with the programs themselves.
pub fn results(programs: &[Numbered], folder: &Path, name: &str, how: &[&str]) -> Result<Vec<i64>, String> {
    let results = native::run(&native_text(programs), folder, name, how)?;
    if results.len() != programs.len() {
        return Err("gcc's program prints too few results".to_owned());
    }
    Ok(results)
}

fn verify(file: &Path, way: Way) -> VerifyReport {
    let mut request = VerifyRequest::new(vec![file.to_owned()]);
    request.engine = way.engine;
    request.bound = BOUND;
    request.c.integers = way.integers;
    request.c.checks = vec![CCheck::Reach];
    lariat_verify::verify(&request, &Budget::new(Some(TIME), None), &mut |_| {})
}

/// Lariat's verdict on `text`, in words if it is none that a program here can have.
pub fn verdict(text: &str, folder: &Path, name: &str, way: Way) -> Result<Verdict, String> {
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let report = catch_unwind(AssertUnwindSafe(|| verify(&file, way))).map_err(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("panic: {}", message.unwrap_or_default())
    })?;
    let _ = std::fs::remove_file(&file);
    match report.verdict {
        Verdict::Proved | Verdict::Bug => Ok(report.verdict),
        Verdict::BadInput => {
            let messages: Vec<&str> = report.errors().map(|error| error.rendered.as_str()).collect();
            Err(format!("bad input: {}", messages.join("\n")))
        }
        verdict => Err(format!("{verdict}")),
    }
}

/// Whether Lariat agrees with the results: the right ones are proved.
pub fn agrees(
    programs: &[Numbered],
    expected: &[i64],
    folder: &Path,
    name: &str,
    way: Way,
) -> Result<(), String> {
    match verdict(&question_text(programs, expected), folder, name, way)? {
        Verdict::Proved => Ok(()),
        verdict => Err(format!(
            "gcc's results {expected:?} are said to be wrong: {verdict}"
        )),
    }
}

/// Whether Lariat sees that one result is wrong.
pub fn refutes(
    programs: &[Numbered],
    wrong: &[i64],
    folder: &Path,
    name: &str,
    way: Way,
) -> Result<(), String> {
    match verdict(&question_text(programs, wrong), folder, name, way)? {
        Verdict::Bug => Ok(()),
        verdict => Err(format!(
            "the wrong results {wrong:?} are said to be right: {verdict}"
        )),
    }
}
