//! Operators that are too hard for a quick answer, as variables: whatever is proved with any value is proved.
//!
//! Hard are products of unknowns, divisions, and numbers as bit patterns.

use lariat_term::{BvOp, Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The replacement of hard terms, the same each time.
#[derive(Default)]
pub(crate) struct Opaque {
    done: FxHashMap<TermId, TermId>,
}

impl Opaque {
    /// The term with a variable for each hard subterm.
    pub fn simplify(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let op = pool.op(term);
            if pool.is_closed(term) || matches!(op, Op::Var(_) | Op::Quantifier(_)) {
                self.done.insert(term, term);
                continue;
            }
            if is_hard(pool, term) {
                let var = pool.declare_var("opaque", pool.sort_of(term));
                let var = pool.var(var);
                self.done.insert(term, var);
                continue;
            }
            if !expanded {
                stack.push((term, true));
                stack.extend(pool.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let old: SmallVec<[TermId; 4]> = pool.args(term).into();
            let new: SmallVec<[TermId; 4]> = old.iter().map(|arg| self.done[arg]).collect();
            let result = if new == old {
                term
            } else {
                pool.rebuild(op, &new, pool.sort_of(term))
            };
            self.done.insert(term, result);
        }
        self.done[&root]
    }
}

fn is_hard(pool: &TermPool, term: TermId) -> bool {
    match pool.op(term) {
        Op::IntDiv | Op::Mod | Op::RealDiv | Op::Pow => true,
        Op::Mul => pool.args(term).iter().all(|&arg| !pool.is_value(arg)),
        Op::Bv2(BvOp::FromInt(_) | BvOp::ToNat | BvOp::ToInt) => true,
        _ => false,
    }
}
