//! Patterns of atoms, as users write them: `_ > 0`, `_[_] != NULL`, `count + _ <= _`, `!open[_]`, `valid(_, heap)`.
//!
//! ```text
//! pattern    = "_" | sum op sum | [ "!" ] value      any atom at all, a comparison, or what is true or false by itself
//! op         = "==" | "!=" | "<" | "<=" | ">" | ">="
//! sum        = [ "-" ] value { ("+" | "-") value }
//! value      = ("_" | number | name | name "(" sum { "," sum } ")" | "(" sum ")") { "[" sum { "," sum } "]" }
//! ```
//!
//! `_` is any expression, `NULL` the null pointer, any other name the variable of that name, or the function if arguments
//! follow. What this grammar cannot say is read in the language of specifications ([`WordPattern`]): there any condition is a
//! pattern. In a sum `_` stands for all summands that the others leave. Comparisons match from
//! either side, and over integers `_ > 0` is the same as `_ >= 1`.

use lariat_specs::SpecExpr;
use lariat_term::{Op, Sort, TermId, TermPool};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::linear::{Linear, is_arithmetic};
use crate::word_pattern::WordPattern;

/// No pattern is nested more deeply.
const MAX_DEPTH: usize = 40;

/// What is wrong with a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    pub pattern: String,
    pub problem: String,
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "pattern `{}`: {}; a pattern is a condition such as `_ > 0`, `_[_] != NULL`, `_->count % 2 == 0` or `!valid(_)`, where `_` is any expression",
            self.pattern, self.problem
        )
    }
}

impl std::error::Error for PatternError {}

/// A pattern of atoms: in terms, in words, or in both if the text is both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    shape: Option<Shape>,
    words: Option<WordPattern>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    Anything,
    Comparison(Value, Comparison, Value),
    /// What is true by itself; or false, if it is not positive.
    Predicate {
        value: Value,
        positive: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Any,
    Null,
    Number(BigInt),
    Name(String),
    Index(Box<Value>, Vec<Value>),
    Apply(String, Vec<Value>),
    /// Summands, those that are subtracted marked, and a number.
    Sum(Vec<(Value, Sign)>, BigInt),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Plus,
    Minus,
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let mut parser = Parser {
            tokens: tokens(text),
            next: 0,
        };
        let words = WordPattern::parse(text);
        match parser.pattern() {
            Ok(shape) => Ok(Pattern {
                shape: Some(shape),
                words,
            }),
            Err(_) if words.is_some() => Ok(Pattern { shape: None, words }),
            Err(problem) => Err(PatternError {
                pattern: text.into(),
                problem,
            }),
        }
    }

    /// Whether a literal, in the words of the source, is of this form.
    pub(crate) fn matches_words(&self, literal: &SpecExpr) -> bool {
        self.words.as_ref().is_some_and(|words| words.matches(literal))
    }

    /// Whether a literal is of this form.
    pub(crate) fn matches(&self, pool: &TermPool, literal: TermId, null: Option<TermId>) -> bool {
        let Some(shape) = &self.shape else {
            return false;
        };
        let (left, comparison, right) = match shape {
            Shape::Anything => return true,
            Shape::Predicate { value, positive } => {
                let (atom, holds) = match pool.op(literal) {
                    Op::Not => (pool.args(literal)[0], false),
                    _ => (literal, true),
                };
                return holds == *positive && value.matches(pool, atom, null);
            }
            Shape::Comparison(left, comparison, right) => (left, comparison, right),
        };
        let (op, atom) = match pool.op(literal) {
            Op::Not => (Comparison::Ne, pool.args(literal)[0]),
            Op::Eq => (Comparison::Eq, literal),
            Op::Le => (Comparison::Le, literal),
            Op::Lt => (Comparison::Lt, literal),
            _ => return false,
        };
        let [a, b] = pool.args(atom) else {
            return false;
        };
        if op == Comparison::Ne && pool.op(atom) != Op::Eq {
            return false;
        }
        let is_int = matches!(pool.sort(pool.sort_of(*a)), Sort::Int);
        let both =
            |left: &Value, right: &Value| left.matches(pool, *a, null) && right.matches(pool, *b, null);
        if let Some((summands, offset)) = difference(left, right) {
            let shift = match (comparison, op) {
                (Comparison::Lt, Comparison::Le) if is_int => 1,
                (Comparison::Le, Comparison::Lt) if is_int => -1,
                _ if *comparison == op => 0,
                _ => return false,
            };
            let is_equation = matches!(op, Comparison::Eq | Comparison::Ne);
            let offset = offset + shift;
            let matches = |a: TermId, b: TermId| {
                matches_sum(&summands, &offset, &Linear::difference(pool, a, b), pool, null)
            };
            return is_arithmetic(pool, *a) && (matches(*a, *b) || is_equation && matches(*b, *a));
        }
        match (comparison, op) {
            (Comparison::Eq, Comparison::Eq) | (Comparison::Ne, Comparison::Ne) => {
                both(left, right) || both(right, left)
            }
            (Comparison::Lt, Comparison::Lt) | (Comparison::Le, Comparison::Le) => both(left, right),
            // n < e is n + 1 <= e, and e < n is e <= n - 1.
            (Comparison::Lt, Comparison::Le) if is_int => {
                left.shifted(1).is_some_and(|left| both(&left, right))
                    || right.shifted(-1).is_some_and(|right| both(left, &right))
            }
            (Comparison::Le, Comparison::Lt) if is_int => {
                left.shifted(-1).is_some_and(|left| both(&left, right))
                    || right.shifted(1).is_some_and(|right| both(left, &right))
            }
            _ => false,
        }
    }
}

impl Value {
    /// A number with another one added.
    fn shifted(&self, by: i32) -> Option<Value> {
        match self {
            Value::Number(value) => Some(Value::Number(value + by)),
            _ => None,
        }
    }

    /// The depth of patterns is limited, so this may recurse.
    fn matches(&self, pool: &TermPool, term: TermId, null: Option<TermId>) -> bool {
        match self {
            Value::Any => true,
            Value::Null => Some(term) == null,
            Value::Number(value) => pool.as_int(term) == Some(value),
            Value::Name(name) => pool
                .as_var(term)
                .is_some_and(|var| **pool.var_name(var) == **name),
            Value::Index(map, indices) => {
                let args = pool.args(term);
                pool.op(term) == Op::Select
                    && args.len() == indices.len() + 1
                    && map.matches(pool, args[0], null)
                    && indices
                        .iter()
                        .zip(&args[1..])
                        .all(|(index, &arg)| index.matches(pool, arg, null))
            }
            Value::Apply(name, arguments) => match pool.op(term) {
                Op::Apply(function) => {
                    let args = pool.args(term);
                    *pool.function(function).name == **name
                        && args.len() == arguments.len()
                        && arguments
                            .iter()
                            .zip(args)
                            .all(|(argument, &arg)| argument.matches(pool, arg, null))
                }
                _ => false,
            },
            Value::Sum(summands, offset) => {
                is_arithmetic(pool, term)
                    && matches_sum(summands, offset, &Linear::of(pool, term), pool, null)
            }
        }
    }
}

/// The sum `left - right`, if one of them is a sum: which side of a comparison a summand is on does not matter.
fn difference(left: &Value, right: &Value) -> Option<(Vec<(Value, Sign)>, BigInt)> {
    let is_sum = |value: &Value| matches!(value, Value::Sum(summands, _) if summands.len() > 1);
    if !is_sum(left) && !is_sum(right) {
        return None;
    }
    let mut summands = Vec::new();
    let mut offset = BigInt::zero();
    for (value, is_left) in [(left, true), (right, false)] {
        let signed = |sign: Sign| match (sign, is_left) {
            (Sign::Plus, true) | (Sign::Minus, false) => Sign::Plus,
            _ => Sign::Minus,
        };
        let number = match value {
            Value::Number(number) => number.clone(),
            Value::Sum(parts, number) => {
                summands.extend(parts.iter().map(|(part, sign)| (part.clone(), signed(*sign))));
                number.clone()
            }
            _ => {
                summands.push((value.clone(), signed(Sign::Plus)));
                BigInt::zero()
            }
        };
        match is_left {
            true => offset += number,
            false => offset -= number,
        }
    }
    Some((summands, offset))
}

/// Whether each summand that is not `_` has one of the term's, and `_` has the rest.
fn matches_sum(
    summands: &[(Value, Sign)],
    offset: &BigInt,
    sum: &Linear,
    pool: &TermPool,
    null: Option<TermId>,
) -> bool {
    if sum.constant != BigRational::from(offset.clone()) {
        return false;
    }
    let mut left: Vec<(TermId, BigRational)> = sum.summands.clone().into_iter().collect();
    for (value, sign) in summands.iter().filter(|(value, _)| *value != Value::Any) {
        let one = match sign {
            Sign::Plus => BigRational::one(),
            Sign::Minus => -BigRational::one(),
        };
        let is_it =
            |(term, factor): &(TermId, BigRational)| *factor == one && value.matches(pool, *term, null);
        let Some(position) = left.iter().position(is_it) else {
            return false;
        };
        left.remove(position);
    }
    let has_any = summands.iter().any(|(value, _)| *value == Value::Any);
    has_any != left.is_empty()
}

/// Words, numbers and operators; a character that belongs to none is a token of its own.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || "_.$#'`~^\\?".contains(c);
    let mut tokens: Vec<String> = Vec::new();
    let mut previous = ' ';
    for c in text.chars() {
        let joins = is_word(c) && is_word(previous) || c == '=' && "=!<>".contains(previous);
        match tokens.last_mut() {
            Some(last) if joins => last.push(c),
            _ if c.is_whitespace() => {}
            _ => tokens.push(c.into()),
        }
        previous = c;
    }
    tokens
}

struct Parser {
    tokens: Vec<String>,
    next: usize,
}

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.next).map(String::as_str)
    }

    fn take(&mut self) -> Option<String> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        token
    }

    fn take_if(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.next += usize::from(found);
        found
    }

    fn pattern(&mut self) -> Result<Shape, String> {
        if self.take_if("!") {
            let value = self.value(0)?;
            return match self.peek() {
                Some(rest) => Err(format!("`{rest}` was not expected")),
                None => Ok(Shape::Predicate {
                    value,
                    positive: false,
                }),
            };
        }
        let left = self.sum(0)?;
        if self.peek().is_none() {
            return match left {
                Value::Any => Ok(Shape::Anything),
                Value::Name(_) | Value::Index(..) | Value::Apply(..) => Ok(Shape::Predicate {
                    value: left,
                    positive: true,
                }),
                Value::Null | Value::Number(_) | Value::Sum(..) => Err("a comparison is missing".into()),
            };
        }
        let op = self.take().ok_or("a comparison is missing")?;
        let right = self.sum(0)?;
        if let Some(rest) = self.peek() {
            return Err(format!("`{rest}` was not expected"));
        }
        Ok(match op.as_str() {
            "==" | "=" => Shape::Comparison(left, Comparison::Eq, right),
            "!=" => Shape::Comparison(left, Comparison::Ne, right),
            "<" => Shape::Comparison(left, Comparison::Lt, right),
            "<=" => Shape::Comparison(left, Comparison::Le, right),
            ">" => Shape::Comparison(right, Comparison::Lt, left),
            ">=" => Shape::Comparison(right, Comparison::Le, left),
            other => return Err(format!("a comparison was expected instead of `{other}`")),
        })
    }

    fn sum(&mut self, depth: usize) -> Result<Value, String> {
        let mut summands = Vec::new();
        let mut offset = BigInt::zero();
        let mut sign = match self.take_if("-") {
            true => Sign::Minus,
            false => Sign::Plus,
        };
        loop {
            match (self.value(depth)?, sign) {
                (Value::Number(number), Sign::Plus) => offset += number,
                (Value::Number(number), Sign::Minus) => offset -= number,
                (value, sign) => summands.push((value, sign)),
            }
            sign = if self.take_if("+") {
                Sign::Plus
            } else if self.take_if("-") {
                Sign::Minus
            } else {
                break;
            };
        }
        Ok(match summands.as_slice() {
            [] => Value::Number(offset),
            [(_, Sign::Plus)] if offset.is_zero() => summands.remove(0).0,
            _ => Value::Sum(summands, offset),
        })
    }

    fn list(&mut self, depth: usize, end: &str) -> Result<Vec<Value>, String> {
        let mut values = vec![self.sum(depth)?];
        while self.take_if(",") {
            values.push(self.sum(depth)?);
        }
        match self.take_if(end) {
            true => Ok(values),
            false => Err(format!("`{end}` is missing")),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err("it is nested too deeply".into());
        }
        let token = self.take().ok_or("an expression is missing")?;
        let mut value = match token.as_str() {
            "(" => {
                let value = self.sum(depth + 1)?;
                if !self.take_if(")") {
                    return Err("`)` is missing".into());
                }
                value
            }
            "_" => Value::Any,
            "NULL" => Value::Null,
            word if word.starts_with(|c: char| c.is_ascii_digit()) => Value::Number(
                word.parse()
                    .map_err(|_| format!("`{word}` is neither a number nor a name"))?,
            ),
            word if word.starts_with(|c: char| c.is_alphabetic() || "_$#'`~^\\?".contains(c)) => {
                let name = word.to_owned();
                match self.take_if("(") {
                    true => Value::Apply(name, self.list(depth + 1, ")")?),
                    false => Value::Name(name),
                }
            }
            other => return Err(format!("an expression was expected instead of `{other}`")),
        };
        let mut levels = depth;
        while self.take_if("[") {
            levels += 1;
            if levels > MAX_DEPTH {
                return Err("it is nested too deeply".into());
            }
            let indices = self.list(depth + 1, "]")?;
            value = Value::Index(Box::new(value), indices);
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_named() {
        let problem = |text: &str| Pattern::parse(text).map_err(|error| error.problem);
        assert!(problem("_[_, x + 1] != NULL").is_ok());
        assert!(problem("-3 <= (_ - 2)[0]").is_ok());
        for text in [
            "x",
            "!x",
            "open[_]",
            "!valid(_, heap[x])",
            "_ + x - y > 0",
            "-x < f(1)",
            "_->count * 2 <= size",
            "_ % 2 == 0",
        ] {
            assert!(problem(text).is_ok(), "{text}");
        }
        for (text, expected) in [
            ("", "an expression is missing"),
            ("x + 1", "a comparison is missing"),
            ("3", "a comparison is missing"),
            ("f(_", "`)` is missing"),
            ("_ > ", "an expression is missing"),
            ("_ & 1", "a comparison was expected instead of `&`"),
            ("_ > 0 0", "`0` was not expected"),
            ("_[_ > 0", "`]` is missing"),
            ("(_ > 0", "`)` is missing"),
            ("_ > 1x", "`1x` is neither a number nor a name"),
            ("_ > ]", "an expression was expected instead of `]`"),
        ] {
            assert_eq!(problem(text), Err(expected.to_string()), "{text}");
        }
        assert_eq!(
            problem(&format!("{}_ > 0", "(".repeat(100_000))),
            Err("it is nested too deeply".into())
        );
        assert_eq!(
            problem(&format!("_{} > 0", "[0]".repeat(100_000))),
            Err("it is nested too deeply".into())
        );
    }
}
