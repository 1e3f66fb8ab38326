//! Lookups in tables that never change become decisions over the index.
//!
//! A table is a map that the entry fills with constants before anything else happens and that nothing writes afterwards. To a
//! solver a lookup with an unknown index in it is a chain of as many stores as the table has entries, each of which it has to
//! look at. A binary search over the keys says the same with a depth of the logarithm.

use std::collections::BTreeMap;

use lariat_ir::{ProcId, Program, Stmt, StmtKind};
use lariat_term::{BvOp, Op, Rewriting, Sort, TermId, TermPool, VarId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::CallGraph;

/// Smaller maps are left to the solver.
const FEWEST_KEYS: usize = 16;

/// So many decisions may come to be in all, of one table: each lookup has one for each key.
const MOST_DECISIONS: usize = 120_000;

/// A map with constant keys and values, and what it holds elsewhere.
#[derive(Clone, Debug)]
struct Table {
    /// By the number of the key: the key and its value.
    entries: BTreeMap<BigInt, (TermId, TermId)>,
    default: TermId,
}

/// Replaces lookups in tables. The program is at [`lariat_ir::Stage::Lowered`].
pub fn decide_lookups(program: &mut Program, entry: ProcId) {
    let calls = CallGraph::new(program);
    if !calls.callers(entry).is_empty() {
        // It would fill its tables again.
        return;
    }
    let Some((tables, filled)) = tables(program, entry) else {
        return;
    };
    let mut rewriting = Rewriting::default();
    let first = program.procs[entry].entry;
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            let start = if (proc, block) == (entry, first) {
                filled
            } else {
                0
            };
            for index in start..program.procs[proc].blocks[block].stmts.len() {
                for term in program.procs[proc].blocks[block].stmts[index].terms_mut() {
                    *term = rewriting.remake(&mut program.pool, *term, |pool, term, args| {
                        let (var, _) = lookup(pool, term)?;
                        Some(decide(pool, tables.get(&var)?, args[1]))
                    });
                }
            }
        }
    }
}

/// The tables of a program, and how many statements of the entry fill them.
fn tables(program: &Program, entry: ProcId) -> Option<(FxHashMap<VarId, Table>, usize)> {
    let proc = &program.procs[entry];
    let mut blocks = proc.blocks.values();
    if blocks.any(|block| block.successors().contains(&proc.entry)) {
        return None;
    }
    let stmts = &proc.blocks[proc.entry].stmts;
    let mut found: FxHashMap<VarId, Table> = FxHashMap::default();
    let mut filled = 0;
    for (index, stmt) in stmts.iter().enumerate() {
        match &stmt.kind {
            StmtKind::Enter(_) => {}
            StmtKind::Assign(assignments) => {
                let [(var, value)] = assignments.as_slice() else {
                    break;
                };
                if fill(&program.pool, &mut found, *var, *value) {
                    filled = index + 1;
                } else if program.pool.is_closed(*value) {
                    found.remove(var);
                } else {
                    break;
                }
            }
            _ => break,
        }
    }
    found.retain(|_, table| table.entries.len() >= FEWEST_KEYS);
    if found.is_empty() {
        return None;
    }
    let globals: FxHashSet<VarId> = program.globals.iter().copied().collect();
    found.retain(|var, _| globals.contains(var));
    for (id, proc) in program.procs.iter() {
        for (block, data) in proc.blocks.iter() {
            let start = if id == entry && block == proc.entry {
                filled
            } else {
                0
            };
            for stmt in &data.stmts[start.min(data.stmts.len())..] {
                for var in stmt.assigned() {
                    found.remove(&var);
                }
            }
        }
    }
    let lookups = count_lookups(program, &found);
    found.retain(|var, table| {
        let lookups = lookups.get(var).copied().unwrap_or(0);
        lookups > 0 && lookups.saturating_mul(table.entries.len()) <= MOST_DECISIONS
    });
    (!found.is_empty()).then_some((found, filled))
}

/// Whether an assignment starts or continues a table.
fn fill(pool: &TermPool, found: &mut FxHashMap<VarId, Table>, var: VarId, value: TermId) -> bool {
    let args = pool.args(value);
    match (pool.op(value), args) {
        (Op::ConstArray(_), [default]) if pool.is_value(*default) => {
            let table = Table {
                entries: BTreeMap::new(),
                default: *default,
            };
            found.insert(var, table);
            true
        }
        (Op::Store, [map, key, stored]) => {
            let number = pool.as_int(*key).or_else(|| pool.as_bv(*key)).cloned();
            let is_same = pool.op(*map) == Op::Var(var);
            match (found.get_mut(&var), number) {
                (Some(table), Some(number)) if is_same && pool.is_value(*stored) => {
                    table.entries.insert(number, (*key, *stored));
                    true
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// How many different lookups with an unknown index there are in each table.
fn count_lookups(program: &Program, tables: &FxHashMap<VarId, Table>) -> FxHashMap<VarId, usize> {
    let pool = &program.pool;
    let mut counts: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let blocks = program.procs.values().flat_map(|proc| proc.blocks.values());
    let mut open: Vec<TermId> = blocks
        .flat_map(|block| block.stmts.iter().flat_map(Stmt::terms))
        .collect();
    while let Some(term) = open.pop() {
        if pool.is_closed(term) || !seen.insert(term) {
            continue;
        }
        if let Some((var, _)) = lookup(pool, term)
            && tables.contains_key(&var)
        {
            *counts.entry(var).or_default() += 1;
        }
        open.extend(pool.children(term));
    }
    counts
}

/// The map variable and the index of a lookup whose index is not constant.
fn lookup(pool: &TermPool, term: TermId) -> Option<(VarId, TermId)> {
    match (pool.op(term), pool.args(term)) {
        (Op::Select, &[map, index]) => match pool.op(map) {
            Op::Var(var) if !pool.is_value(index) => Some((var, index)),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a table at an index, by a binary search over its keys.
fn decide(pool: &mut TermPool, table: &Table, index: TermId) -> TermId {
    let leaf = |pool: &mut TermPool, &(key, value): &(TermId, TermId)| {
        let is_here = pool.eq(index, key);
        (key, pool.ite(is_here, value, table.default))
    };
    // From the leaves upwards: each part with its smallest key.
    let mut parts: Vec<(TermId, TermId)> = table.entries.values().map(|entry| leaf(pool, entry)).collect();
    while parts.len() > 1 {
        let pairs = parts.chunks(2).map(|pair| match *pair {
            [(first, below), (second, above)] => {
                let is_above = at_most(pool, second, index);
                (first, pool.ite(is_above, above, below))
            }
            _ => pair[0],
        });
        parts = pairs.collect();
    }
    parts.first().map_or(table.default, |&(_, decision)| decision)
}

/// `a <= b`, of numbers or of bit-vectors without sign.
fn at_most(pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
    match pool.sort(pool.sort_of(a)) {
        Sort::Bv(_) => pool.bv_op(BvOp::Ule, &[a, b]),
        _ => pool.le(a, b),
    }
}
