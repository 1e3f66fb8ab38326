//! Smaller systems with the same traces, to be composed instead of the larger ones.
//!
//! Whether traces of a composition are allowed depends on the traces of its components only
//! (Theorem 1 of [Magic04]), and of those on the actions that others have: the specification
//! or another component. All other actions are as silent as τ.
//!
//! ```text
//! Lts ─ silent ─> graph without silent cycles ─ quotient ─> graph without silent steps
//!     ─ subsets ─> deterministic graph ─ quotient ─> smallest deterministic Lts with these traces
//! ```
//!
//! Invariants:
//! - A trace over the kept actions leads to `ERROR` in the reduced system iff it, or a beginning of
//!   it, can lead to `ERROR` in the system; up to there both have the same traces.
//! - The time is about linear in the size of the system and polynomial in that of its quotient:
//!   where the subset construction would need more, the reduced system is the quotient.

mod silent;

use indexmap::IndexSet;
use lariat_base::Budget;
use rustc_hash::FxBuildHasher;

use crate::action::{ActionId, Alphabet};
use crate::lts::{Lts, LtsBuilder, StateId, StateKind};
use crate::process::Stopped;
use silent::Acyclic;

/// Where kept actions lead from a state.
type Steps = Box<[(ActionId, usize)]>;

/// A system without silent steps; it starts in its first state. `None` is `ERROR`.
type Graph = Vec<Option<Steps>>;

/// The smallest deterministic system with the traces over the kept actions, if it is not too large.
pub fn reduce(lts: &Lts, kept: &Alphabet, budget: &Budget) -> Result<Lts, Stopped> {
    let acyclic = Acyclic::new(lts, kept);
    let graph = quotient(&acyclic, budget)?;
    let graph = match subsets(&graph, budget)? {
        Some(deterministic) => quotient(&Acyclic::without_silent(deterministic), budget)?,
        None => graph,
    };
    Ok(explicit(&graph, kept))
}

/// Puts together what can do the same actions, after silent steps, to the same classes. This is
/// bisimulation on steps that consist of silent ones and a kept action.
fn quotient(system: &Acyclic, budget: &Budget) -> Result<Graph, Stopped> {
    let mut classes: Vec<usize> = vec![0; system.len()];
    let mut count = 0;
    loop {
        budget.check()?;
        let (next, signatures) = signatures(system, &classes);
        classes = next;
        if signatures.len() == count {
            return Ok(reachable(&signatures, classes[system.initial()]));
        }
        count = signatures.len();
    }
}

/// New classes: states are together iff they can do the same to the same old classes.
fn signatures(system: &Acyclic, classes: &[usize]) -> (Vec<usize>, IndexSet<Option<Steps>, FxBuildHasher>) {
    let mut signatures: IndexSet<Option<Steps>, FxBuildHasher> = IndexSet::default();
    let mut of_state: Vec<usize> = Vec::with_capacity(system.len());
    for state in 0..system.len() {
        let (own, silent) = (system.steps(state), system.silent(state));
        // Silent steps lead to states with smaller numbers.
        if let (true, [first, rest @ ..]) = (own.is_empty() && !system.is_error(state), silent)
            && rest.iter().all(|&other| of_state[other] == of_state[*first])
        {
            of_state.push(of_state[*first]);
            continue;
        }
        let is_error =
            system.is_error(state) || silent.iter().any(|&other| signatures[of_state[other]].is_none());
        let signature = (!is_error).then(|| {
            let own = own.iter().map(|&(action, target)| (action, classes[target]));
            let later = silent
                .iter()
                .flat_map(|&other| signatures[of_state[other]].iter().flatten());
            let mut steps: Vec<(ActionId, usize)> = own.chain(later.copied()).collect();
            steps.sort_unstable();
            steps.dedup();
            steps.into_boxed_slice()
        });
        of_state.push(signatures.insert_full(signature).0);
    }
    (of_state, signatures)
}

/// The classes that can be reached, numbered from the first one on.
fn reachable(signatures: &IndexSet<Option<Steps>, FxBuildHasher>, initial: usize) -> Graph {
    let mut order: IndexSet<usize, FxBuildHasher> = IndexSet::from_iter([initial]);
    let mut graph: Graph = Vec::new();
    while let Some(&class) = order.get_index(graph.len()) {
        graph.push(signatures[class].as_ref().map(|steps| {
            let steps = steps.iter();
            steps
                .map(|&(action, target)| (action, order.insert_full(target).0))
                .collect()
        }));
    }
    graph
}

/// The subset construction; `None` if it grows too large.
fn subsets(graph: &Graph, budget: &Budget) -> Result<Option<Graph>, Stopped> {
    let size = graph.iter().flatten().map(|steps| steps.len()).sum::<usize>() + graph.len();
    let (most_sets, most_members) = (1000 + 4 * size, 100_000 + 20 * size);
    let mut members = 0;
    // A set with an `ERROR` is `ERROR`, whatever else is in it; it is written as the empty set.
    let mut sets: IndexSet<Box<[usize]>, FxBuildHasher> = IndexSet::default();
    let mut insert = |mut states: Vec<usize>, sets: &mut IndexSet<Box<[usize]>, FxBuildHasher>| {
        states.sort_unstable();
        states.dedup();
        if states.iter().any(|&state| graph[state].is_none()) {
            states.clear();
        }
        members += states.len();
        (sets.insert_full(states.into_boxed_slice()).0, members)
    };
    insert(vec![0], &mut sets);
    let mut found: Graph = Vec::new();
    while let Some(set) = sets.get_index(found.len()) {
        budget.check()?;
        if set.is_empty() {
            found.push(None);
            continue;
        }
        let mut steps: Vec<(ActionId, usize)> = Vec::new();
        steps.extend(set.iter().flat_map(|&state| graph[state].iter().flatten()));
        steps.sort_unstable();
        let mut targets = Vec::new();
        for group in steps.chunk_by(|one, other| one.0 == other.0) {
            let (target, members) = insert(group.iter().map(|&(_, target)| target).collect(), &mut sets);
            targets.push((group[0].0, target));
            if sets.len() > most_sets || members > most_members {
                return Ok(None);
            }
        }
        found.push(Some(targets.into_boxed_slice()));
    }
    Ok(Some(found))
}

fn explicit(graph: &Graph, kept: &Alphabet) -> Lts {
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(kept.iter());
    let ids: Vec<StateId> = graph
        .iter()
        .map(|steps| {
            builder.state(match steps {
                None => StateKind::Error,
                Some(steps) if steps.is_empty() => StateKind::Stop,
                Some(_) => StateKind::Ordinary,
            })
        })
        .collect();
    for (source, steps) in graph.iter().enumerate() {
        for &(action, target) in steps.iter().flatten() {
            builder.transition(ids[source], action, ids[target]);
        }
    }
    builder.finish(ids[0])
}
