//! Patterns of file names: `*` and `?` within a name, `**` for any folders.

use std::path::{Path, PathBuf};

use lariat_base::names::matches_pattern;

/// Folders are looked into this deep.
const MAX_DEPTH: usize = 40;

/// The files of a folder that match, in their order, relative to it. A name without a pattern is itself if it exists.
pub fn expand(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    if !pattern.contains(['*', '?']) {
        let path = PathBuf::from(pattern);
        return Some(path)
            .filter(|path| folder.join(path).exists())
            .into_iter()
            .collect();
    }
    let parts: Vec<&str> = pattern
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let mut found = Vec::new();
    // An empty name is no folder to the system.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let start = if pattern.starts_with('/') {
        PathBuf::from("/")
    } else {
        PathBuf::new()
    };
    walk(folder, &start, &parts, MAX_DEPTH, &mut found);
    found.sort();
    found.dedup();
    found
}

fn walk(folder: &Path, at: &Path, parts: &[&str], depth: usize, found: &mut Vec<PathBuf>) {
    let Some((first, rest)) = parts.split_first() else {
        if folder.join(at).is_file() {
            found.push(at.to_owned());
        }
        return;
    };
    if depth == 0 {
        return;
    }
    if *first == ".." {
        return walk(folder, &at.join(".."), rest, depth, found);
    }
    if *first == "**" {
        walk(folder, at, rest, depth, found);
    }
    let Ok(entries) = std::fs::read_dir(folder.join(at)) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
            continue;
        };
        // Links are not followed: they may lead back.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if *first == "**" {
            if is_folder {
                walk(folder, &at.join(name), parts, depth - 1, found);
            }
        } else if matches(first, name) && (rest.is_empty() || is_folder) {
            walk(folder, &at.join(name), rest, depth - 1, found);
        }
    }
}

/// `?` is any one character; `names` knows `*`.
fn matches(pattern: &str, name: &str) -> bool {
    if !pattern.contains('?') {
        return matches_pattern(pattern, name);
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // Whether the first characters of each match, for all lengths of the name.
    let mut row: Vec<bool> = (0..=name.len()).map(|length| length == 0).collect();
    for part in pattern {
        let mut next = vec![false; row.len()];
        for length in 0..row.len() {
            next[length] = match part {
                '*' => row[length] || (length > 0 && next[length - 1]),
                _ => length > 0 && row[length - 1] && (part == '?' || part == name[length - 1]),
            };
        }
        row = next;
    }
    row.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names() {
        assert!(
            matches("a?c*", "abcde") && matches("*?", "x") && !matches("?", "") && !matches("a?c", "abdc")
        );
        let folder = std::env::temp_dir().join(format!("lariat-glob-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("a/b")).expect("folders");
        for name in ["x.c", "a/y.c", "a/b/z.c", "a/b/z.h"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        let paths = |pattern: &str| -> Vec<String> {
            let found = expand(&folder, pattern);
            found.iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(paths("**/*.c"), ["a/b/z.c", "a/y.c", "x.c"]);
        assert_eq!(paths("a/?.c"), ["a/y.c"]);
        assert_eq!(paths("x.c"), ["x.c"]);
        assert!(paths("nothing.c").is_empty() && paths("*.h").is_empty());
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
