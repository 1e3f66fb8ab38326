//! Minimisation of predicates: none, greedy, optimal, in the form of Figures 11 and 12 of [Magic04].

use std::fmt;
use std::path::PathBuf;

use lariat_report::{ConformRequest, Levels, Minimise};

use super::TableRunner;
use super::conform::{ConformCell, ConformQuestion, shown_answer};

/// The columns.
const WAYS: [Minimise; 3] = [Minimise::None, Minimise::Greedy, Minimise::Optimal];

#[derive(Clone, Debug)]
pub struct MinimiseRow {
    pub title: String,
    pub cells: [ConformCell; 3],
}

#[derive(Clone, Debug, Default)]
pub struct MinimiseTable {
    pub rows: Vec<MinimiseRow>,
}

/// Answers each question of the projects in each way, with predicate abstraction only, as in the paper.
pub fn measure_minimise(
    paths: &[PathBuf],
    filter: Option<&str>,
    runner: &mut TableRunner<'_>,
) -> Result<MinimiseTable, String> {
    let mut table = MinimiseTable::default();
    for question in ConformQuestion::of(paths)? {
        let title = question.title();
        if filter.is_some_and(|part| !title.contains(part)) {
            continue;
        }
        let mut ask = |minimise: Minimise| {
            (runner.announce)(&format!("{title}, {minimise:?}"));
            let request = ConformRequest {
                levels: Some(Levels::Predicates),
                minimise: Some(minimise),
                ..question.request()
            };
            ConformCell::measure(&request, runner)
        };
        let [none, greedy, optimal] = WAYS.map(&mut ask);
        table.rows.push(MinimiseRow {
            title,
            cells: [none?, greedy?, optimal?],
        });
    }
    Ok(table)
}

fn shown_predicates(counts: [usize; 3]) -> String {
    counts.map(|count| count.to_string()).join("/")
}

impl fmt::Display for MinimiseTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| | | none | | | | greedy | | | | optimal | | | |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        )?;
        writeln!(
            f,
            "| specification | answer |{}",
            " Time | Iter | Pred | MB |".repeat(WAYS.len())
        )?;
        for row in &self.rows {
            write!(f, "| {} | {} |", row.title, shown_answer(&row.cells))?;
            for cell in &row.cells {
                write!(
                    f,
                    " {} | {} | {} | {:.0} |",
                    cell.shown_seconds(),
                    cell.predicate_iterations,
                    shown_predicates(cell.predicates),
                    cell.megabytes
                )?;
            }
            writeln!(f)?;
        }
        self.totals(f, "all", |_| true)?;
        self.totals(f, "solved by all three", |row| {
            row.cells.iter().all(ConformCell::is_right)
        })
    }
}

impl MinimiseTable {
    fn totals(
        &self,
        f: &mut fmt::Formatter<'_>,
        title: &str,
        counts: impl Fn(&MinimiseRow) -> bool,
    ) -> fmt::Result {
        let rows: Vec<&MinimiseRow> = self.rows.iter().filter(|row| counts(row)).collect();
        write!(f, "| **total**, {} {title} | |", rows.len())?;
        for way in 0..WAYS.len() {
            let cells = || rows.iter().map(|row| &row.cells[way]);
            let mut predicates = [0; 3];
            for cell in cells() {
                for (sum, count) in predicates.iter_mut().zip(cell.predicates) {
                    *sum += count;
                }
            }
            write!(
                f,
                " {:.1} ({} right) | {} | {} | {:.0} |",
                cells().map(|cell| cell.seconds).sum::<f64>(),
                cells().filter(|cell| cell.is_right()).count(),
                cells().map(|cell| cell.predicate_iterations).sum::<usize>(),
                shown_predicates(predicates),
                cells().map(|cell| cell.megabytes).sum::<f64>()
            )?;
        }
        writeln!(f)
    }
}
