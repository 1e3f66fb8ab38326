//! A protocol trace as a message-sequence chart in text: lifelines as columns, one line per action.
//!
//! ```text
//!    server   client   SPEC
//!      │        │       ┊
//!      ●────────●       ○    1  hello
//!      │        ●       ┊    2  think
//!      ●────────●       ✗    3  bye
//! ```
//!
//! A component that takes part in an action has a dot on its line; the dots of one action are joined. The specification only
//! watches: its dots are hollow, and the action that it does not allow is marked. Lines are never wider than the terminal: lifelines
//! with long names are numbered, and long actions are cut.

use std::fmt::Write;

use lariat_report::{ConformViolation, ProtocolStep, StuckComponent};

use super::{in_style, one_line};
use crate::style;

/// The narrowest column of a lifeline.
const NARROW: usize = 4;

/// Draws the steps. Without a specification no step is wrong: the components get stuck at the end.
pub fn show(text: &mut String, specification: Option<&str>, violation: &ConformViolation, width: usize) {
    let components = violation.runs.iter().map(|run| run.component.as_str());
    let names: Vec<&str> = components.chain(specification).collect();
    let columns = Columns::new(&names, specification.is_some(), width);
    columns.head(text, &names, width);
    let digits = violation.steps.len().to_string().len();
    for (index, step) in violation.steps.iter().enumerate() {
        if violation.cycle == Some(index) {
            let _ = writeln!(text, "  {}", in_style(style::BOLD, "again and again:"));
        }
        let is_wrong = specification.is_some() && index + 1 == violation.steps.len();
        let mut label = format!("{:>digits$}  {}", index + 1, one_line(&step.action));
        let room = width.saturating_sub(columns.total() + 6);
        if label.chars().count() > room {
            label = label.chars().take(room.saturating_sub(1)).chain(['…']).collect();
        }
        let row = columns.row(&names, step, is_wrong);
        let line = match (is_wrong, step.observed) {
            (true, _) => in_style(style::ERROR, &format!("{row}    {label}")),
            (false, true) => format!("{row}    {}", in_style(style::BOLD, &label)),
            (false, false) => format!("{row}    {label}"),
        };
        let _ = writeln!(text, "  {line}");
    }
    if !violation.stuck.is_empty() {
        let marks = names.iter().map(|name| {
            let has_ended = |one: &StuckComponent| one.component == *name && one.has_ended;
            if violation.stuck.iter().any(has_ended) {
                '■'
            } else {
                '✗'
            }
        });
        let row: String = marks
            .zip(&columns.widths)
            .map(|(mark, &width)| cell(width, mark, false, false))
            .collect();
        let _ = writeln!(text, "  {}", in_style(style::ERROR, row.trim_end()));
    }
}

/// Where the lifelines are.
struct Columns {
    /// The width of each column.
    widths: Vec<usize>,
    /// The last is the specification, which only watches.
    watched: bool,
    /// The names are in a legend.
    numbered: bool,
}

impl Columns {
    /// Lifelines take at most half of the width if they can be that narrow.
    fn new(names: &[&str], watched: bool, width: usize) -> Self {
        let widths: Vec<usize> = names
            .iter()
            .map(|name| (one_line(name).chars().count() + 2).max(NARROW))
            .collect();
        let numbered = widths.iter().sum::<usize>() > width / 2;
        Columns {
            widths: match numbered {
                true => vec![NARROW; names.len()],
                false => widths,
            },
            watched,
            numbered,
        }
    }

    fn total(&self) -> usize {
        self.widths.iter().sum()
    }

    fn is_specification(&self, index: usize) -> bool {
        self.watched && index + 1 == self.widths.len()
    }

    fn head(&self, text: &mut String, names: &[&str], width: usize) {
        let mut heads: Vec<String> = names.iter().map(|name| one_line(name)).collect();
        if self.numbered {
            let number = |index: usize| match self.is_specification(index) {
                true => "S".to_owned(),
                false => (index + 1).to_string(),
            };
            let legend: Vec<String> = heads
                .iter()
                .enumerate()
                .map(|(index, name)| format!("{} {name}", number(index)))
                .collect();
            for line in super::wrapped(&legend.join(", "), width.saturating_sub(2)) {
                let _ = writeln!(text, "  {line}");
            }
            heads = (0..names.len()).map(number).collect();
        }
        let line: String = heads
            .iter()
            .zip(&self.widths)
            .map(|(head, &width)| format!("{head:^width$}"))
            .collect();
        let _ = writeln!(text, "  {}", in_style(style::BOLD, line.trim_end()));
        let line: String = self
            .widths
            .iter()
            .enumerate()
            .map(|(index, &width)| cell(width, self.line_of(index), false, false))
            .collect();
        let _ = writeln!(text, "  {}", line.trim_end());
    }

    fn row(&self, names: &[&str], step: &ProtocolStep, is_wrong: bool) -> String {
        let takes_part = |index: usize| {
            !self.is_specification(index) && step.components.iter().any(|component| component == names[index])
        };
        let first = (0..names.len()).find(|&index| takes_part(index));
        let last = (0..names.len()).rfind(|&index| takes_part(index));
        let mut row = String::new();
        for (index, &width) in self.widths.iter().enumerate() {
            let joined_left =
                first.is_some_and(|first| first < index) && last.is_some_and(|last| index <= last);
            let joined_right =
                first.is_some_and(|first| first <= index) && last.is_some_and(|last| index < last);
            let mark = match (takes_part(index), self.is_specification(index)) {
                (true, _) => '●',
                (false, true) if is_wrong => '✗',
                (false, true) if step.observed => '○',
                (false, false) if joined_left && joined_right => '┼',
                _ => self.line_of(index),
            };
            row.push_str(&cell(width, mark, joined_left, joined_right));
        }
        row
    }

    fn line_of(&self, index: usize) -> char {
        if self.is_specification(index) {
            '┊'
        } else {
            '│'
        }
    }
}

/// A lifeline in the middle of its column.
fn cell(width: usize, mark: char, joined_left: bool, joined_right: bool) -> String {
    let before = (width - 1) / 2;
    let fill = |joined: bool, count: usize| if joined { "─" } else { " " }.repeat(count);
    format!(
        "{}{mark}{}",
        fill(joined_left, before),
        fill(joined_right, width - 1 - before)
    )
}

#[cfg(test)]
mod tests {
    use lariat_report::{ComponentRun, ConformReason};

    use super::*;

    fn violation(components: &[&str], steps: &[(&str, &[usize], bool)]) -> ConformViolation {
        ConformViolation {
            reason: ConformReason::Refused,
            steps: steps
                .iter()
                .map(|(action, takes_part, observed)| ProtocolStep {
                    action: (*action).to_owned(),
                    components: takes_part
                        .iter()
                        .map(|&index| components[index].to_owned())
                        .collect(),
                    observed: *observed,
                })
                .collect(),
            allowed: Vec::new(),
            runs: components
                .iter()
                .map(|component| ComponentRun {
                    component: (*component).to_owned(),
                    trace: Vec::new(),
                })
                .collect(),
            stuck: Vec::new(),
            cycle: None,
            notes: Vec::new(),
        }
    }

    fn shown(violation: &ConformViolation, width: usize) -> String {
        let mut text = String::new();
        show(&mut text, Some("SPEC"), violation, width);
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn actions_join_those_who_take_part() {
        let steps: &[(&str, &[usize], bool)] = &[
            ("hello", &[0, 1], true),
            ("think", &[1], false),
            ("bye", &[0, 2], true),
        ];
        let text = shown(&violation(&["server", "client", "log"], steps), 80);
        let expected = "   server  client  log  SPEC
     │       │      │    ┊
     ●───────●      │    ○       1  hello
     │       ●      │    ┊       2  think
     ●───────┼──────●    ✗       3  bye
";
        assert_eq!(text, expected);
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let names: Vec<String> = (0..9)
            .map(|index| format!("participant_number_{index}"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let action = "an_action_with_a_long_name".repeat(5);
        let text = shown(&violation(&names, &[(&action, &[0, 8], true)]), 72);
        assert!(text.contains("1 participant_number_0, 2"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 72), "{text}");
        assert!(text.contains('…'), "{text}");
    }

    #[test]
    fn who_is_stuck_is_marked() {
        let mut violation = violation(&["left", "right"], &[("go", &[0, 1], false)]);
        violation.stuck = [("left", false), ("right", true)]
            .map(|(component, has_ended)| StuckComponent {
                component: component.to_owned(),
                has_ended,
                waits_for: Vec::new(),
                location: None,
            })
            .to_vec();
        let mut text = String::new();
        show(&mut text, None, &violation, 80);
        let expected = "
   left  right
    │      │
    ●──────●       1  go
    ✗      ■
";
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), expected[1..]);
    }
}
