//! What summaries cost and prove: one line for each file.
//!
//! `cargo run --release -p lariat-summaries --example cost -- [--facts] [--total RLIMIT] [--effort RLIMIT] FILE...`

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lariat_base::{Budget, SourceMap};
use lariat_ir::{AssertKind, EntryMark, ProcId, Program};
use lariat_passes::{Goal, PrepareOptions, prepare};
use lariat_summaries::{Inductive, SummaryOptions, check_inductive, infer};
use lariat_vc::Problem;

#[path = "../tests/support/solver_options.rs"]
mod solver_options;

/// How long the check of the result may take.
const CHECK_TIME: Duration = Duration::from_secs(60);

#[allow(clippy::print_stdout, clippy::print_stderr)]
fn main() -> ExitCode {
    let mut total = None;
    let mut effort = None;
    let mut show_facts = false;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--facts" => show_facts = true,
            "--effort" => effort = args.next().and_then(|text| text.parse().ok()),
            "--total" => total = args.next().and_then(|text| text.parse().ok()),
            _ => files.push(arg),
        }
    }
    println!(
        "{:<40} {:>6} {:>7} {:>6} {:>7} {:>7} {:>6} {:>7} {:>9} {:>6} {:>6} {:>6} {:>6}  {:<8} goal",
        "file",
        "procs",
        "cands",
        "kept",
        "queries",
        "seconds",
        "cpu",
        "solver",
        "effort",
        "guess",
        "post",
        "pre",
        "min",
        "fixpoint"
    );
    for file in &files {
        match run(file, total, effort, show_facts) {
            Ok(line) => println!("{line}"),
            Err(reason) => println!("{file}: {reason}"),
        }
    }
    ExitCode::SUCCESS
}

fn run(file: &str, total: Option<u64>, effort: Option<u32>, show_facts: bool) -> Result<String, String> {
    let mut problem = problem(file)?;
    let mut options = SummaryOptions::new(solver_options::solver_options());
    options.effort = total.unwrap_or(options.effort);
    options.query_effort = effort;
    let before = cpu_seconds();
    let stats = infer(&mut problem, &options, &Budget::unlimited());
    let cpu = cpu_seconds() - before;
    let started = Instant::now();
    let budget = Budget::new(Some(CHECK_TIME), None);
    let answer = check_inductive(
        &problem,
        &problem.summaries,
        true,
        &options.solver_options,
        &budget,
    );
    let seconds = started.elapsed().as_secs_f64();
    let goal = match answer {
        Ok(Inductive::Yes) => "proved".to_owned(),
        Ok(Inductive::No { fact: None, .. }) => "open".to_owned(),
        Ok(Inductive::No { proc, fact }) => {
            format!("NOT INDUCTIVE {} {fact:?}", problem.program.procs[proc].name)
        }
        Ok(Inductive::Unknown { proc, reason }) => {
            let proc = proc.map_or("?".to_owned(), |proc| {
                problem.program.procs[proc].name.to_string()
            });
            format!("unknown ({proc}: {reason})")
        }
        Err(error) => error.to_string(),
    };
    let name = Path::new(file)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut line = format!(
        "{name:<40} {:>6} {:>7} {:>6} {:>7} {:>7.2} {cpu:>6.2} {:>7.2} {:>9} {:>6.2} {:>6.2} {:>6.2} {:>6.2}  {:<8} {goal} ({seconds:.2} s)",
        stats.procedures,
        stats.candidates,
        stats.kept,
        stats.queries,
        stats.seconds,
        stats.solver_seconds,
        stats.solver_effort,
        stats.candidate_seconds,
        stats.post_seconds,
        stats.precondition_seconds,
        stats.minimise_seconds,
        stats.fixpoint,
    );
    if let Some(failure) = &stats.failure {
        line += &format!(" failed: {failure}");
    }
    if show_facts {
        for proc in problem.program.procs.keys() {
            if let Some(summary) = &problem.summaries[proc] {
                line += &format!("\n  {}", problem.program.procs[proc].name);
                for &fact in &summary.facts {
                    line += &format!("\n    {}", problem.program.pool.term_text(fact));
                }
            }
        }
    }
    Ok(line)
}

/// Processor time of this process in seconds, where the system tells: unlike the clock it means something
/// on a busy machine.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may have spaces.
    let rest = text.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = rest
        .split_ascii_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// The question that `lariat verify` asks about the file.
fn problem(file: &str) -> Result<Problem, String> {
    let mut sources = SourceMap::new();
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let id = sources.add(file, text);
    let (syntax, _) = lariat_boogie::parser::parse(&sources, id);
    let (typed, _) = lariat_boogie::check_completing_modifies(&syntax);
    let typed = typed.ok_or("it is not a correct program")?;
    let lowered = lariat_lower::lower(&typed)
        .map_err(|_| "it cannot be lowered")?
        .program;
    let entry = entry(&lowered).ok_or("it has no entry")?;
    let has_asserts = lowered
        .asserts
        .values()
        .any(|assert| !matches!(assert.kind, AssertKind::Unsupported(_)));
    let goal = if has_asserts {
        Goal::AssertionFails { checked: None }
    } else {
        Goal::EntryReturns
    };
    let prepared = prepare(&lowered, entry, &goal, &PrepareOptions::default());
    Ok(Problem::from(prepared))
}

fn entry(program: &Program) -> Option<ProcId> {
    for mark in [EntryMark::Implementation, EntryMark::Procedure] {
        let marked = program
            .procs
            .iter()
            .find(|(_, proc)| proc.entry_mark == Some(mark));
        if let Some((id, _)) = marked {
            return Some(id);
        }
    }
    program.proc_by_name("main")
}
