//! The packages. All have the same layout: `bin/lariat`, and the libraries in `lib`, where the binary looks for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Flags, output, root, run as run_command};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const TARGET: &str = "x86_64-unknown-linux-gnu";

pub fn run(flags: &Flags) -> Result<(), String> {
    let root = root();
    let out = flags
        .get("--out")
        .map_or_else(|| root.join("target/dist"), Path::to_owned);
    let binary = match flags.get("--binary") {
        Some(binary) => binary.to_owned(),
        None => {
            let words = ["build", "--release", "-p", "lariat"];
            run_command(Command::new("cargo").args(words).current_dir(&root))?;
            root.join("target/release/lariat")
        }
    };
    let name = format!("lariat-{VERSION}-{TARGET}");
    let folder = out.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    assemble(&root, &binary, &folder)?;
    let tarball = out.join(format!("{name}.tar.gz"));
    let words = ["--owner=0", "--group=0", "--sort=name", "-czf"];
    run_command(
        Command::new("tar")
            .args(words)
            .arg(&tarball)
            .arg("-C")
            .arg(&out)
            .arg(&name),
    )?;
    tell(&tarball);
    tell(&debian(&folder, &out)?);
    let script = root.join("tools/make_wheel.py");
    let wheel = output(
        Command::new("python3")
            .arg(script)
            .arg(&folder)
            .arg(&out)
            .arg(VERSION),
    )?;
    tell(Path::new(wheel.trim()));
    Ok(())
}

fn tell(path: &Path) {
    let size = fs::metadata(path).map_or(0, |it| it.len());
    println!("{}  {:.1} MB", path.display(), size as f64 / 1e6);
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

/// The folder that all packages are made of.
fn assemble(root: &Path, binary: &Path, folder: &Path) -> Result<(), String> {
    let program = folder.join("bin/lariat");
    copy(binary, &program)?;
    // Without symbols it is a third of the size. A machine without `strip` keeps them.
    let _ = Command::new("strip").arg(&program).status();
    copy(
        &library(&root.join(".z3"), "libz3.so.")?,
        &folder.join("lib").join(z3_name(root)?),
    )?;
    copy(
        &library(&root.join(".libclang"), "libclang.so")?,
        &folder.join("lib/libclang.so"),
    )?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root.join(name), &folder.join("share/doc/lariat").join(name))?;
    }
    let licences = folder.join("share/doc/lariat/LICENSES-of-libraries");
    fs::write(&licences, LICENCES)
        .map_err(|error| format!("cannot write {}: {error}", licences.display()))?;
    let man = folder.join("share/man/man1");
    fs::create_dir_all(&man).map_err(|error| format!("cannot make {}: {error}", man.display()))?;
    run_command(Command::new(&program).arg("man").arg("--out").arg(&man))?;
    for (shell, path) in [
        ("bash", "share/bash-completion/completions/lariat"),
        ("zsh", "share/zsh/site-functions/_lariat"),
        ("fish", "share/fish/vendor_completions.d/lariat.fish"),
    ] {
        let text = output(Command::new(&program).args(["completions", shell]))?;
        let path = folder.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    copy_examples(&root.join("examples"), &folder.join("share/lariat/examples"))
}

pub fn copy_examples(from: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(from).map_err(|error| format!("cannot read {}: {error}", from.display()))?;
    for entry in entries.flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy_examples(&path, &target)?,
            false => copy(&path, &target)?,
        }
    }
    Ok(())
}

/// The file of a library that the build has put into the working copy.
fn library(folder: &Path, start: &str) -> Result<PathBuf, String> {
    let versions = fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}; build first", folder.display()))?;
    let mut found: Vec<PathBuf> = versions
        .flatten()
        .filter_map(|version| fs::read_dir(version.path()).ok())
        .flat_map(|files| files.flatten())
        .map(|file| file.path())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(start))
        })
        .collect();
    found.sort();
    found
        .pop()
        .ok_or_else(|| format!("{} has no {start}; build first", folder.display()))
}

/// The name by which the binary asks for Z3.
fn z3_name(root: &Path) -> Result<String, String> {
    let path = library(&root.join(".z3"), "libz3.so.")?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.ok_or_else(|| "Z3 has no name".to_owned())
}

fn debian(folder: &Path, out: &Path) -> Result<PathBuf, String> {
    let tree = out.join("deb");
    if tree.exists() {
        fs::remove_dir_all(&tree).map_err(|error| format!("cannot empty {}: {error}", tree.display()))?;
    }
    let usr = tree.join("usr");
    fs::create_dir_all(tree.join("DEBIAN")).map_err(|error| error.to_string())?;
    run_command(
        Command::new("cp")
            .args(["-a", "--"])
            .arg(folder.join("share"))
            .arg(tree.join("share")),
    )?;
    fs::create_dir_all(&usr).map_err(|error| error.to_string())?;
    fs::rename(tree.join("share"), usr.join("share")).map_err(|error| error.to_string())?;
    // The libraries are its own: they must not be in the way of the system's.
    for part in ["bin", "lib"] {
        let to = usr.join("lib/lariat");
        fs::create_dir_all(&to).map_err(|error| error.to_string())?;
        run_command(Command::new("cp").arg("-a").arg(folder.join(part)).arg(&to))?;
    }
    fs::create_dir_all(usr.join("bin")).map_err(|error| error.to_string())?;
    run_command(
        Command::new("ln")
            .args(["-s", "../lib/lariat/bin/lariat"])
            .arg(usr.join("bin/lariat")),
    )?;
    fs::write(tree.join("DEBIAN/control"), control()).map_err(|error| error.to_string())?;
    let package = out.join(format!("lariat_{VERSION}_amd64.deb"));
    run_command(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "--build"])
            .arg(&tree)
            .arg(&package),
    )?;
    fs::remove_dir_all(&tree).map_err(|error| format!("cannot remove {}: {error}", tree.display()))?;
    Ok(package)
}

fn control() -> String {
    format!(
        "Package: lariat\nVersion: {VERSION}\nSection: devel\nPriority: optional\nArchitecture: amd64\n\
         Depends: libc6 (>= 2.34), libgcc-s1, libstdc++6\nRecommends: libc6-dev\nMaintainer: The Lariat developers\n\
         Description: verifier of C and Boogie programs\n Checks whether an assertion can fail, and how: with executions that were \
         replayed,\n proofs, and protocols of components.\n"
    )
}

const LICENCES: &str = "Lariat is under MIT or Apache-2.0, at your option: LICENSE-MIT, LICENSE-APACHE.

lib/libz3.so.*    Z3, Microsoft Corporation, MIT licence, https://github.com/Z3Prover/z3
lib/libclang.so   LLVM and Clang, Apache-2.0 with LLVM exceptions, https://llvm.org
";
