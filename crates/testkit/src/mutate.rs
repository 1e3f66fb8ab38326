//! Texts that were right, with some of their bytes changed.

use crate::Random;

/// Replaces, removes, doubles or inserts a few pieces of a text. `pieces` are words of its language.
pub fn mutate(random: &mut Random, text: &str, pieces: &[&str]) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + random.below(3) {
        let at = boundary(&text, random.below(text.len() + 1));
        let until = boundary(&text, (at + random.below(6)).min(text.len()));
        let piece = match random.below(8) {
            0 | 1 => String::new(),
            2 => text[at..until].repeat(1 + random.below(3)),
            3 => char::from(random.below(128) as u8).to_string(),
            _ => random.pick(pieces).to_owned(),
        };
        text.replace_range(at..until, &piece);
    }
    text
}

/// The last boundary of a character that is not after `at`.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
