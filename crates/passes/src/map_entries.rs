//! Which entries of global maps have a known value, and which writes leave them alone.
//!
//! The state and the size of every object are in maps by object. Most accesses are to objects with a known number; whether
//! such an access is valid is decided here, where no other write can have met the entry. A write with an unknown key leaves an
//! entry alone if the program has assumed just before that the key is above the entry's, or that the map holds another value there.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lariat_ir::{ProcId, Program, StmtKind};
use lariat_term::{Op, Sort, TermId, TermPool, VarId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::CallGraph;
use crate::constant_facts::is_literal;
use crate::free_vars::FreeVars;

/// Entries of one map that are followed, and of all maps.
const MOST_OF_MAP: usize = 1_024;
const MOST_ENTRIES: usize = 8_192;

/// Assumptions since the start of the block whose variables have kept their values.
#[derive(Default)]
pub(crate) struct Recent {
    conditions: Vec<TermId>,
}

/// So many assumptions are remembered.
const MOST_RECENT: usize = 8;

impl Recent {
    pub(crate) fn clear(&mut self) {
        self.conditions.clear();
    }

    pub(crate) fn assume(&mut self, pool: &TermPool, condition: TermId) {
        let parts = match pool.op(condition) {
            Op::And => pool.args(condition),
            _ => std::slice::from_ref(&condition),
        };
        for &part in parts {
            if matches!(pool.op(part), Op::Le | Op::Or | Op::Eq) {
                if self.conditions.len() >= MOST_RECENT {
                    self.conditions.remove(0);
                }
                self.conditions.push(part);
            }
        }
    }

    pub(crate) fn change(&mut self, pool: &TermPool, free_vars: &mut FreeVars, var: VarId) {
        self.conditions
            .retain(|&condition| !free_vars.of(pool, condition).contains(&var));
    }

    /// What is known of a write to the map at this key.
    fn classify(&self, pool: &TermPool, map: VarId, key: TermId) -> Write {
        if is_literal(pool, key) {
            return Write::At(key);
        }
        for &condition in &self.conditions {
            if let Some(least) = least(pool, condition, key) {
                return Write::NotBelow(least);
            }
            if pool.op(condition) == Op::Eq {
                let args = pool.args(condition);
                for (side, value) in [(args[0], args[1]), (args[1], args[0])] {
                    if pool.op(side) == Op::Select
                        && pool.as_var(pool.args(side)[0]) == Some(map)
                        && pool.args(side)[1..] == [key]
                        && is_literal(pool, value)
                    {
                        return Write::Where(value);
                    }
                }
            }
        }
        Write::Anywhere
    }
}

/// The condition says that the key is at least this number, or zero.
fn least(pool: &TermPool, condition: TermId, key: TermId) -> Option<BigInt> {
    let args = pool.args(condition);
    match pool.op(condition) {
        Op::Le if args[1] == key => pool.as_int(args[0]).cloned(),
        Op::Or => {
            let [one, other] = args else { return None };
            let is_zero = |term: TermId| {
                let args = pool.args(term);
                let is =
                    |number, value: TermId| number == key && pool.as_int(value) == Some(&BigInt::from(0));
                pool.op(term) == Op::Eq && (is(args[0], args[1]) || is(args[1], args[0]))
            };
            match (is_zero(*one), is_zero(*other)) {
                (true, false) => least(pool, *other, key),
                (false, true) => least(pool, *one, key),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Where a map is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Write {
    /// At a literal key.
    At(TermId),
    /// At zero or at a key that is not below this number.
    NotBelow(BigInt),
    /// Where the map holds this literal.
    Where(TermId),
    Anywhere,
}

impl Write {
    /// Whether an entry with this key and value is certainly left alone.
    pub(crate) fn spares(&self, pool: &TermPool, key: TermId, value: TermId) -> bool {
        match self {
            Write::At(other) => *other != key,
            Write::NotBelow(least) => pool
                .as_int(key)
                .is_some_and(|key| *key > BigInt::from(0) && key < least),
            Write::Where(other) => *other != value,
            Write::Anywhere => false,
        }
    }
}

/// What a procedure, with all that it calls, may do to a map.
#[derive(Clone, Default, Debug)]
pub(crate) struct Writes {
    keys: BTreeSet<TermId>,
    least: Option<BigInt>,
    values: BTreeSet<TermId>,
    anywhere: bool,
}

impl Writes {
    fn add(&mut self, write: Write) {
        match write {
            Write::At(key) => {
                self.keys.insert(key);
            }
            Write::NotBelow(least) => {
                self.least = Some(self.least.take().map_or(least.clone(), |old| old.min(least)));
            }
            Write::Where(value) => {
                self.values.insert(value);
            }
            Write::Anywhere => self.anywhere = true,
        }
    }

    fn add_all(&mut self, other: &Writes) {
        self.keys.extend(&other.keys);
        self.values.extend(&other.values);
        if let Some(least) = &other.least {
            self.add(Write::NotBelow(least.clone()));
        }
        self.anywhere |= other.anywhere;
    }

    fn spare(&self, pool: &TermPool, key: TermId, value: TermId) -> bool {
        let below = self.least.clone().map(Write::NotBelow);
        !self.anywhere
            && !self.keys.contains(&key)
            && !self.values.contains(&value)
            && below.is_none_or(|write| write.spares(pool, key, value))
    }
}

/// A map and the stores that the term puts on top of it, the first one first.
fn stores(pool: &TermPool, term: TermId) -> (TermId, Vec<(TermId, TermId)>) {
    let (mut base, mut stores) = (term, Vec::new());
    while pool.op(base) == Op::Store
        && let [map, key, value] = pool.args(base)
    {
        stores.push((*key, *value));
        base = *map;
    }
    stores.reverse();
    (base, stores)
}

/// The numbers of entries, and what procedures do to maps.
pub(crate) struct MapEntries {
    ids: FxHashMap<(VarId, TermId), usize>,
    of_map: FxHashMap<VarId, Vec<(TermId, usize)>>,
    globals: FxHashSet<VarId>,
    writes: SecondaryMap<ProcId, FxHashMap<VarId, Writes>>,
}

impl MapEntries {
    pub(crate) fn new(program: &Program, calls: &CallGraph) -> Self {
        let is_map =
            |var: &VarId| matches!(program.pool.sort(program.pool.var_sort(*var)), Sort::Array { .. });
        let maps = program.globals.iter().copied().filter(is_map);
        let mut entries = MapEntries {
            ids: FxHashMap::default(),
            of_map: FxHashMap::default(),
            globals: maps.collect(),
            writes: SecondaryMap::new(),
        };
        if entries.is_idle() {
            return entries;
        }
        let mut free_vars = FreeVars::default();
        for component in calls.components() {
            let mut all: FxHashMap<VarId, Writes> = FxHashMap::default();
            for &proc in component {
                entries.collect(program, proc, &mut free_vars, &mut all);
            }
            for &proc in component {
                entries.writes[proc] = all.clone();
            }
        }
        entries
    }

    /// Adds what the procedure writes, and what those write that it calls.
    fn collect(
        &self,
        program: &Program,
        proc: ProcId,
        free_vars: &mut FreeVars,
        all: &mut FxHashMap<VarId, Writes>,
    ) {
        let mut recent = Recent::default();
        let pool = &program.pool;
        for block in program.procs[proc].blocks.values() {
            recent.clear();
            for stmt in &block.stmts {
                match &stmt.kind {
                    StmtKind::Assume(condition) => recent.assume(pool, *condition),
                    StmtKind::Assign(assignments) => {
                        for &(var, term) in assignments {
                            if self.globals.contains(&var) {
                                let writes = all.entry(var).or_default();
                                recent
                                    .writes(pool, var, term)
                                    .into_iter()
                                    .for_each(|write| writes.add(write));
                            }
                        }
                    }
                    StmtKind::Havoc(vars) => {
                        for &var in vars.iter().filter(|var| self.globals.contains(var)) {
                            all.entry(var).or_default().add(Write::Anywhere);
                        }
                    }
                    StmtKind::Call(call) => {
                        for (&map, writes) in &self.writes[call.callee] {
                            all.entry(map).or_default().add_all(writes);
                        }
                        for &var in call.outs.iter().filter(|var| self.globals.contains(var)) {
                            all.entry(var).or_default().add(Write::Anywhere);
                        }
                        recent.clear();
                    }
                    StmtKind::Assert { .. } | StmtKind::Enter(_) => {}
                }
                for var in stmt.assigned() {
                    recent.change(pool, free_vars, var);
                }
            }
        }
    }

    /// The number of the entry, which it gets now if it can be followed.
    pub(crate) fn number(&mut self, map: VarId, key: TermId) -> Option<usize> {
        if let Some(&id) = self.ids.get(&(map, key)) {
            return Some(id);
        }
        let id = self.ids.len();
        let of_map = self.of_map.entry(map).or_default();
        if !self.globals.contains(&map) || id >= MOST_ENTRIES || of_map.len() >= MOST_OF_MAP {
            return None;
        }
        of_map.push((key, id));
        self.ids.insert((map, key), id);
        Some(id)
    }

    pub(crate) fn find(&self, map: VarId, key: TermId) -> Option<usize> {
        self.ids.get(&(map, key)).copied()
    }

    /// The entries of the map that have numbers.
    pub(crate) fn of_map(&self, map: VarId) -> &[(TermId, usize)] {
        self.of_map.get(&map).map_or(&[], Vec::as_slice)
    }

    /// Whether a call of the procedure certainly leaves the entry alone.
    pub(crate) fn spared_by_call(
        &self,
        pool: &TermPool,
        callee: ProcId,
        map: VarId,
        key: TermId,
        value: TermId,
    ) -> bool {
        self.writes[callee]
            .get(&map)
            .is_none_or(|writes| writes.spare(pool, key, value))
    }

    /// Whether there are no global maps.
    pub(crate) fn is_idle(&self) -> bool {
        self.globals.is_empty()
    }

    pub(crate) fn capacity() -> usize {
        MOST_ENTRIES
    }
}

impl Recent {
    /// What an assignment of the term does to the map.
    fn writes(&self, pool: &TermPool, map: VarId, term: TermId) -> Vec<Write> {
        let (base, stores) = stores(pool, term);
        if pool.as_var(base) != Some(map) {
            return vec![Write::Anywhere];
        }
        // Conditions are about the map before the assignment; only the first store is done to that.
        let writes = stores.iter().enumerate();
        writes
            .map(|(index, &(key, _))| match self.classify(pool, map, key) {
                Write::Where(_) if index > 0 => Write::Anywhere,
                write => write,
            })
            .collect()
    }

    /// The writes of an assignment to a map in their order, with what is written; `None` where the map becomes another one.
    pub(crate) fn stores(&self, pool: &TermPool, map: VarId, term: TermId) -> Vec<(Write, Option<TermId>)> {
        let (base, stores) = stores(pool, term);
        let values = stores.iter().map(|&(_, value)| Some(value));
        if pool.as_var(base) == Some(map) {
            return self.writes(pool, map, term).into_iter().zip(values).collect();
        }
        let writes = stores.iter().map(|&(key, _)| match is_literal(pool, key) {
            true => Write::At(key),
            false => Write::Anywhere,
        });
        let replaced = [(Write::Anywhere, None)];
        replaced.into_iter().chain(writes.zip(values)).collect()
    }
}

/// The term with known entries in place of lookups.
pub(crate) fn put_in_entries(
    pool: &mut TermPool,
    root: TermId,
    known: impl Fn(VarId, TermId) -> Option<TermId>,
) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![(root, false)];
    while let Some((term, expanded)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        // What is under a quantifier stays: its triggers would have to change too.
        if pool.is_closed(term) || matches!(pool.op(term), Op::Var(_) | Op::Quantifier(_)) {
            done.insert(term, term);
            continue;
        }
        if !expanded {
            stack.push((term, true));
            stack.extend(pool.args(term).iter().map(|&arg| (arg, false)));
            continue;
        }
        let op = pool.op(term);
        let args: Vec<TermId> = pool.args(term).iter().map(|arg| done[arg]).collect();
        let entry = match (op, args.as_slice()) {
            (Op::Select, &[map, key]) => pool.as_var(map).and_then(|map| known(map, key)),
            _ => None,
        };
        let result = match entry {
            Some(value) => value,
            None if args == pool.args(term) => term,
            None => {
                let rebuilt = pool.rebuild(op, &args, pool.sort_of(term));
                // The lookup may have become one in another map.
                match (pool.op(rebuilt), pool.args(rebuilt)) {
                    (Op::Select, &[map, key]) => {
                        let entry = pool.as_var(map).and_then(|map| known(map, key));
                        entry.unwrap_or(rebuilt)
                    }
                    _ => rebuilt,
                }
            }
        };
        done.insert(term, result);
    }
    done[&root]
}
