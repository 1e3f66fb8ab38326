//! Proofs without a bound: Houdini alone, Horn clauses alone, and the portfolio.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lariat_report::{Engine, SearchFlags, Switch, Verdict, VerifyRequest};

use super::{TableRunner, short_name};

/// The ways that are compared, the columns of the table.
const WAYS: [(&str, Engine, Switch); 3] = [
    // Inlining with summaries: what is proved for every bound is proved by them.
    ("Houdini", Engine::Dag, Switch::On),
    ("CHC", Engine::Chc, Switch::Off),
    ("portfolio", Engine::Portfolio, Switch::Auto),
];

/// One program: verdict and seconds of each way.
#[derive(Clone, Debug)]
pub struct UnboundedRow {
    pub program: String,
    pub results: [(Verdict, f64); 3],
}

#[derive(Clone, Debug, Default)]
pub struct UnboundedTable {
    pub rows: Vec<UnboundedRow>,
}

/// Runs the programs of folders, and single files.
pub fn measure_unbounded(paths: &[PathBuf], runner: &mut TableRunner<'_>) -> io::Result<UnboundedTable> {
    let mut table = UnboundedTable::default();
    for path in paths {
        for file in programs(path)? {
            let program = short_name(&file);
            let run = |(name, engine, summaries): (&str, Engine, Switch)| {
                (runner.announce)(&format!("{program}, {name}"));
                let outcome = runner.run(VerifyRequest {
                    files: vec![file.clone()],
                    engine,
                    search: SearchFlags {
                        summaries,
                        ..runner.settings.search.clone()
                    },
                    ..runner.settings.clone()
                })?;
                Ok::<_, io::Error>((outcome.report.verdict, outcome.seconds))
            };
            let [one, two, three] = WAYS.map(run);
            let results = [one?, two?, three?];
            table.rows.push(UnboundedRow { program, results });
        }
    }
    Ok(table)
}

/// The Boogie files of a folder in the order of their names, or the file itself.
pub(super) fn programs(path: &Path) -> io::Result<Vec<PathBuf>> {
    let with_name = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if !fs::metadata(path).map_err(with_name)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(with_name)? {
        let file = entry.map_err(with_name)?.path();
        if file.extension().is_some_and(|extension| extension == "bpl") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

impl UnboundedTable {
    /// How many programs each way proves for every bound.
    pub fn proved(&self) -> [usize; 3] {
        [0, 1, 2].map(|way| {
            let is_proved = |row: &&UnboundedRow| row.results[way].0 == Verdict::Proved;
            self.rows.iter().filter(is_proved).count()
        })
    }
}

impl fmt::Display for UnboundedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.program.chars().count());
        let width = names.max().unwrap_or(0).max("program".len());
        write!(f, "{:width$}", "program")?;
        for (name, ..) in WAYS {
            write!(f, "  {name:<15}{:>7}", "s")?;
        }
        writeln!(f)?;
        for row in &self.rows {
            write!(f, "{:width$}", row.program)?;
            for (verdict, seconds) in &row.results {
                let verdict = match verdict {
                    Verdict::Bounded { bound, .. } => format!("bounded({bound})"),
                    _ => verdict.word().to_owned(),
                };
                write!(f, "  {verdict:<15}{seconds:>7.2}")?;
            }
            writeln!(f)?;
        }
        write!(f, "{:width$}", "proved")?;
        for (way, proved) in self.proved().into_iter().enumerate() {
            let seconds: f64 = self.rows.iter().map(|row| row.results[way].1).sum();
            let share = format!("{proved} of {}", self.rows.len());
            write!(f, "  {share:<15}{seconds:>7.2}")?;
        }
        writeln!(f)
    }
}
