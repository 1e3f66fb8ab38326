//! The result as one page: verdicts, traces with values, lines of source, charts, figures and pictures of models.

mod chart;
mod explorer;
mod listing;
mod specs;

use lariat_page::{Page, badge, svg_address};
use lariat_report::{
    ConformModel, ConformModelKind, DiagnosticReport, Location, Severity, TraceKind, TraceLine,
};
use maud::{Markup, PreEscaped, html};

use self::explorer::Explorer;
use super::source::Sources;
use super::text::{MAX_INDENT, short_place};
use crate::angelic::SPECIFICATIONS;
use crate::units;
use crate::view::{Alarm, Block, Headline, Item, Line, List, Span, Table, Tone, View, When, verdict_word};

/// Lines of source around a place.
const CONTEXT: u32 = 3;

/// Of more threads not each has a column.
const MOST_LANES: u32 = 8;

/// Lines of a trace that can be read without scripts.
const MAX_TABLE: usize = 1_000;

pub fn render(view: &View<'_>) -> String {
    let title = view.files.join(" ");
    let mut sources = Sources::default();
    let explorer = Explorer::new(view, &mut sources);
    let mut shower = Shower {
        sources,
        explorer: &explorer,
    };
    let body = html! {
        h1 { (badge(class(view.answer.tone), &view.answer.text)) (title) }
        p.dim { "lariat " (view.command) }
        (diagnostics(view))
        @if !explorer.is_empty() { div id="explorer" hidden {} }
        @for part in parts(view) {
            @if let (Some(Block::Whole), Some(sheet)) = (part.first(), &view.specs) {
                @if !sheet.specifications.is_empty() { (specs::show(sheet, &explorer)) }
            }
            section { @for block in part { (shower.show(block)) } }
        }
        @if !explorer.is_empty() {
            script id="lariat-data" type="application/json" { (PreEscaped(explorer.json())) }
        }
    };
    let script = match explorer.is_empty() {
        true => String::new(),
        false => [include_str!("explorer.js"), include_str!("specs.js")].concat(),
    };
    let page = Page {
        title: &format!("{title} · {}", view.command),
        style: include_str!("report.css"),
        script: &script,
        body,
    };
    page.render()
}

/// What is wrong with the input, and what qualifies the answer; notes are folded.
fn diagnostics(view: &View<'_>) -> Markup {
    let (notes, others): (Vec<&DiagnosticReport>, Vec<_>) = view
        .diagnostics
        .iter()
        .partition(|diagnostic| diagnostic.severity == Severity::Note);
    let shown = |diagnostic: &DiagnosticReport| {
        html! { pre { (anstream::adapter::strip_str(diagnostic.rendered.trim_end())) } }
    };
    html! {
        @for diagnostic in others { (shown(diagnostic)) }
        @for warning in view.warnings {
            p {
                span.warn { "Warning: " }
                @if let Some(place) = &warning.location { span.place { (place) } ": " }
                (warning.message)
            }
        }
        @if !notes.is_empty() {
            details {
                summary.dim { (units::count(notes.len() as u64, "note")) }
                @for note in notes { (shown(note)) }
            }
        }
    }
}

/// The blocks of each section: a headline with what belongs to it.
fn parts<'v>(view: &'v View<'_>) -> Vec<Vec<&'v Block<'v>>> {
    let mut parts: Vec<Vec<&Block<'_>>> = Vec::new();
    for shown in view.blocks.iter().filter(|shown| shown.when != When::Brief) {
        let block = &shown.block;
        if view.specs.is_some() && matches!(block, Block::List(list) if list.title == SPECIFICATIONS) {
            // They have a section of their own.
            continue;
        }
        let starts = matches!(block, Block::Headline(_) | Block::Alarm(_) | Block::Whole);
        match parts.last_mut().filter(|_| !starts) {
            Some(part) => part.push(block),
            None => parts.push(vec![block]),
        }
    }
    parts
}

/// What blocks are shown with.
struct Shower<'e> {
    sources: Sources,
    explorer: &'e Explorer,
}

impl Shower<'_> {
    fn show(&mut self, block: &Block<'_>) -> Markup {
        match block {
            Block::Headline(headline) => self.headline(headline),
            Block::Alarm(alarm) => self.alarm(alarm),
            Block::Heading(heading) => html! { h3 { (heading) } },
            Block::Line(line) => show_line(line),
            Block::List(list) => show_list(list),
            Block::Table(table) => show_table(table),
            Block::Trace(lines) => self.trace(lines),
            Block::Chart { watching, violation } => html! {
                div.wide { (PreEscaped(chart::draw(*watching, violation))) }
            },
            Block::Model(model) => show_model(model),
            // With scripts the file is shown above, with the same notes.
            Block::Listing(listing) if self.explorer.has_file(&listing.file) => html! {
                noscript { (listing::show(listing, &mut self.sources)) }
            },
            Block::Listing(listing) => listing::show(listing, &mut self.sources),
            Block::Gap | Block::Whole => html! {},
        }
    }

    fn headline(&mut self, headline: &Headline<'_>) -> Markup {
        let tone = Tone::of_verdict(&headline.verdict);
        html! {
            h2 { (badge(class(tone), &verdict_word(&headline.verdict))) (headline.message) }
            p.dim {
                @match headline.location {
                    Some(place) => (self.place(place)),
                    None => (headline.subject),
                }
                @if let Some(id) = headline.id { " · {:id \"" (id) "\"}" }
            }
            @if let Some(place) = headline.location { (self.source(place, None)) }
        }
    }

    fn alarm(&mut self, alarm: &Alarm<'_>) -> Markup {
        html! {
            h2 { (badge("warn", alarm.code)) (alarm.message) }
            @if let Some(place) = alarm.location {
                p.dim { (self.place(place)) }
                (self.source(place, alarm.label))
            }
            @if let Some((place, label)) = &alarm.related {
                p.dim { (self.place(place)) }
                (self.source(place, Some(label)))
            }
        }
    }

    /// A place, which the page shows if it is clicked.
    fn place(&self, place: &Location) -> Markup {
        html! { span data-place=[self.explorer.place(place)] { (place) } }
    }

    /// The lines around a place; nothing if the file cannot be read any more.
    fn source(&mut self, place: &Location, label: Option<&str>) -> Markup {
        let lines = self.sources.lines_around(place, CONTEXT);
        html! {
            @if !lines.is_empty() {
                pre.source {
                    @for (number, line) in lines {
                        i { (format!("{number:>5}  ")) }
                        @if number == place.line { b { (line) } } @else { (line) }
                        @if let (Some(label), true) = (label, number == place.line) {
                            i { "   ← " (label) }
                        }
                        "\n"
                    }
                }
            }
        }
    }

    /// With scripts the execution is shown step by step instead.
    fn trace(&self, lines: &[TraceLine]) -> Markup {
        match self.explorer.flow(lines) {
            Some(flow) => html! {
                p { button type="button" data-flow=(flow) hidden { "▶ Step through this execution" } }
                noscript { (show_trace(lines)) }
            },
            None => show_trace(lines),
        }
    }
}

fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "plain",
        Tone::Bold => "bold",
        Tone::Dim => "dim",
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Warn => "warn",
        Tone::Bounded => "bounded",
        Tone::Place => "place",
    }
}

fn show_spans(spans: &[Span]) -> Markup {
    html! {
        @for (index, span) in spans.iter().enumerate() {
            @if index > 0 { " " }
            @match span.tone {
                Tone::Plain => (span.text),
                Tone::Bold => b { (span.text) },
                tone => span class=(class(tone)) { (span.text) },
            }
        }
    }
}

fn show_line(line: &Line) -> Markup {
    html! { p { (show_spans(&line.spans)) } }
}

fn show_list(list: &List) -> Markup {
    let show = |item: &Item| {
        html! {
            li {
                (show_spans(&item.spans))
                @if let Some((word, asides)) = &item.asides {
                    small { (word) ": " (asides.join("; ")) }
                }
                @if let Some(detail) = &item.detail { small { code { (detail) } } }
            }
        }
    };
    html! {
        h3 { (list.title) }
        ul { @for item in &list.items { (show(item)) } }
    }
}

fn show_table(table: &Table) -> Markup {
    let number = |is_number: bool| if is_number { "number" } else { "" };
    let has_head = table.columns.iter().any(|column| !column.name.is_empty());
    html! {
        div.wide {
            table.figures {
                @if has_head {
                    tr { @for column in &table.columns { th class=(number(column.is_number)) { (column.name) } } }
                }
                @for row in &table.rows {
                    tr {
                        @for (cell, column) in row.iter().zip(&table.columns) {
                            td class=(number(column.is_number)) { (cell) }
                        }
                    }
                }
            }
        }
    }
}

fn show_trace(lines: &[TraceLine]) -> Markup {
    let kind = |line: &TraceLine| match (line.kind, &line.location) {
        (TraceKind::Failure, _) => "wrong",
        (_, None) => "action",
        (TraceKind::Start | TraceKind::Call, _) => "flow",
        _ => "",
    };
    let indent = |line: &TraceLine| "  ".repeat(line.indent.min(MAX_INDENT) as usize);
    let values = |line: &TraceLine| {
        let changes = line.changes.iter();
        let changes: Vec<String> = changes
            .map(|change| format!("{} = {}", change.name, change.value))
            .collect();
        changes.join(", ")
    };
    // A column for each thread, if there are several.
    let threads = lines.iter().filter_map(|line| line.thread).max();
    let threads = threads.filter(|&threads| threads <= MOST_LANES).unwrap_or(1);
    let is_in = |line: &TraceLine, lane: u32| threads == 1 || line.thread.unwrap_or(1) == lane;
    html! {
        div.wide {
            table.trace {
                @if threads > 1 {
                    tr {
                        th {}
                        @for lane in 1..=threads { th { "thread " (lane) } }
                        th {}
                    }
                }
                @for line in lines.iter().take(MAX_TABLE) {
                    tr class=(kind(line)) {
                        td.place { (line.location.as_ref().map(short_place).unwrap_or_default()) }
                        @for lane in 1..=threads {
                            td { @if is_in(line, lane) { (indent(line)) (line.text) } }
                        }
                        td.values { (values(line)) }
                    }
                }
            }
            @if lines.len() > MAX_TABLE {
                p.dim { "… and " (lines.len() - MAX_TABLE) " further steps" }
            }
        }
    }
}

fn show_model(model: &ConformModel) -> Markup {
    let what = match model.kind {
        ConformModelKind::Specification => "the specification",
        ConformModelKind::PredicateAbstraction => "predicate abstraction of",
        ConformModelKind::ActionGuidedAbstraction => "action-guided abstraction of",
    };
    let caption = format!(
        "{what} {}: {}, {}",
        model.name,
        units::count(model.states as u64, "state"),
        units::count(model.transitions as u64, "transition")
    );
    html! {
        @match &model.svg {
            Some(svg) => figure {
                img alt=(caption) src=(svg_address(svg));
                figcaption { (caption) }
            },
            None => p.dim {
                (caption) ": too large to draw; " code { "--export DIR" } " writes it as AUT and DOT."
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::examples;

    #[test]
    fn every_command_has_a_page() {
        let verify = examples::out_of_bounds();
        let page = super::render(&crate::verify::view(&verify));
        for part in [
            "<!DOCTYPE html>",
            "class=\"badge bad\">bug</span>",
            "`a[i]` can be outside of `a`",
            "i = 10",
            "mind this",
        ] {
            assert!(page.contains(part), "{part} is missing in\n{page}");
        }
        let angelic = examples::angelic();
        let page = super::render(&crate::angelic::view(&angelic, None));
        for part in [
            "class=\"badge warn\">1 warning</span>",
            "null pointer can be dereferenced in Bar",
            "Lib2() != NULL",
            "suppresses: `x-&gt;len`, fig1.c:30",
            "incomplete:",
        ] {
            assert!(page.contains(part), "{part} is missing in\n{page}");
        }
        let conform = examples::conform();
        let page = super::render(&crate::conform::view(&conform));
        for part in [
            "class=\"chart\"",
            "class=\"step wrong\"",
            "LOCK allows here: lock",
            "<h3>worker</h3>",
        ] {
            assert!(page.contains(part), "{part} is missing in\n{page}");
        }
    }

    #[test]
    fn a_page_shows_the_lines_of_the_source_and_escapes_them() {
        let path = std::env::temp_dir().join(format!("lariat-page-{}.c", std::process::id()));
        let lines: Vec<String> = (1..=9).map(|line| format!("<b>line {line}</b>")).collect();
        std::fs::write(&path, lines.join("\n")).expect("written");
        let mut report = examples::out_of_bounds();
        let failure = &mut report.entries[0].failures[0];
        failure.location.as_mut().expect("a place").file = path.display().to_string();
        let page = super::render(&crate::verify::view(&report));
        std::fs::remove_file(&path).expect("removed");
        assert!(page.contains("<b>&lt;b&gt;line 7&lt;/b&gt;</b>"), "{page}");
        assert!(page.contains("&lt;b&gt;line 4&lt;/b&gt;"), "{page}");
        assert!(!page.contains("<b>line"), "{page}");
    }
}
