//! Text as expressions.
//!
//! Whatever is accepted has a depth of at most [`MAX_DEPTH`]; so the recursion here is bounded too.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use crate::expr::{BinaryOp, MAX_DEPTH, PointerType, SpecExpr, UnaryOp, UnknownSite};
use crate::lex::{Token, TokenKind, tokens};
use crate::print::binding;

/// Why a text is not an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Bytes of the text; empty at its end.
    pub range: Range<usize>,
    pub message: String,
    pub hint: Option<String>,
}

impl SyntaxError {
    pub(crate) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        SyntaxError {
            range,
            message: message.into(),
            hint: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Display for SyntaxError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SyntaxError {}

impl FromStr for SpecExpr {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        SpecExpr::parse(text)
    }
}

impl SpecExpr {
    pub fn parse(text: &str) -> Result<SpecExpr, SyntaxError> {
        if let Some(name) = text.trim_end().strip_suffix(NEVER_RETURNS)
            && let Ok(SpecExpr::Name(name)) = SpecExpr::parse(name)
        {
            return Ok(SpecExpr::NeverReturns(name));
        }
        let mut parser = Parser {
            text,
            tokens: tokens(text)?,
            at: 0,
            nesting: 0,
        };
        let parsed = parser.expr(binding::FORALL)?;
        match parser.kind() {
            TokenKind::End => Ok(parsed.expr),
            TokenKind::Punctuation(closing @ (")" | "]")) => {
                Err(parser.error_here(format!("nothing is open that `{closing}` could close")))
            }
            TokenKind::Punctuation("::") => Err(parser
                .expected("an operator or the end")
                .hint("write `forall x :: …`")),
            _ => Err(parser.expected("an operator or the end")),
        }
    }
}

/// The words after the name of a procedure that does not return.
pub(crate) const NEVER_RETURNS: &str = "does not return";

/// An expression and its depth.
struct Parsed {
    expr: SpecExpr,
    depth: usize,
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    /// Calls of `expr` and `prefix` that have not returned.
    nesting: usize,
}

impl Parser<'_> {
    fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn is(&self, punctuation: &str) -> bool {
        matches!(self.kind(), TokenKind::Punctuation(text) if *text == punctuation)
    }

    fn advance(&mut self) {
        // The last token is the end, which is never passed.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn skip(&mut self, punctuation: &str) -> bool {
        let found = self.is(punctuation);
        if found {
            self.advance();
        }
        found
    }

    fn error_here(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.tokens[self.at].range.clone(), message)
    }

    fn expected(&self, what: &str) -> SyntaxError {
        match self.kind() {
            TokenKind::End => self.error_here(format!("expected {what}, but the text ends here")),
            _ => {
                let found = &self.text[self.tokens[self.at].range.clone()];
                self.error_here(format!("expected {what}, found `{found}`"))
            }
        }
    }

    fn expect(&mut self, punctuation: &str, what: &str) -> Result<(), SyntaxError> {
        if self.skip(punctuation) {
            Ok(())
        } else {
            Err(self.expected(what))
        }
    }

    /// An expression one level above its deepest part.
    fn node(&self, expr: SpecExpr, deepest: usize) -> Result<Parsed, SyntaxError> {
        if deepest >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        Ok(Parsed {
            expr,
            depth: deepest + 1,
        })
    }

    fn too_deep(&self) -> SyntaxError {
        self.error_here(format!("an expression may have at most {MAX_DEPTH} levels"))
            .hint("make several specifications of it")
    }

    /// Runs a part of the parser one level further in. An expression of [`MAX_DEPTH`] with all its parentheses needs
    /// three of these levels for each of its own.
    fn nested(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<Parsed, SyntaxError>,
    ) -> Result<Parsed, SyntaxError> {
        if self.nesting > 4 * MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.nesting += 1;
        let parsed = part(self)?;
        self.nesting -= 1;
        Ok(parsed)
    }

    /// An expression that is bound at least as tightly as `least`.
    fn expr(&mut self, least: u8) -> Result<Parsed, SyntaxError> {
        self.nested(|parser| parser.operators(least))
    }

    fn operators(&mut self, least: u8) -> Result<Parsed, SyntaxError> {
        let mut left = self.prefix()?;
        loop {
            if *self.kind() == TokenKind::Word("after") && binding::AFTER >= least {
                self.advance();
                let site = self.site_after()?;
                left = self.node(left.expr.after(site), left.depth)?;
                continue;
            }
            let Some(op) = self.binary_op().filter(|op| op.binding() >= least) else {
                return Ok(left);
            };
            self.advance();
            let right = self.expr(op.operand_bindings().1)?;
            let depth = left.depth.max(right.depth);
            left = self.node(SpecExpr::binary(op, left.expr, right.expr), depth)?;
            if op.binding() == binding::COMPARISON
                && self
                    .binary_op()
                    .is_some_and(|next| next.binding() == binding::COMPARISON)
            {
                return Err(self
                    .error_here("comparisons do not follow each other without parentheses")
                    .hint("write `a < b && b < c`, or `(a < b) == c`"));
            }
        }
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        match self.kind() {
            TokenKind::Punctuation(text) => BinaryOp::ALL.into_iter().find(|op| op.text() == *text),
            _ => None,
        }
    }

    fn prefix(&mut self) -> Result<Parsed, SyntaxError> {
        self.nested(Self::prefix_operators)
    }

    fn prefix_operators(&mut self) -> Result<Parsed, SyntaxError> {
        let op = match self.kind() {
            TokenKind::Punctuation("!") => UnaryOp::Not,
            TokenKind::Punctuation("-") => UnaryOp::Neg,
            TokenKind::Punctuation("*") => UnaryOp::Deref,
            TokenKind::Punctuation("&") => UnaryOp::AddressOf,
            TokenKind::Punctuation("(") => {
                if let Some(pointer) = self.cast() {
                    let operand = self.prefix()?;
                    return self.node(SpecExpr::Cast(pointer, Box::new(operand.expr)), operand.depth);
                }
                return self.postfix();
            }
            TokenKind::Word("forall") => return self.forall(),
            _ => return self.postfix(),
        };
        self.advance();
        let literal = matches!(self.kind(), TokenKind::Int(_));
        let operand = self.prefix()?;
        match operand.expr {
            SpecExpr::Int(value) if op == UnaryOp::Neg && literal => Ok(Parsed {
                expr: SpecExpr::Int(-value),
                depth: operand.depth,
            }),
            expr => self.node(SpecExpr::unary(op, expr), operand.depth),
        }
    }

    /// `(`, words, stars, `)`: skipped if that is what comes.
    fn cast(&mut self) -> Option<PointerType> {
        let mut words = Vec::new();
        let mut stars = 0;
        let mut at = self.at + 1;
        while let Some(TokenKind::Name(word)) = self.tokens.get(at).map(|token| &token.kind) {
            words.push(&**word);
            at += 1;
        }
        while let Some(TokenKind::Punctuation("*")) = self.tokens.get(at).map(|token| &token.kind) {
            stars += 1;
            at += 1;
        }
        match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::Punctuation(")")) => {
                let pointer = PointerType::new(&words.join(" "), stars)?;
                self.at = at + 1;
                Some(pointer)
            }
            _ => None,
        }
    }

    fn forall(&mut self) -> Result<Parsed, SyntaxError> {
        self.advance();
        let mut vars: Vec<Arc<str>> = Vec::new();
        loop {
            vars.push(self.name("a variable")?);
            if !self.skip(",") {
                break;
            }
        }
        self.expect("::", "`,` or `::` after the variables of `forall`")?;
        let body = self.expr(binding::FORALL)?;
        self.node(SpecExpr::Forall(vars, Box::new(body.expr)), body.depth)
    }

    fn name(&mut self, what: &str) -> Result<Arc<str>, SyntaxError> {
        match self.kind() {
            TokenKind::Name(name) => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            TokenKind::Word(word) => Err(self.expected(what).hint(format!(
                "a name that is a word of the language is written `{word}` in backquotes"
            ))),
            _ => Err(self.expected(what)),
        }
    }

    fn postfix(&mut self) -> Result<Parsed, SyntaxError> {
        let mut base = self.primary()?;
        loop {
            base = if self.skip(".") {
                let name = self.name("the name of a field after `.`")?;
                self.node(base.expr.field(name), base.depth)?
            } else if self.skip("->") {
                let name = self.name("the name of a field after `->`")?;
                self.node(base.expr.arrow(name), base.depth)?
            } else if self.skip("[") {
                let (indices, depth) = self.list("]", "`,` or `]`")?;
                self.node(
                    SpecExpr::Index(Box::new(base.expr), indices),
                    base.depth.max(depth),
                )?
            } else if self.is("(") {
                let Some(callee) = base.expr.dotted_name() else {
                    return Err(self
                        .expected("an operator")
                        .hint("only a name can be called: `f()`"));
                };
                self.advance();
                if self.skip(")") {
                    let site = self.placed(UnknownSite::call(callee))?;
                    self.node(SpecExpr::Result(site), 0)?
                } else {
                    let (arguments, depth) = self.list(")", "`,` or `)`")?;
                    self.node(SpecExpr::Apply(callee.into(), arguments), depth)?
                }
            } else {
                return Ok(base);
            };
        }
    }

    /// One or more expressions and what closes them; the second value is the depth of the deepest.
    fn list(&mut self, closing: &str, what: &str) -> Result<(Vec<SpecExpr>, usize), SyntaxError> {
        let mut exprs = Vec::new();
        let mut deepest = 0;
        loop {
            let parsed = self.expr(binding::FORALL)?;
            deepest = deepest.max(parsed.depth);
            exprs.push(parsed.expr);
            if !self.skip(",") {
                break;
            }
        }
        self.expect(closing, what)?;
        Ok((exprs, deepest))
    }

    fn primary(&mut self) -> Result<Parsed, SyntaxError> {
        let expr = match self.kind() {
            TokenKind::Name(name) => SpecExpr::Name(name.clone()),
            TokenKind::Int(value) => SpecExpr::Int(value.clone()),
            TokenKind::Raw(text) => SpecExpr::Raw(text.clone()),
            TokenKind::Word("NULL") => SpecExpr::Null,
            TokenKind::Word("true") => SpecExpr::Bool(true),
            TokenKind::Word("false") => SpecExpr::Bool(false),
            TokenKind::Punctuation("(") => {
                self.advance();
                let inner = self.expr(binding::FORALL)?;
                self.expect(")", "an operator or `)`")?;
                return Ok(inner);
            }
            TokenKind::Word("after") => {
                return Err(self
                    .expected("an expression")
                    .hint("write `*out after get()` for what `get` wrote"));
            }
            _ => return Err(self.expected("an expression")),
        };
        self.advance();
        self.node(expr, 0)
    }

    /// `get()`, `get()@12`, `havoc`, `havoc@12`.
    fn site_after(&mut self) -> Result<UnknownSite, SyntaxError> {
        const WHAT: &str = "`havoc` or a call such as `get()` after `after`";
        let mut callee = self.name(WHAT)?.to_string();
        while self.skip(".") {
            callee.push('.');
            callee.push_str(&self.name("the rest of a name after `.`")?);
        }
        if self.skip("(") {
            self.expect(")", "`)`: arguments of the call are not written")?;
            self.placed(UnknownSite::call(callee))
        } else if callee == "havoc" {
            self.placed(UnknownSite::havoc())
        } else {
            Err(self.expected("`()` after the name of a procedure"))
        }
    }

    fn placed(&mut self, site: UnknownSite) -> Result<UnknownSite, SyntaxError> {
        if !self.skip("@") {
            return Ok(site);
        }
        match self.kind() {
            TokenKind::Place(place) => {
                let place = place.clone();
                self.advance();
                Ok(site.at(place))
            }
            _ => Err(self.expected("the number of a line after `@`")),
        }
    }
}
