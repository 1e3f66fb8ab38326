//! The backward slice over an execution: which events the failure depends on.
//!
//! An event matters if it assigned what a later event that matters read (a data dependence, for
//! maps element by element), if it is the jump that decided that a later event that matters was
//! executed (a control dependence), or if it is the call that such an event happened in.

use lariat_ir::{BlockId, ProcId, Program};
use lariat_passes::PostDominators;
use lariat_term::{Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::{Event, EventKind, Flow, Read};

/// What of an execution matters.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    pub relevant: Vec<bool>,
    /// Variables whose value at the start matters.
    pub inputs: FxHashSet<VarId>,
}

/// What of a map matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Needed {
    Whole,
    Elements(FxHashSet<Vec<Value>>),
}

/// What the end of an execution depends on.
#[derive(Clone, Debug)]
pub struct Deciding {
    /// For each event whether it matters.
    pub relevant: Vec<bool>,
    /// Of events that let variables have any value: what of these matters.
    pub havocked: FxHashMap<usize, Vec<Needed>>,
}

struct Slicer<'a> {
    program: &'a Program,
    events: &'a [Event],
    relevant: Vec<bool>,
    needed: FxHashMap<(Option<u32>, VarId), Needed>,
    /// For each activation the blocks of relevant events whose deciding jump was not met yet.
    undecided: FxHashMap<u32, FxHashSet<BlockId>>,
    /// Activations in which something relevant happened.
    live: FxHashSet<u32>,
    trees: FxHashMap<ProcId, PostDominators>,
    havocked: FxHashMap<usize, Vec<Needed>>,
    /// Procedures all of whose jumps matter.
    decides: &'a dyn Fn(ProcId) -> bool,
}

/// The slice from the end of the execution: the failing assertion, or the last assume of the entry
/// if it returned.
pub(crate) fn backward_slice(program: &Program, events: &[Event]) -> Slice {
    let slicer = sliced(program, events, &|_| false);
    Slice {
        inputs: slicer.needed.keys().map(|&(_, var)| var).collect(),
        relevant: slicer.relevant,
    }
}

fn sliced<'a>(program: &'a Program, events: &'a [Event], decides: &'a dyn Fn(ProcId) -> bool) -> Slicer<'a> {
    let mut slicer = Slicer {
        program,
        events,
        relevant: vec![false; events.len()],
        needed: FxHashMap::default(),
        undecided: FxHashMap::default(),
        live: FxHashSet::default(),
        trees: FxHashMap::default(),
        havocked: FxHashMap::default(),
        decides,
    };
    if let Some(criterion) = criterion(events) {
        for index in (0..=criterion).rev() {
            slicer.visit(index, index == criterion);
        }
    }
    slicer
}

/// What the end of an execution depends on. Every jump of some procedures counts: had it gone another way, something
/// else might have been assigned.
pub fn deciding_events(program: &Program, events: &[Event], decides: &dyn Fn(ProcId) -> bool) -> Deciding {
    let slicer = sliced(program, events, decides);
    Deciding {
        relevant: slicer.relevant,
        havocked: slicer.havocked,
    }
}

fn criterion(events: &[Event]) -> Option<usize> {
    let last = events.len().checked_sub(1)?;
    match events[last].kind {
        EventKind::AssertFailed { .. } => Some(last),
        _ => events
            .iter()
            .rposition(|event| event.kind == EventKind::Assume && event.activation == 0)
            .or(Some(last)),
    }
}

impl Slicer<'_> {
    fn visit(&mut self, index: usize, is_criterion: bool) {
        let event = &self.events[index];
        match &event.kind {
            EventKind::Branch { target } => self.branch(index, *target),
            EventKind::Call { activation, .. } => {
                let flows = self.take_flows(&event.flows);
                if flows || self.live.contains(activation) || is_criterion {
                    self.mark(index);
                }
            }
            EventKind::Start { .. } => self.mark(index),
            // Shown where what it shows matters later; nothing depends on it.
            EventKind::Record { .. } => {
                let is_needed = |read: &Read| self.needed.contains_key(&(read.activation, read.var));
                self.relevant[index] = event.uses.iter().any(is_needed);
            }
            kind => {
                if matches!(kind, EventKind::Havoc { .. }) {
                    let targets = event.flows.iter().map(|flow| &flow.target);
                    let needed =
                        targets.filter_map(|target| self.needed.get(&(target.activation, target.var)));
                    let needed: Vec<Needed> = needed.cloned().collect();
                    self.havocked.insert(index, needed);
                }
                let flows = self.take_flows(&event.flows);
                if flows || is_criterion {
                    self.mark(index);
                }
                if is_criterion {
                    self.need_all(&event.uses);
                }
            }
        }
    }

    fn mark(&mut self, index: usize) {
        let event = &self.events[index];
        self.relevant[index] = true;
        self.live.insert(event.activation);
        self.undecided
            .entry(event.activation)
            .or_default()
            .insert(event.place.block);
    }

    /// Whether something that is needed was assigned; its sources are needed instead.
    fn take_flows(&mut self, flows: &[Flow]) -> bool {
        // The assignments of one statement happen at once: sources count after all targets.
        let mut sources: Vec<(Read, Option<Needed>)> = Vec::new();
        let mut any = false;
        for flow in flows {
            let key = (flow.target.activation, flow.target.var);
            let taken = match (self.needed.get_mut(&key), &flow.target.indices) {
                (None, _) => continue,
                (Some(Needed::Whole), Some(_)) => Needed::Whole,
                (Some(Needed::Elements(elements)), Some(indices)) => {
                    if !elements.remove(indices) {
                        continue;
                    }
                    if elements.is_empty() {
                        self.needed.remove(&key);
                    }
                    Needed::Whole
                }
                (Some(_), None) => self.needed.remove(&key).unwrap_or(Needed::Whole),
            };
            any = true;
            for source in &flow.sources {
                let elements = flow.is_copy.then(|| taken.clone());
                sources.push((source.clone(), elements));
            }
        }
        for (source, elements) in sources {
            match (elements, &source.indices) {
                (Some(Needed::Elements(elements)), None) => {
                    for indices in elements {
                        let indices = Some(indices);
                        self.need(&Read {
                            indices,
                            ..source.clone()
                        });
                    }
                }
                _ => self.need(&source),
            }
        }
        any
    }

    fn need(&mut self, read: &Read) {
        let needed = self
            .needed
            .entry((read.activation, read.var))
            .or_insert_with(|| Needed::Elements(FxHashSet::default()));
        match (needed, &read.indices) {
            (needed, None) => *needed = Needed::Whole,
            (Needed::Whole, Some(_)) => {}
            (Needed::Elements(elements), Some(indices)) => {
                elements.insert(indices.clone());
            }
        }
    }

    fn need_all(&mut self, reads: &[Read]) {
        for read in reads {
            self.need(read);
        }
    }

    /// A jump matters if it decided that a relevant block was reached.
    fn branch(&mut self, index: usize, target: BlockId) {
        let event = &self.events[index];
        let (proc, from) = (event.place.proc, event.place.block);
        let matters = (self.decides)(proc);
        if !matters && !self.undecided.contains_key(&event.activation) {
            return;
        }
        let undecided = self.undecided.entry(event.activation).or_default();
        let program = self.program;
        let tree = self
            .trees
            .entry(proc)
            .or_insert_with(|| PostDominators::of(&program.procs[proc]));
        let before = undecided.len();
        undecided.retain(|&block| block != from && tree.post_dominates(block, from));
        if undecided.len() == before && !matters {
            return;
        }
        self.mark(index);
        // The assumes at the start of the target are the guards of this way.
        for (next, guard) in self.events.iter().enumerate().skip(index + 1) {
            let is_guard = guard.kind == EventKind::Assume
                && guard.activation == event.activation
                && guard.place.block == target;
            if !is_guard {
                break;
            }
            self.relevant[next] = true;
            self.need_all(&guard.uses);
        }
    }
}
