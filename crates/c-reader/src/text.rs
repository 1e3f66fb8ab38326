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

/// Whether a file can be text at all.
pub fn looks_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_survive_bytes_that_are_not_utf8() {
        let bytes = b"/* Stra\xdfe */ int x; /* \xe2\x82 \xc3\xa4 */";
        let text = lossy(bytes);
        assert_eq!(text.len(), bytes.len());
        assert_eq!(text.find("int"), Some(13));
        assert!(text.ends_with("/* ?? ä */"));
    }
}
