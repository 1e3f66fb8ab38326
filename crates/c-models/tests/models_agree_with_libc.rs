//! The models are compiled by a real compiler, under other names, and compared with the C library.

use std::path::Path;
use std::process::Command;

use lariat_testkit::folder::Folder;
use lariat_testkit::gcc;

fn must_succeed(program: &str, args: &[&str]) -> String {
    let output = Command::new(program)
        .args(args)
        .output()
        .expect("the program was there before");
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{program} {}\n{text}", args.join(" "));
    text
}

const TOOLS: [&str; 3] = ["gcc", "objcopy", "ld"];

fn in_folder(folder: &Folder, name: &str) -> String {
    folder.path().join(name).display().to_string()
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
        let source = in_folder(folder, &name);
        let object = in_folder(folder, &format!("{name}.o"));
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
    if !gcc::tools_are_there("models_do_what_the_c_library_does", &TOOLS) {
        return;
    }
    let folder = Folder::new("models-compare");
    let objects = compile(&folder, &[]);
    let (all, renamed, program) = (
        in_folder(&folder, "all.o"),
        in_folder(&folder, "renamed.o"),
        in_folder(&folder, "compare"),
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
    if !gcc::tools_are_there("models_can_be_compiled_for_32_bits", &TOOLS) {
        return;
    }
    compile(&Folder::new("models-32"), &["-m32"]);
}
