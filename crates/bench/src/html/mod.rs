//! The result as one self-contained HTML page: figures, plots and a table of all rows.
//!
//! Plots are SVG made here. The script only adds tooltips, sorting and filtering: everything can be read without it.

mod cactus;
mod scale;
mod scatter;

use lariat_page::Page;
use lariat_report::Verdict;
use maud::{Markup, PreEscaped, html};

use crate::judge::Judgement;
use crate::record::Record;
use crate::summary::{Series, Summary};

/// What a page shows.
pub struct PageInput<'a> {
    pub title: &'a str,
    /// The results of this run.
    pub records: &'a [Record],
    /// What the plots compare.
    pub series: &'a [Series],
    /// Which series are compared row by row; without it the first with each of the others.
    pub pairs: Option<&'a [(usize, usize)]>,
    pub time_limit_seconds: f64,
    /// The last line that the command prints.
    pub last_line: &'a str,
}

/// The series that a page has colours for.
const COLORS: usize = 8;

/// The whole page.
pub fn page(input: &PageInput<'_>) -> String {
    let solved_something = input.series.iter().any(|series| !series.solved.is_empty());
    let body = html! {
        header { h1 { (input.title) } p.last { (input.last_line) } }
        (figures(input))
        @if solved_something {
            section {
                h2 { "How many are solved within a time" }
                p {
                    "Each point is a solved row; further right is more, lower is faster. Dashed lines are other tools, as the \
                     manifest records them: their times are from other machines and other limits."
                }
                (legend(input.series))
                (PreEscaped(cactus::plot(input.series, input.time_limit_seconds)))
            }
            (scatter_plots(input))
        }
        (table(input.records))
        div id="tip" hidden {}
    };
    let page = Page {
        title: &format!("{} · benchmark", input.title),
        style: include_str!("page.css"),
        script: include_str!("page.js"),
        body,
    };
    page.render()
}

fn figures(input: &PageInput<'_>) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for record in input.records {
        if !names.contains(&record.series.as_str()) {
            names.push(&record.series);
        }
    }
    html! {
        section.figures {
            @for name in names {
                (figures_of(name, &Summary::of(input.records.iter().filter(|record| record.series == name))))
            }
        }
    }
}

/// The counts of one series.
fn figures_of(name: &str, summary: &Summary<'_>) -> Markup {
    let counts = &summary.counts;
    let shares = [
        ("right", counts.right),
        ("new", counts.new),
        ("wrong", counts.wrong),
        ("unsolved", counts.unsolved),
    ];
    let figure = |class: &str, term: &str, value: &str, remark: &str| {
        html! {
            div class=(class) {
                dt { (term) }
                dd { (value) @if !remark.is_empty() { " " small { (remark) } } }
            }
        }
    };
    html! {
        article {
            h2 { (name) }
            div.bar {
                @for (kind, count) in shares.iter().filter(|(_, count)| *count > 0) {
                    i class=(kind) style={ "flex:" (count) } data-tip={ (count) " " (kind) } {}
                }
            }
            dl {
                // `new` matters only for rows without a known verdict.
                @for (kind, count) in shares.iter().filter(|(kind, count)| *kind != "new" || *count > 0) {
                    (figure(if *count > 0 { kind } else { "none" }, kind, &count.to_string(), ""))
                }
                (figure("", "solved in", &format!("{:.0} s", counts.solved_seconds), ""))
                @if counts.inlined > 0 { (figure("", "inlined", &counts.inlined.to_string(), "")) }
                @if summary.bugs > 0 {
                    (figure(
                        "",
                        "bugs replayed",
                        &format!("{} of {}", summary.replayed, summary.bugs),
                        &format!("{:.0} %", 100.0 * summary.replayed as f64 / summary.bugs as f64),
                    ))
                }
                @if summary.crashed > 0 { (figure("wrong", "crashed", &summary.crashed.to_string(), "")) }
                @if let Some(largest) = summary.largest {
                    (figure(
                        "",
                        "reading",
                        &format!("{:.1} MB/s", largest.source_bytes as f64 / 1e6 / largest.front_end_seconds),
                        &format!(
                            "{:.1} MB in {:.2} s",
                            largest.source_bytes as f64 / 1e6,
                            largest.front_end_seconds
                        ),
                    ))
                }
            }
        }
    }
}

fn scatter_plots(input: &PageInput<'_>) -> Markup {
    let usual: Vec<(usize, usize)> = (1..input.series.len()).map(|other| (0, other)).collect();
    let pairs = input.pairs.unwrap_or(&usual).iter();
    let pairs: Vec<(&Series, &Series)> = pairs
        .filter_map(|&(first, second)| Some((input.series.get(first)?, input.series.get(second)?)))
        .collect();
    if pairs.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Row by row" }
            p {
                "Each point is a row; above the diagonal the series of the horizontal axis is faster. Points on the outer lines were \
                 solved by only one of the two."
            }
            div.scatters {
                @for (first, second) in pairs {
                    figure {
                        (PreEscaped(scatter::plot(first, second, input.records, input.time_limit_seconds)))
                    }
                }
            }
            p.legend {
                @for kind in ["safe", "bug", "other"] { span { i class={ "dot " (kind) } {} (kind) } }
            }
        }
    }
}

fn legend(series: &[Series]) -> Markup {
    let class = |index: usize, series: &Series| {
        let dashed = if series.is_peer { " dashed" } else { "" };
        format!("line s{}{dashed}", index % COLORS)
    };
    html! {
        p.legend {
            @for (index, series) in series.iter().enumerate() {
                span {
                    i class=(class(index, series)) {}
                    (series.name) " " small { (series.solved.len()) " solved" }
                }
            }
        }
    }
}

/// Headings of the table, and whether their cells are numbers.
const HEADINGS: [(&str, bool); 11] = [
    ("file", false),
    ("engine", false),
    ("expected", false),
    ("verdict", false),
    ("judged", false),
    ("time s", true),
    ("solver s", true),
    ("inlined", true),
    ("memory MB", true),
    ("lines", true),
    ("remark", false),
];

fn table(records: &[Record]) -> Markup {
    let judgements = [
        Judgement::Right,
        Judgement::Wrong,
        Judgement::Unsolved,
        Judgement::New,
    ];
    let count = |judgement| {
        let judged = records.iter().filter(|record| record.judgement == judgement);
        judged.count()
    };
    let number = |is_number: bool| if is_number { "number" } else { "" };
    html! {
        section {
            h2 { "All rows" }
            p.filters {
                input id="filter" type="search" placeholder="filter by name, verdict, reason…" aria-label="filter";
                @for judgement in judgements.into_iter().filter(|judgement| count(*judgement) > 0) {
                    label class=(judgement.name()) {
                        input type="checkbox" data-kind=(judgement.name()) checked;
                        (judgement.name()) " " small { (count(judgement)) }
                    }
                }
            }
            div.wide {
                table id="rows" {
                    thead {
                        tr {
                            @for (heading, is_number) in HEADINGS {
                                th class=(number(is_number)) { button type="button" { (heading) } }
                            }
                        }
                    }
                    tbody { @for record in records { (row(record)) } }
                }
            }
        }
    }
}

fn row(record: &Record) -> Markup {
    let kind = record.judgement.name();
    // The reason is in another column.
    let verdict = match record.verdict {
        Verdict::Bounded { bound, .. } => format!("bounded({bound})"),
        _ => record.verdict.word().to_owned(),
    };
    let megabytes = record.peak_memory_bytes as f64 / (1024.0 * 1024.0);
    html! {
        tr data-kind=(kind) {
            td.file { (record.file) }
            td { (record.series) }
            td { (record.expect.name()) }
            td { (verdict) }
            td class=(kind) { (kind) }
            td.number { (format!("{:.2}", record.seconds)) }
            td.number { (format!("{:.2}", record.solver_seconds)) }
            td.number { (record.inlined) }
            td.number { (format!("{megabytes:.0}")) }
            td.number { (record.lines.map(|lines| lines.to_string()).unwrap_or_default()) }
            td.remark { (record.remark()) }
        }
    }
}
