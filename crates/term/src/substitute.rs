//! Replacing variables in terms.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::pool::{Quantifier, TermId, TermPool, VarId};

/// A simultaneous replacement of variables by terms, with a memory of what it has done:
/// applying it to many terms costs no more than their distinct subterms.
///
/// Bound variables are unique to their quantifier, so nothing can be captured as long as
/// replacements mention no variable that is bound in the terms they are put into.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    replacements: FxHashMap<VarId, TermId>,
    done: FxHashMap<TermId, TermId>,
}

impl Substitution {
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the replacement of a variable, also after the substitution was used.
    pub fn insert(&mut self, var: VarId, term: TermId) {
        self.replacements.insert(var, term);
        self.done.clear();
    }

    pub fn get(&self, var: VarId) -> Option<TermId> {
        self.replacements.get(&var).copied()
    }

    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    pub fn apply(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        if self.replacements.is_empty() || pool.is_closed(root) {
            return root;
        }
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            if pool.is_closed(term) {
                self.done.insert(term, term);
                continue;
            }
            if !expanded {
                if let Op::Var(var) = pool.op(term) {
                    self.done
                        .insert(term, self.replacements.get(&var).copied().unwrap_or(term));
                    continue;
                }
                stack.push((term, true));
                stack.extend(pool.children(term).into_iter().map(|child| (child, false)));
                continue;
            }
            let result = match pool.op(term) {
                Op::Quantifier(id) => {
                    let old = pool.quantifier(id).clone();
                    let new = |term: &TermId| self.done[term];
                    pool.quantifier_term(Quantifier {
                        triggers: old
                            .triggers
                            .iter()
                            .map(|trigger| trigger.iter().map(new).collect())
                            .collect(),
                        no_patterns: old.no_patterns.iter().map(new).collect(),
                        body: self.done[&old.body],
                        ..old
                    })
                }
                op => {
                    let old = pool.args(term);
                    let new: smallvec::SmallVec<[TermId; 4]> = old.iter().map(|arg| self.done[arg]).collect();
                    if new.as_slice() == old {
                        term
                    } else {
                        pool.rebuild(op, &new, pool.sort_of(term))
                    }
                }
            };
            self.done.insert(term, result);
        }
        self.done[&root]
    }
}

impl FromIterator<(VarId, TermId)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (VarId, TermId)>>(iter: I) -> Self {
        Substitution {
            replacements: iter.into_iter().collect(),
            done: FxHashMap::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitution_is_simultaneous() {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.declare_var("x", int), pool.declare_var("y", int));
        let (tx, ty) = (pool.var(x), pool.var(y));
        let one = pool.int(1);
        let y_plus_1 = pool.add(&[ty, one]);
        let le = pool.le(tx, y_plus_1);
        let swapped = Substitution::from_iter([(x, ty), (y, tx)]).apply(&mut pool, le);
        let x_plus_1 = pool.add(&[tx, one]);
        assert_eq!(swapped, pool.le(ty, x_plus_1));
    }

    #[test]
    fn a_deep_term_does_not_overflow_the_stack() {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let function = pool.declare_function("f", vec![int], int);
        let x = pool.declare_var("x", int);
        let mut term = pool.var(x);
        for _ in 0..200_000 {
            term = pool.apply(function, &[term]);
        }
        let zero = pool.int(0);
        let result = Substitution::from_iter([(x, zero)]).apply(&mut pool, term);
        assert!(pool.is_closed(result));
        assert_eq!(pool.depth(result), 200_000);
    }
}
