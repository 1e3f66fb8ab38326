//! Source text as clang and the user see it.

/// Text for messages and traces: every byte that is not UTF-8 (Latin-1 comments are common) becomes one `?`, so that
/// byte offsets stay true.
pub fn lossy(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// Where a range really ends. If its last token is the use of a macro, clang gives the place where that starts: the range ends
/// after the macro's name and arguments.
pub fn whole_end(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    let starts_word = (at(end).is_ascii_alphabetic() || at(end) == b'_') && end > 0 && !is_word(at(end - 1));
    if !starts_word {
        return end;
    }
    let length = bytes[end..].iter().take_while(|&&byte| is_word(byte)).count();
    let name_end = end + length;
    if at(name_end) != b'(' {
        return name_end;
    }
    let mut depth = 0_u32;
    for (index, &byte) in bytes.iter().enumerate().skip(name_end) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return index + 1,
            b')' => depth -= 1,
            b';' | b'{' | b'}' => break,
            _ => {}
        }
    }
    name_end
}

/// Whether a file can be text at all.
pub fn looks_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ends_after_a_macro_that_it_ends_with() {
        let whole = |text: &str, end: usize| text[..whole_end(text, end)].to_owned();
        assert_eq!(whole("x != LIMIT)", 5), "x != LIMIT");
        assert_eq!(whole("x != MAX(a, f(b)));", 5), "x != MAX(a, f(b))");
        assert_eq!(whole("x != MAX(a; b", 5), "x != MAX");
        assert_eq!(whole("x + y;", 5), "x + y");
        assert_eq!(whole("x + yes", 5), "x + y");
        assert_eq!(whole("x", 1), "x");
    }

    #[test]
    fn offsets_survive_bytes_that_are_not_utf8() {
        let bytes = b"/* Stra\xdfe */ int x; /* \xe2\x82 \xc3\xa4 */";
        let text = lossy(bytes);
        assert_eq!(text.len(), bytes.len());
        assert_eq!(text.find("int"), Some(13));
        assert!(text.ends_with("/* ?? ä */"));
    }
}
