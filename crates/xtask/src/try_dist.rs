//! Packages in a root that has nothing but the C and C++ libraries: no Rust, no build folder, no shell, and no Python either (pip
//! unpacks a wheel from outside; what it has installed needs no interpreter).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist::copy_examples;
use crate::{output, run as run_command};

/// What a minimal Debian has.
const LIBRARIES: [&str; 8] = [
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "libstdc++.so.6",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
];

/// Commands and their exit codes.
const RUNS: [(&[&str], i32); 4] = [
    (&["verify", "examples/lock.bpl"], 1),
    (&["angelic", "--no-specs", "--no-cache", "examples/registry.c"], 1),
    (&["conform", "examples/conform/locks/lock.conform"], 1),
    (&["doctor"], 0),
];

/// Where a package has put the program and the examples, as seen from inside of the root.
struct Installed {
    program: &'static str,
    examples: PathBuf,
}

/// Installs a package into the root.
fn install(package: &Path, root: &Path) -> Result<Installed, String> {
    let name = package.to_string_lossy();
    let examples = |folder: &str| PathBuf::from(folder).join("share/lariat/examples");
    if name.ends_with(".tar.gz") {
        let opt = root.join("opt");
        run_command(
            Command::new("tar")
                .arg("-xzf")
                .arg(package)
                .arg("-C")
                .arg(opt)
                .arg("--strip-components=1"),
        )?;
        Ok(Installed {
            program: "/opt/bin/lariat",
            examples: examples("/opt"),
        })
    } else if name.ends_with(".deb") {
        run_command(Command::new("dpkg-deb").arg("-x").arg(package).arg(root))?;
        Ok(Installed {
            program: "/usr/bin/lariat",
            examples: examples("/usr"),
        })
    } else if name.ends_with(".whl") {
        let words = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-compile",
        ];
        let venv = root.join("venv");
        run_command(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        run_command(Command::new(venv.join("bin/python3")).args(words).arg(package))?;
        // A wheel has no examples.
        copy_examples(
            &crate::root().join("examples"),
            &root.join("work/share/lariat/examples"),
        )?;
        Ok(Installed {
            program: "/venv/bin/lariat",
            examples: examples("/work"),
        })
    } else {
        Err(format!("{name} is no tarball, Debian package or wheel"))
    }
}

fn make_root(root: &Path) -> Result<(), String> {
    for folder in ["lib64", "lib/x86_64-linux-gnu", "tmp", "opt", "proc", "dev"] {
        fs::create_dir_all(root.join(folder)).map_err(|error| error.to_string())?;
    }
    for name in LIBRARIES {
        let from = ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64"]
            .map(|folder| Path::new(folder).join(name));
        let Some(from) = from.iter().find(|path| path.exists()) else {
            return Err(format!("this machine has no {name}"));
        };
        let to = if name.starts_with("ld-") {
            "lib64"
        } else {
            "lib/x86_64-linux-gnu"
        };
        fs::copy(from, root.join(to).join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    fs::write(root.join("dev/null"), "").map_err(|error| error.to_string())
}

fn run_all(package: &Path, root: &Path) -> Result<(), String> {
    make_root(root)?;
    let installed = install(package, root)?;
    for (words, code) in RUNS {
        let words: Vec<String> = words
            .iter()
            .map(|word| match word.strip_prefix("examples/") {
                Some(name) => installed.examples.join(name).display().to_string(),
                None => (*word).to_owned(),
            })
            .collect();
        let result = Command::new("chroot")
            .arg(root)
            .arg(installed.program)
            .args(&words)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .output()
            .map_err(|error| format!("cannot start chroot: {error}"))?;
        let text = String::from_utf8_lossy(&result.stdout);
        let errors = String::from_utf8_lossy(&result.stderr);
        println!("$ lariat {}\n{text}{errors}", words.join(" "));
        if result.status.code() != Some(code) {
            return Err(format!(
                "`lariat {}` ended with {}, not {code}",
                words.join(" "),
                result.status
            ));
        }
    }
    Ok(())
}

/// The loader finds out by `/proc` where a program is, as on every real system.
fn run_in(package: &Path, root: &Path) -> Result<(), String> {
    let proc = root.join("proc");
    fs::create_dir_all(&proc).map_err(|error| error.to_string())?;
    run_command(Command::new("mount").args(["-t", "proc", "proc"]).arg(&proc))?;
    let done = run_all(package, root);
    // What is still mounted must not be removed.
    run_command(Command::new("umount").arg(&proc))?;
    fs::remove_dir_all(root).map_err(|error| format!("cannot remove {}: {error}", root.display()))?;
    done
}

pub fn run(packages: &[String]) -> Result<(), String> {
    if packages.is_empty() {
        return Err("which package?".to_owned());
    }
    for package in packages {
        println!("== {package}");
        let folder = output(Command::new("mktemp").arg("-d"))?;
        run_in(Path::new(package), Path::new(folder.trim()))?;
    }
    println!("all packages run in a root with nothing but the C library");
    Ok(())
}
