//! The same questions in several ways side by side: minimisation of predicates (Figures 11, 12, 14 and 15 of [Magic04]), and what
//! each level of abstraction gains (Figures 16 to 18).

use std::fmt;
use std::path::PathBuf;

use lariat_report::{ConformRequest, Levels, Minimise};

use super::TableRunner;
use super::conform::{ConformCell, ConformQuestion, shown_answer};

/// One way to answer a question.
#[derive(Clone, Debug)]
struct Way {
    name: String,
    levels: Levels,
    minimise: Minimise,
    /// MAXSUB and MAXELM.
    limits: Option<(usize, usize)>,
}

/// What is shown of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Figures {
    Predicates,
    Levels,
}

#[derive(Clone, Debug)]
pub struct WaysRow {
    pub title: String,
    pub cells: Vec<ConformCell>,
}

#[derive(Clone, Debug)]
pub struct WaysTable {
    ways: Vec<Way>,
    figures: Figures,
    pub rows: Vec<WaysRow>,
}

/// No, greedy and optimal minimisation, with predicate abstraction only, as in the paper (Fig. 11 and 12).
pub fn measure_minimise(
    paths: &[PathBuf],
    filter: Option<&str>,
    runner: &mut TableRunner<'_>,
) -> Result<WaysTable, String> {
    let ways = Minimise::ALL.map(|minimise| Way {
        name: minimise.name().to_owned(),
        levels: Levels::Predicates,
        minimise,
        limits: None,
    });
    WaysTable::measure(ways.to_vec(), Figures::Predicates, paths, filter, runner)
}

/// Optimal minimisation with different MAXELM (Fig. 14) and MAXSUB (Fig. 15).
pub fn measure_optimality(
    paths: &[PathBuf],
    filter: Option<&str>,
    runner: &mut TableRunner<'_>,
) -> Result<WaysTable, String> {
    let limits = [
        (250, 50),
        (250, 150),
        (250, 250),
        (100, 100),
        (400, 400),
        (1600, 1600),
    ];
    let ways = limits.map(|(subsets, eliminating)| Way {
        name: format!("SUB {subsets}, ELM {eliminating}"),
        levels: Levels::Predicates,
        minimise: Minimise::Optimal,
        limits: Some((subsets, eliminating)),
    });
    WaysTable::measure(ways.to_vec(), Figures::Predicates, paths, filter, runner)
}

/// What each level of abstraction gains (Fig. 16 to 18).
pub fn measure_ablation(
    paths: &[PathBuf],
    filter: Option<&str>,
    runner: &mut TableRunner<'_>,
) -> Result<WaysTable, String> {
    let ways = Levels::ALL.map(|levels| Way {
        name: levels.name().to_owned(),
        levels,
        minimise: Minimise::Optimal,
        limits: None,
    });
    WaysTable::measure(ways.to_vec(), Figures::Levels, paths, filter, runner)
}

impl WaysTable {
    /// Answers each question of the projects in each way.
    fn measure(
        ways: Vec<Way>,
        figures: Figures,
        paths: &[PathBuf],
        filter: Option<&str>,
        runner: &mut TableRunner<'_>,
    ) -> Result<WaysTable, String> {
        let mut rows = Vec::new();
        for question in ConformQuestion::of(paths)? {
            let title = question.title();
            if filter.is_some_and(|part| !title.contains(part)) {
                continue;
            }
            let mut cells = Vec::new();
            for way in &ways {
                (runner.announce)(&format!("{title}, {}", way.name));
                let request = ConformRequest {
                    levels: Some(way.levels),
                    minimise: Some(way.minimise),
                    max_subsets: way.limits.map(|(subsets, _)| subsets),
                    max_eliminating: way.limits.map(|(_, eliminating)| eliminating),
                    ..question.request()
                };
                cells.push(ConformCell::measure(&request, runner)?);
            }
            rows.push(WaysRow { title, cells });
        }
        Ok(WaysTable { ways, figures, rows })
    }

    fn columns(&self) -> &'static [&'static str] {
        match self.figures {
            Figures::Predicates => &["CPU s", "Iter", "Pred", "T/M/G", "MB"],
            Figures::Levels => &["CPU s", "St", "PIt", "LIt", "MB"],
        }
    }

    /// The columns after the time.
    fn shown(&self, cell: &ConformCell) -> String {
        match self.figures {
            Figures::Predicates => format!(
                "{} | {} | {} | {:.0}",
                cell.predicate_iterations,
                slashed(cell.predicates),
                slashed(cell.eliminating),
                cell.megabytes
            ),
            Figures::Levels => format!(
                "{} | {} | {} | {:.0}",
                cell.states, cell.predicate_iterations, cell.action_iterations, cell.megabytes
            ),
        }
    }

    fn totals(
        &self,
        f: &mut fmt::Formatter<'_>,
        title: &str,
        counts: impl Fn(&WaysRow) -> bool,
    ) -> fmt::Result {
        let rows: Vec<&WaysRow> = self.rows.iter().filter(|row| counts(row)).collect();
        write!(f, "| **total**, {} {title} | |", rows.len())?;
        for way in 0..self.ways.len() {
            let cells: Vec<&ConformCell> = rows.iter().map(|row| &row.cells[way]).collect();
            let sum =
                |figure: fn(&ConformCell) -> usize| cells.iter().map(|cell| figure(cell)).sum::<usize>();
            let sums = |figure: fn(&ConformCell) -> [usize; 3]| {
                let mut sums = [0; 3];
                for cell in &cells {
                    for (sum, count) in sums.iter_mut().zip(figure(cell)) {
                        *sum += count;
                    }
                }
                slashed(sums)
            };
            write!(
                f,
                " {:.1} ({} right) |",
                cells.iter().map(|cell| cell.seconds).sum::<f64>(),
                cells.iter().filter(|cell| cell.is_right()).count(),
            )?;
            let iterations = sum(|cell| cell.predicate_iterations);
            match self.figures {
                Figures::Predicates => write!(
                    f,
                    " {iterations} | {} | {} |",
                    sums(|cell| cell.predicates),
                    sums(|cell| cell.eliminating)
                )?,
                Figures::Levels => write!(
                    f,
                    " {} | {iterations} | {} |",
                    sum(|cell| cell.states),
                    sum(|cell| cell.action_iterations)
                )?,
            }
            write!(
                f,
                " {:.0} |",
                cells.iter().map(|cell| cell.megabytes).sum::<f64>()
            )?;
        }
        writeln!(f)
    }
}

fn slashed(counts: [usize; 3]) -> String {
    counts.map(|count| count.to_string()).join("/")
}

impl fmt::Display for WaysTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.columns();
        write!(f, "| | |")?;
        for way in &self.ways {
            write!(f, " {} |{}", way.name, " |".repeat(columns.len() - 1))?;
        }
        let numbers = "--:|".repeat(self.ways.len() * columns.len());
        let names = format!(" {} |", columns.join(" | ")).repeat(self.ways.len());
        writeln!(f, "\n|---|---|{numbers}\n| specification | answer |{names}")?;
        for row in &self.rows {
            write!(f, "| {} | {} |", row.title, shown_answer(&row.cells))?;
            for cell in &row.cells {
                write!(f, " {} | {} |", cell.shown_seconds(), self.shown(cell))?;
            }
            writeln!(f)?;
        }
        self.totals(f, "all", |_| true)?;
        self.totals(f, "solved in every way", |row| {
            row.cells.iter().all(ConformCell::is_right)
        })
    }
}
