//! `lariat doctor`: what this installation has, and what it lacks.

use std::process::Command;

use lariat_worker::memory_of_system;

use crate::exit::ExitCode;
use crate::{say, style, units};

/// A small program that needs libclang, the library's models and the solver.
const PROGRAM: &str =
    "#include <stddef.h>\nint main(void) { int x; int *p = x ? &x : NULL; return p != NULL ? *p : 0; }\n";

pub fn run() -> ExitCode {
    let mut text = String::new();
    let mut is_well = true;
    let mut line = |good: bool, what: &str, words: String| {
        let (style, mark) = if good {
            (style::GOOD, "ok")
        } else {
            (style::ERROR, "no")
        };
        is_well &= good;
        text.push_str(&format!("{style}{mark}{style:#}  {what:9}  {words}\n"));
    };
    let program =
        std::env::current_exe().map_or_else(|error| error.to_string(), |it| it.display().to_string());
    line(
        true,
        "lariat",
        format!("{} at {program}", env!("CARGO_PKG_VERSION")),
    );
    let folder = std::env::current_exe().and_then(|it| it.canonicalize());
    let folder = folder
        .ok()
        .and_then(|it| it.parent().map(|it| it.display().to_string()));
    let folder = folder.unwrap_or_else(|| "the program's folder".to_owned());
    let looked =
        format!("looked for in {folder}, {folder}/../lib and the folder of the build, in this order");
    line(true, "libraries", looked);
    match lariat_smt::solver_version() {
        Ok(solver) => {
            let loaded = loaded_library("libz3")
                .unwrap_or_else(|| "in a place that the system does not tell".to_owned());
            line(true, "Z3", format!("{solver} at {loaded}"));
        }
        Err(error) => line(false, "Z3", error.to_string()),
    }
    match try_c() {
        Ok(seconds) => line(
            true,
            "C",
            format!("a small program was verified in {}", units::seconds(seconds)),
        ),
        Err(message) => line(false, "C", message),
    }
    let compiler = ["cc", "gcc", "clang"].into_iter().find_map(version);
    let compiler = compiler
        .unwrap_or_else(|| "none: `--harness` needs one, and so do headers such as <stdio.h>".to_owned());
    line(true, "compiler", compiler);
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let memory = memory_of_system().map_or_else(|| "unknown".to_owned(), units::bytes);
    line(
        true,
        "machine",
        format!("{}, {memory}", units::count(cores as u64, "core")),
    );
    let settings = std::env::current_dir()
        .ok()
        .and_then(|folder| crate::check::settings_above(&folder));
    let settings = settings.map_or_else(
        || "no lariat.toml in this folder or above".to_owned(),
        |it| it.display().to_string(),
    );
    line(true, "settings", settings);
    if let Err(message) = say::result(&text) {
        return say::usage_error(&message);
    }
    match is_well {
        true => ExitCode::Success,
        false => ExitCode::BadInput,
    }
}

/// The file of a library that this process has loaded.
fn loaded_library(name: &str) -> Option<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let paths = maps
        .lines()
        .filter_map(|line| line.split_once('/').map(|(_, path)| format!("/{path}")));
    let mut found = paths.filter(|path| path.rsplit('/').next().is_some_and(|file| file.starts_with(name)));
    found.next()
}

/// Verifies the program; the error is what the user must know.
fn try_c() -> Result<f64, String> {
    let path = std::env::temp_dir().join(format!("lariat-doctor-{}.c", std::process::id()));
    std::fs::write(&path, PROGRAM).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let start = std::time::Instant::now();
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args(["verify", "--quiet", "--no-progress", "--time-limit=60"])
        .arg(&path)
        .output();
    // It may be gone already.
    let _ = std::fs::remove_file(&path);
    let output = output.map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0) => Ok(start.elapsed().as_secs_f64()),
        _ => Err(format!(
            "{} {}",
            String::from_utf8_lossy(&output.stderr).trim(),
            String::from_utf8_lossy(&output.stdout).trim()
        )),
    }
}

/// The first line of what a compiler says of itself.
fn version(name: &str) -> Option<String> {
    let output = Command::new(name).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .next()
        .filter(|_| output.status.success())
        .map(str::to_owned)
}
