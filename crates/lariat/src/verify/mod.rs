//! `lariat verify`.

mod coverage;
mod project;
mod project_view;
mod view;

use lariat_c_evidence::harness::confirm_report;
use lariat_c_evidence::svcomp::Property;
use lariat_options::{Check, CheckSelector};
use lariat_queue::{Answer, Work};
use lariat_report::{AssertSelector, Engine, OnOff, VerifyReport, VerifyRequest};
use lariat_worker::{Order, Outcome, StopSignal};

use crate::arguments::{Arguments, VerifyArguments};
use crate::cluster;
use crate::command::{self, Command, OutputArguments};
use crate::evidence::{self, WitnessPath};
use crate::exit::ExitCode;
use crate::format::OutputFormat;
use crate::log::Log;
use crate::say;
use crate::view::View;

pub use view::{add_assumptions, add_externals, view};

pub fn run(arguments: &VerifyArguments, common: &Arguments) -> ExitCode {
    if project::is_wanted(arguments) {
        if arguments.cluster.on.is_some() {
            return say::usage_error(
                "`--on` is for one program; whole projects are verified on this machine",
            );
        }
        return project::run(arguments, common);
    }
    let prepared =
        Verify::new(arguments).and_then(|verify| Ok((verify, Log::open(arguments.log_file.as_deref())?)));
    match prepared {
        Ok((verify, log)) => match &arguments.cluster.on {
            Some(on) => run_on(on, &verify, common),
            None => command::run(&verify, common, log),
        },
        Err(message) => say::usage_error(&message),
    }
}

/// Lets a worker of the server do it.
fn run_on(on: &str, verify: &Verify<'_>, common: &Arguments) -> ExitCode {
    if !verify.order.request.log.is_empty() {
        return say::usage_error("`--log` needs the work to be done here, so it does not go with `--on`");
    }
    let stop = StopSignal::new();
    let work = Work::Verify(Box::new(verify.order.clone()));
    match cluster::one(on, work, &stop, common) {
        Ok(Some(Answer::Verify(outcome))) => command::finish(verify, *outcome, &stop, common),
        Ok(_) => ExitCode::Interrupted,
        Err(message) => say::usage_error(&message),
    }
}

struct Verify<'a> {
    arguments: &'a VerifyArguments,
    property: Option<Property>,
    order: Order<VerifyRequest>,
}

impl<'a> Verify<'a> {
    fn new(arguments: &'a VerifyArguments) -> Result<Self, String> {
        let property = match &arguments.property {
            Some(path) => Some(evidence::read_property(path)?),
            None if arguments.witness.is_empty() => None,
            None => Some(default_property(arguments)?),
        };
        let request = request(arguments, property.as_ref())?;
        Ok(Verify {
            order: arguments.limits.order(request),
            arguments,
            property,
        })
    }

    fn write_harness(&self, report: &mut VerifyReport) {
        let Some(path) = &self.arguments.harness else {
            return;
        };
        match confirm_report(report, &self.order.request, path) {
            Ok(true) => {}
            Ok(false) => say::warning("there is no failure, so no harness is written"),
            Err(error) => say::warning(&format!("cannot write the harness {}: {error}", path.display())),
        }
    }

    fn write_witnesses(&self, report: &VerifyReport) {
        let Some(property) = &self.property else {
            return;
        };
        let paths = match self.arguments.witness.as_slice() {
            [] => WitnessPath::usual(),
            paths => paths.to_vec(),
        };
        if let Err(message) = evidence::write_witnesses(report, &self.order.request, property, &paths) {
            say::warning(&message);
        }
    }
}

impl Command for Verify<'_> {
    type Request = VerifyRequest;

    fn order(&self) -> &Order<VerifyRequest> {
        &self.order
    }

    fn output(&self) -> &OutputArguments {
        &self.arguments.output
    }

    fn complete(&self, outcome: &mut Outcome, stop: &StopSignal, common: &Arguments) {
        if self.arguments.coverage || self.arguments.output.has_page() {
            coverage::add(outcome, &self.order, stop, common);
        }
        self.write_harness(&mut outcome.report);
        self.write_witnesses(&outcome.report);
    }

    fn view<'r>(&'r self, report: &'r VerifyReport) -> View<'r> {
        view(report)
    }

    /// The line by which SV-COMP's tools know the answer.
    fn last_line(&self, report: &VerifyReport) -> Option<String> {
        let property = self.property.as_ref()?;
        Some(format!("VERDICT: {}\n", property.answer(report)))
    }

    fn exit_code(&self, report: &VerifyReport) -> ExitCode {
        ExitCode::of_verdict(&report.verdict, self.arguments.bounded_ok)
    }
}

/// The property of a witness if none is given: that of the checks.
fn default_property(verify: &VerifyArguments) -> Result<Property, String> {
    let is_restricted = !verify.c.error_function.is_empty()
        || !verify.entry.is_empty()
        || verify.error_variable.is_some()
        || !verify.assert.is_empty();
    let name = match verify.c.check[..] {
        _ if is_restricted => None,
        [] | [CheckSelector::One(Check::Reach)] => Some("unreach-call"),
        [CheckSelector::Memory] => Some("valid-memsafety"),
        [CheckSelector::One(Check::Overflow)] => Some("no-overflow"),
        _ => None,
    };
    name.and_then(Property::named).ok_or_else(|| {
        "`--witness` needs a `--property`, or one of `--check reach`, `memory` and `overflow`, and takes the whole program"
            .to_owned()
    })
}

fn request(verify: &VerifyArguments, property: Option<&Property>) -> Result<VerifyRequest, String> {
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
    let asserts = verify.assert.iter().map(|text| AssertSelector::parse(text));
    let mut request = VerifyRequest {
        files: verify.files.clone(),
        language: verify.language,
        entries,
        c,
        error_variable: verify.error_variable.clone(),
        asserts: asserts.collect(),
        all: verify.all,
        log: verify.log.clone(),
        trace: verify.trace,
        steps: verify.output.has_page(),
        front_end_only: verify.check_only,
        color: verify.output.color(),
        ..verify.search.request(engine)
    };
    if (verify.harness.is_some() || property.is_some()) && !request.is_c() {
        return Err("`--harness` and `--property` are for programs in C (`.c` or `.i`)".to_owned());
    }
    request.deepen = verify.search.bound.is_none() && request.is_c();
    let unused = match request.is_c() {
        true => Vec::new(),
        false => verify.c.given(),
    };
    let unused = unused
        .iter()
        .map(|flag| format!("`{flag}` has no effect: the program is not in C"));
    for message in verify.search.without_effect(engine).into_iter().chain(unused) {
        say::warning(&message);
    }
    let is_one_search = engine != Engine::Chc && request.search.abstraction != OnOff::On;
    if request.search.split.is_some() && !is_one_search {
        say::warning("`--split` has no effect with `--engine chc` and `--abstraction on`");
    }
    if verify.output.suppressed && verify.output.output_format != OutputFormat::Sarif {
        say::warning("`--suppressed` has no effect without `--output-format sarif`");
    }
    Ok(request)
}
