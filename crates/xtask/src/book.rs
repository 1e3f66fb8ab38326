//! The book, and whether its links and those of the other pages lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Flags, root, run as run_command};

pub fn run(flags: &Flags) -> Result<(), String> {
    let root = root();
    let dead = dead_links(&root);
    if !dead.is_empty() {
        return Err(format!("dead links:\n{}", dead.join("\n")));
    }
    println!("all links lead somewhere");
    let out = flags
        .get("--out")
        .map_or_else(|| root.join("target/book"), Path::to_owned);
    if Command::new("mdbook").arg("--version").output().is_err() {
        println!("mdbook is not installed (cargo install mdbook), so there is no HTML");
        return Ok(());
    }
    run_command(
        Command::new("mdbook")
            .arg("build")
            .arg(root.join("docs/book"))
            .arg("--dest-dir")
            .arg(&out),
    )
}

/// Links of pages to files that do not exist or to headings that a file does not have.
pub fn dead_links(root: &Path) -> Vec<String> {
    let mut pages = Vec::new();
    for folder in [
        "",
        "docs",
        "docs/book/src",
        "editors/vscode",
        "tools",
        "examples/conform",
    ] {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        pages.extend(
            entries
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|it| it == "md")),
        );
    }
    pages.sort();
    let mut dead = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page).unwrap_or_default();
        for link in links(&text) {
            if let Some(problem) = problem(page, &link) {
                let shown = page.strip_prefix(root).unwrap_or(page);
                dead.push(format!("{}: {link} {problem}", shown.display()));
            }
        }
    }
    dead
}

/// The targets of `[text](target)`, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let mut rest = line;
        while let Some(start) = rest.find("](") {
            rest = &rest[start + 2..];
            let Some(end) = rest.find(')') else { break };
            found.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    found
}

fn problem(page: &Path, link: &str) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        _ => page
            .parent()
            .map(|folder| folder.join(file))
            .unwrap_or_else(|| PathBuf::from(file)),
    };
    if !target.exists() {
        return Some("does not exist");
    }
    let has_heading =
        heading.is_empty() || fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(heading));
    (!has_heading).then_some("has no such heading")
}

/// The anchors that GitHub and mdBook make of headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept = words
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_docs_lead_somewhere() {
        let dead = dead_links(&root());
        assert!(dead.is_empty(), "{}", dead.join("\n"));
    }

    #[test]
    fn a_dead_link_is_found() {
        let page = root().join("README.md");
        assert_eq!(
            links("see [a](b.md#c) and [d](e), not\n```\n[x](y)\n```"),
            ["b.md#c", "e"]
        );
        assert!(problem(&page, "no-such-file.md").is_some());
        assert!(problem(&page, "#no-such-heading").is_some());
        assert!(problem(&page, "#using-it").is_none());
        assert!(problem(&page, "https://example.org").is_none());
    }
}
