//! The specifications of a run, with buttons that edit the file that they are kept in.

use lariat_report::{Specification, SpecificationStatus};
use lariat_specs::specification_id;
use maud::{Markup, PreEscaped, html};
use serde_json::json;

use super::explorer::{Explorer, for_script};
use crate::angelic::requires;
use crate::format::text::{one_line, short_place};
use crate::view::SpecsSheet;

const DECISIONS: [(SpecificationStatus, &str, &str); 2] = [
    (SpecificationStatus::Accepted, "accepted", "accept"),
    (SpecificationStatus::Rejected, "rejected", "reject"),
];

pub fn show(sheet: &SpecsSheet<'_>, explorer: &Explorer) -> Markup {
    html! {
        section.specs {
            h2 { "What is assumed of the environment" }
            @for (entry, specifications) in by_entry(sheet.specifications) {
                h3 { (entry) }
                ul { @for specification in specifications { (item(specification, explorer)) } }
            }
            div id="specs-panel" hidden {
                p {
                    button type="button" id="specs-save" { "Save " (file_name(&sheet.name)) }
                    button type="button" id="specs-copy" { "Show and copy" }
                    " " span.dim id="specs-count" {}
                    span.dim { ", to be kept as " code { (sheet.name) } }
                }
                textarea id="specs-text" rows="16" readonly hidden aria-label="the file of specifications" {}
            }
        }
        script id="lariat-specs" type="application/json" {
            (PreEscaped(for_script(&json!({ "name": sheet.name, "text": sheet.text }))))
        }
    }
}

/// Entries in the order of their first specification.
fn by_entry(specifications: &[Specification]) -> Vec<(&str, Vec<&Specification>)> {
    let mut entries: Vec<(&str, Vec<&Specification>)> = Vec::new();
    for specification in specifications {
        match entries
            .iter_mut()
            .find(|(entry, _)| *entry == specification.entry)
        {
            Some((_, list)) => list.push(specification),
            None => entries.push((&specification.entry, vec![specification])),
        }
    }
    entries
}

fn item(specification: &Specification, explorer: &Explorer) -> Markup {
    let text = one_line(&specification.text);
    html! {
        li data-spec=(specification_id(&specification.entry, &specification.text)) {
            span.dim { (requires(&specification.text)) " " } code { (text) }
            span.decide hidden {
                input value=(text) aria-label="edit the specification" spellcheck="false";
                @for (status, name, word) in DECISIONS {
                    button type="button" data-status=(name) aria-pressed=(specification.status == status) { (word) }
                }
            }
            @if let SpecificationStatus::Edited = specification.status { span.good { " edited" } }
            @if specification.unnecessary { span.dim { " nothing needs it any more" } }
            @if let Some(problem) = &specification.problem { span.warn { " not used: " (problem) } }
            @for alarm in &specification.suppresses {
                small {
                    "suppresses " code { (one_line(alarm.condition.as_deref().unwrap_or(&alarm.message))) }
                    @if let Some(place) = &alarm.location {
                        ", " span data-place=[explorer.place(place)] { (short_place(place)) }
                    }
                }
            }
            @for place in &specification.locations {
                small { "about " span data-place=[explorer.place(place)] { (short_place(place)) } }
            }
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
