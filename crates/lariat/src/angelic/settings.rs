//! `lariat.toml`: the options of `lariat angelic` in a file.
//!
//! ```toml
//! [angelic]
//! configuration = "default"
//! rules = ["lock", "rules/irql.toml"]
//! exclude = ["test_*"]
//! entry-time-limit = "20s"
//!
//! [angelic.vocabulary]
//! difference = true
//! atoms = ["_ > 0"]
//!
//! [angelic.permissiveness]
//! dead-code = true
//! ```

use std::path::{Path, PathBuf};
use std::time::Duration;

use lariat_base::{Diagnostics, Severity, SourceMap};
use lariat_report::{CheckSelector, Configuration, Engine, Permissiveness, Structure, Vocabulary};
use lariat_toml_file::{FileKind, Section};

use super::Refused;
use crate::units::{parse_duration, parse_size};

const KIND: FileKind = FileKind {
    syntax: "toml",
    syntax_hint: "settings are TOML: [tables], and key = value",
    key: "unknown-setting",
    key_severity: Severity::Error,
    value: "setting",
    missing: "setting",
};

/// The name of the file.
pub const FILE_NAME: &str = "lariat.toml";

/// The section `[angelic]`. `None`: not set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    pub entries: Option<Vec<String>>,
    pub entry_roots: Option<bool>,
    pub exclude: Option<Vec<String>>,
    pub configuration: Option<Configuration>,
    pub harness: Option<String>,
    pub vocabulary: VocabularySettings,
    pub permissiveness: PermissivenessSettings,
    /// Files are relative to the folder of the settings already.
    pub rules: Option<Vec<String>>,
    pub typestate: Option<Vec<String>>,
    pub checks: Option<Vec<CheckSelector>>,
    pub bound: Option<u32>,
    pub engine: Option<Engine>,
    pub jobs: Option<u32>,
    pub time_limit: Option<Duration>,
    pub entry_time_limit: Option<Duration>,
    pub explain_time_limit: Option<Duration>,
    pub memory_limit: Option<u64>,
    /// Relative to the folder of the settings already.
    pub specs: Option<PathBuf>,
}

/// Changes of a configuration's vocabulary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VocabularySettings {
    alias: Option<bool>,
    alias_equal: Option<bool>,
    typestate: Option<bool>,
    difference: Option<bool>,
    atoms: Option<Vec<String>>,
    structure: Option<Structure>,
    quantifiers: Option<bool>,
    generalise_after: Option<u32>,
}

impl VocabularySettings {
    pub fn apply(&self, vocabulary: &mut Vocabulary) {
        set(&mut vocabulary.alias, &self.alias);
        set(&mut vocabulary.alias_equal, &self.alias_equal);
        set(&mut vocabulary.typestate, &self.typestate);
        set(&mut vocabulary.difference, &self.difference);
        set(&mut vocabulary.patterns, &self.atoms);
        set(&mut vocabulary.structure, &self.structure);
        set(&mut vocabulary.quantifiers, &self.quantifiers);
        set(&mut vocabulary.generalise_after, &self.generalise_after);
    }
}

/// Changes of the permissiveness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PermissivenessSettings {
    consistency: Option<bool>,
    dead_code: Option<bool>,
    null_checks: Option<bool>,
    evidence: Option<bool>,
    user: Option<bool>,
}

impl PermissivenessSettings {
    pub fn apply(&self, permissiveness: &mut Permissiveness) {
        set(&mut permissiveness.consistency, &self.consistency);
        set(&mut permissiveness.no_dead_code, &self.dead_code);
        set(&mut permissiveness.null_checks, &self.null_checks);
        set(&mut permissiveness.evidence, &self.evidence);
        set(&mut permissiveness.user, &self.user);
    }
}

fn set<T: Clone>(value: &mut T, wanted: &Option<T>) {
    if let Some(wanted) = wanted {
        value.clone_from(wanted);
    }
}

impl Settings {
    /// The settings for a program: from the named file, else from the one next to the program or in the nearest
    /// folder above, else none.
    pub fn find(named: Option<&Path>, program: &Path) -> Result<Settings, Refused> {
        let found = match named {
            Some(path) => Some(path.to_owned()),
            None => Self::near(program),
        };
        let Some(path) = found else {
            return Ok(Settings::default());
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read the settings {}: {error}", path.display()))?;
        Self::parse(&path, &text).map_err(Refused::Rendered)
    }

    fn near(program: &Path) -> Option<PathBuf> {
        let folder = program.parent().unwrap_or(Path::new(""));
        let adjacent = folder.join(FILE_NAME);
        if adjacent.is_file() {
            // As the user writes the path, not as the system does.
            return Some(adjacent);
        }
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let folder = folder.canonicalize().ok()?;
        let above = folder.ancestors().skip(1);
        above
            .map(|folder| folder.join(FILE_NAME))
            .find(|path| path.is_file())
    }

    fn parse(path: &Path, text: &str) -> Result<Settings, String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let source = sources.add(path, text);
        let settings = lariat_toml_file::read(KIND, source, text, &mut diagnostics, |file| {
            // For `lariat check`.
            file.ignore("target");
            file.section("angelic", |section| Self::read(section, folder))
        });
        if diagnostics.has_errors() {
            // With colours; they are removed again where they are not wanted.
            let texts = diagnostics
                .iter()
                .map(|diagnostic| diagnostic.render(&sources, true));
            return Err(texts.collect::<Vec<_>>().join("\n\n"));
        }
        Ok(settings.flatten().unwrap_or_default())
    }

    fn read(section: &mut Section<'_, '_>, folder: &Path) -> Settings {
        let configurations = Configuration::ALL.map(|it| (it.name(), it));
        let engines = Engine::ALL.map(|engine| (engine.name(), engine));
        let checks: Vec<_> = CheckSelector::named().collect();
        let in_folder = |rule: String| {
            if is_file_name(&rule) {
                folder.join(rule).display().to_string()
            } else {
                rule
            }
        };
        Settings {
            entries: texts(section, "entries"),
            entry_roots: section.boolean("entry-roots"),
            exclude: texts(section, "exclude"),
            configuration: section.choice("configuration", &configurations),
            harness: section.text("harness"),
            vocabulary: section.section("vocabulary", read_vocabulary).unwrap_or_default(),
            permissiveness: section
                .section("permissiveness", read_permissiveness)
                .unwrap_or_default(),
            rules: texts(section, "rules").map(|rules| rules.into_iter().map(in_folder).collect()),
            typestate: texts(section, "typestate"),
            checks: section.choices("check", &checks),
            bound: section.number("bound", 1),
            engine: section.choice("engine", &engines),
            jobs: section.number("jobs", 1),
            time_limit: duration(section, "time-limit"),
            entry_time_limit: duration(section, "entry-time-limit"),
            explain_time_limit: duration(section, "explain-time-limit"),
            memory_limit: size(section, "memory-limit"),
            specs: section.text("specs").map(|path| folder.join(path)),
        }
    }
}

fn texts(section: &mut Section<'_, '_>, key: &'static str) -> Option<Vec<String>> {
    let texts = section.texts(key)?;
    Some(texts.into_iter().map(|located| located.text).collect())
}

fn duration(section: &mut Section<'_, '_>, key: &'static str) -> Option<Duration> {
    section.value(key, "a time: seconds, or a text such as \"1m30s\"", |value| {
        if let Some(text) = value.as_str() {
            return Some(parse_duration(text));
        }
        let seconds = value
            .as_float()
            .or_else(|| value.as_integer().map(|number| number as f64))?;
        let duration = Duration::try_from_secs_f64(seconds);
        Some(duration.map_err(|_| format!("`{key}` cannot be {seconds} seconds")))
    })
}

fn size(section: &mut Section<'_, '_>, key: &'static str) -> Option<u64> {
    section.value(key, "a size such as \"512M\" or \"4G\"", |value| {
        value.as_str().map(parse_size)
    })
}

fn read_vocabulary(section: &mut Section<'_, '_>) -> VocabularySettings {
    VocabularySettings {
        alias: section.boolean("alias"),
        alias_equal: section.boolean("alias-equal"),
        typestate: section.boolean("typestate"),
        difference: section.boolean("difference"),
        atoms: texts(section, "atoms"),
        structure: section.choice(
            "structure",
            &Structure::ALL.map(|structure| (structure.name(), structure)),
        ),
        quantifiers: section.boolean("quantifiers"),
        generalise_after: section.number("generalise-after", 0),
    }
}

fn read_permissiveness(section: &mut Section<'_, '_>) -> PermissivenessSettings {
    PermissivenessSettings {
        consistency: section.boolean("consistency"),
        dead_code: section.boolean("dead-code"),
        null_checks: section.boolean("null-checks"),
        evidence: section.boolean("evidence"),
        user: section.boolean("user"),
    }
}

/// Rules that look like files are files; others are names of rules that come with Lariat.
fn is_file_name(rule: &str) -> bool {
    rule.contains(['/', '\\', '.'])
}

#[cfg(test)]
mod tests {
    use lariat_report::Check;

    use super::*;

    fn parse(text: &str) -> Result<Settings, String> {
        let settings = Settings::parse(Path::new("project/lariat.toml"), text);
        settings.map_err(|error| anstream::adapter::strip_str(&error).to_string())
    }

    fn complaint(text: &str) -> String {
        parse(text).expect_err("there is something wrong")
    }

    #[test]
    fn every_setting_is_read() {
        let settings = parse(
            r#"
            [angelic]
            entries = ["main", "probe"]
            entry-roots = false
            exclude = ["test_*"]
            configuration = "default+harness"
            harness = "Harness"
            rules = ["lock", "rules/irql.toml"]
            typestate = ["depth"]
            check = ["null", "memory"]
            bound = 4
            engine = "dag"
            jobs = 2
            time-limit = "1m30s"
            entry-time-limit = 10
            explain-time-limit = 0.5
            memory-limit = "2G"
            specs = "decisions.toml"

            [angelic.vocabulary]
            alias = false
            alias-equal = true
            typestate = false
            difference = true
            atoms = ["_ > 0"]
            structure = "monomial"
            quantifiers = false
            generalise-after = 0

            [angelic.permissiveness]
            consistency = false
            dead-code = true
            null-checks = false
            user = false
            "#,
        )
        .expect("settings");
        let mut vocabulary = Vocabulary::default();
        settings.vocabulary.apply(&mut vocabulary);
        assert_eq!(
            vocabulary,
            Vocabulary {
                empty: false,
                alias: false,
                alias_equal: true,
                typestate: false,
                difference: true,
                patterns: vec!["_ > 0".to_owned()],
                structure: Structure::Monomial,
                quantifiers: false,
                generalise_after: 0,
            }
        );
        let mut permissiveness = Permissiveness::default();
        settings.permissiveness.apply(&mut permissiveness);
        assert_eq!(
            permissiveness,
            Permissiveness {
                consistency: false,
                no_dead_code: true,
                null_checks: false,
                evidence: true,
                user: false,
            }
        );
        assert_eq!(settings.configuration, Some(Configuration::DefaultHarness));
        assert_eq!(settings.entries.as_deref().map(<[String]>::len), Some(2));
        assert_eq!(settings.exclude, Some(vec!["test_*".to_owned()]));
        assert_eq!(
            settings.rules,
            Some(vec!["lock".to_owned(), "project/rules/irql.toml".to_owned()])
        );
        assert_eq!(
            settings.checks,
            Some(vec![CheckSelector::One(Check::Null), CheckSelector::Memory])
        );
        assert_eq!(settings.time_limit, Some(Duration::from_secs(90)));
        assert_eq!(settings.entry_time_limit, Some(Duration::from_secs(10)));
        assert_eq!(settings.explain_time_limit, Some(Duration::from_millis(500)));
        assert_eq!(settings.memory_limit, Some(2 << 30));
        assert_eq!(settings.specs, Some(PathBuf::from("project/decisions.toml")));
        assert_eq!(
            (settings.bound, settings.jobs, settings.engine),
            (Some(4), Some(2), Some(Engine::Dag))
        );
        assert_eq!(settings.harness.as_deref(), Some("Harness"));
        assert_eq!(settings.typestate, Some(vec!["depth".to_owned()]));
        assert_eq!(settings.entry_roots, Some(false));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, parts) in [
            (
                "[angelic]\nexlude = []\n",
                &[
                    "lariat.toml:2:1",
                    "unknown key `exlude` in [angelic]",
                    "did you mean `exclude`?",
                ][..],
            ),
            (
                "[angelc]\n",
                &[
                    "lariat.toml:1:",
                    "unknown table `angelc`",
                    "did you mean `angelic`?",
                ],
            ),
            (
                "[angelic.vocabulary]\nfrobnicate = 1\n",
                &["in [angelic.vocabulary]", "known are `alias`"],
            ),
            (
                "[angelic]\nconfiguration = \"no-alia\"\n",
                &["lariat.toml:2:17", "did you mean `no-alias`?"],
            ),
            ("[angelic]\njobs = 0\n", &["2:8", "`jobs` must be 1 or more"]),
            ("[angelic]\nrules = \"lock\"\n", &["`rules` must be a list"]),
            ("[angelic]\nrules = [1]\n", &["`rules` must be a list of texts"]),
            ("[angelic]\ntime-limit = \"3x\"\n", &["`3x` is not a duration"]),
            (
                "[angelic]\ntime-limit = -1\n",
                &["`time-limit` cannot be -1 seconds"],
            ),
            ("[angelic]\nvocabulary = 3\n", &["`vocabulary` must be a table"]),
            ("[angelic\n", &["lariat.toml:1:"]),
            ("bound = 3\n", &["unknown key `bound`"]),
        ] {
            let told = complaint(text);
            for part in parts {
                assert!(told.contains(part), "{part:?} is missing for {text:?} in\n{told}");
            }
        }
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let told = complaint("[angelic]\njobs = true\nbound = \"deep\"\n");
        assert!(told.contains("`jobs`") && told.contains("`bound`"), "{told}");
    }

    #[test]
    fn nothing_need_be_set() {
        assert_eq!(parse(""), Ok(Settings::default()));
        assert_eq!(parse("[angelic]\n"), Ok(Settings::default()));
    }
}
