//! Patterns of atoms, as users write them: `_ > 0`, `_[_] != NULL`, `count + _ <= _`.
//!
//! ```text
//! pattern    = "_" | sum op sum              any atom at all, or a comparison
//! op         = "==" | "!=" | "<" | "<=" | ">" | ">="
//! sum        = value { ("+" | "-") number }
//! value      = ("_" | number | name | "(" sum ")") { "[" sum { "," sum } "]" }
//! ```
//!
//! `_` is any expression, `NULL` the null pointer, any other name the variable of that name. Comparisons match from
//! either side, and over integers `_ > 0` is the same as `_ >= 1`.

use lariat_term::{Op, Sort, TermId, TermPool};
use num_bigint::BigInt;

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
            "pattern `{}`: {}; a pattern is a comparison such as `_ > 0` or `_[_] != NULL`, where `_` is any expression",
            self.pattern, self.problem
        )
    }
}

impl std::error::Error for PatternError {}

/// A pattern of atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(Option<(Value, Comparison, Value)>);

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
    Plus(Box<Value>, BigInt),
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let mut parser = Parser {
            tokens: tokens(text),
            next: 0,
        };
        parser.pattern().map_err(|problem| PatternError {
            pattern: text.into(),
            problem,
        })
    }

    /// Whether a literal is of this form.
    pub(crate) fn matches(&self, pool: &TermPool, literal: TermId, null: Option<TermId>) -> bool {
        let Some((left, comparison, right)) = &self.0 else {
            return true;
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
            Value::Plus(value, offset) => match pool.args(term) {
                [base, last] => {
                    pool.op(term) == Op::Add
                        && pool.as_int(*last) == Some(offset)
                        && value.matches(pool, *base, null)
                }
                [.., last] => {
                    pool.op(term) == Op::Add && pool.as_int(*last) == Some(offset) && **value == Value::Any
                }
                [] => false,
            },
        }
    }
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

    fn pattern(&mut self) -> Result<Pattern, String> {
        let left = self.sum(0)?;
        if self.peek().is_none() && left == Value::Any {
            return Ok(Pattern(None));
        }
        let op = self.take().ok_or("a comparison is missing")?;
        let right = self.sum(0)?;
        if let Some(rest) = self.peek() {
            return Err(format!("`{rest}` was not expected"));
        }
        Ok(Pattern(Some(match op.as_str() {
            "==" | "=" => (left, Comparison::Eq, right),
            "!=" => (left, Comparison::Ne, right),
            "<" => (left, Comparison::Lt, right),
            "<=" => (left, Comparison::Le, right),
            ">" => (right, Comparison::Lt, left),
            ">=" => (right, Comparison::Le, left),
            other => return Err(format!("a comparison was expected instead of `{other}`")),
        })))
    }

    fn sum(&mut self, depth: usize) -> Result<Value, String> {
        let value = self.value(depth)?;
        let mut offset = BigInt::from(0);
        loop {
            if self.take_if("+") {
                offset += self.number()?;
            } else if self.take_if("-") {
                offset -= self.number()?;
            } else if offset == BigInt::from(0) {
                return Ok(value);
            } else {
                return Ok(Value::Plus(Box::new(value), offset));
            }
        }
    }

    fn number(&mut self) -> Result<BigInt, String> {
        let token = self.take().ok_or("a number is missing")?;
        token
            .parse()
            .map_err(|_| format!("a number was expected instead of `{token}`"))
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
            "-" => Value::Number(-self.number()?),
            word if word.starts_with(|c: char| c.is_ascii_digit()) => Value::Number(
                word.parse()
                    .map_err(|_| format!("`{word}` is neither a number nor a name"))?,
            ),
            word if word.starts_with(|c: char| c.is_alphabetic() || "_$#'`~^\\?".contains(c)) => {
                Value::Name(word.into())
            }
            other => return Err(format!("an expression was expected instead of `{other}`")),
        };
        let mut levels = depth;
        while self.take_if("[") {
            levels += 1;
            if levels > MAX_DEPTH {
                return Err("it is nested too deeply".into());
            }
            let mut indices = vec![self.sum(depth + 1)?];
            while self.take_if(",") {
                indices.push(self.sum(depth + 1)?);
            }
            if !self.take_if("]") {
                return Err("`]` is missing".into());
            }
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
        for (text, expected) in [
            ("", "an expression is missing"),
            ("x", "a comparison is missing"),
            ("_ > ", "an expression is missing"),
            ("_ & 1", "a comparison was expected instead of `&`"),
            ("_ > 0 0", "`0` was not expected"),
            ("_[_ > 0", "`]` is missing"),
            ("(_ > 0", "`)` is missing"),
            ("_ + x > 0", "a number was expected instead of `x`"),
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
