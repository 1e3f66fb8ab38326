//! The figures of a run.

use std::collections::BTreeMap;

use lariat_report::Verdict;

use crate::judge::Judgement;
use crate::manifest::Expect;
use crate::record::{CaseName, Record};

/// Results that belong together: one engine of one run, or another tool.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// Time of each row that was solved.
    pub solved: BTreeMap<CaseName, f64>,
    /// Recorded by another tool, elsewhere.
    pub is_peer: bool,
}

impl Series {
    /// One series for each that occurs in `records`, in the order of their first record. `prefix`
    /// distinguishes runs.
    pub fn of_records(records: &[Record], prefix: &str) -> Vec<Series> {
        let mut all: Vec<Series> = Vec::new();
        for record in records {
            let name = format!("{prefix}{}", record.series);
            let index = all
                .iter()
                .position(|series| series.name == name)
                .unwrap_or_else(|| {
                    all.push(Series {
                        name,
                        solved: BTreeMap::new(),
                        is_peer: false,
                    });
                    all.len() - 1
                });
            // A wrong verdict solves nothing.
            if matches!(record.judgement, Judgement::Right | Judgement::New) {
                all[index].solved.insert(record.case(), record.seconds);
            }
        }
        all
    }
}

/// The series of the other tools whose times the manifests record.
pub fn peer_series(records: &[Record]) -> Vec<Series> {
    let mut peers: BTreeMap<&str, BTreeMap<CaseName, f64>> = BTreeMap::new();
    for record in records {
        for (peer, &seconds) in &record.peer_seconds {
            peers.entry(peer).or_default().insert(record.case(), seconds);
        }
    }
    let series = |(peer, solved): (&str, _)| Series {
        name: format!("peer: {peer}"),
        solved,
        is_peer: true,
    };
    peers.into_iter().map(series).collect()
}

/// How many rows were right, wrong and so on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counts {
    pub right: usize,
    pub wrong: usize,
    pub unsolved: usize,
    pub new: usize,
    /// Of the verdicts `bug` and `bug-unconfirmed`, how many are the latter.
    pub unconfirmed: usize,
    /// Wall time of the rows that were solved.
    pub solved_seconds: f64,
    /// Procedures that were inlined in them.
    pub inlined: u64,
}

impl Counts {
    pub fn total(&self) -> usize {
        self.right + self.wrong + self.unsolved + self.new
    }

    fn add(&mut self, record: &Record) {
        match record.judgement {
            Judgement::Right => self.right += 1,
            Judgement::Wrong => self.wrong += 1,
            Judgement::Unsolved => self.unsolved += 1,
            Judgement::New => self.new += 1,
        }
        if record.judgement.is_solved() {
            self.solved_seconds += record.seconds;
            self.inlined += record.inlined;
        }
        self.unconfirmed += usize::from(matches!(record.verdict, Verdict::BugUnconfirmed { .. }));
    }
}

/// The figures of a set of records.
#[derive(Clone, Debug)]
pub struct Summary<'a> {
    pub counts: Counts,
    pub by_expectation: BTreeMap<Expect, Counts>,
    /// Verdicts `bug` and `bug-unconfirmed`, and how many of them were replayed.
    pub bugs: usize,
    pub replayed: usize,
    pub crashed: usize,
    /// Bugs for which a harness was made, and how many of these failed in the same way.
    pub harnesses: usize,
    pub reproduced: usize,
    /// The record of the largest source, for the speed of reading.
    pub largest: Option<&'a Record>,
}

impl<'a> Summary<'a> {
    pub fn of(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut summary = Summary {
            counts: Counts::default(),
            by_expectation: BTreeMap::new(),
            bugs: 0,
            replayed: 0,
            crashed: 0,
            harnesses: 0,
            reproduced: 0,
            largest: None,
        };
        for record in records {
            summary.counts.add(record);
            summary
                .by_expectation
                .entry(record.expect)
                .or_default()
                .add(record);
            summary.bugs += usize::from(record.verdict.is_bug());
            summary.replayed += usize::from(record.verdict == Verdict::Bug);
            summary.crashed += usize::from(record.crashed);
            if let Some(harness) = &record.harness {
                summary.harnesses += 1;
                summary.reproduced += usize::from(harness.reproduced);
            }
            let is_larger = summary
                .largest
                .is_none_or(|largest| record.source_bytes > largest.source_bytes);
            if record.front_end_seconds > 0.0 && record.source_bytes > 0 && is_larger {
                summary.largest = Some(record);
            }
        }
        summary
    }

    /// The line about harnesses, if there are any.
    pub fn harness_line(&self) -> Option<String> {
        (self.harnesses > 0).then(|| {
            format!(
                "harnesses: {} of {} bugs reproduced ({:.0} %)",
                self.reproduced,
                self.harnesses,
                // Not rounded up: 100 % means all.
                (100.0 * self.reproduced as f64 / self.harnesses as f64).floor()
            )
        })
    }

    /// The last line of a benchmark's output.
    pub fn last_line(&self, seconds: f64) -> String {
        let Counts {
            right,
            wrong,
            unsolved,
            ..
        } = self.counts;
        let total = self.counts.total();
        format!("{right} right, {wrong} wrong, {unsolved} unsolved of {total} in {seconds:.1} s")
    }
}
