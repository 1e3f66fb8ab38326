//! The verification condition of a path, abstracted: for one set of tracked globals ([Corral12] Fig. 3)
//! or for all of them at once, with a Boolean for each global (Fig. 5).
//!
//! Both are static single assignment along the path. A value that is neither a variable nor a literal gets a
//! name, so a condition is linear in the length of the path; names that no assumption depends on are left
//! out.

use std::collections::{BTreeMap, BTreeSet};

use lariat_base::Budget;
use lariat_smt::{Ast, CheckResult, Context, Solver, SolverError, Stop, Watchdog};
use lariat_term::{Substitution, TermId, TermPool, VarId, VarSet};
use rustc_hash::FxHashMap;

use crate::path_program::{PathProgram, PathStmt, PathTerm};
use crate::refine::{RefineOptions, RefineStats};

/// Whether there is an execution along a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasibility {
    Feasible,
    Infeasible,
    /// The solver gave up, with its reason.
    Unknown(String),
}

/// The values of variables at a point of the path.
struct Values<'a> {
    pool: &'a mut TermPool,
    /// Variables that are not here have their initial value, which they stand for themselves.
    current: FxHashMap<VarId, TermId>,
    conjuncts: Vec<Conjunct>,
}

enum Conjunct {
    Assumed(TermId),
    /// The second term, perhaps under a guard, says what the first, an incarnation, equals. Whatever
    /// the rest is, it can be satisfied by a choice of the incarnation.
    Defines(TermId, TermId),
}

impl<'a> Values<'a> {
    fn new(pool: &'a mut TermPool) -> Self {
        Values {
            pool,
            current: FxHashMap::default(),
            conjuncts: Vec::new(),
        }
    }

    fn value(&mut self, term: &PathTerm) -> TermId {
        let mut substitution = Substitution::new();
        for var in term.vars.iter() {
            if let Some(&value) = self.current.get(var) {
                substitution.insert(*var, value);
            }
        }
        substitution.apply(self.pool, term.term)
    }

    /// A new incarnation of the variable.
    fn incarnation(&mut self, var: VarId) -> TermId {
        let data = self.pool.var_data(var).clone();
        let incarnation = self.pool.declare_var(data.name, data.sort);
        self.pool.var(incarnation)
    }

    /// The value itself if it is small, or an incarnation that equals it.
    fn named(&mut self, var: VarId, value: TermId) -> TermId {
        if self.pool.as_var(value).is_some() || self.pool.is_value(value) {
            return value;
        }
        let name = self.incarnation(var);
        let definition = self.pool.eq(name, value);
        self.conjuncts.push(Conjunct::Defines(name, definition));
        name
    }

    fn havoc(&mut self, var: VarId) {
        let incarnation = self.incarnation(var);
        self.current.insert(var, incarnation);
    }

    /// The conjuncts without definitions of what nothing depends on.
    fn finish(self) -> Vec<TermId> {
        let mut needed = VarSet::default();
        let mut kept = Vec::new();
        for conjunct in self.conjuncts.into_iter().rev() {
            let term = match conjunct {
                Conjunct::Assumed(term) => term,
                Conjunct::Defines(name, definition) => {
                    if self.pool.as_var(name).is_none_or(|name| needed.contains(&name)) {
                        definition
                    } else {
                        continue;
                    }
                }
            };
            self.pool.collect_free_vars(&[term], &mut needed);
            kept.push(term);
        }
        kept.reverse();
        kept
    }
}

/// The condition of `Abstract(P, T)` (Fig. 3): the conjuncts are satisfiable if and only if the
/// abstract path has an execution.
fn abstract_vc(path: &mut PathProgram, tracked: &BTreeSet<VarId>) -> Vec<TermId> {
    let error = path.error;
    let all_globals = &path.all_globals;
    let is_tracked = |global: &VarId| tracked.contains(global) || Some(*global) == error;
    let is_kept = |var: &VarId| !all_globals.contains(var) || is_tracked(var);
    let mut values = Values::new(&mut path.pool);
    for stmt in &path.stmts {
        match stmt {
            PathStmt::Assume(condition) => {
                if condition.globals.iter().all(is_tracked) {
                    let condition = values.value(condition);
                    values.conjuncts.push(Conjunct::Assumed(condition));
                }
            }
            PathStmt::Assign(assignments) => {
                let mut new = Vec::with_capacity(assignments.len());
                for (var, term) in assignments {
                    if !is_kept(var) {
                        continue;
                    }
                    let value = if term.globals.iter().all(is_tracked) {
                        let value = values.value(term);
                        values.named(*var, value)
                    } else {
                        values.incarnation(*var)
                    };
                    new.push((*var, value));
                }
                values.current.extend(new);
            }
            PathStmt::Havoc(vars) => {
                for &var in vars.iter().filter(|var| is_kept(var)) {
                    values.havoc(var);
                }
            }
        }
    }
    values.finish()
}

/// `Abstract(P, T)` and `check` of Algorithm 1 and of Storm: for each set a new abstraction with a new
/// condition in a new solver.
pub(crate) struct FreshVc<'a> {
    path: &'a mut PathProgram,
    options: &'a RefineOptions,
    budget: &'a Budget,
    context: Context,
    pub stats: RefineStats,
    _watchdog: Watchdog,
}

impl<'a> FreshVc<'a> {
    pub(crate) fn new(
        path: &'a mut PathProgram,
        options: &'a RefineOptions,
        budget: &'a Budget,
    ) -> Result<Self, Stop> {
        let context = Context::new()?;
        let watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        Ok(FreshVc {
            path,
            options,
            budget,
            context,
            stats: RefineStats::default(),
            _watchdog: watchdog,
        })
    }

    /// Has `Abstract(P, T)` an execution?
    pub(crate) fn feasibility(&mut self, tracked: &BTreeSet<VarId>) -> Result<Feasibility, Stop> {
        self.budget.check_memory()?;
        let constraints = abstract_vc(self.path, tracked);
        let context = &mut self.context;
        let mut solver = Solver::new(context, &self.options.solver_options)?;
        for &formula in self.path.axioms.iter().chain(&constraints) {
            let ast = context.term(&self.path.pool, formula)?;
            solver.assert(context, ast)?;
        }
        let answer = solver.check(context, &[])?;
        self.stats.solver_calls += solver.stats().checks;
        self.stats.solver_seconds += solver.stats().seconds;
        self.budget.check_memory()?;
        Ok(feasibility(answer))
    }
}

fn feasibility(answer: CheckResult) -> Feasibility {
    match answer {
        CheckResult::Sat => Feasibility::Feasible,
        CheckResult::Unsat => Feasibility::Infeasible,
        CheckResult::Unknown(reason) => Feasibility::Unknown(reason),
    }
}

/// The condition of the parameterised abstraction of Fig. 5 with the Booleans `b_v`.
struct ParameterisedVc {
    booleans: BTreeMap<VarId, VarId>,
    constraints: Vec<TermId>,
}

/// Fig. 5. Globals in `tracked` need no Boolean: theirs would be set to true anyway.
///
/// The first case of Fig. 5 (a), `¬Tracked(v)`, leaves `v` as it is; here it is the value that tracking
/// `v` would give it. The difference does not matter, since every use of `v` is under its `b_v`. So
/// `v := e` needs no Boolean for `v` itself, and no equation at all if `e` has no other global.
fn parameterised_vc(path: &mut PathProgram, tracked: &BTreeSet<VarId>) -> ParameterisedVc {
    let mut booleans = BTreeMap::new();
    let bool_sort = path.pool.bool_sort();
    for &global in path.globals().clone().iter() {
        if !tracked.contains(&global) && Some(global) != path.error {
            let name = format!("track {}", path.pool.var_name(global));
            booleans.insert(global, path.pool.declare_var(name, bool_sort));
        }
    }
    let mut values = Values::new(&mut path.pool);
    // ¬Tracked(e) without the Boolean of `except`, as the start of a clause.
    let untracked = |pool: &mut TermPool, term: &PathTerm, except: Option<VarId>| -> Vec<TermId> {
        let mut clause = Vec::with_capacity(term.globals.len() + 1);
        for global in term.globals.iter().filter(|&&global| Some(global) != except) {
            if let Some(&boolean) = booleans.get(global) {
                let boolean = pool.var(boolean);
                clause.push(pool.not(boolean));
            }
        }
        clause
    };
    for stmt in &path.stmts {
        match stmt {
            PathStmt::Assume(condition) => {
                let mut clause = untracked(values.pool, condition, None);
                clause.push(values.value(condition));
                let clause = values.pool.or(&clause);
                values.conjuncts.push(Conjunct::Assumed(clause));
            }
            PathStmt::Assign(assignments) => {
                let mut new = Vec::with_capacity(assignments.len());
                for (var, term) in assignments {
                    let value = values.value(term);
                    let mut clause = untracked(values.pool, term, Some(*var));
                    if clause.is_empty() {
                        new.push((*var, values.named(*var, value)));
                        continue;
                    }
                    let name = values.incarnation(*var);
                    clause.push(values.pool.eq(name, value));
                    let definition = values.pool.or(&clause);
                    values.conjuncts.push(Conjunct::Defines(name, definition));
                    new.push((*var, name));
                }
                values.current.extend(new);
            }
            PathStmt::Havoc(vars) => vars.iter().for_each(|&var| values.havoc(var)),
        }
    }
    let constraints = values.finish();
    ParameterisedVc {
        booleans,
        constraints,
    }
}

/// `check(VC(P) ∧ ψ)` of Algorithm 2: the condition is in the solver once, `ψ` is a list of assumptions.
pub(crate) struct IncrementalVc<'a> {
    context: Context,
    solver: Solver,
    /// For each global the literals `b` and `¬b`, in the order of the globals.
    literals: BTreeMap<VarId, (Ast, Ast)>,
    budget: &'a Budget,
    _watchdog: Watchdog,
}

impl<'a> IncrementalVc<'a> {
    pub(crate) fn new(
        path: &mut PathProgram,
        tracked: &BTreeSet<VarId>,
        options: &RefineOptions,
        budget: &'a Budget,
    ) -> Result<Self, Stop> {
        let vc = parameterised_vc(path, tracked);
        let mut context = Context::new()?;
        let mut solver = Solver::new(&mut context, &options.solver_options)?;
        for &formula in path.axioms.iter().chain(&vc.constraints) {
            let ast = context.term(&path.pool, formula)?;
            solver.assert(&mut context, ast)?;
        }
        let mut literals = BTreeMap::new();
        for (&global, &boolean) in &vc.booleans {
            let yes = context.var(&path.pool, boolean)?;
            let no = context.not(yes)?;
            literals.insert(global, (yes, no));
        }
        let watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        Ok(IncrementalVc {
            context,
            solver,
            literals,
            budget,
            _watchdog: watchdog,
        })
    }

    /// `ψ` for the set: its Booleans are true and all others false.
    fn assumptions(&self, tracked: &BTreeSet<VarId>) -> Vec<Ast> {
        let literal = |(global, &(yes, no)): (&VarId, &(Ast, Ast))| {
            if tracked.contains(global) { yes } else { no }
        };
        self.literals.iter().map(literal).collect()
    }

    pub(crate) fn feasibility(&mut self, tracked: &BTreeSet<VarId>) -> Result<Feasibility, Stop> {
        self.budget.check_memory()?;
        let assumptions = self.assumptions(tracked);
        let answer = self.solver.check(&mut self.context, &assumptions)?;
        self.budget.check_memory()?;
        Ok(feasibility(answer))
    }

    /// The globals of `tracked` that the last answer `Infeasible`, which was about them, needed.
    pub(crate) fn core(&self, tracked: &BTreeSet<VarId>) -> Result<BTreeSet<VarId>, SolverError> {
        let assumptions = self.assumptions(tracked);
        let globals: Vec<VarId> = self.literals.keys().copied().collect();
        let core = self.solver.unsat_core(&self.context, &assumptions)?;
        Ok(core
            .into_iter()
            .map(|position| globals[position])
            .filter(|global| tracked.contains(global))
            .collect())
    }

    pub(crate) fn stats(&self) -> RefineStats {
        let stats = self.solver.stats();
        RefineStats {
            solver_calls: stats.checks,
            solver_seconds: stats.seconds,
            seconds: 0.0,
        }
    }
}

impl PathProgram {
    /// Is there an execution along the path, with all globals?
    pub fn feasibility(&mut self, options: &RefineOptions, budget: &Budget) -> Result<Feasibility, Stop> {
        let all = self.globals().clone();
        FreshVc::new(self, options, budget)?.feasibility(&all)
    }

    /// Is there one with only these globals (and the error flag) tracked?
    pub fn abstract_feasibility(
        &mut self,
        tracked: &BTreeSet<VarId>,
        options: &RefineOptions,
        budget: &Budget,
    ) -> Result<Feasibility, Stop> {
        FreshVc::new(self, options, budget)?.feasibility(tracked)
    }
}
