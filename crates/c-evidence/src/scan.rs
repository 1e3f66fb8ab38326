//! C text as tokens, as far as it can be read without preprocessing.
//!
//! This is for questions that are asked about the very text that the user wrote: which functions are
//! defined in it, where a call ends, where a label stands. Directives, comments and literals are no
//! tokens. Macros are not expanded, so a macro can make the result wrong.

/// A name, a number or one punctuation character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    pub text: &'a str,
    /// The byte at which it starts.
    pub offset: usize,
    /// From 1.
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
}

impl Token<'_> {
    pub fn is_name(&self) -> bool {
        self.text
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    pub fn end(&self) -> usize {
        self.offset + self.text.len()
    }
}

/// The tokens of a C file.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut at, mut line, mut line_start) = (0, 1, 0);
    let mut starts_line = true;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        let end = match byte {
            b'\n' => {
                at += 1;
                line += 1;
                line_start = at;
                starts_line = true;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'#' if starts_line => end_of_line(bytes, at),
            b'/' if next == Some(b'/') => end_of_line(bytes, at),
            b'/' if next == Some(b'*') => end_of_comment(bytes, at),
            b'"' | b'\'' => end_of_literal(bytes, at),
            byte if is_word(byte) => {
                let length = bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
                tokens.push(Token {
                    text: &text[at..at + length],
                    offset: at,
                    line,
                    column: (at - line_start + 1) as u32,
                });
                at + length
            }
            byte => {
                if byte.is_ascii() {
                    tokens.push(Token {
                        text: &text[at..=at],
                        offset: at,
                        line,
                        column: (at - line_start + 1) as u32,
                    });
                }
                at + 1
            }
        };
        starts_line = false;
        for (offset, _) in bytes[at..end]
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
        {
            line += 1;
            line_start = at + offset + 1;
            starts_line = true;
        }
        at = end;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The end of a directive or comment: the line's, unless it is continued.
fn end_of_line(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() && bytes[at] != b'\n' {
        at += match &bytes[at..] {
            [b'\\', b'\r', b'\n', ..] => 3,
            [b'\\', b'\n', ..] => 2,
            [b'/', b'*', ..] => end_of_comment(bytes, at) - at,
            _ => 1,
        };
    }
    at
}

fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let body = start + 2;
    match bytes[body..].windows(2).position(|two| two == b"*/") {
        Some(length) => body + length + 2,
        None => bytes.len(),
    }
}

/// A literal ends at its quote, or at the end of the line if that is missing.
fn end_of_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        if bytes[at] == bytes[start] {
            return at + 1;
        }
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// The index of the token that closes the bracket at `open`.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let (left, right) = match tokens.get(open)?.text {
        "(" => ("(", ")"),
        "{" => ("{", "}"),
        "[" => ("[", "]"),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.text == left {
            depth += 1;
        } else if token.text == right {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}

/// Whether a text is the name of a function.
pub fn is_identifier(text: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    !text.is_empty()
        && !text.starts_with(|character: char| character.is_ascii_digit())
        && text.chars().all(is_part)
}

/// The index of the name at a place, if it is that of a variable: a call would follow with a parenthesis. Of a member
/// such as `point.x` or `list[0]` the name is that of the variable.
pub fn variable_at(tokens: &[Token<'_>], name: &str, line: u32, column: u32) -> Option<usize> {
    let variable = variable_of(name);
    let at = tokens
        .iter()
        .position(|token| (token.line, token.column, token.text) == (line, column, variable))?;
    (tokens.get(at + 1)?.text != "(").then_some(at)
}

/// The variable that a member is a part of.
pub fn variable_of(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

/// The byte after the semicolon of the declaration with the name at this index, unless it is in the head of a `for`.
pub fn end_of_declaration(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for token in tokens[..at].iter().rev() {
        match token.text {
            ")" | "]" | "}" => depth += 1,
            "(" => depth = depth.checked_sub(1)?,
            "[" | "{" if depth > 0 => depth -= 1,
            ";" | "{" if depth == 0 => break,
            _ => {}
        }
    }
    depth = 0;
    for token in &tokens[at + 1..] {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            ";" if depth == 0 => return Some(token.end()),
            _ => {}
        }
    }
    None
}

/// Whether a file has a function, variable or type of this name for itself: something static, a type or an enumerator.
pub fn defines_privately(tokens: &[Token<'_>], name: &str) -> bool {
    let (mut depth, mut enum_depth, mut is_private) = (0usize, None, false);
    // Parameters are names of their function.
    let mut parentheses = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |before| tokens[before].text);
        let after = tokens.get(index + 1).map_or("", |after| after.text);
        if token.text == name {
            let is_tag = matches!(before, "struct" | "union" | "enum") && after == "{";
            let is_enumerator = enum_depth == Some(depth) && matches!(before, "{" | ",");
            if is_tag || is_enumerator || (is_private && depth == 0 && parentheses == 0) {
                return true;
            }
        }
        match token.text {
            "{" => {
                depth += 1;
                let tag = index.checked_sub(2).map_or("", |tag| tokens[tag].text);
                if before == "enum" || tag == "enum" {
                    enum_depth = Some(depth);
                }
            }
            "}" => {
                if enum_depth == Some(depth) {
                    enum_depth = None;
                }
                depth = depth.saturating_sub(1);
                // A body ends its function; a type goes on with the names that it is for.
                if depth == 0 && ends_function(tokens, index) {
                    is_private = false;
                }
            }
            "(" => parentheses += 1,
            ")" => parentheses = parentheses.saturating_sub(1),
            ";" if depth == 0 => is_private = false,
            "static" | "typedef" if depth == 0 => is_private = true,
            _ => {}
        }
    }
    false
}

/// Whether the closing brace at this index ends the body of a function: its opening brace follows a parameter list.
fn ends_function(tokens: &[Token<'_>], end: usize) -> bool {
    let mut depth = 0usize;
    for (index, token) in tokens[..end].iter().enumerate().rev() {
        match token.text {
            "}" => depth += 1,
            "{" if depth == 0 => return index > 0 && tokens[index - 1].text == ")",
            "{" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// The index of the name at a place, if it is that of a variable that is declared there without
/// initialiser: `int name;` or `int name, ...`.
pub fn declared_at(tokens: &[Token<'_>], name: &str, line: u32, column: u32) -> Option<usize> {
    let at = tokens
        .iter()
        .position(|token| (token.line, token.column, token.text) == (line, column, name))?;
    let before = tokens.get(at.checked_sub(1)?)?;
    let after = tokens.get(at + 1)?;
    let follows_type = before.is_name() || matches!(before.text, "*" | "," | "}");
    (follows_type && matches!(after.text, ";" | ",")).then_some(at)
}

/// A function that is defined in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition<'a> {
    pub name: &'a str,
    /// The lines of its name and of its closing brace.
    pub lines: (u32, u32),
}

/// The functions that are defined in this text, in their order.
pub fn definitions<'a>(tokens: &[Token<'a>]) -> Vec<Definition<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text {
            // A body whose head was not understood, a record, an initialiser.
            "{" => at = closing(tokens, at).map_or(tokens.len(), |end| end + 1),
            "(" => {
                let Some(end) = closing(tokens, at) else { break };
                let name = at.checked_sub(1).map(|before| tokens[before]);
                match (name, body_after(tokens, end + 1)) {
                    (Some(name), Some(body)) if name.is_name() && !name.text.starts_with("__attribute") => {
                        let last = closing(tokens, body).unwrap_or(tokens.len() - 1);
                        found.push(Definition {
                            name: name.text,
                            lines: (name.line, tokens[last].line),
                        });
                        at = last + 1;
                    }
                    _ => at = end + 1,
                }
            }
            _ => at += 1,
        }
    }
    found
}

/// The opening brace of the body, if what follows a parameter list is one: attributes may come
/// first, or declarations of parameters as in K&R C.
fn body_after(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let mut at = start;
    let mut declares = false;
    loop {
        match tokens.get(at)?.text {
            "{" => return Some(at),
            "(" | "[" => at = closing(tokens, at)? + 1,
            ";" if declares => {
                declares = false;
                at += 1;
            }
            ";" | "=" | "}" | ")" => return None,
            "," if !declares => return None,
            "," | "*" => at += 1,
            // `f(x) int x; {`, but not the next declaration after an unfinished macro call.
            _ if tokens[at].is_name() => {
                declares |= !tokens[at].text.starts_with("__");
                at += 1;
            }
            _ => return None,
        }
    }
}

/// Whether a function of this name is defined in the text of a C file.
pub fn defines_function(text: &str, name: &str) -> bool {
    // Most texts do not even mention most names.
    text.contains(name) && definitions(&tokens(text)).iter().any(|one| one.name == name)
}

/// Whether the text mentions a function of this name: followed by a parenthesis.
pub fn names_function(text: &str, name: &str) -> bool {
    text.contains(name)
        && tokens(text)
            .windows(2)
            .any(|two| two[0].text == name && two[1].text == "(")
}

/// Whether lines of this text stand for lines of other files (`# 1 "x.h"` or `#line`).
pub fn has_line_markers(text: &str) -> bool {
    text.lines().any(|line| {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with("line ") || rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(text: &str) -> Vec<&str> {
        definitions(&tokens(text)).iter().map(|one| one.name).collect()
    }

    #[test]
    fn private_names_are_those_of_one_file() {
        let tokens = tokens(
            "static int helper(int x) { int y; return x; } int shared; static int a, b = 2; typedef struct node { int v; } T;
             enum { RED, GREEN = 3 }; int f(void) { static int inner; return inner; } extern int other;",
        );
        for name in ["helper", "a", "b", "node", "T", "RED", "GREEN"] {
            assert!(defines_privately(&tokens, name), "{name}");
        }
        for name in ["shared", "f", "inner", "other", "y", "v", "x"] {
            assert!(!defines_privately(&tokens, name), "{name}");
        }
    }

    #[test]
    fn declarations_end_at_their_semicolon_unless_in_a_loop_head() {
        let text = "int f(void) { struct { int a; } s, t; for (struct p q; ; ) {} int u[3]; }";
        let tokens = tokens(text);
        let end = |name: &str| {
            let at = tokens.iter().position(|token| token.text == name)?;
            end_of_declaration(&tokens, at).map(|end| text[..end].len())
        };
        assert_eq!(end("s"), text.find("t;").map(|at| at + 2));
        assert_eq!(end("u"), text.find("u[3];").map(|at| at + 5));
        assert_eq!(end("q"), None);
    }

    #[test]
    fn definitions_differ_from_declarations_and_calls() {
        let text = "extern void reach_error(void);\n\
                    extern int g(int) __attribute__ ((noreturn));\n\
                    void __VERIFIER_assert(int c) { if (!(c)) { ERROR: __VERIFIER_error(); } }\n\
                    static int x = sizeof(int), y[] = { f(1), 2 };\n\
                    struct s { int (*call)(int); };\n\
                    int old(a, b) int a; char *b; { return a; }\n\
                    __attribute__((noinline)) int attributed(void) { return 0; }\n\
                    int late(void) __attribute__((cold)) { return 0; }\n\
                    typedef int (*callback)(int);\n\
                    int main() { return g(1) + old(1, \"{\"); }\n";
        assert_eq!(
            defined(text),
            ["__VERIFIER_assert", "old", "attributed", "late", "main"]
        );
        assert!(!defines_function(text, "reach_error"));
        assert!(names_function(text, "reach_error"));
    }

    #[test]
    fn comments_directives_and_literals_are_no_tokens() {
        let text = "#define f() { \\\n  }\n/* int a() { } */ char c = '{'; // b() {\nchar *s = \"\\\"{\";\nint main(void)\n{\n}";
        assert_eq!(defined(text), ["main"]);
        let main = tokens(text).into_iter().find(|token| token.text == "main");
        assert_eq!(main.map(|token| (token.line, token.column)), Some((5, 5)));
    }

    #[test]
    fn broken_text_ends_quietly() {
        for text in [
            "int f(",
            "int f() {",
            "\"",
            "'\\",
            "/*",
            "#",
            "/",
            "int f()",
            "((((",
            "é",
        ] {
            let _ = definitions(&tokens(text));
        }
    }

    #[test]
    fn variables_without_initialiser_are_found() {
        let tokens = tokens("int f(void) {\n  int a, *b, c = 1 ;\n  a;\n}");
        let found = |name, line, column| declared_at(&tokens, name, line, column).is_some();
        assert!(found("a", 2, 7) && found("b", 2, 11));
        assert!(!found("c", 2, 14) && !found("a", 2, 8) && !found("f", 1, 5) && !found("a", 3, 3));
    }

    #[test]
    fn line_markers_are_seen() {
        assert!(has_line_markers("# 1 \"x.c\"\nint a;\n"));
        assert!(has_line_markers("#line 7\n"));
        assert!(!has_line_markers("#define x 1\n#include <assert.h>\n"));
    }
}
