//! Clauses to Spacer, and its interpretations back.
//!
//! Spacer's own inlining and slicing are switched off: with them its answer no longer speaks of the
//! predicates that it was asked about (Z3 5.4 then answers `true`, and asked for the cover of a
//! predicate it crashes).

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lariat_base::Budget;
use lariat_smt::{Ast, CheckResult, Context, Fixedpoint, FixedpointOption, Predicate, SolverError, Watchdog};
use lariat_term::{TermId, TermPool, VarId};
use rustc_hash::FxHashMap;

use crate::clauses::{Atom, ClauseSystem, PredicateId};

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

/// Options of Spacer that every question needs.
fn options(seed: u32) -> Vec<(&'static str, FixedpointOption)> {
    let mut options: Vec<(&'static str, FixedpointOption)> =
        ["xform.inline_eager", "xform.inline_linear", "xform.slice"]
            .map(|key| (key, FixedpointOption::Bool(false)))
            .to_vec();
    options.push(("spacer.random_seed", FixedpointOption::Number(seed)));
    options
}

/// Can the goal be derived?
pub fn solve(
    pool: &mut TermPool,
    system: &ClauseSystem,
    seed: u32,
    budget: &Budget,
) -> Result<Solved, SolverError> {
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
        horn: Fixedpoint::new(&mut context, &options(seed))?,
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
