//! The colours. `anstream` removes them where they are not wanted.

use anstyle::{AnsiColor, Color, Style};

const fn color(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(color)))
}

pub const ERROR: Style = color(AnsiColor::Red).bold();
pub const WARNING: Style = color(AnsiColor::Yellow).bold();
pub const GOOD: Style = color(AnsiColor::Green).bold();
pub const BOUNDED: Style = color(AnsiColor::Cyan).bold();
pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
/// File names and line numbers.
pub const PLACE: Style = color(AnsiColor::Blue);
/// Names of changed variables.
pub const NAME: Style = color(AnsiColor::Cyan);
/// Calls, returns and rounds of loops.
pub const FLOW: Style = color(AnsiColor::Magenta);
