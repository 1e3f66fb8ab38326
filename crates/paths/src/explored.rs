//! What is remembered of states behind which everything was explored without reaching the end.

use std::rc::Rc;

use lariat_ir::ProcId;
use lariat_term::{TermId, VarId};
use rustc_hash::FxHashMap;

use crate::knowledge::Known;
use crate::machine::{Counts, Machine, Need, Position, Use, Uses};

/// Explorations that depend on more than this are not remembered.
const MOST_USES: usize = 4_000;
/// How many kinds of dependence are kept for one place.
const MOST_KINDS: usize = 400;

/// The stack of activations.
type Stack = Rc<[(ProcId, Position)]>;

/// Where a state is: its stack, and how far the recursion bound is used up.
#[derive(Clone, Debug)]
pub struct Place {
    stack: Stack,
    counts: Vec<Counts>,
}

/// Explorations that depend on the same variables and entries of maps.
struct Kind {
    uses: Vec<Use>,
    by_values: FxHashMap<Vec<TermId>, Vec<Assumptions>>,
}

/// What else an exploration depends on.
struct Assumptions {
    counts: Vec<Counts>,
    symbols: Vec<(VarId, Known)>,
    assumed: Vec<TermId>,
}

#[derive(Default)]
pub struct Explored {
    places: FxHashMap<Stack, Vec<Kind>>,
}

impl Place {
    pub fn of(machine: &Machine) -> Self {
        Place {
            stack: machine
                .frames
                .iter()
                .map(|frame| (frame.proc, frame.at))
                .collect(),
            counts: machine.frames.iter().map(|frame| frame.counts.clone()).collect(),
        }
    }
}

impl Explored {
    /// What makes the end unreachable from this state, if an earlier exploration has shown that.
    pub fn find(&self, machine: &mut Machine, place: &Place) -> Option<Uses> {
        for kind in self.places.get(&place.stack)? {
            let Some(values) = values(machine, &kind.uses) else {
                continue;
            };
            let explored = kind.by_values.get(&values).into_iter().flatten();
            for assumptions in explored {
                if assumptions.hold(machine, &place.counts) {
                    let symbols = assumptions.symbols.iter().map(|&(symbol, _)| Use::Symbol(symbol));
                    let assumed = assumptions.assumed.iter().map(|&term| Use::Assumed(term));
                    return Some(kind.uses.iter().copied().chain(symbols).chain(assumed).collect());
                }
            }
        }
        None
    }

    /// Remembers that no way from this state reaches the end, as far as `need` is as it is now.
    pub fn remember(&mut self, machine: &mut Machine, place: Place, need: &Need) {
        if need.len() > MOST_USES {
            return;
        }
        let mut uses = Vec::new();
        let mut symbols = Vec::new();
        let mut assumed = Vec::new();
        for &used in need {
            match used {
                Use::Slot(_) | Use::Entry(..) => uses.push(used),
                Use::Symbol(symbol) => symbols.push((symbol, machine.knowledge.known(symbol))),
                // What is assumed later is assumed by every state that comes there.
                Use::Assumed(term) if machine.knowledge.connected.contains(&term) => assumed.push(term),
                Use::Assumed(_) => {}
            }
        }
        uses.sort_unstable();
        symbols.sort_unstable_by_key(|&(symbol, _)| symbol);
        let Some(values) = values(machine, &uses) else {
            return;
        };
        let kinds = self.places.entry(place.stack).or_default();
        let index = match kinds.iter().position(|kind| kind.uses == uses) {
            Some(index) => index,
            None if kinds.len() < MOST_KINDS => {
                kinds.push(Kind {
                    uses,
                    by_values: FxHashMap::default(),
                });
                kinds.len() - 1
            }
            None => return,
        };
        kinds[index]
            .by_values
            .entry(values)
            .or_default()
            .push(Assumptions {
                counts: place.counts,
                symbols,
                assumed,
            });
    }

    pub fn clear(&mut self) {
        self.places.clear();
    }
}

impl Assumptions {
    /// Whether all executions from a state are among those that were explored. A state that has used up more of the bound has
    /// fewer.
    fn hold(&self, machine: &Machine, counts: &[Counts]) -> bool {
        let within = |own: &Counts, others: &Counts| {
            own.len() == others.len()
                && own
                    .iter()
                    .zip(others.iter())
                    .all(|(own, other)| own.0 == other.0 && own.1 <= other.1)
        };
        self.counts.len() == counts.len()
            && self
                .counts
                .iter()
                .zip(counts)
                .all(|(own, others)| within(own, others))
            && self
                .assumed
                .iter()
                .all(|term| machine.knowledge.connected.contains(term))
            && self
                .symbols
                .iter()
                .all(|(symbol, known)| machine.knowledge.known(*symbol).implies(known))
    }
}

/// The values of variables and entries; `None` if one has any value.
fn values(machine: &mut Machine, uses: &[Use]) -> Option<Vec<TermId>> {
    let value = |used: &Use| match *used {
        Use::Slot(slot) => machine.term_of(slot),
        Use::Entry(slot, key) => machine.entry(slot, key),
        Use::Symbol(_) | Use::Assumed(_) => None,
    };
    uses.iter().map(value).collect()
}
