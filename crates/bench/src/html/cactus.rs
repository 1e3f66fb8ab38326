//! The cactus plot: for each series its solved rows, fastest first.

use std::fmt::Write;

use lariat_page::escape;

use crate::html::COLORS;
use crate::html::scale::{LogScale, linear_ticks};
use crate::summary::Series;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

pub fn plot(series: &[Series], time_limit: f64) -> String {
    let most = series
        .iter()
        .map(|series| series.solved.len())
        .max()
        .unwrap_or(0)
        .max(1);
    let times = series.iter().flat_map(|series| series.solved.values().copied());
    let inner_height = HEIGHT - TOP - BOTTOM;
    let scale = LogScale::covering(times.chain([time_limit]), 0.01, inner_height);
    let x = |rank: usize| LEFT + (WIDTH - LEFT - RIGHT) * rank as f64 / most as f64;
    let y = |seconds: f64| TOP + inner_height - scale.position(seconds);

    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"cactus plot\">");
    for (value, label) in scale.ticks() {
        let y = y(value);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"tick end\" x=\"{}\" y=\"{:.1}\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        );
    }
    for rank in linear_ticks(most) {
        let x = x(rank);
        let _ = write!(
            svg,
            "<text class=\"tick mid\" x=\"{x:.1}\" y=\"{:.1}\">{rank}</text>",
            HEIGHT - BOTTOM + 18.0
        );
    }
    let limit = y(time_limit);
    let _ = write!(
        svg,
        "<line class=\"limit\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{limit:.1}\" y2=\"{limit:.1}\"/>\
         <text class=\"tick end\" x=\"{}\" y=\"{:.1}\">limit {time_limit} s</text>\
         <text class=\"axis mid\" x=\"{}\" y=\"{}\">rows solved</text>\
         <text class=\"axis mid\" transform=\"translate(14 {}) rotate(-90)\">seconds</text>",
        WIDTH - RIGHT,
        WIDTH - RIGHT,
        limit - 5.0,
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0,
        TOP + inner_height / 2.0,
    );
    for (index, series) in series.iter().enumerate().rev() {
        let mut solved: Vec<(&str, f64)> = series
            .solved
            .iter()
            .map(|(case, &time)| (case.file.as_str(), time))
            .collect();
        solved.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(b.0)));
        let points: Vec<String> = solved
            .iter()
            .enumerate()
            .map(|(rank, &(_, time))| format!("{:.1},{:.1}", x(rank + 1), y(time)))
            .collect();
        let dashed = if series.is_peer { " dashed" } else { "" };
        let color = index % COLORS;
        let _ = write!(
            svg,
            "<g class=\"s{color}{dashed}\"><polyline points=\"{}\"/>",
            points.join(" ")
        );
        for (rank, (file, time)) in solved.into_iter().enumerate() {
            let tip = escape(&format!(
                "{}\n{file}\nrow {} in {time:.2} s",
                series.name,
                rank + 1
            ));
            let _ = write!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" data-tip=\"{tip}\"/>",
                x(rank + 1),
                y(time)
            );
        }
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
    svg
}
