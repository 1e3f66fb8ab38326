//! The sections of a property file: keywords, and Boogie code between braces.
//!
//! ```text
//! file    = { "GlobalDeclarations" block | "TemplateVariables" block | "NegativeFilter" block | "PositiveFilter" block
//!           | ("CmdRule" | "ProcedureRule" | "InsertAtBeginningRule") block "-->" block }
//! block   = "{" Boogie code with balanced braces "}"
//! ```
//!
//! White space and comments may stand between all of them.

use std::ops::Range;

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};

const CODE: &str = "bad-property";

/// What a section is called in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyword {
    GlobalDeclarations,
    TemplateVariables,
    /// Of the tool that picks traces: it says nothing about the program.
    Filter,
    CmdRule,
    ProcedureRule,
}

const KEYWORDS: [(&str, Keyword); 7] = [
    ("GlobalDeclarations", Keyword::GlobalDeclarations),
    ("TemplateVariables", Keyword::TemplateVariables),
    ("NegativeFilter", Keyword::Filter),
    ("PositiveFilter", Keyword::Filter),
    ("CmdRule", Keyword::CmdRule),
    ("ProcedureRule", Keyword::ProcedureRule),
    // The older name.
    ("InsertAtBeginningRule", Keyword::ProcedureRule),
];

/// A section: where its keyword and what is between its braces are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    pub keyword: Keyword,
    pub span: Span,
    pub code: Range<usize>,
    /// The code behind the arrow of a rule.
    pub inserted: Option<Range<usize>>,
}

/// The sections of a file; `None` if there are errors.
pub fn sections(text: &str, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Vec<Section>> {
    let mut reader = Reader { text, source, at: 0 };
    let mut found = Vec::new();
    loop {
        reader.skip_space();
        if reader.at == text.len() {
            return Some(found);
        }
        match reader.section() {
            Ok(section) => found.push(section),
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                return None;
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    source: SourceId,
    at: usize,
}

type Read<T> = Result<T, Box<Diagnostic>>;

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start().len();
            if space > 0 {
                self.at += space;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else {
                return;
            }
        }
    }

    fn error<T>(&self, range: Range<usize>, message: String, hint: &str) -> Read<T> {
        let span = Span::new(self.source, range.start, range.end);
        Err(Box::new(Diagnostic::error(CODE, span, message).hint(hint)))
    }

    fn expected<T>(&self, what: &str, hint: &str) -> Read<T> {
        let found = self.rest().split_whitespace().next().unwrap_or_default();
        let message = match found.is_empty() {
            true => format!("expected {what}, found the end of the file"),
            false => format!("expected {what}, found `{found}`"),
        };
        self.error(self.at..self.at + found.len(), message, hint)
    }

    fn section(&mut self) -> Read<Section> {
        let start = self.at;
        let word = self.rest();
        let word = &word[..word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len())];
        let Some(&(name, keyword)) = KEYWORDS.iter().find(|(name, _)| *name == word) else {
            let names: Vec<&str> = KEYWORDS.iter().map(|(name, _)| *name).collect();
            let hint = format!("sections are {}", names.join(", "));
            return self.expected("the name of a section", &hint);
        };
        self.at += name.len();
        let span = Span::new(self.source, start, self.at);
        let code = self.block()?;
        let is_rule = matches!(keyword, Keyword::CmdRule | Keyword::ProcedureRule);
        let inserted = match is_rule {
            true => {
                self.skip_space();
                if !self.rest().starts_with("-->") {
                    return self.expected("`-->`", "behind it stands the code that the rule inserts");
                }
                self.at += "-->".len();
                Some(self.block()?)
            }
            false => None,
        };
        Ok(Section {
            keyword,
            span,
            code,
            inserted,
        })
    }

    /// What is between braces.
    fn block(&mut self) -> Read<Range<usize>> {
        self.skip_space();
        if !self.rest().starts_with('{') {
            return self.expected("`{`", "the code of a section stands between braces");
        }
        let open = self.at;
        let mut depth = 0usize;
        while let Some(next) = self.rest().chars().next() {
            let rest = self.rest();
            match next {
                '/' if rest.starts_with("//") || rest.starts_with("/*") => {
                    self.skip_space();
                    continue;
                }
                '"' => {
                    let line = rest.lines().next().unwrap_or_default();
                    self.at += string_length(line);
                    continue;
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            self.at += next.len_utf8();
            if depth == 0 {
                return Ok(open + 1..self.at - 1);
            }
        }
        let hint = "each `{` needs a `}`, those of attributes and bodies too";
        self.error(open..open + 1, "this brace is not closed".to_owned(), hint)
    }
}

/// The length of the string that a line begins with; of the quote alone if it is not closed.
fn string_length(line: &str) -> usize {
    let mut escaped = false;
    for (position, letter) in line.char_indices().skip(1) {
        match letter {
            '"' if !escaped => return position + 1,
            _ => escaped = letter == '\\' && !escaped,
        }
    }
    1
}
