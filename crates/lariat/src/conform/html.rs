//! The result as one self-contained page: charts, traces, figures and pictures of the models.
//!
//! The page needs no network and no script. Whatever comes from the user's files is escaped; drawings of models are images,
//! so that their styles stay theirs.

use std::fmt::Write;

use lariat_bench::escape_html as escape;
use lariat_report::{
    ComponentRun, ConformAsked, ConformModel, ConformModelKind, ConformPart, ConformReason, ConformReport,
    ConformViolation, TraceKind, TraceLine, Verdict,
};

use super::chart;
use crate::show::{conform_claim, numbered, short_place, specification_name, stuck_claim};
use crate::units;

pub fn page(report: &ConformReport) -> String {
    let title = escape(&report.files.join(" "));
    let mut body = format!("<h1>{}{title}</h1>", badge(&report.verdict));
    let mut figures = vec![format!("{} in all", units::seconds(report.seconds))];
    if report.peak_memory_bytes > 0 {
        figures.push(units::bytes(report.peak_memory_bytes));
    }
    let _ = write!(
        body,
        "<p class=\"dim\">lariat conform {} · {}</p>",
        env!("CARGO_PKG_VERSION"),
        figures.join(" · ")
    );
    if let Verdict::Unknown { reason, .. } = &report.verdict {
        let _ = write!(body, "<p class=\"warn\">{}</p>", escape(reason));
    }
    for diagnostic in &report.diagnostics {
        let plain = anstream::adapter::strip_str(&diagnostic.rendered).to_string();
        let _ = write!(body, "<pre>{}</pre>", escape(plain.trim_end()));
    }
    if report.specifications.len() > 1 {
        overview(&mut body, &report.specifications);
    }
    for (index, part) in report.specifications.iter().enumerate() {
        show_part(&mut body, index, part);
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · lariat conform</title>\n<style>\n{}</style></head>\n<body><main>{body}</main></body></html>\n",
        include_str!("page.css"),
    )
}

fn class(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proved | Verdict::Accepted => "good",
        Verdict::Bug | Verdict::BadInput => "bad",
        Verdict::Bounded { .. } | Verdict::BugUnconfirmed { .. } | Verdict::Unknown { .. } => "warn",
    }
}

fn badge(verdict: &Verdict) -> String {
    format!(
        "<span class=\"badge {}\">{}</span>",
        class(verdict),
        verdict.word()
    )
}

/// All questions at a glance, in the form of the tables of [Magic04].
fn overview(body: &mut String, parts: &[ConformPart]) {
    body.push_str(
        "<div class=\"wide\"><table class=\"figures\"><tr><th>specification</th><th>verdict</th><th>states</th>\
         <th>|P|</th><th>PIt</th><th>LIt</th><th>time</th></tr>",
    );
    for (index, part) in parts.iter().enumerate() {
        let stats = &part.stats;
        let branches: usize = stats.components.iter().map(|one| one.branches).sum();
        let _ = write!(
            body,
            "<tr><td><a href=\"#part-{index}\">{}</a></td><td class=\"{}\">{}</td><td>{}</td><td>{branches}</td>\
             <td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(specification_name(part)),
            class(&part.verdict),
            part.verdict.word(),
            stats.states,
            stats.predicate_iterations,
            stats.action_iterations,
            units::seconds(stats.seconds),
        );
    }
    body.push_str("</table></div>");
}

fn show_part(body: &mut String, index: usize, part: &ConformPart) {
    let _ = write!(
        body,
        "<section id=\"part-{index}\"><h2>{}{}</h2>",
        badge(&part.verdict),
        escape(&conform_claim(part))
    );
    if let Some(violation) = &part.violation {
        show_violation(body, part, violation);
    }
    show_figures(body, part);
    for model in &part.models {
        show_model(body, model);
    }
    body.push_str("</section>");
}

fn show_violation(body: &mut String, part: &ConformPart, violation: &ConformViolation) {
    let name = specification_name(part);
    if let Verdict::BugUnconfirmed { reason } = &part.verdict {
        let _ = write!(body, "<p class=\"warn\">Not confirmed: {}</p>", escape(reason));
    }
    let watching = match part.asked {
        ConformAsked::TraceInclusion => Some(name),
        ConformAsked::DeadlockFreedom | ConformAsked::Reachability => None,
    };
    // One step of one component makes no chart.
    if part.asked != ConformAsked::Reachability {
        let _ = write!(
            body,
            "<div class=\"wide\">{}</div>",
            chart::draw(watching, violation)
        );
    }
    if watching.is_some() && violation.reason == ConformReason::Refused {
        let allowed: Vec<String> = violation
            .allowed
            .iter()
            .map(|action| format!("<code>{}</code>", escape(action)))
            .collect();
        let allowed = match allowed.as_slice() {
            [] => "nothing more".to_owned(),
            allowed => allowed.join(", "),
        };
        let _ = write!(
            body,
            "<p>Instead of the last step {} allows <span class=\"good\">{allowed}</span>.</p>",
            escape(name)
        );
    }
    for one in &violation.stuck {
        let _ = write!(body, "<p class=\"bad\">{}</p>", escape(&stuck_claim(one)));
    }
    body.push_str("<div class=\"runs\">");
    for run in &violation.runs {
        show_run(body, run, violation);
    }
    body.push_str("</div>");
}

fn show_run(body: &mut String, run: &ComponentRun, violation: &ConformViolation) {
    let _ = write!(
        body,
        "<div><h3>What {} does</h3><div class=\"wide\"><table class=\"trace\">",
        escape(&run.component)
    );
    for line in &numbered(run, violation) {
        let class = match (line.kind, &line.location) {
            (TraceKind::Failure, _) => " class=\"wrong\"",
            (_, None) => " class=\"action\"",
            _ => "",
        };
        let indent = "  ".repeat(line.indent.min(crate::show::MAX_INDENT) as usize);
        let _ = write!(
            body,
            "<tr{class}><td class=\"place\">{}</td><td>{indent}{}</td><td class=\"values\">{}</td></tr>",
            escape(&line.location.as_ref().map(short_place).unwrap_or_default()),
            escape(&line.text),
            escape(&values(line)),
        );
    }
    body.push_str("</table></div></div>");
}

fn values(line: &TraceLine) -> String {
    let changes = line.changes.iter();
    let changes: Vec<String> = changes
        .map(|change| format!("{} = {}", change.name, change.value))
        .collect();
    changes.join(", ")
}

fn show_figures(body: &mut String, part: &ConformPart) {
    let stats = &part.stats;
    if stats.components.is_empty() {
        return;
    }
    body.push_str(
        "<h3>Figures</h3><div class=\"wide\"><table class=\"figures\"><tr><th>component</th><th>locations</th>\
         <th>expressions</th><th>predicates</th><th>branches in P</th><th>states of MP</th><th>states of MA</th>\
         <th>solver calls</th></tr>",
    );
    for one in &stats.components {
        let _ = write!(
            body,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&one.component),
            one.control_states,
            one.expressions,
            one.predicates,
            one.branches,
            one.predicate_states,
            one.action_states,
            one.prover_checks,
        );
    }
    let _ = write!(
        body,
        "</table></div><p class=\"dim\">{} on which it was decided · {} of predicates · {} of actions · {}</p>",
        units::count(stats.states as u64, "state"),
        units::count(stats.predicate_iterations as u64, "iteration"),
        stats.action_iterations,
        units::seconds(stats.seconds),
    );
}

fn show_model(body: &mut String, model: &ConformModel) {
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
    let caption = escape(&caption);
    match &model.svg {
        Some(svg) => {
            let _ = write!(
                body,
                "<figure><img alt=\"{caption}\" src=\"data:image/svg+xml,{}\"><figcaption>{caption}</figcaption></figure>",
                percent_encoded(svg)
            );
        }
        None => {
            let _ = write!(
                body,
                "<p class=\"dim\">{caption}: too large to draw; <code>--export DIR</code> writes it as AUT and DOT.</p>"
            );
        }
    }
}

/// Text for a data URL inside an attribute.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'/'
            | b':'
            | b'='
            | b','
            | b';' => {
                encoded.push(char::from(byte));
            }
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}
