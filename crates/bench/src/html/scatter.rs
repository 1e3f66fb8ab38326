//! The scatter plot: two series row by row.

use std::collections::BTreeMap;
use std::fmt::Write;

use lariat_page::escape;

use crate::html::scale::LogScale;
use crate::manifest::Expect;
use crate::record::{CaseName, Record};
use crate::summary::Series;

const SIZE: f64 = 400.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 12.0;

/// `first` is on the horizontal axis.
pub fn plot(first: &Series, second: &Series, records: &[Record], time_limit: f64) -> String {
    let cases: BTreeMap<CaseName, Expect> = records
        .iter()
        .map(|record| (record.case(), record.expect))
        .collect();
    let time = |series: &Series, case: &CaseName| series.solved.get(case).copied();
    let length = SIZE - LEFT - RIGHT - 24.0;
    let times = cases
        .keys()
        .flat_map(|case| [time(first, case), time(second, case)])
        .flatten();
    let scale = LogScale::covering(times.chain([time_limit]), 0.01, length);
    // Rows that a series did not solve lie beyond its axis.
    let unsolved = length + 18.0;
    let x = |at: f64| LEFT + at;
    let y = |at: f64| SIZE - BOTTOM - at;
    let position = |time: Option<f64>| time.map_or(unsolved, |time| scale.position(time));

    let mut svg = format!("<svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" aria-label=\"scatter plot\">");
    let _ = write!(
        svg,
        "<rect class=\"frame\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{length}\" height=\"{length}\"/>\
         <line class=\"diagonal\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>\
         <line class=\"limit\" x1=\"{u:.1}\" y1=\"{:.1}\" x2=\"{u:.1}\" y2=\"{TOP}\"/>\
         <line class=\"limit\" x1=\"{LEFT}\" y1=\"{v:.1}\" x2=\"{:.1}\" y2=\"{v:.1}\"/>",
        y(length),
        x(0.0),
        y(0.0),
        x(length),
        y(length),
        y(0.0),
        SIZE - RIGHT,
        u = x(unsolved),
        v = y(unsolved),
    );
    for (value, label) in scale.ticks() {
        let at = scale.position(value);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{gx:.1}\" x2=\"{gx:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
             <line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{gy:.1}\" y2=\"{gy:.1}\"/>\
             <text class=\"tick mid\" x=\"{gx:.1}\" y=\"{:.1}\">{label}</text>\
             <text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
            y(0.0),
            y(length),
            x(length),
            y(0.0) + 16.0,
            LEFT - 6.0,
            y(at) + 4.0,
            gx = x(at),
            gy = y(at),
        );
    }
    let _ = write!(
        svg,
        "<text class=\"axis mid\" x=\"{:.1}\" y=\"{:.1}\">{} (s)</text>\
         <text class=\"axis mid\" transform=\"translate(13 {:.1}) rotate(-90)\">{} (s)</text>",
        x(length / 2.0),
        SIZE - 10.0,
        escape(&first.name),
        y(length / 2.0),
        escape(&second.name),
    );
    for (case, expect) in cases {
        let (a, b) = (time(first, &case), time(second, &case));
        // Rows that neither solves would pile up in the corner.
        if a.is_none() && b.is_none() {
            continue;
        }
        let class = match expect {
            Expect::Safe => "safe",
            Expect::Bug => "bug",
            _ => "other",
        };
        let words = |time: Option<f64>| time.map_or("not solved".to_owned(), |time| format!("{time:.2} s"));
        let tip = format!(
            "{}\n{}: {}\n{}: {}",
            case.file,
            first.name,
            words(a),
            second.name,
            words(b)
        );
        let _ = write!(
            svg,
            "<circle class=\"dot {class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" data-tip=\"{}\"/>",
            x(position(a)),
            y(position(b)),
            escape(&tip),
        );
    }
    svg.push_str("</svg>");
    svg
}
