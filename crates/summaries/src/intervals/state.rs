//! What is known of the variables at one point of a procedure.

use lariat_term::{Op, Sort, TermId, TermPool, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::interval::Interval;

/// Ranges of variables; a variable that is not there may have any value.
#[derive(Clone, Debug)]
pub(super) struct State {
    error: Option<VarId>,
    ranges: FxHashMap<VarId, Interval>,
    /// Ranges that hold unless the last call failed, which has not been tested yet.
    pending: Vec<(VarId, Interval)>,
}

impl State {
    pub fn new(error: Option<VarId>) -> Self {
        State {
            error,
            ranges: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    fn get(&self, var: VarId) -> Interval {
        self.ranges.get(&var).cloned().unwrap_or(Interval::ALL)
    }

    fn set(&mut self, var: VarId, range: Interval) {
        if range == Interval::ALL {
            self.ranges.remove(&var);
        } else {
            self.ranges.insert(var, range);
        }
    }

    pub fn join(mut self, other: &Self) -> Self {
        self.ranges.retain(|var, range| {
            let joined = other.ranges.get(var).map(|there| range.join(there));
            *range = joined.unwrap_or(Interval::ALL);
            *range != Interval::ALL
        });
        if self.pending != other.pending {
            self.pending.clear();
        }
        self
    }

    pub fn forget(&mut self, vars: &[VarId]) {
        for var in vars {
            self.written(*var);
            self.ranges.remove(var);
        }
    }

    /// What is pending of a variable that is written, or of anything if the flag is, no longer holds.
    fn written(&mut self, var: VarId) {
        if Some(var) == self.error {
            self.pending.clear();
        } else {
            self.pending.retain(|(other, _)| *other != var);
        }
    }

    pub fn assign(&mut self, pool: &TermPool, assignments: &[(VarId, TermId)]) {
        let values: Vec<(VarId, Interval)> = assignments
            .iter()
            .map(|&(var, term)| (var, self.value(pool, term)))
            .collect();
        for (var, value) in values {
            self.written(var);
            self.set(var, value);
        }
    }

    /// After a call with these values; if it may fail they are looked at only when it has not.
    pub fn returned(&mut self, values: impl Iterator<Item = (VarId, Interval)>, may_fail: bool) {
        let values: Vec<(VarId, Interval)> = values.collect();
        for (var, _) in &values {
            self.written(*var);
            self.ranges.remove(var);
        }
        if may_fail {
            self.pending.clear();
        }
        for (var, range) in values {
            if may_fail && Some(var) != self.error {
                self.pending.push((var, range));
            } else {
                self.set(var, range);
            }
        }
    }

    /// The ranges of the outputs, for a call that has not failed.
    pub fn at_return(mut self, outs: &[VarId]) -> Vec<Interval> {
        let failed = self
            .error
            .is_some_and(|error| self.get(error).as_bool() == Some(true));
        // The flag that the caller sees is the one that the last call left.
        self.settle();
        outs.iter()
            .map(|&out| {
                if failed && Some(out) != self.error {
                    Interval::ALL
                } else {
                    self.get(out)
                }
            })
            .collect()
    }

    fn settle(&mut self) -> bool {
        let mut feasible = true;
        for (var, range) in std::mem::take(&mut self.pending) {
            feasible &= self.restrict(var, &range);
        }
        feasible
    }

    /// Narrows a variable; `false` if nothing is left.
    fn restrict(&mut self, var: VarId, range: &Interval) -> bool {
        match self.get(var).meet(range) {
            Some(met) => {
                self.set(var, met);
                true
            }
            None => false,
        }
    }

    /// Narrows by a condition; `false` if it cannot hold.
    pub fn assume(&mut self, pool: &TermPool, condition: TermId) -> bool {
        let mut conjuncts = vec![condition];
        while let Some(term) = conjuncts.pop() {
            if pool.op(term) == Op::And {
                conjuncts.extend(pool.args(term));
            } else if !self.assume_atom(pool, term) {
                return false;
            }
        }
        true
    }

    fn assume_atom(&mut self, pool: &TermPool, atom: TermId) -> bool {
        if self.value(pool, atom).as_bool() == Some(false) {
            return false;
        }
        match pool.op(atom) {
            Op::Var(var) => self.restrict(var, &Interval::of_bool(Some(true))),
            Op::Not => {
                let inner = pool.args(atom)[0];
                match pool.op(inner) {
                    Op::Var(var) => {
                        let feasible = self.restrict(var, &Interval::of_bool(Some(false)));
                        feasible && (Some(var) != self.error || self.settle())
                    }
                    Op::Eq => self.assume_distinct(pool, inner),
                    _ => true,
                }
            }
            Op::Eq => {
                let (a, b) = (pool.args(atom)[0], pool.args(atom)[1]);
                if !is_int(pool, a) {
                    return true;
                }
                let met = self.value(pool, a).meet(&self.value(pool, b));
                let Some(met) = met else { return false };
                self.restrict_term(pool, a, &met) && self.restrict_term(pool, b, &met)
            }
            Op::Le | Op::Lt if is_int(pool, pool.args(atom)[0]) => {
                let (a, b) = (pool.args(atom)[0], pool.args(atom)[1]);
                let step = BigInt::from(u8::from(pool.op(atom) == Op::Lt));
                let below = Interval::at_most(self.value(pool, b).hi.map(|hi| hi - &step));
                let above = Interval::at_least(self.value(pool, a).lo.map(|lo| lo + &step));
                self.restrict_term(pool, a, &below) && self.restrict_term(pool, b, &above)
            }
            _ => true,
        }
    }

    fn assume_distinct(&mut self, pool: &TermPool, equality: TermId) -> bool {
        let (a, b) = (pool.args(equality)[0], pool.args(equality)[1]);
        for (a, b) in [(a, b), (b, a)] {
            if let (Some(var), true) = (pool.as_var(a), is_int(pool, a))
                && let Some(point) = self.value(pool, b).as_point()
            {
                match self.get(var).without(point) {
                    Some(rest) => self.set(var, rest),
                    None => return false,
                }
            }
        }
        true
    }

    fn restrict_term(&mut self, pool: &TermPool, term: TermId, range: &Interval) -> bool {
        pool.as_var(term).is_none_or(|var| self.restrict(var, range))
    }

    /// The range of a term.
    fn value(&self, pool: &TermPool, root: TermId) -> Interval {
        let mut values: FxHashMap<TermId, Interval> = FxHashMap::default();
        pool.visit_subterms(&[root], |term| {
            let args = || pool.args(term).iter().map(|arg| &values[arg]);
            let value = match pool.op(term) {
                Op::Bool(value) => Interval::of_bool(Some(value)),
                Op::Int(_) => pool
                    .as_int(term)
                    .map_or(Interval::ALL, |value| Interval::exactly(value.clone())),
                Op::Var(var) if is_int(pool, term) || is_bool(pool, term) => self.get(var),
                Op::Add if is_int(pool, term) => args().fold(Interval::exactly(0), |sum, arg| sum.add(arg)),
                Op::Mul if is_int(pool, term) => {
                    let (a, b) = (&values[&pool.args(term)[0]], &values[&pool.args(term)[1]]);
                    match (a.as_point(), b.as_point()) {
                        (Some(factor), _) => b.times(factor),
                        (_, Some(factor)) => a.times(factor),
                        _ => Interval::ALL,
                    }
                }
                Op::Mod => match values[&pool.args(term)[1]].as_point() {
                    Some(modulus) if *modulus > BigInt::from(0) => Interval {
                        lo: Some(BigInt::from(0)),
                        hi: Some(modulus - 1),
                    },
                    _ => Interval::ALL,
                },
                Op::Ite => {
                    let (then, otherwise) = (&values[&pool.args(term)[1]], &values[&pool.args(term)[2]]);
                    match values[&pool.args(term)[0]].as_bool() {
                        Some(true) => then.clone(),
                        Some(false) => otherwise.clone(),
                        None => then.join(otherwise),
                    }
                }
                Op::Not => Interval::of_bool(values[&pool.args(term)[0]].as_bool().map(|value| !value)),
                Op::And => Interval::of_bool(junction(args(), false)),
                Op::Or => Interval::of_bool(junction(args(), true)),
                Op::Le | Op::Lt if is_int(pool, pool.args(term)[0]) => {
                    let (a, b) = (&values[&pool.args(term)[0]], &values[&pool.args(term)[1]]);
                    let strict = pool.op(term) == Op::Lt;
                    Interval::of_bool(if a.below(b, strict) {
                        Some(true)
                    } else {
                        b.below(a, !strict).then_some(false)
                    })
                }
                Op::Eq if is_int(pool, pool.args(term)[0]) || is_bool(pool, pool.args(term)[0]) => {
                    let (a, b) = (&values[&pool.args(term)[0]], &values[&pool.args(term)[1]]);
                    let same = a.as_point().is_some() && a.as_point() == b.as_point();
                    Interval::of_bool(if same {
                        Some(true)
                    } else {
                        a.meet(b).is_none().then_some(false)
                    })
                }
                _ => Interval::ALL,
            };
            values.insert(term, value);
        });
        values.remove(&root).unwrap_or(Interval::ALL)
    }
}

fn is_int(pool: &TermPool, term: TermId) -> bool {
    *pool.sort(pool.sort_of(term)) == Sort::Int
}

fn is_bool(pool: &TermPool, term: TermId) -> bool {
    *pool.sort(pool.sort_of(term)) == Sort::Bool
}

/// The value of a junction that one `absorbing` argument decides.
fn junction<'a>(mut args: impl Iterator<Item = &'a Interval>, absorbing: bool) -> Option<bool> {
    let mut all_known = true;
    for arg in &mut args {
        match arg.as_bool() {
            Some(value) if value == absorbing => return Some(absorbing),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!absorbing)
}
