//! The folder of links to the Z3 libraries, inside the target folder (the crate documentation says
//! why it is there).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::platform::Target;
use crate::{OWN_Z3_VARIABLE, SetupError, soname};

/// Makes `link_folder` hold a link to each Z3 library of `library_folder` and nothing else, and
/// returns the libraries. A folder that only holds a versioned library, as a distribution's
/// run-time package does, gets the linker's name for it as well.
pub fn link_libraries(
    library_folder: &Path,
    link_folder: &Path,
    target: &Target,
) -> Result<Vec<PathBuf>, SetupError> {
    let linker_name = target.library_file_name();
    let libraries = z3_libraries(library_folder).map_err(|error| {
        SetupError::new(format!(
            "{} cannot be read ({error}): set {OWN_Z3_VARIABLE} to the folder that holds {linker_name}.",
            library_folder.display()
        ))
    })?;
    let Some(first) = libraries.first() else {
        return Err(SetupError::new(format!(
            "{} holds no Z3 library: set {OWN_Z3_VARIABLE} to the folder that holds {linker_name}, or unset it and \
             remove `.z3` to let the build fetch Z3.",
            library_folder.display()
        )));
    };
    let link_all = || -> io::Result<()> {
        match fs::remove_dir_all(link_folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(link_folder)?,
        }
        for library in &libraries {
            if let Some(name) = library.file_name() {
                link_file(library, &link_folder.join(name))?;
            }
        }
        let for_linker = link_folder.join(linker_name);
        let only_static = libraries
            .iter()
            .all(|library| library.extension().is_some_and(|kind| kind == "a"));
        if !for_linker.exists() && !only_static {
            link_file(first, &for_linker)?;
        }
        Ok(())
    };
    link_all().map_err(|error| {
        SetupError::new(format!(
            "{} cannot be written ({error}): make it writable.",
            link_folder.display()
        ))
    })?;
    check_loadable(library_folder, &link_folder.join(linker_name))?;
    Ok(libraries)
}

/// Refuses a library that programs will ask for under a name that `library_folder` does not have.
fn check_loadable(library_folder: &Path, linked_library: &Path) -> Result<(), SetupError> {
    let Some(name) = fs::read(linked_library)
        .ok()
        .and_then(|bytes| soname::soname(&bytes))
    else {
        return Ok(());
    };
    if library_folder.join(&name).is_file() {
        return Ok(());
    }
    Err(SetupError::new(format!(
        "programs linked to the Z3 of {} will ask for {name}, which that folder does not have: add a copy or a link of \
         this name to it.",
        library_folder.display()
    )))
}

/// The files named `libz3.*` in `folder`, sorted by name.
fn z3_libraries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut libraries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_library = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("libz3."));
        if is_library && path.is_file() {
            libraries.push(path);
        }
    }
    libraries.sort();
    Ok(libraries)
}

/// Links `link` to `original`, which is as in a symbolic link relative to the folder of `link`.
#[cfg(unix)]
pub fn link_file(original: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

/// Elsewhere symbolic links need privileges, so the file is copied.
#[cfg(not(unix))]
pub fn link_file(original: &Path, link: &Path) -> io::Result<()> {
    let folder = link.parent().unwrap_or(Path::new("."));
    fs::copy(folder.join(original), link).map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::{env, process};

    use super::*;

    fn linux() -> Target {
        Target {
            os: "linux".to_owned(),
            architecture: "x86_64".to_owned(),
            libc: "gnu".to_owned(),
        }
    }

    fn folder_with(name: &str, files: &[&str]) -> PathBuf {
        let folder = env::temp_dir().join(format!("lariat-z3-links-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("lib")).expect("created");
        for file in files {
            fs::write(folder.join("lib").join(file), file).expect("written");
        }
        folder
    }

    #[test]
    fn a_folder_with_only_a_versioned_library_gets_the_name_for_the_linker() {
        let folder = folder_with("versioned", &["libz3.so.4", "libc.so"]);
        let links = folder.join("links");
        let libraries = link_libraries(&folder.join("lib"), &links, &linux()).expect("linked");
        assert_eq!(libraries, [folder.join("lib/libz3.so.4")]);
        assert_eq!(
            fs::read_to_string(links.join("libz3.so")).expect("there"),
            "libz3.so.4"
        );
        assert!(!links.join("libc.so").exists());
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn links_of_an_earlier_library_do_not_stay() {
        let folder = folder_with("earlier", &["libz3.so", "libz3.so.5.4"]);
        let links = folder.join("links");
        link_libraries(&folder.join("lib"), &links, &linux()).expect("linked");
        fs::remove_file(folder.join("lib/libz3.so.5.4")).expect("removed");
        link_libraries(&folder.join("lib"), &links, &linux()).expect("linked again");
        assert!(links.join("libz3.so").exists());
        assert!(links.join("libz3.so.5.4").symlink_metadata().is_err());
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_folder_without_z3_is_refused_with_the_remedy() {
        let folder = folder_with("none", &["libc.so"]);
        let refusal = link_libraries(&folder.join("lib"), &folder.join("links"), &linux());
        let sentence = refusal.expect_err("refused").to_string();
        assert!(
            sentence.contains("holds no Z3 library") && sentence.contains(OWN_Z3_VARIABLE),
            "{sentence}"
        );
        fs::remove_dir_all(folder).expect("removed");
    }
}
