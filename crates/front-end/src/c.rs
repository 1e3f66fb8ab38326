//! C: text to the intermediate representation, and back in traces.

mod assumptions;
mod inputs;
mod memory;
mod pointers;
mod schedule;
pub mod source_terms;
mod values;
mod wording;

use std::path::{Path, PathBuf};
use std::time::Instant;

use lariat_base::{Diagnostic, Diagnostics, SourceMap};
use lariat_c_lower::{LowerOptions, Lowered, Names, OpenOptions};
use lariat_c_program::{CProgram, Purpose, print_program};
use lariat_c_reader::ReadOptions;
use lariat_c_regions::Regions;
use lariat_ir::{OpenInfo, ProcId, Program};
use lariat_passes::{split_accesses, watch_races};
use lariat_report::{COptions, Check, Externals, Integers, LogStage, Phase, Progress, Warning, WarningKind};
use lariat_specs::rules::Rule;
use rustc_hash::FxHashSet;

use crate::read::{Notes, OpenRequest, ReadRequest, at, log, read_text};
use assumptions::assumptions;

/// The C side of a lowered program, to show traces in C.
pub struct CSide {
    pub program: CProgram,
    pub names: Names,
    /// Entries whose code names what must not happen.
    pub property_entries: FxHashSet<ProcId>,
    /// Entries from which calls lead to something that is checked.
    pub checked_entries: FxHashSet<ProcId>,
    /// The regions of memory, of an open program.
    pub regions: Option<Regions>,
}

impl CSide {
    /// Whether a function is a model of the library, and not one of the user's that has its name (`static int read(…)`).
    pub fn is_model(&self, name: &str) -> bool {
        let named = || {
            let functions = self.program.functions.values();
            functions.filter(|function| &*function.name == name)
        };
        named().any(|function| function.purpose == Purpose::Model)
            && !named().any(|function| function.purpose == Purpose::User && function.body.is_some())
    }
}

/// A C program and its IR, for users that go on from there on their own.
#[derive(Clone)]
pub struct CComponent {
    pub program: CProgram,
    pub lowered: Lowered,
}

/// Reads all files as one C program. `None` if there are errors.
pub fn read_component(
    request: &ReadRequest<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<CComponent> {
    let silent = &mut |_: Progress| {};
    let read = read_lowered(request, silent, &mut Notes::default(), sources, diagnostics)?;
    match read.lowered {
        Ok(lowered) => Some(CComponent {
            program: read.program,
            lowered,
        }),
        Err(errors) => {
            diagnostics.extend(errors);
            None
        }
    }
}

/// Reads all files as one program, an open one if so asked. `None` if there are errors.
pub(crate) fn read<R>(
    request: &ReadRequest<'_>,
    progress: &mut dyn FnMut(Progress<R>),
    notes: &mut Notes,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Program, CSide, Option<OpenInfo>)> {
    let read = read_lowered(request, progress, notes, sources, diagnostics)?;
    let lowered = match read.lowered {
        Ok(lowered) => lowered,
        Err(_) if request.check_only => return Some((Program::new(), no_names(read.program), None)),
        Err(errors) => {
            diagnostics.extend(errors);
            return None;
        }
    };
    if request.open.is_none() {
        notes.assumptions = assumptions(request.c, &read.program, &lowered);
    }
    notes.externals = lowered.externals;
    if request.c.integers == Integers::Math {
        notes.integers = Some(
            "integers are mathematical: wrap-around of arithmetic on 32 and more bits is left out".to_owned(),
        );
    }
    let side = CSide {
        program: read.program,
        names: lowered.names,
        property_entries: lowered.property_entries,
        checked_entries: lowered.checked_entries,
        regions: request.open.is_some().then_some(read.regions),
    };
    let open = lowered.open.map(|info| OpenInfo {
        pointers: Some(side.pointers()),
        ..info
    });
    Some((lowered.program, side, open))
}

/// A C program, where its pointers go, and its IR or what is wrong with it.
struct ReadC {
    program: CProgram,
    regions: Regions,
    lowered: Result<Lowered, Diagnostics>,
}

fn read_lowered<R>(
    request: &ReadRequest<'_>,
    progress: &mut dyn FnMut(Progress<R>),
    notes: &mut Notes,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<ReadC> {
    at(progress, Phase::Parsing);
    let started = Instant::now();
    let options = ReadOptions {
        without_model: request.routines.to_vec(),
        ..read_options(request.c, diagnostics)?
    };
    let files: Vec<&Path> = request.files.iter().map(PathBuf::as_path).collect();
    let program =
        lariat_c_reader::read_with_models(&files, &options, lariat_c_models::needs, sources, diagnostics);
    let given = sources
        .files()
        .filter(|(_, file)| request.files.contains(&file.path))
        .map(|(_, file)| (file.text.len() as u64, file.line_count() as u64));
    for (bytes, lines) in given {
        notes.stats.source_bytes += bytes;
        notes.stats.source_lines += lines;
    }
    notes.stats.parse_seconds = started.elapsed().as_secs_f64();
    let mut program = program?;
    if diagnostics.has_errors() {
        return None;
    }
    for function in program.functions.values_mut() {
        if request.routines.iter().any(|name| **name == *function.name) {
            function.body = None;
        }
    }

    at(progress, Phase::Checking);
    let started = Instant::now();
    lariat_c_models::instantiate(&mut program);
    let regions = match request.open {
        Some(_) => lariat_c_regions::analyze_open(&program),
        None if request.c.externals == Externals::Havoc => {
            lariat_c_regions::analyze_with_external_writes(&program)
        }
        None => lariat_c_regions::analyze(&program),
    };
    notes.stats.check_seconds = started.elapsed().as_secs_f64();
    log(request, progress, LogStage::C, "program", || {
        print_program(&program)
    });
    log(request, progress, LogStage::Regions, "program", || {
        regions.text(&program)
    });

    at(progress, Phase::Lowering);
    let started = Instant::now();
    let open = request.open.map(|open| {
        note_omitted_checks(request.c, &mut notes.warnings);
        OpenOptions {
            typestate: open.typestate.to_vec(),
            rules: rules(request.c, &open, sources, diagnostics),
            monitors_set: open.monitors_set,
            is_start: open.is_start,
        }
    });
    if diagnostics.has_errors() {
        return None;
    }
    let options = LowerOptions {
        c: request.c.clone(),
        entries: request.entries.to_vec(),
        error_label: request.error_label.map(str::to_owned),
        open,
        stubs: request.routines.to_vec(),
        ..LowerOptions::default()
    };
    let mut lowered = lariat_c_lower::lower(&program, &regions, &options, sources);
    if let Ok(lowered) = &mut lowered {
        let procs = lowered.program.procs.iter();
        let entries: Vec<_> = procs
            .filter(|(_, proc)| proc.entry_mark.is_some())
            .map(|(id, _)| id)
            .collect();
        for entry in entries {
            split_accesses(&mut lowered.program, entry);
            if request.c.checks(Check::Race) {
                watch_races(&mut lowered.program, entry);
            }
        }
    }
    notes.stats.lower_seconds = started.elapsed().as_secs_f64();
    Some(ReadC {
        program,
        regions,
        lowered,
    })
}

fn no_names(program: CProgram) -> CSide {
    CSide {
        program,
        names: Names::default(),
        property_entries: FxHashSet::default(),
        checked_entries: FxHashSet::default(),
        regions: None,
    }
}

pub(crate) fn read_options(c: &COptions, diagnostics: &mut Diagnostics) -> Option<ReadOptions> {
    let mut models = Vec::new();
    for path in &c.models {
        match read_text(path) {
            Ok(text) => models.push((path.clone(), format!("{}\n{text}", lariat_c_models::prelude()))),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if diagnostics.has_errors() {
        return None;
    }
    let library = if c.no_models {
        Vec::new()
    } else {
        lariat_c_models::models()
    };
    Some(ReadOptions {
        c: c.clone(),
        models,
        library,
        without_model: Vec::new(),
    })
}

/// Warns of checks that need to know what the environment has allocated.
fn note_omitted_checks(c: &COptions, warnings: &mut Vec<Warning>) {
    let mut warn = |message: String| {
        warnings.push(Warning {
            kind: WarningKind::Ignored,
            message,
            location: None,
        });
    };
    for check in [Check::InvalidFree, Check::Leak] {
        if c.checks(check) {
            warn(format!(
                "the check `{check}` is left out: what the environment has allocated is not known"
            ));
        }
    }
    if c.checks(Check::Bounds) {
        let message = "the check `bounds` looks at arrays of known length only: how large the environment's objects are is not known";
        warn(message.to_owned());
    }
}

/// Of memory that the environment has made, its size and state are unknown: the checks of freed memory are rules.
fn rules(
    c: &COptions,
    open: &OpenRequest<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Rule> {
    let mut wanted = open.rules.to_vec();
    wanted.retain(|rule| {
        let is_property = lariat_boogie_rules::is_property(rule);
        if is_property {
            let message = format!("`{rule}` is a property of Boogie programs, and this is a C program");
            let hint = "write a rule file instead: a property inserts Boogie code";
            diagnostics.push(Diagnostic::global_error("rules-are-for-boogie", message).hint(hint));
        }
        !is_property
    });
    for check in [Check::UseAfterFree, Check::DoubleFree] {
        if c.checks(check) {
            wanted.push(check.name().to_owned());
        }
    }
    let rules = lariat_specs::rules::load(&wanted, sources, diagnostics);
    match open.monitors_set {
        true => rules.into_iter().map(Rule::set_up).collect(),
        false => rules,
    }
}
