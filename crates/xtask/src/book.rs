//! The book, and whether its links and those of the other pages lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Flags, root, run as run_command};

/// The version that is installed where there is none.
const MDBOOK: &str = "0.5.4";

pub fn run(flags: &Flags) -> Result<(), String> {
    let root = root();
    let dead = dead_links(&root);
    if !dead.is_empty() {
        return Err(format!("dead links:\n{}", dead.join("\n")));
    }
    let out = flags
        .get("--out")
        .map_or_else(|| root.join("target/book"), Path::to_owned);
    let out = std::path::absolute(&out).map_err(|error| error.to_string())?;
    run_command(
        Command::new(mdbook(&root)?)
            .arg("build")
            .arg(root.join("docs/book"))
            .arg("--dest-dir")
            .arg(&out),
    )?;
    bring_along(&root.join("docs/book/src"), &out)?;
    let dead = dead_addresses(&out)?;
    if !dead.is_empty() {
        return Err(format!("dead links in {}:\n{}", out.display(), dead.join("\n")));
    }
    println!("{}: all links lead somewhere", out.join("index.html").display());
    Ok(())
}

/// mdBook, from the path or else installed into the target folder.
fn mdbook(root: &Path) -> Result<PathBuf, String> {
    if Command::new("mdbook").arg("--version").output().is_ok() {
        return Ok("mdbook".into());
    }
    let tools = root.join("target/tools");
    let program = tools.join("bin/mdbook");
    if !program.is_file() {
        println!("installing mdbook {MDBOOK} into {}", tools.display());
        let words = [
            "install",
            "mdbook",
            "--version",
            MDBOOK,
            "--locked",
            "--no-default-features",
            "--root",
        ];
        run_command(Command::new("cargo").args(words).arg(&tools))?;
    }
    Ok(program)
}

/// Pages outside of the book that it links to are put beside it as they are, and the links lead there.
fn bring_along(source: &Path, out: &Path) -> Result<(), String> {
    let problem = |error: std::io::Error| format!("cannot write to {}: {error}", out.display());
    let folder = out.join("reference");
    fs::create_dir_all(&folder).map_err(problem)?;
    for entry in fs::read_dir(out).map_err(problem)?.flatten() {
        let page = entry.path();
        if page.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let text = fs::read_to_string(&page).map_err(problem)?;
        let mut parts = text.split("href=\"../");
        let mut changed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (address, rest) = part.split_once('"').unwrap_or((part, ""));
            let (file, anchor) = address.split_once('#').unwrap_or((address, ""));
            // mdBook takes every page for one of its own.
            let file = format!("../{}", file.replace(".html", ".md"));
            let name = file.rsplit('/').next().unwrap_or_default();
            fs::copy(source.join(&file), folder.join(name)).map_err(|error| format!("{file}: {error}"))?;
            let hash = if anchor.is_empty() { "" } else { "#" };
            changed.push_str(&format!("href=\"reference/{name}{hash}{anchor}\"{rest}"));
        }
        fs::write(&page, changed).map_err(problem)?;
    }
    Ok(())
}

/// Links of HTML pages in a folder to files or anchors in it that do not exist.
pub fn dead_addresses(folder: &Path) -> Result<Vec<String>, String> {
    let problem = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut dead = Vec::new();
    for entry in fs::read_dir(folder).map_err(problem)? {
        let page = entry.map_err(problem)?.path();
        if page.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let text = fs::read_to_string(&page).map_err(problem)?;
        for address in ["href=\"", "src=\""]
            .iter()
            .flat_map(|start| text.split(start).skip(1))
        {
            let address = address
                .split('"')
                .next()
                .unwrap_or_default()
                .replace("&amp;", "&");
            let is_elsewhere = address.contains(':') || address.starts_with("//");
            let (file, anchor) = address.split_once('#').unwrap_or((&address, ""));
            if is_elsewhere {
                continue;
            }
            let target = if file.is_empty() {
                page.clone()
            } else {
                folder.join(file)
            };
            let has_anchor = || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                let is_page = target.extension().is_some_and(|extension| extension == "html");
                anchor.is_empty() || !is_page || text.contains(&format!("id=\"{anchor}\""))
            };
            if !target.exists() || !has_anchor() {
                let name = page
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                dead.push(format!("{name}: {address}"));
            }
        }
    }
    dead.sort();
    dead.dedup();
    Ok(dead)
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
    fn dead_addresses_of_pages_are_found() {
        let folder = std::env::temp_dir().join(format!("lariat-book-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let page = "<a href=\"#here\"></a><a id=\"here\" href=\"b.html#there\"></a><a href=\"../x.md\"></a><img src=\"no.svg\">";
        fs::write(folder.join("a.html"), page).expect("a page");
        fs::write(
            folder.join("b.html"),
            "<h1 id=\"other\">b</h1><a href=\"https://example.org\"></a>",
        )
        .expect("a page");
        let dead = dead_addresses(&folder).expect("pages");
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(
            dead,
            ["a.html: ../x.md", "a.html: b.html#there", "a.html: no.svg"]
        );
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
