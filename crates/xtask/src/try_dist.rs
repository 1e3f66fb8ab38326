//! A tarball in a root that has nothing but the C and C++ libraries: no Rust, no Python, no build folder, no shell.

use std::fs;
use std::path::Path;
use std::process::Command;

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
    (&["verify", "share/lariat/examples/lock.bpl"], 1),
    (
        &[
            "angelic",
            "--no-specs",
            "--no-cache",
            "share/lariat/examples/registry.c",
        ],
        1,
    ),
    (
        &["conform", "share/lariat/examples/conform/locks/lock.conform"],
        1,
    ),
    (&["doctor"], 0),
];

fn run_all(tarball: &Path, root: &Path) -> Result<(), String> {
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
    fs::write(root.join("dev/null"), "").map_err(|error| error.to_string())?;
    run_command(
        Command::new("tar")
            .arg("-xzf")
            .arg(tarball)
            .arg("-C")
            .arg(root.join("opt"))
            .arg("--strip-components=1"),
    )?;
    for (words, code) in RUNS {
        let result = Command::new("chroot")
            .arg(root)
            .arg("/opt/bin/lariat")
            .args(words.iter().map(|word| match word.starts_with("share/") {
                true => format!("/opt/{word}"),
                false => (*word).to_owned(),
            }))
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
fn run_in(tarball: &Path, root: &Path) -> Result<(), String> {
    let proc = root.join("proc");
    fs::create_dir_all(&proc).map_err(|error| error.to_string())?;
    run_command(Command::new("mount").args(["-t", "proc", "proc"]).arg(&proc))?;
    let done = run_all(tarball, root);
    // What is still mounted must not be removed.
    run_command(Command::new("umount").arg(&proc))?;
    fs::remove_dir_all(root).map_err(|error| format!("cannot remove {}: {error}", root.display()))?;
    done
}

pub fn run(tarball: &Path) -> Result<(), String> {
    let folder = output(Command::new("mktemp").arg("-d"))?;
    run_in(tarball, Path::new(folder.trim()))?;
    println!("the tarball runs in a root with nothing but the C library");
    Ok(())
}
