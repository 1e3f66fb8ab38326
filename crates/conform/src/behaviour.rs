//! Questions that traces do not answer: temporal logic with the ends of executions and with fairness, weak simulation and
//! weak bisimulation.
//!
//! ```text
//! C1 … Cn ─ exact ─> MP1 … MPn ─ compact ─> composition ─┬─ ltl: an execution without the property?
//!                                                        └─ equivalence: what tells it from the specification?
//! ```
//!
//! - An *exact* MP is bisimilar to its component: in every state the predicates decide which way the component goes, and
//!   what they are afterwards ([`Abstraction::undecided`]). Any answer about it holds for the component.
//! - Where predicates cannot be exact, MP still has every execution of the component. Then a property of all executions
//!   that holds is proved, and so is simulation; anything else is unknown, but for an execution that ends and can be
//!   followed.
//! - States that only executions reach which a failed assumption cuts off are left out: those do not count.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;
use lariat_base::Budget;
use lariat_lts::compact::Compact;
use lariat_lts::equivalence::{Relation, Side, difference};
use lariat_lts::ltl::{Fairness, FormulaId, Formulas, find_violation};
use lariat_lts::process::{PathStep, trace_of};
use lariat_lts::{
    Composition, Lts, LtsBuilder, Process, SearchControl, StateId, StateKind, Stopped, Transition, Tuples,
};

use crate::abstraction::{Abstraction, Control, Mp};
use crate::cegar::{
    CegarVerdict, ComponentStatistics, Iteration, Options, Reason, Run, Statistics, Violation, path_in,
};
use crate::cfa::{Failure, Label};
use crate::component::Component;
use crate::counterexample::{Counterexample, PathCheck};
use crate::infer::Candidate;

/// What is asked of the components.
#[derive(Clone, Debug, Default)]
pub enum Asks {
    /// That the specification allows their traces.
    #[default]
    Traces,
    /// That their executions have this property.
    Temporal {
        formulas: Box<Formulas>,
        formula: FormulaId,
        fairness: Fairness,
    },
    /// How the specification can follow them.
    Relation(Relation),
}

/// A component with its exact model.
struct Model {
    abstraction: Abstraction,
    mp: Lts,
    compact: Compact,
    /// Why it is not exact.
    inexact: Option<String>,
    /// An assumption cuts off what follows a message, so that where it seems to end it may not.
    is_cut_off: bool,
}

/// The composition of the models, with the same numbers of states.
struct System {
    lts: Lts,
    tuples: Tuples,
}

/// What was found in the composition.
struct Found {
    path: Vec<PathStep>,
    reason: Reason,
    /// It holds even if the models are not exact, once the components can follow it.
    is_finite: bool,
}

/// One question about components, answered without a loop: the models are as fine as they get.
pub struct Behaviour<'a> {
    pub components: &'a mut [Component],
    pub specification: &'a Lts,
    pub asks: &'a Asks,
    pub options: &'a Options,
    pub budget: &'a Budget,
    pub progress: &'a mut dyn FnMut(Iteration),
}

impl Behaviour<'_> {
    pub fn run(mut self) -> (CegarVerdict, Statistics) {
        let mut statistics = Statistics {
            predicate_iterations: 1,
            ..Statistics::default()
        };
        let verdict = self.decide(&mut statistics);
        let verdict = verdict.unwrap_or_else(|stopped| CegarVerdict::Unknown(stopped.to_string()));
        (verdict, statistics)
    }

    fn decide(&mut self, statistics: &mut Statistics) -> Result<CegarVerdict, Stopped> {
        let mut models = Vec::new();
        for index in 0..self.components.len() {
            let model = self.exact(index, statistics)?;
            if let Some(reason) = self.unsupported(index, &model) {
                return Ok(CegarVerdict::Unknown(reason));
            }
            let (component, abstraction) = (&self.components[index], &model.abstraction);
            let (expressions, predicates) = abstraction.predicate_counts();
            statistics.components.push(ComponentStatistics {
                expressions,
                predicates,
                candidates: abstraction.candidates.len(),
                mp_states: model.mp.state_count(),
                ma_states: model.compact.lts.state_count(),
                prover_checks: component.prover.stats().checks,
                prover_cached: component.prover.stats().cached,
                models: None,
            });
            models.push(model);
        }
        let mut silent = |_| {};
        let mut control = SearchControl::new(self.budget, self.options.state_limit, &mut silent);
        let system = composed(&models, &mut control)?;
        statistics.states = system.lts.state_count();
        (self.progress)(Iteration {
            predicate_iterations: statistics.predicate_iterations,
            action_iterations: 0,
            candidates: models
                .iter()
                .map(|model| model.abstraction.candidates.len())
                .sum(),
            states: statistics.states,
        });
        let inexact = models.iter().find_map(|model| model.inexact.clone());
        let is_cut_off = models.iter().any(|model| model.is_cut_off);
        let (found, needs_exact) = match self.asks {
            Asks::Traces => return Err(Stopped::Failed("not a question about behaviour".to_owned())),
            Asks::Temporal {
                formulas,
                formula,
                fairness,
            } => {
                let (lasso, states) =
                    find_violation(&system.lts, formulas, *formula, *fairness, &mut control)?;
                statistics.states = states;
                let found = lasso.map(|lasso| {
                    let cycle = (!lasso.cycle.is_empty()).then(|| trace_of(&lasso.stem).len());
                    let last = lasso.stem.last().map_or(system.lts.initial(), |step| step.target);
                    let is_finite = lasso.cycle.is_empty()
                        && system.lts.transitions(last).is_empty()
                        && *fairness == Fairness::None;
                    let mut path = lasso.stem;
                    path.extend(lasso.cycle);
                    Found {
                        path,
                        reason: Reason::NotLive {
                            cycle,
                            repeated: lasso.repeated,
                        },
                        is_finite,
                    }
                });
                (found, *fairness != Fairness::None)
            }
            Asks::Relation(relation) => {
                let found = self.difference(&system, *relation, &mut control)?;
                (found, *relation != Relation::Simulation)
            }
        };
        match (found, inexact) {
            (None, None) => Ok(CegarVerdict::Conforms),
            (None, Some(_)) if !needs_exact => Ok(CegarVerdict::Conforms),
            (None, Some(reason)) => Ok(CegarVerdict::Unknown(reason)),
            (Some(found), Some(reason)) if !found.is_finite || is_cut_off => {
                Ok(CegarVerdict::Unknown(reason))
            }
            (Some(found), inexact) => self.follow(found, &models, &system, inexact),
        }
    }

    /// MP with predicates for everything that decides which way the component goes.
    fn exact(&mut self, index: usize, statistics: &mut Statistics) -> Result<Model, Stopped> {
        let (budget, state_limit) = (self.budget, self.options.state_limit);
        let component = &mut self.components[index];
        let known: BTreeSet<Candidate> = component.candidates().iter().copied().collect();
        let mut used: BTreeSet<Candidate> = BTreeSet::new();
        loop {
            let candidates: Vec<Candidate> = used.iter().copied().collect();
            let mut abstraction = Abstraction::new(component, candidates)?;
            let mut mp = Mp {
                component: &mut *component,
                abstraction: &mut abstraction,
            };
            let mp = mp.explore(budget, state_limit)?;
            let undecided = abstraction.undecided(component);
            let count = used.len();
            let more = undecided.iter().filter_map(|&(_, candidate)| candidate);
            used.extend(more.filter(|candidate| known.contains(candidate)));
            if used.len() > count {
                statistics.predicate_iterations += 1;
                continue;
            }
            let name = &component.name;
            let mut inexact = None;
            if component.prover.stats().unknown > 0 {
                inexact = Some(format!("the solver cannot tell which way {name} goes"));
            } else if let Some((location, _)) = undecided.first() {
                let place = match component.cfa.locations[*location].parts.is_empty() {
                    _ if used.is_empty() => "",
                    true => " at a branch",
                    false => " after an assignment",
                };
                inexact = Some(format!(
                    "which way {name} goes{place} depends on data with more values than its model can have"
                ));
            }
            let (mp, is_cut_off) = self.without_dead_ends(index, &abstraction, &mp);
            if is_cut_off {
                inexact = inexact.or_else(|| {
                    let name = &self.components[index].name;
                    Some(format!("an assumption cuts off what {name} does after a message"))
                });
            }
            let compact = Compact::new(&mp, budget)?;
            return Ok(Model {
                abstraction,
                mp,
                compact,
                inexact,
                is_cut_off,
            });
        }
    }

    /// MP without what leads only to assumptions that fail, and whether a message leads there.
    fn without_dead_ends(&self, index: usize, abstraction: &Abstraction, mp: &Lts) -> (Lts, bool) {
        let component = &self.components[index];
        let goes_on = |state: StateId| match abstraction.state(state).control {
            Control::Init => true,
            Control::At(location) => matches!(
                component.cfa.locations[location].label,
                Label::Assign(_) | Label::Branch { .. } | Label::Goto | Label::Call(_)
            ),
            Control::Stop | Control::Inlined { .. } => false,
        };
        let mut before: Vec<Vec<StateId>> = vec![Vec::new(); mp.state_count()];
        let mut left: Vec<usize> = vec![0; mp.state_count()];
        for (source, _, target) in mp.triples() {
            before[target.index()].push(source);
            left[source.index()] += 1;
        }
        let mut is_dead = vec![false; mp.state_count()];
        let mut open: Vec<StateId> = mp
            .states()
            .filter(|&state| left[state.index()] == 0 && goes_on(state))
            .collect();
        let mut is_cut_off = false;
        while let Some(state) = open.pop() {
            is_dead[state.index()] = true;
            for &source in &before[state.index()] {
                left[source.index()] -= 1;
                is_cut_off |= !goes_on(source);
                if left[source.index()] == 0 && goes_on(source) {
                    open.push(source);
                }
            }
        }
        let mut builder = LtsBuilder::new();
        builder.extend_alphabet(mp.alphabet().iter());
        for state in mp.states() {
            builder.state(mp.kind(state));
        }
        for (source, action, target) in mp.triples() {
            if !is_dead[target.index()] {
                builder.transition(source, action, target);
            }
        }
        (builder.finish(mp.initial()), is_cut_off)
    }

    fn unsupported(&self, index: usize, model: &Model) -> Option<String> {
        let component = &self.components[index];
        let reached = model
            .mp
            .states()
            .map(|state| model.abstraction.state(state).control);
        reached
            .filter_map(|control| match control {
                Control::At(location) => match &component.cfa.locations[location].label {
                    Label::Fail(Failure::Unsupported(reason)) => {
                        Some(format!("{reason} in {}", component.name))
                    }
                    _ => None,
                },
                _ => None,
            })
            .next()
    }

    fn difference(
        &self,
        system: &System,
        relation: Relation,
        control: &mut SearchControl<'_>,
    ) -> Result<Option<Found>, Stopped> {
        let observed = self.specification.alphabet();
        let hidden = system.lts.map_actions(|action| match observed.contains(action) {
            true => vec![action],
            false => Vec::new(),
        });
        let first = Compact::new(&hidden, self.budget)?;
        let second = Compact::new(&allowing(self.specification), self.budget)?;
        let Some(found) = difference(&first.lts, &second.lts, relation, control)? else {
            return Ok(None);
        };
        let lost = || Stopped::Failed("the composition lacks a path of its reduction".to_owned());
        let path = first.expand(&hidden, &found.path).ok_or_else(lost)?;
        // Which action it was that the specification does not see.
        let (mut at, mut seen) = (system.lts.initial(), Vec::new());
        for step in path {
            let mut transitions = system.lts.transitions(at).iter();
            let own = transitions.find(|own| {
                let shown =
                    own.action == step.action || (step.action.is_tau() && !observed.contains(own.action));
                shown && own.target == step.target
            });
            seen.push(PathStep {
                action: own.ok_or_else(lost)?.action,
                target: step.target,
            });
            at = step.target;
        }
        let plays = found.plays.into_iter();
        Ok(Some(Found {
            path: seen,
            reason: Reason::Different {
                plays: plays
                    .map(|(side, action)| (side == Side::First, action))
                    .collect(),
            },
            is_finite: false,
        }))
    }

    /// The path through each component itself, with values.
    fn follow(
        &mut self,
        found: Found,
        models: &[Model],
        system: &System,
        inexact: Option<String>,
    ) -> Result<CegarVerdict, Stopped> {
        let mut runs = Vec::new();
        let mut doubt = None;
        for (index, model) in models.iter().enumerate() {
            let alphabet = &self.components[index].alphabet;
            let own = path_in(index, alphabet, &system.tuples, system.lts.initial(), &found.path);
            let lost = || Stopped::Failed("a model lacks a path of its reduction".to_owned());
            let path = model.compact.expand(&model.mp, &own).ok_or_else(lost)?;
            let targets = path
                .iter()
                .map(|step| model.abstraction.state(step.target).control);
            let path = Counterexample {
                controls: std::iter::once(Control::Init).chain(targets).collect(),
                actions: path.iter().map(|step| step.action).collect(),
            };
            let name = self.components[index].name.clone();
            match self.components[index].check(&path, self.budget)? {
                PathCheck::Feasible(steps) => runs.push(Run { path, steps }),
                PathCheck::Unconfirmed { steps, reason } => {
                    doubt = Some(format!("{name}: {reason}"));
                    runs.push(Run { path, steps });
                }
                PathCheck::Spurious { .. } | PathCheck::Unknown(_) => {
                    let reason = inexact.unwrap_or_else(|| format!("{name} cannot be followed"));
                    return Ok(CegarVerdict::Unknown(reason));
                }
            }
        }
        Ok(CegarVerdict::Violates(Violation {
            trace: trace_of(&found.path),
            reason: found.reason,
            runs,
            doubt,
        }))
    }
}

/// A specification without its `ERROR` states: what leads there is not allowed.
fn allowing(specification: &Lts) -> Lts {
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(specification.alphabet().iter());
    for state in specification.states() {
        builder.state(specification.kind(state));
    }
    for (source, action, target) in specification.triples() {
        if specification.kind(target) != StateKind::Error {
            builder.transition(source, action, target);
        }
    }
    builder.finish(specification.initial())
}

fn composed(models: &[Model], control: &mut SearchControl<'_>) -> Result<System, Stopped> {
    let processes = models
        .iter()
        .map(|model| Box::new(&model.compact.lts) as Box<dyn Process + '_>)
        .collect();
    let mut composition = Composition::new(processes);
    let initial = composition.initial()?;
    let mut found: Vec<Vec<Transition>> = Vec::new();
    let mut known = initial.index() + 1;
    while found.len() < known {
        control.check(known, 0)?;
        let mut transitions = Vec::new();
        composition.successors(StateId::new(found.len()), &mut transitions)?;
        let last = transitions
            .iter()
            .map(|transition| transition.target.index() + 1)
            .max();
        known = known.max(last.unwrap_or(0));
        found.push(transitions);
    }
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(composition.alphabet().iter());
    for state in 0..known {
        builder.state(composition.kind(StateId::new(state)));
    }
    for (source, transitions) in found.iter().enumerate() {
        for transition in transitions {
            builder.transition(StateId::new(source), transition.action, transition.target);
        }
    }
    Ok(System {
        lts: builder.finish(initial),
        tuples: composition.into_tuples(),
    })
}
