//! Which numbers belong to a pointer, so that a specification may tie the two: `e->count <= 0 || e->items != NULL`.
//!
//! - Members of one record belong together, and those of a record to what is read through its pointers.
//! - What one execution of a call gave, its result and what it wrote through its arguments, belongs together:
//!   `open() < 0 || conn after open() != NULL`.
//!
//! Invariant: a number beside a pointer only weakens what is said about that pointer. Parameters and globals belong to nothing, and one
//! pointer says nothing of another one: `if (!e->a && !e->b) return; use(*e->a);` is a mistake.

use std::collections::BTreeMap;

use lariat_ir::Unknown;
use lariat_term::{Op, TermId, TermPool, VarId};
use num_rational::BigRational;

use crate::FailingTrace;
use crate::linear::{Linear, is_arithmetic};
use crate::wlp::Symbols;

/// What a value belongs to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Owner {
    /// The record around an address: the address without its distance from the start.
    Record(BTreeMap<TermId, BigRational>),
    /// A call, and how often the trace had come to it before.
    Call { first: usize, occurrence: u32 },
}

pub(crate) struct Relations<'a> {
    unknowns: &'a [Unknown],
    symbols: &'a Symbols,
}

impl<'a> Relations<'a> {
    pub fn new(trace: &FailingTrace<'a>, symbols: &'a Symbols) -> Self {
        Relations {
            unknowns: &trace.open.unknowns,
            symbols,
        }
    }

    /// Whether a literal compares numbers that all belong to what some of the others are about.
    pub fn is_beside(&self, pool: &TermPool, literal: TermId, others: &[TermId]) -> bool {
        let numbers = self.numbers(pool, literal);
        numbers.is_some_and(|numbers| {
            let of_one = |other: &TermId| {
                let owners = self.path(pool, *other);
                numbers.iter().all(|number| owners.contains(number))
            };
            others.iter().any(of_one)
        })
    }

    /// Whether a literal compares results of calls, or what they wrote.
    pub fn is_of_calls(&self, pool: &TermPool, literal: TermId) -> bool {
        let is_call = |owner: &Owner| matches!(owner, Owner::Call { .. });
        self.numbers(pool, literal)
            .is_some_and(|numbers| numbers.iter().all(is_call))
    }

    /// What the numbers of a comparison belong to; `None` if one of them belongs to nothing.
    fn numbers(&self, pool: &TermPool, literal: TermId) -> Option<Vec<Owner>> {
        let atom = match pool.op(literal) {
            Op::Not => pool.args(literal)[0],
            _ => literal,
        };
        let is_comparison = matches!(pool.op(atom), Op::Eq | Op::Le | Op::Lt);
        if !is_comparison || !is_arithmetic(pool, pool.args(atom)[0]) {
            return None;
        }
        let mut owners = Vec::new();
        let mut stack = vec![atom];
        while let Some(term) = stack.pop() {
            match pool.op(term) {
                Op::Select => owners.push(record(pool, term)?),
                Op::Var(var) => owners.push(self.call(var)?),
                _ => stack.extend(pool.children(term)),
            }
        }
        (!owners.is_empty()).then_some(owners)
    }

    /// The records and calls by which one comes to what a literal is about.
    fn path(&self, pool: &TermPool, literal: TermId) -> Vec<Owner> {
        let mut owners = Vec::new();
        pool.visit_subterms(&[literal], |term| {
            owners.extend(match pool.op(term) {
                Op::Select => record(pool, term),
                Op::Var(var) => self.call(var),
                _ => None,
            });
        });
        owners
    }

    /// The call that gave a value.
    fn call(&self, var: VarId) -> Option<Owner> {
        let site = self.symbols.placeholders.iter().find(|site| site.var == var)?;
        let is_site = |unknown: &&Unknown| unknown.stmt == site.stmt && unknown.var == site.site_var;
        let unknown = self.unknowns.iter().find(is_site)?;
        let is_same_call = |other: &Unknown| unknown.is_of_same_call(other);
        Some(Owner::Call {
            first: self.unknowns.iter().position(is_same_call)?,
            occurrence: site.occurrence,
        })
    }
}

/// The record around an element of memory. Of one at a fixed place nothing is known.
fn record(pool: &TermPool, select: TermId) -> Option<Owner> {
    let &[map, address] = pool.args(select) else {
        return None;
    };
    if pool.as_var(map).is_none() || !is_arithmetic(pool, address) {
        return None;
    }
    let address = Linear::of(pool, address);
    (!address.is_constant()).then_some(Owner::Record(address.summands))
}
