//! The files that a run leaves for the next one: both next to the program, both replaced in one step.

use std::io::Write;
use std::path::{Path, PathBuf};

use lariat_report::{AngelicReport, SCHEMA_VERSION};

/// The default file for the specifications of a program: `NAME.specs.toml`.
pub fn specs_path(program: &Path) -> PathBuf {
    program.with_extension("specs.toml")
}

/// Where the report of the last run is kept: `.NAME.angelic.json`.
pub fn cache_path(program: &Path) -> PathBuf {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    program.with_file_name(format!(".{name}.angelic.json"))
}

/// The report of the last run; `None` if there is none that this version understands. It only saves work, so a
/// missing or damaged file is not an error.
pub fn read_cache(path: &Path) -> Option<AngelicReport> {
    let text = std::fs::read(path).ok()?;
    let report: AngelicReport = serde_json::from_slice(&text).ok()?;
    (report.schema_version == SCHEMA_VERSION).then_some(report)
}

/// Keeps a report for the next run.
pub fn write_cache(path: &Path, report: &AngelicReport) -> Result<(), String> {
    let text = serde_json::to_string(report).map_err(|error| error.to_string())?;
    replace(path, &text)
}

/// Writes a file so that a reader sees the old text or the new one, never a part.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let written = std::fs::File::create(&new)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&new, path));
    written.map_err(|error| {
        // It may not exist.
        let _ = std::fs::remove_file(&new);
        format!("cannot write {}: {error}", path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_beside_the_program() {
        let program = Path::new("src/net/ring.c");
        assert_eq!(specs_path(program), Path::new("src/net/ring.specs.toml"));
        assert_eq!(cache_path(program), Path::new("src/net/.ring.angelic.json"));
        assert_eq!(cache_path(Path::new("a.bpl")), Path::new(".a.angelic.json"));
    }

    #[test]
    fn a_cache_of_another_version_is_no_cache() {
        let folder = std::env::temp_dir().join(format!("lariat-cache-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("cache.json");
        let mut report = AngelicReport {
            schema_version: SCHEMA_VERSION,
            ..AngelicReport::default()
        };
        write_cache(&path, &report).expect("written");
        assert_eq!(read_cache(&path), Some(report.clone()));
        report.schema_version += 1;
        write_cache(&path, &report).expect("written");
        assert_eq!(read_cache(&path), None);
        replace(&path, "no JSON").expect("written");
        assert_eq!(read_cache(&path), None);
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
