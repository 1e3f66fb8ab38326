//! Specifications that others make superfluous.
//!
//! A specification is found for one execution. A later one may say more: `p != NULL || n < 0`, then `p != NULL`. Of the two only
//! the one that implies the other is listed, with all that both exclude.

use lariat_report::{Specification, SpecificationStatus};
use lariat_term::{Op, TermId, TermPool};

use crate::analysis::Active;

/// Leaves out what the user has not decided about and what another specification implies.
pub(crate) fn leave_out(pool: &TermPool, active: Vec<Active>) -> Vec<Active> {
    let mut kept: Vec<Active> = Vec::new();
    for next in active {
        let is_implied = |by: &Active| implies(pool, by.blocking.term, next.blocking.term);
        if is_inferred(&next)
            && let Some(stronger) = kept.iter_mut().find(|other| is_implied(other))
        {
            take_over(stronger, &next);
            continue;
        }
        let is_weaker =
            |other: &Active| is_inferred(other) && implies(pool, next.blocking.term, other.blocking.term);
        let (weaker, others): (Vec<Active>, Vec<Active>) = kept.into_iter().partition(is_weaker);
        kept = others;
        kept.push(next);
        if let Some(next) = kept.last_mut() {
            weaker.iter().for_each(|other| take_over(next, other));
        }
    }
    kept
}

/// Functions of several files can have one name, and so have their entries: a decision is about all of them, and what is
/// required of them is listed once.
pub(crate) fn merge_same(specs: Vec<Specification>) -> Vec<Specification> {
    let mut merged: Vec<Specification> = Vec::new();
    for spec in specs {
        let Some(same) = merged.iter_mut().find(|other| other.id == spec.id) else {
            merged.push(spec);
            continue;
        };
        for alarm in spec.suppresses {
            if !same.suppresses.contains(&alarm) {
                same.suppresses.push(alarm);
            }
        }
        same.unnecessary &= spec.unnecessary;
        same.problem = same.problem.take().filter(|_| spec.problem.is_some());
    }
    merged
}

fn is_inferred(active: &Active) -> bool {
    active.found.status == SpecificationStatus::Inferred && !active.found.inherited
}

fn take_over(stronger: &mut Active, weaker: &Active) {
    for assert in &weaker.found.suppresses {
        if !stronger.found.suppresses.contains(assert) {
            stronger.found.suppresses.push(*assert);
        }
    }
}

/// Whether each disjunction of the weaker formula has all parts of one of the stronger. Not every implication is of this form.
fn implies(pool: &TermPool, stronger: TermId, weaker: TermId) -> bool {
    let stronger = parts(pool, Op::And, stronger);
    parts(pool, Op::And, weaker).iter().all(|&clause| {
        let weak = parts(pool, Op::Or, clause);
        let has_all = |&strong: &TermId| parts(pool, Op::Or, strong).iter().all(|part| weak.contains(part));
        stronger.iter().any(has_all)
    })
}

fn parts(pool: &TermPool, op: Op, term: TermId) -> Vec<TermId> {
    match pool.op(term) == op {
        true => pool.args(term).to_vec(),
        false => vec![term],
    }
}
