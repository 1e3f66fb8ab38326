//! Lookups by the object of an address become decisions over the address.
//!
//! The state and size of objects are in maps by object, and the object of an address is the address divided by a large number.
//! Such a division is what a solver of linear integer arithmetic is slowest at. Where the keys of such a map are a few
//! literals, whatever the program does, a condition over the object `a / n` is the disjunction over these keys `k` of
//! `k * n <= a < (k + 1) * n` and the condition of `k`; elsewhere the map holds its default.

use lariat_ir::{ProcId, Program, StmtKind};
use lariat_term::{Op, Rewriting, TermId, TermPool, VarId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constant_facts::is_literal;

/// Maps with more keys stay as they are.
const MOST_KEYS: usize = 16;

/// Each of these makes a condition as many times larger as there are keys.
const MOST_QUOTIENTS: usize = 2;

/// The keys that a map may hold anything at, and what it holds elsewhere.
struct Finite {
    keys: Vec<TermId>,
    default: TermId,
}

/// Decides lookups. The program is at [`lariat_ir::Stage::Instrumented`].
pub(crate) fn decide_objects(program: &mut Program, entry: ProcId) {
    let finite = finite_maps(program, entry);
    if finite.is_empty() {
        return;
    }
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            for index in 0..program.procs[proc].blocks[block].stmts.len() {
                let StmtKind::Assume(condition) = program.procs[proc].blocks[block].stmts[index].kind else {
                    continue;
                };
                let decided = match done.get(&condition) {
                    Some(&decided) => decided,
                    None => decide(&mut program.pool, condition, &finite),
                };
                done.insert(condition, decided);
                program.procs[proc].blocks[block].stmts[index].kind = StmtKind::Assume(decided);
            }
        }
    }
}

/// Maps that the entry fills before anything else happens and that are then written at literal keys only.
fn finite_maps(program: &Program, entry: ProcId) -> FxHashMap<VarId, Finite> {
    let pool = &program.pool;
    let mut finite: FxHashMap<VarId, Finite> = FxHashMap::default();
    let first = program.procs[entry].entry;
    let mut ready: FxHashSet<lariat_ir::StmtId> = FxHashSet::default();
    for stmt in &program.procs[entry].blocks[first].stmts {
        let StmtKind::Assign(assignments) = &stmt.kind else {
            break;
        };
        for &(var, term) in assignments {
            let (base, keys) = stores(pool, term);
            if let (Op::ConstArray(_), &[default]) = (pool.op(base), pool.args(base))
                && is_literal(pool, default)
                && program.globals.contains(&var)
                && keys.iter().all(|&key| pool.as_int(key).is_some())
            {
                finite.insert(var, Finite { keys, default });
                ready.insert(stmt.id);
            }
        }
    }
    for proc in program.procs.values() {
        for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
            if let (StmtKind::Assign(assignments), false) = (&stmt.kind, ready.contains(&stmt.id)) {
                for &(var, term) in assignments {
                    let (base, keys) = stores(pool, term);
                    let is_same = pool.as_var(base) == Some(var);
                    let is_finite = is_same && keys.iter().all(|&key| pool.as_int(key).is_some());
                    match finite.get_mut(&var) {
                        Some(map) if is_finite => map.keys.extend(keys),
                        _ => {
                            finite.remove(&var);
                        }
                    }
                }
            } else if !ready.contains(&stmt.id) {
                for var in stmt.assigned() {
                    finite.remove(&var);
                }
            }
        }
    }
    for map in finite.values_mut() {
        map.keys.sort_unstable();
        map.keys.dedup();
    }
    finite.retain(|_, map| map.keys.len() <= MOST_KEYS);
    finite
}

/// A map and the keys of the stores on top of it.
fn stores(pool: &TermPool, term: TermId) -> (TermId, Vec<TermId>) {
    let (mut base, mut keys) = (term, Vec::new());
    while pool.op(base) == Op::Store
        && let [map, key, _] = pool.args(base)
    {
        keys.push(*key);
        base = *map;
    }
    (base, keys)
}

/// The condition without lookups by a quotient in these maps.
fn decide(pool: &mut TermPool, condition: TermId, finite: &FxHashMap<VarId, Finite>) -> TermId {
    let mut condition = condition;
    for _ in 0..MOST_QUOTIENTS {
        let Some(quotient) = find_quotient(pool, condition, finite) else {
            break;
        };
        let (address, unit) = (pool.args(quotient)[0], pool.args(quotient)[1]);
        let Some(unit) = pool.as_int(unit).cloned() else {
            break;
        };
        let mut keys: Vec<TermId> = finite.values().flat_map(|map| map.keys.iter().copied()).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut ways = Vec::new();
        let mut outside = Vec::new();
        for key in keys {
            let Some(number) = pool.as_int(key).cloned() else {
                continue;
            };
            let start = pool.int(&number * &unit);
            let end = pool.int((number + 1) * &unit);
            let (from, below) = (pool.le(start, address), pool.lt(address, end));
            let inside = pool.and(&[from, below]);
            let here =
                Rewriting::default().replace(pool, condition, |_, term| (term == quotient).then_some(key));
            ways.push(pool.and(&[inside, here]));
            outside.push(pool.not(inside));
        }
        let elsewhere = Rewriting::default().replace(pool, condition, |pool, term| {
            match (pool.op(term), pool.args(term)) {
                (Op::Select, &[map, key]) if key == quotient => {
                    let map = pool.as_var(map)?;
                    finite.get(&map).map(|map| map.default)
                }
                _ => None,
            }
        });
        outside.push(elsewhere);
        ways.push(pool.and(&outside));
        condition = pool.or(&ways);
    }
    condition
}

/// A quotient by a positive literal that one of the maps is looked up at.
fn find_quotient(pool: &TermPool, root: TermId, finite: &FxHashMap<VarId, Finite>) -> Option<TermId> {
    let mut found = None;
    pool.visit_subterms(&[root], |term| {
        if let (Op::Select, &[map, key]) = (pool.op(term), pool.args(term))
            && pool.as_var(map).is_some_and(|map| finite.contains_key(&map))
            && pool.op(key) == Op::IntDiv
            && pool
                .as_int(pool.args(key)[1])
                .is_some_and(|unit| *unit > BigInt::from(0))
        {
            found = found.or(Some(key));
        }
    });
    found
}
