//! A protocol trace as a message-sequence chart in SVG: the same chart as `format::text::chart` draws in text.

use std::fmt::Write;

use lariat_page::escape;
use lariat_report::{ConformViolation, ProtocolStep};

/// The height of one action.
const ROW: f64 = 36.0;

/// The height of the boxes with the names.
const HEAD: f64 = 30.0;

/// Left of the first lifeline's column: the numbers of the steps.
const MARGIN: f64 = 36.0;

/// The approximate width of a character of a label.
const CHARACTER: f64 = 7.4;

/// The same of a name, which is bold.
const NAME_CHARACTER: f64 = 9.6;

/// Longer labels are cut; the whole label is the tooltip.
const MAX_LABEL: usize = 30;

/// The chart; styles are those of the page. Without a specification no step is wrong.
pub fn draw(specification: Option<&str>, violation: &ConformViolation) -> String {
    let components = violation.runs.iter().map(|run| run.component.as_str());
    let names: Vec<&str> = components.chain(specification).collect();
    let chart = Chart::new(&names, specification.is_some(), &violation.steps);
    let (width, height) = (chart.width(), HEAD + ROW * (violation.steps.len() as f64 + 1.0));
    let mut svg = format!(
        "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\"><title>{}</title>",
        escape("message-sequence chart of the counterexample")
    );
    for (index, name) in names.iter().enumerate() {
        chart.lifeline(&mut svg, index, name, height);
    }
    for (index, step) in violation.steps.iter().enumerate() {
        let is_wrong = specification.is_some() && index + 1 == violation.steps.len();
        chart.step(&mut svg, &names, index, step, is_wrong);
    }
    svg.push_str("</svg>");
    svg
}

struct Chart {
    /// The distance between lifelines.
    spacing: f64,
    count: usize,
    /// The last lifeline is the specification, which only watches.
    watched: bool,
}

impl Chart {
    fn new(names: &[&str], watched: bool, steps: &[ProtocolStep]) -> Self {
        let length = |text: &str| text.chars().count().min(MAX_LABEL) as f64;
        let labels = steps.iter().map(|step| (length(&step.action) + 2.0) * CHARACTER);
        let heads = names.iter().map(|name| (length(name) + 3.0) * NAME_CHARACTER);
        Chart {
            spacing: labels.chain(heads).fold(130.0, f64::max),
            count: names.len(),
            watched,
        }
    }

    fn width(&self) -> f64 {
        MARGIN + self.spacing * self.count as f64
    }

    fn is_specification(&self, index: usize) -> bool {
        self.watched && index + 1 == self.count
    }

    fn x(&self, index: usize) -> f64 {
        MARGIN + self.spacing * (index as f64 + 0.5)
    }

    fn lifeline(&self, svg: &mut String, index: usize, name: &str, height: f64) {
        let x = self.x(index);
        let class = if index + 1 == self.count {
            "life spec"
        } else {
            "life"
        };
        let half = self.spacing / 2.0 - 6.0;
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{x:.1}\" y1=\"{HEAD}\" x2=\"{x:.1}\" y2=\"{height:.1}\"/>\
             <rect class=\"{class}\" x=\"{:.1}\" y=\"1\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\"/>\
             <text class=\"name\" x=\"{x:.1}\" y=\"{:.1}\"><title>{}</title>{}</text>",
            x - half,
            half * 2.0,
            HEAD - 2.0,
            HEAD / 2.0 + 5.0,
            escape(name),
            escape(&cut(name)),
        );
    }

    fn step(&self, svg: &mut String, names: &[&str], index: usize, step: &ProtocolStep, is_wrong: bool) {
        let y = HEAD + ROW * (index as f64 + 1.0);
        let part = |name: &&str| step.components.iter().any(|component| component == name);
        let is_taker = |&at: &usize| !self.is_specification(at) && part(&names[at]);
        let takers: Vec<usize> = (0..self.count).filter(is_taker).collect();
        let class = if is_wrong { "step wrong" } else { "step" };
        let _ = write!(
            svg,
            "<g class=\"{class}\"><title>{}</title><text class=\"number\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            escape(&step.action),
            MARGIN - 14.0,
            y + 4.0,
            index + 1
        );
        if let (Some(&first), Some(&last)) = (takers.first(), takers.last()) {
            let (from, to) = (self.x(first), self.x(last));
            let label = escape(&cut(&step.action));
            match first == last {
                true => {
                    let _ = write!(
                        svg,
                        "<text class=\"alone\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                        from + 10.0,
                        y - 7.0
                    );
                }
                false => {
                    let middle = (from + self.x(first + 1)) / 2.0;
                    let _ = write!(
                        svg,
                        "<line x1=\"{from:.1}\" y1=\"{y:.1}\" x2=\"{to:.1}\" y2=\"{y:.1}\"/>\
                         <text class=\"shared\" x=\"{middle:.1}\" y=\"{:.1}\">{label}</text>",
                        y - 7.0
                    );
                }
            }
        }
        for &taker in &takers {
            let _ = write!(svg, "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\"/>", self.x(taker));
        }
        let x = self.x(self.count - 1);
        if is_wrong {
            let _ = write!(
                svg,
                "<path d=\"M{:.1} {:.1}l14 14m0 -14l-14 14\"/>",
                x - 7.0,
                y - 7.0
            );
        } else if self.watched && step.observed {
            let _ = write!(
                svg,
                "<circle class=\"watch\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>"
            );
        }
        svg.push_str("</g>");
    }
}

fn cut(label: &str) -> String {
    match label.chars().count() > MAX_LABEL {
        true => label.chars().take(MAX_LABEL - 1).chain(['…']).collect(),
        false => label.to_owned(),
    }
}
