//! Conditions: jumps that depend on them, their conjuncts, and what cannot be executed.

use std::sync::Arc;

use lariat_term::{BvOp, Op, Sort, TermId};
use smallvec::SmallVec;

use super::code::{Instruction, Relation};
use super::terms::{RED_ZONE, STACK_PART, TermCompiler};
use crate::float::FloatOperator;

/// A part of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conjunct {
    Compare(Relation, TermId, TermId),
    /// A Boolean that is to have this value.
    Is(TermId, bool),
}

impl Conjunct {
    pub fn negated(self) -> Conjunct {
        match self {
            Conjunct::Compare(relation, a, b) => Conjunct::Compare(relation.negated(), a, b),
            Conjunct::Is(term, expected) => Conjunct::Is(term, !expected),
        }
    }

    pub fn terms(self) -> SmallVec<[TermId; 2]> {
        match self {
            Conjunct::Compare(_, a, b) => SmallVec::from_slice(&[a, b]),
            Conjunct::Is(term, _) => SmallVec::from_slice(&[term]),
        }
    }
}

impl TermCompiler<'_> {
    /// Emits a jump to the label, taken if the truth value is the expected one.
    pub(super) fn jump(&mut self, term: TermId, expected: bool, label: u32) {
        stacker::maybe_grow(RED_ZONE, STACK_PART, || self.jump_now(term, expected, label));
    }

    fn jump_now(&mut self, term: TermId, expected: bool, label: u32) {
        let pool = self.pool;
        let args = pool.args(term);
        if self.available.contains_key(&term) || self.unsupported(term).is_some() {
            return self.jump_on_value(term, expected, label);
        }
        match pool.op(term) {
            Op::Not => self.jump(args[0], !expected, label),
            Op::And | Op::Or if self.shared.contains(&term) && self.depth > 0 => {
                self.jump_on_value(term, expected, label);
            }
            Op::Or if expected => self.jump_if_any(term, true, label),
            Op::And if !expected => self.jump_if_any(term, false, label),
            Op::And | Op::Or => {
                let skip = self.label();
                self.jump_if_any(term, !expected, skip);
                self.instructions.push(Instruction::Jump(label));
                self.bind(skip);
            }
            _ => match self.comparison(term) {
                Some((relation, a, b)) => {
                    // The instruction jumps if the relation does not hold.
                    let relation = if expected { relation.negated() } else { relation };
                    let (relation, a, b) = self.number_last(relation, a, b);
                    let register = self.operand(a);
                    let instruction = match self.small_literal(b) {
                        Some(number) => Instruction::JumpUnlessNumber {
                            relation,
                            a: register,
                            target: label,
                            number,
                        },
                        None => Instruction::JumpUnless {
                            relation,
                            a: register,
                            b: self.operand(b),
                            target: label,
                        },
                    };
                    self.instructions.push(instruction);
                }
                None => self.jump_on_value(term, expected, label),
            },
        }
    }

    fn jump_on_value(&mut self, term: TermId, expected: bool, target: u32) {
        let condition = self.operand(term);
        self.instructions.push(Instruction::JumpIf {
            condition,
            expected,
            target,
        });
    }

    /// Jumps if one of the arguments of a junction has this value; the later ones are not looked at then.
    pub(super) fn jump_if_any(&mut self, junction: TermId, value: bool, label: u32) {
        let args = self.pool.args(junction);
        self.jump(args[0], value, label);
        self.conditionally(|this| {
            for &arg in &args[1..] {
                this.jump(arg, value, label);
            }
        });
    }

    /// Two terms that are compared.
    fn comparison(&self, term: TermId) -> Option<(Relation, TermId, TermId)> {
        let relation = match self.pool.op(term) {
            Op::Le | Op::Bv2(BvOp::Ule) => Relation::Le,
            Op::Lt | Op::Bv2(BvOp::Ult) => Relation::Lt,
            Op::Eq => Relation::Eq,
            _ => return None,
        };
        match self.pool.args(term) {
            &[a, b] => Some((relation, a, b)),
            _ => None,
        }
    }

    /// The same comparison, with a small literal on the right if there is one.
    pub fn number_last(&self, relation: Relation, a: TermId, b: TermId) -> (Relation, TermId, TermId) {
        match (self.small_literal(a), self.small_literal(b)) {
            (Some(_), None) => (relation.flipped(), b, a),
            _ => (relation, a, b),
        }
    }

    /// Why the term itself (not its arguments) cannot be executed.
    pub(super) fn unsupported(&self, term: TermId) -> Option<Arc<str>> {
        let pool = self.pool;
        let sort_of_argument = |sort: &dyn Fn(&Sort) -> bool| {
            pool.args(term)
                .first()
                .is_some_and(|&arg| sort(pool.sort(pool.sort_of(arg))))
        };
        let reason = match pool.op(term) {
            Op::Var(var) if !self.places.contains_key(&var) => "a variable of another procedure is read",
            Op::Apply(function) if FloatOperator::of_function(pool, function).is_none() => {
                "the value of an uninterpreted function is not known"
            }
            Op::Quantifier(_) => "a quantifier cannot be executed",
            Op::Construct { .. } | Op::Field { .. } | Op::Is { .. } => "datatypes are not executed",
            Op::RealDiv | Op::Pow | Op::ToReal | Op::ToInt => "reals and powers are not executed",
            Op::Add | Op::Mul | Op::Le | Op::Lt if !sort_of_argument(&|sort| *sort == Sort::Int) => {
                "reals and powers are not executed"
            }
            Op::Eq | Op::Distinct if sort_of_argument(&|sort| matches!(sort, Sort::Array { .. })) => {
                "whole maps are not compared"
            }
            _ => return None,
        };
        Some(reason.into())
    }

    /// The parts of a condition, in order.
    pub fn condition(&self, term: TermId) -> Vec<Conjunct> {
        let pool = self.pool;
        let mut conjuncts = Vec::new();
        let mut stack = vec![(term, true)];
        while let Some((term, positive)) = stack.pop() {
            let args = pool.args(term);
            if self.unsupported(term).is_some() {
                conjuncts.push(Conjunct::Is(term, positive));
                continue;
            }
            match (pool.op(term), positive) {
                (Op::Bool(value), _) if value == positive => {}
                (Op::Not, _) => stack.push((args[0], !positive)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(args.iter().rev().map(|&arg| (arg, positive)));
                }
                _ => conjuncts.push(match self.comparison(term) {
                    Some((relation, a, b)) => {
                        let relation = if positive { relation } else { relation.negated() };
                        let (relation, a, b) = self.number_last(relation, a, b);
                        Conjunct::Compare(relation, a, b)
                    }
                    None => Conjunct::Is(term, positive),
                }),
            }
        }
        conjuncts
    }
}
