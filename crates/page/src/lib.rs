//! The frame of every HTML page that Lariat writes.
//!
//! Architecture invariants:
//! - A page is self-contained: it needs no network, and everything can be read without scripts.
//! - Text from the user's files gets into a page only through [`maud::html!`] or [`escape`], which escape it.
//! - Colours are variables of the shared style, so that every page suits light and dark screens.

use maud::{DOCTYPE, Escaper, Markup, PreEscaped, html};

/// Colours, headings, tables and badges.
const STYLE: &str = include_str!("page.css");

/// One page.
pub struct Page<'p> {
    pub title: &'p str,
    /// Style besides the shared one.
    pub style: &'p str,
    pub script: &'p str,
    pub body: Markup,
}

impl Page<'_> {
    pub fn render(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) " · Lariat" }
                    style { (PreEscaped(STYLE)) (PreEscaped(self.style)) }
                }
                body {
                    main {
                        (self.body)
                        footer { "Written by Lariat " (env!("CARGO_PKG_VERSION")) "." }
                    }
                    @if !self.script.is_empty() {
                        script { (PreEscaped(self.script)) }
                    }
                }
            }
        };
        page.into_string() + "\n"
    }
}

/// A word in a frame, in the colour of a class: `good`, `bad`, `warn`.
pub fn badge(class: &str, word: &str) -> Markup {
    html! { span class={ "badge " (class) } { (word) } }
}

/// Text for HTML and SVG, also inside attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    // Writing to a string does not fail.
    let _ = std::fmt::Write::write_str(&mut Escaper::new(&mut escaped), text);
    escaped
}

/// An SVG picture as the address of an image, so that its style does not reach the page.
pub fn svg_address(svg: &str) -> String {
    let mut address = String::with_capacity(svg.len() * 2);
    address.push_str("data:image/svg+xml,");
    for byte in svg.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => address.push(char::from(byte)),
            _ if b"-_./:=,;".contains(&byte) => address.push(char::from(byte)),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
        let page = Page {
            title: "</title><script>",
            style: "",
            script: "",
            body: html! { p title=("\"") { ("<b>") } },
        };
        let text = page.render();
        assert!(
            text.contains("<title>&lt;/title&gt;&lt;script&gt; · Lariat</title>"),
            "{text}"
        );
        assert!(text.contains("<p title=\"&quot;\">&lt;b&gt;</p>"), "{text}");
        assert!(!text.contains("<script>"), "{text}");
    }

    #[test]
    fn a_picture_fits_into_an_attribute() {
        assert_eq!(
            svg_address("<g id=\"a\"/>"),
            "data:image/svg+xml,%3Cg%20id=%22a%22/%3E"
        );
    }
}
