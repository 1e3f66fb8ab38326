//! A file of JSON values, one a line, that survives whatever happens to its writer.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Values are written as soon as they are there, so that nothing is lost when the process ends.
pub struct JsonLines<T> {
    file: File,
    values: PhantomData<fn(&T)>,
}

impl<T: Serialize> JsonLines<T> {
    /// Starts a new file with the kept values. It is renamed into place, so that a process that is killed meanwhile loses
    /// nothing.
    pub fn create<'a>(path: &Path, kept: impl Iterator<Item = &'a T>) -> io::Result<Self>
    where
        T: 'a,
    {
        let mut text = Vec::new();
        for value in kept {
            serde_json::to_writer(&mut text, value)?;
            text.push(b'\n');
        }
        let mut fresh = path.as_os_str().to_owned();
        fresh.push(".new");
        fs::write(&fresh, text)?;
        fs::rename(&fresh, path)?;
        Ok(JsonLines {
            file: OpenOptions::new().append(true).open(path)?,
            values: PhantomData,
        })
    }

    pub fn append(&mut self, value: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.flush()
    }
}

/// The values of a file. A line that is none (the last one of a process that was killed, or one of another version) is left
/// out.
pub fn read_json_lines<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}
