//! What each technique of the search is worth: the rows of manifests with all of them, and with each switched off alone.

use std::fmt;
use std::io;

use lariat_report::{Engine, OnOff, SolverOption, SolverProfile, Switch, VerifyRequest};

use super::TableRunner;
use crate::judge::{Judgement, judge};
use crate::manifest::{Manifest, Task};

/// A way to search, and what came of it.
#[derive(Clone, Debug)]
pub struct SearchWay {
    pub name: &'static str,
    pub solved: usize,
    pub wrong: usize,
    /// Of all rows, solved or not; `None` if the system does not tell processor time.
    pub processor_seconds: Option<f64>,
    /// Of the rows that every way has solved: processor seconds and procedures.
    pub common_seconds: Option<f64>,
    pub common_inlined: u64,
}

#[derive(Clone, Debug, Default)]
pub struct SearchTable {
    pub rows: usize,
    /// How many rows every way has solved.
    pub common: usize,
    pub ways: Vec<SearchWay>,
}

/// What one run of a row gave.
#[derive(Clone, Copy, Debug)]
struct Cell {
    judgement: Judgement,
    processor_seconds: Option<f64>,
    inlined: u64,
}

/// How a way differs from the request.
type Change = fn(&mut VerifyRequest);

/// The ways: the defaults, each technique switched off alone, and those that are off by default switched on.
const WAYS: [(&str, Change); 15] = [
    ("as it is", |_| {}),
    ("no summaries", |request| request.search.summaries = Switch::Off),
    ("summaries from proofs", |request| {
        request.search.summaries_from_proofs = OnOff::On
    }),
    ("summaries from proofs alone", |request| {
        request.search.summaries = Switch::Off;
        request.search.summaries_from_proofs = OnOff::On;
    }),
    ("splitting", |request| request.search.split = Some(2)),
    ("one profile", |request| {
        request.search.solver_profile = SolverProfile::Relevancy
    }),
    ("bounds not propagated", |request| {
        set_solver_option(request, "smt.arith.propagation_mode", "0")
    }),
    ("minimal cores", |request| {
        set_solver_option(request, "smt.core.minimize", "true")
    }),
    ("paths not followed", |request| request.search.no_follow = true),
    ("no turns", |request| request.search.no_turns = true),
    ("bounds from 1", |request| request.search.first_bound = Some(1)),
    ("abstraction", |request| request.search.abstraction = OnOff::On),
    ("widen alone", |request| request.engine = Engine::Widen),
    ("dag alone", |request| request.engine = Engine::Dag),
    ("mix alone", |request| request.engine = Engine::Mix),
];

fn set_solver_option(request: &mut VerifyRequest, key: &str, value: &str) {
    request.solver_options.push(SolverOption {
        key: key.to_owned(),
        value: value.to_owned(),
    });
}

/// Runs the rows of manifests in each way. `bound` overrides those of the rows.
pub fn measure_search(
    manifests: &[Manifest],
    bound: Option<u32>,
    filter: Option<&str>,
    runner: &mut TableRunner<'_>,
) -> io::Result<SearchTable> {
    let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); WAYS.len()];
    for manifest in manifests {
        for row in &manifest.rows {
            if filter.is_some_and(|filter| !row.file.contains(filter)) {
                continue;
            }
            let Task::Verify(request) = row.task(&manifest.folder, runner.settings, bound) else {
                continue;
            };
            for ((name, change), cells) in WAYS.iter().zip(&mut cells) {
                (runner.announce)(&format!("{}, {name}", row.file));
                let mut request = (*request).clone();
                change(&mut request);
                let outcome = runner.run(request)?;
                cells.push(Cell {
                    judgement: judge(row, &outcome.report, false),
                    processor_seconds: outcome.processor_seconds,
                    inlined: outcome.report.stats.inlined,
                });
            }
        }
    }
    Ok(SearchTable::of(&cells))
}

impl SearchTable {
    /// The table of the cells of each way.
    fn of(cells: &[Vec<Cell>]) -> Self {
        let rows = cells.first().map_or(0, Vec::len);
        let is_common = |&row: &usize| cells.iter().all(|way| way[row].is_solved());
        let common: Vec<usize> = (0..rows).filter(is_common).collect();
        let ways = WAYS.iter().zip(cells).map(|(&(name, _), cells)| {
            let common = || common.iter().map(|&row| &cells[row]);
            SearchWay {
                name,
                solved: cells.iter().filter(|cell| cell.is_solved()).count(),
                wrong: cells
                    .iter()
                    .filter(|cell| cell.judgement == Judgement::Wrong)
                    .count(),
                processor_seconds: cells.iter().map(|cell| cell.processor_seconds).sum(),
                common_seconds: common().map(|cell| cell.processor_seconds).sum(),
                common_inlined: common().map(|cell| cell.inlined).sum(),
            }
        });
        SearchTable {
            rows,
            common: common.len(),
            ways: ways.collect(),
        }
    }
}

impl Cell {
    fn is_solved(&self) -> bool {
        matches!(self.judgement, Judgement::Right | Judgement::New)
    }
}

impl fmt::Display for SearchTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchTable { rows, common, ways } = self;
        writeln!(f, "{rows} rows, of which every way has solved {common}")?;
        writeln!(
            f,
            "{:<27} {:>6} {:>6} {:>12} {:>16} {:>16}",
            "way", "solved", "wrong", "CPU seconds", "CPU, by all", "inlined, by all"
        )?;
        let shown =
            |seconds: Option<f64>| seconds.map_or("–".to_owned(), |seconds| format!("{seconds:.1}"));
        for way in ways {
            writeln!(
                f,
                "{:<27} {:>6} {:>6} {:>12} {:>16} {:>16}",
                way.name,
                way.solved,
                way.wrong,
                shown(way.processor_seconds),
                shown(way.common_seconds),
                way.common_inlined
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_every_way_solves_are_compared() {
        let cell = |judgement, inlined| Cell {
            judgement,
            processor_seconds: Some(2.0),
            inlined,
        };
        let mut cells = vec![vec![cell(Judgement::Right, 10), cell(Judgement::Right, 5)]; WAYS.len()];
        cells[1][1] = cell(Judgement::Unsolved, 100);
        let table = SearchTable::of(&cells);
        assert_eq!((table.rows, table.common), (2, 1));
        assert_eq!((table.ways[0].solved, table.ways[1].solved), (2, 1));
        assert_eq!(table.ways[1].common_inlined, 10);
        assert_eq!(table.ways[1].processor_seconds, Some(4.0));
        assert_eq!(table.ways[0].common_seconds, Some(2.0));
    }

    #[test]
    fn each_way_changes_what_it_says() {
        let usual = VerifyRequest::default();
        for (name, change) in WAYS.iter().skip(1) {
            let mut request = usual.clone();
            change(&mut request);
            assert_ne!(request, usual, "{name}");
        }
    }
}
