//! What a program over `bool` and small bit-vectors can do, exactly: all executions, by
//! tabulating for each procedure and start state the states it can return in.
//!
//! A variable without a value (never assigned, or havocked) gets all values of its sort when
//! it is first read. `Int` variables get 0 and 1, so programs must not depend on more.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use cranelift_entity::PrimaryMap;
use lariat_ir::{AssertId, BlockId, Interface, ProcId, Program, StmtKind, Terminator};
use lariat_passes::{CallGraph, ModRef};
use lariat_term::{Sort, Substitution, TermId, VarId};

type Env = Vec<(VarId, Option<TermId>)>;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    task: usize,
    block: BlockId,
    stmt: usize,
    env: Env,
}

#[derive(Default)]
struct Task {
    proc: Option<ProcId>,
    results: Vec<Env>,
    seen: HashSet<Env>,
    waiting: Vec<Point>,
}

/// What can happen.
#[derive(Debug, PartialEq, Eq)]
pub struct Behaviour {
    pub returns: bool,
    pub failures: BTreeSet<AssertId>,
}

/// `None` if there is too much to tabulate.
pub fn behaviour(program: &Program, entry: ProcId, limit: usize) -> Option<Behaviour> {
    explore(program, entry, None, limit)
}

/// The same if procedures see and change only what their interfaces tell: everything else
/// that they could have seen or changed has any value.
pub fn behaviour_through_interfaces(
    program: &Program,
    entry: ProcId,
    interfaces: &PrimaryMap<ProcId, Interface>,
    limit: usize,
) -> Option<Behaviour> {
    explore(program, entry, Some(interfaces), limit)
}

fn explore(
    program: &Program,
    entry: ProcId,
    interfaces: Option<&PrimaryMap<ProcId, Interface>>,
    limit: usize,
) -> Option<Behaviour> {
    let mut oracle = Oracle {
        program: program.clone(),
        tasks: Vec::new(),
        ids: HashMap::new(),
        explored: HashSet::new(),
        work: VecDeque::new(),
        failures: BTreeSet::new(),
        interfaces,
        mod_ref: ModRef::new(program, &CallGraph::new(program)),
    };
    let globals: Env = program.globals.iter().map(|&var| (var, None)).collect();
    let params = program.procs[entry]
        .params
        .iter()
        .map(|&var| (var, None))
        .collect();
    let start = oracle.task(entry, globals, params);
    let initial = program.initial.clone();
    oracle.assume_initially(&initial);
    let mut steps = 0;
    while let Some(point) = oracle.work.pop_front() {
        if oracle.explored.insert(point.clone()) {
            oracle.step(point);
        }
        steps += 1;
        if steps > limit {
            return None;
        }
    }
    Some(Behaviour {
        returns: !oracle.tasks[start].results.is_empty(),
        failures: oracle.failures,
    })
}

struct Oracle<'a> {
    program: Program,
    tasks: Vec<Task>,
    ids: HashMap<(ProcId, Env, Env), usize>,
    explored: HashSet<Point>,
    work: VecDeque<Point>,
    failures: BTreeSet<AssertId>,
    interfaces: Option<&'a PrimaryMap<ProcId, Interface>>,
    mod_ref: ModRef,
}

fn get(env: &Env, var: VarId) -> Option<TermId> {
    env.iter().find(|(v, _)| *v == var).and_then(|&(_, value)| value)
}

fn set(env: &mut Env, var: VarId, value: Option<TermId>) {
    let slot = env
        .iter_mut()
        .find(|(v, _)| *v == var)
        .expect("a variable in scope");
    slot.1 = value;
}

impl Oracle<'_> {
    fn task(&mut self, proc: ProcId, mut globals: Env, mut params: Env) -> usize {
        if let Some(interfaces) = self.interfaces {
            let interface = &interfaces[proc];
            for (var, value) in &mut globals {
                *value = value.filter(|_| interface.ins.contains(var));
            }
            for ((_, value), &live) in params.iter_mut().zip(&interface.live_params) {
                *value = value.filter(|_| live);
            }
        }
        let key = (proc, globals.clone(), params.clone());
        if let Some(&task) = self.ids.get(&key) {
            return task;
        }
        let task = self.tasks.len();
        self.tasks.push(Task {
            proc: Some(proc),
            ..Task::default()
        });
        self.ids.insert(key, task);
        let data = &self.program.procs[proc];
        let mut env = globals;
        env.extend(params);
        env.extend(data.outs.iter().chain(&data.locals).map(|&var| (var, None)));
        self.work.push_back(Point {
            task,
            block: data.entry,
            stmt: 0,
            env,
        });
        task
    }

    fn assume_initially(&mut self, initial: &[TermId]) {
        if initial.is_empty() {
            return;
        }
        let point = self.work.pop_front().expect("the start");
        let mut envs = vec![point.env.clone()];
        for &condition in initial {
            envs = envs
                .into_iter()
                .flat_map(|env| self.choose(&[condition], env))
                .collect();
            envs.retain(|env| {
                let value = self.eval(condition, env);
                self.program.pool.as_bool(value) == Some(true)
            });
        }
        self.work
            .extend(envs.into_iter().map(|env| Point { env, ..point.clone() }));
    }

    /// All ways to give values to the variables that the terms read.
    fn choose(&mut self, terms: &[TermId], env: Env) -> Vec<Env> {
        let vars: Vec<VarId> = self.program.pool.free_vars(terms).into_iter().collect();
        self.choose_vars(vars, env)
    }

    fn choose_vars(&mut self, vars: Vec<VarId>, env: Env) -> Vec<Env> {
        let mut unset = vars;
        unset.retain(|&var| get(&env, var).is_none());
        unset.sort();
        let mut envs = vec![env];
        for var in unset {
            let values = self.values(var);
            envs = envs
                .into_iter()
                .flat_map(|env| {
                    values.iter().map(move |&value| {
                        let mut env = env.clone();
                        set(&mut env, var, Some(value));
                        env
                    })
                })
                .collect();
        }
        envs
    }

    fn values(&mut self, var: VarId) -> Vec<TermId> {
        let pool = &mut self.program.pool;
        match *pool.sort(pool.var_sort(var)) {
            Sort::Bool => vec![pool.bool(false), pool.bool(true)],
            Sort::Int => vec![pool.int(0), pool.int(1)],
            Sort::Bv(width) => (0..1 << width).map(|value| pool.bv(value, width)).collect(),
            ref other => panic!("no values of {other:?}"),
        }
    }

    fn eval(&mut self, term: TermId, env: &Env) -> TermId {
        let known = env.iter().filter_map(|&(var, value)| Some((var, value?)));
        let value = Substitution::from_iter(known).apply(&mut self.program.pool, term);
        assert!(
            self.program.pool.is_closed(value),
            "every variable read has a value"
        );
        value
    }

    fn step(&mut self, point: Point) {
        let proc = self.tasks[point.task].proc.expect("a task has a procedure");
        let data = &self.program.procs[proc].blocks[point.block];
        let Some(stmt) = data.stmts.get(point.stmt).cloned() else {
            match data.terminator.clone() {
                Terminator::Return => self.finish(point, proc),
                Terminator::Goto(targets) => self.work.extend(targets.into_iter().map(|block| Point {
                    block,
                    stmt: 0,
                    ..point.clone()
                })),
            }
            return;
        };
        let next = Point {
            stmt: point.stmt + 1,
            ..point.clone()
        };
        let mut read: Vec<VarId> = self.program.pool.free_vars(&stmt.terms()).into_iter().collect();
        if let (StmtKind::Call(call), Some(interfaces)) = (&stmt.kind, self.interfaces) {
            // The callee gets values, not the right to choose them for its caller.
            read.extend(&interfaces[call.callee].ins);
        }
        for mut env in self.choose_vars(read, point.env.clone()) {
            match &stmt.kind {
                StmtKind::Assume(condition) => {
                    let value = self.eval(*condition, &env);
                    if self.program.pool.as_bool(value) != Some(true) {
                        continue;
                    }
                }
                StmtKind::Assert { condition, assert } => {
                    let value = self.eval(*condition, &env);
                    if self.program.pool.as_bool(value) != Some(true) {
                        self.failures.insert(*assert);
                        continue;
                    }
                }
                StmtKind::Assign(assignments) => {
                    let before = env.clone();
                    for &(var, term) in assignments {
                        let value = self.eval(term, &before);
                        set(&mut env, var, Some(value));
                    }
                }
                StmtKind::Havoc(vars) => vars.iter().for_each(|&var| set(&mut env, var, None)),
                StmtKind::Call(call) => {
                    let params = self.program.procs[call.callee].params.clone();
                    let args: Env = params
                        .into_iter()
                        .zip(&call.ins)
                        .map(|(param, &term)| (param, Some(self.eval(term, &env))))
                        .collect();
                    let globals = env[..self.program.globals.len()].to_vec();
                    let task = self.task(call.callee, globals, args);
                    let waiter = Point { env, ..next.clone() };
                    for result in self.tasks[task].results.clone() {
                        let resumed = self.resume(&waiter, task, &result);
                        self.work.push_back(resumed);
                    }
                    self.tasks[task].waiting.push(waiter);
                    continue;
                }
                StmtKind::Enter(_) => {}
            }
            self.work.push_back(Point { env, ..next.clone() });
        }
    }

    fn finish(&mut self, point: Point, proc: ProcId) {
        let globals = self.program.globals.len();
        let outs = &self.program.procs[proc].outs;
        let mut result: Env = point.env[..globals].to_vec();
        result.extend(outs.iter().map(|&out| (out, get(&point.env, out))));
        if self.tasks[point.task].seen.insert(result.clone()) {
            self.tasks[point.task].results.push(result.clone());
            for waiter in self.tasks[point.task].waiting.clone() {
                let resumed = self.resume(&waiter, point.task, &result);
                self.work.push_back(resumed);
            }
        }
    }

    /// The caller's state after the call before `waiter`.
    fn resume(&self, waiter: &Point, callee: usize, result: &Env) -> Point {
        let globals = self.program.globals.len();
        let mut point = waiter.clone();
        match self.interfaces {
            None => point.env[..globals].clone_from_slice(&result[..globals]),
            Some(interfaces) => {
                let callee = self.tasks[callee].proc.expect("a task has a procedure");
                for (slot, given) in point.env.iter_mut().zip(&result[..globals]) {
                    if interfaces[callee].outs.contains(&slot.0) {
                        slot.1 = given.1;
                    } else if self.mod_ref.writes(callee, slot.0) {
                        slot.1 = None;
                    }
                }
            }
        }
        let caller = self.tasks[waiter.task].proc.expect("a task has a procedure");
        let stmt = &self.program.procs[caller].blocks[waiter.block].stmts[waiter.stmt - 1];
        let StmtKind::Call(call) = &stmt.kind else {
            panic!("resumed after a call")
        };
        debug_assert_eq!(self.tasks[callee].proc, Some(call.callee));
        for (index, (&out, &(_, value))) in call.outs.iter().zip(&result[globals..]).enumerate() {
            let live = self
                .interfaces
                .is_none_or(|interfaces| interfaces[call.callee].live_outs[index]);
            set(&mut point.env, out, value.filter(|_| live));
        }
        point
    }
}
