//! The arguments that clang is started with.

use std::path::{Path, PathBuf};

use lariat_base::Diagnostic;
use lariat_c_program::Machine;
use rustc_hash::FxHashMap;

use crate::ReadOptions;
use crate::headers;

/// What older C allows and a newer clang would refuse.
const TOLERANT: &[&str] = &[
    "-w",
    "-Wno-unknown-warning-option",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-return-type",
];

/// Folders of system headers that may be there, after our own.
const SYSTEM_FOLDERS: &[&str] = &[
    "usr/local/include",
    "usr/include/x86_64-linux-gnu",
    "usr/include/i386-linux-gnu",
    "usr/include",
];

/// The years of standards of C that clang knows, each also as `gnu…` with extensions of the compiler.
const STANDARDS: &[&str] = &[
    "c89", "c90", "c99", "c9x", "c11", "c1x", "c17", "c18", "c23", "c2x", "gnu89", "gnu90", "gnu99", "gnu9x",
    "gnu11", "gnu1x", "gnu17", "gnu18", "gnu23", "gnu2x",
];

/// What is wrong with the standard among the arguments, which makes clang give up without a word.
pub fn standard_problem(arguments: &[String]) -> Option<Diagnostic> {
    let standard = arguments
        .iter()
        .rev()
        .find_map(|flag| flag.strip_prefix("-std="))?;
    if STANDARDS.contains(&standard) || standard.starts_with("iso9899:") {
        return None;
    }
    let message = format!("`{standard}` is no standard of C");
    let hint = lariat_base::names::hint(standard, STANDARDS.iter().copied());
    Some(Diagnostic::global_error("unknown-standard", message).hint(hint))
}

/// The arguments for one file; `extra` are those of its entry in a compilation database.
pub fn arguments(options: &ReadOptions, extra: &[String]) -> Vec<String> {
    let triple = match options.c.machine {
        Machine::Lp64 => "x86_64-linux-gnu",
        Machine::Ilp32 => "i386-linux-gnu",
    };
    let mut arguments: Vec<String> = vec!["-x".into(), "c".into(), "-target".into(), triple.into()];
    // The SSE2 instructions of x86-64 do not matter here, but the model of floating point does: no x87 excess.
    if options.c.machine == Machine::Ilp32 {
        arguments.extend(["-msse2".into(), "-mfpmath=sse".into()]);
    }
    arguments.push("-std=gnu11".into());
    arguments.extend(TOLERANT.iter().map(|&flag| flag.into()));
    // gcc's headers give this attribute arguments that clang does not know.
    arguments.push("-D__malloc__(...)=__malloc__".into());
    arguments.extend(["-ferror-limit=0", "-fbracket-depth=100000", "-nostdinc"].map(String::from));
    arguments.extend(extra.iter().cloned());
    if let Some(standard) = &options.c.standard {
        arguments.push(format!("-std={standard}"));
    }
    arguments.extend(
        options
            .c
            .include
            .iter()
            .map(|folder| format!("-I{}", folder.display())),
    );
    arguments.extend(options.c.macros.iter().cloned());
    arguments.extend(["-isystem".into(), headers::FOLDER.into()]);
    let roots = options
        .c
        .system_root
        .as_deref()
        .into_iter()
        .chain([Path::new("/")]);
    for folder in roots.flat_map(system_folders).filter(|folder| folder.is_dir()) {
        arguments.extend(["-isystem".into(), folder.display().to_string()]);
    }
    arguments
}

/// Whether a header belongs to gcc or clang: intrinsics are written there in terms of one compiler's builtins, which another
/// one need not understand.
pub fn is_compiler_header(path: &str) -> bool {
    path.contains("/usr/lib/gcc/") || path.contains("/lib/clang/")
}

/// The folders of headers below `root`, in the order of the search.
fn system_folders(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = SYSTEM_FOLDERS.iter().map(|folder| root.join(folder)).collect();
    folders.extend(compiler_folders(root));
    folders
}

/// gcc's own headers, newest first: what ours leave out (intrinsics, say) is found there.
fn compiler_folders(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<(u32, PathBuf)> =
        ["usr/lib/gcc/x86_64-linux-gnu", "usr/lib/gcc/x86_64-redhat-linux"]
            .iter()
            .filter_map(|folder| std::fs::read_dir(root.join(folder)).ok())
            .flatten()
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let version = entry.file_name().to_str()?.split('.').next()?.parse().ok()?;
                Some((version, entry.path().join("include")))
            })
            .collect();
    folders.sort();
    folders.into_iter().rev().map(|(_, folder)| folder).collect()
}

/// Types that gcc knows by itself, so that its preprocessed headers use them undeclared.
const TYPES_OF_GCC: &[(&str, &str)] = &[
    ("_Float32", "float"),
    ("_Float64", "double"),
    ("_Float32x", "double"),
    ("_Float64x", "long double"),
    ("_Float128", "__float128"),
];

/// Macros for a file that gcc has preprocessed (`.i`, or with line markers): the types that it uses and does not declare.
pub fn preprocessed_flags(path: &Path, text: &str) -> Vec<String> {
    let is_preprocessed = path.extension().is_some_and(|kind| kind == "i") || text.starts_with("# ");
    if !is_preprocessed || !text.contains("_Float") {
        return Vec::new();
    }
    let declares = |name: &str| {
        let end = format!(" {name};");
        text.lines()
            .any(|line| line.starts_with("typedef ") && line.trim_end().ends_with(&end))
    };
    TYPES_OF_GCC
        .iter()
        .filter(|(name, _)| !declares(name))
        .map(|(name, meaning)| format!("-D{name}={meaning}"))
        .collect()
}

/// A file that a compilation database names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseFile {
    pub path: PathBuf,
    /// It is compiled in several ways: its first entry counts.
    pub is_ambiguous: bool,
}

/// The files that a compilation database names, each once and in its order.
pub fn database_files(database: &Path) -> Result<Vec<DatabaseFile>, Box<Diagnostic>> {
    let database = crate::read_database(database)?;
    let mut found: Vec<(PathBuf, Vec<String>, DatabaseFile)> = Vec::new();
    let mut numbers: FxHashMap<PathBuf, usize> = FxHashMap::default();
    for entry in database.as_array().into_iter().flatten() {
        let Some((path, folder)) = entry_path(entry) else {
            continue;
        };
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        let flags = relevant_flags(&entry_words(entry), &folder);
        match numbers.get(&real) {
            Some(&number) => found[number].2.is_ambiguous |= found[number].1 != flags,
            None => {
                numbers.insert(real.clone(), found.len());
                let file = DatabaseFile {
                    path,
                    is_ambiguous: false,
                };
                found.push((real, flags, file));
            }
        }
    }
    Ok(found.into_iter().map(|(_, _, file)| file).collect())
}

/// The flags that matter for reading, of the entry for `file` in a `compile_commands.json`.
pub fn database_flags(database: &serde_json::Value, file: &Path) -> Vec<String> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    for entry in database.as_array().into_iter().flatten() {
        let Some((named, folder)) = entry_path(entry) else {
            continue;
        };
        // Links apart, a file has one name, which is cheaper to compare than its path is to resolve.
        let is_link = || named.is_symlink() || named.file_name() == file.file_name();
        if named == file || is_link() && named.canonicalize().is_ok_and(|named| named == file) {
            return relevant_flags(&entry_words(entry), &folder);
        }
    }
    Vec::new()
}

/// The file of an entry of a compilation database, and the folder of its command.
fn entry_path(entry: &serde_json::Value) -> Option<(PathBuf, PathBuf)> {
    let text = |name: &str| entry.get(name).and_then(|value| value.as_str());
    let folder = PathBuf::from(text("directory").unwrap_or("."));
    Some((folder.join(text("file")?), folder))
}

fn entry_words(entry: &serde_json::Value) -> Vec<String> {
    match entry.get("arguments").and_then(|value| value.as_array()) {
        Some(list) => list
            .iter()
            .filter_map(|word| word.as_str())
            .map(String::from)
            .collect(),
        None => {
            let command = entry.get("command").and_then(|value| value.as_str());
            split_command(command.unwrap_or_default())
        }
    }
}

/// Those that change what the text means; paths relative to the folder of the command.
fn relevant_flags(words: &[String], folder: &Path) -> Vec<String> {
    const WITH_PATH: &[&str] = &["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
    const WITH_TEXT: &[&str] = &["-D", "-U"];
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if let Some(flag) = WITH_PATH.iter().chain(WITH_TEXT).find(|&&flag| word == flag) {
            if let Some(value) = words.next() {
                let is_path = WITH_PATH.contains(flag);
                flags.push((*flag).to_owned());
                flags.push(if is_path {
                    folder.join(value).display().to_string()
                } else {
                    value.clone()
                });
            }
        } else if let Some(path) = word.strip_prefix("-I") {
            flags.push(format!("-I{}", folder.join(path).display()));
        } else if word.starts_with("-D")
            || word.starts_with("-U")
            || word.starts_with("-std=")
            || matches!(
                word.as_str(),
                "-ansi"
                    | "-funsigned-char"
                    | "-fsigned-char"
                    | "-fshort-enums"
                    | "-fms-extensions"
                    | "-fpack-struct"
            )
        {
            flags.push(word.clone());
        }
    }
    flags
}

/// A shell command's words: quotes and backslashes are understood, nothing else.
fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_does() {
        assert_eq!(
            split_command(r#"cc -DX="a b" -D'Y=\"' a\ b.c "" "#),
            ["cc", "-DX=a b", r#"-DY=\""#, "a b.c", ""]
        );
    }

    #[test]
    fn a_preprocessed_file_gets_the_types_that_it_does_not_declare() {
        let text = "# 1 \"a.c\"\ntypedef float _Float32;\nextern _Float128 f(_Float32);\n";
        let flags = preprocessed_flags(Path::new("a.c"), text);
        assert!(flags.contains(&"-D_Float128=__float128".to_owned()), "{flags:?}");
        assert!(!flags.contains(&"-D_Float32=float".to_owned()), "{flags:?}");
        assert!(preprocessed_flags(Path::new("a.c"), "_Float32 x;").is_empty());
    }

    #[test]
    fn the_flags_of_a_file_are_those_that_change_its_meaning() {
        let database = serde_json::json!([
            { "directory": "/nowhere", "file": "other.c", "command": "cc -DOTHER other.c" },
            { "directory": "/nowhere", "file": "a.c",
              "command": "cc -O2 -Isub -D N=1 -isystem /x -std=c99 -Wall -c a.c -o a.o" },
        ]);
        assert_eq!(
            database_flags(&database, Path::new("/nowhere/a.c")),
            ["-I/nowhere/sub", "-D", "N=1", "-isystem", "/x", "-std=c99"]
        );
        assert!(database_flags(&database, Path::new("/nowhere/b.c")).is_empty());
    }
}
