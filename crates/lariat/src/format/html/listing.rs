//! A file of the program, its lines coloured by what is known of them.

use maud::{Markup, html};

use super::class;
use crate::format::source::Sources;
use crate::view::{Listing, Tone};

/// No more of a line is shown.
const MAX_LINE: usize = 400;

/// Of a longer file only the surroundings of what is not good are shown.
const MAX_LINES: usize = 5_000;

/// Lines around such a place.
const CONTEXT: u32 = 3;

/// The lines of the file; nothing if it cannot be read any more.
pub fn show(listing: &Listing, sources: &mut Sources) -> Markup {
    let Some(text) = sources.text(&listing.file) else {
        return html! {};
    };
    let is_long = text.lines().count() > MAX_LINES;
    let is_shown = |number: u32| {
        let around = number.saturating_sub(CONTEXT)..=number.saturating_add(CONTEXT);
        let mut notes = listing.notes.range(around);
        !is_long || notes.any(|(_, note)| note.tone != Tone::Good)
    };
    let lines = (1..).zip(text.lines()).filter(|&(number, _)| is_shown(number));
    html! {
        h3 { (listing.file) }
        @if is_long { p.dim { "Of this long file the page shows what is around the lines that were not reached." } }
        div.wide {
            table.listing {
                @for (number, line) in lines.take(MAX_LINES) {
                    @let note = listing.notes.get(&number);
                    tr class=[note.map(|note| class(note.tone))] {
                        td.number { (number) }
                        td.code { code { (line.chars().take(MAX_LINE).collect::<String>()) } }
                        td.note { @if let Some(note) = note { (note.text) } }
                    }
                }
            }
        }
    }
}
