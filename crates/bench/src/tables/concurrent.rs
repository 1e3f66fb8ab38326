//! What contexts cost: sequential programs, and the same with two threads in 1 to 4 contexts, with and without the analysis that
//! finds which globals are shared.

use std::fmt;
use std::io;
use std::path::PathBuf;

use lariat_report::{SearchFlags, Verdict, VerifyRequest};

use super::unbounded::programs;
use super::{Scratch, TableRunner, short_name};
use crate::generate::make_concurrent;

/// The numbers of contexts, the columns of the table.
const CONTEXTS: [u32; 4] = [1, 2, 3, 4];

/// A verdict and the seconds that it took.
type Cell = (Verdict, f64);

/// One program.
#[derive(Clone, Debug)]
pub struct ConcurrentRow {
    pub program: String,
    pub sequential: Cell,
    /// With two threads, for each number of contexts.
    pub shared: [Cell; 4],
    /// The same where every global that is written has a copy for each context.
    pub all: [Cell; 4],
}

#[derive(Clone, Debug, Default)]
pub struct ConcurrentTable {
    pub rows: Vec<ConcurrentRow>,
    /// Programs without a marked entry.
    pub left_out: Vec<String>,
}

/// Runs the programs of folders, and single files.
pub fn measure_concurrent(paths: &[PathBuf], runner: &mut TableRunner<'_>) -> io::Result<ConcurrentTable> {
    let mut table = ConcurrentTable::default();
    let scratch = Scratch::new("concurrent")?;
    for path in paths {
        for file in programs(path)? {
            let program = short_name(&file);
            let text = std::fs::read_to_string(&file)?;
            let Some(made) = make_concurrent(&text) else {
                table.left_out.push(program);
                continue;
            };
            let made = scratch.write("made.bpl", |output| output.write_all(made.as_bytes()))?;
            let mut run = |what: String, file: &PathBuf, contexts: Option<u32>, share_all: bool| {
                (runner.announce)(&format!("{program}, {what}"));
                let outcome = runner.run(VerifyRequest {
                    files: vec![file.clone()],
                    search: SearchFlags {
                        contexts,
                        share_all,
                        ..runner.settings.search.clone()
                    },
                    ..runner.settings.clone()
                })?;
                Ok::<Cell, io::Error>((outcome.report.verdict, outcome.seconds))
            };
            let sequential = run("sequential".to_owned(), &file, None, false)?;
            let mut rows = [false, true]
                .map(|share_all| CONTEXTS.map(|k| run(format!("{k} contexts"), &made, Some(k), share_all)));
            let [shared, all] = rows.each_mut().map(collect);
            table.rows.push(ConcurrentRow {
                program,
                sequential,
                shared: shared?,
                all: all?,
            });
        }
    }
    Ok(table)
}

/// The cells of a row, or the first error.
fn collect(cells: &mut [io::Result<Cell>; 4]) -> io::Result<[Cell; 4]> {
    let mut found: Vec<Cell> = Vec::new();
    for cell in cells {
        let nothing = Ok((Verdict::Proved, 0.0));
        found.push(std::mem::replace(cell, nothing)?);
    }
    found
        .try_into()
        .map_err(|_| io::Error::other("a row of another length"))
}

impl fmt::Display for ConcurrentTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.program.chars().count());
        let width = names.max().unwrap_or(0).max("program".len());
        write!(f, "{:width$}  {:<6}  {:>17}", "program", "shared", "sequential")?;
        for k in CONTEXTS {
            write!(f, "  {:>17}", format!("K = {k}"))?;
        }
        writeln!(f)?;
        for row in &self.rows {
            for (way, cells) in [("found", &row.shared), ("all", &row.all)] {
                write!(
                    f,
                    "{:width$}  {way:<6}  {:>17}",
                    row.program,
                    shown(&row.sequential)
                )?;
                for cell in cells {
                    write!(f, "  {:>17}", shown(cell))?;
                }
                writeln!(f)?;
            }
        }
        for program in &self.left_out {
            writeln!(f, "{program}: no implementation is marked as the entry")?;
        }
        Ok(())
    }
}

fn shown((verdict, seconds): &Cell) -> String {
    format!("{} {seconds:.1} s", verdict.word())
}
