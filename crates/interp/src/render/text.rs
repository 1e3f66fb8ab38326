//! Source text on one line.

/// Longer texts are cut.
const MAX_WIDTH: usize = 100;

/// The first line of a statement without attributes, white space made single.
pub(super) fn statement(source: &str) -> String {
    let without = without_attributes(source);
    let first = without.lines().map(str::trim).find(|line| !line.is_empty());
    cut(&first
        .unwrap_or("")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" "))
}

/// The head of an `if` or `while` without the brace of its body.
pub(super) fn guard(statement: &str) -> String {
    statement.trim_end_matches('{').trim_end().into()
}

/// The text without `{:name …}`. Braces and quotes inside an attribute are respected.
fn without_attributes(source: &str) -> String {
    let mut result = String::new();
    let mut rest = source;
    while let Some(start) = rest.find("{:") {
        result.push_str(&rest[..start]);
        match attribute_end(&rest[start..]) {
            Some(end) => rest = rest[start + end..].trim_start(),
            None => return result,
        }
    }
    result.push_str(rest);
    result
}

/// The length of the attribute at the start of the text.
fn attribute_end(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    let mut in_string = false;
    let mut escaped = false;
    for (index, character) in text.char_indices() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = character == '\\' && !escaped;
            continue;
        }
        match character {
            '"' => in_string = true,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_spaces_go() {
        assert_eq!(
            statement("assert {:msg \"a } b\"} {:id 1}\n   x   ==  1;"),
            "assert x == 1;"
        );
        assert_eq!(statement("call   {:si_unique_call 3}  f(x);"), "call f(x);");
        assert_eq!(statement("while (x < 3)\n{ x := 1; }"), "while (x < 3)");
        assert_eq!(statement("assume {:broken \"never ends"), "assume");
    }

    #[test]
    fn long_text_is_cut() {
        let text = statement(&"é".repeat(500));
        assert_eq!(text.chars().count(), MAX_WIDTH + 1);
    }

    #[test]
    fn guards_lose_their_brace() {
        assert_eq!(guard("if (x > 0) {"), "if (x > 0)");
    }
}
