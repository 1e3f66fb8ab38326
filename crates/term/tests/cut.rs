//! A pool from which terms were taken away is what it was before they came.

use lariat_term::{Quantifier, QuantifierKind, Sort, TermId, TermPool};

/// Terms of all kinds that the pool keeps tables of.
fn add_terms(pool: &mut TermPool, number: i64) -> Vec<TermId> {
    let int = pool.int_sort();
    let map = pool.array_sort(&[int], int);
    let x = pool.declare_var("x", int);
    let a = pool.declare_var("a", map);
    let k = pool.declare_var("k", int);
    let (x, a, bound) = (pool.var(x), pool.var(a), pool.var(k));
    let literal = pool.int(number);
    let sum = pool.add(&[x, literal]);
    let stored = pool.store(a, &[sum], literal);
    let f = pool.declare_function("f", vec![int], int);
    let applied = pool.apply(f, &[bound]);
    let read = pool.select(stored, &[bound]);
    let all = Quantifier {
        kind: QuantifierKind::Forall,
        bound: [k].into(),
        triggers: [[applied].into()].into(),
        no_patterns: [].into(),
        body: pool.eq(applied, read),
        weight: None,
    };
    let all = pool.quantifier_term(all);
    let bits = pool.sort_id(Sort::Bv(number as u32));
    let wide = pool.declare_var("wide", bits);
    vec![sum, stored, applied, read, all, pool.var(wide)]
}

#[test]
fn what_was_taken_away_leaves_nothing() {
    let mut pool = TermPool::new();
    let first = add_terms(&mut pool, 7);
    let texts: Vec<String> = first.iter().map(|&term| pool.term_text(term)).collect();
    let size = pool.size();
    let before = (pool.term_count(), pool.var_count(), pool.sorts().count());
    let second = add_terms(&mut pool, 9);
    for number in [9, 11, 9] {
        pool.cut(&size);
        let now = (pool.term_count(), pool.var_count(), pool.sorts().count());
        assert_eq!(before, now);
        // Ids are given again, and depend on nothing that was taken away.
        let again = add_terms(&mut pool, number);
        assert_eq!(again.len(), second.len());
        if number == 9 {
            assert_eq!(again, second);
        }
    }
    pool.cut(&size);
    let shown: Vec<String> = first.iter().map(|&term| pool.term_text(term)).collect();
    assert_eq!(texts, shown);
    // What was there before is still found by its parts.
    for &term in &first[..4] {
        let (op, args, sort) = (pool.op(term), pool.args(term).to_vec(), pool.sort_of(term));
        assert_eq!(pool.rebuild(op, &args, sort), term);
    }
    assert_eq!(pool.term_count(), before.0);
}
