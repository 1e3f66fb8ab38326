//! Replacing parts of terms.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::op::Op;
use crate::pool::{TermId, TermPool};

/// A rewriting with a memory of what it has done: applying it to many terms costs no more than their distinct subterms. So what
/// decides must not change between calls.
///
/// What is under a quantifier stays.
#[derive(Clone, Debug, Default)]
pub struct Rewriting {
    done: FxHashMap<TermId, TermId>,
}

impl Rewriting {
    /// The term with the parts for which `replacement` has something else. It sees a part before the parts of this part, which are not
    /// looked at if it is replaced.
    pub fn replace(
        &mut self,
        pool: &mut TermPool,
        root: TermId,
        replacement: impl FnMut(&mut TermPool, TermId) -> Option<TermId>,
    ) -> TermId {
        self.apply(pool, root, replacement, |_, _, _| None)
    }

    /// The term made anew from its smallest parts on. `made` gets a part and what its arguments have become; with `None` the part keeps
    /// its operator.
    pub fn remake(
        &mut self,
        pool: &mut TermPool,
        root: TermId,
        made: impl FnMut(&mut TermPool, TermId, &[TermId]) -> Option<TermId>,
    ) -> TermId {
        self.apply(pool, root, |_, _| None, made)
    }

    fn apply(
        &mut self,
        pool: &mut TermPool,
        root: TermId,
        mut replacement: impl FnMut(&mut TermPool, TermId) -> Option<TermId>,
        mut made: impl FnMut(&mut TermPool, TermId, &[TermId]) -> Option<TermId>,
    ) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            if expanded {
                let args: SmallVec<[TermId; 4]> = pool.args(term).iter().map(|arg| self.done[arg]).collect();
                let result = match made(pool, term, &args) {
                    Some(other) => other,
                    None if args.as_slice() == pool.args(term) => term,
                    None => pool.rebuild(pool.op(term), &args, pool.sort_of(term)),
                };
                self.done.insert(term, result);
            } else if let Some(other) = replacement(pool, term) {
                self.done.insert(term, other);
            } else if pool.is_closed(term) || matches!(pool.op(term), Op::Var(_) | Op::Quantifier(_)) {
                self.done.insert(term, term);
            } else {
                stack.push((term, true));
                stack.extend(pool.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        self.done[&root]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::QuantifierKind;
    use crate::pool::Quantifier;

    #[test]
    fn a_part_that_is_replaced_is_not_looked_into() {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.declare_var("x", int), pool.declare_var("y", int));
        let (x, y) = (pool.var(x), pool.var(y));
        let product = pool.mul(x, y);
        let sum = pool.add(&[product, x]);
        let mut seen = Vec::new();
        let new = Rewriting::default().replace(&mut pool, sum, |_, term| {
            seen.push(term);
            (term == product).then_some(y)
        });
        assert_eq!(new, pool.add(&[y, x]));
        assert!(!seen.contains(&y));
    }

    #[test]
    fn a_term_is_made_from_what_its_parts_have_become() {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let x = pool.declare_var("x", int);
        let x = pool.var(x);
        let (one, two) = (pool.int(1), pool.int(2));
        let inner = pool.add(&[x, one]);
        let outer = pool.mul(inner, x);
        let new = Rewriting::default().remake(&mut pool, outer, |pool, term, args| {
            (term == outer).then(|| pool.add(&[args[0], two]))
        });
        assert_eq!(new, pool.add(&[inner, two]));
    }

    #[test]
    fn what_is_under_a_quantifier_stays() {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.declare_var("x", int), pool.declare_var("y", int));
        let (tx, ty) = (pool.var(x), pool.var(y));
        let body = pool.le(tx, ty);
        let all = pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: Box::new([x]),
            triggers: Box::new([]),
            no_patterns: Box::new([]),
            body,
            weight: None,
        });
        let new = Rewriting::default().replace(&mut pool, all, |_, term| (term == ty).then_some(tx));
        assert_eq!(new, all);
    }
}
