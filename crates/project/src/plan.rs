//! Which entries a project has, and which files each of them is verified with.

use std::path::{Path, PathBuf};

use lariat_base::names::matches_pattern;
use lariat_report::{ProjectPart, SurveyedFile, SurveyedSymbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// The function that a program starts with.
const MAIN: &str = "main";

/// The entries of a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// Programs first, in the order of files and lines.
    pub entries: Vec<PlannedEntry>,
    /// Choices among several definitions, in words.
    pub remarks: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedEntry {
    pub entry: String,
    /// The number of the file that defines it.
    pub file: usize,
    pub part: ProjectPart,
    /// The numbers of the files of its program, its own first.
    pub files: Vec<usize>,
}

/// Plans a project. Without patterns the entries are every `main`, and every function that other files can call in files that no
/// `main` needs; with patterns they are the functions whose names fit one.
pub fn plan(files: &[(PathBuf, SurveyedFile)], patterns: &[String]) -> Plan {
    let mut linker = Linker::new(files);
    let mut entries = Vec::new();
    let mut needed: FxHashSet<usize> = FxHashSet::default();
    for file in 0..files.len() {
        if !linker.has_main(file) {
            continue;
        }
        let linked = linker.link_program(file);
        needed.extend(&linked);
        if patterns.is_empty() || fits(patterns, MAIN) {
            entries.push(PlannedEntry {
                entry: MAIN.to_owned(),
                file,
                part: ProjectPart::Program,
                files: linked,
            });
        }
    }
    for (file, (_, found)) in files.iter().enumerate() {
        let is_wanted = |symbol: &&SurveyedSymbol| {
            let is_asked_for = match patterns {
                [] => !needed.contains(&file) && !symbol.is_weak,
                patterns => fits(patterns, &symbol.name),
            };
            symbol.is_function && symbol.name != MAIN && is_asked_for
        };
        for symbol in found.symbols.iter().filter(is_wanted) {
            entries.push(PlannedEntry {
                entry: symbol.name.clone(),
                file,
                part: ProjectPart::Library,
                files: linker.link_entry(file, symbol),
            });
        }
    }
    Plan {
        entries,
        remarks: linker.remarks,
    }
}

fn fits(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| matches_pattern(pattern, name))
}

/// Where names are defined.
struct Linker<'a> {
    files: &'a [(PathBuf, SurveyedFile)],
    definitions: FxHashMap<&'a str, Vec<(usize, &'a SurveyedSymbol)>>,
    remarks: Vec<String>,
}

impl<'a> Linker<'a> {
    fn new(files: &'a [(PathBuf, SurveyedFile)]) -> Self {
        let mut definitions: FxHashMap<&str, Vec<(usize, &SurveyedSymbol)>> = FxHashMap::default();
        for (file, (_, found)) in files.iter().enumerate() {
            for symbol in &found.symbols {
                definitions.entry(&symbol.name).or_default().push((file, symbol));
            }
        }
        Linker {
            files,
            definitions,
            remarks: Vec::new(),
        }
    }

    fn has_main(&self, file: usize) -> bool {
        self.symbol_of(MAIN, file).is_some()
    }

    fn symbol_of(&self, name: &str, file: usize) -> Option<&'a SurveyedSymbol> {
        let mut definitions = self.definitions.get(name)?.iter();
        definitions
            .find(|(other, _)| *other == file)
            .map(|&(_, symbol)| symbol)
    }

    /// The files of a program: that of its `main`, and whole files that define what these need.
    fn link_program(&mut self, main: usize) -> Vec<usize> {
        let mut linked = vec![main];
        let mut next = 0;
        while let Some(&file) = linked.get(next) {
            next += 1;
            let found = &self.files[file].1;
            let needs = found.symbols.iter().flat_map(|symbol| &symbol.needs);
            for name in needs.chain(&found.always_needs) {
                if let Some((provider, _)) = self.find(name, file, &linked)
                    && !linked.contains(&provider)
                {
                    linked.push(provider);
                }
            }
        }
        linked
    }

    /// The files that a function of a library needs: those that define what it can come to.
    fn link_entry(&mut self, file: usize, entry: &'a SurveyedSymbol) -> Vec<usize> {
        let mut linked = vec![file];
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut open: Vec<(usize, &'a str)> = needs_of(file, &entry.needs);
        open.extend(needs_of(file, &self.files[file].1.always_needs));
        open.reverse();
        while let Some((user, name)) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            let Some((provider, symbol)) = self.find(name, user, &linked) else {
                continue;
            };
            if !linked.contains(&provider) {
                linked.push(provider);
                open.extend(needs_of(provider, &self.files[provider].1.always_needs));
            }
            open.extend(needs_of(provider, &symbol.needs));
        }
        linked
    }

    /// The definition of a name that a file uses: its own, one of a file that is there already, an ordinary one before a weak
    /// one, the one nearest in the tree of folders. No other program's file takes part.
    fn find(&mut self, name: &str, user: usize, linked: &[usize]) -> Option<(usize, &'a SurveyedSymbol)> {
        let rank = |file: usize, symbol: &SurveyedSymbol| {
            (
                file != user,
                symbol.is_weak,
                !linked.contains(&file),
                usize::MAX - common_folders(&self.files[file].0, &self.files[user].0),
            )
        };
        let candidates = self.definitions.get(name)?;
        let mut candidates: Vec<_> = candidates
            .iter()
            .filter(|(file, _)| linked.contains(file) || !self.has_main(*file))
            .map(|&(file, symbol)| (rank(file, symbol), file, symbol))
            .collect();
        candidates.sort_by_key(|&(rank, file, _)| (rank, file));
        let &(rank, file, symbol) = candidates.first()?;
        if let Some(&(other_rank, other, _)) = candidates.get(1)
            && other_rank == rank
        {
            let path = |file: usize| self.files[file].0.display();
            let remark = format!(
                "`{name}` is defined in {} and in {}: the first is taken",
                path(file),
                path(other)
            );
            if !self.remarks.contains(&remark) {
                self.remarks.push(remark);
            }
        }
        Some((file, symbol))
    }
}

fn needs_of(file: usize, names: &[String]) -> Vec<(usize, &str)> {
    names.iter().map(|name| (file, name.as_str())).collect()
}

fn common_folders(a: &Path, b: &Path) -> usize {
    let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let (a, b) = (folder(a), folder(b));
    a.components()
        .zip(b.components())
        .take_while(|(a, b)| a == b)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file: `name: needs…` for each symbol; `?` before a name says weak, `=` a variable.
    fn file(path: &str, symbols: &[&str]) -> (PathBuf, SurveyedFile) {
        let symbol = |text: &&str| {
            let (name, needs) = text.split_once(':').unwrap_or((text, ""));
            SurveyedSymbol {
                name: name.trim_start_matches(['?', '=']).to_owned(),
                is_function: !name.starts_with('='),
                is_weak: name.starts_with('?'),
                location: None,
                needs: needs.split_whitespace().map(str::to_owned).collect(),
            }
        };
        let found = SurveyedFile {
            symbols: symbols.iter().map(symbol).collect(),
            ..SurveyedFile::default()
        };
        (PathBuf::from(path), found)
    }

    fn shown(files: &[(PathBuf, SurveyedFile)], patterns: &[&str]) -> Vec<String> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        plan(files, &patterns)
            .entries
            .iter()
            .map(|entry| {
                let names: Vec<String> = entry
                    .files
                    .iter()
                    .map(|&file| files[file].0.display().to_string())
                    .collect();
                format!("{}: {}", entry.entry, names.join(" "))
            })
            .collect()
    }

    #[test]
    fn each_main_is_a_program_of_the_files_that_it_needs() {
        let files = [
            file("a.c", &["main: parse printf"]),
            file("b.c", &["main: tidy"]),
            file("parse.c", &["parse: next", "unused: tidy"]),
            file("next.c", &["next:"]),
            file("tidy.c", &["tidy:"]),
        ];
        // The linker takes whole files, so `unused` brings `tidy.c` into the first program.
        assert_eq!(
            shown(&files, &[]),
            ["main: a.c parse.c next.c tidy.c", "main: b.c tidy.c"]
        );
    }

    #[test]
    fn what_no_main_needs_is_a_library() {
        let files = [
            file("main.c", &["main: used"]),
            file("used.c", &["used:"]),
            file("lib.c", &["open: buffer", "=state:", "?hook:", "close: free_all"]),
            file("buffer.c", &["buffer:", "free_all:"]),
        ];
        assert_eq!(
            shown(&files, &[]),
            [
                "main: main.c used.c",
                "open: lib.c buffer.c",
                "close: lib.c buffer.c",
                "buffer: buffer.c",
                "free_all: buffer.c",
            ]
        );
    }

    #[test]
    fn patterns_choose_entries_of_programs_and_libraries() {
        let files = [
            file("main.c", &["main: parse_all", "parse_args:"]),
            file("parse.c", &["parse_all: helper", "print:"]),
            file("helper.c", &["helper:"]),
        ];
        assert_eq!(
            shown(&files, &["parse_*"]),
            ["parse_args: main.c", "parse_all: parse.c helper.c"]
        );
        assert_eq!(shown(&files, &["main"]), ["main: main.c parse.c helper.c"]);
        assert!(shown(&files, &["none"]).is_empty());
    }

    #[test]
    fn the_nearest_definition_is_taken_and_never_that_of_another_program() {
        let files = [
            file("x/main.c", &["main: log"]),
            file("y/main.c", &["main: log"]),
            file("x/log.c", &["log:"]),
            file("y/log.c", &["log:"]),
            file("z/main.c", &["main: log other"]),
            file("z/two.c", &["main:", "other:"]),
        ];
        let planned = plan(&files, &[]);
        assert_eq!(
            shown(&files, &[]),
            [
                "main: x/main.c x/log.c",
                "main: y/main.c y/log.c",
                "main: z/main.c x/log.c",
                "main: z/two.c"
            ]
        );
        assert_eq!(
            planned.remarks,
            ["`log` is defined in x/log.c and in y/log.c: the first is taken"]
        );
    }

    #[test]
    fn an_ordinary_definition_is_taken_before_a_weak_one() {
        let files = [
            file("main.c", &["main: hook"]),
            file("weak.c", &["?hook:"]),
            file("strong.c", &["hook:"]),
        ];
        assert_eq!(shown(&files, &[]), ["main: main.c strong.c"]);
    }
}
