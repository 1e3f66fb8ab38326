//! Tokens, declarations and uses of names in the text of an editor, which may be incomplete.
//!
//! The scanner works on text that does not parse, so symbols stay while the user writes. It knows comments, strings and brackets,
//! nothing else.

use std::ops::Range;

/// What a file is written in, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Boogie,
    Fsp,
}

impl Language {
    pub fn of(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1 {
            "c" | "i" | "h" => Some(Language::C),
            "bpl" => Some(Language::Boogie),
            "fsp" | "lts" => Some(Language::Fsp),
            _ => None,
        }
    }
}

/// What a declaration introduces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Procedure,
    Function,
    Type,
    Constant,
    Variable,
    Process,
}

/// A declared name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub kind: Kind,
    /// Of the name.
    pub range: Range<usize>,
    /// Where it can be used: all of the file for globals.
    pub scope: Range<usize>,
    /// It stands inside of another declaration.
    pub is_local: bool,
    /// It has a body that can be verified.
    pub has_body: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    Word,
    Other,
}

struct Token<'t> {
    kind: TokenKind,
    text: &'t str,
    start: usize,
}

/// Words and single characters, without comments, strings, blanks and directives of the preprocessor.
fn tokens(text: &str, language: Language) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let is_word = |c: char| {
        c.is_alphanumeric() || c == '_' || (language == Language::Boogie && "$#.~^?`'\\".contains(c))
    };
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { break };
        let end_of = |pattern: &str, from: usize| rest[from..].find(pattern).map(|end| from + end);
        let starts_line = text[..at].trim_end_matches([' ', '\t']).ends_with('\n') || at == 0;
        let length = if rest.starts_with("//") || (c == '#' && starts_line && language == Language::C) {
            end_of("\n", 0).unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            end_of("*/", 2).map_or(rest.len(), |end| end + 2)
        } else if c == '"' || (c == '\'' && language == Language::C) {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != c as u8 && bytes[end] != b'\n' {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let mut length = (end + 1).min(text.len()) - at;
            while !rest.is_char_boundary(length) {
                length += 1;
            }
            length
        } else if c.is_whitespace() {
            c.len_utf8()
        } else {
            let (kind, length) = match is_word(c) {
                true => (
                    TokenKind::Word,
                    rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
                ),
                false => (TokenKind::Other, c.len_utf8()),
            };
            tokens.push(Token {
                kind,
                text: &rest[..length],
                start: at,
            });
            length
        };
        at += length;
    }
    tokens
}

/// All declarations of a file.
pub fn symbols(text: &str, language: Language) -> Vec<Symbol> {
    let tokens = tokens(text, language);
    let finder = Finder {
        text,
        tokens: &tokens,
    };
    match language {
        Language::C => finder.c(),
        Language::Boogie => finder.boogie(),
        Language::Fsp => finder.fsp(),
    }
}

/// The name at a place.
pub fn word_at(text: &str, offset: usize, language: Language) -> Option<String> {
    let tokens = tokens(text, language);
    let token = tokens.iter().find(|token| {
        token.start <= offset && offset <= token.start + token.text.len() && token.kind == TokenKind::Word
    })?;
    Some(token.text.to_owned())
}

/// What a name means at a place: the declaration in the smallest scope around it.
pub fn definition<'s>(symbols: &'s [Symbol], name: &str, offset: usize) -> Option<&'s Symbol> {
    let visible = symbols.iter().filter(|symbol| {
        symbol.name == name && (symbol.scope.contains(&offset) || symbol.scope.end == offset)
    });
    visible.min_by_key(|symbol| (symbol.scope.len(), !symbol.has_body))
}

struct Finder<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
}

impl Finder<'_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.text == text)
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// The token after the bracket that closes the one at `at`.
    fn after(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(at) {
            match token.text {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return index + 1;
            }
        }
        self.tokens.len()
    }

    fn offset(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.start)
    }

    fn symbol(&self, at: usize, kind: Kind, scope: Range<usize>, is_local: bool, has_body: bool) -> Symbol {
        let token = &self.tokens[at];
        Symbol {
            name: token.text.to_owned(),
            kind,
            range: token.start..token.start + token.text.len(),
            scope,
            is_local,
            has_body,
        }
    }

    fn everywhere(&self) -> Range<usize> {
        0..self.text.len()
    }

    /// Functions with a body.
    fn c(&self) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            if self.is_word(at) && self.is(at + 1, "(") {
                let body = self.after(at + 1);
                if self.is(body, "{") {
                    symbols.push(self.symbol(at, Kind::Function, self.everywhere(), false, true));
                    at = self.after(body);
                    continue;
                }
                at = body.max(at + 1);
            } else if self.is(at, "{") {
                at = self.after(at);
            } else {
                at += 1;
            }
        }
        symbols
    }

    fn boogie(&self) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let kind = match self.tokens[at].text {
                "procedure" | "implementation" => Kind::Procedure,
                "function" => Kind::Function,
                "type" | "datatype" => Kind::Type,
                "const" => Kind::Constant,
                "var" => Kind::Variable,
                "{" | "(" => {
                    at = self.after(at);
                    continue;
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
            let end = self.end_of_declaration(at + 1);
            let mut name = at + 1;
            while self.is(name, "{") || self.is(name, "unique") {
                name = if self.is(name, "{") {
                    self.after(name)
                } else {
                    name + 1
                };
            }
            match kind {
                Kind::Variable | Kind::Constant => {
                    self.names(name..end, kind, self.everywhere(), false, &mut symbols);
                }
                _ if self.is_word(name) => {
                    let has_body = kind == Kind::Procedure
                        && (name..end).any(|at| self.is(at, "{") && !self.is(at + 1, ":"));
                    symbols.push(self.symbol(name, kind, self.everywhere(), false, has_body));
                    let scope = self.offset(at)..self.offset(end);
                    self.locals(name + 1..end, &scope, &mut symbols);
                }
                _ => {}
            }
            at = end.max(at + 1);
        }
        symbols
    }

    /// Up to the next declaration at the top.
    fn end_of_declaration(&self, from: usize) -> usize {
        const STARTS: [&str; 9] = [
            "procedure",
            "implementation",
            "function",
            "type",
            "datatype",
            "const",
            "var",
            "axiom",
            "pure",
        ];
        let mut at = from;
        while at < self.tokens.len() {
            if STARTS.contains(&self.tokens[at].text) {
                return at;
            }
            at = match self.tokens[at].text {
                "{" | "(" | "[" => self.after(at),
                _ => at + 1,
            };
        }
        at
    }

    /// Parameters, results and variables of a body.
    fn locals(&self, range: Range<usize>, scope: &Range<usize>, symbols: &mut Vec<Symbol>) {
        for at in range.clone() {
            let starts = self.is(at, "var") || self.is(at, "(") || self.is(at, "<");
            if starts && (self.is(at, "var") || at < range.start + 40) {
                self.names(at + 1..range.end, Kind::Variable, scope.clone(), true, symbols);
            }
        }
    }

    /// Names before a colon: `a, b: int, c: bool`.
    fn names(
        &self,
        range: Range<usize>,
        kind: Kind,
        scope: Range<usize>,
        is_local: bool,
        symbols: &mut Vec<Symbol>,
    ) {
        let mut pending = Vec::new();
        let mut at = range.start;
        while at < range.end {
            match self.tokens[at].text {
                ";" | ")" | "where" if self.tokens[at].text != "where" => break,
                "{" | "[" | "(" => {
                    at = self.after(at);
                    continue;
                }
                ":" => {
                    for name in pending.drain(..) {
                        let symbol = self.symbol(name, kind, scope.clone(), is_local, false);
                        if !symbols.contains(&symbol) {
                            symbols.push(symbol);
                        }
                    }
                }
                "," => {}
                _ if self.is_word(at)
                    && (self.is(at + 1, ",") || self.is(at + 1, ":"))
                    && !self.is(at + 2, "=") =>
                {
                    pending.push(at);
                }
                _ => pending.clear(),
            }
            at += 1;
        }
    }

    /// `NAME = …`, `NAME(P=1) = …`, `||NAME = …`, `NAME[i:R] = …`, and constants, ranges and sets.
    fn fsp(&self) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let starts_upper = self.tokens[at].text.starts_with(char::is_uppercase);
            if !(self.is_word(at) && starts_upper) {
                at = match self.tokens[at].text {
                    "(" | "{" => self.after(at),
                    _ => at + 1,
                };
                continue;
            }
            let mut next = at + 1;
            while self.is(next, "(") || self.is(next, "[") {
                next = self.after(next);
            }
            if self.is(next, "=") {
                let kind = match at.checked_sub(1).map(|before| self.tokens[before].text) {
                    Some("const" | "range" | "set") => Kind::Constant,
                    _ => Kind::Process,
                };
                symbols.push(self.symbol(at, kind, self.everywhere(), false, false));
            }
            at = next.max(at + 1);
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, language: Language) -> Vec<(String, Kind, bool)> {
        let symbols = symbols(text, language);
        symbols
            .into_iter()
            .map(|symbol| (symbol.name, symbol.kind, symbol.is_local))
            .collect()
    }

    #[test]
    fn functions_of_c_are_found_in_incomplete_text() {
        let text = "#define M(x) { x }\nint f(int a) { if (a) { g(); } return 0; } // int h() {}\nstruct s { int (*p)(void); };\nint main(void) { ";
        let found: Vec<String> = names(text, Language::C).into_iter().map(|one| one.0).collect();
        assert_eq!(found, ["f", "main"]);
    }

    #[test]
    fn declarations_of_boogie_have_their_scopes() {
        let text = "var g, h: int;\nconst unique c: [int]bool;\ntype T;\nfunction f(x: int) returns (int);\n\
                    procedure {:entrypoint} p(a: int, b: bool) returns (r: int)\n  requires a > 0;\n{ var x: int; x := g; assert x > a; }\n\
                    procedure q(a: int);\n";
        let all = symbols(text, Language::Boogie);
        let globals: Vec<&str> = all
            .iter()
            .filter(|it| !it.is_local)
            .map(|it| it.name.as_str())
            .collect();
        assert_eq!(globals, ["g", "h", "c", "T", "f", "p", "q"]);
        let use_of_a = text.find("> a;").expect("a use") + 2;
        let found = definition(&all, "a", use_of_a).expect("a definition");
        assert_eq!(found.range.start, text.find("a: int, b").expect("a parameter"));
        let use_of_x = text.find("x := g").expect("a use");
        let found = definition(&all, "x", use_of_x).expect("a definition");
        assert_eq!(found.range.start, text.find("x: int; x").expect("a local"));
        let found = definition(&all, "g", use_of_x + 5).expect("a definition");
        assert_eq!(found.range.start, 4);
        assert!(all.iter().any(|it| it.name == "p" && it.has_body));
        assert!(all.iter().any(|it| it.name == "q" && !it.has_body));
        assert_eq!(word_at(text, use_of_x, Language::Boogie).as_deref(), Some("x"));
    }

    #[test]
    fn processes_are_found() {
        let text = "const N = 2\nrange R = 0..N\nLOCK = (lock -> HELD), HELD = (unlock -> LOCK).\nproperty SAFE(K=1) = Q[0], Q[i:R] = (a[i] -> Q[i]).\n||SYS = (LOCK || SAFE).";
        let found: Vec<String> = names(text, Language::Fsp).into_iter().map(|one| one.0).collect();
        assert_eq!(found, ["N", "R", "LOCK", "HELD", "SAFE", "Q", "SYS"]);
    }

    #[test]
    fn any_text_is_scanned() {
        for text in [
            "\"",
            "'\\",
            "/*",
            "{ ( [",
            "é\"é\\é",
            "var",
            "procedure",
            "function {",
            "A =",
            "f(",
            "\\",
        ] {
            for language in [Language::C, Language::Boogie, Language::Fsp] {
                let _ = symbols(text, language);
                let _ = word_at(text, 0, language);
            }
        }
    }
}
