//! Operators that are too hard for a quick answer, as variables: whatever is proved with any value is proved.
//!
//! Hard are products of unknowns, divisions, and numbers as bit patterns.

use lariat_term::{BvOp, Op, Rewriting, TermId, TermPool};

/// The replacement of hard terms, the same each time.
#[derive(Default)]
pub(crate) struct Opaque {
    done: Rewriting,
}

impl Opaque {
    /// The term with a variable for each hard subterm.
    pub fn simplify(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        self.done.replace(pool, root, |pool, term| {
            let is_opaque = !pool.is_closed(term) && is_hard(pool, term);
            is_opaque.then(|| {
                let var = pool.declare_var("opaque", pool.sort_of(term));
                pool.var(var)
            })
        })
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
