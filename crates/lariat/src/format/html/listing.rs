//! A file of the program, its lines coloured by what is known of them.

use maud::{Markup, html};

use super::class;
use crate::format::source::Sources;
use crate::view::Listing;

/// No more of a line is shown.
const MAX_LINE: usize = 400;

/// The lines of the file; nothing if it cannot be read any more.
pub fn show(listing: &Listing, sources: &mut Sources) -> Markup {
    let Some(text) = sources.text(&listing.file) else {
        return html! {};
    };
    html! {
        h3 { (listing.file) }
        div.wide {
            table.listing {
                @for (number, line) in (1..).zip(text.lines()) {
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
