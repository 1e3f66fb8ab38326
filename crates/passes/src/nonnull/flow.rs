//! What a statement does to the facts about pointers.
//!
//! Every function here is monotone: with fewer facts before a statement there are no more after it. So going on with
//! the facts that all ways to a block have in common reaches a fixpoint, and that is right for every execution.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lariat_ir::{AssertId, Call, ProcId, Program, Stmt, StmtKind};
use lariat_term::{BvOp, Op, TermId, TermPool, VarId};
use num_bigint::BigInt;
use num_traits::Zero;
use smallvec::SmallVec;

use crate::bit_set::BitSet;
use crate::free_vars::FreeVars;
use crate::nonnull::universe::{Key, Universe, last_write};

/// What is known of a value; each says more than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Unknown,
    NotNull,
    /// A number above that of null.
    Above,
}

/// Facts about variables, for other procedures.
pub(super) type VarFacts = BTreeMap<VarId, Level>;

/// The null pointer.
#[derive(Clone, Debug)]
pub(super) struct Null {
    pub term: TermId,
    /// Its number, if it is an integer that is known.
    pub number: Option<BigInt>,
}

/// What statements are interpreted with.
pub(super) struct Flow<'a> {
    pub program: &'a Program,
    pub null: &'a Null,
    /// The globals that each procedure may change.
    pub may_write: &'a SecondaryMap<ProcId, Vec<VarId>>,
    pub universe: &'a Universe,
    /// What is known where a procedure returns; `None`: it has not been seen to return.
    pub at_return: &'a SecondaryMap<ProcId, Option<VarFacts>>,
    pub free_vars: &'a mut FreeVars,
    /// Assertions that nothing is known behind: they are for specifications, not for executions.
    pub angelic: &'a BTreeSet<AssertId>,
}

/// Terms are looked into so far.
const MOST_STEPS: usize = 64;

impl Flow<'_> {
    fn pool(&self) -> &TermPool {
        &self.program.pool
    }

    pub(super) fn level_of_var(&self, facts: &BitSet, var: VarId) -> Level {
        self.level_of_key(facts, Key::Var(var))
    }

    fn level_of_key(&self, facts: &BitSet, key: Key) -> Level {
        match self.universe.number(key) {
            Some(number) if facts.contains(2 * number + 1) => Level::Above,
            Some(number) if facts.contains(2 * number) => Level::NotNull,
            _ => Level::Unknown,
        }
    }

    pub(super) fn level(&self, facts: &BitSet, term: TermId) -> Level {
        self.level_within(facts, term, &mut MOST_STEPS.clone())
    }

    fn level_within(&self, facts: &BitSet, term: TermId, steps: &mut usize) -> Level {
        let pool = self.pool();
        let Some(rest) = steps.checked_sub(1) else {
            return Level::Unknown;
        };
        *steps = rest;
        if let (Some(value), Some(null)) = (pool.as_int(term), &self.null.number) {
            return match value.cmp(null) {
                std::cmp::Ordering::Greater => Level::Above,
                std::cmp::Ordering::Less => Level::NotNull,
                std::cmp::Ordering::Equal => Level::Unknown,
            };
        }
        if pool.is_value(term) && pool.is_value(self.null.term) && term != self.null.term {
            return Level::NotNull;
        }
        let known = self.level_of_key(facts, Key::of(pool, term));
        let args = pool.args(term);
        let computed = match pool.op(term) {
            Op::Ite => {
                let yes = self.level_within(facts, args[1], steps);
                yes.min(self.level_within(facts, args[2], steps))
            }
            // The only sum that is known to be above null is one above null and something that is not negative.
            Op::Add if args.len() == 2 && self.null.number.is_some() => match pool.as_int(args[1]) {
                Some(offset) if *offset >= BigInt::zero() => match self.level_within(facts, args[0], steps) {
                    Level::Above => Level::Above,
                    _ => Level::Unknown,
                },
                _ => Level::Unknown,
            },
            _ => Level::Unknown,
        };
        known.max(computed)
    }

    /// Notes what is known of a key, and of all that equals it.
    fn raise(&self, facts: &mut BitSet, key: usize, level: Level) {
        let mut work = vec![key];
        while let Some(key) = work.pop() {
            let bits: &[usize] = match level {
                Level::Unknown => &[],
                Level::NotNull => &[2 * key],
                Level::Above => &[2 * key, 2 * key + 1],
            };
            if bits.iter().all(|&bit| facts.contains(bit)) {
                continue;
            }
            bits.iter().for_each(|&bit| facts.insert(bit));
            let equal = self.universe.equalities_of(key);
            work.extend(
                equal
                    .filter(|&(fact, _)| facts.contains(fact))
                    .map(|(_, other)| other),
            );
        }
    }

    pub(super) fn raise_var(&self, facts: &mut BitSet, var: VarId, level: Level) {
        self.raise_key(facts, Key::Var(var), level);
    }

    fn raise_key(&self, facts: &mut BitSet, key: Key, level: Level) {
        if let Some(number) = self.universe.number(key) {
            self.raise(facts, number, level);
        }
    }

    fn raise_term(&self, facts: &mut BitSet, term: TermId, level: Level) {
        self.raise_key(facts, Key::of(self.pool(), term), level);
    }

    fn make_equal(&self, facts: &mut BitSet, left: Key, right: Key) {
        let (Some(left), Some(right)) = (self.universe.number(left), self.universe.number(right)) else {
            return;
        };
        if let Some(fact) = self.universe.equality(left, right) {
            facts.insert(fact);
            for (from, to) in [(left, right), (right, left)] {
                let level = match (facts.contains(2 * from), facts.contains(2 * from + 1)) {
                    (_, true) => Level::Above,
                    (true, false) => Level::NotNull,
                    _ => continue,
                };
                self.raise(facts, to, level);
            }
        }
    }

    fn forget(&self, facts: &mut BitSet, var: VarId) {
        for &fact in self.universe.mentions(var) {
            facts.remove(fact);
        }
    }

    /// Forgets what a write to one element of the map may change.
    fn forget_element(&self, facts: &mut BitSet, map: VarId, indices: &[TermId]) {
        let kept: Vec<usize> = self
            .universe
            .kept_by_write(self.pool(), map, indices)
            .filter(|&fact| facts.contains(fact))
            .collect();
        self.forget(facts, map);
        kept.into_iter().for_each(|fact| facts.insert(fact));
    }

    /// Whether the condition, or its negation, is known to be false.
    pub(super) fn is_refuted(&self, facts: &BitSet, condition: TermId, positive: bool) -> bool {
        self.is_refuted_within(facts, condition, positive, &mut MOST_STEPS.clone())
    }

    fn is_refuted_within(
        &self,
        facts: &BitSet,
        condition: TermId,
        positive: bool,
        steps: &mut usize,
    ) -> bool {
        let pool = self.pool();
        let Some(rest) = steps.checked_sub(1) else {
            return false;
        };
        *steps = rest;
        let args = pool.args(condition);
        match (pool.op(condition), positive) {
            (Op::Bool(value), _) => value != positive,
            (Op::Not, _) => self.is_refuted_within(facts, args[0], !positive, steps),
            (Op::And, true) | (Op::Or, false) => args
                .iter()
                .any(|&part| self.is_refuted_within(facts, part, positive, steps)),
            (Op::And, false) | (Op::Or, true) => args
                .iter()
                .all(|&part| self.is_refuted_within(facts, part, positive, steps)),
            (Op::Eq, true) => match self.other_than_null(args) {
                Some(other) => self.level(facts, other) > Level::Unknown,
                None => false,
            },
            _ => false,
        }
    }

    fn other_than_null(&self, args: &[TermId]) -> Option<TermId> {
        match *args {
            [left, right] if right == self.null.term => Some(left),
            [left, right] if left == self.null.term => Some(right),
            _ => None,
        }
    }

    /// Adds what a condition says that holds; `false`: it cannot hold.
    pub(super) fn learn(&self, facts: &mut BitSet, condition: TermId) -> bool {
        let pool = self.pool();
        let mut work = vec![(condition, true)];
        while let Some((condition, positive)) = work.pop() {
            let args = pool.args(condition);
            match (pool.op(condition), positive) {
                (Op::Bool(value), _) if value != positive => return false,
                (Op::Not, _) => work.push((args[0], !positive)),
                (Op::And, true) | (Op::Or, false) => {
                    // In the order of the text: a later part may build on an earlier one.
                    work.extend(args.iter().rev().map(|&part| (part, positive)));
                }
                (Op::And, false) | (Op::Or, true) if args.len() <= MOST_STEPS => {
                    let mut possible = args
                        .iter()
                        .filter(|&&part| !self.is_refuted(facts, part, positive));
                    match (possible.next(), possible.next()) {
                        (None, _) => return false,
                        (Some(&part), None) => work.push((part, positive)),
                        _ => {}
                    }
                }
                (Op::Eq, _) => match (self.other_than_null(args), positive) {
                    (Some(other), false) => self.raise_term(facts, other, Level::NotNull),
                    (Some(other), true) if self.level(facts, other) > Level::Unknown => return false,
                    (None, true) => self.learn_equality(facts, args[0], args[1]),
                    _ => {}
                },
                (Op::Lt, true) => self.learn_order(facts, args[0], args[1], true),
                (Op::Lt, false) => self.learn_order(facts, args[1], args[0], false),
                (Op::Le, true) => self.learn_order(facts, args[0], args[1], false),
                (Op::Le, false) => self.learn_order(facts, args[1], args[0], true),
                (Op::Bv2(BvOp::Ult), true) => self.learn_unsigned_order(facts, args[0], args[1], true),
                (Op::Bv2(BvOp::Ult), false) => self.learn_unsigned_order(facts, args[1], args[0], false),
                (Op::Bv2(BvOp::Ule), true) => self.learn_unsigned_order(facts, args[0], args[1], false),
                (Op::Bv2(BvOp::Ule), false) => self.learn_unsigned_order(facts, args[1], args[0], true),
                _ => {}
            }
        }
        true
    }

    fn learn_equality(&self, facts: &mut BitSet, left: TermId, right: TermId) {
        if self.pool().sort_of(left) != self.pool().sort_of(self.null.term) {
            return;
        }
        let level = self.level(facts, left).max(self.level(facts, right));
        for side in [left, right] {
            self.raise_term(facts, side, level);
        }
        self.make_equal(facts, Key::of(self.pool(), left), Key::of(self.pool(), right));
    }

    /// `low < high`, or `low <= high`, of numbers.
    fn learn_order(&self, facts: &mut BitSet, low: TermId, high: TermId, strict: bool) {
        let Some(null) = &self.null.number else {
            return;
        };
        let is_above = match self.pool().as_int(low) {
            Some(low) if strict => low >= null,
            Some(low) => low > null,
            None => self.level(facts, low) == Level::Above,
        };
        if is_above {
            self.raise_term(facts, high, Level::Above);
        }
        let is_below = match self.pool().as_int(high) {
            Some(high) if strict => high <= null,
            Some(high) => high < null,
            None => false,
        };
        if is_below {
            self.raise_term(facts, low, Level::NotNull);
        }
    }

    /// The same of bit-vectors without sign, where null is zero and nothing is below it.
    fn learn_unsigned_order(&self, facts: &mut BitSet, low: TermId, high: TermId, strict: bool) {
        let pool = self.pool();
        let null_is_zero = pool.as_bv(self.null.term).is_some_and(|null| null.is_zero());
        if null_is_zero && (strict || pool.as_bv(low).is_some_and(|low| !low.is_zero())) {
            self.raise_term(facts, high, Level::NotNull);
        }
    }

    /// The facts after the statement; `false`: no execution goes on.
    pub(super) fn step(&mut self, facts: &mut BitSet, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Assert { assert, .. } if self.angelic.contains(assert) => true,
            StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => self.learn(facts, *condition),
            StmtKind::Assign(assignments) => {
                self.assign(facts, assignments);
                true
            }
            StmtKind::Havoc(vars) => {
                vars.iter().for_each(|&var| self.forget(facts, var));
                true
            }
            StmtKind::Call(call) => self.call(facts, call),
            StmtKind::Enter(_) => true,
        }
    }

    fn mentions_any(&mut self, term: TermId, vars: &[VarId]) -> bool {
        let free = self.free_vars.of(&self.program.pool, term);
        vars.iter().any(|var| free.contains(var))
    }

    fn assign(&mut self, facts: &mut BitSet, assignments: &[(VarId, TermId)]) {
        let program = self.program;
        let pool = &program.pool;
        let assigned: SmallVec<[VarId; 4]> = assignments.iter().map(|&(var, _)| var).collect();
        // What is assigned is evaluated before.
        let levels: SmallVec<[Level; 4]> = assignments
            .iter()
            .map(|&(_, value)| {
                let value = last_write(pool, value).map_or(value, |(_, element)| element);
                self.level(facts, value)
            })
            .collect();
        for &(var, value) in assignments {
            match writes_to(pool, var, value) {
                Some(writes) => {
                    for indices in writes {
                        self.forget_element(facts, var, indices);
                    }
                }
                None => self.forget(facts, var),
            }
        }
        for (&(var, value), level) in assignments.iter().zip(levels) {
            let (target, value) = match last_write(pool, value) {
                Some((indices, element)) => {
                    if indices.iter().any(|&index| self.mentions_any(index, &assigned)) {
                        continue;
                    }
                    (self.universe.element(var, indices), element)
                }
                None => (self.universe.number(Key::Var(var)), value),
            };
            let Some(target) = target else { continue };
            self.raise(facts, target, level);
            if !self.mentions_any(value, &assigned)
                && let Some(source) = self.universe.number(Key::of(pool, value))
                && let Some(fact) = self.universe.equality(target, source)
            {
                facts.insert(fact);
            }
        }
    }

    fn call(&mut self, facts: &mut BitSet, call: &Call) -> bool {
        let at_return = self.at_return;
        let Some(known) = &at_return[call.callee] else {
            return false;
        };
        let program = self.program;
        let callee = &program.procs[call.callee];
        let mut changed = self.may_write[call.callee].clone();
        for &global in &changed {
            self.forget(facts, global);
        }
        for (&var, &level) in known {
            if !callee.params.contains(&var) && !callee.outs.contains(&var) {
                self.raise_var(facts, var, level);
            }
        }
        changed.extend(&call.outs);
        for (param, &arg) in callee.params.iter().zip(&call.ins) {
            if let Some(&level) = known.get(param)
                && !self.mentions_any(arg, &changed)
            {
                self.raise_term(facts, arg, level);
            }
        }
        call.outs.iter().for_each(|&out| self.forget(facts, out));
        for (formal, &out) in callee.outs.iter().zip(&call.outs) {
            if let Some(&level) = known.get(formal) {
                self.raise_var(facts, out, level);
            }
        }
        true
    }
}

/// The indices of all writes, if the value is the map itself with some elements written.
fn writes_to(pool: &TermPool, map: VarId, value: TermId) -> Option<Vec<&[TermId]>> {
    let mut writes = Vec::new();
    let mut value = value;
    while let Some((indices, _)) = last_write(pool, value) {
        writes.push(indices);
        value = pool.args(value)[0];
    }
    (pool.as_var(value) == Some(map)).then_some(writes)
}
