//! One program and several opinions: stratified inlining, static inlining, the other engines, brute force.

use std::path::Path;
use std::time::Duration;

use lariat_base::Budget;
use lariat_interp::{Domains, Exploration, ExploreLimits, ExploreVerdict, explore};
use lariat_report::{
    Engine, GoalKind, LogStage, Progress, UnknownCause, Verdict, VerifyReport, VerifyRequest,
};
use num_bigint::BigInt;

use super::engines::{Variant, disagreement};
use lariat_testkit::boogie;
use lariat_testkit::programs::CLOSED_INTS;

/// Statements that brute force may execute.
const STEPS: u64 = 20_000;
/// No program here is worth more; running into it is a failure.
const TIME: Duration = Duration::from_secs(60);
/// Horn clauses need not have an answer.
const CLAUSE_TIME: Duration = Duration::from_millis(500);

/// What is done with a program.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The ways of answering beside the plain engines.
    pub variants: Vec<Variant>,
    pub bound: u32,
    /// All failing assertions, not only the first.
    pub all: bool,
    /// Verify what the printer makes of the program too.
    pub reprint: bool,
    /// Brute force within the small ranges misses nothing.
    pub closed: bool,
    /// Brute force and engines count rounds differently.
    pub counts_otherwise: bool,
}

/// What was seen, to know that the programs are worth their time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    pub verdict: &'static str,
    pub brute_force: BruteForce,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BruteForce {
    Violation,
    CompleteWithout,
    NoneFound,
}

/// Verifies the text as a file in `folder` with the engines and compares; the error says who contradicts whom.
pub fn compare(text: &str, folder: &Path, name: &str, comparison: &Comparison) -> Result<Agreement, String> {
    let file = folder.join(format!("{name}.bpl"));
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let result = compare_file(&file, text, comparison);
    let _ = std::fs::remove_file(&file);
    result
}

fn compare_file(file: &Path, text: &str, comparison: &Comparison) -> Result<Agreement, String> {
    let mut printed = String::new();
    let plain = Variant::plain(Engine::Stratified);
    let stratified = run(file, &plain, comparison, Some(&mut printed));
    well_formed(&stratified)?;
    let fixed = Variant::plain(Engine::Static);
    for variant in std::iter::once(&fixed).chain(&comparison.variants) {
        let other = run(file, variant, comparison, None);
        if variant.engine != Engine::Chc {
            well_formed(&other).map_err(|message| format!("{message} ({variant})"))?;
        }
        if let Some(message) = disagreement(&stratified, &other, variant, comparison.all) {
            return Err(message);
        }
    }
    if comparison.reprint {
        std::fs::write(file, &printed).map_err(|error| error.to_string())?;
        let again = run(file, &plain, comparison, None);
        if again.verdict != stratified.verdict {
            return Err(format!(
                "the printed program is {}, the program itself {}:\n{printed}",
                again.verdict, stratified.verdict
            ));
        }
    }
    let brute_force = against_brute_force(text, &stratified, comparison)?;
    Ok(Agreement {
        verdict: stratified.verdict.word(),
        brute_force,
    })
}

fn run(
    file: &Path,
    variant: &Variant,
    comparison: &Comparison,
    mut printed: Option<&mut String>,
) -> VerifyReport {
    let mut request = VerifyRequest::new(vec![file.to_owned()]);
    variant.apply(&mut request);
    request.bound = comparison.bound;
    request.all = comparison.all;
    if printed.is_some() {
        request.log.push(LogStage::Boogie);
    }
    let is_chc = variant.engine == Engine::Chc;
    let budget = Budget::new(Some(if is_chc { CLAUSE_TIME } else { TIME }), None);
    // With every other seed members take turns.
    let budget = budget.with_cores(1 + variant.seed as usize % 2);
    lariat_verify::verify(&request, &budget, &mut |progress| {
        if let (Progress::Log(log), Some(printed)) = (progress, printed.as_mut())
            && log.stage == LogStage::Boogie
        {
            printed.push_str(&log.text);
        }
    })
}

/// No random program is bad input, and none may leave a doubt.
fn well_formed(report: &VerifyReport) -> Result<(), String> {
    let verdict = &report.verdict;
    match verdict {
        Verdict::Proved | Verdict::Bounded { .. } | Verdict::Bug => {}
        Verdict::Unknown {
            cause: UnknownCause::NothingChecked,
            ..
        } => {}
        Verdict::BadInput => {
            let messages: Vec<&str> = report.errors().map(|error| error.rendered.as_str()).collect();
            return Err(format!("bad input: {}", messages.join("\n")));
        }
        _ => return Err(format!("{}: {verdict}", report.engine)),
    }
    if let Some(failure) = report.failures().find(|failure| !failure.confirmed) {
        return Err(format!("{}: not confirmed: {:?}", report.engine, failure.why_not));
    }
    if verdict.is_bug() != report.failures().next().is_some() {
        return Err(format!(
            "{}: {verdict} with {} failures",
            report.engine,
            report.failures().count()
        ));
    }
    Ok(())
}

fn against_brute_force(
    text: &str,
    report: &VerifyReport,
    comparison: &Comparison,
) -> Result<BruteForce, String> {
    let Some(entry) = report.entries.first() else {
        return Err("no entry was checked".into());
    };
    let asks_return = entry.goal.kind == GoalKind::EntryReturns;
    let violated = |exploration: &Exploration| match exploration.verdict {
        ExploreVerdict::Fails(_) => !asks_return,
        ExploreVerdict::NoFailure { .. } => asks_return && exploration.entry_returns,
    };
    let exploration = brute_force(text, comparison.bound)?;
    let is_bug = report.verdict == Verdict::Bug;
    if violated(&exploration) {
        let excused = comparison.counts_otherwise && matches!(report.verdict, Verdict::Bounded { .. });
        if !is_bug && !excused {
            return Err(format!(
                "brute force finds a violation within the bound, the engines say {}",
                report.verdict
            ));
        }
        return Ok(BruteForce::Violation);
    }
    let complete = exploration.given_up.is_none()
        && !exploration.cut_by_bound
        && (comparison.closed || !exploration.sampled);
    if complete {
        if is_bug {
            return Err("brute force tried everything and finds no violation, the engines say bug".into());
        }
        return Ok(BruteForce::CompleteWithout);
    }
    if report.verdict == Verdict::Proved && violated(&brute_force(text, comparison.bound + 3)?) {
        return Err("brute force finds a violation, the engines say proved".into());
    }
    Ok(BruteForce::NoneFound)
}

fn brute_force(text: &str, bound: u32) -> Result<Exploration, String> {
    let program = boogie::program(text);
    let entry = program.proc_by_name("main").ok_or("there is no main")?;
    let domains = Domains {
        ints: CLOSED_INTS.map(BigInt::from).to_vec(),
        bit_patterns: (0..4).map(BigInt::from).collect(),
        elements: 2,
    };
    let limits = ExploreLimits {
        loop_visits: bound,
        activations: bound,
        steps: STEPS,
    };
    Ok(explore(&program, entry, &domains, &limits, &Budget::unlimited()))
}
