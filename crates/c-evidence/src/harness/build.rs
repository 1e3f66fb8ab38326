//! Compiling a harness and running it.
//!
//! A machine of the program's kind is preferred: `-m32` for a 32-bit program, if need be with a
//! small library of Lariat's where the system has no 32-bit libraries; a native build is the last
//! resort, and `how` says what it came to. What the compiler and the linker complain of is put
//! right in the harness itself, so that the file that the user gets is the file that was run.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use lariat_report::{FailureKind, HarnessOutcome, Machine};

use crate::harness::judge::{Judgement, judge};
use crate::harness::measure::RunAs;
use crate::harness::process::{self, TemporaryFolder, find_program};
use crate::harness::source::{HarnessTask, harness_source};
use crate::harness::threads::LIBRARIES;
use crate::harness::{SANITIZER, TIME_LIMIT};
use crate::scan;

/// How long a compiler may take.
const COMPILER_LIMIT: Duration = Duration::from_secs(60);
/// No object of a real program lies below.
const FIRST_PAGE: u64 = 4096;
/// How often the harness is put right.
const REPAIRS: usize = 4;

/// Writes the harness to `path`, compiles it and runs it. An error is about writing the file.
pub fn confirm(task: &HarnessTask<'_>, path: &Path) -> io::Result<HarnessOutcome> {
    let mut task = task.clone();
    std::fs::write(path, harness_source(&task))?;
    let failed = |how: &str, output: String| HarnessOutcome {
        path: path.display().to_string(),
        compiled: false,
        reproduced: false,
        how: how.to_owned(),
        output,
    };
    let Some(compiler) = Compiler::find(task.failure.kind) else {
        let reason = "set CC, or install gcc or clang";
        return Ok(failed("no C compiler was found", reason.to_owned()));
    };
    let folder = TemporaryFolder::new()?;
    let mut complaint = None;
    for target in Target::candidates(&task) {
        match build(&mut task, path, &compiler, target, &folder)? {
            Ok(build) => return Ok(run_builds(&task, path, &compiler, &build, &folder)),
            // What the best build complains of is what the user should see.
            Err(this) => complaint = complaint.or(Some(this)),
        }
    }
    let complaint = complaint.unwrap_or_default();
    Ok(failed(&complaint.how, complaint.text))
}

/// Whether harnesses can be compiled here.
pub fn has_compiler() -> bool {
    Compiler::find(FailureKind::Assertion).is_some()
}

/// Compiles a harness that counts what is executed, runs it, and returns what gcov prints about it. `Err` says what went
/// wrong with it; the outer error is about the harness's file.
pub(super) fn count(task: &HarnessTask<'_>, path: &Path) -> io::Result<Result<(String, RunAs), String>> {
    let mut task = task.clone();
    let Some(compiler) = Compiler::find(FailureKind::Assertion) else {
        return Ok(Err("no C compiler was found".to_owned()));
    };
    let Some(gcov) = find_program("gcov") else {
        return Ok(Err("no gcov was found".to_owned()));
    };
    let folder = TemporaryFolder::new()?;
    let mut complaint = None;
    let targets = match task.options.machine {
        Machine::Lp64 => vec![Target::Native],
        Machine::Ilp32 => vec![Target::Bits32, Target::Native],
    };
    for target in targets {
        // What is missing or defined twice is found out by linking without counts first.
        let built = build(&mut task, path, &compiler, target, &folder)?;
        let separate = match built {
            Ok(build) => build.separate,
            Err(this) => {
                complaint = complaint.or(Some(this.text));
                continue;
            }
        };
        let plan = Plan {
            task: &task,
            path,
            compiler: &compiler,
            target,
            separate,
            more: &["--coverage", "-DLARIAT_COVERAGE"],
        };
        match plan.compile(&folder) {
            Ok(build) => {
                let run_as = match (target, task.options.machine) {
                    (Target::Native, Machine::Ilp32) => RunAs::Bits64,
                    _ => RunAs::Itself,
                };
                let counts = run_counting(&build.program, &gcov, &folder);
                return Ok(counts.map(|text| (text, run_as)));
            }
            Err(this) => complaint = complaint.or(Some(this.text)),
        }
    }
    Ok(Err(complaint.unwrap_or_default()))
}

fn run_counting(program: &Path, gcov: &Path, folder: &TemporaryFolder) -> Result<String, String> {
    let mut command = Command::new(program);
    command.current_dir(folder.path());
    process::run(&mut command, TIME_LIMIT).map_err(|error| error.to_string())?;
    let entries = std::fs::read_dir(folder.path()).map_err(|error| error.to_string())?;
    let counts: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "gcda"))
        .collect();
    if counts.is_empty() {
        return Err("the program has written no counts".to_owned());
    }
    let mut command = Command::new(gcov);
    command
        .current_dir(folder.path())
        .args(["--json-format", "--branch-probabilities", "--stdout"]);
    command.args(counts);
    process::output(&mut command).ok_or_else(|| "gcov has failed".to_owned())
}

/// What is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// As the compiler has it: the program's machine, or what is nearest.
    Native,
    /// `-m32`.
    Bits32,
    /// `-m32` with our own library.
    Bits32Alone,
}

impl Target {
    fn candidates(task: &HarnessTask<'_>) -> Vec<Target> {
        match task.options.machine {
            Machine::Lp64 => vec![Target::Native],
            Machine::Ilp32 if sanitizers(task.failure.kind).is_some() || has_schedule(task) => {
                vec![Target::Bits32, Target::Native]
            }
            Machine::Ilp32 => vec![Target::Bits32, Target::Bits32Alone, Target::Native],
        }
    }
}

/// Whether the harness says which thread runs when. With a sanitizer threads run as they do.
pub(super) fn has_schedule(task: &HarnessTask<'_>) -> bool {
    !task.failure.schedule.is_empty() && sanitizers(task.failure.kind).is_none()
}

/// The sanitizers that see a failure of this kind; `None` if the harness sees it itself.
fn sanitizers(kind: FailureKind) -> Option<&'static str> {
    Some(match kind {
        FailureKind::NullDereference => "address,null",
        FailureKind::OutOfBounds => "address,bounds",
        FailureKind::UseAfterFree
        | FailureKind::DoubleFree
        | FailureKind::InvalidFree
        | FailureKind::Leak => "address",
        FailureKind::SignedOverflow => "signed-integer-overflow,integer-divide-by-zero,shift",
        FailureKind::DivisionByZero => "integer-divide-by-zero",
        FailureKind::InvalidShift => "shift",
        FailureKind::UninitialisedUse => "memory",
        FailureKind::DataRace => "thread",
        _ => return None,
    })
}

/// A compiler: a program and the arguments that `CC` gives it.
struct Compiler {
    program: PathBuf,
    name: String,
    arguments: Vec<String>,
}

impl Compiler {
    /// `CC` if it is set, else a compiler of this machine that can see failures of this kind.
    fn find(kind: FailureKind) -> Option<Compiler> {
        if let Some(command) = std::env::var("CC")
            .ok()
            .filter(|command| !command.trim().is_empty())
        {
            let mut words = command.split_whitespace().map(str::to_owned);
            let name = words.next()?;
            return Some(Compiler {
                program: find_program(&name)?,
                name,
                arguments: words.collect(),
            });
        }
        let names = match kind {
            FailureKind::UninitialisedUse => ["clang", "gcc", "cc"],
            _ => ["gcc", "clang", "cc"],
        };
        names.into_iter().find_map(|name| {
            Some(Compiler {
                program: find_program(name)?,
                name: name.to_owned(),
                arguments: Vec::new(),
            })
        })
    }
}

#[derive(Default)]
struct Complaint {
    how: String,
    text: String,
}

/// A program that can be run.
struct Build {
    target: Target,
    separate: bool,
    program: PathBuf,
    how: String,
}

/// Compiles for a target, with repairs of the harness where that helps. The outer error is about the harness's file.
fn build(
    task: &mut HarnessTask<'_>,
    path: &Path,
    compiler: &Compiler,
    target: Target,
    folder: &TemporaryFolder,
) -> io::Result<Result<Build, Complaint>> {
    let mut separate = false;
    let mut repairs = 0;
    loop {
        let plan = Plan {
            task,
            path,
            compiler,
            target,
            separate,
            more: &[],
        };
        let complaint = match plan.compile(folder) {
            Ok(build) => return Ok(Ok(build)),
            Err(complaint) => complaint,
        };
        repairs += 1;
        if repairs <= REPAIRS && repair(task, &complaint.text) {
            std::fs::write(path, harness_source(task))?;
        } else if task.files.len() > 1 && !separate {
            // Files may define the same names for themselves.
            separate = true;
            repairs = 0;
        } else {
            return Ok(Err(complaint));
        }
    }
}

/// Takes from the harness what is defined twice and adds what is missing. False if nothing was learnt.
fn repair(task: &mut HarnessTask<'_>, complaint: &str) -> bool {
    let mut learnt = false;
    for line in complaint.lines() {
        let name = |marker: &str| {
            let (_, rest) = line.split_once(marker)?;
            let rest = rest.trim_start_matches(['`', '\'', '"', ' ', ':']);
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))
                .unwrap_or(rest.len());
            (end > 0).then(|| rest[..end].to_owned())
        };
        if task.files.len() > 1 {
            let markers = [
                "redefinition of",
                "conflicting types for",
                "redeclaration of enumerator",
                "static declaration of",
                "non-static declaration of",
                "redeclared as different kind of symbol",
            ];
            let quoted = |line: &str| Some(line.split_once('\'')?.1.split_once('\'')?.0.to_owned());
            if let Some(name) = markers
                .iter()
                .any(|marker| line.contains(marker))
                .then(|| quoted(line))
                .flatten()
            {
                // Of `struct node` the last word is the name.
                let name = name.split(' ').next_back().unwrap_or(&name).to_owned();
                learnt |= scan::is_identifier(&name) && task.repeated.insert(name);
            }
        }
        let is_double = line.contains("already defined") || line.contains("multiple definition of");
        let double = name("symbol `").or_else(|| name("multiple definition of"));
        if let Some(double) = double.filter(|_| is_double) {
            learnt |= task.defined.insert(double);
        }
        if name("conflicting types for").is_some_and(|name| name == "lariat_malloc") {
            learnt |= !std::mem::replace(&mut task.declares_malloc, true);
        }
        if let Some(missing) = name("undefined reference to").or_else(|| name("undefined symbol:")) {
            learnt |= task.missing.insert(missing);
        }
    }
    learnt
}

/// One call of the compiler.
struct Plan<'a, 'b> {
    task: &'a HarnessTask<'b>,
    path: &'a Path,
    compiler: &'a Compiler,
    target: Target,
    /// Files after the first are compiled on their own.
    separate: bool,
    /// Further flags.
    more: &'a [&'a str],
}

impl Plan<'_, '_> {
    fn compile(&self, folder: &TemporaryFolder) -> Result<Build, Complaint> {
        let program = folder.join("harness");
        let mut arguments = self.compiler.arguments.clone();
        arguments.extend(self.flags());
        let path = self.path.display().to_string();
        // What is shown is what a user can do again; the rest belongs to the temporary folder.
        let mut shown = arguments.clone();
        shown.push(path.clone());
        arguments.push(path);
        if self.separate {
            let others = self.task.files[1..]
                .iter()
                .map(|file| file.path.display().to_string());
            arguments.extend(others.clone());
            shown.extend(others);
        }
        if has_schedule(self.task) {
            arguments.extend(LIBRARIES.map(str::to_owned));
            shown.extend(LIBRARIES.map(str::to_owned));
        }
        let mut note = "";
        if self.target == Target::Bits32Alone {
            let own = prepare_own_library(self.compiler, folder);
            arguments.extend(own.map_err(|error| Complaint {
                how: shown.join(" "),
                text: format!("the library for 32 bits cannot be written: {error}"),
            })?);
            note = " (with a small library of Lariat's, for lack of 32-bit libraries such as those of gcc-multilib)";
        } else if self.target == Target::Native && self.task.options.machine == Machine::Ilp32 {
            note = " (a 64-bit program, for lack of 32-bit libraries such as those of gcc-multilib)";
        }
        let how = format!("{} {}{note}", self.compiler.name, shown.join(" "));
        arguments.extend(["-o".to_owned(), program.display().to_string()]);
        let mut command = Command::new(&self.compiler.program);
        command.args(&arguments).env("LC_ALL", "C");
        match process::run(&mut command, COMPILER_LIMIT) {
            Ok(run) if run.ending == process::RunEnding::Exit(0) => Ok(Build {
                target: self.target,
                separate: self.separate,
                program,
                how,
            }),
            Ok(run) => Err(Complaint {
                how,
                text: run.messages,
            }),
            Err(error) => Err(Complaint {
                how,
                text: error.to_string(),
            }),
        }
    }

    fn flags(&self) -> Vec<String> {
        let options = self.task.options;
        let mut flags: Vec<String> = ["-w", "-O0", "-g"].map(str::to_owned).to_vec();
        let mut add = |flag: &str| flags.push(flag.to_owned());
        if let Some(standard) = &options.standard {
            add(&format!("-std={standard}"));
        }
        options.macros.iter().for_each(|flag| add(flag));
        for folder in &options.include {
            add(&format!("-I{}", folder.display()));
        }
        // Files that are part of the harness's own text look for headers beside themselves.
        for folder in self.task.files.iter().filter_map(|file| file.path.parent()) {
            add("-iquote");
            add(&folder.display().to_string());
        }
        match self.target {
            Target::Native => {}
            Target::Bits32 => add("-m32"),
            Target::Bits32Alone => {
                for flag in [
                    "-m32",
                    "-static",
                    "-nostdlib",
                    "-fno-builtin",
                    "-fno-stack-protector",
                ] {
                    add(flag);
                }
            }
        }
        match sanitizers(self.task.failure.kind) {
            Some(names) => {
                add(&format!("-fsanitize={names}"));
                add("-fno-sanitize-recover=all");
                add("-fno-omit-frame-pointer");
                if names == "thread" {
                    // What functions of the library do to memory is seen.
                    add("-fno-builtin");
                }
            }
            // Addresses are those of the file, so that their lines can be found.
            None => {
                add("-fno-pie");
                add("-no-pie");
                if has_schedule(self.task) {
                    add("-fsanitize=thread");
                }
            }
        }
        // What only has an inline definition in C99 has one that others can call in C89.
        if self
            .task
            .missing
            .iter()
            .any(|name| self.task.defined.contains(name))
        {
            add("-fgnu89-inline");
        }
        if !self.task.error_functions_with_body().is_empty() {
            add("-finstrument-functions");
        }
        if self.separate {
            add("-DLARIAT_SEPARATE");
        }
        self.more.iter().for_each(|flag| add(flag));
        flags
    }
}

/// Our own library for 32 bits, and the headers of the system that a compiler does not look for
/// where it has no 32-bit libraries.
fn prepare_own_library(compiler: &Compiler, folder: &TemporaryFolder) -> io::Result<Vec<String>> {
    let library = folder.join("library32.c");
    std::fs::write(&library, include_str!("library32.c"))?;
    // Only the absence of this header keeps the 64-bit headers from being read for 32 bits.
    std::fs::create_dir_all(folder.join("gnu"))?;
    std::fs::write(folder.join("gnu").join("stubs-32.h"), "")?;
    let mut arguments = vec![library.display().to_string()];
    let multiarch = process::output(Command::new(&compiler.program).arg("-print-multiarch"));
    let name = multiarch
        .as_deref()
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let headers = Path::new("/usr/include").join(name.unwrap_or("x86_64-linux-gnu"));
    for headers in [headers.as_path(), folder.path()] {
        arguments.extend(["-idirafter".to_owned(), headers.display().to_string()]);
    }
    Ok(arguments)
}

/// Runs the program, and where it does not fail, others that fill what the trace leaves open in
/// another way.
fn run_builds(
    task: &HarnessTask<'_>,
    path: &Path,
    compiler: &Compiler,
    build: &Build,
    folder: &TemporaryFolder,
) -> HarnessOutcome {
    let outcome = |how: &str, judgement: Judgement| HarnessOutcome {
        path: path.display().to_string(),
        compiled: true,
        reproduced: judgement.reproduced,
        how: how.to_owned(),
        output: judgement.text,
    };
    let first = run_program(task, &build.program, folder);
    if first.reproduced || !first.ended {
        return outcome(&build.how, first);
    }
    let zero = "-ftrivial-auto-var-init=zero";
    let pointers = "-DLARIAT_KEEP_POINTERS";
    let null = "-DLARIAT_MEMORY_AT_NULL";
    let variants: [&[&str]; 4] = [&[zero], &[pointers], &[zero, pointers], &[zero, null]];
    let has_pointers = task.failure.inputs.iter().any(|input| input.ty.contains('*'));
    let goes_through_null = task.failure.memory.iter().any(|cell| cell.address < FIRST_PAGE);
    for more in variants {
        if more.contains(&pointers) && !has_pointers || more.contains(&null) && !goes_through_null {
            continue;
        }
        let plan = Plan {
            task,
            path,
            compiler,
            target: build.target,
            separate: build.separate,
            more,
        };
        if let Ok(variant) = plan.compile(folder) {
            let judgement = run_program(task, &variant.program, folder);
            if judgement.reproduced {
                return outcome(&variant.how, judgement);
            }
        }
    }
    outcome(&build.how, first)
}

fn run_program(task: &HarnessTask<'_>, program: &Path, folder: &TemporaryFolder) -> Judgement {
    let leaks = u8::from(task.failure.kind == FailureKind::Leak);
    let mut command = Command::new(program);
    command
        .current_dir(folder.path())
        .env(
            "ASAN_OPTIONS",
            format!("exitcode={SANITIZER}:detect_leaks={leaks}:detect_stack_use_after_return=1"),
        )
        .env("LSAN_OPTIONS", format!("exitcode={SANITIZER}"))
        .env("TSAN_OPTIONS", format!("exitcode={SANITIZER}:halt_on_error=1"))
        .env(
            "UBSAN_OPTIONS",
            format!("exitcode={SANITIZER}:print_stacktrace=0"),
        );
    match process::run(&mut command, TIME_LIMIT) {
        Ok(run) => judge(task, &run, &|address| line_of(program, address)),
        Err(error) => Judgement {
            reproduced: false,
            ended: false,
            text: format!("cannot be run: {error}"),
        },
    }
}

/// The line of the code at an address, if the machine has the tool for it.
fn line_of(program: &Path, address: u64) -> Option<u32> {
    let tool = find_program("addr2line").or_else(|| find_program("llvm-addr2line"))?;
    let text = process::output(
        Command::new(tool)
            .arg("-e")
            .arg(program)
            .arg(format!("{address:#x}")),
    )?;
    let (_, after) = text.trim().rsplit_once(':')?;
    let digits = after
        .split(|c: char| !c.is_ascii_digit())
        .next()
        .unwrap_or_default();
    digits.parse().ok().filter(|&line| line > 0)
}
