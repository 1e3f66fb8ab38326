//! [Legion22] Fig. 6 to 8 and Table 3: refinement (Corral), widening (Legion) and both at the same time (Legion+), with the same total
//! time, beside the recorded peers.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use lariat_report::{Engine, Switch};

use super::TableRunner;
use super::rows::{RowChoice, Way, lines_of_rows, plots, run_rows};
use crate::record::{CaseName, Record};
use crate::summary::{Series, peer_series};

/// Both engines of Legion+ have half of the time, so that the total is the same for all three.
const WAYS: [Way; 3] = [
    Way {
        name: "Corral",
        engines: &[Engine::Stratified],
        summaries: Switch::Off,
        share: 1,
    },
    Way {
        name: "Legion",
        engines: &[Engine::Widen],
        summaries: Switch::Off,
        share: 1,
    },
    Way {
        name: "Legion+",
        engines: &[Engine::Stratified, Engine::Widen],
        summaries: Switch::Off,
        share: 2,
    },
];

/// The names of Corral and Legion among the recorded peers.
const RECORDED: [&str; 2] = ["peer: over", "peer: under"];

#[derive(Clone, Debug)]
pub struct BudgetsTable {
    pub records: Vec<Record>,
    pub time_limit: Duration,
}

/// Runs the rows of manifests in the three ways.
pub fn measure_budgets(choice: &RowChoice<'_>, runner: &mut TableRunner<'_>) -> Result<BudgetsTable, String> {
    Ok(BudgetsTable {
        records: run_rows(choice, &WAYS, runner)?,
        time_limit: runner.time_limit,
    })
}

impl BudgetsTable {
    /// The measured ways, and the recorded peers within the same limits: what the better of Corral and Legion needed within half
    /// of the time is Legion+.
    pub fn series(&self) -> Vec<Series> {
        let limit = self.time_limit.as_secs_f64();
        let mut series = Series::of_records(&self.records, "");
        let mut peers = peer_series(&self.records);
        let mut both = Series {
            name: "peer: best of both".to_owned(),
            solved: BTreeMap::new(),
            is_peer: true,
        };
        for peer in peers.iter().filter(|peer| RECORDED.contains(&peer.name.as_str())) {
            for (case, &seconds) in &peer.solved {
                let best = both.solved.entry(case.clone()).or_insert(seconds);
                *best = best.min(seconds);
            }
        }
        both.solved.retain(|_, seconds| *seconds <= limit / 2.0);
        for peer in &mut peers {
            peer.solved.retain(|_, seconds| *seconds <= limit);
        }
        series.extend(peers);
        if self.records.iter().any(|record| !record.peer_seconds.is_empty()) {
            series.push(both);
        }
        series
    }

    /// The cactus plot with the recorded peers, and the ways row by row.
    pub fn page(&self) -> String {
        plots(
            "Equal total time",
            &self.records,
            &[(0, 1), (0, 2), (1, 2)],
            self.time_limit,
        )
    }

    /// The rows that all measured ways solve.
    fn common(&self, series: &[Series]) -> Vec<CaseName> {
        let (first, others) = match series.split_first() {
            Some((first, others)) => (first, &others[..others.len().min(WAYS.len() - 1)]),
            None => return Vec::new(),
        };
        let cases = first.solved.keys();
        let in_all = |case: &&CaseName| others.iter().all(|other| other.solved.contains_key(*case));
        cases.filter(in_all).cloned().collect()
    }
}

impl fmt::Display for BudgetsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.time_limit.as_secs_f64();
        let series = self.series();
        let common = self.common(&series);
        let rows = self.records.len() / WAYS.len();
        writeln!(f, "{}", lines_of_rows(&self.records, &WAYS))?;
        writeln!(
            f,
            "{:20}{:>16}{:>12}{:>12}{:>10}{:>24}",
            "verifier",
            "limit",
            format!("of {rows}"),
            "seconds",
            "only it",
            format!("on {} common rows", common.len())
        )?;
        for (index, one) in series.iter().enumerate() {
            let halved = one.name == "Legion+" || one.name == "peer: best of both";
            let limit = match halved {
                true => format!("2 × {:.0} s", limit / 2.0),
                false => format!("{limit:.0} s"),
            };
            let measured = index < WAYS.len();
            let alone = |case: &&CaseName| {
                let mut ways = series[..WAYS.len().min(series.len())].iter().enumerate();
                ways.all(|(other, way)| other == index || !way.solved.contains_key(*case))
            };
            let only = match measured {
                true => one.solved.keys().filter(alone).count().to_string(),
                false => String::new(),
            };
            let on_common = match measured && !common.is_empty() {
                true => format!(
                    "{:.1} s",
                    common.iter().filter_map(|case| one.solved.get(case)).sum::<f64>()
                ),
                false => String::new(),
            };
            writeln!(
                f,
                "{:20}{limit:>16}{:>12}{:>12.1}{only:>10}{on_common:>24}",
                one.name,
                one.solved.len(),
                one.solved.values().sum::<f64>()
            )?;
        }
        Ok(())
    }
}
