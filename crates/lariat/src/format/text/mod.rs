//! Text for people: the answer for standard output, remarks for standard error.
//!
//! Text is always styled here; `anstream` removes the styles where they are not wanted.

mod chart;
mod trace;

use std::fmt::Write;

use anstyle::Style;
use lariat_base::Diagnostic;
use lariat_report::{Severity, WarningKind};

pub use self::trace::{MAX_INDENT, one_line, place, short_place};

use super::source::Sources;
use crate::style;
use crate::view::{Alarm, Block, Headline, Line, List, Span, Table, Tone, View, When, verdict_word};

/// What belongs to one item of a list and is shown; `-v` shows all.
const ASIDES_SHOWN: usize = 3;

#[derive(Clone, Copy)]
pub struct Options {
    pub quiet: bool,
    pub verbose: bool,
    /// Columns to lay text out in.
    pub width: usize,
    /// Statements that are wider than the rest of the line are cut.
    pub cut: bool,
}

/// The width of the terminal, or one that suits files.
pub fn terminal_width() -> usize {
    let width = terminal_size::terminal_size().map_or(110, |(width, _)| usize::from(width.0));
    width.clamp(60, 160)
}

/// What is wrong with the input and what qualifies the answer.
pub fn remarks(view: &View<'_>, options: &Options) -> String {
    let mut text = String::new();
    for diagnostic in view.diagnostics {
        if diagnostic.severity == Severity::Error || !options.quiet {
            text.push_str(diagnostic.rendered.trim_end());
            text.push_str("\n\n");
        }
    }
    for warning in view.warnings {
        // `-q` must not hide that a verdict says little.
        if options.quiet && !matches!(warning.kind, WarningKind::Vacuous | WarningKind::NothingChecked) {
            continue;
        }
        text.push_str(&paint(Tone::Warn, "warning"));
        text.push_str(": ");
        if let Some(location) = &warning.location {
            let _ = write!(text, "{}: ", paint(Tone::Place, &location.to_string()));
        }
        text.push_str(&warning.message);
        text.push('\n');
    }
    text
}

/// The answer with everything that belongs to it.
pub fn render(view: &View<'_>, options: &Options) -> String {
    let mut page = Page {
        text: String::new(),
        sources: Sources::default(),
        options,
    };
    for shown in &view.blocks {
        let is_shown = match shown.when {
            When::Always => true,
            When::Normal => !options.quiet,
            When::Verbose => options.verbose,
            When::Brief => !options.quiet && !options.verbose,
        };
        if is_shown {
            page.block(&shown.block);
        }
    }
    page.text
}

struct Page<'o> {
    text: String,
    sources: Sources,
    options: &'o Options,
}

impl Page<'_> {
    fn block(&mut self, block: &Block<'_>) {
        match block {
            Block::Headline(headline) => self.headline(headline),
            Block::Alarm(alarm) => self.alarm(alarm),
            Block::Heading(heading) => {
                let _ = writeln!(self.text, "  {}", paint(Tone::Bold, &one_line(heading)));
            }
            Block::Line(line) => self.line(line),
            Block::List(list) => self.list(list),
            Block::Table(table) => self.table(table),
            Block::Trace(lines) => trace::show(&mut self.text, lines, self.options),
            Block::Chart { watching, violation } => {
                chart::show(&mut self.text, *watching, violation, self.options.width);
            }
            // Pictures are for pages.
            Block::Model(_) | Block::Listing(_) => {}
            Block::Whole => {}
            Block::Gap => self.text.push('\n'),
        }
    }

    /// On several lines if one is too short for it; with `-q`, always on one.
    fn headline(&mut self, headline: &Headline<'_>) {
        let word = verdict_word(&headline.verdict);
        let id = headline.id.map(|id| format!("{{:id \"{id}\"}}"));
        let mut columns = columns(&word) + 2 + columns(&headline.subject) + 2 + columns(&headline.message);
        columns += id.as_ref().map_or(0, |id| id.chars().count() + 2);
        let _ = write!(
            self.text,
            "{}  {}",
            paint(Tone::of_verdict(&headline.verdict), &word),
            paint(Tone::Bold, &headline.subject)
        );
        let id = id.map(|id| paint(Tone::Dim, &id));
        if self.options.quiet || columns <= self.options.width {
            let _ = write!(self.text, "  {}", headline.message);
            if let Some(id) = id {
                let _ = write!(self.text, "  {id}");
            }
            self.text.push('\n');
            return;
        }
        if let Some(id) = id {
            let _ = write!(self.text, "  {id}");
        }
        self.text.push('\n');
        for line in wrapped(&headline.message, self.options.width.saturating_sub(2)) {
            let _ = writeln!(self.text, "  {line}");
        }
    }

    fn alarm(&mut self, alarm: &Alarm<'_>) {
        let span = alarm
            .location
            .and_then(|place| self.sources.span(place, alarm.expected));
        let Some(span) = span.filter(|_| !self.options.quiet) else {
            let label = paint(Tone::Warn, &format!("warning[{}]", alarm.code));
            let place = alarm.location.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(
                self.text,
                "{label}: {}: {}",
                paint(Tone::Place, &place),
                alarm.message
            );
            return;
        };
        let mut diagnostic = Diagnostic::warning(alarm.code, span, &alarm.message);
        if let Some(label) = alarm.label {
            diagnostic = diagnostic.label(label);
        }
        if let Some((place, label)) = &alarm.related
            && let Some(span) = self.sources.span(place, None)
        {
            diagnostic = diagnostic.related(span, label);
        }
        let _ = writeln!(self.text, "{}", diagnostic.render(self.sources.map(), true));
    }

    fn line(&mut self, line: &Line) {
        let indent = " ".repeat(line.indent);
        let width = self.options.width.saturating_sub(line.indent);
        match line.spans.as_slice() {
            [only] if columns(&only.text) > width && only.tone != Tone::Dim => {
                for part in wrapped(&only.text, width) {
                    let _ = writeln!(self.text, "{indent}{}", paint(only.tone, &part));
                }
            }
            spans => {
                let _ = writeln!(self.text, "{indent}{}", painted(spans));
            }
        }
    }

    fn list(&mut self, list: &List) {
        let _ = writeln!(self.text, "{}:", list.title);
        for item in &list.items {
            let words: usize = item.spans.iter().map(|span| columns(&span.text) + 1).sum();
            let _ = write!(self.text, "  {}", painted(&item.spans));
            if let Some((word, asides)) = &item.asides {
                let shown = match self.options.verbose {
                    true => asides.len(),
                    false => ASIDES_SHOWN,
                };
                let mut shown: Vec<String> = asides.iter().take(shown).cloned().collect();
                if shown.len() < asides.len() {
                    shown.push(format!("{} more", asides.len() - shown.len()));
                }
                let asides = format!("({word}: {})", shown.join("; "));
                let gap = match 1 + words + 3 + columns(&asides) <= self.options.width {
                    true => "   ",
                    false => "\n      ",
                };
                let _ = write!(self.text, "{gap}{}", paint(Tone::Dim, &asides));
            }
            self.text.push('\n');
            if let Some(detail) = item.detail.as_ref().filter(|_| self.options.verbose) {
                let _ = writeln!(self.text, "      {}", paint(Tone::Dim, detail));
            }
        }
    }

    fn table(&mut self, table: &Table) {
        let names: Vec<String> = table
            .columns
            .iter()
            .map(|column| column.name.to_owned())
            .collect();
        let has_head = names.iter().any(|name| !name.is_empty());
        let head = has_head.then_some(&names);
        let cell_width = |column: usize| {
            let cells = head.into_iter().chain(&table.rows);
            cells.map(|row| columns(&row[column])).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..names.len()).map(cell_width).collect();
        let indent = " ".repeat(table.indent);
        for (index, row) in head.into_iter().chain(&table.rows).enumerate() {
            let is_head = has_head && index == 0;
            let mut line = indent.clone();
            for (cell, (column, &width)) in row.iter().zip(table.columns.iter().zip(&widths)) {
                let space = " ".repeat(width - columns(cell));
                let tone = match (is_head, cell.is_empty()) {
                    (true, _) => Tone::Dim,
                    // Nothing is not coloured: spaces at the end of the line are left out.
                    (false, true) => Tone::Plain,
                    (false, false) => column.tone,
                };
                line.push_str(&match column.is_number {
                    true => format!("{space}{}  ", paint(tone, cell)),
                    false => format!("{}{space}  ", paint(tone, cell)),
                });
            }
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
    }
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Words on lines of at most `width` columns, unless a word is longer.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        let needed = columns(word) + usize::from(!line.is_empty());
        if !line.is_empty() && columns(line) + needed > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn painted(spans: &[Span]) -> String {
    let spans: Vec<String> = spans.iter().map(|span| paint(span.tone, &span.text)).collect();
    spans.join(" ")
}

/// `text` in the style of its tone.
fn paint(tone: Tone, text: &str) -> String {
    match style_of(tone) {
        Some(style) => in_style(style, text),
        None => text.to_owned(),
    }
}

fn in_style(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn style_of(tone: Tone) -> Option<Style> {
    match tone {
        Tone::Plain => None,
        Tone::Bold => Some(style::BOLD),
        Tone::Dim => Some(style::DIM),
        Tone::Good => Some(style::GOOD),
        Tone::Bad => Some(style::ERROR),
        Tone::Warn => Some(style::WARNING),
        Tone::Bounded => Some(style::BOUNDED),
        Tone::Place => Some(style::PLACE),
    }
}

#[cfg(test)]
mod tests;
