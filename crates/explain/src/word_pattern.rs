//! Patterns of atoms in the words of specifications: `_->count > 0`, `_ % 2 == 0`, `valid(_) <==> open`.
//!
//! Such a pattern is any condition of the language of specifications, where the name `_` is any expression. It is compared
//! with the atom as the user would read it: fields, dereferences, products and whatever else the source has words for.
//! Comparisons match from either side, and between integers `_ > 0` is the same as `_ >= 1`.

use lariat_specs::{BinaryOp, SpecExpr, UnaryOp};
use num_bigint::BigInt;

/// A condition in the words of specifications.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WordPattern(SpecExpr);

impl WordPattern {
    /// `None` if the text is no condition of that language.
    pub fn parse(text: &str) -> Option<WordPattern> {
        let expr = SpecExpr::parse(text).ok()?;
        is_condition(&expr).then(|| WordPattern(normal(&expr)))
    }

    pub fn matches(&self, atom: &SpecExpr) -> bool {
        matches(&self.0, &normal(atom))
    }
}

/// Whether an expression may be true or false, as far as its form says.
fn is_condition(expr: &SpecExpr) -> bool {
    match expr {
        SpecExpr::Unary(op, _) => matches!(op, UnaryOp::Not | UnaryOp::Deref),
        SpecExpr::Binary(op, ..) => !matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod
        ),
        SpecExpr::Int(_) | SpecExpr::Null | SpecExpr::NeverReturns(_) | SpecExpr::Raw(_) => false,
        _ => true,
    }
}

/// One form for conditions that say the same: comparisons by `<=`, `==` and `!=`, no negated comparisons.
fn normal(expr: &SpecExpr) -> SpecExpr {
    let (expr, negated) = match expr {
        SpecExpr::Unary(UnaryOp::Not, inner) => (&**inner, true),
        _ => (expr, false),
    };
    let compared = match expr {
        SpecExpr::Binary(op, left, right) => {
            let op = match negated {
                true => opposite(*op),
                false => Some(*op),
            };
            op.and_then(|op| comparison(op, left, right))
        }
        _ => None,
    };
    match (compared, negated) {
        (Some(compared), _) => compared,
        (None, false) => expr.clone(),
        (None, true) => SpecExpr::unary(UnaryOp::Not, expr.clone()),
    }
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        _ => return None,
    })
}

/// A comparison by `<=`, `<`, `==` or `!=`; of numbers never by `<`.
fn comparison(op: BinaryOp, left: &SpecExpr, right: &SpecExpr) -> Option<SpecExpr> {
    let (op, left, right) = match op {
        BinaryOp::Gt => (BinaryOp::Lt, right, left),
        BinaryOp::Ge => (BinaryOp::Le, right, left),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => (op, left, right),
        _ => return None,
    };
    let one = BigInt::from(1);
    Some(match (op, left, right) {
        (BinaryOp::Lt, SpecExpr::Int(number), _) => {
            SpecExpr::binary(BinaryOp::Le, SpecExpr::Int(number + one), right.clone())
        }
        (BinaryOp::Lt, _, SpecExpr::Int(number)) => {
            SpecExpr::binary(BinaryOp::Le, left.clone(), SpecExpr::Int(number - one))
        }
        _ => SpecExpr::binary(op, left.clone(), right.clone()),
    })
}

/// The depth of expressions is limited, so this may recurse.
fn matches(pattern: &SpecExpr, expr: &SpecExpr) -> bool {
    let both = |pattern: (&SpecExpr, &SpecExpr), expr: (&SpecExpr, &SpecExpr)| {
        matches(pattern.0, expr.0) && matches(pattern.1, expr.1)
    };
    let all = |patterns: &[SpecExpr], exprs: &[SpecExpr]| {
        let mut pairs = patterns.iter().zip(exprs);
        patterns.len() == exprs.len() && pairs.all(|(pattern, expr)| matches(pattern, expr))
    };
    match (pattern, expr) {
        (SpecExpr::Name(name), _) if &**name == "_" => true,
        (SpecExpr::Binary(op, a, b), SpecExpr::Binary(other, c, d)) => {
            let symmetric = matches!(
                op,
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Add | BinaryOp::Mul | BinaryOp::Iff
            );
            op == other && (both((a, b), (c, d)) || symmetric && both((a, b), (d, c)))
        }
        (SpecExpr::Unary(op, a), SpecExpr::Unary(other, b)) => op == other && matches(a, b),
        (SpecExpr::Field(a, field), SpecExpr::Field(b, other))
        | (SpecExpr::Arrow(a, field), SpecExpr::Arrow(b, other)) => field == other && matches(a, b),
        (SpecExpr::Index(a, indices), SpecExpr::Index(b, others)) => matches(a, b) && all(indices, others),
        (SpecExpr::Apply(name, arguments), SpecExpr::Apply(other, others)) => {
            name == other && all(arguments, others)
        }
        // Of a result of any call, unless the pattern names one.
        (SpecExpr::Result(site), SpecExpr::Result(other)) => {
            site.callee == other.callee && (site.place.is_none() || site.place == other.place)
        }
        (SpecExpr::After(a, site), SpecExpr::After(b, other)) => {
            site.callee == other.callee
                && (site.place.is_none() || site.place == other.place)
                && matches(a, b)
        }
        (SpecExpr::Cast(ty, a), SpecExpr::Cast(other, b)) => ty == other && matches(a, b),
        _ => pattern == expr,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(pattern: &str, atom: &str) -> bool {
        let pattern = WordPattern::parse(pattern).expect("it is a condition");
        pattern.matches(&SpecExpr::parse(atom).expect("it is an expression"))
    }

    #[test]
    fn any_condition_is_a_pattern() {
        for (pattern, atom) in [
            ("_->count > 0", "p->next->count >= 1"),
            ("_->count > 0", "0 < p->count"),
            ("!(_ <= 0)", "p->count > 0"),
            ("_ % 2 == 0", "0 == n % 2"),
            ("_ * _ <= size", "size >= n * m"),
            ("*_ != NULL", "*p != NULL"),
            ("lock(_)", "lock(p)"),
            ("get().r != _", "get()@12.r != NULL"),
            ("a[_, j] == 3", "a[i, j] == 3"),
            ("p.x.y <= 4", "p.x.y < 5"),
            ("(int *)_ != NULL", "(int *)p != NULL"),
        ] {
            assert!(holds(pattern, atom), "{pattern}: {atom}");
        }
        for (pattern, atom) in [
            ("_->count > 0", "p->count > 1"),
            ("_->count > 0", "p->size > 0"),
            ("_ % 2 == 0", "n % 3 == 0"),
            ("lock(_)", "!lock(p)"),
            ("get()@11.r != _", "get()@12.r != NULL"),
            ("*_ != NULL", "p != NULL"),
        ] {
            assert!(!holds(pattern, atom), "{pattern}: {atom}");
        }
        for text in ["n + 1", "3", "NULL", "f does not return", "_ >"] {
            assert_eq!(WordPattern::parse(text), None, "{text}");
        }
    }
}
