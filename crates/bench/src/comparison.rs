//! Two series on the rows that both solve.

use std::collections::BTreeMap;

use crate::record::{CaseName, Record};
use crate::tables::geometric_mean;

/// Times below this are noise.
const SHORTEST_SECONDS: f64 = 0.001;

/// How a series compares to another, by geometric means of ratios.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub series: String,
    pub to: String,
    /// Rows that both solve.
    pub rows: usize,
    pub seconds_ratio: f64,
    /// Over those in which both inlined something; how many these are, and the ratio.
    pub inlined: Option<(usize, f64)>,
}

/// Each later series compared to each earlier one, where they solve a common row.
pub fn comparisons(records: &[Record]) -> Vec<Comparison> {
    let mut series: Vec<(&str, BTreeMap<CaseName, &Record>)> = Vec::new();
    for record in records {
        let index = match series.iter().position(|(name, _)| *name == record.series) {
            Some(index) => index,
            None => {
                series.push((&record.series, BTreeMap::new()));
                series.len() - 1
            }
        };
        // Rows that are only read say nothing about engines.
        if record.judgement.is_solved() && record.solver_calls + record.inlined > 0 {
            series[index].1.insert(record.case(), record);
        }
    }
    let mut comparisons = Vec::new();
    for (index, (name, solved)) in series.iter().enumerate() {
        for (to, base) in &series[..index] {
            let both: Vec<(&Record, &Record)> = solved
                .iter()
                .filter_map(|(case, &record)| Some((record, *base.get(case)?)))
                .collect();
            let seconds: Vec<f64> = both
                .iter()
                .map(|(one, other)| one.seconds.max(SHORTEST_SECONDS) / other.seconds.max(SHORTEST_SECONDS))
                .collect();
            let inlined: Vec<f64> = both
                .iter()
                .filter(|(one, other)| one.inlined > 0 && other.inlined > 0)
                .map(|(one, other)| one.inlined as f64 / other.inlined as f64)
                .collect();
            if let Some(seconds_ratio) = geometric_mean(&seconds) {
                comparisons.push(Comparison {
                    series: (*name).to_owned(),
                    to: (*to).to_owned(),
                    rows: both.len(),
                    seconds_ratio,
                    inlined: geometric_mean(&inlined).map(|ratio| (inlined.len(), ratio)),
                });
            }
        }
    }
    comparisons
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lariat_report::Verdict;

    use super::*;
    use crate::judge::Judgement;
    use crate::manifest::Expect;

    fn record(series: &str, row: usize, judgement: Judgement, inlined: u64, seconds: f64) -> Record {
        Record {
            series: series.into(),
            manifest: "m".into(),
            file: "f".into(),
            row,
            expect: Expect::Safe,
            judgement,
            verdict: Verdict::Proved,
            seconds,
            solver_seconds: 0.0,
            front_end_seconds: 0.0,
            source_bytes: 0,
            lines: None,
            peak_memory_bytes: 0,
            processor_seconds: None,
            inlined,
            solver_calls: 1,
            bound: None,
            failures: 0,
            confirmed: 0,
            harness: None,
            error: None,
            differs: None,
            crashed: false,
            panicked: false,
            peer_seconds: BTreeMap::new(),
            settings: String::new(),
        }
    }

    #[test]
    fn ratios_are_over_rows_that_both_solve() {
        use Judgement::{Right, Unsolved};
        let records = [
            record("tree", 1, Right, 100, 4.0),
            record("dag", 1, Right, 50, 1.0),
            record("tree", 2, Right, 800, 4.0),
            record("dag", 2, Right, 100, 4.0),
            record("tree", 3, Unsolved, 9000, 60.0),
            record("dag", 3, Right, 1, 0.1),
            record("tree", 4, Right, 7, 1.0),
            record("dag", 4, Right, 0, 0.5),
        ];
        let found = comparisons(&records);
        assert_eq!(found.len(), 1);
        let one = &found[0];
        assert_eq!(
            (one.series.as_str(), one.to.as_str(), one.rows),
            ("dag", "tree", 3)
        );
        assert!((one.seconds_ratio - 0.5).abs() < 1e-9, "{one:?}");
        let (rows, inlined) = one.inlined.expect("a ratio");
        assert_eq!(rows, 2);
        assert!((inlined - 0.25).abs() < 1e-9, "{inlined}");
        assert!(comparisons(&records[..1]).is_empty());
    }
}
