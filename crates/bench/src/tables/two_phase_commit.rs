//! Two-phase commit with a growing number of participants: how far one and two levels of abstraction get in the same time.

use std::fmt;
use std::path::Path;

use lariat_report::{ConformRequest, Levels};

use super::conform::ConformCell;
use super::{Scratch, TableRunner};
use crate::generate::write_two_phase_commit;

/// The specification to check.
const SPECIFICATION: &str = "ATOMIC";

#[derive(Clone, Debug)]
pub struct TwoPhaseCommitRow {
    pub participants: u32,
    /// `None`: not tried, because a smaller number took too long.
    pub predicates: Option<ConformCell>,
    pub both: Option<ConformCell>,
}

#[derive(Clone, Debug, Default)]
pub struct TwoPhaseCommitTable {
    pub rows: Vec<TwoPhaseCommitRow>,
}

/// Checks each number of participants with the C files of the folder.
pub fn measure_two_phase_commit(
    folder: &Path,
    participants: &[u32],
    runner: &mut TableRunner<'_>,
) -> Result<TwoPhaseCommitTable, String> {
    let folder = folder
        .canonicalize()
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let scratch = Scratch::new("two-phase-commit").map_err(|error| error.to_string())?;
    let mut table = TwoPhaseCommitTable::default();
    let mut is_tired = [false; 2];
    for &participants in participants {
        let project = scratch
            .write(&format!("two-phase-commit-{participants}.conform"), |output| {
                write_two_phase_commit(participants, &folder, output)
            })
            .map_err(|error| error.to_string())?;
        let mut ask = |levels: Levels, is_tired: &mut bool| {
            if *is_tired {
                return Ok(None);
            }
            (runner.announce)(&format!("{participants} participants, {levels:?}"));
            let request = ConformRequest {
                project: project.clone(),
                only: vec![SPECIFICATION.to_owned()],
                levels: Some(levels),
                ..ConformRequest::default()
            };
            let cell = ConformCell::measure(&request, runner)?;
            *is_tired = !cell.is_right();
            Ok::<_, String>(Some(cell))
        };
        let predicates = ask(Levels::Predicates, &mut is_tired[0])?;
        let both = ask(Levels::Both, &mut is_tired[1])?;
        table.rows.push(TwoPhaseCommitRow {
            participants,
            predicates,
            both,
        });
    }
    Ok(table)
}

impl fmt::Display for TwoPhaseCommitTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| n | St (predicates) | It | s | MB | St (both) | PIt | LIt | s | MB |"
        )?;
        writeln!(f, "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
        for row in &self.rows {
            write!(f, "| {} |", row.participants)?;
            match &row.predicates {
                Some(cell) => write!(
                    f,
                    " {} | {} | {} | {:.0} |",
                    cell.states,
                    cell.predicate_iterations,
                    cell.shown_seconds(),
                    cell.megabytes
                )?,
                None => write!(f, " – | – | – | – |")?,
            }
            match &row.both {
                Some(cell) => writeln!(
                    f,
                    " {} | {} | {} | {} | {:.0} |",
                    cell.states,
                    cell.predicate_iterations,
                    cell.action_iterations,
                    cell.shown_seconds(),
                    cell.megabytes
                )?,
                None => writeln!(f, " – | – | – | – | – |")?,
            }
        }
        let reached = |cell: fn(&TwoPhaseCommitRow) -> &Option<ConformCell>| {
            let solved = |row: &&TwoPhaseCommitRow| cell(row).as_ref().is_some_and(ConformCell::is_right);
            match self.rows.iter().filter(solved).map(|row| row.participants).max() {
                Some(most) => most.to_string(),
                None => "none".to_owned(),
            }
        };
        writeln!(
            f,
            "\nParticipants reached: {} with predicates only, {} with both abstractions.",
            reached(|row| &row.predicates),
            reached(|row| &row.both)
        )
    }
}
