//! Fills `.z3/<version>-<platform>/` (or `.libclang/…`) exactly once, even if several builds run at the same time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process;

use crate::platform::{Target, Wheel};
use crate::{SetupError, fetch};

/// The prefix of folders that are being filled; what a killed build leaves behind is recognised by it.
const PARTIAL_PREFIX: &str = "partial-";

/// Returns the folder with the library of `wheel` for `target` below `root`, fetching it if it is not there. The library is
/// there under `linker_name` too.
pub fn install_once(
    root: &Path,
    target: &Target,
    wheel: &Wheel,
    linker_name: &str,
) -> Result<PathBuf, SetupError> {
    fill_once(root, &target.folder_name(&wheel.package), |partial| {
        fetch::fetch_library(wheel, linker_name, partial)
    })
}

/// Returns `root/name`. If it does not exist, `fill` is run on a fresh folder, which then becomes it
/// by renaming. A lock makes sure that only one process fills at a time; the others wait and use
/// what it made. The lock ends with its process, however that ends.
fn fill_once(
    root: &Path,
    name: &str,
    fill: impl FnOnce(&Path) -> Result<(), SetupError>,
) -> Result<PathBuf, SetupError> {
    let complete = root.join(name);
    if complete.is_dir() {
        return Ok(complete);
    }
    let cannot_write = |error: std::io::Error| {
        SetupError::new(format!(
            "{} cannot be written ({error}): make it writable, since the library is kept there.",
            root.display()
        ))
    };
    fs::create_dir_all(root).map_err(cannot_write)?;
    let lock = File::create(root.join("lock")).map_err(cannot_write)?;
    lock.lock().map_err(cannot_write)?;
    if complete.is_dir() {
        return Ok(complete);
    }

    // We hold the lock, so every partial folder belongs to a build that is gone.
    for entry in fs::read_dir(root).map_err(cannot_write)? {
        let entry = entry.map_err(cannot_write)?;
        if entry.file_name().to_string_lossy().starts_with(PARTIAL_PREFIX) {
            fs::remove_dir_all(entry.path()).map_err(cannot_write)?;
        }
    }
    let partial = root.join(format!("{PARTIAL_PREFIX}{}", process::id()));
    fs::create_dir(&partial).map_err(cannot_write)?;
    let outcome = fill(&partial).and_then(|()| fs::rename(&partial, &complete).map_err(cannot_write));
    if outcome.is_err() {
        // The error that is returned matters more than a folder that the next build will remove.
        let _ = fs::remove_dir_all(&partial);
    }
    outcome.map(|()| complete)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{env, thread};

    use super::*;

    fn empty_root(name: &str) -> PathBuf {
        let root = env::temp_dir().join(format!("lariat-z3-setup-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&root);
        root
    }

    fn entries(root: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(root)
            .expect("the root exists")
            .map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn fills_once_and_then_only_looks() {
        let root = empty_root("once");
        let fill = |folder: &Path| {
            fs::write(folder.join("library"), "z3").expect("writable");
            Ok(())
        };
        let folder = fill_once(&root, "v1", fill).expect("filled");
        assert_eq!(fs::read_to_string(folder.join("library")).expect("there"), "z3");
        let again = fill_once(&root, "v1", |_| Err(SetupError::new("must not be fetched again")));
        assert_eq!(again, Ok(folder));
        assert_eq!(entries(&root), ["lock", "v1"]);
        fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn a_failure_leaves_nothing_and_a_killed_build_is_cleaned_up() {
        let root = empty_root("failure");
        fs::create_dir_all(root.join("partial-1")).expect("created");
        fs::write(root.join("partial-1/half"), "half a wheel").expect("written");
        let outcome = fill_once(&root, "v1", |_| Err(SetupError::new("no network.")));
        assert_eq!(outcome, Err(SetupError::new("no network.")));
        assert_eq!(entries(&root), ["lock"]);
        fill_once(&root, "v1", |_| Ok(())).expect("a later build succeeds");
        assert_eq!(entries(&root), ["lock", "v1"]);
        fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn builds_side_by_side_fetch_once() {
        let root = empty_root("parallel");
        let fetches = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    fill_once(&root, "v1", |_| {
                        fetches.fetch_add(1, Ordering::SeqCst);
                        thread::sleep(std::time::Duration::from_millis(20));
                        Ok(())
                    })
                    .expect("filled");
                });
            }
        });
        assert_eq!(fetches.load(Ordering::SeqCst), 1);
        fs::remove_dir_all(root).expect("removed");
    }
}
