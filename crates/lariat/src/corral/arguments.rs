//! Which arguments are files and which are flags, and flags that stand in files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Stop;

/// An argument after `/flags:FILE` was replaced by what stands in the file.
#[derive(Debug, PartialEq, Eq)]
pub enum Argument {
    File(PathBuf),
    Flag(String),
}

/// Reads the arguments, and the files of `/flags:FILE` in their place.
pub fn expand(arguments: &[OsString]) -> Result<Vec<Argument>, Stop> {
    let mut expanded = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        if !is_flag(&text) {
            if !text.ends_with(".bpl") {
                return Err(Stop::Usage(format!("Unknown command line argument: {text}")));
            }
            expanded.push(Argument::File(PathBuf::from(argument)));
        } else if let Some(file) = text.strip_prefix("/flags:") {
            expanded.extend(flags_of_file(file)?.into_iter().map(Argument::Flag));
        } else {
            expanded.push(Argument::Flag(normalised(&text)));
        }
    }
    Ok(expanded)
}

/// A flag starts with a slash; but so does the path of a file.
fn is_flag(text: &str) -> bool {
    text.starts_with('/') && !Path::new(text).is_file()
}

fn normalised(flag: &str) -> String {
    if let Some(field) = flag.strip_prefix("/trackField:") {
        format!("/track:Mem_T.{field}")
    } else if let Some(resource) = flag.strip_prefix("/trackResource:") {
        format!("/track:Res_{resource}")
    } else {
        flag.to_owned()
    }
}

/// One or more flags on a line, `#` starts a comment, `TrackVars = a, b` stands for several flags.
fn flags_of_file(file: &str) -> Result<Vec<String>, Stop> {
    let mut path = PathBuf::from(file);
    if !path.is_file() {
        // Scripts from Windows.
        path = PathBuf::from(file.replace('\\', "/"));
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Stop::Usage(format!("Cannot read {file}: {error}")))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut flags = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(names) = tracked_names(line) {
            flags.extend(names.iter().map(|flag| normalised(flag)));
        } else if let Some(name) = line.strip_prefix("/concat:") {
            let beside = folder.join(name);
            let found = if beside.is_file() {
                beside
            } else {
                PathBuf::from(name)
            };
            flags.push(format!("/concat:{}", found.display()));
        } else {
            for flag in line.split_whitespace() {
                if !is_flag(flag) {
                    return Err(Stop::Usage(format!("Illegal flag in file {file}: {flag}")));
                }
                if flag.starts_with("/flags:") {
                    return Err(Stop::Usage("Cannot have nested /flags".to_owned()));
                }
                flags.push(normalised(flag));
            }
        }
    }
    Ok(flags)
}

/// The flags of a line such as `TrackVars = a, b`.
fn tracked_names(line: &str) -> Option<Vec<String>> {
    let kinds = [
        ("TrackVarsSecondary", "/trackSecondary:"),
        ("TrackVars", "/track:"),
        ("TrackFields", "/trackField:"),
        ("TrackResources", "/trackResource:"),
    ];
    let (word, flag) = kinds.into_iter().find(|(word, _)| line.starts_with(word))?;
    let names = line[word.len()..].split([' ', '=', ',']);
    let names = names.filter(|name| !name.is_empty());
    Some(names.map(|name| format!("{flag}{name}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_to_track_may_be_listed() {
        let names = tracked_names("TrackVars = a, b").expect("names");
        assert_eq!(names, ["/track:a", "/track:b"]);
        let names = tracked_names("TrackVarsSecondary=c").expect("names");
        assert_eq!(names, ["/trackSecondary:c"]);
        assert_eq!(tracked_names("/k:1"), None);
    }

    #[test]
    fn fields_and_resources_are_variables() {
        assert_eq!(normalised("/trackField:x"), "/track:Mem_T.x");
        assert_eq!(normalised("/trackResource:y"), "/track:Res_y");
    }

    #[test]
    fn what_is_no_flag_is_a_program() {
        let error = expand(&[OsString::from("program.c")]);
        let message = "Unknown command line argument: program.c".to_owned();
        assert_eq!(error, Err(Stop::Usage(message)));
    }
}
