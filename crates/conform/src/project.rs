//! Project files (`*.conform`): which components there are, what they shall conform to, and what their library routines do.
//!
//! ```toml
//! [specification]            # or several [[specification]] with guards of their own (§3.5)
//! file = "handshake.fsp"     # FSP or AUT; or fsp = '''…'''; if neither, as in the specification before
//! process = "SPEC"
//! guards = { server = "mode == 1" }
//! name = "what it is called in reports"  # if it is not the name of the process
//! expect = "conforms"        # or "violates": what the answer should be
//! macros = ["BROKEN"]        # of all components, for this question
//!
//! [[component]]
//! name = "server"
//! files = ["server.c"]
//! procedure = "serve"
//! relabel = { me = "server" }  # actions `me.x` of its routines are `server.x`
//! macros = ["NDEBUG"]          # beside those of [options]
//!
//! [[routine]]                # a procedure abstraction (§3.4)
//! name = "send"
//! parameters = ["channel", "value"]
//! alternatives = [{ guard = "value > 0", process = "SEND" }, { guard = "value <= 0", process = "REFUSE" }]
//!
//! [options]
//! levels = "both"            # or "predicates"
//! minimise = "optimal"       # or "greedy", "none"
//! ```
//!
//! Processes are those of the specification's FSP text; a name that ends in `.aut` is a file. Paths are relative to the
//! project file. This module knows the syntax only.

mod table;

use std::path::PathBuf;

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};
use lariat_lts::relabel::Renaming;
use lariat_report::ConformExpectation;
use lariat_specs::SpecExpr;
use toml_edit::{Document, Item, Table};

use crate::cegar::{Levels, Options};
use crate::component::Limits;
use crate::front_end::{Errors, Guard};
use crate::minimise::Minimise;
use table::Reader;

/// A text with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    pub text: String,
    pub span: Span,
}

/// Where systems are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SystemText {
    File(Located),
    /// FSP in the project file itself, with the offset of its text there if it stands there as it is.
    Inline {
        text: Located,
        start: Option<usize>,
    },
}

#[derive(Clone, Debug)]
pub struct Specification {
    pub title: Option<Located>,
    pub text: SystemText,
    /// Not needed for AUT.
    pub process: Option<Located>,
    /// Guards of components, by their names.
    pub guards: Vec<(Located, Guard)>,
    /// What the user thinks that the answer is.
    pub expect: Option<ConformExpectation>,
    pub macros: Vec<String>,
    pub span: Span,
}

impl Specification {
    /// What it is called: its name, or else its process, or else its file.
    pub fn name(&self) -> String {
        match (&self.title, &self.process, &self.text) {
            (Some(name), _, _) | (None, Some(name), _) | (None, None, SystemText::File(name)) => {
                name.text.clone()
            }
            (None, None, SystemText::Inline { .. }) => String::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct ProjectComponent {
    pub name: Located,
    pub files: Vec<Located>,
    pub procedure: Located,
    pub guard: Option<Guard>,
    /// Of the actions of its routines.
    pub relabel: Vec<Renaming>,
    pub macros: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct ProjectRoutine {
    pub name: Located,
    pub parameters: Vec<String>,
    pub alternatives: Vec<(Guard, Located)>,
}

#[derive(Clone, Debug, Default)]
pub struct Project {
    pub specifications: Vec<Specification>,
    pub components: Vec<ProjectComponent>,
    pub routines: Vec<ProjectRoutine>,
    pub options: Options,
    pub limits: Limits,
    pub errors: Errors,
    pub include: Vec<PathBuf>,
    pub macros: Vec<String>,
}

const TABLES: &[&str] = &["specification", "component", "routine", "options"];

impl Project {
    /// Reads the text of a file. It is complete unless there are errors.
    pub fn parse(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Project {
        let mut reader = Reader {
            text,
            source,
            diagnostics,
        };
        let mut project = Project::default();
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let span = reader.span(error.span());
                let message = error.message().replace('\n', ", ");
                reader.push(
                    Diagnostic::error("conform-toml", span, message)
                        .hint("a project file is TOML: [tables], and key = \"text\""),
                );
                return project;
            }
        };
        for (key, item) in document.iter() {
            let key_span = document.get_key_value(key).and_then(|(key, _)| key.span());
            let span = reader.span(key_span.or_else(|| item.span()));
            if !TABLES.contains(&key) {
                reader.unknown_key(key, span, TABLES);
                continue;
            }
            let tables = tables(item);
            if tables.is_empty() {
                reader.push(
                    Diagnostic::error("conform-table", span, format!("`{key}` is a table"))
                        .hint(format!("write [{key}] or [[{key}]] on a line of its own")),
                );
            }
            for table in tables {
                match key {
                    "specification" => {
                        let before = project.specifications.last().map(|before| before.text.clone());
                        project
                            .specifications
                            .extend(specification(&mut reader, table, before));
                    }
                    "component" => project.components.extend(component(&mut reader, table)),
                    "routine" => project.routines.extend(routine(&mut reader, table)),
                    _ => options(&mut reader, table, &mut project),
                }
            }
        }
        let whole = reader.span(Some(0..text.len().min(1)));
        let has_errors = reader.diagnostics.has_errors();
        for (key, is_missing) in [
            ("specification", project.specifications.is_empty()),
            ("component", project.components.is_empty()),
        ] {
            if is_missing && !has_errors {
                reader.push(
                    Diagnostic::error("conform-missing", whole, format!("the project has no {key}"))
                        .hint(format!("add a table [{key}]")),
                );
            }
        }
        project
    }
}

fn tables(item: &Item) -> Vec<&Table> {
    match item {
        Item::Table(table) => vec![table],
        Item::ArrayOfTables(tables) => tables.iter().collect(),
        _ => Vec::new(),
    }
}

/// `before`: the systems of the specification before it, which are its own if it has none.
fn specification(
    reader: &mut Reader<'_>,
    table: &Table,
    before: Option<SystemText>,
) -> Option<Specification> {
    reader.check_keys(
        table,
        &["name", "file", "fsp", "process", "guards", "expect", "macros"],
    );
    let here = reader.span(table.span());
    let text = match (
        reader.located(table, "file"),
        reader.located(table, "fsp"),
        before,
    ) {
        (Some(file), None, _) => SystemText::File(file),
        (None, Some(text), _) => SystemText::Inline {
            start: reader.start_of(&text),
            text,
        },
        (None, None, Some(before)) => before,
        _ => {
            reader.push(
                Diagnostic::error(
                    "conform-specification",
                    here,
                    "a specification has either `file` or `fsp`",
                )
                .hint(
                    "add file = \"NAME.fsp\", or the processes themselves: fsp = '''SPEC = (a -> SPEC).'''",
                ),
            );
            return None;
        }
    };
    let expectations = [
        ("conforms", ConformExpectation::Conforms),
        ("violates", ConformExpectation::Violates),
    ];
    Some(Specification {
        title: reader.located(table, "name"),
        text,
        process: reader.located(table, "process"),
        guards: reader.guards(table, "guards"),
        expect: reader.choice(table, "expect", &expectations),
        macros: macros(reader, table),
        span: here,
    })
}

/// `NAME` or `NAME=VALUE`, as the compiler is told of them.
fn macros(reader: &mut Reader<'_>, table: &Table) -> Vec<String> {
    let texts = reader.texts(table, "macros");
    texts
        .into_iter()
        .map(|located| format!("-D{}", located.text.trim_start_matches("-D")))
        .collect()
}

fn component(reader: &mut Reader<'_>, table: &Table) -> Option<ProjectComponent> {
    reader.check_keys(
        table,
        &["name", "file", "files", "procedure", "guard", "relabel", "macros"],
    );
    let here = reader.span(table.span());
    let mut files = reader.texts(table, "files");
    files.extend(reader.located(table, "file"));
    if files.is_empty() {
        reader.push(
            Diagnostic::error("conform-component", here, "this component has no C file")
                .hint("add file = \"NAME.c\""),
        );
    }
    let procedure = reader.required(table, here, "procedure", "the C function that is the component")?;
    let name = reader.located(table, "name").unwrap_or_else(|| procedure.clone());
    Some(ProjectComponent {
        name,
        files,
        procedure,
        guard: reader.guard(table, "guard"),
        relabel: reader.renamings(table, "relabel"),
        macros: macros(reader, table),
    })
}

fn routine(reader: &mut Reader<'_>, table: &Table) -> Option<ProjectRoutine> {
    reader.check_keys(table, &["name", "parameters", "process", "alternatives"]);
    let here = reader.span(table.span());
    let name = reader.required(table, here, "name", "the C function that is described")?;
    let mut alternatives = reader.alternatives(table, "alternatives");
    if let Some(process) = reader.located(table, "process") {
        let always = Guard {
            expr: SpecExpr::Bool(true),
            span: Some(process.span),
        };
        alternatives.push((always, process));
    }
    if alternatives.is_empty() {
        reader.push(
            Diagnostic::error("conform-routine", here, format!("`{}` has no process", name.text))
                .hint("add process = \"NAME\", or alternatives = [{ guard = \"…\", process = \"NAME\" }, …]"),
        );
    }
    Some(ProjectRoutine {
        name,
        parameters: reader
            .texts(table, "parameters")
            .into_iter()
            .map(|located| located.text)
            .collect(),
        alternatives,
    })
}

fn options(reader: &mut Reader<'_>, table: &Table, project: &mut Project) {
    reader.check_keys(
        table,
        &[
            "levels",
            "minimise",
            "max-subsets",
            "max-eliminating",
            "predicates-per-state",
            "predicate-size",
            "states",
            "seed",
            "errors",
            "include",
            "macros",
        ],
    );
    let levels = Levels::ALL.map(|levels| (levels.name(), levels));
    if let Some(levels) = reader.choice(table, "levels", &levels) {
        project.options.levels = levels;
    }
    let modes = Minimise::ALL.map(|mode| (mode.name(), mode));
    let minimise = &mut project.options.minimise;
    if let Some(mode) = reader.choice(table, "minimise", &modes) {
        minimise.mode = mode;
    }
    for (key, target) in [
        ("max-subsets", &mut minimise.max_subsets),
        ("max-eliminating", &mut minimise.max_eliminating),
        ("predicates-per-state", &mut project.limits.predicates),
        ("predicate-size", &mut project.limits.size),
        ("states", &mut project.options.state_limit),
    ] {
        if let Some(number) = reader.number(table, key) {
            *target = number;
        }
    }
    if let Some(seed) = reader.number(table, "seed") {
        minimise.seed = seed as u64;
    }
    if let Some(errors) = reader.boolean(table, "errors") {
        project.errors = if errors { Errors::All } else { Errors::None };
    }
    project.include.extend(
        reader
            .texts(table, "include")
            .into_iter()
            .map(|located| located.text.into()),
    );
    project.macros.extend(macros(reader, table));
}
