//! [Dag15] Fig. 12 to 16: stratified inlining and DAG inlining, with and without inferred summaries.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use lariat_report::{Engine, Switch};

use super::rows::{RowChoice, Way, lines_of_rows, of_series, plots, run_rows};
use super::{TableRunner, geometric_mean};
use crate::judge::Judgement;
use crate::record::{CaseName, Record};

/// The paper's names: a tree (SI) and a graph (DI), without and with invariants.
const WAYS: [Way; 4] = [
    way("SI-Inv", &[Engine::Stratified], Switch::Off),
    way("DI-Inv", &[Engine::Dag], Switch::Off),
    way("SI+Inv", &[Engine::Stratified], Switch::On),
    way("DI+Inv", &[Engine::Dag], Switch::On),
];

/// What is compared row by row.
const PAIRS: [(usize, usize); 2] = [(0, 1), (2, 3)];

const fn way(name: &'static str, engines: &'static [Engine], summaries: Switch) -> Way {
    Way {
        name,
        engines,
        summaries,
        share: 1,
    }
}

#[derive(Clone, Debug)]
pub struct InliningTable {
    pub records: Vec<Record>,
    pub time_limit: Duration,
}

/// Runs the rows of manifests in the four ways.
pub fn measure_inlining(
    choice: &RowChoice<'_>,
    runner: &mut TableRunner<'_>,
) -> Result<InliningTable, String> {
    Ok(InliningTable {
        records: run_rows(choice, &WAYS, runner)?,
        time_limit: runner.time_limit,
    })
}

/// A column of Fig. 12.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Aggregate {
    /// Rows without an answer: out of time, of memory, or the solver gave up.
    pub unsolved: usize,
    pub wrong: usize,
    pub bugs: usize,
    pub others: usize,
    pub inlined: u64,
    pub bug_seconds: f64,
    pub other_seconds: f64,
}

impl InliningTable {
    /// The figures of one way.
    pub fn aggregate(&self, way: usize) -> Aggregate {
        let mut sum = Aggregate::default();
        for record in of_series(&self.records, WAYS[way].name) {
            match record.judgement {
                Judgement::Unsolved => {
                    sum.unsolved += 1;
                    continue;
                }
                Judgement::Wrong => sum.wrong += 1,
                Judgement::Right | Judgement::New => {}
            }
            sum.inlined += record.inlined;
            if record.verdict.is_bug() {
                sum.bugs += 1;
                sum.bug_seconds += record.seconds;
            } else {
                sum.others += 1;
                sum.other_seconds += record.seconds;
            }
        }
        sum
    }

    /// The rows that both ways of a pair finish.
    fn both(&self, (first, second): (usize, usize)) -> Vec<(&Record, &Record)> {
        let finished = |way: usize| -> BTreeMap<CaseName, &Record> {
            of_series(&self.records, WAYS[way].name)
                .filter(|record| record.judgement.is_solved())
                .map(|record| (record.case(), record))
                .collect()
        };
        let others = finished(second);
        let pairs = finished(first).into_iter();
        pairs
            .filter_map(|(case, record)| Some((record, *others.get(&case)?)))
            .collect()
    }

    /// Fig. 13 to 16 as a page.
    pub fn page(&self) -> String {
        plots("SI and DI", &self.records, &PAIRS, self.time_limit)
    }
}

impl fmt::Display for InliningTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", lines_of_rows(&self.records, &WAYS))?;
        writeln!(
            f,
            "{:8}{:>6}{:>7}{:>7}{:>11}{:>15}{:>15}",
            "", "#TO", "wrong", "#Bugs", "#Inlined", "time: bugs", "no bugs"
        )?;
        for (index, way) in WAYS.iter().enumerate() {
            let sum = self.aggregate(index);
            let finished = sum.bugs + sum.others;
            let inlined = match finished {
                0 => "–".to_owned(),
                _ => format!("{:.1}", sum.inlined as f64 / finished as f64),
            };
            writeln!(
                f,
                "{:8}{:>6}{:>7}{:>7}{inlined:>11}{:>13.1} s{:>13.1} s",
                way.name, sum.unsolved, sum.wrong, sum.bugs, sum.bug_seconds, sum.other_seconds
            )?;
        }
        for (first, second) in PAIRS {
            let both = self.both((first, second));
            let ratio = |of: &dyn Fn(&Record) -> f64| {
                let ratios: Vec<f64> = both
                    .iter()
                    .filter(|(one, other)| of(one) > 0.0 && of(other) > 0.0)
                    .map(|(one, other)| of(one) / of(other))
                    .collect();
                geometric_mean(&ratios).map(|mean| (mean, ratios))
            };
            let (one, other) = (WAYS[first].name, WAYS[second].name);
            write!(f, "{one} and {other} both finish {} rows", both.len())?;
            if let Some((mean, ratios)) = ratio(&|record: &Record| record.inlined as f64) {
                write!(
                    f,
                    "; {other} inlines {mean:.2} times fewer procedures (over {})",
                    ratios.len()
                )?;
            }
            if let Some((mean, ratios)) = ratio(&|record: &Record| record.seconds) {
                let at_least = |factor: f64| {
                    let count = ratios.iter().filter(|&&ratio| ratio >= factor).count();
                    100.0 * count as f64 / ratios.len() as f64
                };
                write!(
                    f,
                    "; it is {mean:.2} times faster, at least 5 times on {:.0} %, 10 times on {:.0} %",
                    at_least(5.0),
                    at_least(10.0)
                )?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
