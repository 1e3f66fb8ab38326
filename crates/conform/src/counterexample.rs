//! Counterexamples of one component and CECheck (Fig. 7): can the component itself go this way?
//!
//! The path is followed forwards, which gives the same formula as the weakest precondition of Fig. 7, with each condition
//! kept apart: an unsatisfiable core names those that exclude each other, and a model gives the values with which
//! [`crate::replay`] executes the path.

use lariat_base::Budget;
use lariat_lts::{ActionId, Stopped};
use lariat_smt::{Ast, CheckResult, Context, Solver, Watchdog};
use lariat_term::{Substitution, TermId, Value, VarId};
use rustc_hash::FxHashSet;

use crate::abstraction::Control;
use crate::cfa::Transformer;
use crate::component::Component;
use crate::prover::failed;
use crate::replay::replay;

/// A path of MP without its valuations (Definition 9).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Counterexample {
    /// Starts with [`Control::Init`].
    pub controls: Vec<Control>,
    /// The action of each step; one fewer than states.
    pub actions: Vec<ActionId>,
}

/// A condition that a step of the path sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The index of the step.
    pub step: usize,
    /// Over the values at the start and inputs.
    pub term: TermId,
}

/// What CECheck found.
#[derive(Clone, Debug)]
pub enum PathCheck {
    /// The component can go this way, with these values.
    Feasible(Vec<ConcreteStep>),
    /// The solver says so, but executing it with the solver's values goes another way.
    Unconfirmed {
        steps: Vec<ConcreteStep>,
        reason: String,
    },
    /// These conditions exclude each other.
    Spurious { core: Vec<Condition> },
    /// The solver gave up.
    Unknown(String),
}

/// A step of the component and what was assigned in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConcreteStep {
    pub control: Control,
    /// Variables that hold scalars.
    pub values: Vec<(VarId, Value)>,
}

/// The path in terms of the values at the start and of the inputs on the way.
pub struct SymbolicPath {
    pub conditions: Vec<Condition>,
    pub steps: Vec<Transformer>,
    /// The inputs of each step, and the variables that stand for their values in the conditions.
    pub inputs: Vec<Vec<(VarId, VarId)>>,
}

impl Component {
    /// CECheck.
    pub fn check(&mut self, counterexample: &Counterexample, budget: &Budget) -> Result<PathCheck, Stopped> {
        let path = self.symbolic_path(counterexample);
        let terms: Vec<TermId> = path.conditions.iter().map(|condition| condition.term).collect();
        if let Some(&never) = path
            .conditions
            .iter()
            .find(|condition| self.cfa.pool.as_bool(condition.term) == Some(false))
        {
            return Ok(PathCheck::Spurious { core: vec![never] });
        }
        let mut context = Context::new().map_err(failed)?;
        let mut solver = Solver::new(
            &mut context,
            &[("smt.core.minimize".to_owned(), "true".to_owned())],
        )
        .map_err(failed)?;
        let _watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        for known in self.known_of(&terms) {
            let known = context.term(&self.cfa.pool, known).map_err(failed)?;
            solver.assert(&mut context, known).map_err(failed)?;
        }
        let mut assumptions: Vec<Ast> = Vec::new();
        for &term in &terms {
            let formula = context.term(&self.cfa.pool, term).map_err(failed)?;
            assumptions.push(solver.assert_tracked(&mut context, formula).map_err(failed)?);
        }
        match solver.check(&mut context, &assumptions).map_err(failed)? {
            CheckResult::Unknown(reason) => {
                budget.check_memory()?;
                Ok(PathCheck::Unknown(reason))
            }
            CheckResult::Unsat => {
                let core = solver.unsat_core(&context, &assumptions).map_err(failed)?;
                let core = core.into_iter().map(|index| path.conditions[index]).collect();
                Ok(PathCheck::Spurious { core })
            }
            CheckResult::Sat => {
                let model = solver.model(&context).map_err(failed)?;
                let steps = |values: Vec<Vec<(VarId, Value)>>| -> Vec<ConcreteStep> {
                    let controls = counterexample.controls[1..].iter();
                    controls
                        .zip(values)
                        .map(|(&control, values)| ConcreteStep { control, values })
                        .collect()
                };
                Ok(match replay(&self.cfa, &path, &mut context, &model) {
                    Ok(values) => PathCheck::Feasible(steps(values)),
                    Err(reason) => PathCheck::Unconfirmed {
                        steps: steps(vec![Vec::new(); path.steps.len()]),
                        reason,
                    },
                })
            }
        }
    }

    /// Axioms, and the ranges of all variables of the terms.
    fn known_of(&mut self, terms: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        let mut known = self.cfa.axioms.clone();
        for &term in terms {
            for &var in self.prover.variables(&self.cfa.pool, term).iter() {
                if seen.insert(var) {
                    known.extend(self.cfa.ranges.get(&var));
                }
            }
        }
        known
    }

    /// Follows the path.
    pub fn symbolic_path(&mut self, counterexample: &Counterexample) -> SymbolicPath {
        let mut follower = Follower {
            component: self,
            values: Substitution::new(),
            path: SymbolicPath {
                conditions: Vec::new(),
                steps: Vec::new(),
                inputs: Vec::new(),
            },
        };
        for (step, pair) in counterexample.controls.windows(2).enumerate() {
            follower.step(step, pair[0], pair[1], counterexample.actions[step]);
        }
        follower.path
    }
}

struct Follower<'c> {
    component: &'c mut Component,
    /// What the variables hold now.
    values: Substitution,
    path: SymbolicPath,
}

impl Follower<'_> {
    fn require(&mut self, step: usize, term: TermId) {
        let pool = &mut self.component.cfa.pool;
        let term = self.values.apply(pool, term);
        if pool.as_bool(term) != Some(true) {
            self.path.conditions.push(Condition { step, term });
        }
    }

    fn step(&mut self, step: usize, from: Control, to: Control, action: ActionId) {
        let transformer = self.component.step_transformer(from, to, action);
        // Inputs are new each time.
        let mut inputs = Vec::new();
        for &input in &transformer.inputs {
            let cfa = &mut self.component.cfa;
            let new = cfa.fresh_input(input);
            self.values.insert(input, cfa.pool.var(new));
            inputs.push((input, new));
        }
        for conjunct in self.component.cfa.conjuncts(transformer.assumption) {
            self.require(step, conjunct);
        }
        let pool = &mut self.component.cfa.pool;
        let assigned: Vec<(VarId, TermId)> = transformer
            .assignments
            .iter()
            .map(|&(var, term)| (var, self.values.apply(pool, term)))
            .collect();
        for (var, term) in assigned {
            self.values.insert(var, term);
        }
        self.path.steps.push(transformer);
        self.path.inputs.push(inputs);
    }
}
