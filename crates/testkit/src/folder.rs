//! Temporary folders.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

/// Tests of one process that run at the same time need different folders.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A fresh folder. It is removed in the end, unless the test fails.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// `name` says in the path which test it was.
    pub fn new(name: &str) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("lariat-{name}-{}-{number}", process::id()));
        // What another process with the same number left behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    /// With files that have these names and texts.
    pub fn with(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Folder::new(name);
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, in folders that are made if need be.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder for the file");
        fs::write(&path, content).expect("the file can be written");
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file can be read")
    }

    /// Replaces the first occurrence of `from` in a file; there must be one.
    pub fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "no {from:?} in {name}");
        self.write(name, text.replacen(from, to, 1));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // Whatever is left is in the folder for temporary files.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
