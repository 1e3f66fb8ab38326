//! What the analysis of one procedure can know: facts, numbered.
//!
//! A *key* is a variable or a term whose value may be compared with null. Of each key there are two facts: it is not
//! null, and it is above null (which says more). Besides there are facts that two keys are equal, one for each pair
//! that an assignment or an assumption of the procedure makes equal.
//!
//! Keys are the terms that conditions of the procedure compare with null, and whatever assignments copy from or to a
//! key; so their number is at most that of the terms in the procedure's text.

use lariat_ir::{Stmt, StmtKind};
use lariat_term::{BvOp, Op, TermId, TermPool, VarId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::free_vars::FreeVars;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Key {
    Var(VarId),
    /// Anything but a variable.
    Term(TermId),
}

impl Key {
    pub(super) fn of(pool: &TermPool, term: TermId) -> Key {
        pool.as_var(term).map_or(Key::Term(term), Key::Var)
    }
}

/// An index of a map without its literal part, and that part: two indices with the same base differ if their offsets do.
type Base = SmallVec<[TermId; 2]>;

#[derive(Clone, Default)]
pub(super) struct Universe {
    numbers: FxHashMap<Key, usize>,
    /// Where the facts about equality start.
    first_equality: usize,
    equalities: Vec<(usize, usize)>,
    equality_numbers: FxHashMap<(usize, usize), usize>,
    /// For each key its equalities.
    equal: Vec<Vec<usize>>,
    /// For each variable the facts that mention it.
    mentions: FxHashMap<VarId, Vec<usize>>,
    /// Facts that mention a map only in one read at an index with this base.
    reads: FxHashMap<(VarId, Base), Vec<(BigInt, usize)>>,
    /// Keys that read one element of a map, by the map and the index.
    elements: FxHashMap<(VarId, SmallVec<[TermId; 2]>), usize>,
}

impl Universe {
    /// `stmts` is what is analysed, `conditions` what is known besides; `shared` are variables that callers or callees
    /// may know something about.
    pub(super) fn new<'s>(
        pool: &TermPool,
        null: TermId,
        stmts: impl Iterator<Item = &'s Stmt> + Clone,
        conditions: &[TermId],
        shared: impl Iterator<Item = VarId>,
        free_vars: &mut FreeVars,
    ) -> Self {
        let (keys, pairs) = Collector::new(pool, null).collect(stmts, conditions, shared);
        let mut universe = Universe {
            numbers: keys
                .iter()
                .enumerate()
                .map(|(number, &key)| (key, number))
                .collect(),
            first_equality: 2 * keys.len(),
            equalities: Vec::new(),
            equality_numbers: FxHashMap::default(),
            equal: vec![Vec::new(); keys.len()],
            mentions: FxHashMap::default(),
            reads: FxHashMap::default(),
            elements: FxHashMap::default(),
        };
        for (left, right) in pairs {
            universe.add_equality(left, right);
        }
        universe.index(pool, &keys, free_vars);
        universe
    }

    fn add_equality(&mut self, left: Key, right: Key) {
        let (Some(left), Some(right)) = (self.number(left), self.number(right)) else {
            return;
        };
        let pair = (left.min(right), left.max(right));
        let number = self.equalities.len();
        if left != right && !self.equality_numbers.contains_key(&pair) {
            self.equality_numbers.insert(pair, number);
            self.equalities.push(pair);
            self.equal[left].push(number);
            self.equal[right].push(number);
        }
    }

    fn index(&mut self, pool: &TermPool, keys: &[Key], free_vars: &mut FreeVars) {
        for (number, &key) in keys.iter().enumerate() {
            let facts: Vec<usize> = [2 * number, 2 * number + 1]
                .into_iter()
                .chain(
                    self.equal[number]
                        .iter()
                        .map(|&equality| self.first_equality + equality),
                )
                .collect();
            let Key::Term(term) = key else {
                if let Key::Var(var) = key {
                    self.mentions.entry(var).or_default().extend(facts);
                }
                continue;
            };
            if let Some((map, indices)) = element(pool, term) {
                self.elements.insert((map, indices.into()), number);
            }
            for var in free_vars.of(pool, term).to_vec() {
                self.mentions.entry(var).or_default().extend(&facts);
                let Some((base, offset)) = only_read(pool, term, var) else {
                    continue;
                };
                for &fact in &facts {
                    let other = self.other_side(fact, number).map(|other| keys[other]);
                    let is_alone = other.is_none_or(|other| match other {
                        Key::Var(other) => other != var,
                        Key::Term(other) => !free_vars.of(pool, other).contains(&var),
                    });
                    if is_alone {
                        self.reads
                            .entry((var, base.clone()))
                            .or_default()
                            .push((offset.clone(), fact));
                    }
                }
            }
        }
    }

    /// Of a fact that says that the key equals another: that other key.
    fn other_side(&self, fact: usize, key: usize) -> Option<usize> {
        let &(left, right) = self.equalities.get(fact.checked_sub(self.first_equality)?)?;
        Some(if left == key { right } else { left })
    }

    pub(super) fn fact_count(&self) -> usize {
        self.first_equality + self.equalities.len()
    }

    pub(super) fn number(&self, key: Key) -> Option<usize> {
        self.numbers.get(&key).copied()
    }

    pub(super) fn equality(&self, left: usize, right: usize) -> Option<usize> {
        let number = self.equality_numbers.get(&(left.min(right), left.max(right)))?;
        Some(self.first_equality + number)
    }

    /// For each equality of the key its fact and the other key.
    pub(super) fn equalities_of(&self, key: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.equal[key].iter().map(move |&equality| {
            let (left, right) = self.equalities[equality];
            (
                self.first_equality + equality,
                if left == key { right } else { left },
            )
        })
    }

    pub(super) fn mentions(&self, var: VarId) -> &[usize] {
        self.mentions.get(&var).map_or(&[], Vec::as_slice)
    }

    /// The facts that a write to the map at the index does not concern.
    pub(super) fn kept_by_write<'u>(
        &'u self,
        pool: &TermPool,
        map: VarId,
        indices: &[TermId],
    ) -> impl Iterator<Item = usize> + 'u {
        let split = match indices {
            [index] => Some(split_index(pool, *index)),
            _ => None,
        };
        split.into_iter().flat_map(move |(base, written)| {
            let reads = self.reads.get(&(map, base));
            reads
                .into_iter()
                .flatten()
                .filter(move |(offset, _)| *offset != written)
                .map(|&(_, fact)| fact)
        })
    }

    /// The key that is the element of the map at the index.
    pub(super) fn element(&self, map: VarId, indices: &[TermId]) -> Option<usize> {
        self.elements.get(&(map, indices.into())).copied()
    }
}

/// Finds the keys of a procedure and what it makes equal.
struct Collector<'p> {
    pool: &'p TermPool,
    null: TermId,
    /// Terms of the procedure that read one element of a map.
    elements: FxHashMap<(VarId, SmallVec<[TermId; 2]>), TermId>,
    /// Pairs of keys that are equal somewhere.
    pairs: Vec<(Key, Key)>,
    seen: FxHashSet<Key>,
    keys: Vec<Key>,
}

impl<'p> Collector<'p> {
    fn new(pool: &'p TermPool, null: TermId) -> Self {
        Collector {
            pool,
            null,
            elements: FxHashMap::default(),
            pairs: Vec::new(),
            seen: FxHashSet::default(),
            keys: Vec::new(),
        }
    }

    fn collect<'s>(
        mut self,
        stmts: impl Iterator<Item = &'s Stmt> + Clone,
        conditions: &[TermId],
        shared: impl Iterator<Item = VarId>,
    ) -> (Vec<Key>, Vec<(Key, Key)>) {
        let mut roots = conditions.to_vec();
        roots.extend(stmts.clone().flat_map(Stmt::terms));
        let mut terms = Vec::new();
        self.pool.visit_subterms(&roots, |term| terms.push(term));
        for term in terms {
            self.term(term);
        }
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign(assignments) => {
                    for &(var, value) in assignments {
                        self.assignment(var, value);
                    }
                }
                StmtKind::Call(call) => call.ins.iter().for_each(|&term| self.add(term)),
                _ => {}
            }
        }
        shared.for_each(|var| self.add_key(Key::Var(var)));
        self.close();
        (self.keys, self.pairs)
    }

    fn term(&mut self, term: TermId) {
        let pool = self.pool;
        if let Some((map, indices)) = element(pool, term) {
            self.elements.insert((map, indices.into()), term);
        }
        if pool.op(term) == Op::Eq {
            let (left, right) = (pool.args(term)[0], pool.args(term)[1]);
            if left == self.null {
                self.add(right);
            } else if right == self.null {
                self.add(left);
            } else if pool.sort_of(left) == pool.sort_of(self.null) {
                self.pairs.push((Key::of(pool, left), Key::of(pool, right)));
            }
        }
    }

    fn assignment(&mut self, var: VarId, value: TermId) {
        let pool = self.pool;
        if let Some((indices, element)) = last_write(pool, value) {
            if let Some(&read) = self.elements.get(&(var, indices.into())) {
                self.pairs.push((Key::Term(read), Key::of(pool, element)));
            }
        } else if pool.var_sort(var) == pool.sort_of(self.null) {
            self.pairs.push((Key::Var(var), Key::of(pool, value)));
        }
    }

    fn add(&mut self, term: TermId) {
        self.add_key(Key::of(self.pool, term));
    }

    fn add_key(&mut self, key: Key) {
        let pool = self.pool;
        let fits = match key {
            Key::Var(var) => pool.var_sort(var) == pool.sort_of(self.null) && Key::of(pool, self.null) != key,
            Key::Term(term) => pool.sort_of(term) == pool.sort_of(self.null) && !pool.is_value(term),
        };
        if fits && self.seen.insert(key) {
            self.keys.push(key);
        }
    }

    /// What is equal to a key is one, and so is what a key is computed from if that can decide about it.
    fn close(&mut self) {
        let mut partners: FxHashMap<Key, Vec<Key>> = FxHashMap::default();
        for &(left, right) in &self.pairs {
            partners.entry(left).or_default().push(right);
            partners.entry(right).or_default().push(left);
        }
        let mut next = 0;
        while let Some(&key) = self.keys.get(next) {
            next += 1;
            if let Some(partners) = partners.get(&key) {
                partners.iter().for_each(|&partner| self.add_key(partner));
            }
            if let Key::Term(term) = key {
                match self.pool.op(term) {
                    Op::Ite => {
                        let args = self.pool.args(term);
                        self.add(args[1]);
                        self.add(args[2]);
                    }
                    Op::Add => self.pool.args(term).iter().for_each(|&arg| self.add(arg)),
                    _ => {}
                }
            }
        }
    }
}

/// A read of one element of a map variable.
fn element(pool: &TermPool, term: TermId) -> Option<(VarId, &[TermId])> {
    if pool.op(term) != Op::Select {
        return None;
    }
    let (map, indices) = pool.args(term).split_first()?;
    Some((pool.as_var(*map)?, indices))
}

/// Where the last of several writes goes, and what it writes.
pub(super) fn last_write(pool: &TermPool, term: TermId) -> Option<(&[TermId], TermId)> {
    if pool.op(term) != Op::Store {
        return None;
    }
    let (value, rest) = pool.args(term).split_last()?;
    Some((&rest[1..], *value))
}

/// The literal part of an index, and the rest.
fn split_index(pool: &TermPool, index: TermId) -> (Base, BigInt) {
    let literal = |term| pool.as_int(term).or_else(|| pool.as_bv(term)).cloned();
    if let Some(value) = literal(index) {
        return (Base::new(), value);
    }
    let args = pool.args(index);
    match pool.op(index) {
        Op::Add => match args.split_last() {
            Some((&last, rest)) => match literal(last) {
                Some(offset) => (rest.into(), offset),
                None => (args.into(), BigInt::ZERO),
            },
            None => (Base::from_slice(&[index]), BigInt::ZERO),
        },
        Op::Bv2(BvOp::Add) if args.len() == 2 => match (literal(args[0]), literal(args[1])) {
            (None, Some(offset)) => (Base::from_slice(&args[..1]), offset),
            (Some(offset), None) => (Base::from_slice(&args[1..]), offset),
            _ => (Base::from_slice(&[index]), BigInt::ZERO),
        },
        _ => (Base::from_slice(&[index]), BigInt::ZERO),
    }
}

/// Terms of more nodes are not looked at for reads of maps.
const MOST_NODES: usize = 64;

/// The index of the map in the term, if the map occurs in a single read of one index and nowhere else.
fn only_read(pool: &TermPool, term: TermId, map: VarId) -> Option<(Base, BigInt)> {
    let mut found: Option<TermId> = None;
    let mut seen: SmallVec<[TermId; 16]> = SmallVec::from_slice(&[term]);
    let mut next = 0;
    while let Some(&part) = seen.get(next) {
        next += 1;
        if matches!(pool.op(part), Op::Quantifier(_)) || seen.len() > MOST_NODES {
            return None;
        }
        let args = pool.args(part);
        let occurrences = args.iter().filter(|&&arg| pool.as_var(arg) == Some(map)).count();
        if occurrences > 0 {
            let is_read = pool.op(part) == Op::Select && args.len() == 2 && pool.as_var(args[0]) == Some(map);
            if !is_read || occurrences > 1 || found.replace(args[1]).is_some() {
                return None;
            }
        }
        for &arg in args {
            if !pool.is_closed(arg) && !seen.contains(&arg) {
                seen.push(arg);
            }
        }
    }
    found.map(|index| split_index(pool, index))
}
