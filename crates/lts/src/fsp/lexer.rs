//! **text ─> tokens** ─> ast ─> systems
//!
//! Invariants: a token list ends with exactly one [`TokenKind::Eof`]; tokens are in the order of
//! the text and do not overlap. Text that is not a token is reported, one error for a run of neighbours.

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};
use logos::{Lexer, Logos, Skip};

/// So many errors are reported for a file.
pub(super) const MAX_ERRORS: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum LexError {
    #[default]
    UnknownCharacter,
    UnterminatedComment,
}

#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(super) enum TokenKind {
    /// Never made by the generated lexer: a block comment is skipped or an error.
    #[token("/*", skip_block_comment)]
    Eof,

    /// Actions and variables.
    #[regex(r"[a-z_][A-Za-z0-9_]*")]
    LowerName,
    /// Processes, constants, ranges and sets.
    #[regex(r"[A-Z][A-Za-z0-9_]*")]
    UpperName,
    #[regex(r"[0-9]+")]
    Number,

    /// Only in declarations that are passed over.
    #[regex(r#""[^"\n]*""#)]
    String,

    #[token("const")]
    Const,
    #[token("range")]
    Range,
    #[token("set")]
    Set,
    #[token("property")]
    Property,
    #[token("minimal")]
    Minimal,
    #[token("deterministic")]
    Deterministic,
    #[token("compose")]
    Compose,
    #[token("progress")]
    Progress,
    #[token("assert")]
    Assert,
    #[token("fluent")]
    Fluent,
    #[token("menu")]
    #[token("animation")]
    #[token("constraint")]
    #[token("ltl_property")]
    OtherDeclaration,
    #[token("when")]
    When,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("forall")]
    Forall,
    #[token("return")]
    Return,
    #[token("STOP")]
    Stop,
    #[token("END")]
    End,
    #[token("ERROR")]
    Error,

    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("->")]
    Arrow,
    #[token("|")]
    Bar,
    #[token("||")]
    BarBar,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(":")]
    Colon,
    #[token("::")]
    ColonColon,
    #[token(";")]
    Semicolon,
    #[token("/")]
    Slash,
    #[token("\\")]
    Backslash,
    #[token("@")]
    At,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("%")]
    Percent,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("&&")]
    AndAnd,
    #[token("&")]
    And,
    #[token("^")]
    Caret,
    #[token("!")]
    Not,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("#")]
    Hash,
    #[token("=")]
    Equal,
    #[token("'")]
    Quote,
}

fn skip_block_comment(lexer: &mut Lexer<'_, TokenKind>) -> Result<Skip, LexError> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            Ok(Skip)
        }
        None => {
            lexer.bump(lexer.remainder().len());
            Err(LexError::UnterminatedComment)
        }
    }
}

pub(super) fn tokens(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut last_error_end = None;
    for (kind, range) in TokenKind::lexer(text).spanned() {
        match kind {
            Ok(kind) => tokens.push(Token {
                kind,
                start: range.start,
                end: range.end,
            }),
            Err(error) => {
                if last_error_end != Some(range.start) && diagnostics.error_count() < MAX_ERRORS {
                    let span = Span::new(source, range.start, range.end);
                    diagnostics.push(message(error, span));
                }
                last_error_end = Some(range.end);
            }
        }
    }
    tokens.push(Token {
        kind: TokenKind::Eof,
        start: text.len(),
        end: text.len(),
    });
    tokens
}

fn message(error: LexError, span: Span) -> Diagnostic {
    match error {
        LexError::UnknownCharacter => {
            Diagnostic::error("fsp-syntax", span, "no part of FSP starts with this")
                .hint("labels consist of letters, digits and `_`")
        }
        LexError::UnterminatedComment => {
            Diagnostic::error("fsp-syntax", span, "this comment has no end").hint("close it with `*/`")
        }
    }
}
