//! Terms that Spacer can work with: what it cannot is left open.
//!
//! An application of an uninterpreted function, a quantifier, or anything of a sort that Spacer does not
//! know becomes a variable, the same one for the same term. So the clauses have at least the
//! executions of the program: a proof of theirs is one of the program, a derivation may be none.

use lariat_term::{BvOp, Op, Sort, SortId, TermId, TermPool};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Loosening {
    done: FxHashMap<TermId, TermId>,
    sorts: FxHashMap<SortId, bool>,
    /// Something was left open.
    pub lossy: bool,
}

impl Loosening {
    /// Whether predicates may have parameters of the sort.
    pub fn knows_sort(&mut self, pool: &TermPool, root: SortId) -> bool {
        let mut stack = vec![root];
        while let Some(sort) = stack.pop() {
            if self.sorts.contains_key(&sort) {
                continue;
            }
            let known = match pool.sort(sort) {
                Sort::Bool | Sort::Int | Sort::Real | Sort::Bv(_) => true,
                Sort::Array { indices, element } => {
                    let parts = || indices.iter().chain(std::iter::once(element)).copied();
                    let missing: Vec<SortId> =
                        parts().filter(|part| !self.sorts.contains_key(part)).collect();
                    if !missing.is_empty() {
                        stack.push(sort);
                        stack.extend(missing);
                        continue;
                    }
                    parts().all(|part| self.sorts[&part])
                }
                _ => false,
            };
            self.sorts.insert(sort, known);
        }
        let known = self.sorts[&root];
        self.lossy |= !known;
        known
    }

    /// The term with what Spacer cannot work with left open; `None` if that is the whole of it.
    pub fn apply(&mut self, pool: &mut TermPool, root: TermId) -> Option<TermId> {
        if !self.knows_sort(pool, pool.sort_of(root)) {
            return None;
        }
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            if !expanded {
                if self.must_be_open(pool, term) {
                    self.lossy = true;
                    let open = pool.declare_var("open", pool.sort_of(term));
                    let open = pool.var(open);
                    self.done.insert(term, open);
                    continue;
                }
                stack.push((term, true));
                stack.extend(pool.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let args: Vec<TermId> = pool.args(term).iter().map(|arg| self.done[arg]).collect();
            let result = if args == pool.args(term) {
                term
            } else {
                pool.rebuild(pool.op(term), &args, pool.sort_of(term))
            };
            self.done.insert(term, result);
        }
        Some(self.done[&root])
    }

    /// Whether the term itself, of a known sort, cannot be worked with.
    fn must_be_open(&mut self, pool: &TermPool, term: TermId) -> bool {
        let args = pool.args(term);
        let literal_divisor = || {
            args.get(1).is_some_and(|&divisor| match pool.op(divisor) {
                Op::Int(number) | Op::Real(number) => {
                    *pool.number(number) != num_rational::BigRational::default()
                }
                _ => false,
            })
        };
        let known = match pool.op(term) {
            Op::Bool(_)
            | Op::Int(_)
            | Op::Real(_)
            | Op::Bv(_)
            | Op::Var(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::Distinct
            | Op::Ite
            | Op::Add
            | Op::Mul
            | Op::Le
            | Op::Lt
            | Op::ToReal
            | Op::ToInt
            | Op::Select
            | Op::Store
            | Op::ConstArray(_) => true,
            Op::IntDiv | Op::Mod | Op::RealDiv => literal_divisor(),
            Op::Bv2(op) => !matches!(op, BvOp::FromInt(_) | BvOp::ToNat | BvOp::ToInt),
            Op::Float(_)
            | Op::RoundingMode(_)
            | Op::String(_)
            | Op::Pow
            | Op::Construct { .. }
            | Op::Field { .. }
            | Op::Is { .. }
            | Op::Apply(_)
            | Op::Theory(_)
            | Op::Quantifier(_) => false,
        };
        !known || !args.iter().all(|&arg| self.knows_sort(pool, pool.sort_of(arg)))
    }
}

pub fn has_quantifier(pool: &TermPool, root: TermId) -> bool {
    let mut found = false;
    pool.visit_subterms(&[root], |term| {
        found |= matches!(pool.op(term), Op::Quantifier(_));
    });
    found
}
