//! Several programs in one file: what is seen in them natively is what Lariat is asked to prove.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{Check, Engine, Integers, UnknownCause, Verdict, VerifyReport, VerifyRequest};

use super::features;
use super::generator::Campaign;
use super::native::{self, Observations};
use lariat_testkit::Random;
use lariat_testkit::tree::Program;

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
const BOUND_OF_FEATURES: u32 = 20;

/// What a bug says that depends on a value which the library or the machine chooses.
const OPEN: [&str; 2] = [
    "that the real function may not return",
    "which the machine chooses",
];

/// How Lariat is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub engine: Engine,
    pub integers: Integers,
}

impl Way {
    /// In turn.
    pub fn of(number: usize, campaign: Campaign) -> Way {
        match campaign {
            Campaign::Features if number.is_multiple_of(4) => return Way::DEFAULT,
            Campaign::Features if number.is_multiple_of(2) => return Way::PATHS,
            _ => {}
        }
        Way {
            engine: [Engine::Stratified, Engine::Widen, Engine::Dag][number % 3],
            integers: [Integers::Wrapped, Integers::BitVectors][number / 3 % 2],
        }
    }

    /// As users ask.
    pub const DEFAULT: Way = Way {
        engine: Engine::Portfolio,
        integers: Integers::Exact,
    };

    /// Where inputs are constants, one path is the whole of a program.
    pub const PATHS: Way = Way {
        engine: Engine::Paths,
        integers: Integers::Exact,
    };

    /// Whether inputs are constants, so that mostly the execution decides.
    pub fn executes(self) -> bool {
        self == Way::DEFAULT || self == Way::PATHS
    }

    /// For a program that a solver finds too hard in its own way.
    pub const OTHERS: [Way; 3] = [
        Way {
            engine: Engine::Stratified,
            integers: Integers::BitVectors,
        },
        Way {
            engine: Engine::Static,
            integers: Integers::BitVectors,
        },
        Way {
            engine: Engine::Widen,
            integers: Integers::Wrapped,
        },
    ];
}

/// Why there is no agreement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The solver takes longer than it is given.
    TooHard,
    /// A wrong value is seen to be wrong, but the interpreter cannot follow the execution.
    NotReplayed(String),
    /// Something is not modelled.
    Open(String),
    /// In words.
    Disagreement(String),
}

/// A program with the number in the name of its function.
pub type Numbered = (u64, Program);

fn programs_text(programs: &[Numbered], campaign: Campaign) -> String {
    let mut text = String::from(match campaign {
        Campaign::Language => COMMON,
        Campaign::Features => features::COMMON,
    });
    for (_, program) in programs {
        let _ = writeln!(text, "{}", program.text());
    }
    text
}

/// What gcc compiles: the inputs have their values, what is observed is printed.
fn native_text(programs: &[Numbered], campaign: Campaign) -> String {
    let mut text = String::from("#define INPUT(x, value) ((x) = (value))\nint printf(const char *, ...);\n");
    text.push_str("#define OBSERVE(name, value) printf(\"%s %lld\\n\", #name, (long long)(value))\n");
    text.push_str("#define SEEN OBSERVE\n");
    for (type_name, name) in INPUTS {
        let _ = writeln!(
            text,
            "static {type_name} __VERIFIER_nondet_{name}(void) {{ return 0; }}"
        );
    }
    text.push_str(&programs_text(programs, campaign));
    text.push_str("int main(void) {\n");
    if campaign == Campaign::Features {
        let input = input_text(programs[0].0);
        let _ = writeln!(
            text,
            "  int ends[2]; if (pipe(ends) || write(ends[1], {input:?}, {}) < 0 || dup2(ends[0], 0)) return 1; close(ends[1]);",
            input.len()
        );
    }
    for (seed, _) in programs {
        let _ = writeln!(text, "  test_{seed}();");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// What the compiled programs read: numbers, words, spaces and ends of lines.
fn input_text(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut text = String::new();
    for _ in 0..20 {
        match random.below(3) {
            0 => text.push_str(random.pick(&["a", "zz", "x1", "word", "-"])),
            _ => {
                let _ = write!(text, "{}", random.between(-50, 300));
            }
        }
        text.push_str(random.pick(&[" ", " ", "\n", ""]));
    }
    text
}

/// What Lariat reads: what is observed is compared with what is expected.
pub fn question_text(programs: &[Numbered], expected: &Observations, campaign: Campaign, way: Way) -> String {
    let mut text = String::from(match way.executes() {
        true => "#define INPUT(x, value) ((x) = (value))\n",
        false => "#define INPUT(x, value) __VERIFIER_assume((x) == (value))\n",
    });
    text.push_str("#define OBSERVE(name, value) if ((long long)(value) != name) reach_error()\n");
    text.push_str("#define SEEN(name, value) __VERIFIER_assume((long long)(value) == name)\n");
    for (name, value) in expected {
        let value = match *value {
            i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
            value => format!("({value}LL)"),
        };
        let _ = writeln!(text, "#define {name} {value}");
    }
    text.push_str("extern void __VERIFIER_assume(int);\nextern void reach_error(void);\n");
    for (type_name, name) in INPUTS {
        let _ = writeln!(text, "extern {type_name} __VERIFIER_nondet_{name}(void);");
    }
    text.push_str(&programs_text(programs, campaign));
    text.push_str("int main(void) {\n");
    for (seed, _) in programs {
        let _ = writeln!(text, "  test_{seed}();");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// What is observed in the programs. The error says what is wrong with the programs themselves.
pub fn observations(
    programs: &[Numbered],
    setting: &Setting<'_>,
    how: &[&str],
) -> Result<Observations, String> {
    let text = native_text(programs, setting.campaign);
    native::run(&text, setting.folder, setting.name, how)
}

/// A place for files, and how long the solver may take.
pub struct Setting<'a> {
    pub folder: &'a Path,
    pub name: &'a str,
    pub time: Duration,
    pub campaign: Campaign,
}

fn verify(file: &Path, way: Way, setting: &Setting<'_>) -> VerifyReport {
    let mut request = VerifyRequest::new(vec![file.to_owned()]);
    request.engine = way.engine;
    request.bound = match setting.campaign {
        Campaign::Language => BOUND,
        Campaign::Features => BOUND_OF_FEATURES,
    };
    request.c.integers = way.integers;
    request.c.checks = vec![Check::Reach];
    lariat_verify::verify(&request, &Budget::new(Some(setting.time), None), &mut |_| {})
}

/// Whether Lariat's verdict on `text` is the expected one.
fn check(text: &str, setting: &Setting<'_>, way: Way, expected: &Verdict) -> Result<(), Failure> {
    let file = setting.folder.join(format!("{}.c", setting.name));
    std::fs::write(&file, text).map_err(|error| Failure::Disagreement(error.to_string()))?;
    let report = catch_unwind(AssertUnwindSafe(|| verify(&file, way, setting))).map_err(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Failure::Disagreement(format!("panic: {}", message.unwrap_or_default()))
    })?;
    let _ = std::fs::remove_file(&file);
    match &report.verdict {
        verdict if verdict == expected => Ok(()),
        Verdict::BugUnconfirmed { reason } if *expected == Verdict::Bug => {
            Err(Failure::NotReplayed(reason.clone()))
        }
        Verdict::Unknown {
            cause: UnknownCause::Time,
            ..
        } => Err(Failure::TooHard),
        Verdict::BadInput => {
            let messages: Vec<&str> = report.errors().map(|error| error.rendered.as_str()).collect();
            Err(Failure::Disagreement(format!(
                "bad input: {}",
                messages.join("\n")
            )))
        }
        // What is not modelled, or not searched to its end, is no claim.
        Verdict::Unknown { reason, .. } if setting.campaign == Campaign::Features => {
            Err(Failure::Open(reason.clone()))
        }
        Verdict::Bounded { bound, .. } if *bound < BOUND_OF_FEATURES || *expected == Verdict::Proved => {
            Err(Failure::Open(report.verdict.to_string()))
        }
        Verdict::BugUnconfirmed { reason } if OPEN.iter().any(|open| reason.contains(open)) => {
            Err(Failure::Open(reason.clone()))
        }
        verdict => Err(Failure::Disagreement(format!("{verdict} instead of {expected}"))),
    }
}

/// Whether Lariat proves what is expected.
pub fn agrees(
    programs: &[Numbered],
    expected: &Observations,
    setting: &Setting<'_>,
    way: Way,
) -> Result<(), Failure> {
    check(
        &question_text(programs, expected, setting.campaign, way),
        setting,
        way,
        &Verdict::Proved,
    )
}

/// Whether Lariat sees that one value is wrong.
pub fn refutes(
    programs: &[Numbered],
    wrong: &Observations,
    setting: &Setting<'_>,
    way: Way,
) -> Result<(), Failure> {
    check(
        &question_text(programs, wrong, setting.campaign, way),
        setting,
        way,
        &Verdict::Bug,
    )
}
