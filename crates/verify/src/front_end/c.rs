//! C: text to the intermediate representation, and back in traces.

mod inputs;
mod memory;
mod pointers;
pub(crate) mod source_terms;
mod values;
mod wording;

use std::path::{Path, PathBuf};
use std::time::Instant;

use lariat_base::{Diagnostics, SourceMap};
use lariat_c_lower::{ErrorLabels, LowerOptions, Names, OpenOptions};
use lariat_c_program::{CProgram, Purpose, print_program};
use lariat_c_reader::ReadOptions;
use lariat_c_regions::Regions;
use lariat_ir::{OpenInfo, Program};
use lariat_report::{
    AngelicRequest, Check, External, Integers, LogStage, LogText, Phase, Progress, ProgressUpdate,
    VerifyReport, VerifyRequest, Warning, WarningKind,
};
use lariat_specs::rules::Rule;

use super::read_text;
use crate::rendering;

/// The C side of a lowered program: what traces are told in.
pub struct CSide {
    pub program: CProgram,
    pub names: Names,
    /// Whether the program or the request says what must not happen.
    pub has_property: bool,
    /// How memory is told apart, of an open program.
    pub regions: Option<Regions>,
}

impl CSide {
    /// Whether a function is a model of the library.
    pub fn is_model(&self, name: &str) -> bool {
        let mut functions = self.program.functions.values();
        functions.any(|function| &*function.name == name && function.purpose == Purpose::Model)
    }
}

/// Reads all files as one program, an open one if so asked. `None` if there are errors.
pub fn read<R>(
    request: &VerifyRequest,
    open: Option<&AngelicRequest>,
    progress: &mut dyn FnMut(Progress<R>),
    report: &mut VerifyReport,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Program, CSide, Option<OpenInfo>)> {
    at(progress, Phase::Parsing);
    let started = Instant::now();
    let options = read_options(request, diagnostics)?;
    let files: Vec<&Path> = request.files.iter().map(PathBuf::as_path).collect();
    let program =
        lariat_c_reader::read_with_models(&files, &options, lariat_c_models::needs, sources, diagnostics);
    let given = sources
        .files()
        .filter(|(_, file)| request.files.contains(&file.path))
        .map(|(_, file)| (file.text.len() as u64, file.line_count() as u64));
    for (bytes, lines) in given {
        report.stats.source_bytes += bytes;
        report.stats.source_lines += lines;
    }
    report.stats.parse_seconds = started.elapsed().as_secs_f64();
    let mut program = program?;
    if diagnostics.has_errors() {
        return None;
    }

    at(progress, Phase::Checking);
    let started = Instant::now();
    lariat_c_models::instantiate(&mut program);
    let regions = match open {
        Some(_) => lariat_c_regions::analyze_open(&program),
        None => lariat_c_regions::analyze(&program),
    };
    report.stats.check_seconds = started.elapsed().as_secs_f64();
    log(request, progress, LogStage::C, || print_program(&program));
    log(request, progress, LogStage::Regions, || regions.text(&program));

    at(progress, Phase::Lowering);
    let started = Instant::now();
    let rules = open.map(|open| rules(request, open, sources, diagnostics));
    if open.is_some() {
        say_what_is_left_out(request, report);
    }
    if diagnostics.has_errors() {
        return None;
    }
    let options = lower_options(request, open, rules);
    let lowered = match lariat_c_lower::lower(&program, &regions, &options, sources) {
        Ok(lowered) => lowered,
        Err(_) if request.front_end_only => return Some((Program::new(), no_names(program), None)),
        Err(errors) => {
            diagnostics.extend(errors);
            return None;
        }
    };
    report.stats.lower_seconds = started.elapsed().as_secs_f64();
    report.externals = lowered
        .externals
        .into_iter()
        .map(|external| External {
            name: external.name,
            location: Some(rendering::location(sources, external.span)),
            effect: external.effect,
        })
        .collect();
    if options.integers == Integers::Math {
        report.integers = Some(
            "integers are mathematical: wrap-around of arithmetic on 32 and more bits is left out".to_owned(),
        );
    }
    let side = CSide {
        program,
        names: lowered.names,
        has_property: lowered.has_property,
        regions: open.is_some().then_some(regions),
    };
    Some((lowered.program, side, lowered.open))
}

fn at<R>(progress: &mut dyn FnMut(Progress<R>), phase: Phase) {
    progress(Progress::Update(ProgressUpdate {
        phase,
        ..ProgressUpdate::default()
    }));
}

fn log<R>(
    request: &VerifyRequest,
    progress: &mut dyn FnMut(Progress<R>),
    stage: LogStage,
    text: impl FnOnce() -> String,
) {
    if request.log.contains(&stage) {
        progress(Progress::Log(LogText {
            stage,
            title: "program".into(),
            text: text(),
        }));
    }
}

fn no_names(program: CProgram) -> CSide {
    CSide {
        program,
        names: Names::default(),
        has_property: false,
        regions: None,
    }
}

fn read_options(request: &VerifyRequest, diagnostics: &mut Diagnostics) -> Option<ReadOptions> {
    let c = &request.c;
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
    if !c.no_models {
        models.extend(lariat_c_models::models());
    }
    Some(ReadOptions {
        machine: c.machine,
        include: c.include.clone(),
        macros: c.macros.clone(),
        standard: c.standard.clone(),
        compile_commands: c.compile_commands.clone(),
        models,
    })
}

/// Checks that need to know of each object where it came from.
const NEED_OBJECTS: [Check; 4] = [
    Check::UseAfterFree,
    Check::DoubleFree,
    Check::InvalidFree,
    Check::Leak,
];

fn say_what_is_left_out(request: &VerifyRequest, report: &mut VerifyReport) {
    let mut say = |message: String| {
        report.warnings.push(Warning {
            kind: WarningKind::Ignored,
            message,
            location: None,
        });
    };
    for check in [Check::InvalidFree, Check::Leak] {
        if request.c.checks(check) {
            let name = check.name();
            say(format!(
                "the check `{name}` is left out: what the environment has allocated is not known"
            ));
        }
    }
    if request.c.checks(Check::Bounds) {
        let message = "the check `bounds` looks at arrays of known length only: how large the environment's objects are is not known";
        say(message.to_owned());
    }
}

/// Of memory that the environment has made, its size and state are unknown: the checks of freed memory are rules.
fn rules(
    request: &VerifyRequest,
    open: &AngelicRequest,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Vec<Rule> {
    let mut wanted = open.rules.clone();
    for check in [Check::UseAfterFree, Check::DoubleFree] {
        if request.c.checks(check) {
            wanted.push(check.name().to_owned());
        }
    }
    lariat_specs::rules::load(&wanted, sources, diagnostics)
}

fn lower_options(
    request: &VerifyRequest,
    open: Option<&AngelicRequest>,
    rules: Option<Vec<Rule>>,
) -> LowerOptions {
    let c = &request.c;
    let harness = open.and_then(|open| open.harness.clone());
    LowerOptions {
        integers: c.integers,
        checks: c
            .checks
            .iter()
            .copied()
            .filter(|check| open.is_none() || !NEED_OBJECTS.contains(check))
            .collect(),
        malloc_may_fail: c.malloc_may_fail,
        entries: harness.map_or_else(|| request.entries.clone(), |harness| vec![harness]),
        error_functions: c.error_functions.clone(),
        error_labels: match c.error_labels {
            true => ErrorLabels::Conventional,
            false => ErrorLabels::None,
        },
        open: open.map(|open| OpenOptions {
            typestate: open.typestate.clone(),
            rules: rules.unwrap_or_default(),
        }),
        stubs: Vec::new(),
    }
}
