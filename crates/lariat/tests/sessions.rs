//! The console sessions of the book and of the README are what Lariat prints; `BLESS=1` rewrites those of the book.
//!
//! In the book, a block ```` ```c,name=FILE ```` is written to that file. A block ```` ```console ```` has commands (`$ lariat …`)
//! and what they print, standard output after standard error; other commands are not run. Figures that vary are `#`. A picture
//! `![…](FILE)` is the file that a session has written.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Sandbox, stderr, stdout};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("copied")),
        }
    }
}

/// The words of a command; quoted ones are one word.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Times, sizes and counts of effort are not the same in every run.
fn normalise(text: &str) -> String {
    let mut normal = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let mut shown: Vec<String> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let next = words
                .get(index + 1)
                .copied()
                .unwrap_or("")
                .trim_end_matches([',', ':', ')']);
            let bare = word.trim_start_matches('(');
            let is_number = !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            let varies = ["s", "min", "MB", "GB", "inlined", "solver", "summary"].contains(&next);
            shown.push(match is_number && varies {
                true => word.replace(bare, "#"),
                false => (*word).to_owned(),
            });
        }
        normal.push_str(shown.join(" ").trim_end());
        normal.push('\n');
    }
    normal
}

/// The page with what its commands really print.
fn replay(sandbox: &Sandbox, page: &str) -> String {
    let mut actual = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        actual.push_str(line);
        actual.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once("name=") {
            Some((_, name)) => sandbox.write(name, body.join("\n") + "\n"),
            None if info == "console" && body.iter().any(|line| line.starts_with("$ lariat ")) => {
                for command in body.iter().filter(|line| line.starts_with("$ ")) {
                    actual.push_str(command);
                    actual.push('\n');
                    let Some(arguments) = command.strip_prefix("$ lariat ") else {
                        continue;
                    };
                    let arguments = words(arguments);
                    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                    let output = sandbox.run(&arguments);
                    actual.push_str(&normalise(&stderr(&output)));
                    actual.push_str(&normalise(&stdout(&output)));
                }
                actual.push_str("```\n");
                continue;
            }
            None => {}
        }
        for line in body {
            actual.push_str(line);
            actual.push('\n');
        }
        actual.push_str("```\n");
    }
    actual
}

#[test]
fn the_sessions_of_the_book_are_what_lariat_prints() {
    let folder = root().join("docs/book/src");
    let bless = std::env::var_os("BLESS").is_some();
    let mut pages: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the book")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    assert!(pages.len() > 10);
    let (mut sessions, mut pictures) = (0, 0);
    for path in pages {
        let expected = fs::read_to_string(&path).expect("a page");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let sandbox = Sandbox::new(&format!("book-{name}"));
        copy(&root().join("examples"), &sandbox.path().join("examples"));
        sessions += expected.matches("\n$ lariat ").count();
        let actual = replay(&sandbox, &expected);
        for picture in expected
            .split("![")
            .skip(1)
            .filter_map(|rest| rest.split_once("]("))
        {
            let name = picture.1.split_once(')').expect("the end of a link").0;
            let made =
                fs::read(sandbox.path().join(name)).unwrap_or_else(|_| panic!("no session writes {name}"));
            let kept = folder.join(name);
            if bless {
                fs::create_dir_all(kept.parent().expect("a folder")).expect("a folder");
                fs::write(&kept, &made).expect("blessed");
            }
            assert!(
                fs::read(&kept).ok() == Some(made),
                "{name} differs: BLESS=1 accepts it"
            );
            pictures += 1;
        }
        if bless {
            fs::write(&path, actual).expect("blessed");
        } else {
            assert_eq!(
                expected,
                actual,
                "{}: BLESS=1 accepts what was printed",
                path.display()
            );
        }
    }
    assert!(
        sessions > 10 && pictures > 2,
        "{sessions} sessions, {pictures} pictures"
    );
}

/// Values of the README's executions depend on which engine is first, so what is compared is what must be so: the first line,
/// and the lines that fail.
#[test]
fn the_sessions_of_the_readme_are_what_lariat_prints() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let sandbox = Sandbox::new("readme");
    copy(&root().join("examples"), &sandbox.path().join("examples"));
    let mut sessions = 0;
    for (index, _) in readme.match_indices("```console\n$ cargo run --release -- ") {
        let block = &readme[index..];
        let command = block
            .lines()
            .nth(1)
            .and_then(|line| line.split_once(" -- "))
            .expect("a command")
            .1;
        let Some(expected) = block
            .split_once("```text\n")
            .and_then(|(_, rest)| rest.split_once("```"))
        else {
            continue;
        };
        let arguments = words(command);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let printed = stdout(&sandbox.run(&arguments));
        let expected = expected.0;
        // A warning comes on standard error where there are several parts; the first line says what is found.
        assert_eq!(printed.lines().next(), expected.lines().next(), "{command}");
        for line in expected.lines().filter(|line| line.contains('✗')) {
            let statement = line
                .split('✗')
                .nth(1)
                .and_then(|rest| rest.trim().split("   ").next())
                .unwrap_or("");
            assert!(
                printed.contains(statement),
                "{command}\n{statement} is not in\n{printed}"
            );
        }
        sessions += 1;
    }
    assert!(sessions >= 4, "{sessions} sessions");
}
