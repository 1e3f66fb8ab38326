//! Drawings of small systems, made without other programs.
//!
//! A layered drawing from left to right: states in columns, the labels of each arrow in a column
//! of their own between those of the states, so that no label lies on a state. Arrows against
//! the direction are drawn dashed. [`layout`] places everything; this file draws it.

mod layout;

use std::fmt::Write as _;

use crate::action::ActionTable;
use crate::dot::{merged_edges, state_label};
use crate::lts::{Lts, StateId, StateKind};
use layout::{Item, Layout};

/// Larger systems are not drawn.
pub const MAX_STATES: usize = 60;

/// More arrows than this make no readable drawing either.
const MAX_EDGES: usize = 240;

/// So many labels are shown at one arrow.
const MAX_LABELS: usize = 6;

/// The drawing would not be readable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    pub states: usize,
    pub edges: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "a system with {} states and {} arrows is too large to draw (at most {MAX_STATES} and {MAX_EDGES}); \
             write it as DOT or AUT",
            self.states, self.edges
        )
    }
}

const STYLE: &str = "text{font:13px sans-serif;fill:#222}.l{font-size:12px;paint-order:stroke;stroke:#fff;\
stroke-width:4px;stroke-linejoin:round}.s{fill:#eef3fb;stroke:#345}.stop{fill:#e6e6e6;stroke:#333}\
.end{fill:#e2f3e2;stroke:#2a6}.error{fill:#f8d0d0;stroke:#b00020}.e{fill:none;stroke:#567;stroke-width:1.3}\
.b{stroke-dasharray:5 3}.g{fill:#fff}";

/// The reachable part of a system as SVG.
pub fn draw(lts: &Lts, actions: &ActionTable, title: &str) -> Result<String, TooLarge> {
    let lts = lts.reachable();
    let edges: Vec<Edge> = merged_edges(&lts, actions)
        .into_iter()
        .map(|((source, target), labels)| Edge {
            source,
            target,
            labels: shorten(labels),
        })
        .collect();
    if lts.state_count() > MAX_STATES || edges.len() > MAX_EDGES {
        return Err(TooLarge {
            states: lts.state_count(),
            edges: edges.len(),
        });
    }
    let labels: Vec<String> = lts.states().map(|state| state_label(&lts, state)).collect();
    let layout = Layout::new(lts.initial(), &labels, &edges);
    let (width, height) = layout.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0 8 4 0 8z\" fill=\"#567\"/></marker></defs>\n",
        escape(title)
    );
    for route in &layout.routes {
        let class = if route.backwards { "e b" } else { "e" };
        let _ = writeln!(
            svg,
            "<path class=\"{class}\" d=\"{}\" marker-end=\"url(#tip)\"/>",
            route.path
        );
    }
    // Above all arrows, so that none crosses a word.
    for (edge, route) in edges.iter().zip(&layout.routes) {
        draw_labels(&mut svg, route.label, &edge.labels);
    }
    for (state, label) in lts.states().zip(&labels) {
        draw_state(&mut svg, &layout.states[state], lts.kind(state), label);
    }
    let start = &layout.states[lts.initial()];
    let tip = start.x - start.width / 2.0;
    let _ = writeln!(
        svg,
        "<path class=\"e\" d=\"M{:.1} {:.1}L{:.1} {:.1}\" marker-end=\"url(#tip)\"/>\n</svg>",
        tip - 22.0,
        start.y,
        tip - 1.0,
        start.y
    );
    Ok(svg)
}

/// An arrow with its labels.
struct Edge {
    source: StateId,
    target: StateId,
    labels: Vec<String>,
}

fn shorten(mut labels: Vec<String>) -> Vec<String> {
    if labels.len() > MAX_LABELS {
        let left_out = labels.len() - (MAX_LABELS - 1);
        labels.truncate(MAX_LABELS - 1);
        labels.push(format!("… {left_out} more"));
    }
    labels
}

fn draw_state(svg: &mut String, item: &Item, kind: StateKind, label: &str) {
    let class = match kind {
        StateKind::Ordinary => "s",
        StateKind::Stop => "stop",
        StateKind::End => "end",
        StateKind::Error => "error",
    };
    let radius = match kind {
        StateKind::Ordinary => item.height / 2.0,
        StateKind::Stop | StateKind::End | StateKind::Error => 3.0,
    };
    let _ = writeln!(
        svg,
        "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius:.1}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        item.x - item.width / 2.0,
        item.y - item.height / 2.0,
        item.width,
        item.height,
        item.x,
        item.y + 4.5,
        escape(label)
    );
}

/// The labels of one arrow, on a ground that hides the arrow.
fn draw_labels(svg: &mut String, (x, y): (f64, f64), labels: &[String]) {
    let top = y - (labels.len() as f64 - 1.0) * layout::LINE / 2.0;
    let width = labels
        .iter()
        .map(|label| layout::label_width(label))
        .fold(0.0, f64::max);
    let height = labels.len() as f64 * layout::LINE;
    let _ = writeln!(
        svg,
        "<rect class=\"g\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>",
        x - width / 2.0,
        y - height / 2.0
    );
    for (index, label) in labels.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text class=\"l\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            top + index as f64 * layout::LINE + 4.0,
            escape(label)
        );
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
