//! A folder of its own for each test, and the command to run in it.

use std::path::Path;
use std::process::{Command, Output};

use lariat_testkit::folder::Folder;

pub struct Sandbox(Folder);

impl Sandbox {
    pub fn new(name: &str) -> Self {
        Sandbox(Folder::new(&format!("cli-{name}")))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.write(name, content);
    }

    /// `lariat arguments…`, to be run in the folder.
    pub fn lariat(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lariat"));
        command.args(arguments).current_dir(self.path());
        for variable in [
            "NO_COLOR",
            "CLICOLOR_FORCE",
            "RUST_BACKTRACE",
            "LARIAT_TEST_FAULT",
        ] {
            command.env_remove(variable);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.lariat(arguments).output().expect("lariat can be started")
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The exit code, or what was printed instead.
#[track_caller]
pub fn assert_code(output: &Output, code: i32) {
    let printed = || format!("{}\n{}", stdout(output), stderr(output));
    assert_eq!(output.status.code(), Some(code), "{}", printed());
}

/// What standard output must contain.
#[track_caller]
pub fn assert_shows(output: &Output, text: &str) {
    let shown = stdout(output);
    assert!(shown.contains(text), "`{text}` is not in\n{shown}");
}

/// What standard error must contain.
#[track_caller]
pub fn assert_says(output: &Output, text: &str) {
    let said = stderr(output);
    assert!(said.contains(text), "`{text}` is not in\n{said}");
}

/// A program whose only assertion the solver does not decide in the time of a test: it would have to
/// find the two prime factors, of 61 bits each, of a number.
pub const HARD_PROGRAM: &str = "\
function {:bvbuiltin \"bvmul\"} times(x: bv128, y: bv128) returns (bv128);
function {:bvbuiltin \"bvult\"} less(x: bv128, y: bv128) returns (bool);

procedure main(x: bv128, y: bv128)
{
  assume less(1bv128, x) && less(x, 18446744073709551616bv128);
  assume less(1bv128, y) && less(y, 18446744073709551616bv128);
  assert times(x, y) != 5316911983139663417828251946283171871bv128;
}
";
