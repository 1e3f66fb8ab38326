//! `lariat bench --table` and `--generate`: one technique measured, one program printed.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use lariat_bench::tables::{
    ChainSizes, MergeLimits, QueueCosts, RefinementLimits, RowChoice, TableRunner, Truth, measure_ablation,
    measure_abstraction, measure_angelic, measure_budgets, measure_chain, measure_concurrent,
    measure_inlining, measure_levels, measure_merge, measure_minimise, measure_optimality,
    measure_refinement, measure_refinement_of, measure_run, measure_search, measure_two_phase_commit,
    measure_unbounded, simulate_workers,
};
use lariat_bench::{Family, Manifest, read_records};
use lariat_report::Engine;
use lariat_worker::StopSignal;

use crate::angelic;
use crate::arguments::{Arguments, BenchArguments, TableArgument};
use crate::bench::read_manifests;
use crate::command::{supervisor, write_file};
use crate::exit::ExitCode;
use crate::say;

/// Prints the program that `--generate FAMILY N` asks for.
pub fn generate(wanted: &[String]) -> Result<ExitCode, String> {
    let [family, size] = wanted else {
        return Err("--generate takes a family and a number, as in `--generate chain 1000`".into());
    };
    let families = || Family::ALL.map(Family::name).join(", ");
    let program = Family::by_name(family).ok_or_else(|| {
        format!(
            "there is no family `{family}` of programs; the families are {}",
            families()
        )
    })?;
    let size: u32 = size.parse().map_err(|_| {
        format!("`{size}` is not the size of a program: write a number, as in `{family} 1000`")
    })?;
    let mut output = BufWriter::new(io::stdout().lock());
    say::written(program.write(size, &mut output).and_then(|()| output.flush()))?;
    Ok(ExitCode::Success)
}

/// Measures what `--table` asks for and prints it.
pub fn run(table: TableArgument, bench: &BenchArguments, common: &Arguments) -> Result<ExitCode, String> {
    let takes_sizes = matches!(
        table,
        TableArgument::Chain
            | TableArgument::Refinement
            | TableArgument::Run
            | TableArgument::TwoPhaseCommit
            | TableArgument::Workers
    );
    if (bench.sizes.is_some() && !takes_sizes)
        || (bench.tree_sizes.is_some() && table != TableArgument::Chain)
    {
        return Err("this table has no sizes to choose".into());
    }
    let takes_paths = matches!(
        table,
        TableArgument::Merge
            | TableArgument::AblationSearch
            | TableArgument::Abstraction
            | TableArgument::Inlining
            | TableArgument::Budgets
            | TableArgument::Unbounded
            | TableArgument::Concurrent
            | TableArgument::Angelic
            | TableArgument::Handshake
            | TableArgument::Minimise
            | TableArgument::Optimality
            | TableArgument::Ablation
            | TableArgument::TwoPhaseCommit
            | TableArgument::Workers
    );
    // Of generated programs or of those of manifests.
    let may_take_paths = table == TableArgument::Refinement;
    if takes_paths == bench.manifests.is_empty() && !may_take_paths {
        return Err(match table {
            TableArgument::Merge
            | TableArgument::AblationSearch
            | TableArgument::Abstraction
            | TableArgument::Inlining
            | TableArgument::Budgets => "this table needs folders that hold a manifest, or manifests".into(),
            TableArgument::Unbounded => "`--table unbounded` needs folders of programs".into(),
            TableArgument::Concurrent => "`--table concurrent` needs folders of programs".into(),
            TableArgument::Angelic => "`--table angelic` needs folders that hold a NAME.truth.toml".into(),
            TableArgument::Handshake
            | TableArgument::Minimise
            | TableArgument::Optimality
            | TableArgument::Ablation => {
                "this table needs project files (NAME.conform), or folders that hold them".into()
            }
            TableArgument::Workers => "`--table workers` needs output folders of earlier runs".into(),
            TableArgument::TwoPhaseCommit => {
                "`--table two-phase-commit` needs the folder of coordinator.c and participant.c".into()
            }
            _ => "this table is about generated programs and takes no folders".into(),
        });
    }
    let settings = bench.search.request(Engine::default());
    let mut announce = |what: &str| {
        if common.verbose {
            anstream::eprintln!("{what}");
        }
    };
    let text = match table {
        TableArgument::Merge => {
            let limits = MergeLimits {
                time: bench.time_limit,
                nodes: MergeLimits::NODES,
            };
            let manifests = read_manifests(bench)?;
            let (bound, filter) = (bench.search.bound, bench.filter.as_deref());
            measure_merge(&manifests, &settings, bound, filter, limits, &mut announce).to_string()
        }
        TableArgument::Abstraction => {
            let manifests = read_manifests(bench)?;
            let choice = row_choice(&manifests, bench);
            measure_abstraction(&choice, bench.time_limit, &settings, &mut announce).to_string()
        }
        TableArgument::Refinement if !bench.manifests.is_empty() => {
            let manifests = read_manifests(bench)?;
            let choice = row_choice(&manifests, bench);
            let (table, failed) = measure_refinement_of(&choice, bench.time_limit, &settings, &mut announce);
            with_lines(&table.to_string(), &failed)
        }
        TableArgument::Refinement => {
            let mut limits = RefinementLimits::new(bench.time_limit);
            if let Some(sizes) = &bench.sizes {
                limits.globals = sizes.iter().map(|&size| size as usize).collect();
            }
            let (table, failed) =
                measure_refinement(&limits, &settings, &mut announce).map_err(|error| error.to_string())?;
            with_lines(&table.to_string(), &failed)
        }
        TableArgument::Workers => workers(bench)?,
        TableArgument::Run => {
            let rounds = bench.sizes.as_ref().and_then(|sizes| sizes.first().copied());
            measure_run(rounds, &settings, bench.time_limit, &mut announce)
                .map_err(|error| error.to_string())?
                .to_string()
        }
        _ => {
            let mut runner = TableRunner {
                supervisor: &supervisor().map_err(|error| error.to_string())?,
                stop: &StopSignal::new(),
                settings: &settings,
                time_limit: bench.time_limit,
                memory_limit: bench.memory_limit,
                announce: &mut announce,
            };
            supervised_table(table, bench, &mut runner)?
        }
    };
    say::result(&text)?;
    Ok(ExitCode::Success)
}

/// The rows that the user has chosen.
fn row_choice<'a>(manifests: &'a [Manifest], bench: &'a BenchArguments) -> RowChoice<'a> {
    RowChoice {
        manifests,
        bound: bench.search.bound,
        filter: bench.filter.as_deref(),
    }
}

fn with_lines(table: &str, lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("{table}{lines}")
}

/// How many tasks `--table workers` simulates: a large suite.
const SIMULATED_TASKS: usize = 15_000;

/// Simulates many workers, with the curve as a page if the user wants one.
fn workers(bench: &BenchArguments) -> Result<String, String> {
    let mut records = Vec::new();
    for folder in &bench.manifests {
        let path = folder.join("results.jsonl");
        let read = read_records(&path);
        records.extend(read.map_err(|error| format!("cannot read {}: {error}", path.display()))?);
    }
    if records.is_empty() {
        return Err("the folders hold no results of this version".into());
    }
    let usual = || (0..=8).map(|power| 1 << power).collect();
    let sizes = bench.sizes.as_ref();
    let numbers: Vec<usize> =
        sizes.map_or_else(usual, |sizes| sizes.iter().map(|&size| size as usize).collect());
    let table = simulate_workers(&records, SIMULATED_TASKS, &numbers, &QueueCosts::default());
    if let Some(path) = &bench.report {
        write_file(path, &table.page())?;
    }
    Ok(table.to_string())
}

/// The tables whose rows run in child processes.
fn supervised_table(
    table: TableArgument,
    bench: &BenchArguments,
    runner: &mut TableRunner<'_>,
) -> Result<String, String> {
    let (paths, filter) = (&bench.manifests, bench.filter.as_deref());
    match table {
        TableArgument::Chain => {
            let usual = ChainSizes::default();
            let sizes = ChainSizes {
                dag: bench.sizes.clone().unwrap_or(usual.dag),
                tree: bench.tree_sizes.clone().unwrap_or(usual.tree),
            };
            let table = measure_chain(&sizes, runner).map_err(|error| error.to_string())?;
            Ok(table.to_string())
        }
        TableArgument::Concurrent => {
            let table = measure_concurrent(paths, runner).map_err(|error| error.to_string())?;
            Ok(table.to_string())
        }
        TableArgument::Inlining => {
            let table = measure_inlining(&row_choice(&read_manifests(bench)?, bench), runner)?;
            if let Some(path) = &bench.report {
                write_file(path, &table.page())?;
            }
            Ok(table.to_string())
        }
        TableArgument::Budgets => {
            let table = measure_budgets(&row_choice(&read_manifests(bench)?, bench), runner)?;
            if let Some(path) = &bench.report {
                write_file(path, &table.page())?;
            }
            Ok(table.to_string())
        }
        TableArgument::Handshake => Ok(measure_levels(paths, filter, runner)?.to_string()),
        TableArgument::Minimise => Ok(measure_minimise(paths, filter, runner)?.to_string()),
        TableArgument::Optimality => Ok(measure_optimality(paths, filter, runner)?.to_string()),
        TableArgument::Ablation => Ok(measure_ablation(paths, filter, runner)?.to_string()),
        TableArgument::AblationSearch => {
            let manifests = read_manifests(bench)?;
            let table = measure_search(&manifests, bench.search.bound, filter, runner);
            Ok(table.map_err(|error| error.to_string())?.to_string())
        }
        TableArgument::Angelic => of_each(paths, |folder| {
            let truth = Truth::read(folder)?;
            let request = angelic::request_for(&truth.programs(folder))?;
            Ok(measure_angelic(folder, &truth, &request, runner)?.to_string())
        }),
        TableArgument::TwoPhaseCommit => of_each(paths, |folder| {
            let sizes = bench.sizes.clone().unwrap_or_else(|| (2..=8).collect());
            Ok(measure_two_phase_commit(folder, &sizes, runner)?.to_string())
        }),
        _ => {
            let table = measure_unbounded(paths, runner).map_err(|error| error.to_string())?;
            Ok(table.to_string())
        }
    }
}

/// One table after the other.
fn of_each(
    paths: &[PathBuf],
    mut measure: impl FnMut(&PathBuf) -> Result<String, String>,
) -> Result<String, String> {
    paths.iter().map(&mut measure).collect()
}
