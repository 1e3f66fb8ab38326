//! A folder of its own for each test, and the command to run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

/// A fresh folder that is removed when the test has passed.
pub struct Sandbox {
    folder: PathBuf,
}

impl Sandbox {
    pub fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("lariat-cli-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the test");
        Sandbox { folder }
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder for the file");
        fs::write(path, content).expect("written");
    }

    /// `lariat arguments…`, to be run in the folder.
    pub fn lariat(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lariat"));
        command.args(arguments).current_dir(&self.folder);
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

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
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
