//! Clauses to Spacer, and its interpretations back.
//!
//! Spacer's own inlining and slicing are switched off: with them its answer no longer speaks of the
//! predicates that it was asked about (Z3 5.4 then answers `true`, and asked for the cover of a
//! predicate it crashes).

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lariat_base::Budget;
use lariat_smt::{
    Ast, CheckResult, Context, Fixedpoint, FixedpointOption, Predicate, Solver, SolverError, Watchdog,
};
use lariat_term::{Op, TermId, TermPool, VarId};
use rustc_hash::FxHashMap;

use crate::clauses::{Atom, ClauseSystem, PredicateId};

/// Effort for finding out that a clause can be dropped.
const MOST_CONFLICTS: u32 = 100;

pub enum Solved {
    /// The goal cannot be derived.
    Underivable(Interpretations),
    Derivable,
    Unknown(String),
}

/// What predicates mean, so that all clauses hold and the goal is false.
pub struct Interpretations {
    definitions: SecondaryMap<PredicateId, Option<TermId>>,
    parameters: PrimaryMap<PredicateId, Vec<VarId>>,
}

impl Interpretations {
    /// The meaning of an atom.
    pub fn of(&self, pool: &mut TermPool, predicate: PredicateId, args: &[TermId]) -> TermId {
        match self.definitions[predicate] {
            Some(definition) => self.parameters[predicate]
                .iter()
                .copied()
                .zip(args.iter().copied())
                .collect::<lariat_term::Substitution>()
                .apply(pool, definition),
            None => pool.bool(true),
        }
    }
}

/// The options of Spacer. Without the propagation of equalities it generalises better: of two programs
/// whose counters must come back to where they were, it proves both at once instead of none.
fn options(guidance: bool, seed: u32) -> Vec<(&'static str, FixedpointOption)> {
    let off = [
        "xform.inline_eager",
        "xform.inline_linear",
        "xform.slice",
        "spacer.eq_prop",
    ];
    let mut options: Vec<(&'static str, FixedpointOption)> =
        off.map(|key| (key, FixedpointOption::Bool(false))).to_vec();
    options.push(("spacer.global", FixedpointOption::Bool(guidance)));
    options.push(("spacer.random_seed", FixedpointOption::Number(seed)));
    options
}

/// Can the goal be derived?
pub fn solve(
    pool: &mut TermPool,
    system: &mut ClauseSystem,
    guidance: bool,
    seed: u32,
    budget: &Budget,
) -> Result<Solved, SolverError> {
    drop_unsatisfiable(pool, system, budget)?;
    let productive = system.productive();
    let relevant = system.relevant(&productive);
    let mut definitions = SecondaryMap::new();
    let mut parameters: PrimaryMap<PredicateId, Vec<VarId>> = PrimaryMap::new();
    for (id, data) in system.predicates.iter() {
        let declare = |&sort| pool.declare_var("parameter", sort);
        parameters.push(data.sorts.iter().map(declare).collect());
        if !productive.contains(id) {
            definitions[id] = Some(pool.bool(false));
        }
    }
    if !productive.contains(system.goal) {
        return Ok(Solved::Underivable(Interpretations {
            definitions,
            parameters,
        }));
    }
    let mut context = Context::new()?;
    let _watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
    let mut spacer = Spacer {
        horn: Fixedpoint::new(&mut context, &options(guidance, seed))?,
        predicates: SecondaryMap::new(),
        context,
    };
    spacer.declare(pool, system, &productive, &relevant)?;
    for clause in &system.clauses {
        if let Err(exhausted) = budget.check() {
            return Ok(Solved::Unknown(exhausted.to_string()));
        }
        let used = relevant.contains(clause.head.predicate)
            && clause
                .atoms
                .iter()
                .all(|atom| productive.contains(atom.predicate));
        if used {
            spacer.add(pool, clause.constraint, &clause.atoms, &clause.head)?;
        }
    }
    let Some(goal) = spacer.predicates[system.goal] else {
        return Ok(Solved::Unknown("the goal has no clause".into()));
    };
    match spacer.horn.query(&mut spacer.context, goal)? {
        CheckResult::Sat => Ok(Solved::Derivable),
        CheckResult::Unknown(reason) => Ok(Solved::Unknown(match budget.check_memory() {
            Err(exhausted) => exhausted.to_string(),
            Ok(()) => format!("Spacer gives up: {reason}"),
        })),
        CheckResult::Unsat => {
            for (id, own) in parameters.iter() {
                if let Some(predicate) = spacer.predicates[id] {
                    definitions[id] = spacer.read(pool, predicate, own)?;
                }
            }
            Ok(Solved::Underivable(Interpretations {
                definitions,
                parameters,
            }))
        }
    }
}

/// Drops clauses whose constraint has no model. Spacer would do so itself, and then say nothing of a
/// predicate that no clause is left for: its interpretation is `false`, not `true` as that of a predicate
/// on which nothing depends.
fn drop_unsatisfiable(
    pool: &TermPool,
    system: &mut ClauseSystem,
    budget: &Budget,
) -> Result<(), SolverError> {
    let mut context = Context::new()?;
    let _watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
    let mut kept = Vec::with_capacity(system.clauses.len());
    let quick = [("smt.max_conflicts".to_owned(), MOST_CONFLICTS.to_string())];
    for clause in std::mem::take(&mut system.clauses) {
        let is_literal = pool.op(clause.constraint) != Op::And;
        if !is_literal && budget.check().is_ok() {
            let mut solver = Solver::new(&mut context, &quick)?;
            let constraint = context.term(pool, clause.constraint)?;
            solver.assert(&mut context, constraint)?;
            if solver.check(&mut context, &[])? == CheckResult::Unsat {
                continue;
            }
        }
        kept.push(clause);
    }
    system.clauses = kept;
    Ok(())
}

struct Spacer {
    horn: Fixedpoint,
    predicates: SecondaryMap<PredicateId, Option<Predicate>>,
    context: Context,
}

impl Spacer {
    fn declare(
        &mut self,
        pool: &TermPool,
        system: &ClauseSystem,
        productive: &EntitySet<PredicateId>,
        relevant: &EntitySet<PredicateId>,
    ) -> Result<(), SolverError> {
        for (id, data) in system.predicates.iter() {
            if productive.contains(id) && relevant.contains(id) {
                let declared = self
                    .horn
                    .declare(&mut self.context, pool, &data.name, &data.sorts)?;
                self.predicates[id] = Some(declared);
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        pool: &TermPool,
        constraint: TermId,
        atoms: &[Atom],
        head: &Atom,
    ) -> Result<(), SolverError> {
        let mut roots = vec![constraint];
        roots.extend(atoms.iter().chain([head]).flat_map(|atom| &atom.args));
        let mut vars: Vec<VarId> = pool.free_vars(&roots).into_iter().collect();
        vars.sort_unstable();
        let vars = vars
            .into_iter()
            .map(|var| self.context.var(pool, var))
            .collect::<Result<Vec<Ast>, _>>()?;
        let mut body = vec![self.context.term(pool, constraint)?];
        for atom in atoms {
            body.push(self.atom(pool, atom)?);
        }
        let head = self.atom(pool, head)?;
        self.horn.add_clause(&mut self.context, &vars, &body, head)
    }

    fn atom(&mut self, pool: &TermPool, atom: &Atom) -> Result<Ast, SolverError> {
        let args = atom
            .args
            .iter()
            .map(|&arg| self.context.term(pool, arg))
            .collect::<Result<Vec<Ast>, _>>()?;
        let predicate = self.predicates[atom.predicate]
            .ok_or_else(|| SolverError("a clause with an undeclared predicate".into()))?;
        self.horn.atom(&mut self.context, predicate, &args)
    }

    fn read(
        &mut self,
        pool: &mut TermPool,
        predicate: Predicate,
        parameters: &[VarId],
    ) -> Result<Option<TermId>, SolverError> {
        let mut names: FxHashMap<Ast, VarId> = FxHashMap::default();
        let mut values = Vec::with_capacity(parameters.len());
        for &var in parameters {
            let value = self.context.var(pool, var)?;
            names.insert(value, var);
            values.push(value);
        }
        let found = self.horn.interpretation(&mut self.context, predicate, &values)?;
        found
            .map(|found| self.context.back_translate(pool, found, &names))
            .transpose()
    }
}
