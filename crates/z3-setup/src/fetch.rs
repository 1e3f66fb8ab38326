//! Fetches the pinned wheel with the user's own pip, checks its digest and takes the library out.
//!
//! pip is used rather than a download of our own so that the user's index, proxy, certificate and
//! wheel-folder settings hold here too. Hashing and unzipping are left to the same Python, which
//! keeps this crate, on which every build waits, free of dependencies.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use crate::platform::{Package, Wheel};
use crate::{SetupError, links};

const PYTHON_COMMANDS: &[&str] = &["python3", "python"];

const PRINT_SHA256: &str =
    "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())";

const EXTRACT_MEMBER: &str = "import shutil, sys, zipfile; wheel, member, output = sys.argv[1:]; \
                              shutil.copyfileobj(zipfile.ZipFile(wheel).open(member), open(output, 'wb'))";

/// Fills `folder` with the library of `wheel`, under the name that loaders ask for and under
/// `linker_name`.
pub fn fetch_library(wheel: &Wheel, linker_name: &str, folder: &Path) -> Result<(), SetupError> {
    check_glibc(wheel)?;
    let python = find_python_with_pip(PYTHON_COMMANDS, &wheel.package)?;
    let wheel_path = folder.join(wheel.file_name);
    download(python, wheel, folder, &wheel_path)?;
    check_digest(python, wheel, &wheel_path)?;

    let library = folder.join(wheel.loaded_as);
    let extraction = Command::new(python)
        .args(["-c", EXTRACT_MEMBER])
        .args([
            wheel_path.as_os_str(),
            wheel.library_member.as_ref(),
            library.as_os_str(),
        ])
        .output();
    explain(extraction).map_err(|reason| {
        SetupError::new(format!(
            "{} could not be unpacked ({reason}): check that the disk is not full and build again.",
            wheel.file_name
        ))
    })?;
    let finish = || -> std::io::Result<()> {
        fs::remove_file(&wheel_path)?;
        // Cargo re-runs a build script if a file it names is younger than the script's last run.
        // This one is, since that run made it: an old date says that nothing has changed.
        File::options()
            .write(true)
            .open(&library)?
            .set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000))?;
        if linker_name != wheel.loaded_as {
            links::link_file(Path::new(wheel.loaded_as), &folder.join(linker_name))?;
        }
        Ok(())
    };
    finish().map_err(|error| {
        SetupError::new(format!(
            "{} cannot be written ({error}): make it writable.",
            folder.display()
        ))
    })
}

/// A library that needs a newer glibc would only fail when linked, with pages of symbols.
fn check_glibc(wheel: &Wheel) -> Result<(), SetupError> {
    let Some(oldest) = wheel.oldest_glibc else {
        return Ok(());
    };
    let Ok(output) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else {
        return Ok(());
    };
    match parse_glibc_version(&String::from_utf8_lossy(&output.stdout)) {
        Some(found) if found < oldest => Err(SetupError::new(format!(
            "PyPI's {} needs glibc {}.{} and this machine has {}.{}: {}.",
            wheel.package.title, oldest.0, oldest.1, found.0, found.1, wheel.package.remedy
        ))),
        _ => Ok(()),
    }
}

/// Reads `glibc 2.36`.
fn parse_glibc_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    let minor = minor.split('.').next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn find_python_with_pip<'a>(commands: &[&'a str], package: &Package) -> Result<&'a str, SetupError> {
    let Package { title, remedy, .. } = package;
    let mut without_pip = None;
    for &python in commands {
        let Ok(output) = Command::new(python).args(["-m", "pip", "--version"]).output() else {
            continue;
        };
        if output.status.success() {
            return Ok(python);
        }
        without_pip = without_pip.or(Some(python));
    }
    Err(SetupError::new(match without_pip {
        Some(python) => format!(
            "`{python} -m pip` does not work, and {title} is fetched with it: install pip (Debian, Ubuntu: `apt install \
             python3-pip`; elsewhere: `{python} -m ensurepip`) or {remedy}."
        ),
        None => format!(
            "Python 3 was not found, and {title} is fetched with its pip: install Python 3 with pip (Debian, Ubuntu: \
             `apt install python3-pip`) or {remedy}."
        ),
    }))
}

fn download(python: &str, wheel: &Wheel, folder: &Path, wheel_path: &Path) -> Result<(), SetupError> {
    let requirement = format!("{}=={}", wheel.package.name, wheel.package.version);
    let outcome = Command::new(python)
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-input",
            "--disable-pip-version-check",
        ])
        .args([
            "--no-deps",
            "--only-binary=:all:",
            "--platform",
            wheel.platform_tag,
            "--dest",
        ])
        .arg(folder)
        .arg(&requirement)
        .output();
    let reason = match explain(outcome) {
        Ok(()) if wheel_path.is_file() => return Ok(()),
        Ok(()) => format!("it did not give {}", wheel.file_name),
        Err(reason) => reason,
    };
    Err(SetupError::new(format!(
        "pip could not download {requirement} ({reason}): check the network and pip's index and proxy settings, then \
         build again, or {}.",
        wheel.package.remedy
    )))
}

fn check_digest(python: &str, wheel: &Wheel, wheel_path: &Path) -> Result<(), SetupError> {
    let output = Command::new(python)
        .args(["-c", PRINT_SHA256])
        .arg(wheel_path)
        .output();
    let found = match &output {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(_) => String::new(),
    };
    explain(output).map_err(|reason| {
        SetupError::new(format!(
            "the SHA-256 of {} could not be computed ({reason}): build again.",
            wheel.file_name
        ))
    })?;
    if found == wheel.sha256 {
        return Ok(());
    }
    Err(SetupError::new(format!(
        "{} has the SHA-256 {found} and not the pinned {}: it is damaged or not the published file, so run `{python} \
         -m pip cache purge`, check which index and wheel folders pip uses, and build again.",
        wheel.file_name, wheel.sha256
    )))
}

/// `Ok` for a successful run; else the most telling line of what the command wrote.
fn explain(outcome: std::io::Result<Output>) -> Result<(), String> {
    let output = outcome.map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.contains("connection broken by") {
        return Err("the package index cannot be reached".to_owned());
    }
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = lines()
        .find(|line| line.starts_with("ERROR:"))
        .or_else(|| lines().next_back());
    Err(match telling {
        Some(line) => line
            .trim_start_matches("ERROR:")
            .trim()
            .trim_end_matches('.')
            .to_owned(),
        None => output.status.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;
    use crate::OWN_Z3_VARIABLE;
    use crate::platform::Z3;

    const ANY_WHEEL: Wheel = Wheel {
        package: Z3,
        file_name: "test.whl",
        platform_tag: "test",
        sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        library_member: "z3/lib/libz3.so",
        loaded_as: "libz3.so.5.4",
        oldest_glibc: None,
    };

    #[test]
    fn reads_what_getconf_prints() {
        assert_eq!(parse_glibc_version("glibc 2.36\n"), Some((2, 36)));
        assert_eq!(parse_glibc_version("glibc 2.17.1"), Some((2, 17)));
        assert_eq!(parse_glibc_version("musl"), None);
        assert!((2, 9) < (2, 27), "versions compare as numbers");
    }

    #[test]
    fn a_machine_without_python_is_told_so() {
        let sentence = find_python_with_pip(&["no-such-python-command"], &Z3)
            .expect_err("not found")
            .to_string();
        assert!(sentence.starts_with("Python 3 was not found"), "{sentence}");
        assert!(sentence.contains(OWN_Z3_VARIABLE));
    }

    #[test]
    fn a_python_without_pip_is_told_so() {
        // `false` stands for a Python that runs and refuses `-m pip`.
        let sentence = find_python_with_pip(&["false"], &Z3)
            .expect_err("no pip")
            .to_string();
        assert!(sentence.starts_with("`false -m pip` does not work"), "{sentence}");
    }

    #[test]
    fn a_wheel_with_another_digest_is_refused() {
        let Ok(python) = find_python_with_pip(PYTHON_COMMANDS, &Z3) else {
            return;
        };
        let file = env::temp_dir().join(format!("lariat-z3-setup-digest-{}", std::process::id()));
        fs::write(&file, "abc").expect("written");
        assert_eq!(check_digest(python, &ANY_WHEEL, &file), Ok(()));
        fs::write(&file, "abd").expect("written");
        let sentence = check_digest(python, &ANY_WHEEL, &file)
            .expect_err("refused")
            .to_string();
        assert!(
            sentence.contains(ANY_WHEEL.sha256) && sentence.contains("pip cache purge"),
            "{sentence}"
        );
        fs::remove_file(file).expect("removed");
    }
}
