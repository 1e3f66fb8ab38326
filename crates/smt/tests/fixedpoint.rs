//! Horn clauses and the way back from Z3's terms.

use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_smt::{Ast, CheckResult, Context, Fixedpoint, FixedpointOption, Solver, Watchdog};
use lariat_term::{BvOp, TermId, TermPool, VarId};
use rustc_hash::FxHashMap;

fn keep_predicates() -> Vec<(&'static str, FixedpointOption)> {
    ["xform.inline_eager", "xform.inline_linear", "xform.slice"]
        .map(|key| (key, FixedpointOption::Bool(false)))
        .to_vec()
}

/// Whether two terms are equal in every model.
fn same(pool: &mut TermPool, a: TermId, b: TermId) -> bool {
    let equal = pool.eq(a, b);
    let differ = pool.not(equal);
    let mut context = Context::new().expect("a context");
    let mut solver = Solver::new(&mut context, &[]).expect("a solver");
    let differ = context.term(pool, differ).expect("a term");
    solver.assert(&mut context, differ).expect("asserted");
    solver.check(&mut context, &[]) == Ok(CheckResult::Unsat)
}

/// `P` counts from 0 to `y` by steps of `step`; can it pass `y`?
fn counter(step: i64) -> (CheckResult, Option<String>) {
    counter_with(step, None)
}

fn counter_with(step: i64, effort: Option<u32>) -> (CheckResult, Option<String>) {
    let mut options = keep_predicates();
    options.extend(effort.map(|effort| ("rlimit", FixedpointOption::Number(effort))));
    let mut pool = TermPool::new();
    let int = pool.int_sort();
    let [x, y] = ["x", "y"].map(|name| pool.declare_var(name, int));
    let (tx, ty) = (pool.var(x), pool.var(y));
    let mut context = Context::new().expect("a context");
    let mut horn = Fixedpoint::new(&mut context, &options).expect("clauses");
    let p = horn.declare(&mut context, &pool, "P", &[int, int]).expect("P");
    let fail = horn.declare(&mut context, &pool, "fail", &[]).expect("fail");
    let zero = pool.int(0);
    let starts = [pool.eq(tx, zero), pool.le(zero, ty)];
    let below = pool.lt(tx, ty);
    let above = pool.lt(ty, tx);
    let step = pool.int(step);
    let next = pool.add(&[tx, step]);
    let mut term = |term| context.term(&pool, term).expect("a term");
    let starts = starts.map(&mut term);
    let [below, above, next, x_ast, y_ast] = [below, above, next, tx, ty].map(&mut term);
    let vars = [x_ast, y_ast];
    let here = horn.atom(&mut context, p, &vars).expect("an atom");
    let there = horn.atom(&mut context, p, &[next, y_ast]).expect("an atom");
    let failed = horn.atom(&mut context, fail, &[]).expect("an atom");
    horn.add_clause(&mut context, &vars, &starts, here)
        .expect("a clause");
    horn.add_clause(&mut context, &vars, &[here, below], there)
        .expect("a clause");
    horn.add_clause(&mut context, &vars, &[here, above], failed)
        .expect("a clause");
    let answer = match effort {
        Some(_) => horn.query_within_effort(&mut context, fail),
        None => horn.query(&mut context, fail),
    };
    let answer = answer.expect("an answer");
    let names: FxHashMap<Ast, VarId> = FxHashMap::from_iter([(x_ast, x), (y_ast, y)]);
    let interpretation = horn
        .interpretation(&mut context, p, &vars)
        .expect("readable")
        .map(|found| {
            context
                .back_translate(&mut pool, found, &names)
                .expect("a way back")
        });
    // It implies the invariant, and the start implies it.
    if let Some(found) = interpretation {
        let invariant = pool.le(tx, ty);
        let both = pool.and(&[found, invariant]);
        assert!(same(&mut pool, both, found), "{}", pool.term_text(found));
    }
    (answer, interpretation.map(|found| pool.term_text(found)))
}

/// Effort is counted, so that an answer does not depend on how fast the machine is.
#[test]
fn effort_is_limited_by_a_count() {
    let (little, _) = counter_with(1, Some(10));
    assert!(matches!(little, CheckResult::Unknown(_)), "{little:?}");
    let (enough, invariant) = counter_with(1, Some(40_000_000));
    assert_eq!(enough, CheckResult::Unsat);
    assert!(invariant.is_some());
}

#[test]
fn an_invariant_is_found_and_read() {
    let (answer, invariant) = counter(1);
    assert_eq!(answer, CheckResult::Unsat);
    assert!(invariant.is_some());
}

#[test]
fn a_derivation_is_found() {
    let (answer, invariant) = counter(2);
    assert_eq!(answer, CheckResult::Sat);
    assert_eq!(invariant, None);
}

#[test]
fn terms_come_back_as_they_were() {
    let mut pool = TermPool::new();
    let int = pool.int_sort();
    let bv = pool.bv_sort(8);
    let map = pool.array_sort(&[int], int);
    let [i, j] = ["i", "j"].map(|name| pool.declare_var(name, int));
    let [a, b] = ["a", "b"].map(|name| pool.declare_var(name, bv));
    let m = pool.declare_var("m", map);
    let vars = [i, j, a, b, m];
    let [i, j, a, b, m] = vars.map(|var| pool.var(var));
    let three = pool.int(3);
    let mut terms = vec![
        pool.int_div(i, three),
        pool.modulo(j, three),
        pool.mul(i, j),
        pool.sub(i, j),
        pool.store(m, &[i], j),
        pool.const_array(map, i),
        pool.select(m, &[j]),
        pool.lt(i, j),
        pool.to_real(i),
        pool.distinct(&[i, j, three]),
    ];
    let condition = pool.le(i, j);
    terms.push(pool.ite(condition, i, j));
    let binary = [
        BvOp::Concat,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
        BvOp::Nand,
        BvOp::Nor,
        BvOp::Xnor,
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::Udiv,
        BvOp::Urem,
        BvOp::Sdiv,
        BvOp::Srem,
        BvOp::Smod,
        BvOp::Shl,
        BvOp::Lshr,
        BvOp::Ashr,
        BvOp::Ult,
        BvOp::Ule,
        BvOp::Slt,
        BvOp::Sle,
        BvOp::Comp,
    ];
    terms.extend(binary.map(|op| pool.bv_op(op, &[a, b])));
    let unary = [
        BvOp::Extract { hi: 5, lo: 2 },
        BvOp::ZeroExtend(3),
        BvOp::SignExtend(3),
        BvOp::RotateLeft(3),
        BvOp::RotateRight(3),
        BvOp::Repeat(2),
        BvOp::Not,
        BvOp::Neg,
        BvOp::ToNat,
        BvOp::ToInt,
    ];
    terms.extend(unary.map(|op| pool.bv_op(op, &[a])));
    terms.push(pool.bv_op(BvOp::FromInt(8), &[i]));
    let mut context = Context::new().expect("a context");
    let names: FxHashMap<Ast, VarId> = vars
        .iter()
        .map(|&var| (context.var(&pool, var).expect("a constant"), var))
        .collect();
    for term in terms {
        let ast = context.term(&pool, term).expect("a term");
        let back = context
            .back_translate(&mut pool, ast, &names)
            .expect("a way back");
        assert!(same(&mut pool, term, back), "{}", pool.term_text(term));
    }
    // A function has none.
    let function = pool.declare_function("f", vec![int], int);
    let applied = pool.apply(function, &[i]);
    let applied = context.term(&pool, applied).expect("a term");
    assert!(context.back_translate(&mut pool, applied, &names).is_err());
}

#[test]
fn an_interruption_is_no_answer_and_leaves_the_context_usable() {
    // x and y run away from each other; that x * y stays below z needs more than Spacer has.
    let mut pool = TermPool::new();
    let int = pool.int_sort();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.declare_var(name, int));
    let vars = [x, y, z];
    let [tx, ty, tz] = vars.map(|var| pool.var(var));
    let mut context = Context::new().expect("a context");
    let mut horn = Fixedpoint::new(&mut context, &keep_predicates()).expect("clauses");
    let p = horn
        .declare(&mut context, &pool, "P", &[int, int, int])
        .expect("P");
    let fail = horn.declare(&mut context, &pool, "fail", &[]).expect("fail");
    let (zero, one) = (pool.int(0), pool.int(1));
    let starts = [pool.eq(tx, zero), pool.eq(ty, zero), pool.eq(tz, zero)];
    // After n rounds x = n, y = n (n - 1) / 2, z = the sum of the squares below n.
    let next_x = pool.add(&[tx, one]);
    let next_y = pool.add(&[ty, tx]);
    let square = pool.mul(tx, tx);
    let next_z = pool.add(&[tz, square]);
    let product = pool.mul(ty, next_x);
    let bad = pool.lt(product, tz);
    let mut term = |term| context.term(&pool, term).expect("a term");
    let starts = starts.map(&mut term);
    let now = [tx, ty, tz].map(&mut term);
    let next = [next_x, next_y, next_z].map(&mut term);
    let bad = term(bad);
    let here = horn.atom(&mut context, p, &now).expect("an atom");
    let there = horn.atom(&mut context, p, &next).expect("an atom");
    let failed = horn.atom(&mut context, fail, &[]).expect("an atom");
    horn.add_clause(&mut context, &now, &starts, here)
        .expect("a clause");
    horn.add_clause(&mut context, &now, &[here], there)
        .expect("a clause");
    horn.add_clause(&mut context, &now, &[here, bad], failed)
        .expect("a clause");
    let budget = Budget::new(Some(Duration::from_millis(300)), None);
    let watchdog = Watchdog::start(budget, context.interrupt_handle());
    let started = Instant::now();
    let answer = horn.query(&mut context, fail).expect("an answer");
    assert!(matches!(answer, CheckResult::Unknown(_)), "{answer:?}");
    assert!(started.elapsed() < Duration::from_secs(20));
    drop(watchdog);
    drop(horn);
    let mut solver = Solver::new(&mut context, &[]).expect("a solver");
    assert_eq!(solver.check(&mut context, &[]), Ok(CheckResult::Sat));
}
