//! Global maps that are only used at literal keys become variables, one for each key.
//!
//! The members of an object with a known address are such maps when constants have been put in. A variable costs a solver less
//! than a map, and what is inferred of variables is then inferred of them.
//!
//! Maps may be copied to each other, and the program may assume that two are equal: the copies that
//! a map has in the contexts of a program with threads are. Such maps have the same keys, and all of them are split or none. Where two are
//! assumed to be equal, their variables are: that says less, since they may differ at keys that are never read, so it excludes no
//! execution.

use std::collections::BTreeSet;

use lariat_ir::{Program, Stmt, StmtKind};
use lariat_term::{Op, Sort, TermId, TermPool, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::constant_facts::is_literal;

/// Maps with more keys stay maps.
const MOST_KEYS: usize = 64;

/// For each new variable the map and the key that it stands for.
pub type MapEntryVars = FxHashMap<VarId, (VarId, Value)>;

/// Replaces maps by variables. The program is at [`lariat_ir::Stage::Instrumented`].
pub(crate) fn split_maps(program: &mut Program) -> MapEntryVars {
    let mut uses = Uses::new(program);
    for proc in program.procs.values() {
        uses.refuse(proc.params.iter().chain(&proc.outs).chain(&proc.locals));
        for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
            uses.look_at(&program.pool, stmt);
        }
    }
    let others = program.axioms.iter().map(|axiom| axiom.term);
    let others = others.chain(program.initial.iter().copied());
    let guesses = program.candidates.iter().map(|candidate| candidate.term);
    let others: Vec<TermId> = others.chain(guesses).collect();
    uses.refuse(program.pool.free_vars(&others).iter());
    let keys = uses.keys_of_all();
    let mut splitting = Splitting::new(program, keys);
    if splitting.maps.is_empty() {
        return MapEntryVars::default();
    }
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            let mut stmts = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
            stmts.retain_mut(|stmt| splitting.rewrite(&mut program.pool, stmt));
            program.procs[proc].blocks[block].stmts = stmts;
        }
    }
    program.globals.retain(|var| !splitting.maps.contains_key(var));
    splitting.origins
}

/// The keys at which maps are read, as long as nothing else is done with the maps.
struct Uses {
    keys: FxHashMap<VarId, Vec<TermId>>,
    /// Maps of which one is copied to the other, or that are assumed to be equal.
    linked: Vec<(VarId, VarId)>,
    seen: FxHashSet<TermId>,
}

impl Uses {
    fn new(program: &Program) -> Self {
        let is_map = |var: &VarId| match program.pool.sort(program.pool.var_sort(*var)) {
            Sort::Array { indices, .. } => indices.len() == 1,
            _ => false,
        };
        let maps = program.globals.iter().copied().filter(is_map);
        Uses {
            keys: maps.map(|map| (map, Vec::new())).collect(),
            linked: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    fn refuse<'a>(&mut self, vars: impl Iterator<Item = &'a VarId>) {
        for var in vars {
            self.keys.remove(var);
        }
    }

    fn look_at(&mut self, pool: &TermPool, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(assignments) => {
                for &(var, term) in assignments {
                    if self.keys.contains_key(&var) {
                        self.look_at_map(pool, var, term);
                    } else {
                        self.look_into(pool, term);
                    }
                }
            }
            StmtKind::Havoc(vars) => self.refuse(vars.iter()),
            StmtKind::Call(call) => {
                self.refuse(call.outs.iter());
                call.ins.iter().for_each(|&term| self.look_into(pool, term));
            }
            StmtKind::Assume(term) => match equal_maps(pool, *term) {
                Some((left, right)) => self.linked.push((left, right)),
                None => self.look_into(pool, *term),
            },
            StmtKind::Assert { condition, .. } => self.look_into(pool, *condition),
            StmtKind::Enter(_) => {}
        }
    }

    /// What is assigned to a map: stores on top of a map or of a constant map.
    fn look_at_map(&mut self, pool: &TermPool, map: VarId, term: TermId) {
        let (base, stores) = stores(pool, term);
        for &(key, value) in &stores {
            self.look_into(pool, value);
            if !is_literal(pool, key) {
                self.look_into(pool, key);
                self.keys.remove(&map);
            }
        }
        match pool.op(base) {
            Op::Var(var) => self.linked.push((map, var)),
            Op::ConstArray(_) => self.look_into(pool, pool.args(base)[0]),
            _ => {
                self.keys.remove(&map);
                self.look_into(pool, base);
            }
        }
    }

    /// The keys of the maps that can be split: linked ones have the same.
    fn keys_of_all(mut self) -> FxHashMap<VarId, Vec<TermId>> {
        let mut group: FxHashMap<VarId, VarId> = FxHashMap::default();
        fn first(group: &FxHashMap<VarId, VarId>, mut var: VarId) -> VarId {
            while let Some(&next) = group.get(&var) {
                var = next;
            }
            var
        }
        for &(left, right) in &self.linked {
            let (left, right) = (first(&group, left), first(&group, right));
            if left != right {
                // A number is only ever linked to a smaller one.
                group.insert(left.max(right), left.min(right));
            }
        }
        let linked: BTreeSet<VarId> = self
            .linked
            .iter()
            .flat_map(|&(left, right)| [left, right])
            .collect();
        let mut common: FxHashMap<VarId, Option<Vec<TermId>>> = FxHashMap::default();
        for &map in &linked {
            let all = common
                .entry(first(&group, map))
                .or_insert_with(|| Some(Vec::new()));
            match (all.as_mut(), self.keys.get(&map)) {
                (Some(all), Some(own)) => {
                    let new: Vec<TermId> = own.iter().copied().filter(|key| !all.contains(key)).collect();
                    all.extend(new);
                }
                _ => *all = None,
            }
        }
        for map in linked {
            match common.get(&first(&group, map)) {
                Some(Some(all)) => self.keys.insert(map, all.clone()),
                _ => self.keys.remove(&map),
            };
        }
        self.keys
    }

    fn look_into(&mut self, pool: &TermPool, root: TermId) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if pool.is_closed(term) || !self.seen.insert(term) {
                continue;
            }
            match (pool.op(term), pool.args(term)) {
                (Op::Var(var), _) => {
                    self.keys.remove(&var);
                }
                (Op::Quantifier(_), _) => self.refuse(pool.free_vars(&[term]).iter()),
                (Op::Select, &[map, key]) if is_literal(pool, key) && pool.as_var(map).is_some() => {
                    let keys = pool.as_var(map).and_then(|map| self.keys.get_mut(&map));
                    if let Some(keys) = keys
                        && !keys.contains(&key)
                    {
                        keys.push(key);
                    }
                }
                _ => stack.extend(pool.children(term)),
            }
        }
    }
}

/// The maps that an assumption says to be equal.
fn equal_maps(pool: &TermPool, assumed: TermId) -> Option<(VarId, VarId)> {
    let (Op::Eq, &[left, right]) = (pool.op(assumed), pool.args(assumed)) else {
        return None;
    };
    let is_map = matches!(pool.sort(pool.sort_of(left)), Sort::Array { .. });
    Some((pool.as_var(left).filter(|_| is_map)?, pool.as_var(right)?))
}

/// A map and the stores on top of it, the last one first.
fn stores(pool: &TermPool, term: TermId) -> (TermId, Vec<(TermId, TermId)>) {
    let (mut base, mut stores) = (term, Vec::new());
    while pool.op(base) == Op::Store
        && let [map, key, value] = pool.args(base)
    {
        stores.push((*key, *value));
        base = *map;
    }
    (base, stores)
}

/// The value of a literal that is a number.
fn number(pool: &TermPool, literal: TermId) -> Option<Value> {
    match pool.sort(pool.sort_of(literal)) {
        Sort::Int => pool.as_int(literal).cloned().map(Value::Int),
        &Sort::Bv(width) => {
            let value = pool.as_bv(literal)?.clone();
            Some(Value::Bv { value, width })
        }
        _ => None,
    }
}

struct Splitting {
    /// The keys of each map with their variables.
    maps: FxHashMap<VarId, Vec<(TermId, VarId)>>,
    origins: MapEntryVars,
    done: FxHashMap<TermId, TermId>,
}

impl Splitting {
    fn new(program: &mut Program, keys: FxHashMap<VarId, Vec<TermId>>) -> Self {
        let mut maps: FxHashMap<VarId, Vec<(TermId, VarId)>> = FxHashMap::default();
        let mut origins = MapEntryVars::default();
        // In the order of the globals, so that the names and numbers of variables are the same in every run.
        for map in program.globals.clone() {
            let Some(keys) = keys.get(&map).filter(|keys| keys.len() <= MOST_KEYS) else {
                continue;
            };
            let values: Option<Vec<Value>> = keys.iter().map(|&key| number(&program.pool, key)).collect();
            let Some(values) = values else { continue };
            let data = program.pool.var_data(map).clone();
            let Sort::Array { element, .. } = program.pool.sort(data.sort) else {
                continue;
            };
            let element = *element;
            let mut entries = Vec::new();
            for (&key, value) in keys.iter().zip(values) {
                let name = format!("{}[{}]", data.name, program.pool.term_text(key));
                let var = program.pool.declare_var(name, element);
                program.globals.push(var);
                origins.insert(var, (map, value));
                entries.push((key, var));
            }
            maps.insert(map, entries);
        }
        Splitting {
            maps,
            origins,
            done: FxHashMap::default(),
        }
    }

    /// The variable of a map for a key.
    fn entry(&self, map: VarId, key: TermId) -> Option<VarId> {
        let mut entries = self.maps.get(&map)?.iter();
        entries.find(|(other, _)| *other == key).map(|&(_, var)| var)
    }

    /// Whether anything is left of the statement.
    fn rewrite(&mut self, pool: &mut TermPool, stmt: &mut Stmt) -> bool {
        match &mut stmt.kind {
            StmtKind::Assume(term) => {
                let split = equal_maps(pool, *term)
                    .and_then(|(left, right)| Some((self.maps.get(&left)?, self.maps.get(&right)?)));
                *term = match split {
                    Some((left, right)) => {
                        let mut equal = Vec::new();
                        for ((_, left), (_, right)) in left.iter().zip(right) {
                            let (left, right) = (pool.var(*left), pool.var(*right));
                            equal.push(pool.eq(left, right));
                        }
                        pool.and(&equal)
                    }
                    None => self.without_maps(pool, *term),
                };
            }
            StmtKind::Assert { condition, .. } => *condition = self.without_maps(pool, *condition),
            StmtKind::Call(call) => {
                for term in &mut call.ins {
                    *term = self.without_maps(pool, *term);
                }
            }
            StmtKind::Assign(assignments) => {
                let mut split: SmallVec<[(VarId, TermId); 1]> = SmallVec::new();
                for &(var, term) in assignments.iter() {
                    match self.maps.get(&var).cloned() {
                        None => split.push((var, self.without_maps(pool, term))),
                        Some(entries) => {
                            let (base, stores) = stores(pool, term);
                            for (key, entry) in entries {
                                let stored = stores.iter().find(|(other, _)| *other == key);
                                let value = match (stored, pool.op(base)) {
                                    (Some(&(_, value)), _) => self.without_maps(pool, value),
                                    (None, Op::ConstArray(_)) => {
                                        let value = pool.args(base)[0];
                                        self.without_maps(pool, value)
                                    }
                                    (None, Op::Var(other)) if other != var => match self.entry(other, key) {
                                        Some(copied) => pool.var(copied),
                                        None => continue,
                                    },
                                    (None, _) => continue,
                                };
                                split.push((entry, value));
                            }
                        }
                    }
                }
                *assignments = split.into_iter().collect();
                return !assignments.is_empty();
            }
            StmtKind::Havoc(_) | StmtKind::Enter(_) => {}
        }
        true
    }

    fn without_maps(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let entry = match (pool.op(term), pool.args(term)) {
                (Op::Select, &[map, key]) => pool.as_var(map).and_then(|map| self.entry(map, key)),
                _ => None,
            };
            if let Some(var) = entry {
                let var = pool.var(var);
                self.done.insert(term, var);
            } else if pool.is_closed(term) || matches!(pool.op(term), Op::Var(_) | Op::Quantifier(_)) {
                self.done.insert(term, term);
            } else if !expanded {
                stack.push((term, true));
                stack.extend(pool.args(term).iter().map(|&arg| (arg, false)));
            } else {
                let args: Vec<TermId> = pool.args(term).iter().map(|arg| self.done[arg]).collect();
                let new = pool.rebuild(pool.op(term), &args, pool.sort_of(term));
                self.done.insert(term, new);
            }
        }
        self.done[&root]
    }
}
