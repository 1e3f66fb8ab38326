//! Puts the Z3 library, and libclang, in place while Lariat is being built.
//!
//! This crate is a build dependency only. The build script of `lariat-smt` is one call to
//! [`provide`]; that of a package whose binary must find Z3 when it is started by hand is one call
//! to [`run_paths_for_dependent`].
//!
//! libclang is fetched the same way into `.libclang/` ([`provide_libclang`]), but it is found when Lariat runs, and a build
//! goes on without it. What follows is about Z3.
//!
//! Where the library comes from:
//! - `LARIAT_Z3_LIB=<folder>`: the user's own Z3, at least [`OLDEST_Z3`] (checked when it is loaded,
//!   by `lariat-smt`). Nothing is fetched.
//! - else the pinned PyPI wheel of [`platform`], fetched by pip and checked against its SHA-256,
//!   unpacked once into `.z3/` of the working copy, which all target folders and profiles share.
//!
//! How it is found:
//! - by the linker: through a folder of links inside `OUT_DIR`, which precedes the system's folders;
//! - by `cargo run`, `cargo test` and examples of *every* package: Cargo puts that same folder on the
//!   loader's search path, because it lies inside the target folder;
//! - by a binary that is started by hand: through its run path, which is the binary's own folder, `../lib` next to it, for
//!   an installation that is moved, and the library's real folder.
//!
//! Where [`forward`] can do it, the library is loaded by `lariat-smt` and not with the program, so that a missing one is told
//! in our words; the places are the same.
//!
//! Invariants:
//! - `.z3/<version>-<platform>/` exists only when it is complete (it is renamed into place under a
//!   lock), so a build that is killed, or runs beside another, leaves nothing broken behind;
//! - once it exists, no build needs Python or the network;
//! - an error says in one sentence what is missing and how to get it ([`SetupError`]).

mod fetch;
mod forward;
mod install;
mod links;
mod platform;
mod soname;

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder of the user's own Z3.
pub const OWN_Z3_VARIABLE: &str = "LARIAT_Z3_LIB";

/// The oldest Z3 that the bindings understand.
pub const OLDEST_Z3: &str = "4.13.3";

/// The configuration of `lariat-smt` with functions of its own that stand for those of Z3 ([`forward`]).
const LOADED_AT_RUN_TIME: &str = "z3_is_loaded_at_run_time";

/// Why Z3 could not be put in place: one sentence that says what is missing and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupError(String);

impl SetupError {
    fn new(sentence: impl Into<String>) -> Self {
        // Cargo reads a directive up to the end of the line.
        SetupError(sentence.into().replace(['\n', '\r'], " "))
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}

/// Puts Z3 in place and returns the lines that the build script of `lariat-smt` must print for
/// Cargo. A failure is among them as `cargo::error`, so the caller has nothing to decide.
pub fn provide() -> Vec<String> {
    let mut directives = vec![format!("cargo::rerun-if-env-changed={OWN_Z3_VARIABLE}")];
    if let Err(error) = provide_library(&mut directives) {
        directives.push(format!("cargo::error={error}"));
    }
    directives
}

/// The environment variable that names the folder with libclang while `lariat-c-reader` is compiled.
pub const LIBCLANG_FOLDER_VARIABLE: &str = "LARIAT_BUILT_LIBCLANG_FOLDER";

/// Puts libclang in place and returns the lines that the build script of `lariat-c-reader` must print for Cargo. Without
/// Python, network or a wheel for the platform there is a warning, and Lariat looks for the library when it runs.
pub fn provide_libclang() -> Vec<String> {
    let outcome = platform::Target::from_cargo_environment().and_then(|target| {
        let wheel = target.libclang_wheel()?;
        let folder =
            install::install_once(&working_copy().join(".libclang"), &target, wheel, wheel.loaded_as)?;
        Ok(folder.join(wheel.loaded_as))
    });
    match outcome {
        Ok(library) => {
            let folder = library.parent().unwrap_or(Path::new("."));
            vec![
                // A library that disappears is put in place anew.
                format!("cargo::rerun-if-changed={}", library.display()),
                format!("cargo::rustc-env={LIBCLANG_FOLDER_VARIABLE}={}", folder.display()),
            ]
        }
        Err(error) => vec![
            // Not tried again with every build: without a network pip takes its time to give up.
            "cargo::rerun-if-changed=build.rs".to_owned(),
            format!(
                "cargo::warning=C programs need libclang, which could not be fetched: {error} To try again, `touch \
                 crates/c-reader/build.rs` and build."
            ),
        ],
    }
}

/// The lines for the build script of a package that depends directly on `lariat-smt`: link arguments
/// hold only for the package whose script prints them. Cargo runs this script after that of
/// `lariat-smt` and only if it succeeded, so the library is in place and nothing is reported twice.
pub fn run_paths_for_dependent() -> Vec<String> {
    let variable = "DEP_LARIAT_Z3_LIBRARY_FOLDER";
    let mut directives = vec![format!("cargo::rerun-if-env-changed={variable}")];
    match (platform::Target::from_cargo_environment(), env::var_os(variable)) {
        (Ok(target), Some(folder)) => directives.extend(run_path_arguments(&target, Path::new(&folder))),
        (Err(error), _) => directives.push(format!("cargo::error={error}")),
        (_, None) => directives.push(format!(
            "cargo::error={variable} is not set: this package must depend directly on lariat-smt."
        )),
    }
    directives
}

fn run_path_arguments(target: &platform::Target, library_folder: &Path) -> Vec<String> {
    let argument = |run_path| format!("cargo::rustc-link-arg=-Wl,-rpath,{run_path}");
    target
        .run_paths(library_folder)
        .into_iter()
        .map(argument)
        .collect()
}

fn provide_library(directives: &mut Vec<String>) -> Result<(), SetupError> {
    let target = platform::Target::from_cargo_environment()?;
    let library_folder = match env::var_os(OWN_Z3_VARIABLE).filter(|value| !value.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => {
            let wheel = target.z3_wheel()?;
            install::install_once(
                &working_copy().join(".z3"),
                &target,
                wheel,
                target.library_file_name(),
            )?
        }
    };
    let library_folder = library_folder.canonicalize().map_err(|error| {
        SetupError::new(format!(
            "{OWN_Z3_VARIABLE} names {}, which cannot be opened ({error}): set it to the folder that holds \
             {}, or unset it to let the build fetch Z3.",
            library_folder.display(),
            target.library_file_name(),
        ))
    })?;

    let out_folder = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| {
        SetupError::new("OUT_DIR is not set: lariat-z3-setup only works inside a Cargo build script.")
    })?);
    let link_folder = out_folder.join("z3");
    let linked = links::link_libraries(&library_folder, &link_folder, &target)?;

    // A library that disappears or is replaced is put in place or linked anew.
    for library in &linked {
        directives.push(format!("cargo::rerun-if-changed={}", library.display()));
    }
    directives.push(format!(
        "cargo::rustc-link-search=native={}",
        link_folder.display()
    ));
    directives.extend(forward_functions(
        &link_folder.join(target.library_file_name()),
        &library_folder,
        &out_folder,
        &target,
    )?);
    directives.push(format!(
        "cargo::metadata=library_folder={}",
        library_folder.display()
    ));
    directives.extend(run_path_arguments(&target, &library_folder));
    Ok(())
}

/// Writes the files from which `lariat-smt` makes the functions that stand for those of `library`, where that can be done.
fn forward_functions(
    library: &Path,
    library_folder: &Path,
    out_folder: &Path,
    target: &platform::Target,
) -> Result<Vec<String>, SetupError> {
    let mut directives = vec![format!("cargo::rustc-check-cfg=cfg({LOADED_AT_RUN_TIME})")];
    // A folder with a static library only has no such file.
    let Ok(bytes) = fs::read(library) else {
        return Ok(directives);
    };
    let Some((forwarders, name)) = forward::forwarders(&bytes, target).zip(soname::soname(&bytes)) else {
        return Ok(directives);
    };
    for (file, text) in [
        ("z3_forward.s", &forwarders.assembly),
        ("z3_functions.rs", &forwarders.names),
    ] {
        fs::write(out_folder.join(file), text).map_err(|error| {
            SetupError::new(format!(
                "{} cannot be written ({error}): make it writable.",
                out_folder.join(file).display()
            ))
        })?;
    }
    directives.push(format!("cargo::rustc-cfg={LOADED_AT_RUN_TIME}"));
    directives.push(format!("cargo::rustc-env=LARIAT_Z3_FILE_NAME={name}"));
    directives.push(format!(
        "cargo::rustc-env=LARIAT_Z3_BUILD_FOLDER={}",
        library_folder.display()
    ));
    Ok(directives)
}

/// The root of the working copy, in which this crate is `crates/z3-setup`.
fn working_copy() -> &'static Path {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder
        .parent()
        .and_then(Path::parent)
        .unwrap_or(crate_folder)
}
