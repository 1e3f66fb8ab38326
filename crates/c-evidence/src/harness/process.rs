//! Processes with a limit of time, and a folder that goes away.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// As much of a process's messages as is kept.
const KEPT_BYTES: usize = 256 * 1024;

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub ending: RunEnding,
    /// Its standard error, or the start of it.
    pub messages: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnding {
    Exit(i32),
    Signal(i32),
    TimeLimit,
}

/// Runs a command without input; its output is dropped, its messages are kept.
pub fn run(command: &mut Command, time_limit: Duration) -> io::Result<Run> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let kept = Arc::new(Mutex::new(Vec::new()));
    let reader = child.stderr.take().map(|pipe| {
        let kept = Arc::clone(&kept);
        thread::spawn(move || keep_start(pipe, &kept))
    });
    let ending = wait(&mut child, time_limit)?;
    // The process is gone, so the pipe has an end, unless it left children that keep it open.
    let patience = Instant::now() + Duration::from_secs(1);
    while reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < patience {
        thread::sleep(Duration::from_millis(1));
    }
    let bytes = kept.lock().map(|bytes| bytes.clone()).unwrap_or_default();
    let messages = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Run { ending, messages })
}

/// Runs a command and returns what it prints, if it ends well.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

/// Reads to the end, because a full pipe would stop the process, and keeps the start.
fn keep_start(mut pipe: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        if let Ok(mut bytes) = kept.lock() {
            let room = KEPT_BYTES.saturating_sub(bytes.len()).min(count);
            bytes.extend_from_slice(&buffer[..room]);
        }
    }
}

fn wait(child: &mut Child, time_limit: Duration) -> io::Result<RunEnding> {
    let end = Instant::now() + time_limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match status.code() {
                Some(code) => RunEnding::Exit(code),
                None => RunEnding::Signal(signal(status)),
            });
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(RunEnding::TimeLimit);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> i32 {
    std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or(0)
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> i32 {
    0
}

/// The program of this name, or the path itself if it is one.
pub fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains(std::path::MAIN_SEPARATOR) {
        return Path::new(name).is_file().then(|| PathBuf::from(name));
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// A temporary folder, removed with everything in it when it goes out of scope.
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    pub fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        let mut number = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |time| time.as_nanos() as u64);
        loop {
            let path = parent.join(format!("lariat-{}-{number:x}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(TemporaryFolder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number = number.wrapping_add(1),
                Err(error) => return Err(error),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.join(name.as_ref())
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
