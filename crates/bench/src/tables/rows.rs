//! Rows of manifests in several ways of searching, judged as `lariat bench` judges them.

use std::fmt::Write;
use std::thread;
use std::time::Duration;

use lariat_report::{Engine, SearchFlags, Switch, VerifyReport, VerifyRequest};
use lariat_worker::{Ending, Order, Outcome, StopSignal};

use super::TableRunner;
use crate::html::{PageInput, page};
use crate::judge::{Judgement, judge};
use crate::manifest::{Manifest, Row, Task};
use crate::record::{Record, RecordContext};
use crate::summary::{Series, peer_series};

/// A way of searching, a series of the plots.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub name: &'static str,
    /// Several run at the same time, and the first answer counts.
    pub engines: &'static [Engine],
    pub summaries: Switch,
    /// The part of the time limit that each engine has.
    pub share: u32,
}

/// Which rows are run.
pub struct RowChoice<'a> {
    pub manifests: &'a [Manifest],
    /// The user's bound instead of that of the rows.
    pub bound: Option<u32>,
    pub filter: Option<&'a str>,
}

impl RowChoice<'_> {
    /// The chosen rows that ask about one program, with their manifests, numbers and requests.
    pub fn requests<'a>(
        &'a self,
        settings: &'a VerifyRequest,
    ) -> impl Iterator<Item = (&'a Manifest, usize, &'a Row, VerifyRequest)> {
        let rows = self.manifests.iter().flat_map(move |manifest| {
            let rows = manifest.rows.iter().enumerate();
            rows.map(move |(index, row)| (manifest, index + 1, row))
        });
        rows.filter(move |(_, _, row)| self.filter.is_none_or(|filter| row.file.contains(filter)))
            .filter_map(
                |(manifest, number, row)| match row.task(&manifest.folder, settings, self.bound) {
                    Task::Verify(request) if !request.front_end_only => {
                        Some((manifest, number, row, *request))
                    }
                    _ => None,
                },
            )
    }
}

/// Runs the rows in each way; the records of a way are a series.
pub fn run_rows(
    choice: &RowChoice<'_>,
    ways: &[Way],
    runner: &mut TableRunner<'_>,
) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    for (manifest, number, row, request) in choice.requests(runner.settings) {
        let path = manifest.path.display().to_string();
        for way in ways {
            (runner.announce)(&format!("{}, {}", row.file, way.name));
            let outcome = run_way(row, &request, way, runner)?;
            let context = RecordContext {
                series: way.name,
                manifest: &path,
                row: number,
                bounded_ok: false,
                settings: "",
            };
            records.push(Record::new(row, &outcome, context));
        }
    }
    match records.is_empty() {
        true => Err("no row of the manifests asks about a program".to_owned()),
        false => Ok(records),
    }
}

/// The answer of the engine that has one first; if none has, what the last one said.
fn run_way(
    row: &Row,
    request: &VerifyRequest,
    way: &Way,
    runner: &TableRunner<'_>,
) -> Result<Outcome<VerifyReport>, String> {
    let enough = StopSignal::new();
    let (supervisor, memory) = (runner.supervisor, runner.memory_limit);
    let limit: Duration = runner.time_limit / way.share;
    let run = |engine: Engine| {
        let request = VerifyRequest {
            engine,
            search: SearchFlags {
                summaries: way.summaries,
                ..request.search.clone()
            },
            ..request.clone()
        };
        let order = Order::new(request).within(Some(limit), memory);
        let outcome = supervisor.run(&order, &enough, &mut |_| {});
        let is_answer = |outcome: &Outcome| judge(row, &outcome.report, false) != Judgement::Unsolved;
        if outcome.as_ref().is_ok_and(is_answer) {
            enough.request();
        }
        outcome
    };
    let outcomes: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = way
            .engines
            .iter()
            .map(|&engine| scope.spawn(move || run(engine)))
            .collect();
        running.into_iter().map(|one| one.join()).collect()
    });
    let mut best: Option<Outcome<VerifyReport>> = None;
    for outcome in outcomes {
        let outcome = outcome
            .map_err(|_| "internal error: a thread of the table panicked".to_owned())?
            .map_err(|error| error.to_string())?;
        if let Ending::Panicked(panic) = &outcome.ending {
            return Err(format!("internal error: {}", panic.message));
        }
        let rank = |outcome: &Outcome| {
            let is_solved = judge(row, &outcome.report, false).is_solved();
            // Of answers the first counts, without one all the time that was spent.
            (
                !is_solved,
                if is_solved {
                    outcome.seconds
                } else {
                    -outcome.seconds
                },
            )
        };
        if best.as_ref().is_none_or(|best| rank(&outcome) < rank(best)) {
            best = Some(outcome);
        }
    }
    best.ok_or_else(|| "a way without an engine".to_owned())
}

/// The records of a series.
pub fn of_series<'a>(records: &'a [Record], name: &'a str) -> impl Iterator<Item = &'a Record> {
    records.iter().filter(move |record| record.series == name)
}

/// One line for each row: the seconds of each way, or what it said instead of an answer.
pub fn lines_of_rows(records: &[Record], ways: &[Way]) -> String {
    let mut text = String::new();
    let width = records.iter().map(|record| record.file.chars().count()).max();
    let width = width.unwrap_or(0).max("program".len());
    let _ = write!(text, "{:width$}  {:>8}", "program", "expected");
    for way in ways {
        let _ = write!(text, "  {:>12}", way.name);
    }
    text.push('\n');
    for first in of_series(records, ways[0].name) {
        let _ = write!(text, "{:width$}  {:>8}", first.file, first.expect.name());
        for way in ways {
            let mut same = of_series(records, way.name);
            let cell = same.find(|record| record.case() == first.case()).map(cell);
            let _ = write!(text, "  {:>12}", cell.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

fn cell(record: &Record) -> String {
    match record.judgement {
        Judgement::Unsolved if record.crashed => "crash".to_owned(),
        Judgement::Unsolved => "–".to_owned(),
        Judgement::Wrong => format!("WRONG {:.1} s", record.seconds),
        Judgement::Right | Judgement::New => format!("{:.1} s", record.seconds),
    }
}

/// The page with the plots: how many rows are solved within a time, with the recorded peers, and pairs of ways row by row.
pub fn plots(title: &str, records: &[Record], pairs: &[(usize, usize)], time_limit: Duration) -> String {
    let mut series = Series::of_records(records, "");
    series.extend(peer_series(records));
    page(&PageInput {
        title,
        records,
        series: &series,
        pairs: Some(pairs),
        time_limit_seconds: time_limit.as_secs_f64(),
        last_line: "",
    })
}
