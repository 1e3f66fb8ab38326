//! Conversions: axioms which say no more than that a value comes back unchanged.
//!
//! Solvers find no model of `forall x :: f(g(x)) == x` over a type without a meaning, because it is infinite. This model is known:
//! such a type is the integers, a finite type the first of them, and a conversion keeps the number, modulo the size of a finite
//! type. A value that passes through no smaller type than its own comes back unchanged.

use lariat_term::{Op, Sort, SortId, TermId, TermPool};

/// Whether that model satisfies these axioms, if nothing else is said of their functions and types.
pub fn come_back(pool: &TermPool, axioms: &[TermId]) -> bool {
    axioms.iter().all(|&axiom| comes_back(pool, axiom))
}

/// `forall x :: f(…g(x)) == x`, through types that are large enough.
fn comes_back(pool: &TermPool, axiom: TermId) -> bool {
    let Op::Quantifier(id) = pool.op(axiom) else {
        return false;
    };
    let quantifier = pool.quantifier(id);
    let ([bound], Op::Eq) = (&*quantifier.bound, pool.op(quantifier.body)) else {
        return false;
    };
    let is_bound = |term: TermId| pool.op(term) == Op::Var(*bound);
    let returns = |value: TermId, mut way: TermId| {
        let Some(needed) = bits(pool, pool.sort_of(value)) else {
            return false;
        };
        while let (Op::Apply(_), [arg]) = (pool.op(way), pool.args(way)) {
            if bits(pool, pool.sort_of(way)).is_none_or(|bits| bits < needed) {
                return false;
            }
            way = *arg;
        }
        is_bound(value) && is_bound(way)
    };
    match pool.args(quantifier.body) {
        &[left, right] => returns(left, right) || returns(right, left),
        _ => false,
    }
}

/// How many bits a value has; the most there are stands for all integers.
fn bits(pool: &TermPool, sort: SortId) -> Option<u32> {
    match pool.sort(sort) {
        Sort::Bool => Some(1),
        Sort::Bv(width) => Some(*width),
        Sort::Int | Sort::Uninterpreted(_) => Some(u32::MAX),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use lariat_testkit::boogie;

    use super::come_back;

    fn is_known(axioms: &str) -> bool {
        let text = format!(
            "type t; function to(int): t; function from(t): int; function byte(t): bv8; function of_byte(bv8): t;
             {axioms} procedure main() {{ assert false; }}"
        );
        let program = boogie::program(&text);
        let axioms: Vec<_> = program.axioms.iter().map(|axiom| axiom.term).collect();
        come_back(&program.pool, &axioms)
    }

    #[test]
    fn a_value_comes_back_through_a_larger_type() {
        assert!(is_known("axiom (forall x: int :: from(to(x)) == x);"));
        assert!(is_known(
            "axiom (forall x: int :: from(to(x)) == x); axiom (forall y: t :: y == to(from(y)));
             axiom (forall z: bv8 :: byte(of_byte(z)) == z);"
        ));
    }

    /// A type cannot be both the integers and 256 values.
    #[test]
    fn not_through_a_smaller_one() {
        assert!(!is_known("axiom (forall y: t :: of_byte(byte(y)) == y);"));
        assert!(!is_known("axiom (forall y: t :: to(from(y)) == to(0));"));
    }
}
