//! `lariat verify`: makes the request, supervises the work and shows what comes of it.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use lariat_c_evidence::harness::confirm_report;
use lariat_c_evidence::svcomp::Property;
use lariat_report::{AssertSelector, Engine, LogStage, LogText, VerifyReport, VerifyRequest};
use lariat_worker::{Ending, Order, Outcome, StopSignal};

use crate::arguments::{Arguments, OutputFormat, VerifyArguments};
use crate::evidence::{self, WitnessPath};
use crate::exit::{self, ExitCode};
use crate::supervise::supervise;
use crate::{sarif, say, show};

pub fn run(verify: &VerifyArguments, common: &Arguments) -> ExitCode {
    let property = match verify
        .property
        .as_deref()
        .map(evidence::read_property)
        .transpose()
    {
        Ok(property) => property,
        Err(message) => return say::usage_error(&message),
    };
    let order = match order(verify, property.as_ref()) {
        Ok(order) => order,
        Err(message) => return say::usage_error(&message),
    };
    let mut log = match Log::open(verify) {
        Ok(log) => log,
        Err(message) => return say::usage_error(&message),
    };
    let stop = StopSignal::new();
    let supervised = supervise(&order, &stop, common, &mut |text| log.write(text));
    log.finish();
    match supervised {
        Ok(outcome) => conclude(outcome, &order.request, &stop, verify, common, property.as_ref()),
        Err(code) => code,
    }
}

fn order(verify: &VerifyArguments, property: Option<&Property>) -> Result<Order, String> {
    let engine = match verify.search.engine[..] {
        [] => Engine::default(),
        [engine] => engine,
        _ => return Err("`verify` takes one `--engine`; `bench` compares several".to_owned()),
    };
    if let Some(file) = verify.files.iter().find(|file| file.to_str().is_none()) {
        return Err(format!("the name of {} is not valid Unicode", file.display()));
    }
    let mut c = verify.c.options();
    let mut entries = verify.entry.clone();
    if let Some(property) = property {
        property.apply(&mut c);
        entries = vec![property.entry.clone()];
    }
    let mut request = VerifyRequest {
        files: verify.files.clone(),
        entries,
        c,
        error_variable: verify.error_variable.clone(),
        asserts: verify
            .assert
            .iter()
            .map(|text| AssertSelector::parse(text))
            .collect(),
        all: verify.all,
        log: verify.log.clone(),
        trace: verify.trace,
        front_end_only: verify.check_only,
        // Colours are removed again when the text is printed to where they are not wanted.
        color: verify.output_format == OutputFormat::Text,
        ..verify.search.request(engine)
    };
    if (verify.harness.is_some() || property.is_some()) && !request.is_c() {
        return Err("`--harness` and `--property` are for programs in C (`.c` or `.i`)".to_owned());
    }
    request.deepen = verify.search.bound.is_none() && request.is_c();
    Ok(Order {
        request,
        time_limit_seconds: verify.time_limit.map(|limit| limit.as_secs_f64()),
        memory_limit_bytes: verify.memory_limit,
    })
}

/// Makes what the user wants to have beside the report.
fn add_evidence(
    report: &mut VerifyReport,
    request: &VerifyRequest,
    verify: &VerifyArguments,
    property: Option<&Property>,
) {
    if let Some(path) = &verify.harness {
        match confirm_report(report, request, path) {
            Ok(true) => {}
            Ok(false) => say::warning("there is no failure, so no harness is written"),
            Err(error) => say::warning(&format!("there is no harness {}: {error}", path.display())),
        }
    }
    if let Some(property) = property {
        let paths = match verify.witness.as_slice() {
            [] => WitnessPath::usual(),
            paths => paths.to_vec(),
        };
        if let Err(message) = evidence::write_witnesses(report, request, property, &paths) {
            say::warning(&message);
        }
    }
}

fn conclude(
    outcome: Outcome,
    request: &VerifyRequest,
    stop: &StopSignal,
    verify: &VerifyArguments,
    common: &Arguments,
    property: Option<&Property>,
) -> ExitCode {
    let mut report = outcome.report;
    report.stats.peak_memory_bytes = report.stats.peak_memory_bytes.max(outcome.peak_memory_bytes);
    report.stats.total_seconds = outcome.seconds;
    add_evidence(&mut report, request, verify, property);
    match verify.output_format {
        OutputFormat::Text => {
            let options = show::Options {
                quiet: common.quiet,
                verbose: common.verbose,
                width: show::terminal_width(),
            };
            print_text(&report, &options);
        }
        OutputFormat::Json => print_json(&report),
        OutputFormat::Sarif => print_json(&sarif::verify::log(&report)),
    }
    if let Some(property) = property {
        print_answer(property, &report, verify.output_format);
    }
    if let Ending::Panicked(panic) = &outcome.ending {
        exit::tell_panic(panic);
        return ExitCode::Internal;
    }
    if stop.is_requested() {
        return ExitCode::Interrupted;
    }
    ExitCode::of_verdict(&report.verdict, verify.bounded_ok)
}

fn print_text(report: &VerifyReport, options: &show::Options) {
    let remarks = show::remarks(&report.diagnostics, &report.warnings, options);
    let answer = show::answer(report, options);
    // Whoever closed the pipe does not want to read on.
    let _ = anstream::stderr().write_all(remarks.as_bytes());
    let _ = anstream::stdout().write_all(answer.as_bytes());
}

fn print_json(value: &impl serde::Serialize) {
    if let Some(text) = say::json(value) {
        let _ = io::stdout().write_all(text.as_bytes());
    }
}

/// The line by which SV-COMP's tools know the answer; it does not spoil what programs read.
fn print_answer(property: &Property, report: &VerifyReport, format: OutputFormat) {
    let line = format!("VERDICT: {}\n", property.answer(report));
    let _ = match format {
        OutputFormat::Text => anstream::stdout().write_all(line.as_bytes()),
        OutputFormat::Json | OutputFormat::Sarif => anstream::stderr().write_all(line.as_bytes()),
    };
}

/// Where the text of stages goes.
struct Log {
    /// Standard error if `None`.
    file: Option<BufWriter<File>>,
    failure: Option<io::Error>,
}

impl Log {
    fn open(verify: &VerifyArguments) -> Result<Self, String> {
        let file = match &verify.log_file {
            Some(path) => {
                let file = File::create(path)
                    .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
                Some(BufWriter::new(file))
            }
            None => None,
        };
        Ok(Log { file, failure: None })
    }

    fn write(&mut self, log: &LogText) {
        let mut text = String::new();
        if !log.title.is_empty() {
            // Titles are comments in the language of the stage, so that its tools can read the file.
            let comment = if log.stage == LogStage::Smt { ";" } else { "//" };
            text.push_str(&format!("{comment} {}: {}\n", log.stage.name(), log.title));
        }
        text.push_str(&log.text);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let written = match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => io::stderr().write_all(text.as_bytes()),
        };
        if let Err(error) = written {
            self.failure.get_or_insert(error);
        }
    }

    fn finish(mut self) {
        if let Some(Err(error)) = self.file.as_mut().map(Write::flush) {
            self.failure.get_or_insert(error);
        }
        if let Some(error) = self.failure {
            say::warning(&format!("the log is not complete: {error}"));
        }
    }
}
