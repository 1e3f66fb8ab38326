//! `-infer:j`: intervals of integer and real variables at the heads of loops.
//!
//! A forward analysis of one body without calls. What it finds is put in front of each head as an assumption: it holds
//! of every execution that gets there. Where a bound keeps growing it is given up. Assertions are not used.

use cranelift_entity::SecondaryMap;
use lariat_ir::{BlockId, Origin, ProcId, Program, Stmt, StmtKind};
use lariat_term::{Op, Sort, TermId, TermPool, VarId};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

/// A bound that has changed so often is given up.
const PATIENCE: u32 = 3;
/// Deeper terms are not looked at.
const MAX_DEPTH: u32 = 200;

/// Both bounds belong to it; `None` is none.
#[derive(Clone, PartialEq, Debug, Default)]
struct Interval {
    low: Option<BigRational>,
    high: Option<BigRational>,
}

/// What is known of variables; one that is not here may have any value.
type State = FxHashMap<VarId, Interval>;

/// Assumes at the heads of loops what is known there.
pub fn assume_intervals(program: &mut Program, proc: ProcId) {
    let order = program.procs[proc].reverse_postorder();
    let mut position = SecondaryMap::<BlockId, usize>::with_default(usize::MAX);
    for (index, &block) in order.iter().enumerate() {
        position[block] = index;
    }
    let predecessors = program.procs[proc].predecessors();
    let is_head = |block: BlockId| {
        let back = |source: &BlockId| position[*source] != usize::MAX && position[*source] >= position[block];
        predecessors[block].iter().any(back)
    };
    let entry = program.procs[proc].entry;
    let mut starts: FxHashMap<BlockId, State> = FxHashMap::from_iter([(entry, State::default())]);
    let mut visits = SecondaryMap::<BlockId, u32>::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &order {
            let Some(mut state) = starts.get(&block).cloned() else {
                continue;
            };
            let feasible = program.procs[proc].blocks[block]
                .stmts
                .iter()
                .all(|stmt| execute(&program.pool, &mut state, stmt));
            if !feasible {
                continue;
            }
            for &successor in program.procs[proc].blocks[block].successors() {
                let Some(old) = starts.get(&successor) else {
                    starts.insert(successor, state.clone());
                    changed = true;
                    continue;
                };
                let mut new = join(old, &state);
                if new == *old {
                    continue;
                }
                visits[successor] += 1;
                if is_head(successor) && visits[successor] > PATIENCE {
                    new = widen(old, new);
                }
                changed = true;
                starts.insert(successor, new);
            }
        }
    }
    for block in order.into_iter().filter(|&block| is_head(block)) {
        let Some(state) = starts.get(&block) else {
            continue;
        };
        let mut known: Vec<(VarId, Interval)> =
            state.iter().map(|(&var, known)| (var, known.clone())).collect();
        known.sort_by_key(|(var, _)| *var);
        let mut assumed = Vec::new();
        for (var, interval) in known {
            for term in conditions(&mut program.pool, var, &interval) {
                // As a free invariant of the loop.
                assumed.push(program.stmt(StmtKind::Assume(term), None, Origin::Source));
            }
        }
        program.procs[proc].blocks[block].stmts.splice(0..0, assumed);
    }
}

fn conditions(pool: &mut TermPool, var: VarId, interval: &Interval) -> Vec<TermId> {
    let is_int = is_int(pool, var);
    let literal = |pool: &mut TermPool, value: &BigRational| match is_int {
        true => pool.int(value.numer().clone()),
        false => pool.real(value.clone()),
    };
    let mut terms = Vec::new();
    let value = pool.var(var);
    if let Some(low) = &interval.low {
        let low = literal(pool, low);
        terms.push(pool.le(low, value));
    }
    if let Some(high) = &interval.high {
        let high = literal(pool, high);
        terms.push(pool.le(value, high));
    }
    terms
}

fn is_int(pool: &TermPool, var: VarId) -> bool {
    matches!(pool.sort(pool.var_sort(var)), Sort::Int)
}

fn is_number(pool: &TermPool, var: VarId) -> bool {
    matches!(pool.sort(pool.var_sort(var)), Sort::Int | Sort::Real)
}

fn join(a: &State, b: &State) -> State {
    let mut joined = State::default();
    for (var, left) in a {
        let Some(right) = b.get(var) else {
            continue;
        };
        let hull = Interval {
            low: left.low.clone().zip(right.low.clone()).map(|(a, b)| a.min(b)),
            high: left.high.clone().zip(right.high.clone()).map(|(a, b)| a.max(b)),
        };
        set(&mut joined, *var, hull);
    }
    joined
}

/// Gives up bounds that changed.
fn widen(old: &State, new: State) -> State {
    let mut wide = State::default();
    for (var, interval) in new {
        let before = old.get(&var);
        let same = |now: Option<BigRational>, before: Option<&Option<BigRational>>| {
            now.filter(|now| before.and_then(Option::as_ref) == Some(now))
        };
        let kept = Interval {
            low: same(interval.low, before.map(|before| &before.low)),
            high: same(interval.high, before.map(|before| &before.high)),
        };
        set(&mut wide, var, kept);
    }
    wide
}

fn set(state: &mut State, var: VarId, interval: Interval) {
    if interval == Interval::default() {
        state.remove(&var);
    } else {
        state.insert(var, interval);
    }
}

/// Whether the execution may go on.
fn execute(pool: &TermPool, state: &mut State, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assume(condition) => refine(pool, state, *condition, true),
        StmtKind::Assign(assignments) => {
            let values: Vec<(VarId, Interval)> = assignments
                .iter()
                .map(|&(var, value)| (var, evaluate(pool, state, value)))
                .collect();
            for (var, value) in values {
                match is_number(pool, var) {
                    true => set(state, var, value),
                    false => set(state, var, Interval::default()),
                }
            }
            true
        }
        StmtKind::Havoc(_) | StmtKind::Call(_) => {
            for var in stmt.assigned() {
                state.remove(&var);
            }
            true
        }
        StmtKind::Assert { .. } | StmtKind::Enter(_) => true,
    }
}

fn evaluate(pool: &TermPool, state: &State, term: TermId) -> Interval {
    if pool.depth(term) > MAX_DEPTH {
        return Interval::default();
    }
    let args = pool.args(term);
    match pool.op(term) {
        Op::Int(number) | Op::Real(number) => {
            let value = Some(pool.number(number).clone());
            Interval {
                low: value.clone(),
                high: value,
            }
        }
        Op::Var(var) => state.get(&var).cloned().unwrap_or_default(),
        Op::Add => {
            let parts: Vec<Interval> = args.iter().map(|&arg| evaluate(pool, state, arg)).collect();
            let sum = |bound: fn(&Interval) -> &Option<BigRational>| {
                let mut bounds = parts.iter().map(|part| bound(part).clone());
                bounds.try_fold(BigRational::zero(), |sum, bound| bound.map(|bound| sum + bound))
            };
            Interval {
                low: sum(|part| &part.low),
                high: sum(|part| &part.high),
            }
        }
        Op::Mul => product(&evaluate(pool, state, args[0]), &evaluate(pool, state, args[1])),
        Op::ToReal => evaluate(pool, state, args[0]),
        _ => Interval::default(),
    }
}

fn product(a: &Interval, b: &Interval) -> Interval {
    let constant = |interval: &Interval| {
        interval
            .low
            .clone()
            .filter(|low| interval.high.as_ref() == Some(low))
    };
    if let Some(factor) = constant(a) {
        return scaled(b, &factor);
    }
    if let Some(factor) = constant(b) {
        return scaled(a, &factor);
    }
    let is_positive = |interval: &Interval| interval.low.as_ref().is_some_and(|low| !low.is_negative());
    if is_positive(a) && is_positive(b) {
        return Interval {
            low: a.low.clone().zip(b.low.clone()).map(|(a, b)| a * b),
            high: a.high.clone().zip(b.high.clone()).map(|(a, b)| a * b),
        };
    }
    Interval::default()
}

fn scaled(interval: &Interval, factor: &BigRational) -> Interval {
    if factor.is_zero() {
        let zero = Some(BigRational::zero());
        return Interval {
            low: zero.clone(),
            high: zero,
        };
    }
    let scale = |bound: &Option<BigRational>| bound.as_ref().map(|bound| bound * factor);
    let (low, high) = (scale(&interval.low), scale(&interval.high));
    match factor.is_negative() {
        true => Interval { low: high, high: low },
        false => Interval { low, high },
    }
}

/// Uses that a condition has a value; false if that cannot be.
fn refine(pool: &TermPool, state: &mut State, condition: TermId, value: bool) -> bool {
    if pool.depth(condition) > MAX_DEPTH {
        return true;
    }
    let args = pool.args(condition);
    match (pool.op(condition), value) {
        (Op::Bool(constant), _) => constant == value,
        (Op::Not, _) => refine(pool, state, args[0], !value),
        (Op::And, true) | (Op::Or, false) => args.iter().all(|&part| refine(pool, state, part, value)),
        (Op::Le, true) => below(pool, state, args[0], args[1], false),
        (Op::Lt, true) => below(pool, state, args[0], args[1], true),
        (Op::Le, false) => below(pool, state, args[1], args[0], true),
        (Op::Lt, false) => below(pool, state, args[1], args[0], false),
        (Op::Eq, true) if is_numeric(pool, args[0]) => {
            below(pool, state, args[0], args[1], false) && below(pool, state, args[1], args[0], false)
        }
        (Op::Eq, false) => exclude(pool, state, args[0], args[1]) && exclude(pool, state, args[1], args[0]),
        _ => true,
    }
}

fn is_numeric(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.sort(pool.sort_of(term)), Sort::Int | Sort::Real)
}

/// `a <= b`, or `a < b`.
fn below(pool: &TermPool, state: &mut State, a: TermId, b: TermId, strictly: bool) -> bool {
    let is_integer = matches!(pool.sort(pool.sort_of(a)), Sort::Int);
    let gap = match strictly && is_integer {
        true => BigRational::one(),
        false => BigRational::zero(),
    };
    let (left, right) = (evaluate(pool, state, a), evaluate(pool, state, b));
    if let Op::Var(var) = pool.op(a) {
        let bound = right.high.as_ref().map(|high| high - &gap);
        let mut known = left.clone();
        known.high = match (known.high, bound) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
        set(state, var, known);
    }
    if let Op::Var(var) = pool.op(b) {
        let bound = left.low.as_ref().map(|low| low + &gap);
        let mut known = right.clone();
        known.low = match (known.low, bound) {
            (Some(old), Some(new)) => Some(old.max(new)),
            (old, new) => old.or(new),
        };
        set(state, var, known);
    }
    match (&left.low, &right.high) {
        (Some(low), Some(high)) => &(low + &gap) <= high,
        _ => true,
    }
}

/// `a != b` moves a bound of an integer.
fn exclude(pool: &TermPool, state: &mut State, a: TermId, b: TermId) -> bool {
    let Op::Var(var) = pool.op(a) else {
        return true;
    };
    if !is_int(pool, var) {
        return true;
    }
    let other = evaluate(pool, state, b);
    let Some(value) = other.low.clone().filter(|low| other.high.as_ref() == Some(low)) else {
        return true;
    };
    let mut known = evaluate(pool, state, a);
    if known.low.as_ref() == Some(&value) {
        known.low = Some(&value + BigRational::one());
    }
    if known.high.as_ref() == Some(&value) {
        known.high = Some(&value - BigRational::one());
    }
    let is_empty = matches!((&known.low, &known.high), (Some(low), Some(high)) if low > high);
    set(state, var, known);
    !is_empty
}
