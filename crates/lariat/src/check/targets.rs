//! `lariat.toml`: what `lariat check` runs.
//!
//! ```toml
//! [[target]]
//! name = "parser"
//! command = "verify"              # or "angelic", "conform"
//! files = ["src/**/parse*.c"]
//! entry = ["parse_header", "parse_body"]
//! check = ["memory", "overflow"]
//! bound = 8
//! time-limit = "2m"
//! ```
//!
//! Every option of the command is a key, without its dashes; so there is no second list of options.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use lariat_base::{Diagnostic, Diagnostics, Severity, SourceMap};
use lariat_toml_file::{FileKind, Section, Words};

use crate::arguments::Arguments;
use crate::glob;

const KIND: FileKind = FileKind {
    syntax: "toml",
    syntax_hint: "settings are TOML: [[target]], and key = value",
    key: "unknown-setting",
    key_severity: Severity::Error,
    value: "setting",
    missing: "setting",
};

/// Options that `check` sets itself.
const OWN: [&str; 7] = [
    "output-format",
    "output",
    "report",
    "baseline",
    "each",
    "watch",
    "__only",
];

/// One run of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub name: String,
    pub command: &'static str,
    /// Relative to the folder of the settings.
    pub files: Vec<PathBuf>,
    pub options: Vec<String>,
}

/// The nearest settings at or above a folder.
pub fn find(folder: &Path) -> Option<PathBuf> {
    let mut folders = folder.ancestors();
    folders.find_map(|folder| Some(folder.join("lariat.toml")).filter(|path| path.is_file()))
}

/// The targets of a file, or what is wrong with it as text.
pub fn read(path: &Path) -> Result<Vec<Target>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read the settings {}: {error}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let source = sources.add(path, text.clone());
    let targets = lariat_toml_file::read(KIND, source, &text, &mut diagnostics, |file| {
        // Options of `lariat angelic` where it is started by hand.
        file.ignore("angelic");
        file.repeated("target", |section| target(section, folder))
    });
    if diagnostics.has_errors() {
        let texts = diagnostics.iter().map(|it| it.render(&sources, true));
        return Err(texts.collect::<Vec<_>>().join("\n\n"));
    }
    let targets = targets.unwrap_or_default();
    if targets.is_empty() {
        return Err(format!("{} has no [[target]]", path.display()));
    }
    Ok(targets)
}

fn target(section: &mut Section<'_, '_>, folder: &Path) -> Option<Target> {
    let name = section.required("name", "what the target is called")?;
    let commands = ["verify", "angelic", "conform"].map(|command| (command, command));
    let command = section.choice("command", &commands).unwrap_or("verify");
    let patterns = section.text_or_texts("files");
    if patterns.is_empty() {
        let message = "`files` is missing".to_owned();
        let hint = "add files = [\"src/*.c\"], relative to this file";
        section.push(Diagnostic::error(KIND.missing, section.span(), message).hint(hint));
    }
    let mut files = Vec::new();
    for pattern in &patterns {
        let found = glob::expand(folder, &pattern.text);
        if found.is_empty() {
            let message = format!("no file matches `{}`", pattern.text);
            section.push(Diagnostic::error(KIND.value, pattern.span, message));
        }
        files.extend(found);
    }
    let mut options = Vec::new();
    for (option, takes_value) in options_of(command) {
        let Some(words) = section.words(&option) else {
            continue;
        };
        match (words, takes_value) {
            (Words::Flag(true), false) => options.push(format!("--{option}")),
            (Words::Flag(false), false) => {}
            (Words::List(words), true) => {
                options.extend(words.iter().map(|word| format!("--{option}={word}")))
            }
            (_, takes_value) => {
                let expected = if takes_value {
                    "a value"
                } else {
                    "`true` or `false`"
                };
                let message = format!("`{option}` must be {expected}");
                section.push(Diagnostic::error(KIND.value, section.span_of(&option), message));
            }
        }
    }
    Some(Target {
        name: name.text,
        command,
        files,
        options,
    })
}

/// The long options of a command, and whether each takes a value.
fn options_of(command: &str) -> Vec<(String, bool)> {
    let program = Arguments::command();
    let found = program.get_subcommands().find(|it| it.get_name() == command);
    let arguments = found.into_iter().flat_map(|it| it.get_arguments());
    arguments
        .filter_map(|argument| {
            let long = argument.get_long()?.to_owned();
            Some((long, argument.get_action().takes_values()))
        })
        .filter(|(long, _)| !OWN.contains(&long.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Vec<Target>, String> {
        let folder =
            std::env::temp_dir().join(format!("lariat-targets-{}-{}", std::process::id(), text.len()));
        std::fs::create_dir_all(folder.join("src/deep")).expect("a folder");
        for name in ["src/a.c", "src/b.c", "src/deep/c.c"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        let path = folder.join("lariat.toml");
        std::fs::write(&path, text).expect("settings");
        let targets = read(&path);
        std::fs::remove_dir_all(&folder).expect("removed");
        targets.map_err(|text| anstream::adapter::strip_str(&text).to_string())
    }

    #[test]
    fn every_option_is_a_key() {
        let targets = settings(
            "[angelic]\nbound = 2\n\n[[target]]\nname = \"a\"\nfiles = [\"src/**/*.c\"]\nbound = 8\nall = true\n\
             check = [\"memory\", \"overflow\"]\ntime-limit = \"2m\"\n",
        );
        let target = &targets.expect("targets")[0];
        assert_eq!(target.command, "verify");
        assert_eq!(
            target.files,
            ["src/a.c", "src/b.c", "src/deep/c.c"].map(PathBuf::from)
        );
        let mut options = target.options.clone();
        options.sort();
        assert_eq!(
            options,
            [
                "--all",
                "--bound=8",
                "--check=memory",
                "--check=overflow",
                "--time-limit=2m"
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, message) in [
            (
                "[[target]]\nname = \"a\"\nfiles = \"src/a.c\"\nbonud = 3\n",
                "did you mean `bound`",
            ),
            ("[[target]]\nfiles = \"src/a.c\"\n", "`name` is missing"),
            ("[[target]]\nname = \"a\"\n", "`files` is missing"),
            (
                "[[target]]\nname = \"a\"\nfiles = \"x*.c\"\n",
                "no file matches `x*.c`",
            ),
            (
                "[[target]]\nname = \"a\"\nfiles = \"src/a.c\"\nall = 3\n",
                "`all` must be `true` or `false`",
            ),
            (
                "[[target]]\nname = \"a\"\nfiles = \"src/a.c\"\nbound = true\n",
                "`bound` must be a value",
            ),
            (
                "[[target]]\nname = \"a\"\nfiles = \"src/a.c\"\noutput = \"x\"\n",
                "unknown key `output`",
            ),
            ("[tagret]\n", "unknown"),
            ("\n", "has no [[target]]"),
        ] {
            let told = settings(text).expect_err(text);
            assert!(told.contains(message), "{text}\n{told}");
        }
    }
}
