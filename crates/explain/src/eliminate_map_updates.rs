//! EliminateMapUpdates: `read(write(m, i, v), j) → if i = j then v else read(m, j)`.
//!
//! Case distinctions are lifted to the Boolean structure, so that in the result no atom contains an update or a case
//! distinction. Results are shared: a read is resolved once for each map and index, an operator is applied once to
//! each combination of cases, so a chain of n updates costs n steps for each index that it is read at.
//!
//! The work is done by a stack of tasks; a task that needs others puts them on top and is tried again.

use lariat_smt::SolverError;
use lariat_term::{Op, Sort, SortId, TermId, TermPool};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::decider::Decider;
use crate::linear::compare;

type Args = SmallVec<[TermId; 4]>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Task {
    /// A term of any kind.
    Term(TermId),
    /// An operator on terms without updates, perhaps with cases.
    Lift { op: Op, args: Args, sort: SortId },
    /// A read at an index without cases; the map is as the trace made it, so that only what is read is looked at.
    Read { map: TermId, indices: Args },
}

pub(crate) enum Stop {
    Solver(SolverError),
    /// A limit was reached.
    TooLarge,
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Self {
        Stop::Solver(error)
    }
}

/// What a task gives, or the tasks that it needs.
type Attempt = Result<Result<TermId, SmallVec<[Task; 4]>>, Stop>;

pub(crate) struct MapUpdates<'a, 'c, 'd> {
    decider: &'d mut Decider<'a, 'c>,
    done: FxHashMap<Task, TermId>,
}

impl<'a, 'c, 'd> MapUpdates<'a, 'c, 'd> {
    pub fn new(decider: &'d mut Decider<'a, 'c>) -> Self {
        MapUpdates {
            decider,
            done: FxHashMap::default(),
        }
    }

    /// An equivalent formula without map updates, found in so many steps.
    pub fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: TermId,
        max_steps: usize,
    ) -> Result<TermId, Stop> {
        let limit = self.done.len() + max_steps;
        let root = Task::Term(formula);
        let mut stack = vec![root.clone()];
        while let Some(task) = stack.last() {
            if self.done.contains_key(task) {
                stack.pop();
                continue;
            }
            if self.done.len() >= limit || self.decider.prover.is_late() {
                return Err(Stop::TooLarge);
            }
            let task = task.clone();
            match self.attempt(pool, &task)? {
                Ok(term) => {
                    self.done.insert(task, term);
                    stack.pop();
                }
                Err(needed) => stack.extend(needed),
            }
        }
        Ok(self.done[&root])
    }

    fn attempt(&mut self, pool: &mut TermPool, task: &Task) -> Attempt {
        match task {
            Task::Term(term) => self.term(pool, *term),
            Task::Lift { op, args, sort } => self.lift(pool, *op, args, *sort),
            Task::Read { map, indices } => self.read(pool, *map, indices),
        }
    }

    fn term(&mut self, pool: &mut TermPool, term: TermId) -> Attempt {
        let op = pool.op(term);
        let is_map = matches!(pool.sort(pool.sort_of(term)), Sort::Array { .. });
        if pool.is_closed(term) || is_map && op != Op::Select || matches!(op, Op::Var(_) | Op::Quantifier(_))
        {
            return Ok(Ok(term));
        }
        let mut args = Args::new();
        let mut needed = SmallVec::new();
        for (index, &arg) in pool.args(term).iter().enumerate() {
            // Maps stay as they are until they are read.
            if op == Op::Select && index == 0 {
                args.push(arg);
                continue;
            }
            match self.done.get(&Task::Term(arg)) {
                Some(&done) => args.push(done),
                None => needed.push(Task::Term(arg)),
            }
        }
        if !needed.is_empty() {
            return Ok(Err(needed));
        }
        let sort = pool.sort_of(term);
        Ok(match op {
            Op::Ite => {
                let condition = self.decider.condition(pool, args[0])?;
                Ok(pool.ite(condition, args[1], args[2]))
            }
            Op::Not | Op::And | Op::Or => Ok(pool.rebuild(op, &args, sort)),
            Op::Eq if *pool.sort(pool.sort_of(args[0])) == Sort::Bool => Ok(pool.rebuild(op, &args, sort)),
            _ => self.result(Task::Lift { op, args, sort }),
        })
    }

    fn result(&self, task: Task) -> Result<TermId, SmallVec<[Task; 4]>> {
        self.done.get(&task).copied().ok_or_else(|| smallvec![task])
    }

    /// `f(if c then a else b) → if c then f(a) else f(b)`
    fn lift(&mut self, pool: &mut TermPool, op: Op, args: &Args, sort: SortId) -> Attempt {
        let first = usize::from(op == Op::Select);
        let split = args[first..]
            .iter()
            .filter(|&&arg| has_cases(pool, arg))
            .map(|&arg| pool.args(arg)[0])
            .min();
        let Some(condition) = split else {
            return self.leaf(pool, op, args, sort);
        };
        let case = |which: usize| {
            let part = |index: usize, arg: TermId| {
                let splits = index >= first && has_cases(pool, arg) && pool.args(arg)[0] == condition;
                if splits { pool.args(arg)[which] } else { arg }
            };
            Task::Lift {
                op,
                args: args.iter().enumerate().map(|(i, &arg)| part(i, arg)).collect(),
                sort,
            }
        };
        let (then, otherwise) = (case(1), case(2));
        Ok(match (self.done.get(&then), self.done.get(&otherwise)) {
            (Some(&a), Some(&b)) => Ok(pool.ite(condition, a, b)),
            (a, _) => Err(if a.is_none() {
                smallvec![otherwise, then]
            } else {
                smallvec![otherwise]
            }),
        })
    }

    /// An operator on terms without cases.
    fn leaf(&mut self, pool: &mut TermPool, op: Op, args: &Args, sort: SortId) -> Attempt {
        Ok(match op {
            Op::Eq => Ok(self.decider.equality(pool, args[0], args[1])?),
            Op::Le | Op::Lt => Ok(compare(pool, op, args[0], args[1])),
            Op::Select => self.result(Task::Read {
                map: args[0],
                indices: args[1..].into(),
            }),
            _ => Ok(pool.rebuild(op, args, sort)),
        })
    }

    fn read(&mut self, pool: &mut TermPool, map: TermId, indices: &Args) -> Attempt {
        let mut map = map;
        loop {
            let args: Args = pool.args(map).into();
            match pool.op(map) {
                Op::Store => {
                    let same = match self.same_index(pool, &args[1..args.len() - 1], indices) {
                        Ok(same) => same,
                        Err(needed) => return Ok(Err(needed)),
                    };
                    let same = self.decider.condition(pool, same)?;
                    if pool.as_bool(same) == Some(false) {
                        map = args[0];
                        continue;
                    }
                    let value = Task::Term(args[args.len() - 1]);
                    if pool.as_bool(same) == Some(true) {
                        return Ok(self.result(value));
                    }
                    let indices = indices.clone();
                    return Ok(self
                        .results([
                            value,
                            Task::Read {
                                map: args[0],
                                indices,
                            },
                        ])
                        .map(|[value, rest]| pool.ite(same, value, rest)));
                }
                Op::Ite => {
                    let Some(&condition) = self.done.get(&Task::Term(args[0])) else {
                        return Ok(Err(smallvec![Task::Term(args[0])]));
                    };
                    let condition = self.decider.condition(pool, condition)?;
                    if let Some(value) = pool.as_bool(condition) {
                        map = if value { args[1] } else { args[2] };
                        continue;
                    }
                    let reads = [args[1], args[2]].map(|map| Task::Read {
                        map,
                        indices: indices.clone(),
                    });
                    return Ok(self.results(reads).map(|[a, b]| pool.ite(condition, a, b)));
                }
                Op::ConstArray(_) => return Ok(self.result(Task::Term(args[0]))),
                // A map inside a map.
                Op::Select => {
                    return Ok(self.result(Task::Term(map)).and_then(|inner| match inner == map {
                        true => Ok(pool.select(map, indices)),
                        false => self.result(Task::Read {
                            map: inner,
                            indices: indices.clone(),
                        }),
                    }));
                }
                _ => return Ok(Ok(pool.select(map, indices))),
            }
        }
    }

    fn results(&self, tasks: [Task; 2]) -> Result<[TermId; 2], SmallVec<[Task; 4]>> {
        let [a, b] = tasks;
        match (self.done.get(&a), self.done.get(&b)) {
            (Some(&a), Some(&b)) => Ok([a, b]),
            (Some(_), None) => Err(smallvec![b]),
            (None, Some(_)) => Err(smallvec![a]),
            (None, None) => Err(smallvec![b, a]),
        }
    }

    /// Whether a written index is the one that is read, as a formula.
    fn same_index(
        &mut self,
        pool: &mut TermPool,
        written: &[TermId],
        read: &[TermId],
    ) -> Result<TermId, SmallVec<[Task; 4]>> {
        if written
            .iter()
            .zip(read)
            .any(|(&a, &b)| pool.surely_distinct(a, b))
        {
            return Ok(pool.bool(false));
        }
        let sort = pool.bool_sort();
        let mut equalities = Args::new();
        let mut needed: SmallVec<[Task; 4]> = SmallVec::new();
        for (&written, &b) in written.iter().zip(read) {
            let Some(&a) = self.done.get(&Task::Term(written)) else {
                needed.push(Task::Term(written));
                continue;
            };
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            match self.result(Task::Lift {
                op: Op::Eq,
                args: smallvec![a, b],
                sort,
            }) {
                Ok(equality) => equalities.push(equality),
                Err(tasks) => needed.extend(tasks),
            }
        }
        if needed.is_empty() {
            Ok(pool.and(&equalities))
        } else {
            Err(needed)
        }
    }
}

/// Whether a term is a case distinction that is lifted; those of maps are resolved by reads.
fn has_cases(pool: &TermPool, term: TermId) -> bool {
    pool.op(term) == Op::Ite && !matches!(pool.sort(pool.sort_of(term)), Sort::Bool | Sort::Array { .. })
}
