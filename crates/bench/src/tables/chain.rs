//! [Dag15] Fig. 3: the program of Fig. 2 by a graph of inlined procedures and by a tree.

use std::fmt;
use std::io;

use lariat_report::{Engine, Verdict, VerifyRequest};

use super::{Scratch, TableRunner};
use crate::generate::Family;

/// The best of this many runs with the graph counts: the times are short, and machines are noisy.
const DAG_RUNS: usize = 3;

/// The values of N.
#[derive(Clone, Debug)]
pub struct ChainSizes {
    pub dag: Vec<u32>,
    pub tree: Vec<u32>,
}

impl Default for ChainSizes {
    fn default() -> Self {
        ChainSizes {
            dag: vec![250, 500, 1000, 2000],
            tree: (12..=18).collect(),
        }
    }
}

/// One value of N with one engine.
#[derive(Clone, Debug)]
pub struct ChainRow {
    pub engine: Engine,
    pub size: u32,
    pub verdict: Verdict,
    /// Instances of procedures that were inlined, `main` included.
    pub instances: u64,
    /// Wall time of the process.
    pub seconds: f64,
}

#[derive(Clone, Debug, Default)]
pub struct ChainTable {
    pub rows: Vec<ChainRow>,
}

/// Runs both engines on programs of growing size.
pub fn measure_chain(sizes: &ChainSizes, runner: &mut TableRunner<'_>) -> io::Result<ChainTable> {
    let scratch = Scratch::new("chain")?;
    let mut table = ChainTable::default();
    let runs = [
        (Engine::Dag, &sizes.dag, DAG_RUNS),
        (Engine::Stratified, &sizes.tree, 1),
    ];
    for (engine, sizes, repetitions) in runs {
        for &size in sizes {
            let path = scratch.write(&format!("chain-{size}.bpl"), |output| {
                Family::Chain.write(size, output)
            })?;
            let mut best: Option<ChainRow> = None;
            for _ in 0..repetitions {
                (runner.announce)(&format!("{engine}, N = {size}"));
                let outcome = runner.run(VerifyRequest {
                    files: vec![path.clone()],
                    engine,
                    ..runner.settings.clone()
                })?;
                let row = ChainRow {
                    engine,
                    size,
                    verdict: outcome.report.verdict,
                    instances: outcome.report.stats.inlined,
                    seconds: outcome.seconds,
                };
                let is_better =
                    |best: &ChainRow| (row.is_solved(), best.seconds) > (best.is_solved(), row.seconds);
                if best.as_ref().is_none_or(is_better) {
                    best = Some(row);
                }
            }
            table.rows.extend(best);
        }
    }
    Ok(table)
}

impl ChainRow {
    fn is_solved(&self) -> bool {
        self.verdict == Verdict::Proved
    }

    /// Of the N + 2 procedures.
    fn milliseconds_per_procedure(&self) -> f64 {
        1000.0 * self.seconds / (f64::from(self.size) + 2.0)
    }
}

impl ChainTable {
    /// The first and the last row of an engine with an answer.
    fn ends(&self, engine: Engine) -> Option<(&ChainRow, &ChainRow)> {
        let mut solved = self
            .rows
            .iter()
            .filter(|row| row.engine == engine && row.is_solved());
        let first = solved.next()?;
        Some((first, solved.next_back()?))
    }

    /// How the graph's time per procedure at the largest N compares to that at the smallest.
    pub fn time_per_procedure_ratio(&self) -> Option<f64> {
        let (first, last) = self.ends(Engine::Dag)?;
        Some(last.milliseconds_per_procedure() / first.milliseconds_per_procedure())
    }

    /// By which factor the tree's instances and seconds grow when N grows by one, on average.
    pub fn growth_per_step(&self) -> Option<(f64, f64)> {
        let (first, last) = self.ends(Engine::Stratified)?;
        let steps = f64::from(last.size.checked_sub(first.size)?);
        let growth = |first: f64, last: f64| (last / first).powf(1.0 / steps);
        (steps > 0.0).then(|| {
            (
                growth(first.instances as f64, last.instances as f64),
                growth(first.seconds, last.seconds),
            )
        })
    }
}

impl fmt::Display for ChainTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<12}{:>6}{:>12}{:>10}{:>16}  verdict",
            "engine", "N", "instances", "seconds", "ms/procedure"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<12}{:>6}{:>12}{:>10.3}{:>16.3}  {}",
                row.engine.name(),
                row.size,
                row.instances,
                row.seconds,
                row.milliseconds_per_procedure(),
                row.verdict.word(),
            )?;
        }
        if let (Some(ratio), Some((first, last))) = (self.time_per_procedure_ratio(), self.ends(Engine::Dag))
        {
            writeln!(
                f,
                "dag: time per procedure at N = {} is {ratio:.2} times that at N = {}",
                last.size, first.size
            )?;
        }
        if let (Some((instances, seconds)), Some((first, last))) =
            (self.growth_per_step(), self.ends(Engine::Stratified))
        {
            writeln!(
                f,
                "stratified: from N = {} to {} each step multiplies instances by {instances:.2} and time by {seconds:.2}",
                first.size, last.size
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(engine: Engine, size: u32, instances: u64, seconds: f64) -> ChainRow {
        ChainRow {
            engine,
            size,
            verdict: Verdict::Proved,
            instances,
            seconds,
        }
    }

    #[test]
    fn growth_is_told_from_the_first_to_the_last_row_with_an_answer() {
        let mut table = ChainTable::default();
        assert_eq!(
            (table.time_per_procedure_ratio(), table.growth_per_step()),
            (None, None)
        );
        table.rows = vec![
            row(Engine::Dag, 8, 10, 0.1),
            row(Engine::Dag, 98, 100, 1.5),
            row(Engine::Stratified, 2, 15, 1.0),
            row(Engine::Stratified, 4, 60, 9.0),
            row(Engine::Stratified, 5, 7, 60.0),
        ];
        table.rows[4].verdict = Verdict::unknown(lariat_report::UnknownCause::Time, "time limit reached");
        let ratio = table.time_per_procedure_ratio().expect("a ratio");
        assert!((ratio - 1.5).abs() < 1e-9, "{ratio}");
        let (instances, seconds) = table.growth_per_step().expect("a growth");
        assert!((instances - 2.0).abs() < 1e-9 && (seconds - 3.0).abs() < 1e-9);
    }
}
