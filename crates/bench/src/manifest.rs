//! Manifests: one JSON object a line, one row each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lariat_c_evidence::svcomp::Property;
use lariat_report::{
    AngelicRequest, BoogieRequest, COptions, Check, ConformReach, ConformRequest, Machine, SearchFlags,
    UnfoldingFlags, VerifyRequest,
};
use serde::{Deserialize, Serialize};

use crate::judge::{AngelicDetail, BoogieDetail};

/// The name of the manifest in a folder.
pub const MANIFEST_NAME: &str = "manifest.jsonl";

/// A manifest with the folder that its files are relative to.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub path: PathBuf,
    pub folder: PathBuf,
    pub rows: Vec<Row>,
}

/// Fields that only describe a case and are not read.
const DESCRIPTIONS: &[&str] = &[
    "id",
    "name",
    "description",
    "comment",
    "note",
    "source",
    "origin",
    "url",
    "license",
    "family",
    "category",
    "tags",
    "features",
    "phase",
    "errors",
];

/// One case. Besides these fields it may have [`DESCRIPTIONS`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub file: String,
    pub expect: Expect,
    /// The subcommand, `verify` unless it is given.
    #[serde(default)]
    pub command: Option<String>,
    /// The bound that `expect` refers to.
    #[serde(default)]
    pub bound: Option<u32>,
    #[serde(default)]
    pub entry: Option<String>,
    #[serde(default)]
    pub concurrent: bool,
    /// The contexts that `expect` refers to.
    #[serde(default)]
    pub contexts: Option<u32>,
    /// Threads give way at `yield` only.
    #[serde(default)]
    pub cooperative: bool,
    #[serde(default)]
    pub stack_depth: Option<u32>,
    #[serde(default)]
    pub static_loop_bound: Option<u32>,
    #[serde(default)]
    pub error_variable: Option<String>,
    /// The option that gives Boogie its library, if the program needs it.
    #[serde(default)]
    pub library: Option<String>,
    /// For C: the sizes of the types.
    #[serde(default)]
    pub machine: Option<Machine>,
    /// For C: what `expect` refers to, by its name in SV-COMP.
    #[serde(default)]
    pub property: Option<String>,
    #[serde(default)]
    pub lines: Option<u64>,
    /// Further expectations; their form depends on the command.
    #[serde(default)]
    pub detail: serde_json::Value,
    /// The seconds of other tools; absent if they did not solve it.
    #[serde(default)]
    pub peer_seconds: BTreeMap<String, f64>,
}

/// The expected verdict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// No violation (within the row's bound).
    Safe,
    /// A violation.
    Bug,
    /// Unknown.
    Unknown,
    /// The front end has no objection.
    Accept,
    /// The front end reports an error.
    Reject,
    /// Angelic verification shows specifications only.
    Blocked,
    /// The program is refused.
    Error,
}

impl Expect {
    pub fn name(self) -> &'static str {
        match self {
            Expect::Safe => "safe",
            Expect::Bug => "bug",
            Expect::Unknown => "unknown",
            Expect::Accept => "accept",
            Expect::Reject => "reject",
            Expect::Blocked => "blocked",
            Expect::Error => "error",
        }
    }
}

/// What to run for a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Task {
    Verify(Box<VerifyRequest>),
    Angelic(Box<AngelicRequest>),
    Boogie(Box<BoogieRequest>),
    Conform(Box<ConformRequest>),
    /// The row asks for something that this version does not support, with the reason.
    Unsupported(String),
}

impl Manifest {
    /// Reads a manifest, or that of a folder.
    pub fn read(path: &Path) -> Result<Self, String> {
        let path = if path.is_dir() {
            path.join(MANIFEST_NAME)
        } else {
            path.to_owned()
        };
        let text =
            fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let rows = parse_rows(&text).map_err(|error| format!("{}:{error}", path.display()))?;
        if rows.is_empty() {
            return Err(format!("{} has no rows", path.display()));
        }
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Manifest { path, folder, rows })
    }

    /// A name for the manifest's results: that of its folder.
    pub fn name(&self) -> String {
        let folder = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| "bench".to_owned())
    }
}

fn parse_rows(text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            let mut fields: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(line).map_err(|error| format!("{}: {error}", index + 1))?;
            fields.retain(|name, _| !DESCRIPTIONS.contains(&name.as_str()));
            let row = Row::deserialize(serde_json::Value::Object(fields));
            rows.push(row.map_err(|error| format!("{}: {error}", index + 1))?);
        }
    }
    Ok(rows)
}

impl Row {
    /// Whether the program is written in C.
    pub fn is_c(&self) -> bool {
        COptions::is_c_file(Path::new(&self.file))
    }

    /// The task of this row: `settings` changed by the row. `bound` is the user's, if given.
    pub fn task(&self, folder: &Path, settings: &VerifyRequest, bound: Option<u32>) -> Task {
        if let Some(detail) = self.boogie_detail() {
            return Task::Boogie(Box::new(detail.request(&folder.join(&self.file))));
        }
        let front_end_only = match self.command.as_deref() {
            None | Some("verify") => matches!(self.expect, Expect::Accept | Expect::Reject),
            Some("accept" | "reject") => true,
            Some("angelic") => false,
            Some("conform") => return self.conform_task(folder, settings),
            Some(other) => return Task::Unsupported(format!("this version has no command `{other}`")),
        };
        let mut c = settings.c.clone();
        c.machine = self.machine.unwrap_or(c.machine);
        if let Some(name) = &self.property {
            match Property::named(name) {
                Some(property) => property.apply(&mut c),
                None => {
                    return Task::Unsupported(format!("this version does not know the property `{name}`"));
                }
            }
        }
        let request = VerifyRequest {
            files: vec![folder.join(&self.file)],
            entries: self.entry.iter().cloned().collect(),
            bound: bound.or(self.bound).unwrap_or(settings.bound),
            deepen: self.is_c() && bound.or(self.bound).is_none(),
            search: SearchFlags {
                contexts: settings.search.contexts.or(self.contexts),
                cooperative: settings.search.cooperative || self.cooperative,
                ..settings.search.clone()
            },
            unfolding: UnfoldingFlags {
                stack_depth: self.stack_depth.or(settings.unfolding.stack_depth),
                static_loop_bound: self.static_loop_bound.or(settings.unfolding.static_loop_bound),
                ..settings.unfolding.clone()
            },
            c,
            error_variable: self.error_variable.clone(),
            front_end_only,
            ..settings.clone()
        };
        if self.command.as_deref() != Some("angelic") {
            return Task::Verify(Box::new(request));
        }
        // Rows run in parallel, so each takes one core.
        Task::Angelic(Box::new(AngelicRequest {
            program: request,
            jobs: 1,
            ..AngelicRequest::default()
        }))
    }

    /// Conformance: a project, or whether a C program can reach an error.
    pub fn conform_task(&self, folder: &Path, settings: &VerifyRequest) -> Task {
        let file = folder.join(&self.file);
        let mut request = ConformRequest {
            c: COptions {
                machine: self.machine.unwrap_or(settings.c.machine),
                ..settings.c.clone()
            },
            ..ConformRequest::default()
        };
        match self.property.as_deref() {
            _ if !self.is_c() && file.extension().is_some_and(|extension| extension == "conform") => {
                request.project = file;
            }
            property @ (None | Some("unreach-call")) if self.is_c() => {
                if property.is_some() {
                    request.c.checks = vec![Check::Reach];
                }
                request.reach = Some(ConformReach {
                    files: vec![file],
                    procedure: self.entry.clone().unwrap_or_else(|| "main".to_owned()),
                    label: None,
                });
            }
            Some(property) if self.is_c() => {
                return Task::Unsupported(format!("`conform` does not decide the property `{property}`"));
            }
            _ => {
                return Task::Unsupported(
                    "`conform` reads project files (`.conform`) and C (`.c`, `.i`)".to_owned(),
                );
            }
        }
        Task::Conform(Box::new(request))
    }

    /// What Boogie says about the file, if the row asks for modular verification.
    pub fn boogie_detail(&self) -> Option<BoogieDetail> {
        match self.command.as_deref() {
            None | Some("boogie") => BoogieDetail::deserialize(&self.detail).ok(),
            Some(_) => None,
        }
    }

    /// What is expected of angelic verification.
    pub fn angelic_detail(&self) -> Result<AngelicDetail, String> {
        if self.detail.is_null() {
            return Err(
                "the row does not say which warnings and specifications it expects (`detail`)".to_owned(),
            );
        }
        AngelicDetail::deserialize(&self.detail).map_err(|error| format!("`detail` of the row: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_errors_have_a_line() {
        let text = "{\"file\": \"a.bpl\", \"expect\": \"safe\", \"bound\": 3, \"features\": []}\n\n\
                    {\"file\": \"b.bpl\", \"expect\": \"reject\"}\n";
        let rows = parse_rows(text).expect("parsed");
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].bound, rows[1].expect), (Some(3), Expect::Reject));

        let error =
            parse_rows("{\"file\": \"a.bpl\", \"expect\": \"safe\"}\n{\"file\": 3}\n").expect_err("refused");
        assert!(error.starts_with("2: "), "{error}");
        assert!(parse_rows("{\"file\": \"a.bpl\", \"expect\": \"maybe\"}").is_err());
        let error =
            parse_rows("{\"file\": \"a.bpl\", \"expect\": \"safe\", \"boud\": 3}").expect_err("refused");
        assert!(
            error.starts_with("1: unknown field `boud`, expected one of `file`"),
            "{error}"
        );
    }

    #[test]
    fn a_row_says_what_to_ask() {
        let row = |text: &str| parse_rows(text).expect("parsed").remove(0);
        let settings = VerifyRequest::default();
        let verify = |row: &Row, bound| match row.task(Path::new("d"), &settings, bound) {
            Task::Verify(request) => *request,
            Task::Angelic(_) | Task::Boogie(_) | Task::Conform(_) => panic!("nothing else was asked for"),
            Task::Unsupported(reason) => panic!("{reason}"),
        };
        let flagged =
            row(r#"{"file": "a.bpl", "expect": "bug", "bound": 7, "entry": "go", "error_variable": "err"}"#);
        let request = verify(&flagged, None);
        assert_eq!(request.files, [Path::new("d/a.bpl")]);
        assert_eq!((request.bound, request.entries), (7, vec!["go".to_owned()]));
        assert_eq!(request.error_variable.as_deref(), Some("err"));
        assert_eq!(verify(&flagged, Some(2)).bound, 2);
        assert!(!request.front_end_only);
        assert!(verify(&row(r#"{"file": "a.bpl", "expect": "accept"}"#), None).front_end_only);
        assert!(!request.deepen);
        let c = row(r#"{"file": "a.i", "expect": "safe", "machine": "ilp32", "property": "unreach-call"}"#);
        let request = verify(&c, None);
        assert!(c.is_c() && request.deepen && !verify(&c, Some(4)).deepen);
        assert_eq!(
            (request.c.machine, request.c.checks),
            (Machine::Ilp32, vec![Check::Reach])
        );
        let other = row(r#"{"file": "a.c", "expect": "safe", "property": "termination"}"#);
        assert!(matches!(
            other.task(Path::new("d"), &settings, None),
            Task::Unsupported(_)
        ));
        let angelic = row(r#"{"file": "a.bpl", "expect": "bug", "command": "angelic", "entry": "go"}"#);
        match angelic.task(Path::new("d"), &settings, None) {
            Task::Angelic(request) => assert_eq!(request.program.entries, ["go"]),
            _ => panic!("angelic verification was asked for"),
        }
        assert!(angelic.angelic_detail().is_err());
        let conform = row(
            r#"{"file": "a.c", "expect": "bug", "command": "conform", "property": "unreach-call", "machine": "ilp32"}"#,
        );
        match conform.task(Path::new("d"), &settings, None) {
            Task::Conform(request) => {
                let reach = request.reach.expect("a C program");
                assert_eq!(
                    (request.c.machine, request.c.checks),
                    (Machine::Ilp32, vec![Check::Reach])
                );
                assert_eq!(
                    (reach.files, reach.procedure),
                    (vec!["d/a.c".into()], "main".to_owned())
                );
            }
            _ => panic!("conformance was asked for"),
        }
        for unsupported in [
            row(r#"{"file": "a.bpl", "expect": "bug", "command": "conform"}"#),
            row(r#"{"file": "a.c", "expect": "bug", "command": "conform", "property": "no-overflow"}"#),
        ] {
            assert!(matches!(
                unsupported.task(Path::new("d"), &settings, None),
                Task::Unsupported(_)
            ));
        }
        let strange = row(r#"{"file": "a.bpl", "expect": "bug", "command": "guess"}"#);
        assert!(matches!(
            strange.task(Path::new("d"), &settings, None),
            Task::Unsupported(_)
        ));
    }
}
