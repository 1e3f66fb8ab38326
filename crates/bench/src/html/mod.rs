//! The result as one self-contained HTML page: figures, plots and a table of all rows.
//!
//! Plots are SVG made here; the page needs no network and no library. The script only adds
//! tooltips, sorting and filtering: everything can be read without it.

mod cactus;
mod scale;
mod scatter;

use std::fmt::Write;

use crate::judge::Judgement;
use crate::record::Record;
use crate::summary::{Series, Summary};

/// What a page shows.
pub struct PageInput<'a> {
    pub title: &'a str,
    /// The results of this run.
    pub records: &'a [Record],
    /// What the plots compare; the first is set against each of the others.
    pub series: &'a [Series],
    pub time_limit_seconds: f64,
    /// The line that the command ends with.
    pub last_line: &'a str,
}

/// The series that a page has colours for.
const COLORS: usize = 8;

/// The whole page.
pub fn page(input: &PageInput<'_>) -> String {
    let mut body = String::new();
    let title = escape(input.title);
    let _ = write!(
        body,
        "<header><h1>{title}</h1><p class=\"last\">{}</p></header>",
        escape(input.last_line)
    );
    figures(&mut body, input);
    let solved_something = input.series.iter().any(|series| !series.solved.is_empty());
    if solved_something {
        let _ = write!(
            body,
            "<section><h2>How many are solved within a time</h2>\
             <p>Each point is a row that was solved; further right is more, lower is faster. Lines of other tools, as the \
             manifest records them, are dashed: their times are from other machines and other limits.</p>{}{}</section>",
            legend(input.series),
            cactus::plot(input.series, input.time_limit_seconds),
        );
        scatter_plots(&mut body, input);
    }
    table(&mut body, input.records);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · Lariat benchmark</title>\n<style>\n{}</style></head>\n\
         <body><main>{body}</main><div id=\"tip\" hidden></div>\n<script>\n{}</script></body></html>\n",
        include_str!("page.css"),
        include_str!("page.js"),
    )
}

fn figures(body: &mut String, input: &PageInput<'_>) {
    let mut names: Vec<&str> = Vec::new();
    for record in input.records {
        if !names.contains(&record.series.as_str()) {
            names.push(&record.series);
        }
    }
    body.push_str("<section class=\"figures\">");
    for name in names {
        let summary = Summary::of(input.records.iter().filter(|record| record.series == name));
        let counts = summary.counts;
        let _ = write!(body, "<article><h2>{}</h2><div class=\"bar\">", escape(name));
        let shares = [
            ("right", counts.right),
            ("new", counts.new),
            ("wrong", counts.wrong),
            ("unsolved", counts.unsolved),
        ];
        for (kind, count) in shares {
            if count > 0 {
                let _ = write!(
                    body,
                    "<i class=\"{kind}\" style=\"flex:{count}\" data-tip=\"{count} {kind}\"></i>"
                );
            }
        }
        body.push_str("</div><dl>");
        for (kind, count) in shares {
            // `new` is of interest only where verdicts are unknown.
            if kind != "new" || count > 0 {
                let class = if count > 0 { kind } else { "none" };
                let _ = write!(
                    body,
                    "<div class=\"{class}\"><dt>{kind}</dt><dd>{count}</dd></div>"
                );
            }
        }
        let _ = write!(
            body,
            "<div><dt>solved in</dt><dd>{:.0} s</dd></div>",
            counts.solved_seconds
        );
        if counts.inlined > 0 {
            let _ = write!(body, "<div><dt>inlined</dt><dd>{}</dd></div>", counts.inlined);
        }
        if summary.bugs > 0 {
            let share = 100.0 * summary.replayed as f64 / summary.bugs as f64;
            let _ = write!(
                body,
                "<div><dt>bugs replayed</dt><dd>{} of {} <small>{share:.0} %</small></dd></div>",
                summary.replayed, summary.bugs
            );
        }
        if summary.crashed > 0 {
            let _ = write!(
                body,
                "<div class=\"wrong\"><dt>crashed</dt><dd>{}</dd></div>",
                summary.crashed
            );
        }
        if let Some(largest) = summary.largest {
            let _ = write!(
                body,
                "<div><dt>reading</dt><dd>{:.1} MB/s <small>{:.1} MB in {:.2} s</small></dd></div>",
                largest.source_bytes as f64 / 1e6 / largest.front_end_seconds,
                largest.source_bytes as f64 / 1e6,
                largest.front_end_seconds,
            );
        }
        body.push_str("</dl></article>");
    }
    body.push_str("</section>");
}

fn scatter_plots(body: &mut String, input: &PageInput<'_>) {
    let Some((first, others)) = input.series.split_first() else {
        return;
    };
    if others.is_empty() {
        return;
    }
    let _ = write!(
        body,
        "<section><h2>Row by row</h2><p>Each point is a row; above the diagonal {} is faster. On the outer lines one of \
         the two did not solve it.</p><div class=\"scatters\">",
        escape(&first.name)
    );
    for other in others {
        let plot = scatter::plot(first, other, input.records, input.time_limit_seconds);
        let _ = write!(body, "<figure>{plot}</figure>");
    }
    body.push_str(
        "</div><p class=\"legend\"><span><i class=\"dot safe\"></i>safe</span><span><i class=\"dot bug\"></i>bug</span>\
         <span><i class=\"dot other\"></i>other</span></p></section>",
    );
}

fn legend(series: &[Series]) -> String {
    let mut text = String::from("<p class=\"legend\">");
    for (index, series) in series.iter().enumerate() {
        let dashed = if series.is_peer { " dashed" } else { "" };
        let _ = write!(
            text,
            "<span><i class=\"line s{}{dashed}\"></i>{} <small>{} solved</small></span>",
            index % COLORS,
            escape(&series.name),
            series.solved.len()
        );
    }
    text.push_str("</p>");
    text
}

fn table(body: &mut String, records: &[Record]) {
    body.push_str(
        "<section><h2>All rows</h2><p class=\"filters\"><input id=\"filter\" type=\"search\" placeholder=\"filter by name, \
         verdict, reason…\" aria-label=\"filter\">",
    );
    for judgement in [
        Judgement::Right,
        Judgement::Wrong,
        Judgement::Unsolved,
        Judgement::New,
    ] {
        let name = judgement.name();
        let count = records
            .iter()
            .filter(|record| record.judgement == judgement)
            .count();
        if count > 0 {
            let _ = write!(
                body,
                "<label class=\"{name}\"><input type=\"checkbox\" data-kind=\"{name}\" checked>{name} \
                 <small>{count}</small></label>"
            );
        }
    }
    body.push_str("</p><div class=\"wide\"><table id=\"rows\"><thead><tr>");
    for (heading, is_number) in [
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
    ] {
        let class = if is_number { " class=\"number\"" } else { "" };
        let _ = write!(body, "<th{class}><button type=\"button\">{heading}</button></th>");
    }
    body.push_str("</tr></thead><tbody>");
    for record in records {
        let _ = write!(
            body,
            "<tr data-kind=\"{kind}\"><td class=\"file\">{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td class=\"{kind}\">{kind}</td><td class=\"number\">{:.2}</td><td class=\"number\">{:.2}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{:.0}</td><td class=\"number\">{}</td>\
             <td class=\"remark\">{}</td></tr>",
            escape(&record.file),
            escape(&record.series),
            record.expect.name(),
            escape(&verdict_text(record)),
            record.seconds,
            record.solver_seconds,
            record.inlined,
            record.peak_memory_bytes as f64 / (1024.0 * 1024.0),
            record.lines.map(|lines| lines.to_string()).unwrap_or_default(),
            escape(record.remark()),
            kind = record.judgement.name(),
        );
    }
    body.push_str("</tbody></table></div></section>");
}

/// The verdict without its reason, which has a column of its own.
fn verdict_text(record: &Record) -> String {
    match record.verdict {
        lariat_report::Verdict::Bounded { bound } => format!("bounded({bound})"),
        _ => record.verdict.word().to_owned(),
    }
}

/// Text for HTML, also inside attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            escape("<a href=\"x\">'&"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;"
        );
    }
}
