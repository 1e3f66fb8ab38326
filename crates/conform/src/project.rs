//! Project files (`*.conform`): the components, the specifications they must conform to, and what their library routines do.
//!
//! ```toml
//! [specification]            # or several [[specification]] each with its guards (§3.5)
//! file = "handshake.fsp"     # FSP or AUT; or fsp = '''…'''; if neither, as in the specification before
//! process = "SPEC"           # or assert = "NAME", progress = "NAME", ltl = "[] (a -> <> b)", each with fair = true
//! relation = "traces"        # or "simulation", "weak-bisimulation"
//! guards = { server = "mode == 1" }
//! name = "what it is called in reports"  # if it is not the name of the process
//! expect = "conforms"        # or "violates": what the answer should be
//! alphabet = ["panic"]       # actions that it observes besides those that it mentions
//! macros = ["BROKEN"]        # of all components, for this question
//!
//! [[component]]
//! name = "server"
//! files = ["server.c"]
//! procedure = "serve"
//! relabel = { me = "server" }  # actions `me.x` of its routines are `server.x`
//! alphabet = ["server.stop"]   # actions that it takes part in besides those of the routines that it calls
//! macros = ["NDEBUG"]          # in addition to those of [options]
//! daemon = true                # it may wait for ever
//!
//! [[routine]]                # a procedure abstraction (§3.4)
//! name = "send"
//! parameters = ["channel", "value"]  # "value:0..3": process = "SEND(value)" is SEND with the number that is given
//! alternatives = [{ guard = "value > 0", process = "SEND" }, { guard = "value <= 0", process = "REFUSE" }]
//!
//! [options]
//! levels = "both"            # or "predicates"
//! minimise = "none"          # or "optimal", "greedy", "path"
//! ```
//!
//! Processes are those of the specification's FSP text; a name that ends in `.aut` is a file. Paths are relative to the
//! project file. This module knows the syntax only.

mod values;

use std::path::PathBuf;

use lariat_base::{Diagnostic, Diagnostics, Severity, SourceId, Span};
use lariat_lts::equivalence::Relation;
use lariat_lts::relabel::Renaming;
use lariat_report::ConformExpectation;
use lariat_specs::SpecExpr;
use lariat_toml_file::{FileKind, Section};

use crate::cegar::{Levels, Options};
use crate::component::Limits;
use crate::front_end::{Errors, Guard};
use crate::minimise::Minimise;

pub use lariat_toml_file::Located;

const KIND: FileKind = FileKind {
    syntax: "conform-toml",
    syntax_hint: "a project file is TOML: [tables], and key = \"text\"",
    key: "conform-key",
    key_severity: Severity::Error,
    value: "conform-value",
    missing: "conform-missing",
};

/// Where systems are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SystemText {
    File(Located),
    /// FSP in the project file itself, with the offset of its text there if it has no escapes.
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
    /// The answer that the user expects.
    pub expect: Option<ConformExpectation>,
    /// Actions that it observes besides those that it mentions.
    pub alphabet: Vec<Located>,
    pub macros: Vec<String>,
    /// A temporal property instead of a process.
    pub temporal: Option<TemporalText>,
    /// Whether only fair executions count; progress is about those unless the user says otherwise.
    pub is_fair: Option<bool>,
    /// How the process must follow the components, if not by allowing their traces.
    pub relation: Option<Relation>,
    pub span: Span,
}

/// Where a temporal property is written.
#[derive(Clone, Debug)]
pub enum TemporalText {
    /// The name of an `assert` of the FSP text.
    Assertion(Located),
    /// The name of a `progress` of the FSP text.
    Progress(Located),
    /// The formula itself, with the offset of its text in the project file if it has no escapes.
    Formula(Located, Option<usize>),
}

impl Specification {
    /// Its name in reports: its title, or else its process, or else its file.
    pub fn name(&self) -> String {
        let temporal = self.temporal.as_ref().map(|temporal| match temporal {
            TemporalText::Assertion(name) | TemporalText::Progress(name) | TemporalText::Formula(name, _) => {
                name
            }
        });
        let named = self.title.as_ref().or(self.process.as_ref()).or(temporal);
        match (named, &self.text) {
            (Some(name), _) | (None, SystemText::File(name)) => name.text.clone(),
            (None, SystemText::Inline { .. }) => String::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct ProjectComponent {
    pub name: Located,
    pub files: Vec<Located>,
    pub procedure: Located,
    pub guard: Option<Guard>,
    /// Renames the actions of its routines.
    pub relabel: Vec<Renaming>,
    /// What is renamed, with its place.
    pub renamed: Vec<Located>,
    /// Actions that it has besides those of the routines that it calls; they are not renamed.
    pub alphabet: Vec<Located>,
    pub macros: Vec<String>,
    /// It may wait for ever.
    pub is_daemon: bool,
}

#[derive(Clone, Debug)]
pub struct ProjectRoutine {
    pub name: Located,
    pub parameters: Vec<String>,
    pub alternatives: Vec<Alternative>,
}

/// What a routine does if its guard holds: a process with numbers for its parameters.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub guard: Guard,
    pub process: Located,
    pub arguments: Vec<i64>,
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
    /// Components in one file are programs of their own.
    pub separate_globals: bool,
}

impl Project {
    /// Reads the text of a file. It is complete unless there are errors.
    pub fn parse(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Project {
        let project = lariat_toml_file::read(KIND, source, text, diagnostics, |file| {
            let mut project = Project::default();
            let mut before: Option<SystemText> = None;
            project.specifications = file.tables("specification", |table| {
                let specification = specification(table, before.as_ref())?;
                before = Some(specification.text.clone());
                Some(specification)
            });
            project.components = file.tables("component", component);
            project.routines = file.tables("routine", routine);
            file.section("options", |table| options(table, &mut project));
            for (key, is_missing) in [
                ("specification", project.specifications.is_empty()),
                ("component", project.components.is_empty()),
            ] {
                if is_missing && !file.has(key) {
                    let message = format!("the project has no {key}");
                    let diagnostic = Diagnostic::error(KIND.missing, file.span(), message);
                    file.push(diagnostic.hint(format!("add a table [{key}]")));
                }
            }
            project
        });
        project.unwrap_or_default()
    }
}

/// `before`: the systems of the specification before it, used if this one has none.
fn specification(table: &mut Section<'_, '_>, before: Option<&SystemText>) -> Option<Specification> {
    let (file, fsp) = (table.located("file"), table.located("fsp"));
    let expectations = [
        ("conforms", ConformExpectation::Conforms),
        ("violates", ConformExpectation::Violates),
    ];
    let (title, process) = (table.located("name"), table.located("process"));
    let guards = table.map("guards", "a table with a guard for each component");
    let expect = table.choice("expect", &expectations);
    let alphabet = alphabet(table);
    let macros = macros(table);
    let temporal = [
        table.located("assert").map(TemporalText::Assertion),
        table.located("progress").map(TemporalText::Progress),
        table.located("ltl").map(|text| {
            // Nothing is found nowhere.
            let quote = text.span.start as usize + 1;
            let start = table.start_of(&text).or(text.text.is_empty().then_some(quote));
            TemporalText::Formula(text, start)
        }),
    ];
    let mut temporal = temporal.into_iter().flatten();
    let first = temporal.next();
    let is_fair = table.boolean("fair");
    let relations = [
        ("traces", None),
        ("simulation", Some(Relation::Simulation)),
        ("weak-bisimulation", Some(Relation::WeakBisimulation)),
    ];
    let relation = table.choice("relation", &relations).flatten();
    let is_temporal = first.is_some();
    for (is_wrong, message) in [
        (
            temporal.next().is_some() || (is_temporal && process.is_some()),
            "a specification has one of `process`, `assert`, `progress` and `ltl`",
        ),
        (
            is_temporal && relation.is_some(),
            "`relation` is for a specification with a `process`",
        ),
        (
            !is_temporal && is_fair.is_some(),
            "`fair` is for a specification with `assert`, `progress` or `ltl`",
        ),
    ] {
        if is_wrong {
            table.push(
                Diagnostic::error("conform-specification", table.span(), message)
                    .hint("ask several questions in several [[specification]]"),
            );
        }
    }
    let text = match (file, fsp, before) {
        (Some(file), None, _) => SystemText::File(file),
        (None, Some(text), _) => SystemText::Inline {
            start: table.start_of(&text),
            text,
        },
        (None, None, Some(before)) => before.clone(),
        _ => {
            let message = "a specification has either `file` or `fsp`";
            let hint =
                "add file = \"NAME.fsp\", or the processes themselves: fsp = '''SPEC = (a -> SPEC).'''";
            table.push(Diagnostic::error("conform-specification", table.span(), message).hint(hint));
            return None;
        }
    };
    Some(Specification {
        title,
        text,
        process,
        guards: guards
            .into_iter()
            .filter_map(|(name, text)| Some((name, guard(table, &text)?)))
            .collect(),
        expect,
        alphabet,
        macros,
        temporal: first,
        is_fair,
        relation,
        span: table.span(),
    })
}

fn guard(table: &mut Section<'_, '_>, located: &Located) -> Option<Guard> {
    match SpecExpr::parse(&located.text) {
        Ok(expr) => Some(Guard {
            expr,
            span: Some(located.span),
        }),
        Err(error) => {
            let span = table.span_in(located, error.range);
            let diagnostic = Diagnostic::error("conform-guard", span, error.message);
            table.push(Diagnostic {
                hint: error.hint,
                ..diagnostic
            });
            None
        }
    }
}

/// `NAME` or `NAME=VALUE`, as flags of the compiler.
fn macros(table: &mut Section<'_, '_>) -> Vec<String> {
    let texts = table.texts("macros").unwrap_or_default();
    for text in &texts {
        let name = text.text.trim_start_matches("-D").split(['=', '(']).next();
        let is_name = |name: &str| {
            !name.starts_with(|c: char| c.is_ascii_digit())
                && !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !name.is_some_and(is_name) {
            let message = format!("`{}` defines no macro", text.text);
            let diagnostic = Diagnostic::error("conform-value", text.span, message);
            table.push(diagnostic.hint("write \"NAME\" or \"NAME=VALUE\""));
        }
    }
    texts
        .into_iter()
        .map(|located| format!("-D{}", located.text.trim_start_matches("-D")))
        .collect()
}

fn component(table: &mut Section<'_, '_>) -> Option<ProjectComponent> {
    let mut files = table.texts("files").unwrap_or_default();
    files.extend(table.located("file"));
    if files.is_empty() {
        let message = "this component has no C file";
        let diagnostic = Diagnostic::error("conform-component", table.span(), message);
        table.push(diagnostic.hint("add file = \"NAME.c\""));
    }
    let procedure = table.required("procedure", "the C function that is the component");
    let name = table.located("name");
    if let Some(empty) = name.as_ref().filter(|name| name.text.trim().is_empty()) {
        let diagnostic = Diagnostic::error(
            "conform-component",
            empty.span,
            "this component has an empty name",
        );
        table.push(diagnostic.hint("without `name` it has that of its procedure"));
    }
    let text = table.located("guard");
    let guard = text.and_then(|text| guard(table, &text));
    let mut renamings = table.map("relabel", "a table: { old = \"new\" }");
    for (old, new) in &mut renamings {
        for name in [old, new] {
            name.text = label(&name.text);
            check_label(
                table,
                name,
                "cannot be renamed, nor the name that something gets",
                "relabel = { old = \"new\" } renames labels such as \"send\" or \"send.1\"",
            );
        }
    }
    let alphabet = alphabet(table);
    let macros = macros(table);
    let is_daemon = table.boolean("daemon").unwrap_or(false);
    let procedure = procedure?;
    Some(ProjectComponent {
        name: name.unwrap_or_else(|| procedure.clone()),
        files,
        procedure,
        guard,
        relabel: renamings
            .iter()
            .map(|(old, new)| Renaming {
                new: new.text.clone(),
                old: old.text.clone(),
            })
            .collect(),
        renamed: renamings.into_iter().map(|(old, _)| old).collect(),
        alphabet,
        macros,
        is_daemon,
    })
}

/// A label `a[1]` is `a.1`, as in FSP.
fn label(text: &str) -> String {
    text.replace('[', ".").replace(']', "")
}

/// Visible actions.
fn alphabet(table: &mut Section<'_, '_>) -> Vec<Located> {
    let mut actions = table.texts("alphabet").unwrap_or_default();
    for action in &mut actions {
        action.text = label(&action.text);
        check_label(
            table,
            action,
            "is not an action that can be added to an alphabet",
            "an alphabet has labels such as \"send\" or \"send.1\"; returns are always in it",
        );
    }
    actions
}

/// A label with nothing between two dots is a slip; the silent action and returns are no labels.
fn check_label(table: &mut Section<'_, '_>, name: &Located, wrong: &str, hint: &str) {
    let last = name.text.rsplit('.').next().unwrap_or_default();
    if name.text.split('.').any(|part| part.trim().is_empty()) || last == "tau" || last.starts_with("return{")
    {
        let message = format!("`{}` {wrong}", name.text);
        table.push(Diagnostic::error("conform-alphabet", name.span, message).hint(hint));
    }
}

fn routine(table: &mut Section<'_, '_>) -> Option<ProjectRoutine> {
    let name = table.required("name", "the C function that is described");
    let parameters = table.texts("parameters").unwrap_or_default();
    let parameters: Vec<values::Parameter> = parameters
        .into_iter()
        .map(|parameter| values::parameter(table, parameter))
        .collect();
    let process = table.located("process");
    let mut given = table.tables("alternatives", |table| {
        let text = table.required("guard", "when this alternative applies");
        let process = table.required("process", "what the function then does");
        Some((guard(table, &text?)?, process?))
    });
    if let Some(process) = process {
        let always = Guard {
            expr: SpecExpr::Bool(true),
            span: Some(process.span),
        };
        given.push((always, process));
    }
    let mut alternatives = Vec::new();
    for (guard, process) in given {
        alternatives.extend(values::alternatives(table, guard, process, &parameters));
    }
    if let Some(process) = table.located("otherwise") {
        alternatives.extend(values::otherwise(table, process, &parameters));
    }
    let name = name?;
    if alternatives.is_empty() && !table.has_errors() {
        let message = format!("`{}` has no process", name.text);
        let hint = "add process = \"NAME\", or alternatives = [{ guard = \"…\", process = \"NAME\" }, …]";
        table.push(Diagnostic::error("conform-routine", table.span(), message).hint(hint));
    }
    Some(ProjectRoutine {
        name,
        parameters: parameters.into_iter().map(|parameter| parameter.name).collect(),
        alternatives,
    })
}

fn options(table: &mut Section<'_, '_>, project: &mut Project) {
    let levels = Levels::ALL.map(|levels| (levels.name(), levels));
    if let Some(levels) = table.choice("levels", &levels) {
        project.options.levels = levels;
    }
    let modes = Minimise::ALL.map(|mode| (mode.name(), mode));
    let minimise = &mut project.options.minimise;
    if let Some(mode) = table.choice("minimise", &modes) {
        minimise.mode = mode;
    }
    for (key, target) in [
        ("max-subsets", &mut minimise.max_subsets),
        ("max-eliminating", &mut minimise.max_eliminating),
        ("predicates-per-state", &mut project.limits.predicates),
        ("predicate-size", &mut project.limits.size),
        ("states", &mut project.options.state_limit),
    ] {
        if let Some(number) = table.number(key, 0) {
            *target = number;
        }
    }
    if let Some(seed) = table.number("seed", 0) {
        minimise.seed = seed;
    }
    if let Some(errors) = table.boolean("errors") {
        project.errors = if errors { Errors::All } else { Errors::None };
    }
    project.separate_globals = table.boolean("separate-globals").unwrap_or(false);
    let include = table.texts("include").unwrap_or_default();
    let include = include.into_iter().map(|located| located.text.into());
    project.include.extend(include);
    project.macros.extend(macros(table));
}
