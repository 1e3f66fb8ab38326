//! ARCHITECTURE.md against the manifests and the sources.
//!
//! The code map lists every crate once, from the top to the bottom. A crate depends on crates further down only, in its
//! tests too; only `testkit` may be used by the tests of any crate. Every dependency is used, and no source file is long.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::DocumentMut;

/// Files longer than this do more than one thing.
const MOST_LINES: usize = 600;

/// Dependencies without a use in Rust, and why they stay.
const LINKED_ONLY: &[(&str, &str, &str)] = &[(
    "lariat",
    "lariat-smt",
    "cargo tells the build script where Z3 is only if the dependency is direct",
)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The first column of the code map, from the top to the bottom.
fn listed_crates() -> Vec<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let map = text
        .split_once("\n## Code map\n")
        .expect("a code map")
        .1
        .split("\n## ")
        .next()
        .unwrap_or_default();
    map.lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Normal,
    Dev,
    Build,
}

struct Manifest {
    folder: PathBuf,
    /// Names of packages, as in the manifest.
    dependencies: Vec<(Kind, String)>,
}

/// Manifests by the name of their folder, which is the name of the crate.
fn manifests() -> BTreeMap<String, Manifest> {
    let folders = fs::read_dir(root().join("crates")).expect("the folder of the crates can be read");
    let mut found = BTreeMap::new();
    for folder in folders.map(|entry| entry.expect("an entry").path()) {
        let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let manifest: DocumentMut = text.parse().expect("a manifest is TOML");
        let mut dependencies = Vec::new();
        for (kind, key) in [
            (Kind::Normal, "dependencies"),
            (Kind::Dev, "dev-dependencies"),
            (Kind::Build, "build-dependencies"),
        ] {
            if let Some(table) = manifest.get(key).and_then(|item| item.as_table_like()) {
                dependencies.extend(table.iter().map(|(name, _)| (kind, name.to_owned())));
            }
        }
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(
            manifest["package"]["name"].as_str().map(short_name),
            Some(name.as_str()),
            "the folder and the package have the same name"
        );
        found.insert(name, Manifest { folder, dependencies });
    }
    found
}

/// `lariat-c-reader` is called `c-reader` on the page.
fn short_name(package: &str) -> &str {
    package.strip_prefix("lariat-").unwrap_or(package)
}

fn is_ours(package: &str) -> bool {
    package.starts_with("lariat-")
}

/// Dependencies that point upwards or to a crate that is not listed.
fn upward(order: &[String], name: &str, dependencies: &[(Kind, String)]) -> Vec<String> {
    let place = |name: &str| order.iter().position(|listed| listed == name);
    let own = place(name);
    dependencies
        .iter()
        .filter(|(_, package)| is_ours(package))
        .filter(|(kind, package)| !(*kind == Kind::Dev && short_name(package) == "testkit"))
        .filter(|(_, package)| place(short_name(package)) <= own)
        .map(|(kind, package)| format!("{name} -> {} ({kind:?})", short_name(package)))
        .collect()
}

#[test]
fn the_code_map_lists_every_crate_once() {
    let order = listed_crates();
    let listed: BTreeSet<String> = order.iter().cloned().collect();
    assert_eq!(listed.len(), order.len(), "a crate is listed twice");
    assert_eq!(listed, manifests().into_keys().collect());
}

#[test]
fn dependencies_point_downwards() {
    let order = listed_crates();
    let wrong: Vec<String> = manifests()
        .iter()
        .flat_map(|(name, manifest)| upward(&order, name, &manifest.dependencies))
        .collect();
    assert!(
        wrong.is_empty(),
        "not downwards in the code map of ARCHITECTURE.md:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn an_upward_dependency_is_found() {
    let order = ["engine", "testkit", "term"].map(str::to_owned);
    let on = |kind, package: &str| vec![(kind, package.to_owned())];
    assert!(upward(&order, "engine", &on(Kind::Normal, "lariat-term")).is_empty());
    assert!(upward(&order, "term", &on(Kind::Dev, "lariat-testkit")).is_empty());
    for (kind, package) in [
        (Kind::Normal, "lariat-engine"),
        (Kind::Dev, "lariat-engine"),
        (Kind::Build, "lariat-engine"),
        (Kind::Normal, "lariat-testkit"),
        (Kind::Normal, "lariat-unlisted"),
    ] {
        assert_eq!(
            upward(&order, "term", &on(kind, package)).len(),
            1,
            "{package} {kind:?}"
        );
    }
}

/// All Rust files below a folder or file.
fn rust_files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder of sources can be read") {
            rust_files(&entry.expect("an entry").path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") && path.exists() {
        found.push(path.to_owned());
    }
}

/// All identifiers in the code of the files; those in line comments do not count.
fn identifiers(paths: &[PathBuf]) -> BTreeSet<String> {
    let mut files = Vec::new();
    for path in paths {
        rust_files(path, &mut files);
    }
    let mut found = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).expect("a source can be read");
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            found.extend(words.map(str::to_owned));
        }
    }
    found
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for (name, manifest) in &manifests() {
        let places = |kind| -> Vec<PathBuf> {
            let names: &[&str] = match kind {
                Kind::Normal => &["src"],
                Kind::Dev => &["src", "tests", "benches", "examples"],
                Kind::Build => &["build.rs"],
            };
            names.iter().map(|place| manifest.folder.join(place)).collect()
        };
        let code = [Kind::Normal, Kind::Dev, Kind::Build].map(|kind| (kind, identifiers(&places(kind))));
        for (kind, package) in &manifest.dependencies {
            let known = LINKED_ONLY
                .iter()
                .any(|(user, used, _)| user == name && used == package);
            let (_, words) = code.iter().find(|(other, _)| other == kind).expect("every kind");
            if !known && !words.contains(&package.replace('-', "_")) {
                unused.push(format!("{name}: {package} ({kind:?})"));
            }
        }
    }
    assert!(unused.is_empty(), "unused dependencies:\n{}", unused.join("\n"));
}

#[test]
fn every_shared_dependency_has_a_user() {
    let text = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest can be read");
    let manifest: DocumentMut = text.parse().expect("the manifest is TOML");
    let table = manifest["workspace"]["dependencies"]
        .as_table_like()
        .expect("shared dependencies");
    let used: BTreeSet<String> = manifests()
        .into_values()
        .flat_map(|manifest| manifest.dependencies)
        .map(|(_, package)| package)
        .collect();
    let unused: Vec<&str> = table
        .iter()
        .map(|(name, _)| name)
        .filter(|&name| !used.contains(name))
        .collect();
    assert!(
        unused.is_empty(),
        "unused in [workspace.dependencies]: {unused:?}"
    );
}

#[test]
fn no_source_file_is_long() {
    let mut files = Vec::new();
    for folder in ["crates", "fuzz/fuzz_targets"] {
        rust_files(&root().join(folder), &mut files);
    }
    assert!(files.len() > 300, "the sources were not found");
    let mut long = Vec::new();
    for file in files {
        let lines = fs::read_to_string(&file)
            .expect("a source can be read")
            .lines()
            .count();
        if lines > MOST_LINES {
            long.push(format!("{lines} lines: {}", file.display()));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
