//! The search for an execution of a system that does not have a property.

use std::collections::{BTreeSet, VecDeque};

use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::automaton::Automaton;
use super::{FormulaId, Formulas, Proposition};
use crate::action::ActionId;
use crate::components::{components, is_cyclic};
use crate::lts::{Lts, StateId};
use crate::process::{PathStep, SearchControl, Stopped};

/// Which executions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those that take every transition infinitely often which they can take infinitely often.
    Choice,
}

/// An execution: first the stem, then the cycle, again and again. It ends after the stem if the cycle is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    pub stem: Vec<PathStep>,
    pub cycle: Vec<PathStep>,
    /// Under fairness: the actions of the states that the execution stays in, all of which it does again and again.
    pub repeated: Vec<ActionId>,
}

/// A state of the system, `None` after its end, with the values of the propositions and what is left to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    state: Option<StateId>,
    values: u64,
    obligations: usize,
}

struct Edge {
    target: usize,
    /// The step of the system; `None` after its end.
    step: Option<PathStep>,
    /// It is a position of the word.
    is_position: bool,
    postponed: Vec<usize>,
}

/// Where a system can stay for ever.
struct Ends {
    /// The number of the strongly connected component of each state.
    component: Vec<usize>,
    /// By component: the states and all their transitions stay in it.
    is_terminal: Vec<bool>,
    transitions: Vec<usize>,
    /// By state: the execution may end here, or go on with τ only.
    may_end: Vec<bool>,
}

/// An execution that does not have the property; `None` if there is none. The second number is how many states were searched.
pub fn find_violation(
    system: &Lts,
    formulas: &Formulas,
    property: FormulaId,
    fairness: Fairness,
    control: &mut SearchControl<'_>,
) -> Result<(Option<Lasso>, usize), Stopped> {
    let ends = Ends::new(system, fairness);
    let mut automaton = Automaton::new(formulas, formulas.not(property));
    let propositions: Vec<&Proposition> = formulas.propositions().collect();
    let values_at_start = bits(propositions.iter().map(|proposition| proposition.at_start()));
    let start = Node {
        state: Some(system.initial()),
        values: values_at_start,
        obligations: 0,
    };
    let mut nodes: IndexSet<Node, FxBuildHasher> = IndexSet::from_iter([start]);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while let Some(&node) = nodes.get_index(edges.len()) {
        control.check(nodes.len(), 0)?;
        // The steps of the system, and after its end nothing.
        let mut steps: Vec<Option<PathStep>> = Vec::new();
        match node.state {
            Some(state) => {
                steps.extend(system.transitions(state).iter().map(|transition| {
                    Some(PathStep {
                        action: transition.action,
                        target: transition.target,
                    })
                }));
                steps.extend(ends.may_end[state.index()].then_some(None));
            }
            None => steps.push(None),
        }
        let mut own = Vec::new();
        for step in steps {
            let state = step.map(|step| step.target);
            if let Some(silent) = step.filter(|step| step.action.is_tau()) {
                let (target, _) = nodes.insert_full(Node {
                    state: Some(silent.target),
                    ..node
                });
                own.push(Edge {
                    target,
                    step,
                    is_position: false,
                    postponed: Vec::new(),
                });
                continue;
            }
            let action = step.map(|step| step.action);
            let after = propositions.iter().enumerate();
            let values = bits(
                after.map(|(number, proposition)| proposition.after(node.values >> number & 1 == 1, action)),
            );
            for one in automaton.moves(node.obligations) {
                if one.positive & !values == 0 && one.negative & values == 0 {
                    let (target, _) = nodes.insert_full(Node {
                        state,
                        values,
                        obligations: one.next,
                    });
                    own.push(Edge {
                        target,
                        step,
                        is_position: true,
                        postponed: one.postponed.clone(),
                    });
                }
            }
        }
        edges.push(own);
    }
    let product = Product {
        system,
        ends: &ends,
        nodes: &nodes,
        edges: &edges,
        untils: automaton.until_count(),
        fairness,
    };
    Ok((product.lasso(), nodes.len()))
}

fn bits(values: impl Iterator<Item = bool>) -> u64 {
    values
        .enumerate()
        .fold(0, |all, (number, value)| all | u64::from(value) << number)
}

impl Ends {
    fn new(system: &Lts, fairness: Fairness) -> Ends {
        let count = system.state_count();
        let targets = |silent_only: bool| -> Vec<Vec<usize>> {
            let own = |state: StateId| {
                let transitions = system.transitions(state).iter();
                let kept = transitions.filter(move |transition| !silent_only || transition.action.is_tau());
                kept.map(|transition| transition.target.index()).collect()
            };
            system.states().map(own).collect()
        };
        let graph = targets(false);
        let component = components(&graph);
        let numbers = component.iter().max().map_or(0, |last| last + 1);
        let (mut is_terminal, mut transitions) = (vec![true; numbers], vec![0; numbers]);
        let mut is_silent = vec![true; numbers];
        for (source, action, target) in system.triples() {
            let own = component[source.index()];
            transitions[own] += 1;
            is_terminal[own] &= component[target.index()] == own;
            is_silent[own] &= action.is_tau();
        }
        let silent = targets(true);
        let silent_component = components(&silent);
        let on_silent_cycle = is_cyclic(&silent, &silent_component);
        let may_end = (0..count)
            .map(|state| {
                let own = component[state];
                let is_fair = match fairness {
                    Fairness::None => true,
                    Fairness::Choice => is_terminal[own] && is_silent[own],
                };
                graph[state].is_empty() || (on_silent_cycle[silent_component[state]] && is_fair)
            })
            .collect();
        Ends {
            component,
            is_terminal,
            transitions,
            may_end,
        }
    }
}

struct Product<'p> {
    system: &'p Lts,
    ends: &'p Ends,
    nodes: &'p IndexSet<Node, FxBuildHasher>,
    edges: &'p [Vec<Edge>],
    untils: usize,
    fairness: Fairness,
}

impl Product<'_> {
    /// A path into a strongly connected component in which nothing is postponed for ever, and a way around in it.
    fn lasso(&self) -> Option<Lasso> {
        let graph: Vec<Vec<usize>> = self
            .edges
            .iter()
            .map(|edges| edges.iter().map(|edge| edge.target).collect())
            .collect();
        let component = components(&graph);
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, &own) in component.iter().enumerate() {
            members[own].push(node);
        }
        let accepting: Vec<bool> = members
            .iter()
            .map(|members| self.is_accepting(members, &component))
            .collect();
        // The nearest node of any of them.
        let (stem, entry) = self.path(0, |node| accepting[component[node]], |_| true)?;
        let own = component[entry];
        let inside = |node: usize| component[node] == own;
        let (mut cycle, mut at): (Vec<&Edge>, usize) = (Vec::new(), entry);
        // Through a position, and through one edge for each until-formula that does not postpone it.
        let wanted = std::iter::once(None).chain((0..self.untils).map(Some));
        for until in wanted {
            let is_wanted = |edge: &Edge| {
                edge.is_position
                    && until.is_none_or(|until| !edge.postponed.contains(&until))
                    && inside(edge.target)
            };
            if cycle.iter().any(|&edge| is_wanted(edge)) {
                continue;
            }
            let has_wanted = |node: usize| self.edges[node].iter().any(&is_wanted);
            let (way, node) = self.path(at, has_wanted, inside)?;
            cycle.extend(way);
            let edge = self.edges[node].iter().find(|&edge| is_wanted(edge))?;
            cycle.push(edge);
            at = edge.target;
        }
        let (way, _) = self.path(at, |node| node == entry, inside)?;
        cycle.extend(way);
        let repeated = match (self.fairness, self.nodes.get_index(entry)?.state) {
            (Fairness::Choice, Some(state)) => self.actions_of(self.ends.component[state.index()]),
            _ => Vec::new(),
        };
        let steps = |edges: Vec<&Edge>| edges.into_iter().filter_map(|edge| edge.step).collect();
        Some(Lasso {
            stem: steps(stem),
            cycle: steps(cycle),
            repeated,
        })
    }

    fn actions_of(&self, component: usize) -> Vec<ActionId> {
        let own = self.system.triples();
        let own = own.filter(|(source, ..)| self.ends.component[source.index()] == component);
        let actions: BTreeSet<ActionId> = own.map(|(_, action, _)| action).collect();
        actions.into_iter().filter(|action| !action.is_tau()).collect()
    }

    fn is_accepting(&self, members: &[usize], component: &[usize]) -> bool {
        let own = component[members[0]];
        let (mut has_position, mut fulfilled) = (false, vec![false; self.untils]);
        let mut taken: FxHashSet<(StateId, PathStep)> = FxHashSet::default();
        for &node in members {
            let state = self.nodes.get_index(node).and_then(|node| node.state);
            for edge in &self.edges[node] {
                if component[edge.target] != own {
                    continue;
                }
                if edge.is_position {
                    has_position = true;
                    for (until, fulfilled) in fulfilled.iter_mut().enumerate() {
                        *fulfilled |= !edge.postponed.contains(&until);
                    }
                }
                taken.extend(state.zip(edge.step));
            }
        }
        let is_fair = match (self.fairness, self.nodes.get_index(members[0])) {
            (
                Fairness::Choice,
                Some(Node {
                    state: Some(state), ..
                }),
            ) => {
                let own = self.ends.component[state.index()];
                self.ends.is_terminal[own] && taken.len() == self.ends.transitions[own]
            }
            _ => true,
        };
        has_position && fulfilled.into_iter().all(|fulfilled| fulfilled) && is_fair
    }

    /// A shortest path through allowed nodes to a wanted one, with that node.
    fn path(
        &self,
        start: usize,
        is_wanted: impl Fn(usize) -> bool,
        is_allowed: impl Fn(usize) -> bool,
    ) -> Option<(Vec<&Edge>, usize)> {
        let mut origin: Vec<Option<(usize, usize)>> = vec![None; self.edges.len()];
        let mut seen = vec![false; self.edges.len()];
        seen[start] = true;
        let mut open = VecDeque::from([start]);
        while let Some(node) = open.pop_front() {
            if is_wanted(node) {
                let (mut steps, mut at) = (Vec::new(), node);
                while let Some((before, edge)) = origin[at] {
                    steps.push(&self.edges[before][edge]);
                    at = before;
                }
                steps.reverse();
                return Some((steps, node));
            }
            for (index, edge) in self.edges[node].iter().enumerate() {
                if !seen[edge.target] && is_allowed(edge.target) {
                    seen[edge.target] = true;
                    origin[edge.target] = Some((node, index));
                    open.push_back(edge.target);
                }
            }
        }
        None
    }
}
