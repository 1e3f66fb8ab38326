//! `lariat bench`: runs manifests and shows the results.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use lariat_bench::{
    BenchError, BenchEvent, BenchOptions, BenchResult, CaseName, Comparison, Counts, Expect, Judgement,
    Manifest, PageInput, Record, Series, Summary, comparisons, page, peer_series, read_records, write_csv,
};
use lariat_c_evidence::harness::has_compiler;
use lariat_report::{Engine, SCHEMA_VERSION, Switch, Verdict, VerifyRequest};
use lariat_worker::{StopSignal, memory_of_system};
use serde_json::json;

use crate::arguments::{Arguments, BenchArguments, BenchCommand};
use crate::cluster;
use crate::command::write_file;
use crate::exit::ExitCode;
use crate::format::OutputFormat;
use crate::format::json::pretty;
use crate::{say, style, tables, units};

pub fn run(bench: &BenchArguments, common: &Arguments) -> ExitCode {
    let done = match (&bench.generate, bench.table) {
        (Some(wanted), _) => tables::generate(wanted),
        (None, Some(table)) => tables::run(table, bench, common),
        (None, None) => run_bench(bench, common),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            say::error(&message);
            ExitCode::BadInput
        }
    }
}

const NO_SARIF: &str = "a benchmark has no findings in the user's code, so there is no SARIF of it";

fn run_bench(bench: &BenchArguments, common: &Arguments) -> Result<ExitCode, String> {
    if bench.output_format == OutputFormat::Sarif {
        return Err(NO_SARIF.to_owned());
    }
    let options = options(bench)?;
    let compared = compared_series(bench)?;
    let stop = StopSignal::new();
    let handler_stop = stop.clone();
    // Without the handler Ctrl-C ends the process at once, and what was written can be resumed.
    let _ = ctrlc::set_handler(move || handler_stop.request());
    let mut display = Display::new(common, options.engines.len() > 1);
    let on = bench.cluster.on.as_deref();
    let result = cluster::with_queue(on, &options.out, options.resume, jobs(bench), |queue| {
        let result = lariat_bench::run(&options, queue, &stop, &mut |event| display.show(event));
        result.map_err(|error: BenchError| error.to_string())
    });
    display.finish();
    let result = result?;
    if !result.interrupted {
        cluster::forget_run(&options.out);
    }

    let mut series = Series::of_records(&result.records, "");
    let cases: HashSet<CaseName> = result.records.iter().map(Record::case).collect();
    for mut earlier in compared {
        // What is not part of this run cannot be compared with it.
        earlier.solved.retain(|case, _| cases.contains(case));
        series.push(earlier);
    }
    series.extend(peer_series(&result.records));
    let last_line = Summary::of(&result.records).last_line(result.seconds);
    let page = write_files(&options, &result, &series, &last_line)?;
    if let Some(path) = &bench.report {
        write_file(path, &page)?;
    }
    let mut text = String::new();
    show_result(&mut text, &options, &result, common.quiet);
    if !common.quiet {
        show_comparisons(&mut text, &comparisons(&result.records));
        show_series(&mut text, &series, options.time_limit);
    }
    if let Some(line) = Summary::of(&result.records).harness_line() {
        text.push_str(&format!("{line}\n"));
    }
    let result_text = match bench.output_format {
        OutputFormat::Text => format!("{text}{last_line}\n"),
        OutputFormat::Html => page,
        OutputFormat::Json => pretty(&json!({
            "schema_version": SCHEMA_VERSION,
            "summary": last_line,
            "seconds": result.seconds,
            "interrupted": result.interrupted,
            "records": result.records,
        }))?,
        OutputFormat::Sarif => return Err(NO_SARIF.to_owned()),
    };
    match &bench.output {
        Some(path) => write_file(path, &anstream::adapter::strip_str(&result_text).to_string())?,
        None => say::result(&result_text)?,
    }

    let wrong = |record: &Record| record.judgement == Judgement::Wrong;
    Ok(if result.interrupted {
        ExitCode::Interrupted
    } else if result.records.iter().any(wrong) {
        ExitCode::Bug
    } else if result.records.iter().any(|record| record.panicked) {
        ExitCode::Internal
    } else {
        ExitCode::Success
    })
}

pub fn read_manifests(bench: &BenchArguments) -> Result<Vec<Manifest>, String> {
    bench.manifests.iter().map(|path| Manifest::read(path)).collect()
}

/// How many rows are run here at a time.
fn jobs(bench: &BenchArguments) -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    bench.jobs.map_or(cores, |jobs| jobs as usize)
}

fn options(bench: &BenchArguments) -> Result<BenchOptions, String> {
    let manifests = read_manifests(bench)?;
    let mut engines = bench.search.engine.clone();
    engines.dedup();
    if engines.is_empty() {
        engines.push(Engine::default());
    }
    // Workers on other machines know their own share.
    let share = match bench.cluster.on {
        Some(_) => None,
        None => memory_of_system().map(|memory| memory / 10 * 8 / jobs(bench) as u64),
    };
    Ok(BenchOptions {
        out: bench.out.clone().unwrap_or_else(|| default_folder(&manifests)),
        settings: VerifyRequest {
            c: bench.c.options(),
            ..bench.search.request(engines[0])
        },
        conform: bench.command == Some(BenchCommand::Conform),
        bound: bench.search.bound,
        manifests,
        engines,
        time_limit: bench.time_limit,
        memory_limit: bench.memory_limit.or(share),
        filter: bench.filter.clone(),
        bounded_ok: bench.bounded_ok,
        harness: match bench.harness {
            Switch::Auto => has_compiler(),
            Switch::On => true,
            Switch::Off => false,
        },
        resume: bench.resume,
    })
}

fn default_folder(manifests: &[Manifest]) -> PathBuf {
    let names: Vec<String> = manifests.iter().map(Manifest::name).collect();
    let parent = if Path::new("target").is_dir() {
        "target/bench"
    } else {
        "lariat-bench"
    };
    Path::new(parent).join(names.join("+"))
}

/// The series of earlier runs to compare with this one.
fn compared_series(bench: &BenchArguments) -> Result<Vec<Series>, String> {
    let mut series = Vec::new();
    for folder in &bench.compare {
        let path = folder.join("results.jsonl");
        let records =
            read_records(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        if records.is_empty() {
            return Err(format!("{} holds no results of this version", path.display()));
        }
        let name = folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |n| n.to_string_lossy().into());
        series.extend(Series::of_records(&records, &format!("{name}: ")));
    }
    Ok(series)
}

fn write_files(
    options: &BenchOptions,
    result: &BenchResult,
    series: &[Series],
    last_line: &str,
) -> Result<String, String> {
    let names: Vec<String> = options.manifests.iter().map(Manifest::name).collect();
    let html = page(&PageInput {
        title: &names.join(" + "),
        records: &result.records,
        series,
        pairs: None,
        time_limit_seconds: options.time_limit.as_secs_f64(),
        last_line,
    });
    let csv_path = options.out.join("results.csv");
    let html_path = options.out.join("report.html");
    let failed = |path: &Path, error: io::Error| format!("cannot write {}: {error}", path.display());
    File::create(&csv_path)
        .and_then(|file| write_csv(&result.records, BufWriter::new(file)))
        .map_err(|error| failed(&csv_path, error))?;
    std::fs::write(&html_path, &html).map_err(|error| failed(&html_path, error))?;
    Ok(html)
}

/// Everything but the last line.
fn show_result(text: &mut String, options: &BenchOptions, result: &BenchResult, quiet: bool) {
    let several = options.engines.len() > 1;
    let remarkable: Vec<&Record> = result
        .records
        .iter()
        .filter(|record| record.judgement == Judgement::Wrong || record.crashed)
        .collect();
    if !remarkable.is_empty() {
        text.push('\n');
        for record in remarkable {
            text.push_str(&row_line(record, several));
            text.push('\n');
        }
    }
    if quiet {
        return;
    }
    let engines = options.engines.iter().map(|engine| engine.name());
    for series in engines.chain([lariat_bench::CONFORM]) {
        let records: Vec<&Record> = result
            .records
            .iter()
            .filter(|record| record.series == series)
            .collect();
        // A run that finished no row shows that, too.
        if records.is_empty() && (series == lariat_bench::CONFORM || !result.records.is_empty()) {
            continue;
        }
        let summary = Summary::of(records);
        show_table(text, series, &summary);
        show_figures(text, &summary);
    }
    text.push_str(&format!("results in {}\n", options.out.display()));
    if result.redeliveries > 0 {
        let times = units::count(result.redeliveries, "time");
        text.push_str(&format!("tasks were given to another worker {times}\n"));
    }
    if result.interrupted {
        text.push_str("interrupted: --resume goes on from here\n");
    }
    let new = Summary::of(&result.records).counts.new;
    if new > 0 {
        let rows = units::count(new as u64, "row");
        text.push_str(&format!(
            "{rows} without a known verdict decided: neither right nor wrong\n"
        ));
    }
}

fn show_table(text: &mut String, name: &str, summary: &Summary<'_>) {
    let (bold, dim) = (style::BOLD, style::DIM);
    text.push_str(&format!(
        "\n{bold}{name:12}{bold:#}{dim}{:>7}{:>7}{:>10}{:>6}{:>13}{:>12}{:>11}{dim:#}\n",
        "right", "wrong", "unsolved", "new", "unconfirmed", "solved in", "inlined"
    ));
    let mut line = |label: &str, counts: &Counts| {
        // Zeroes are dimmed so that what is there stands out.
        let cell = |count: usize, width: usize, color: anstyle::Style| {
            let style = if count == 0 { style::DIM } else { color };
            format!("{style}{count:>width$}{style:#}")
        };
        text.push_str(&format!(
            "{label:12}{}{}{}{}{}{:>12}{}\n",
            cell(counts.right, 7, style::GOOD),
            cell(counts.wrong, 7, style::ERROR),
            cell(counts.unsolved, 10, anstyle::Style::new()),
            cell(counts.new, 6, style::NAME),
            cell(counts.unconfirmed, 13, style::WARNING),
            units::seconds(counts.solved_seconds),
            cell(counts.inlined as usize, 11, anstyle::Style::new()),
        ));
    };
    for (expect, counts) in &summary.by_expectation {
        line(&format!("  {}", expect.name()), counts);
    }
    if summary.by_expectation.len() > 1 {
        line("  all", &summary.counts);
    }
}

fn show_figures(text: &mut String, summary: &Summary<'_>) {
    if summary.bugs > 0 {
        let share = 100.0 * summary.replayed as f64 / summary.bugs as f64;
        text.push_str(&format!(
            "{} of {} bugs replayed ({share:.0} %)\n",
            summary.replayed, summary.bugs
        ));
    }
    if summary.crashed > 0 {
        let crashed = units::count(summary.crashed as u64, "row");
        text.push_str(&format!("{crashed} ended by a crash\n"));
    }
    if let Some(largest) = summary.largest {
        let megabytes = largest.source_bytes as f64 / 1e6;
        text.push_str(&format!(
            "reading at {:.1} MB/s: {megabytes:.2} MB of {} in {}\n",
            megabytes / largest.front_end_seconds,
            largest.file,
            units::seconds(largest.front_end_seconds),
        ));
    }
}

/// The effort of one engine relative to another, on the rows that both solve.
fn show_comparisons(text: &mut String, comparisons: &[Comparison]) {
    if !comparisons.is_empty() {
        text.push('\n');
    }
    for one in comparisons {
        let rows = units::count(one.rows as u64, "row");
        text.push_str(&format!(
            "{} to {} on {rows} that both solve: {:.2} of the time",
            one.series, one.to, one.seconds_ratio
        ));
        if let Some((rows, ratio)) = one.inlined {
            let rows = if rows == one.rows {
                String::new()
            } else {
                format!(" (on {rows})")
            };
            text.push_str(&format!(", {ratio:.2} of the inlined procedures{rows}"));
        }
        text.push_str(" (geometric means)\n");
    }
}

/// Engines, earlier runs and other tools side by side.
fn show_series(text: &mut String, series: &[Series], time_limit: Duration) {
    let Some((first, others)) = series.split_first() else {
        return;
    };
    if others.is_empty() {
        return;
    }
    let limit = time_limit.as_secs_f64();
    let width = series
        .iter()
        .map(|series| series.name.chars().count())
        .max()
        .unwrap_or(0);
    let dim = style::DIM;
    let (in_time, without) = (format!("in {limit} s"), format!("not by {}", first.name));
    let last = without.chars().count() + 3;
    text.push_str(&format!(
        "\n{dim}{:width$}{:>9}{in_time:>12}{without:>last$}{dim:#}\n",
        "", "solved"
    ));
    for one in series {
        let quick = one.solved.values().filter(|&&seconds| seconds <= limit).count();
        let more = one
            .solved
            .keys()
            .filter(|case| !first.solved.contains_key(case))
            .count();
        text.push_str(&format!(
            "{:width$}{:>9}{quick:>12}{more:>last$}\n",
            one.name,
            one.solved.len()
        ));
    }
}

/// One row for people.
fn row_line(record: &Record, with_series: bool) -> String {
    let style = match record.judgement {
        Judgement::Right => style::GOOD,
        Judgement::Wrong => style::ERROR,
        Judgement::New => style::NAME,
        Judgement::Unsolved => style::DIM,
    };
    let verdict = match record.verdict {
        Verdict::Bounded { .. } => record.verdict.to_string(),
        _ => record.verdict.word().to_owned(),
    };
    let expected = match record.expect {
        // An expected acceptance or rejection needs no mention.
        Expect::Accept | Expect::Reject if record.judgement == Judgement::Right => String::new(),
        expect => format!(" (expected {})", expect.name()),
    };
    let series = if with_series {
        format!("{:11}", record.series)
    } else {
        String::new()
    };
    let dim = style::DIM;
    let remark = match record.remark() {
        "" => String::new(),
        remark => format!("  {dim}{remark}{dim:#}"),
    };
    format!(
        "{style}{:9}{style:#}{series}{:>9}  {}  {verdict}{expected}{remark}",
        record.judgement.name(),
        units::seconds(record.seconds),
        record.file,
    )
}

/// What the user sees while a benchmark runs: a bar on a terminal, rows with `-v`.
struct Display {
    bar: Option<ProgressBar>,
    rows: bool,
    several_engines: bool,
    counts: Counts,
}

impl Display {
    fn new(common: &Arguments, several_engines: bool) -> Self {
        let wanted = !common.no_progress && !common.quiet && io::stderr().is_terminal();
        Display {
            bar: wanted.then(new_bar),
            rows: common.verbose,
            several_engines,
            counts: Counts::default(),
        }
    }

    fn show(&mut self, event: BenchEvent<'_>) {
        match event {
            BenchEvent::Planned { total, kept } => {
                if let Some(bar) = &self.bar {
                    bar.set_length(total as u64);
                    bar.set_position(kept as u64);
                }
            }
            BenchEvent::Started { file, .. } => {
                if let Some(bar) = &self.bar {
                    bar.set_message(end_of(file, 40));
                }
            }
            BenchEvent::Status(status) => {
                if let Some(bar) = &self.bar {
                    bar.set_message(cluster::status_line(status));
                }
            }
            BenchEvent::Remark(text) => match &self.bar {
                Some(bar) => bar.suspend(|| say::warning(text)),
                None => say::warning(text),
            },
            BenchEvent::Finished(record) => {
                match record.judgement {
                    Judgement::Right => self.counts.right += 1,
                    Judgement::Wrong => self.counts.wrong += 1,
                    Judgement::Unsolved => self.counts.unsolved += 1,
                    Judgement::New => self.counts.new += 1,
                }
                if self.rows {
                    let line = format!("{}\n", row_line(record, self.several_engines));
                    let print = || {
                        let _ = anstream::stdout().write_all(line.as_bytes());
                    };
                    match &self.bar {
                        Some(bar) => bar.suspend(print),
                        None => print(),
                    }
                }
                if let Some(bar) = &self.bar {
                    let Counts {
                        right,
                        wrong,
                        unsolved,
                        ..
                    } = self.counts;
                    bar.set_prefix(format!("{right} right, {wrong} wrong, {unsolved} unsolved"));
                    bar.inc(1);
                }
            }
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The end of a long name, where names differ.
fn end_of(name: &str, length: usize) -> String {
    let count = name.chars().count();
    if count <= length {
        return name.to_owned();
    }
    let end: String = name.chars().skip(count - length + 1).collect();
    format!("…{end}")
}

fn new_bar() -> ProgressBar {
    let template = "{elapsed:.bold} {bar:28.cyan/dim} {pos}/{len}  {prefix}  {wide_msg:.dim}";
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─");
    let bar = ProgressBar::new(0).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
