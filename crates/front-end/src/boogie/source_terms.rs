//! Formulas about Boogie programs in Boogie's words: `m[x] != NULL`, `Lib1() != g`.
//!
//! Names are those of the program: parameters of the entry hide globals. What has no words is [`SpecExpr::Raw`],
//! which is shown but cannot be read back.

mod resolve;

use lariat_specs::{BinaryOp, SpecExpr, UnaryOp};
use lariat_term::{Op, QuantifierKind, TermId, TermPool};

pub use self::resolve::{Builder, Places, Resolver};
use crate::source_terms::Naming;

/// Larger formulas are not shown as trees.
const MAX_SIZE: usize = 2000;
/// Well below what the language of specifications allows.
const MAX_DEPTH: u32 = 100;

/// Words of another language for terms that it sees differently.
pub type Words<'a> = dyn Fn(&mut Describer<'_>, TermId) -> Option<SpecExpr> + 'a;

/// A term in words. `naming` has words for variables that are not the program's own.
pub fn describe(pool: &TermPool, null: Option<TermId>, term: TermId, naming: &Naming<'_>) -> SpecExpr {
    describe_in(pool, null, term, naming, &|_, _| None)
}

/// The same, where `words` is asked first.
pub fn describe_in(
    pool: &TermPool,
    null: Option<TermId>,
    term: TermId,
    naming: &Naming<'_>,
    words: &Words<'_>,
) -> SpecExpr {
    let mut describer = Describer {
        pool,
        null,
        naming,
        words,
        left: MAX_SIZE,
    };
    let whole = (pool.depth(term) <= MAX_DEPTH).then(|| describer.expr(term));
    match whole {
        Some(expr) if describer.left > 0 => expr,
        _ => SpecExpr::Raw(format!("a formula of depth {}", pool.depth(term)).into()),
    }
}

pub struct Describer<'a> {
    pub pool: &'a TermPool,
    null: Option<TermId>,
    pub naming: &'a Naming<'a>,
    words: &'a Words<'a>,
    /// How many more parts the text may have.
    left: usize,
}

impl Describer<'_> {
    pub fn expr(&mut self, term: TermId) -> SpecExpr {
        if self.left == 0 {
            return SpecExpr::Bool(true);
        }
        self.left -= 1;
        let words = self.words;
        if let Some(expr) = words(self, term) {
            return expr;
        }
        if self.null == Some(term) {
            return SpecExpr::Null;
        }
        let pool = self.pool;
        let args = pool.args(term);
        match pool.op(term) {
            Op::Bool(value) => SpecExpr::Bool(value),
            Op::Int(_) => match pool.as_int(term) {
                Some(value) => SpecExpr::Int(value.clone()),
                None => self.raw(term),
            },
            Op::Var(var) => (self.naming)(var).unwrap_or_else(|| SpecExpr::name(pool.var_name(var))),
            Op::Not => self.negation(args[0]),
            Op::And => SpecExpr::conjunction(self.all(args)),
            Op::Or => self.disjunction(args),
            Op::Eq => self.equation(BinaryOp::Eq, args),
            Op::Distinct => self.distinct(args),
            Op::Add => self.sum(args),
            Op::Mul => self.binary(BinaryOp::Mul, args),
            Op::IntDiv => self.binary(BinaryOp::Div, args),
            Op::Mod => self.binary(BinaryOp::Mod, args),
            Op::Lt => self.comparison(BinaryOp::Lt, BinaryOp::Gt, args),
            Op::Le => self.comparison(BinaryOp::Le, BinaryOp::Ge, args),
            Op::Select => {
                let map = self.expr(args[0]);
                SpecExpr::Index(Box::new(map), self.all(&args[1..]))
            }
            Op::Apply(function) if !args.is_empty() => {
                SpecExpr::Apply(pool.function(function).name.clone(), self.all(args))
            }
            Op::Quantifier(id) if pool.quantifier(id).kind == QuantifierKind::Forall => {
                let quantifier = pool.quantifier(id);
                let bound = quantifier.bound.iter().map(|&var| pool.var_name(var).clone());
                SpecExpr::Forall(bound.collect(), Box::new(self.expr(quantifier.body)))
            }
            _ => self.raw(term),
        }
    }

    fn all(&mut self, terms: &[TermId]) -> Vec<SpecExpr> {
        terms.iter().map(|&term| self.expr(term)).collect()
    }

    fn raw(&self, term: TermId) -> SpecExpr {
        SpecExpr::Raw(self.pool.term_text(term).into())
    }

    fn binary(&mut self, op: BinaryOp, args: &[TermId]) -> SpecExpr {
        SpecExpr::binary(op, self.expr(args[0]), self.expr(args[1]))
    }

    fn is_plain(&self, term: TermId) -> bool {
        self.null == Some(term) || self.pool.is_value(term)
    }

    /// Null and literals stand on the right, and what is larger on the left.
    fn equation(&mut self, op: BinaryOp, args: &[TermId]) -> SpecExpr {
        let weight = |term: TermId| (!self.is_plain(term), self.pool.depth(term));
        match weight(args[0]) < weight(args[1]) {
            true => self.binary(op, &[args[1], args[0]]),
            false => self.binary(op, args),
        }
    }

    /// `0 < x` is `x > 0`.
    fn comparison(&mut self, op: BinaryOp, turned: BinaryOp, args: &[TermId]) -> SpecExpr {
        match self.is_plain(args[0]) && !self.is_plain(args[1]) {
            true => self.binary(turned, &[args[1], args[0]]),
            false => self.binary(op, args),
        }
    }

    fn negation(&mut self, term: TermId) -> SpecExpr {
        if self.pool.op(term) == Op::Eq {
            return self.equation(BinaryOp::Ne, self.pool.args(term));
        }
        SpecExpr::unary(UnaryOp::Not, self.expr(term))
    }

    fn distinct(&mut self, args: &[TermId]) -> SpecExpr {
        let mut pairs = Vec::new();
        for (position, &left) in args.iter().enumerate() {
            for &right in &args[position + 1..] {
                pairs.push(self.equation(BinaryOp::Ne, &[left, right]));
            }
        }
        SpecExpr::conjunction(pairs)
    }

    /// `!a || b` is `a ==> b`; what is negated comes first.
    fn disjunction(&mut self, args: &[TermId]) -> SpecExpr {
        let pool = self.pool;
        let is_negated =
            |term: &&TermId| pool.op(**term) == Op::Not && pool.op(pool.args(**term)[0]) != Op::Eq;
        let (negated, plain): (Vec<&TermId>, Vec<&TermId>) = args.iter().partition(is_negated);
        if negated.is_empty() || plain.is_empty() {
            return SpecExpr::disjunction(self.all(args));
        }
        let premises: Vec<TermId> = negated.into_iter().map(|&term| pool.args(term)[0]).collect();
        let conclusions: Vec<TermId> = plain.into_iter().copied().collect();
        let premise = SpecExpr::conjunction(self.all(&premises));
        let conclusion = SpecExpr::disjunction(self.all(&conclusions));
        SpecExpr::binary(BinaryOp::Implies, premise, conclusion)
    }

    /// `x - y + 1`.
    fn sum(&mut self, args: &[TermId]) -> SpecExpr {
        let mut sum: Option<SpecExpr> = None;
        for &arg in args {
            let (negative, part) = self.summand(arg);
            sum = Some(match (sum, negative) {
                (None, false) => part,
                (None, true) => SpecExpr::unary(UnaryOp::Neg, part),
                (Some(sum), false) => SpecExpr::binary(BinaryOp::Add, sum, part),
                (Some(sum), true) => SpecExpr::binary(BinaryOp::Sub, sum, part),
            });
        }
        sum.unwrap_or_else(|| SpecExpr::int(0))
    }

    /// Whether a part of a sum is to be taken away, and what.
    fn summand(&mut self, term: TermId) -> (bool, SpecExpr) {
        let pool = self.pool;
        if let Some(value) = pool.as_int(term) {
            let negative = value.sign() == num_bigint::Sign::Minus;
            return (negative, SpecExpr::Int(value.magnitude().clone().into()));
        }
        if pool.op(term) == Op::Mul {
            let minus_one = num_bigint::BigInt::from(-1);
            let args = pool.args(term);
            for (factor, other) in [(args[0], args[1]), (args[1], args[0])] {
                if pool.as_int(factor) == Some(&minus_one) {
                    return (true, self.expr(other));
                }
            }
        }
        (false, self.expr(term))
    }
}
