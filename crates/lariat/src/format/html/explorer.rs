//! What the interactive part of a page knows: files, executions and marks, as one object in the page.
//!
//! The object is JSON with every `<` escaped, in a `script` that is not run: no text of the user can end it or become markup.

use std::collections::{BTreeMap, BTreeSet};

use lariat_report::{Location, TraceKind, TraceLine};
use serde_json::{Value, json};

use super::class;
use crate::format::source::Sources;
use crate::format::text::{MAX_INDENT, one_line};
use crate::view::{Block, Flow, View};

/// Larger programs are shown around the places that matter only.
const MAX_SOURCE_BYTES: usize = 6_000_000;
/// Lines around each such place.
const WINDOW: u32 = 200;
/// No more of a line is shown.
const MAX_LINE: usize = 2_000;
/// Of longer executions the middle is left out.
const MAX_STEPS: usize = 20_000;
/// When the executions of a page have this many steps together, the others are shown by their traces.
const MAX_STEPS_OF_PAGE: usize = 60_000;

const KINDS: [(TraceKind, &str); 9] = [
    (TraceKind::Start, "start"),
    (TraceKind::Statement, "statement"),
    (TraceKind::Havoc, "havoc"),
    (TraceKind::Call, "call"),
    (TraceKind::External, "external"),
    (TraceKind::Return, "return"),
    (TraceKind::LoopIteration, "loop-iteration"),
    (TraceKind::Failure, "failure"),
    (TraceKind::Note, "note"),
];

/// The files and executions of a page by their numbers in it.
pub struct Explorer {
    files: Vec<String>,
    numbers: BTreeMap<String, usize>,
    /// The traces of the executions, to find their numbers.
    flows: Vec<(*const TraceLine, usize)>,
    data: Value,
}

impl Explorer {
    pub fn new(view: &View<'_>, sources: &mut Sources) -> Self {
        let mut explorer = Explorer {
            files: Vec::new(),
            numbers: BTreeMap::new(),
            flows: Vec::new(),
            data: Value::Null,
        };
        explorer.find_files(view, sources);
        let mut texts = Texts::default();
        let mut budget = MAX_STEPS_OF_PAGE;
        let mut flows = Vec::new();
        let shown = view.findings.iter().filter(|it| it.suppression.is_none());
        for finding in shown.clone() {
            for flow in finding.flows.iter().filter(|flow| !flow.trace.is_empty()) {
                let steps = chosen(flow, budget);
                budget = budget.saturating_sub(steps.len());
                let steps: Vec<Value> = shortened(&merged(steps))
                    .iter()
                    .map(|line| explorer.step(line, &mut texts))
                    .collect();
                explorer.flows.push((flow.trace.as_ptr(), flow.trace.len()));
                let title = match &flow.title {
                    Some(title) => format!("{} – {title}", finding.message),
                    None => finding.message.clone(),
                };
                flows.push(json!({ "title": one_line(&title), "steps": steps }));
            }
        }
        let marks: Vec<Value> = shown
            .filter_map(|finding| {
                let place = finding.location?;
                Some(json!([
                    self::number(&explorer.numbers, place)?,
                    place.line,
                    finding.message
                ]))
            })
            .collect();
        let places = explorer.places(view);
        let files: Vec<Value> = explorer.sources(sources, &places);
        explorer.data = json!({
            "kinds": KINDS.map(|(_, name)| name),
            "files": files,
            "texts": texts.list,
            "flows": flows,
            "marks": marks,
            "notes": explorer.notes(view),
        });
        explorer
    }

    /// What is known of lines, by file and line.
    fn notes(&self, view: &View<'_>) -> Value {
        let listings = view.blocks.iter().filter_map(|shown| match &shown.block {
            Block::Listing(listing) => Some(listing),
            _ => None,
        });
        let mut files = serde_json::Map::new();
        for listing in listings {
            if let Some(number) = self.numbers.get(&listing.file) {
                let notes = listing.notes.iter();
                let notes =
                    notes.map(|(line, note)| (line.to_string(), json!([class(note.tone), note.text])));
                files.insert(number.to_string(), Value::Object(notes.collect()));
            }
        }
        Value::Object(files)
    }

    /// Whether the page shows this file.
    pub fn has_file(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// There is nothing to look at.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The object, for a `script` of the type `application/json`.
    pub fn json(&self) -> String {
        for_script(&self.data)
    }

    /// The number of the execution with this trace.
    pub fn flow(&self, trace: &[TraceLine]) -> Option<usize> {
        let wanted = (trace.as_ptr(), trace.len());
        self.flows.iter().position(|flow| *flow == wanted)
    }

    /// `FILE:LINE`, where the page can show a place.
    pub fn place(&self, place: &Location) -> Option<String> {
        Some(format!("{}:{}", number(&self.numbers, place)?, place.line))
    }

    /// The readable files of findings and executions, then those of the program.
    fn find_files(&mut self, view: &View<'_>, sources: &mut Sources) {
        let findings = view.findings.iter();
        let places = findings.flat_map(|finding| {
            let steps = finding.flows.iter().flat_map(Flow::all);
            let steps = steps.filter(|line| !line.is_library);
            finding
                .location
                .into_iter()
                .chain(steps.filter_map(|line| line.location.as_ref()))
        });
        let names = places
            .map(|place| place.file.as_str())
            .chain(view.files.iter().map(String::as_str));
        for name in names {
            if !self.numbers.contains_key(name) && sources.text(name).is_some() {
                self.numbers.insert(name.to_owned(), self.files.len());
                self.files.push(name.to_owned());
            }
        }
    }

    fn step(&self, line: &TraceLine, texts: &mut Texts) -> Value {
        let kind = KINDS.iter().position(|(kind, _)| *kind == line.kind);
        let place = line.location.as_ref().filter(|_| !line.is_library);
        let file = place.and_then(|place| number(&self.numbers, place));
        let text = one_line(&line.text);
        let text = match line.outcome {
            Some(outcome) => text.strip_suffix(&format!(" is {outcome}")).unwrap_or(&text),
            None => &text,
        };
        let changes: Vec<Value> = line
            .changes
            .iter()
            .map(|change| {
                json!([
                    one_line(&change.name),
                    one_line(&change.value),
                    change.is_global as u8
                ])
            })
            .collect();
        json!([
            line.indent,
            kind,
            file.map_or(-1, |file| file as i64),
            place.map_or(0, |place| place.line),
            texts.number(text),
            changes,
            line.outcome,
            line.is_library as u8,
            line.thread,
        ])
    }

    /// The lines of each file that a page about a large program must show.
    fn places(&self, view: &View<'_>) -> BTreeMap<usize, BTreeSet<u32>> {
        let mut places: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        let findings = view.findings.iter();
        let all = findings.flat_map(|finding| {
            let steps = finding.flows.iter().flat_map(Flow::all);
            finding
                .location
                .into_iter()
                .chain(steps.filter_map(|line| line.location.as_ref()))
        });
        for place in all {
            if let Some(number) = number(&self.numbers, place) {
                places.entry(number).or_default().insert(place.line);
            }
        }
        places
    }

    fn sources(&self, sources: &mut Sources, places: &BTreeMap<usize, BTreeSet<u32>>) -> Vec<Value> {
        let size = |sources: &mut Sources, name: &String| sources.text(name).map_or(0, str::len);
        let total: usize = self.files.iter().map(|name| size(sources, name)).sum();
        let none = BTreeSet::new();
        let mut files = Vec::new();
        for (index, name) in self.files.iter().enumerate() {
            let text = sources.text(name).unwrap_or_default();
            let chunks = match total <= MAX_SOURCE_BYTES {
                true => vec![json!({ "first": 1, "text": whole(text) })],
                false => windows(text, places.get(&index).unwrap_or(&none)),
            };
            files.push(json!({
                "name": name,
                "language": language(name),
                "lines": text.lines().count(),
                "chunks": chunks,
            }));
        }
        files
    }
}

/// JSON that can stand in a `script` of a page.
pub fn for_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn number(numbers: &BTreeMap<String, usize>, place: &Location) -> Option<usize> {
    numbers.get(&place.file).copied()
}

/// Every step if they are known and the page has room for them.
fn chosen<'f>(flow: &Flow<'f>, budget: usize) -> &'f [TraceLine] {
    match !flow.steps.is_empty() && flow.steps.len() <= budget.max(1_000) {
        true => flow.steps,
        false => flow.trace,
    }
}

/// Steps without news that repeat the step before, such as the checks of one expression, are one step.
fn merged(lines: &[TraceLine]) -> Vec<&TraceLine> {
    let mut merged: Vec<&TraceLine> = Vec::new();
    for line in lines {
        // That another thread goes on is seen by its lane.
        let last = merged.last().and_then(|last| last.thread);
        if line.kind == TraceKind::Note && line.thread != last {
            continue;
        }
        let repeats = |last: &TraceLine| {
            let is_plain = |line: &TraceLine| matches!(line.kind, TraceKind::Statement | TraceKind::Failure);
            let place = |line: &TraceLine| {
                line.location
                    .as_ref()
                    .map(|place| (place.file.clone(), place.line))
            };
            last.kind == TraceKind::Statement
                && is_plain(line)
                && last.changes.is_empty()
                && last.outcome.is_none()
                && (last.thread, last.indent, &last.text) == (line.thread, line.indent, &line.text)
                && place(last) == place(line)
        };
        if merged.last().is_some_and(|last| repeats(last)) {
            merged.pop();
        }
        merged.push(line);
    }
    merged
}

/// Without the middle of what is too long.
fn shortened(lines: &[&TraceLine]) -> Vec<TraceLine> {
    let own = |lines: &[&TraceLine]| lines.iter().map(|&line| line.clone()).collect::<Vec<_>>();
    if lines.len() <= MAX_STEPS {
        return own(lines);
    }
    let half = MAX_STEPS / 2;
    let mut shortened = own(&lines[..half]);
    shortened.push(TraceLine {
        kind: TraceKind::Note,
        indent: shortened.last().map_or(0, |line| line.indent.min(MAX_INDENT)),
        text: format!("… {} steps left out", lines.len() - MAX_STEPS),
        thread: shortened.last().and_then(|line| line.thread),
        ..TraceLine::default()
    });
    shortened.extend(own(&lines[lines.len() - half..]));
    shortened
}

fn whole(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(cut).collect();
    lines.join("\n")
}

fn cut(line: &str) -> &str {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => &line[..end],
        None => line,
    }
}

/// The lines around places.
fn windows(text: &str, places: &BTreeSet<u32>) -> Vec<Value> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in places {
        let (first, last) = (line.saturating_sub(WINDOW).max(1), line.saturating_add(WINDOW));
        match ranges
            .last_mut()
            .filter(|range| range.1.saturating_add(1) >= first)
        {
            Some(range) => range.1 = last,
            None => ranges.push((first, last)),
        }
    }
    let mut lines = (1u32..).zip(text.lines()).peekable();
    let mut chunks = Vec::new();
    for (first, last) in ranges {
        while lines.next_if(|(number, _)| *number < first).is_some() {}
        let mut chunk = Vec::new();
        while let Some((_, line)) = lines.next_if(|(number, _)| *number <= last) {
            chunk.push(cut(line));
        }
        if !chunk.is_empty() {
            chunks.push(json!({ "first": first, "text": chunk.join("\n") }));
        }
    }
    chunks
}

fn language(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("c" | "h" | "i") => "c",
        Some("bpl") => "boogie",
        Some("fsp" | "lts") => "fsp",
        Some("toml" | "conform") => "toml",
        _ => "",
    }
}

/// Statements repeat, so each is in the page once.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.numbers.insert(text.to_owned(), self.list.len());
        self.list.push(text.to_owned());
        self.list.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, changes: usize) -> TraceLine {
        TraceLine {
            text: text.to_owned(),
            changes: vec![lariat_report::Change::default(); changes],
            ..TraceLine::default()
        }
    }

    #[test]
    fn checks_of_one_expression_are_one_step() {
        let lines = [
            line("p->x", 0),
            line("p->x", 0),
            line("p->x", 1),
            line("p->x", 0),
            line("y", 0),
        ];
        let texts: Vec<(&str, usize)> = merged(&lines)
            .iter()
            .map(|line| (line.text.as_str(), line.changes.len()))
            .collect();
        assert_eq!(texts, [("p->x", 1), ("p->x", 0), ("y", 0)]);
    }

    #[test]
    fn the_middle_of_a_long_execution_is_left_out() {
        let lines: Vec<TraceLine> = (0..MAX_STEPS + 5)
            .map(|index| line(&index.to_string(), 0))
            .collect();
        let shown = shortened(&lines.iter().collect::<Vec<_>>());
        assert_eq!(shown.len(), MAX_STEPS + 1);
        assert_eq!(shown[MAX_STEPS / 2].text, "… 5 steps left out");
        assert_eq!(shown[MAX_STEPS].text, (MAX_STEPS + 4).to_string());
    }

    #[test]
    fn a_large_file_is_shown_around_its_places() {
        let text: String = (1..=5000).map(|line| format!("line {line}\n")).collect();
        let chunks = windows(&text, &BTreeSet::from([1000, 1300, 4950]));
        let firsts: Vec<u64> = chunks
            .iter()
            .filter_map(|chunk| chunk["first"].as_u64())
            .collect();
        assert_eq!(firsts, [800, 4750]);
        let first = chunks[0]["text"].as_str().expect("text");
        assert!(
            first.starts_with("line 800\n") && first.ends_with("line 1500"),
            "{first}"
        );
        assert!(windows(&text, &BTreeSet::new()).is_empty());
    }

    #[test]
    fn text_cannot_end_the_script() {
        let text = for_script(&json!({ "a": "</script><!--" }));
        assert!(!text.contains('<'), "{text}");
        let back: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(back["a"], "</script><!--");
    }
}
