//! [Dag15] Fig. 17: how many procedures the merging strategies inline when everything within the bound
//! is inlined.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use lariat_base::Budget;
use lariat_engine::{FullInlining, Incomplete, MergePolicy, OptimalLimits};
use lariat_report::{Engine, VerifyRequest};
use lariat_verify::problems;

use super::short_name;
use crate::manifest::{Manifest, Task};

/// The strategies that are compared with `OPT`, the columns of the table.
const STRATEGIES: [(&str, MergePolicy); 4] = [
    ("FIRST", MergePolicy::First),
    ("MAXC", MergePolicy::Maxc),
    ("RANDOM", MergePolicy::Random),
    ("RANDOMPICK", MergePolicy::Randompick),
];

/// Random strategies are run this often, and the mean counts.
const RANDOM_RUNS: u32 = 5;

/// Limits of one cell of the table.
#[derive(Clone, Copy, Debug)]
pub struct MergeLimits {
    pub time: Duration,
    pub nodes: usize,
}

impl MergeLimits {
    pub const NODES: usize = 200_000;

    fn optimal(self) -> OptimalLimits {
        OptimalLimits {
            nodes: self.nodes,
            ..OptimalLimits::default()
        }
    }
}

/// A number of nodes, the root included.
pub type Size = Result<f64, Incomplete>;

/// One program.
#[derive(Clone, Debug)]
pub struct MergeRow {
    pub program: String,
    pub bound: u32,
    pub tree: Size,
    /// In the order of the strategies.
    pub sizes: [Size; 4],
    pub optimal: Size,
}

#[derive(Clone, Debug, Default)]
pub struct MergeTable {
    pub rows: Vec<MergeRow>,
    /// Programs that could not be read, and why.
    pub failed: Vec<(String, String)>,
}

/// Inlines everything in the programs of manifests. `bound` overrides those of the rows.
pub fn measure_merge(
    manifests: &[Manifest],
    settings: &VerifyRequest,
    bound: Option<u32>,
    filter: Option<&str>,
    limits: MergeLimits,
    announce: &mut dyn FnMut(&str),
) -> MergeTable {
    let mut table = MergeTable::default();
    let mut seen: Vec<(PathBuf, u32)> = Vec::new();
    for manifest in manifests {
        for row in &manifest.rows {
            if filter.is_some_and(|filter| !row.file.contains(filter)) {
                continue;
            }
            let request = match row.task(&manifest.folder, settings, bound) {
                Task::Verify(request) if !request.front_end_only => VerifyRequest {
                    engine: Engine::Dag,
                    ..*request
                },
                _ => continue,
            };
            let asked = (manifest.folder.join(&row.file), request.bound);
            if !seen.contains(&asked) {
                let program = short_name(&asked.0);
                seen.push(asked);
                announce(&program);
                table.add(program, &request, limits);
            }
        }
    }
    table
}

impl MergeTable {
    fn add(&mut self, program: String, request: &VerifyRequest, limits: MergeLimits) {
        let problems = match problems(request) {
            Ok(problems) => problems,
            Err(reason) => return self.failed.push((program, reason)),
        };
        let several = problems.len() > 1;
        for one in problems {
            let program = if several {
                format!("{program}:{}", one.entry)
            } else {
                program.clone()
            };
            let budget = Budget::new(Some(limits.time), None);
            match FullInlining::new(one.problem, one.options, &budget) {
                Ok(full) => self.rows.push(measure(program, request.bound, &full, limits)),
                Err(exhausted) => self.failed.push((program, exhausted.to_string())),
            }
        }
    }

    /// How far a strategy is above `OPT` on average, as a fraction, and over how many programs. Programs without calls do
    /// not count.
    pub fn deviation(&self, strategy: usize) -> Option<(f64, usize)> {
        let deviations: Vec<f64> = self
            .rows
            .iter()
            .filter(|row| row.optimal.as_ref().is_ok_and(|&nodes| nodes > 1.0))
            .filter_map(|row| Some(row.sizes[strategy].ok()? / row.optimal.ok()? - 1.0))
            .collect();
        let count = deviations.len();
        (count > 0).then(|| (deviations.iter().sum::<f64>() / count as f64, count))
    }
}

fn measure(program: String, bound: u32, full: &FullInlining, limits: MergeLimits) -> MergeRow {
    let budget = || Budget::new(Some(limits.time), None);
    let sizes = STRATEGIES.map(|(_, merge)| {
        let runs = match merge {
            MergePolicy::Random | MergePolicy::Randompick => RANDOM_RUNS,
            _ => 1,
        };
        let budget = budget();
        let mut total = 0.0;
        for seed in 1..=runs {
            total += full.grow(merge, seed, limits.nodes, &budget)?.nodes.len() as f64;
        }
        Ok(total / f64::from(runs))
    });
    let optimal = full.optimal(limits.optimal(), &budget());
    MergeRow {
        program,
        bound,
        tree: full.tree_size(limits.optimal(), &budget()),
        sizes,
        optimal: optimal.map(|optimal| optimal.size() as f64),
    }
}

fn size_text(size: &Size) -> String {
    match size {
        Ok(size) if *size < 1e7 => format!("{size:.0}"),
        Ok(size) => format!("{size:.1e}"),
        Err(Incomplete::Exhausted(_)) => "T/O".into(),
        Err(Incomplete::TooLarge) => "too large".into(),
    }
}

impl fmt::Display for MergeTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.program.chars().count());
        let width = names.max().unwrap_or(0).max("deviation from OPT".len());
        write!(f, "{:width$}{:>6}{:>10}", "program", "bound", "Tree")?;
        for (name, _) in STRATEGIES {
            write!(f, "{name:>11}")?;
        }
        writeln!(f, "{:>11}", "OPT")?;
        for row in &self.rows {
            write!(
                f,
                "{:width$}{:>6}{:>10}",
                row.program,
                row.bound,
                size_text(&row.tree)
            )?;
            for size in row.sizes.iter().chain([&row.optimal]) {
                write!(f, "{:>11}", size_text(size))?;
            }
            writeln!(f)?;
        }
        write!(f, "{:width$}{:>16}", "deviation from OPT", "")?;
        for strategy in 0..STRATEGIES.len() {
            let text = match self.deviation(strategy) {
                Some((share, _)) => format!("{:+.1} %", 100.0 * share),
                None => String::new(),
            };
            write!(f, "{text:>11}")?;
        }
        writeln!(f)?;
        write!(f, "{:width$}{:>16}", "  over programs", "")?;
        for strategy in 0..STRATEGIES.len() {
            let count = self.deviation(strategy).map_or(0, |(_, count)| count);
            write!(f, "{count:>11}")?;
        }
        writeln!(f)?;
        for (program, reason) in &self.failed {
            writeln!(f, "{program}: {reason}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_a_mean_over_programs_with_both_sizes() {
        let row = |first: Size, optimal: Size| MergeRow {
            program: "p".into(),
            bound: 1,
            tree: Ok(3e9),
            sizes: [first, Err(Incomplete::TooLarge), Ok(5.0), Ok(5.0)],
            optimal,
        };
        let table = MergeTable {
            rows: vec![
                row(Ok(110.0), Ok(100.0)),
                row(Ok(130.0), Ok(100.0)),
                row(Ok(500.0), Err(Incomplete::TooLarge)),
            ],
            failed: Vec::new(),
        };
        let (share, count) = table.deviation(0).expect("a deviation");
        assert!((share - 0.2).abs() < 1e-9, "{share}");
        assert_eq!(count, 2);
        assert_eq!(table.deviation(1), None);
        let text = table.to_string();
        assert!(
            text.contains("3.0e9") && text.contains("too large") && text.contains("+20.0 %"),
            "{text}"
        );
    }
}
