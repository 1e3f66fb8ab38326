//! Terms of the program in a state.
//!
//! Keys of maps are made numbers where that is possible: an entry is found at once, and a path depends on that entry only. A key that can be
//! one of a few is a reason to split the path.

use lariat_term::{Op, Sort, Substitution, TermId, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::machine::{Held, Machine, Use, Uses};

/// A key with at most this many values splits the path.
const MOST_CASES: usize = 16;
/// Keys with more subterms than this are left as they are.
const MOST_KEY_TERMS: usize = 200;
/// How deep conditions of keys are looked into.
const CONDITION_DEPTH: u32 = 8;

/// The statement is to be executed once under each of these assumptions, one of which holds.
#[derive(Debug)]
pub struct Split {
    pub cases: Vec<TermId>,
}

impl Machine {
    /// The value of a variable.
    pub fn read(&mut self, var: VarId, uses: &mut Uses) -> TermId {
        let Some(slot) = self.slot(var) else {
            return self.program.pool.var(var);
        };
        uses.push(Use::Slot(slot));
        match self.term_of(slot) {
            Some(term) => term,
            None => {
                let sort = self.program.pool.var_sort(var);
                self.start(slot, sort)
            }
        }
    }

    /// The value of a term. `uses` gets what it depends on, also if the path is to be split first.
    pub fn eval(&mut self, root: TermId, uses: &mut Uses) -> Result<TermId, Split> {
        if self.program.pool.is_closed(root) {
            return Ok(root);
        }
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let pool = &self.program.pool;
            if pool.is_closed(term) {
                done.insert(term, term);
                continue;
            }
            let op = pool.op(term);
            let entry_of = self.read_by_entry(term);
            let value = match op {
                Op::Var(var) => self.read(var, uses),
                Op::Quantifier(_) => {
                    let free: Vec<VarId> = pool.free_vars(&[term]).into_iter().collect();
                    let mut values = Substitution::new();
                    for var in free {
                        let value = self.read(var, uses);
                        values.insert(var, value);
                    }
                    values.apply(&mut self.program.pool, term)
                }
                _ if !expanded => {
                    stack.push((term, true));
                    let args = self.program.pool.args(term);
                    let first = usize::from(entry_of.is_some());
                    stack.extend(args[first..].iter().map(|&arg| (arg, false)));
                    continue;
                }
                _ => match entry_of {
                    Some((map, slot)) => {
                        let key = done[&self.program.pool.args(term)[1]];
                        self.read_entry(map, slot, key, uses)?
                    }
                    None => {
                        let old = self.program.pool.args(term);
                        let new: SmallVec<[TermId; 4]> = old.iter().map(|arg| done[arg]).collect();
                        if new.as_slice() == old {
                            term
                        } else {
                            let sort = self.program.pool.sort_of(term);
                            self.program.pool.rebuild(op, &new, sort)
                        }
                    }
                },
            };
            done.insert(term, value);
        }
        Ok(done[&root])
    }

    /// The map of a variable that the term reads one entry of, and its slot.
    fn read_by_entry(&self, term: TermId) -> Option<(VarId, u32)> {
        let pool = &self.program.pool;
        if pool.op(term) != Op::Select {
            return None;
        }
        let &[map, _] = pool.args(term) else {
            return None;
        };
        let var = pool.as_var(map)?;
        Some((var, self.slot(var)?))
    }

    fn read_entry(&mut self, map: VarId, slot: u32, key: TermId, uses: &mut Uses) -> Result<TermId, Split> {
        let key = self.number(key, uses)?;
        if self.program.pool.is_value(key) {
            if matches!(self.slots[slot as usize], Held::Any) {
                let sort = self.program.pool.var_sort(map);
                self.start(slot, sort);
            }
            if let Some(value) = self.entry(slot, key) {
                uses.push(Use::Entry(slot, key));
                return Ok(value);
            }
        }
        let whole = self.read(map, uses);
        Ok(self.program.pool.select(whole, &[key]))
    }

    /// A key as a number, if that is known.
    pub fn number(&mut self, key: TermId, uses: &mut Uses) -> Result<TermId, Split> {
        if self.program.pool.is_value(key) || !self.is_small(key) {
            return Ok(key);
        }
        let (key, undecided) = self.reduced(key, uses);
        if self.program.pool.is_value(key) {
            return Ok(key);
        }
        let Some(symbols) = self.knowledge.symbols_of(&self.program.pool, key) else {
            return Ok(key);
        };
        if let &[symbol] = symbols.as_slice()
            && let Some(of_symbol) = self.knowledge.values(&mut self.program.pool, symbol)
        {
            let mut values: Vec<TermId> = of_symbol
                .into_iter()
                .map(|value| Substitution::from_iter([(symbol, value)]).apply(&mut self.program.pool, key))
                .collect();
            values.sort_unstable();
            values.dedup();
            if values.iter().all(|&value| self.program.pool.is_value(value)) {
                uses.push(Use::Symbol(symbol));
                match values.as_slice() {
                    &[value] => return Ok(value),
                    _ if values.len() <= MOST_CASES => {
                        let cases = values
                            .into_iter()
                            .map(|value| self.program.pool.eq(key, value))
                            .collect();
                        return Err(Split { cases });
                    }
                    _ => return Ok(key),
                }
            }
        }
        for symbol in symbols {
            let Some(values) = self.knowledge.values(&mut self.program.pool, symbol) else {
                continue;
            };
            if (2..=MOST_CASES).contains(&values.len()) {
                uses.push(Use::Symbol(symbol));
                let symbol = self.program.pool.var(symbol);
                let cases = values
                    .into_iter()
                    .map(|value| self.program.pool.eq(symbol, value))
                    .collect();
                return Err(Split { cases });
            }
        }
        match undecided {
            Some(condition) => {
                let opposite = self.program.pool.not(condition);
                Err(Split {
                    cases: vec![condition, opposite],
                })
            }
            None => Ok(key),
        }
    }

    fn is_small(&self, term: TermId) -> bool {
        let mut count = 0;
        self.program.pool.visit_subterms(&[term], |_| count += 1);
        count <= MOST_KEY_TERMS
    }

    /// The term with the branches of conditionals that are decided on this path, and a condition that is not.
    fn reduced(&mut self, root: TermId, uses: &mut Uses) -> (TermId, Option<TermId>) {
        let mut undecided = None;
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let args: SmallVec<[TermId; 4]> = self.program.pool.args(term).iter().copied().collect();
            let op = self.program.pool.op(term);
            if args.is_empty() || matches!(op, Op::Quantifier(_)) {
                done.insert(term, term);
                continue;
            }
            if op == Op::Ite {
                let taken = match self.truth(args[0], CONDITION_DEPTH, uses) {
                    Ok(true) => Some(args[1]),
                    Ok(false) => Some(args[2]),
                    Err(atom) => {
                        undecided = undecided.or(atom);
                        None
                    }
                };
                if let Some(taken) = taken {
                    match done.get(&taken).copied() {
                        Some(value) => drop(done.insert(term, value)),
                        None => stack.extend([(term, false), (taken, false)]),
                    }
                    continue;
                }
            }
            if !expanded {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
                continue;
            }
            let new: SmallVec<[TermId; 4]> = args.iter().map(|arg| done[arg]).collect();
            let sort = self.program.pool.sort_of(term);
            let value = match new == args {
                true => term,
                false => self.program.pool.rebuild(op, &new, sort),
            };
            done.insert(term, value);
        }
        (done[&root], undecided)
    }

    /// Whether a condition holds on this path; otherwise a part of it that is not decided.
    fn truth(&mut self, condition: TermId, depth: u32, uses: &mut Uses) -> Result<bool, Option<TermId>> {
        let depth = depth.checked_sub(1).ok_or(None)?;
        let args: SmallVec<[TermId; 4]> = self.program.pool.args(condition).iter().copied().collect();
        let op = self.program.pool.op(condition);
        match op {
            Op::Not => return self.truth(args[0], depth, uses).map(|value| !value),
            Op::And | Op::Or => {
                let mut undecided = None;
                for arg in args {
                    match self.truth(arg, depth, uses) {
                        Ok(value) if value == (op == Op::Or) => return Ok(value),
                        Ok(_) => {}
                        Err(atom) => undecided = Some(undecided.flatten().or(atom)),
                    }
                }
                return match undecided {
                    Some(atom) => Err(atom),
                    None => Ok(op == Op::And),
                };
            }
            _ => {}
        }
        match self.knowledge.decided(&mut self.program.pool, condition) {
            Some((value, reasons)) => {
                uses.extend(reasons);
                Ok(value)
            }
            None => Err(Some(condition)),
        }
    }

    /// Whether a value is a map that is held by its entries.
    pub fn is_plain_map(&self, var: VarId) -> bool {
        let pool = &self.program.pool;
        matches!(pool.sort(pool.var_sort(var)), Sort::Array { indices, .. } if indices.len() == 1)
    }
}
