//! The models are compiled by a real compiler, under other names, and compared with the C library.

#![allow(clippy::print_stderr, reason = "it says that it was skipped")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command; `None` if there is no such program.
fn run(program: &str, args: &[&str]) -> Option<Output> {
    Command::new(program).args(args).output().ok()
}

fn must_succeed(program: &str, args: &[&str]) -> String {
    let output = run(program, args).expect("the program was there before");
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{program} {}\n{text}", args.join(" "));
    text
}

fn has_tools() -> bool {
    ["gcc", "objcopy", "ld"]
        .iter()
        .all(|tool| run(tool, &["--version"]).is_some())
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lariat-models-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles every model alone; the paths of the objects.
fn compile(folder: &Folder, flags: &[&str]) -> Vec<String> {
    let native = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/native.h");
    let native = native.display().to_string();
    let mut objects = Vec::new();
    for (path, text) in lariat_c_models::models() {
        let name = path
            .file_name()
            .expect("a model has a name")
            .to_string_lossy()
            .into_owned();
        let source = folder.path(&name);
        let object = folder.path(&format!("{name}.o"));
        std::fs::write(&source, text).expect("the temporary folder can be written");
        let mut args = vec![
            "-c",
            "-std=gnu11",
            "-O1",
            "-w",
            "-fno-builtin",
            "-fno-tree-loop-distribute-patterns",
            // So that `__builtin_sqrt` is the instruction and not a call of the function that it stands in.
            "-fno-math-errno",
            "-include",
            &native,
            &source,
            "-o",
            &object,
        ];
        args.extend(flags);
        must_succeed("gcc", &args);
        objects.push(object);
    }
    objects
}

#[test]
fn models_do_what_the_c_library_does() {
    if !has_tools() {
        eprintln!("skipped: gcc, ld or objcopy is not there");
        return;
    }
    let folder = Folder::new("compare");
    let objects = compile(&folder, &[]);
    let (all, renamed, program) = (
        folder.path("all.o"),
        folder.path("renamed.o"),
        folder.path("compare"),
    );
    let mut args = vec!["-r", "-o", &all];
    args.extend(objects.iter().map(String::as_str));
    must_succeed("ld", &args);
    must_succeed("objcopy", &["--prefix-symbols=m_", &all, &renamed]);
    let native = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native");
    let compare = native.join("compare.c").display().to_string();
    let runtime = native.join("runtime.c").display().to_string();
    must_succeed(
        "gcc",
        &[
            "-std=gnu11",
            "-O1",
            "-w",
            "-fno-builtin",
            "-no-pie",
            &compare,
            &runtime,
            &renamed,
            "-o",
            &program,
            "-lm",
        ],
    );
    let text = must_succeed(&program, &[]);
    let comparisons: u64 = text
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .expect("the program says how much it has compared");
    assert!(comparisons > 1_000_000, "only {comparisons} comparisons");
}

#[test]
fn models_can_be_compiled_for_32_bits() {
    if !has_tools() {
        eprintln!("skipped: gcc, ld or objcopy is not there");
        return;
    }
    compile(&Folder::new("32"), &["-m32"]);
}
