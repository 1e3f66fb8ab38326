//! `lariat bench --table` and `--generate`: one technique measured, one program printed.

use std::io::{self, BufWriter, Write};

use lariat_bench::Family;
use lariat_bench::tables::{
    ChainSizes, MergeLimits, RefinementLimits, TableRunner, Truth, measure_angelic, measure_chain,
    measure_levels, measure_merge, measure_minimise, measure_refinement, measure_two_phase_commit,
    measure_unbounded,
};
use lariat_report::{AngelicRequest, ConformRequest, Engine};
use lariat_worker::{StopSignal, Supervisor};

use crate::angelic;
use crate::arguments::{Arguments, BenchArguments, TableArgument};
use crate::bench::read_manifests;
use crate::conform;
use crate::exit::ExitCode;

/// Prints the program that `--generate FAMILY N` asks for.
pub fn generate(wanted: &[String]) -> Result<ExitCode, String> {
    let [family, size] = wanted else {
        return Err("--generate takes a family and a number, as in `--generate chain 1000`".into());
    };
    let families = || Family::ALL.map(Family::name).join(", ");
    let program = Family::by_name(family).ok_or_else(|| {
        format!(
            "there is no family `{family}` of programs; there is: {}",
            families()
        )
    })?;
    let size: u32 = size
        .parse()
        .map_err(|_| format!("`{size}` is no size of a program: write a number, as in `{family} 1000`"))?;
    let mut output = BufWriter::new(io::stdout().lock());
    match program.write(size, &mut output).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write: {error}")),
        _ => Ok(ExitCode::Success),
    }
}

/// Measures what `--table` asks for and prints it.
pub fn run(table: TableArgument, bench: &BenchArguments, common: &Arguments) -> Result<ExitCode, String> {
    let takes_sizes = matches!(
        table,
        TableArgument::Chain | TableArgument::Refinement | TableArgument::TwoPhaseCommit
    );
    if (bench.sizes.is_some() && !takes_sizes)
        || (bench.tree_sizes.is_some() && table != TableArgument::Chain)
    {
        return Err("this table has no sizes to choose".into());
    }
    let takes_paths = matches!(
        table,
        TableArgument::Merge
            | TableArgument::Unbounded
            | TableArgument::Angelic
            | TableArgument::Handshake
            | TableArgument::Minimise
            | TableArgument::TwoPhaseCommit
    );
    if takes_paths == bench.manifests.is_empty() {
        return Err(match table {
            TableArgument::Merge => "`--table merge` needs folders that hold a manifest, or manifests".into(),
            TableArgument::Unbounded => "`--table unbounded` needs folders of programs".into(),
            TableArgument::Angelic => "`--table angelic` needs folders that hold a NAME.truth.toml".into(),
            TableArgument::Handshake | TableArgument::Minimise => {
                "this table needs project files (NAME.conform), or folders that hold them".into()
            }
            TableArgument::TwoPhaseCommit => {
                "`--table two-phase-commit` needs the folder of coordinator.c and participant.c".into()
            }
            _ => "this table is about generated programs and takes no folders".into(),
        });
    }
    let settings = bench.search.request(Engine::default());
    let mut tell = |what: &str| {
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
            measure_merge(&manifests, &settings, bound, filter, limits, &mut tell).to_string()
        }
        TableArgument::Refinement => {
            let mut limits = RefinementLimits::new(bench.time_limit);
            if let Some(sizes) = &bench.sizes {
                limits.globals = sizes.iter().map(|&size| size as usize).collect();
            }
            let (table, failed) =
                measure_refinement(&limits, &settings, &mut tell).map_err(|error| error.to_string())?;
            format!(
                "{table}{}",
                failed.iter().map(|line| format!("{line}\n")).collect::<String>()
            )
        }
        TableArgument::Angelic => {
            let mut text = String::new();
            for folder in &bench.manifests {
                let truth = Truth::read(folder)?;
                let request = angelic::request_for(&truth.programs(folder))?;
                let mut run = |request: &AngelicRequest| angelic::measured(request, bench.time_limit);
                text += &measure_angelic(&truth, &request, &mut run, &mut tell)?.to_string();
            }
            text
        }
        TableArgument::Handshake | TableArgument::Minimise | TableArgument::TwoPhaseCommit => {
            let mut run =
                |request: &ConformRequest| conform::measured(request, bench.time_limit, bench.memory_limit);
            let (paths, filter) = (&bench.manifests, bench.filter.as_deref());
            match table {
                TableArgument::Handshake => measure_levels(paths, filter, &mut run, &mut tell)?.to_string(),
                TableArgument::Minimise => measure_minimise(paths, filter, &mut run, &mut tell)?.to_string(),
                _ => {
                    let sizes = bench.sizes.clone().unwrap_or_else(|| (2..=8).collect());
                    let mut text = String::new();
                    for folder in paths {
                        text += &measure_two_phase_commit(folder, &sizes, &mut run, &mut tell)?.to_string();
                    }
                    text
                }
            }
        }
        TableArgument::Chain | TableArgument::Unbounded => {
            let supervisor = Supervisor::of_this_program(["__worker"]).map_err(|error| error.to_string())?;
            let mut runner = TableRunner {
                supervisor: &supervisor,
                stop: &StopSignal::new(),
                settings: &settings,
                time_limit: bench.time_limit,
                memory_limit: bench.memory_limit,
                tell: &mut tell,
            };
            let measured = if table == TableArgument::Chain {
                let usual = ChainSizes::default();
                let sizes = ChainSizes {
                    dag: bench.sizes.clone().unwrap_or(usual.dag),
                    tree: bench.tree_sizes.clone().unwrap_or(usual.tree),
                };
                measure_chain(&sizes, &mut runner).map(|table| table.to_string())
            } else {
                measure_unbounded(&bench.manifests, &mut runner).map(|table| table.to_string())
            };
            measured.map_err(|error| error.to_string())?
        }
    };
    let _ = anstream::stdout().write_all(text.as_bytes());
    Ok(ExitCode::Success)
}
