//! Values of variables and expressions.

use std::fmt;
use std::rc::Rc;

use lariat_base::{Diagnostic, Span};

use super::{Compile, Compiler, Reported, closest};
use crate::fsp::ast::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    Int(i64),
    Label(Rc<str>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => value.fmt(f),
            Value::Label(label) => label.fmt(f),
        }
    }
}

/// Parameters and index variables with their values; a later one hides an earlier one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Environment {
    bindings: Vec<(Rc<str>, Value)>,
}

impl Environment {
    pub fn bind(&mut self, name: &str, value: Value) {
        self.bindings.push((name.into(), value));
    }

    pub fn binds(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn get(&self, name: &str) -> Option<&Value> {
        let mut bindings = self.bindings.iter().rev();
        bindings
            .find(|(known, _)| **known == *name)
            .map(|(_, value)| value)
    }
}

/// What a name outside all processes stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Global {
    Constant(i64),
    Range(i64, i64),
    Set(Rc<[String]>),
}

impl<'m> Compiler<'m> {
    /// The constant, range or set with this name, if there is one.
    pub(super) fn global(&mut self, name: &str, span: Span) -> Compile<Option<Global>> {
        match self.globals.get(name) {
            Some(Some(known)) => return Ok(Some(known.clone())),
            Some(None) => {
                let message = format!("the definition of `{name}` needs `{name}` itself");
                let hint = "constants, ranges and sets cannot be recursive";
                return Err(self.report(Diagnostic::error("fsp-recursion", span, message).hint(hint)));
            }
            None => {}
        }
        let model = self.model;
        let nothing = Environment::default();
        let constant = model.constants.iter().find(|(known, _)| known.text == name);
        let range = model.ranges.iter().find(|(known, _, _)| known.text == name);
        let set = model.sets.iter().find(|(known, _)| known.text == name);
        let (key, value) = if let Some((key, value)) = constant {
            self.globals.insert(&key.text, None);
            (key, Global::Constant(self.integer(value, &nothing)?))
        } else if let Some((key, low, high)) = range {
            self.globals.insert(&key.text, None);
            let (first, last) = (self.integer(low, &nothing)?, self.integer(high, &nothing)?);
            if first > last {
                let message = format!("the range {first}..{last} is empty");
                let diagnostic = Diagnostic::error("fsp-index", low.span.to(high.span), message)
                    .hint("the smaller end comes first");
                return Err(self.report(diagnostic));
            }
            (key, Global::Range(first, last))
        } else if let Some((key, set)) = set {
            self.globals.insert(&key.text, None);
            (key, Global::Set(self.set_names(set, &nothing)?.into()))
        } else {
            return Ok(None);
        };
        self.globals.insert(&key.text, Some(value.clone()));
        Ok(Some(value))
    }

    pub(super) fn evaluate(&mut self, expression: &Expression, environment: &Environment) -> Compile<Value> {
        match &expression.kind {
            ExpressionKind::Number(value) => Ok(Value::Int(*value)),
            ExpressionKind::Name(name) => self.variable(name, expression.span, environment),
            ExpressionKind::Label(label) => match self.expand(label, environment)?.as_slice() {
                [(name, _)] => Ok(Value::Label(name.as_str().into())),
                _ => {
                    let message = "one label was expected, but these are several";
                    Err(self.report(Diagnostic::error("fsp-type", expression.span, message)))
                }
            },
            ExpressionKind::Cardinality(set) => {
                let count = self.set_names(set, environment)?.len();
                Ok(Value::Int(count as i64))
            }
            ExpressionKind::Unary(operator, operand) => {
                let value = self.integer(operand, environment)?;
                let result = match operator {
                    UnaryOperator::Minus => value.checked_neg(),
                    UnaryOperator::Not => Some(i64::from(value == 0)),
                };
                self.in_range(result, expression.span)
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(*operator, left, right, expression.span, environment)
            }
        }
    }

    fn variable(&mut self, name: &str, span: Span, environment: &Environment) -> Compile<Value> {
        if let Some(value) = environment.get(name) {
            return Ok(value.clone());
        }
        match self.global(name, span)? {
            Some(Global::Constant(value)) => Ok(Value::Int(value)),
            Some(Global::Range(..) | Global::Set(_)) => {
                let message = format!("`{name}` is a range or a set, not a value");
                let hint = format!("bind a variable to its values, `[i:{name}]`");
                Err(self.report(Diagnostic::error("fsp-type", span, message).hint(hint)))
            }
            None => Err(self.unbound(name, span, environment)),
        }
    }

    fn unbound(&mut self, name: &str, span: Span, environment: &Environment) -> Reported {
        let known = environment
            .bindings
            .iter()
            .map(|(known, _)| &**known)
            .chain(self.model.constants.iter().map(|(known, _)| known.text.as_str()));
        let hint = match closest(name, known) {
            Some(close) => format!("did you mean `{close}`?"),
            None if name.starts_with(char::is_uppercase) => {
                format!("define it: `const {name} = 1`, or as a parameter of the process")
            }
            None => format!("an index such as `[{name}:0..3]` binds a variable for what follows it"),
        };
        let message = format!("`{name}` is not bound here");
        self.report(Diagnostic::error("fsp-unbound", span, message).hint(hint))
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        span: Span,
        environment: &Environment,
    ) -> Compile<Value> {
        use BinaryOperator as Op;
        if matches!(operator, Op::Equal | Op::NotEqual) {
            let equal = self.evaluate(left, environment)? == self.evaluate(right, environment)?;
            return Ok(Value::Int(i64::from(equal == (operator == Op::Equal))));
        }
        let a = self.integer(left, environment)?;
        // The right side may be wrong where the left side decides, as in `i > 0 && 6 / i == 2`.
        match operator {
            Op::Or if a != 0 => return Ok(Value::Int(1)),
            Op::And if a == 0 => return Ok(Value::Int(0)),
            _ => {}
        }
        let b = self.integer(right, environment)?;
        if b == 0 && matches!(operator, Op::Divide | Op::Remainder) {
            let diagnostic = Diagnostic::error("fsp-arithmetic", right.span, "division by zero")
                .hint("guard it: `when (n != 0)`, or `n != 0 && …`");
            return Err(self.report(diagnostic));
        }
        let result = match operator {
            Op::Or | Op::And => Some(i64::from(b != 0)),
            Op::BitOr => Some(a | b),
            Op::BitXor => Some(a ^ b),
            Op::BitAnd => Some(a & b),
            Op::Equal | Op::NotEqual => Some(i64::from((a == b) == (operator == Op::Equal))),
            Op::Less => Some(i64::from(a < b)),
            Op::LessEqual => Some(i64::from(a <= b)),
            Op::Greater => Some(i64::from(a > b)),
            Op::GreaterEqual => Some(i64::from(a >= b)),
            Op::ShiftLeft => u32::try_from(b)
                .ok()
                .and_then(|places| 2_i64.checked_pow(places))
                .and_then(|factor| a.checked_mul(factor)),
            Op::ShiftRight => u32::try_from(b).ok().map(|places| a >> places.min(63)),
            Op::Add => a.checked_add(b),
            Op::Subtract => a.checked_sub(b),
            Op::Multiply => a.checked_mul(b),
            Op::Divide => a.checked_div(b),
            Op::Remainder => a.checked_rem(b),
        };
        self.in_range(result, span)
    }

    fn in_range(&mut self, result: Option<i64>, span: Span) -> Compile<Value> {
        match result {
            Some(value) => Ok(Value::Int(value)),
            None => {
                let message = "the value does not fit into 64 bits";
                Err(self.report(Diagnostic::error("fsp-arithmetic", span, message)))
            }
        }
    }
}
