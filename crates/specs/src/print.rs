//! Expressions as text, with no more parentheses than C would need.
//!
//! Invariant: `parse(print(e)) == e` for every expression that keeps its own invariants. Comparisons are not
//! associative here: one in another is always in parentheses, since `a < b == c` is read differently by different people.

use std::fmt::{self, Display, Formatter, Write as _};

use num_bigint::Sign;

use crate::expr::{BinaryOp, CallPlace, PointerType, SpecExpr, UnaryOp, UnknownSite};
use crate::parse::NEVER_RETURNS;

/// How tightly the parts of an expression are bound; a larger number binds more tightly.
pub(crate) mod binding {
    pub const FORALL: u8 = 0;
    pub const IFF: u8 = 1;
    pub const IMPLIES: u8 = 2;
    pub const OR: u8 = 3;
    pub const AND: u8 = 4;
    pub const COMPARISON: u8 = 5;
    pub const SUM: u8 = 6;
    pub const PRODUCT: u8 = 7;
    pub const AFTER: u8 = 8;
    pub const PREFIX: u8 = 9;
    pub const POSTFIX: u8 = 10;
}

/// Words that are names only in backquotes.
pub(crate) const RESERVED: [&str; 5] = ["NULL", "true", "false", "forall", "after"];

pub(crate) fn starts_name(c: char) -> bool {
    c.is_alphabetic() || "_$#~^?".contains(c)
}

pub(crate) fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '\''
}

/// Whether a file needs no quotes after `@`.
pub(crate) fn is_plain_file(file: &str) -> bool {
    file.chars().all(continues_file) && !file.chars().all(|c| c.is_ascii_digit())
}

pub(crate) fn continues_file(c: char) -> bool {
    c.is_alphanumeric() || "_./+-".contains(c)
}

impl BinaryOp {
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Implies => "==>",
            BinaryOp::Iff => "<==>",
        }
    }

    pub(crate) fn binding(self) -> u8 {
        match self {
            BinaryOp::Add | BinaryOp::Sub => binding::SUM,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => binding::PRODUCT,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                binding::COMPARISON
            }
            BinaryOp::And => binding::AND,
            BinaryOp::Or => binding::OR,
            BinaryOp::Implies => binding::IMPLIES,
            BinaryOp::Iff => binding::IFF,
        }
    }

    /// How tightly the left and the right operand must be bound to need no parentheses.
    pub(crate) fn operand_bindings(self) -> (u8, u8) {
        let own = self.binding();
        match self {
            BinaryOp::Implies => (own + 1, own),
            _ if own == binding::COMPARISON => (own + 1, own + 1),
            _ => (own, own + 1),
        }
    }
}

impl UnaryOp {
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Not => "!",
            UnaryOp::Neg => "-",
            UnaryOp::Deref => "*",
            UnaryOp::AddressOf => "&",
        }
    }
}

impl Display for SpecExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_expr(self, binding::FORALL, f)
    }
}

fn own_binding(expr: &SpecExpr) -> u8 {
    match expr {
        SpecExpr::Forall(..) => binding::FORALL,
        SpecExpr::Binary(op, ..) => op.binding(),
        SpecExpr::After(..) => binding::AFTER,
        SpecExpr::Unary(..) | SpecExpr::Cast(..) => binding::PREFIX,
        SpecExpr::Int(value) if value.sign() == Sign::Minus => binding::PREFIX,
        _ => binding::POSTFIX,
    }
}

fn write_expr(expr: &SpecExpr, needed: u8, f: &mut Formatter<'_>) -> fmt::Result {
    if own_binding(expr) < needed {
        f.write_char('(')?;
        write_expr(expr, binding::FORALL, f)?;
        return f.write_char(')');
    }
    match expr {
        SpecExpr::Name(name) => write_name(name, f),
        SpecExpr::Int(value) => write!(f, "{value}"),
        SpecExpr::Bool(value) => write!(f, "{value}"),
        SpecExpr::Null => f.write_str("NULL"),
        SpecExpr::Result(site) => write!(f, "{site}"),
        SpecExpr::After(target, site) => {
            write_expr(target, binding::AFTER, f)?;
            write!(f, " after {site}")
        }
        SpecExpr::Apply(function, arguments) => {
            write_dotted(function, f)?;
            f.write_char('(')?;
            write_list(arguments, f)?;
            f.write_char(')')
        }
        SpecExpr::Field(base, name) => {
            write_expr(base, binding::POSTFIX, f)?;
            f.write_char('.')?;
            write_field(name, f)
        }
        SpecExpr::Arrow(base, name) => {
            write_expr(base, binding::POSTFIX, f)?;
            f.write_str("->")?;
            write_field(name, f)
        }
        SpecExpr::Index(base, indices) => {
            write_expr(base, binding::POSTFIX, f)?;
            f.write_char('[')?;
            write_list(indices, f)?;
            f.write_char(']')
        }
        SpecExpr::Cast(pointer, operand) => {
            write!(f, "({pointer})")?;
            write_expr(operand, binding::PREFIX, f)
        }
        SpecExpr::Unary(op, operand) => {
            f.write_str(op.text())?;
            let parentheses = match (op, &**operand) {
                // `-5` is a number, `--x` looks like a decrement, `&&x` like a conjunction.
                (UnaryOp::Neg, SpecExpr::Int(_) | SpecExpr::Unary(UnaryOp::Neg, _))
                | (UnaryOp::AddressOf, SpecExpr::Unary(UnaryOp::AddressOf, _)) => true,
                _ => false,
            };
            write_expr(operand, if parentheses { u8::MAX } else { binding::PREFIX }, f)
        }
        SpecExpr::Binary(op, left, right) => {
            let (left_binding, right_binding) = op.operand_bindings();
            write_expr(left, left_binding, f)?;
            write!(f, " {} ", op.text())?;
            write_expr(right, right_binding, f)
        }
        SpecExpr::Forall(vars, body) => {
            f.write_str("forall ")?;
            for (index, var) in vars.iter().enumerate() {
                if index > 0 {
                    f.write_str(", ")?;
                }
                write_name(var, f)?;
            }
            f.write_str(" :: ")?;
            write_expr(body, binding::FORALL, f)
        }
        SpecExpr::NeverReturns(name) => {
            write_name(name, f)?;
            write!(f, " {NEVER_RETURNS}")
        }
        SpecExpr::Raw(text) => write_quoted(text, '"', f),
    }
}

fn write_list(exprs: &[SpecExpr], f: &mut Formatter<'_>) -> fmt::Result {
    for (index, expr) in exprs.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write_expr(expr, binding::FORALL, f)?;
    }
    Ok(())
}

fn write_name(name: &str, f: &mut Formatter<'_>) -> fmt::Result {
    if name.starts_with(starts_name) && name.chars().all(continues_name) && !RESERVED.contains(&name) {
        f.write_str(name)
    } else {
        write_quoted(name, '`', f)
    }
}

/// After `.` and `->` nothing is reserved, and a name may start with a digit.
fn write_field(name: &str, f: &mut Formatter<'_>) -> fmt::Result {
    if !name.is_empty() && name.chars().all(continues_name) {
        f.write_str(name)
    } else {
        write_quoted(name, '`', f)
    }
}

/// A name whose dots need no quotes: that of a procedure or function.
fn write_dotted(name: &str, f: &mut Formatter<'_>) -> fmt::Result {
    if name.split('.').any(str::is_empty) {
        return write_quoted(name, '`', f);
    }
    let mut parts = name.split('.');
    write_name(parts.next().unwrap_or_default(), f)?;
    for part in parts {
        f.write_char('.')?;
        write_field(part, f)?;
    }
    Ok(())
}

fn write_quoted(text: &str, quote: char, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_char(quote)?;
    for c in text.chars() {
        match c {
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            _ if c == quote || c == '\\' => write!(f, "\\{c}")?,
            _ => f.write_char(c)?,
        }
    }
    f.write_char(quote)
}

impl Display for UnknownSite {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.callee {
            Some(callee) => {
                write_dotted(callee, f)?;
                f.write_str("()")?;
            }
            None => f.write_str("havoc")?,
        }
        match &self.place {
            Some(place) => write!(f, "@{place}"),
            None => Ok(()),
        }
    }
}

impl Display for CallPlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) if is_plain_file(file) => write!(f, "{file}:")?,
            Some(file) => {
                write_quoted(file, '"', f)?;
                f.write_char(':')?;
            }
            None => {}
        }
        write!(f, "{}", self.line)?;
        match self.column {
            Some(column) => write!(f, ":{column}"),
            None => Ok(()),
        }
    }
}

impl Display for PointerType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.words())?;
        (0..self.stars()).try_for_each(|_| f.write_char('*'))
    }
}
