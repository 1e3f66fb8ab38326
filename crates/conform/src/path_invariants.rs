//! Predicates beyond branch conditions: invariants of the part of the program that a spurious counterexample runs through.
//!
//! [Magic04] has branch conditions only; a loop that counts has no finite set of them. The states and steps of the path,
//! with the loops that they form, are a small program. If it can never take the last step, that has a proof with one
//! formula at each state (Spacer finds it), which rules out this path and all others that only differ in how often they repeat
//! the loops. Otherwise the path is taken step by step, without loops.
//!
//! The formulas are not trusted: they are predicates, and the abstraction says what follows from them.

use lariat_base::Budget;
use lariat_lts::Stopped;
use lariat_smt::{Ast, CheckResult, Context, Fixedpoint, FixedpointOption, Predicate, SolverError, Watchdog};
use lariat_term::{Op, Sort, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abstraction::Control;
use crate::cfa::{LocationId, Transformer};
use crate::component::Component;
use crate::counterexample::{Condition, Counterexample};

/// Z3's effort for one proof (`rlimit`): this ends one that would seem to hang. Those that are found take a tenth of it.
const EFFORT: u32 = 40_000_000;

/// A step of the path, between numbered places.
struct ProgramStep {
    from: usize,
    to: usize,
    transformer: Transformer,
}

/// Places and the steps between them; the first place is the start.
struct PathProgram {
    places: Vec<Control>,
    steps: Vec<ProgramStep>,
    last: usize,
}

impl Component {
    /// Atomic formulas at states of the counterexample that show that the component cannot go this way; none if no proof
    /// is found with the effort allowed.
    pub fn path_invariants(
        &mut self,
        counterexample: &Counterexample,
        core: &[Condition],
        budget: &Budget,
    ) -> Result<Vec<(LocationId, TermId)>, Stopped> {
        for folded in [true, false] {
            let program = self.path_program(counterexample, folded);
            let vars = self.relevant_variables(&program, counterexample, core);
            let proof = self.prove(&program, &vars, budget);
            budget.check()?;
            // A failure of the solver counts as no proof.
            if let Ok(found) = proof
                && !found.is_empty()
            {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The path; folded, a state that it visits twice is one place.
    fn path_program(&mut self, counterexample: &Counterexample, folded: bool) -> PathProgram {
        let mut places: Vec<Control> = Vec::new();
        let mut known: FxHashMap<Control, usize> = FxHashMap::default();
        let mut on_path = Vec::new();
        for (index, &control) in counterexample.controls.iter().enumerate() {
            let is_last = index + 1 == counterexample.controls.len();
            let place = match known.get(&control) {
                Some(&place) if folded && !is_last => place,
                _ => {
                    places.push(control);
                    known.insert(control, places.len() - 1);
                    places.len() - 1
                }
            };
            on_path.push(place);
        }
        let mut steps: Vec<ProgramStep> = Vec::new();
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        for (index, pair) in on_path.windows(2).enumerate() {
            if seen.insert((pair[0], pair[1])) {
                let (from, to) = (counterexample.controls[index], counterexample.controls[index + 1]);
                steps.push(ProgramStep {
                    from: pair[0],
                    to: pair[1],
                    transformer: self.step_transformer(from, to, counterexample.actions[index]),
                });
            }
        }
        PathProgram {
            last: places.len() - 1,
            places,
            steps,
        }
    }

    /// Variables that the conditions of the core depend on, sorted.
    fn relevant_variables(
        &mut self,
        program: &PathProgram,
        counterexample: &Counterexample,
        core: &[Condition],
    ) -> Vec<VarId> {
        let mut vars: FxHashSet<VarId> = FxHashSet::default();
        for condition in core {
            let Some([from, to]) = counterexample.controls.get(condition.step..condition.step + 2) else {
                continue;
            };
            let action = counterexample.actions[condition.step];
            let transformer = self.step_transformer(*from, *to, action);
            vars.extend(
                self.prover
                    .variables(&self.cfa.pool, transformer.assumption)
                    .iter(),
            );
        }
        let mut changed = true;
        while changed {
            let before = vars.len();
            for step in &program.steps {
                for &(var, term) in &step.transformer.assignments {
                    if vars.contains(&var) {
                        vars.extend(self.prover.variables(&self.cfa.pool, term).iter());
                    }
                }
            }
            changed = vars.len() > before;
        }
        for step in &program.steps {
            for input in &step.transformer.inputs {
                vars.remove(input);
            }
        }
        let mut vars: Vec<VarId> = vars.into_iter().collect();
        vars.sort_unstable();
        vars
    }

    fn prove(
        &mut self,
        program: &PathProgram,
        vars: &[VarId],
        budget: &Budget,
    ) -> Result<Vec<(LocationId, TermId)>, SolverError> {
        let mut context = Context::new()?;
        let _watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        let off = FixedpointOption::Bool(false);
        let options = [
            ("xform.inline_eager", off.clone()),
            ("xform.inline_linear", off.clone()),
            ("xform.slice", off),
            ("rlimit", FixedpointOption::Number(EFFORT)),
        ];
        let mut clauses = Fixedpoint::new(&mut context, &options)?;
        let sorts: Vec<_> = vars.iter().map(|&var| self.cfa.pool.var_sort(var)).collect();
        let mut predicates: Vec<Predicate> = Vec::new();
        for _ in &program.places {
            predicates.push(clauses.declare(&mut context, &self.cfa.pool, "at", &sorts)?);
        }
        let end = clauses.declare(&mut context, &self.cfa.pool, "end", &[])?;
        let current = vars
            .iter()
            .map(|&var| context.var(&self.cfa.pool, var))
            .collect::<Result<Vec<Ast>, _>>()?;
        let start = clauses.atom(&mut context, predicates[0], &current)?;
        clauses.add_clause(&mut context, &current, &[], start)?;
        for step in &program.steps {
            self.add_step(&mut context, &mut clauses, &predicates, step, vars, &current)?;
        }
        let last = clauses.atom(&mut context, predicates[program.last], &current)?;
        let goal = clauses.atom(&mut context, end, &[])?;
        clauses.add_clause(&mut context, &current, &[last], goal)?;
        if clauses.query_within_effort(&mut context, end)? != CheckResult::Unsat {
            return Ok(Vec::new());
        }
        let back: FxHashMap<Ast, VarId> = current.iter().copied().zip(vars.iter().copied()).collect();
        let mut found = Vec::new();
        for (&control, &predicate) in program.places.iter().zip(&predicates) {
            let Control::At(location) = control else { continue };
            let Some(formula) = clauses.interpretation(&mut context, predicate, &current)? else {
                continue;
            };
            // Formulas that cannot be translated back are left out; the others may suffice.
            let Ok(formula) = context.back_translate(&mut self.cfa.pool, formula, &back) else {
                continue;
            };
            for atom in self.atoms(formula) {
                if !found.contains(&(location, atom)) {
                    found.push((location, atom));
                }
            }
        }
        Ok(found)
    }

    /// from(x) ∧ assumption ∧ ranges ⇒ to(x′).
    fn add_step(
        &mut self,
        context: &mut Context,
        clauses: &mut Fixedpoint,
        predicates: &[Predicate],
        step: &ProgramStep,
        vars: &[VarId],
        current: &[Ast],
    ) -> Result<(), SolverError> {
        let transformer = &step.transformer;
        let assigned: FxHashMap<VarId, TermId> = transformer.assignments.iter().copied().collect();
        let mut body_terms: Vec<TermId> = Vec::new();
        let is_known = |var: &VarId| vars.contains(var) || transformer.inputs.contains(var);
        for conjunct in self.cfa.conjuncts(transformer.assumption) {
            let own = self.prover.variables(&self.cfa.pool, conjunct);
            // Without the others the program can only do more.
            if own.iter().all(is_known) {
                body_terms.push(conjunct);
            }
        }
        for var in vars.iter().chain(&transformer.inputs) {
            body_terms.extend(self.cfa.ranges.get(var));
        }
        let mut bound: Vec<Ast> = current.to_vec();
        for &input in &transformer.inputs {
            bound.push(context.var(&self.cfa.pool, input)?);
        }
        let mut body = vec![clauses.atom(context, predicates[step.from], current)?];
        for term in body_terms {
            body.push(context.term(&self.cfa.pool, term)?);
        }
        let mut next = Vec::new();
        for (&var, &ast) in vars.iter().zip(current) {
            next.push(match assigned.get(&var) {
                Some(&term) => context.term(&self.cfa.pool, term)?,
                None => ast,
            });
        }
        let head = clauses.atom(context, predicates[step.to], &next)?;
        clauses.add_clause(context, &bound, &body, head)
    }

    /// The formulas that a formula combines by Boolean operators.
    fn atoms(&self, formula: TermId) -> Vec<TermId> {
        let pool = &self.cfa.pool;
        let is_bool = |term| matches!(pool.sort(pool.sort_of(term)), Sort::Bool);
        let mut atoms = Vec::new();
        let mut open = vec![formula];
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match pool.op(term) {
                Op::Bool(_) => {}
                Op::And | Op::Or | Op::Not => open.extend(pool.args(term)),
                Op::Ite | Op::Eq if pool.args(term).iter().all(|&arg| is_bool(arg)) => {
                    open.extend(pool.args(term));
                }
                _ => atoms.push(term),
            }
        }
        atoms.sort_unstable();
        atoms
    }
}
