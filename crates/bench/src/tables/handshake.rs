//! One level of abstraction against two, in the form of Figures 17 and 18 of [Magic04].

use std::fmt;
use std::path::PathBuf;

use lariat_report::{ConformRequest, Levels};

use super::TableRunner;
use super::conform::{ConformCell, ConformQuestion, shown_answer};
use super::geometric_mean;

#[derive(Clone, Debug)]
pub struct LevelsRow {
    pub title: String,
    pub predicates: ConformCell,
    pub both: ConformCell,
}

#[derive(Clone, Debug, Default)]
pub struct LevelsTable {
    pub rows: Vec<LevelsRow>,
}

/// Answers each question of the projects with predicate abstraction only and with both abstractions.
pub fn measure_levels(
    paths: &[PathBuf],
    filter: Option<&str>,
    runner: &mut TableRunner<'_>,
) -> Result<LevelsTable, String> {
    let mut table = LevelsTable::default();
    for question in ConformQuestion::of(paths)? {
        let title = question.title();
        if filter.is_some_and(|part| !title.contains(part)) {
            continue;
        }
        let mut ask = |levels: Levels| {
            (runner.announce)(&format!("{title}, {levels:?}"));
            let request = ConformRequest {
                levels: Some(levels),
                ..question.request()
            };
            ConformCell::measure(&request, runner)
        };
        let (predicates, both) = (ask(Levels::Predicates)?, ask(Levels::Both)?);
        table.rows.push(LevelsRow {
            title,
            predicates,
            both,
        });
    }
    Ok(table)
}

impl LevelsRow {
    /// S1/S2, if both found the answer.
    fn ratio(&self) -> Option<f64> {
        let is_known = self.predicates.is_right() && self.both.is_right() && self.both.states > 0;
        is_known.then(|| self.predicates.states as f64 / self.both.states as f64)
    }
}

impl fmt::Display for LevelsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| specification | answer | St (S1) | It | s | MB | St (S2) | PIt | LIt | s | MB | S1/S2 |"
        )?;
        writeln!(f, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
        for row in &self.rows {
            let (one, two) = (&row.predicates, &row.both);
            writeln!(
                f,
                "| {} | {} | {} | {} | {} | {:.0} | {} | {} | {} | {} | {:.0} | {} |",
                row.title,
                shown_answer([one, two]),
                one.states,
                one.predicate_iterations,
                one.shown_seconds(),
                one.megabytes,
                two.states,
                two.predicate_iterations,
                two.action_iterations,
                two.shown_seconds(),
                two.megabytes,
                row.ratio()
                    .map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
            )?;
        }
        let right = |cell: fn(&LevelsRow) -> &ConformCell| {
            self.rows.iter().filter(|row| cell(row).is_right()).count()
        };
        writeln!(
            f,
            "\nRight: {} of {} with predicates only, {} with both abstractions.",
            right(|row| &row.predicates),
            self.rows.len(),
            right(|row| &row.both)
        )?;
        let known: Vec<&LevelsRow> = self.rows.iter().filter(|row| row.ratio().is_some()).collect();
        let ratios: Vec<f64> = known.iter().filter_map(|row| row.ratio()).collect();
        let times: Vec<f64> = known
            .iter()
            .map(|row| row.both.seconds.max(0.01) / row.predicates.seconds.max(0.01))
            .collect();
        let (Some(states), Some(time)) = (geometric_mean(&ratios), geometric_mean(&times)) else {
            return Ok(());
        };
        let seconds =
            |cell: fn(&LevelsRow) -> &ConformCell| known.iter().map(|row| cell(row).seconds).sum::<f64>();
        let most = |cell: fn(&LevelsRow) -> &ConformCell| {
            known.iter().map(|row| cell(row).seconds).fold(0.0, f64::max)
        };
        writeln!(
            f,
            "Over the {} that both solve: S1/S2 {states:.2} (geometric mean), smallest {:.2}, largest {:.2}; seconds with both \
             {time:.2} times those with predicates only (geometric mean), {:.1} against {:.1} in all, at most {:.1} against {:.1}.",
            known.len(),
            ratios.iter().copied().fold(f64::INFINITY, f64::min),
            ratios.iter().copied().fold(0.0, f64::max),
            seconds(|row| &row.both),
            seconds(|row| &row.predicates),
            most(|row| &row.both),
            most(|row| &row.predicates),
        )
    }
}
