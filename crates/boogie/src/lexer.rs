//! **text ─> tokens** ─> ast ─> typed
//!
//! The tokens of Boogie. White space, comments and `#line` pragmas vanish here; branches of
//! `#if` have been blanked out before by [`crate::preprocess`].
//!
//! Invariants: a token list ends with exactly one [`TokenKind::Eof`]; tokens are in the order
//! of the text, do not overlap, and start and end at character boundaries. What is not a token
//! is reported, one error for a run of neighbours, and left out of the list.

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};
use logos::{Lexer, Logos, Skip};

/// So many errors are reported for a file.
pub(crate) const MAX_ERRORS: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum LexError {
    #[default]
    UnknownCharacter,
    UnterminatedString,
    UnterminatedComment,
}

#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum TokenKind {
    /// Never made by the generated lexer: a block comment is skipped or an error.
    #[token("/*", skip_block_comment)]
    Eof,

    // A leading backslash turns a keyword into a name.
    #[regex(r"\\?[A-Za-z'~#$^_.?`][A-Za-z0-9'~#$^_.?`]*", priority = 2)]
    Identifier,
    #[regex(r"[0-9]+")]
    Digits,
    #[regex(r"[0-9]+bv[0-9]+")]
    BitVector,
    #[regex(r"[0-9]+e-?[0-9]+")]
    #[regex(r"[0-9]+\.[0-9]+(e-?[0-9]+)?")]
    Decimal,
    #[regex(r"-?0x[0-9A-Fa-f]+\.[0-9A-Fa-f]+e-?[0-9]+f[0-9]+e[0-9]+")]
    #[regex(r"0(NaN|nan|\+oo|-oo)[0-9]+e[0-9]+")]
    Float,
    // The end is ambiguous after a backslash; as in Boogie the longest reading wins.
    #[regex(r#""([^"\r\n]|\\")*""#)]
    #[regex(r#""[^"\r\n]*"#, refuse_unterminated_string, priority = 1)]
    String,

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
    #[token("|{")]
    LeftCodeBrace,
    #[token("}|")]
    RightCodeBrace,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("::")]
    #[token("•")]
    DoubleColon,
    #[token(":=")]
    Assign,
    #[token("->")]
    Arrow,
    #[token("=")]
    SingleEqual,
    #[token("|")]
    Bar,

    #[token("<==>")]
    #[token("⇔")]
    #[token("≡")]
    Iff,
    #[token("==>")]
    #[token("⇒")]
    Implies,
    #[token("<==")]
    #[token("⇐")]
    ImpliedBy,
    #[token("&&")]
    #[token("∧")]
    And,
    #[token("||")]
    #[token("∨")]
    Or,
    #[token("!")]
    #[token("¬")]
    Not,
    #[token("==")]
    Equal,
    #[token("!=")]
    #[token("≠")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    #[token("≤")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    #[token("≥")]
    GreaterEqual,
    #[token("++")]
    Concat,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("**")]
    Power,

    #[token("div")]
    Div,
    #[token("mod")]
    Mod,
    #[token("is")]
    Is,
    #[token("old")]
    Old,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("forall")]
    #[token("∀")]
    Forall,
    #[token("exists")]
    #[token("∃")]
    Exists,
    #[token("lambda")]
    #[token("λ")]
    Lambda,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("RNE")]
    #[token("roundNearestTiesToEven")]
    RoundNearestEven,
    #[token("RNA")]
    #[token("roundNearestTiesToAway")]
    RoundNearestAway,
    #[token("RTP")]
    #[token("roundTowardPositive")]
    RoundTowardPositive,
    #[token("RTN")]
    #[token("roundTowardNegative")]
    RoundTowardNegative,
    #[token("RTZ")]
    #[token("roundTowardZero")]
    RoundTowardZero,

    #[token("bool")]
    Bool,
    #[token("int")]
    Int,
    #[token("real")]
    Real,

    #[token("type")]
    Type,
    #[token("datatype")]
    Datatype,
    #[token("const")]
    Const,
    #[token("unique")]
    Unique,
    #[token("uses")]
    Uses,
    #[token("function")]
    Function,
    #[token("returns")]
    Returns,
    #[token("axiom")]
    Axiom,
    #[token("var")]
    Var,
    #[token("where")]
    Where,
    #[token("procedure")]
    Procedure,
    #[token("implementation")]
    Implementation,
    #[token("free")]
    Free,
    #[token("requires")]
    Requires,
    #[token("ensures")]
    Ensures,
    #[token("modifies")]
    Modifies,
    #[token("invariant")]
    Invariant,

    #[token("assert")]
    Assert,
    #[token("assume")]
    Assume,
    #[token("havoc")]
    Havoc,
    #[token("call")]
    Call,
    #[token("while")]
    While,
    #[token("break")]
    Break,
    #[token("goto")]
    Goto,
    #[token("return")]
    Return,

    // Words of Civl that are no names.
    #[token("async")]
    Async,
    #[token("par")]
    Par,
    #[token("yield")]
    Yield,

    // Words that are names wherever a name is expected. Boogie 3 reserves the first group, but
    // programs for its predecessors use them as names, and nothing is ambiguous if they do.
    #[token("action")]
    Action,
    #[token("asserts")]
    Asserts,
    #[token("creates")]
    Creates,
    #[token("hideable")]
    Hideable,
    #[token("measure")]
    Measure,
    #[token("preserves")]
    Preserves,
    #[token("pure")]
    Pure,
    #[token("refines")]
    Refines,
    #[token("revealed")]
    Revealed,
    #[token("using")]
    Using,
    #[token("atomic")]
    Atomic,
    #[token("both")]
    Both,
    #[token("left")]
    Left,
    #[token("right")]
    Right,
    #[token("hide")]
    Hide,
    #[token("reveal")]
    Reveal,
    #[token("push")]
    #[token("pushScope")]
    Push,
    #[token("pop")]
    #[token("popScope")]
    Pop,
}

impl TokenKind {
    /// Whether the token is a name where the grammar asks for one.
    pub fn is_identifier(self) -> bool {
        self == TokenKind::Identifier || self as u8 >= TokenKind::Action as u8
    }

    /// Whether the token is a keyword that cannot be a name.
    pub fn is_word(self) -> bool {
        self as u8 >= TokenKind::Div as u8 && !self.is_identifier()
    }

    /// Whether a declaration can start with the token.
    pub fn starts_declaration(self) -> bool {
        use TokenKind::*;
        self.ends_body() || matches!(self, Var | Axiom | Yield)
    }

    /// Whether the token can only belong to a declaration behind the present body.
    pub fn ends_body(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Procedure | Implementation | Function | Const | Type | Datatype
        )
    }

    /// Whether a statement can start with the token.
    pub fn starts_statement(self) -> bool {
        use TokenKind::*;
        let is_keyword = matches!(
            self,
            Assert | Assume | Havoc | Call | Async | Free | If | While | Break | Goto | Return | Yield
        );
        is_keyword || self.is_identifier()
    }

    /// How a message names a token that was expected.
    pub fn describe(self) -> &'static str {
        use TokenKind::*;
        match self {
            LeftParen => "`(`",
            RightParen => "`)`",
            LeftBracket => "`[`",
            RightBracket => "`]`",
            LeftBrace => "`{`",
            RightBrace => "`}`",
            RightCodeBrace => "`}|`",
            Semicolon => "`;`",
            Colon => "`:`",
            DoubleColon => "`::`",
            Assign => "`:=`",
            Greater => "`>`",
            Then => "`then`",
            Else => "`else`",
            Function => "`function`",
            Axiom => "`axiom`",
            Procedure => "`procedure`",
            Call => "`call`",
            Invariant => "`invariant`",
            Digits => "a number",
            Identifier => "a name",
            Eof => "the end of the file",
            _ => "another token",
        }
    }
}

/// Whether a name must be written with a backslash to be read as a name.
pub(crate) fn is_reserved_word(name: &str) -> bool {
    let mut lexer = TokenKind::lexer(name);
    matches!(lexer.next(), Some(Ok(kind)) if !kind.is_identifier() && lexer.span().end == name.len())
}

/// The tokens of a text with what was wrong in it.
pub(crate) fn tokenize(text: &str, source: SourceId, diagnostics: &mut Diagnostics) -> Vec<Token> {
    // Real programs have four to six bytes a token.
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut lexer = TokenKind::lexer(text);
    let mut unknown: Option<Span> = None;
    while let Some(result) = lexer.next() {
        if result.is_err() && diagnostics.error_count() >= MAX_ERRORS {
            continue;
        }
        let range = lexer.span();
        let span = Span::new(source, range.start, range.end);
        match result {
            Ok(TokenKind::Identifier) if starts_pragma(text, range.start) => {
                let rest = lexer.remainder();
                lexer.bump(rest.find('\n').unwrap_or(rest.len()));
                check_pragma(
                    text,
                    Span::new(source, range.start, lexer.span().end),
                    diagnostics,
                );
            }
            Ok(kind) => tokens.push(Token {
                kind,
                start: span.start,
                end: span.end,
            }),
            Err(LexError::UnknownCharacter) => match &mut unknown {
                Some(run) if run.end == span.start => run.end = span.end,
                _ => {
                    report_unknown_characters(text, unknown.replace(span), diagnostics);
                }
            },
            Err(LexError::UnterminatedString) => diagnostics.push(
                Diagnostic::error("unterminated-string", span, "the string has no closing quote")
                    .label("expected `\"` on the same line"),
            ),
            Err(LexError::UnterminatedComment) => diagnostics.push(
                Diagnostic::error(
                    "unterminated-comment",
                    Span::new(source, range.start, range.start + 2),
                    "the comment is never closed",
                )
                .label("expected a matching `*/`")
                .hint("comments nest: each `/*` needs its own `*/`"),
            ),
        }
    }
    report_unknown_characters(text, unknown, diagnostics);
    let end = text.len() as u32;
    tokens.push(Token {
        kind: TokenKind::Eof,
        start: end,
        end,
    });
    tokens
}

fn report_unknown_characters(text: &str, run: Option<Span>, diagnostics: &mut Diagnostics) {
    let Some(span) = run else { return };
    let characters = text.get(span.start as usize..span.end as usize).unwrap_or("");
    let shown: String = characters
        .chars()
        .take(10)
        .flat_map(char::escape_default)
        .collect();
    let shown = if characters.is_ascii() {
        shown
    } else {
        characters.chars().take(10).collect()
    };
    diagnostics.push(
        Diagnostic::error(
            "unknown-character",
            span,
            format!("`{shown}` is no part of the language"),
        )
        .label("expected a Boogie token"),
    );
}

/// `#` in the first column starts a pragma; elsewhere it is a letter.
fn starts_pragma(text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    bytes[start] == b'#' && (start == 0 || matches!(bytes[start - 1], b'\n' | b'\r'))
}

/// `#line number [file]` is accepted and has no effect: positions are those of the file that
/// was read. Every other pragma is an error.
fn check_pragma(text: &str, span: Span, diagnostics: &mut Diagnostics) {
    let pragma = text
        .get(span.start as usize..span.end as usize)
        .unwrap_or("")
        .trim_end();
    let mut words = pragma.split_ascii_whitespace();
    if words.next() != Some("#line") {
        diagnostics.push(
            Diagnostic::error("unknown-pragma", span, format!("unrecognized pragma `{pragma}`"))
                .label("expected `#line`")
                .hint("a name that starts with `#` must not stand in the first column"),
        );
    } else if words.next().is_none_or(|number| number.parse::<i32>().is_err()) {
        diagnostics.push(
            Diagnostic::error("malformed-pragma", span, format!("malformed pragma `{pragma}`"))
                .label("expected `#line` with a number and an optional file name"),
        );
    }
}

fn refuse_unterminated_string(_: &mut Lexer<'_, TokenKind>) -> Result<Skip, LexError> {
    Err(LexError::UnterminatedString)
}

/// Skips a block comment, whose opening has been read, with the comments inside it.
fn skip_block_comment(lexer: &mut Lexer<'_, TokenKind>) -> Result<Skip, LexError> {
    let rest = lexer.remainder().as_bytes();
    let mut depth = 1usize;
    let mut index = 0;
    while index + 1 < rest.len() {
        match (rest[index], rest[index + 1]) {
            (b'*', b'/') => {
                depth -= 1;
                index += 2;
                if depth == 0 {
                    lexer.bump(index);
                    return Ok(Skip);
                }
            }
            (b'/', b'*') => {
                depth += 1;
                index += 2;
            }
            _ => index += 1,
        }
    }
    lexer.bump(rest.len());
    Err(LexError::UnterminatedComment)
}
