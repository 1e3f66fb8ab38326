//! Finds libclang when the program runs.

use std::env;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;

use lariat_base::Diagnostic;

use crate::clang::{Clang, LoadError};

/// The environment variable that names the library or its folder.
pub const VARIABLE: &str = "LARIAT_LIBCLANG";

/// The folder into which the build put the library, if it did.
const BUILD_FOLDER: Option<&str> = option_env!("LARIAT_BUILT_LIBCLANG_FOLDER");

/// Loads the first libclang that can be loaded, or says where it was looked for and how to get it.
pub fn load() -> Result<Clang, Box<Diagnostic>> {
    let given = env::var_os(VARIABLE).filter(|given| !given.is_empty());
    load_first(candidates(given.map(PathBuf::from)))
}

fn load_first(candidates: impl IntoIterator<Item = PathBuf>) -> Result<Clang, Box<Diagnostic>> {
    let mut tried = Vec::new();
    for candidate in candidates {
        if !candidate.is_file() {
            tried.push(format!("{}: not there", candidate.display()));
            continue;
        }
        match Clang::load(&candidate) {
            Ok(clang) => return Ok(clang),
            Err(LoadError::NotLoaded(reason)) => tried.push(format!("{}: {reason}", candidate.display())),
            Err(LoadError::TooOld(function)) => tried.push(format!(
                "{}: older than version 17 (it has no {function})",
                candidate.display()
            )),
        }
    }
    if tried.is_empty() {
        tried.push("no folder of the system has one".to_owned());
    }
    Err(Box::new(
        Diagnostic::global_error(
            "no-libclang",
            format!("C is read by libclang, which was not found ({})", tried.join("; ")),
        )
        .hint(format!(
            "`pip install libclang==18.1.1` or `apt install libclang1-19`, then set {VARIABLE} to the file or its folder; a \
             build of Lariat with Python's pip and a network fetches it by itself"
        )),
    ))
}

/// Where libclang may be, best first. The system is asked only if the program has none of its own, since that takes a process.
fn candidates(given: Option<PathBuf>) -> Box<dyn Iterator<Item = PathBuf>> {
    match given {
        // What the user names is meant; nothing else is taken in its place.
        Some(folder) if folder.is_dir() => Box::new(libraries_in(&folder, true).into_iter()),
        Some(file) => Box::new(iter::once(file)),
        None => {
            let of_system = iter::once_with(system_libraries).flatten();
            Box::new(own_libraries().into_iter().chain(of_system))
        }
    }
}

/// Those that come with the program.
fn own_libraries() -> Vec<PathBuf> {
    let mut list = Vec::new();
    // A link to the program is followed, as the system's loader does for Z3.
    let program = env::current_exe().and_then(|path| path.canonicalize());
    if let Some(folder) = program.ok().as_deref().and_then(Path::parent) {
        for folder in [folder.to_owned(), folder.join("../lib")] {
            list.extend(libraries_in(&folder, true));
        }
    }
    if let Some(folder) = BUILD_FOLDER {
        list.extend(libraries_in(Path::new(folder), true));
    }
    list
}

/// The libclang files of a folder, highest version first; if there are none, the name that was looked for.
fn libraries_in(folder: &Path, say_if_missing: bool) -> Vec<PathBuf> {
    let mut found: Vec<(Vec<u32>, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name();
            Some((version_of(name.to_str()?)?, entry.path()))
        })
        .collect();
    found.sort();
    if found.is_empty() && say_if_missing {
        return vec![folder.join(format!("libclang{}", env::consts::DLL_SUFFIX))];
    }
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// `libclang.so` (no number), `libclang-18.so.18.1.1`, `libclang.so.1`, `libclang.dylib`: the numbers; `None` for others.
fn version_of(name: &str) -> Option<Vec<u32>> {
    let rest = name.strip_prefix("libclang")?;
    let is_library = name.contains(".so") || name.ends_with(".dylib") || name.ends_with(".dll");
    if !is_library || !rest.starts_with(['.', '-']) || rest.starts_with("-cpp") {
        return None;
    }
    Some(
        rest.split(['.', '-'])
            .filter_map(|part| part.parse().ok())
            .collect(),
    )
}

fn system_libraries() -> Vec<PathBuf> {
    let mut llvm_folders: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().to_str()?.strip_prefix("llvm-")?.parse().ok()?;
            Some((version, entry.path().join("lib")))
        })
        .collect();
    llvm_folders.sort();
    let mut list: Vec<PathBuf> = llvm_folders
        .iter()
        .rev()
        .flat_map(|(_, folder)| libraries_in(folder, false))
        .collect();
    for folder in [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
        "/opt/homebrew/opt/llvm/lib",
        "/usr/local/opt/llvm/lib",
        "/Library/Developer/CommandLineTools/usr/lib",
    ] {
        list.extend(libraries_in(Path::new(folder), false));
    }
    for command in ["ldconfig", "/sbin/ldconfig"] {
        if let Ok(output) = Command::new(command).arg("-p").output() {
            let text = String::from_utf8_lossy(&output.stdout);
            list.extend(
                text.lines()
                    .filter(|line| line.trim_start().starts_with("libclang"))
                    .filter_map(|line| line.rsplit(" => ").next())
                    .map(PathBuf::from)
                    .filter(|path| {
                        path.file_name()
                            .and_then(|name| name.to_str())
                            .is_some_and(|name| version_of(name).is_some())
                    }),
            );
            break;
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    list.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(candidates: impl IntoIterator<Item = PathBuf>) -> Diagnostic {
        match load_first(candidates) {
            Ok(_) => panic!("there is no libclang"),
            Err(message) => *message,
        }
    }

    #[test]
    fn a_missing_libclang_is_told_with_what_was_tried_and_what_to_do() {
        let told = message(candidates(Some("/no/such/libclang.so".into())));
        assert_eq!(told.code, "no-libclang");
        assert!(
            told.message.contains("(/no/such/libclang.so: not there)"),
            "{}",
            told.message
        );
        assert!(
            told.hint
                .is_some_and(|hint| hint.contains("pip install libclang") && hint.contains(VARIABLE))
        );
        assert!(
            message(Vec::new())
                .message
                .contains("no folder of the system has one")
        );
    }

    #[test]
    fn a_folder_or_file_without_the_library_is_told() {
        let folder = env::temp_dir().join(format!("lariat-locate-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let told = message(candidates(Some(folder.clone())));
        let wanted = folder.join(format!("libclang{}", env::consts::DLL_SUFFIX));
        assert!(
            told.message.contains(&format!("{}: not there", wanted.display())),
            "{}",
            told.message
        );
        std::fs::write(&wanted, "no library").expect("a file");
        let told = message(candidates(Some(folder.clone())));
        assert!(told.message.contains(&wanted.display().to_string()) && !told.message.contains("not there"));
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn names_of_libraries_are_known_from_others() {
        assert_eq!(version_of("libclang.so"), Some(vec![]));
        assert_eq!(version_of("libclang-18.so.18"), Some(vec![18, 18]));
        assert_eq!(version_of("libclang.dylib"), Some(vec![]));
        assert_eq!(version_of("libclang-cpp.so.18"), None);
        assert_eq!(version_of("libclangAST.a"), None);
        assert_eq!(version_of("libz3.so"), None);
    }
}
