//! Splitting a search in two: the executions that make a chain of calls, and those that do not.
//!
//! A [`Decision`] names a chain of calls from the entry. In the unfolding such a chain is one chain of call sites `s_1 … s_n`,
//! whatever is shared: an inlined call site has one instance. An execution passes each instance at most once
//! ([`crate::dag`]), so it makes the chain of calls if and only if it takes every `s_i`.
//!
//! ```text
//! blocked:  ¬control(s_1) ∨ … ∨ ¬control(s_n)
//! reached:  ¬taken(e)  for each edge e of s_i's instance from which its block cannot be reached any more, i = 1 … n
//! ```
//!
//! `control(s_n)` alone would not do for `reached`: conditions only say what follows from a Boolean, so a model may set that of
//! a block which no path leads to. Once the ways around the call are closed every path takes it. An instance that the chain passes
//! may have other callers, but they are of executions that are left out anyway.
//!
//! The constraints are asserted for good as soon as the call sites are there. Until then the part allows more than it should,
//! which is sound: the parts together have all executions, and what is found is an execution.
//!
//! A search is split when it is asked to ([`lariat_base::Idle`]) and has taken some effort, at a call site with a large part of what
//! unsat cores have named below it: the one that leaves as much of it outside. (Hydra's rule is the largest part. Almost
//! everything is below the calls next to the entry, and one of the halves would be empty.)

use std::cmp::Reverse;

use cranelift_entity::{EntityRef, SecondaryMap};
use lariat_options::{CallName, Decision, Halves, Partition, SearchStart};
use lariat_smt::{Ast, CheckResult, SolverError, Stop};
use lariat_term::VarId;
use lariat_vc::{PassiveBlockId, ProcVc};
use rustc_hash::FxHashSet;

use crate::dag::{CallSiteId, Dag, Site};
use crate::options::SplitPolicy;
use crate::search::Search;
use crate::unfolding::Unfolding;

/// A search is split after so much effort of the solver at least, some seconds: parts do not have what it has learned.
const LEAST_EFFORT: u64 = 10_000_000;
/// A query is interrupted after so much effort to see whether a split is wanted, then after twice as much, up to the last.
const FIRST_SLICE: u32 = 2_000_000;
const LAST_SLICE: u32 = 16_000_000;
/// So many call sites of a core are looked at.
const MOST_OF_CORE: usize = 2_000;
/// A part is not told of more calls that were inlined: it finds out itself what it needs.
const MOST_OPENED: usize = 20_000;

/// What a search needs to be split.
#[derive(Default)]
pub(crate) struct Splitting {
    /// The calls that unsat cores have named, the latest last.
    core: Vec<CallSiteId>,
    /// The effort at the last split.
    since: u64,
    /// The split that has ended the search.
    found: Option<Halves>,
}

/// The decisions of a part in its unfolding.
#[derive(Default)]
pub(crate) struct Decisions {
    all: Vec<Decision>,
    /// Those whose call site is not in the unfolding yet, each with its call sites as far as they are.
    pending: Vec<(Decision, Vec<CallSiteId>)>,
}

impl Splitting {
    /// Notes the calls that an unsat core names.
    pub fn note_core(&mut self, named: &[CallSiteId]) {
        self.core.extend(named);
        let old = self.core.len().saturating_sub(MOST_OF_CORE);
        self.core.drain(..old);
    }
}

impl Search<'_> {
    /// Ends the search with its two parts, if that is wanted now.
    pub(crate) fn split_if_wanted(&mut self) -> Result<(), Stop> {
        let wanted = match self.options.split {
            SplitPolicy::Never => false,
            SplitPolicy::WhenAsked => {
                self.budget.idle().is_any()
                    && self.unfolding.effort().saturating_sub(self.splitting.since) >= LEAST_EFFORT
            }
            SplitPolicy::EachRound { depth } => self.unfolding.decisions.all.len() < depth,
        };
        if wanted && let Some(split) = self.choose_split() {
            self.splitting.found = Some(split);
            return Err(Stop::OutOfEffort);
        }
        Ok(())
    }

    /// The split that has ended the search.
    pub(crate) fn take_split(&mut self) -> Option<Halves> {
        self.splitting.found.take()
    }

    pub(crate) fn decide(&mut self, decision: Decision) -> Result<(), SolverError> {
        self.splitting.since = self.unfolding.effort();
        self.unfolding.decide(decision)
    }

    /// Inlines what the search had inlined of which this is a part.
    pub(crate) fn catch_up(&mut self) -> Result<(), Stop> {
        let start = std::mem::take(&mut self.options.partition.start);
        if start.bound == 0 {
            return Ok(());
        }
        self.start_at(start.bound, start.completed);
        for number in start.opened {
            self.budget.check()?;
            let site = CallSiteId::new(number as usize);
            let is_open = |unfolding: &Unfolding| {
                let data = unfolding.dag.sites.get(site);
                data.is_some_and(|data| data.instance.is_none())
            };
            if is_open(&self.unfolding) && self.within_bound(site) {
                self.unfolding.inline(site)?;
            }
        }
        self.unfolding.close_inlined()?;
        self.report();
        Ok(())
    }

    /// Asks the solver in slices, so that neither a split nor another member's turn has to wait for a hard query.
    pub(crate) fn ask_in_slices(
        &mut self,
        literals: &[Ast],
        limit: Option<u32>,
    ) -> Result<CheckResult, Stop> {
        let mut left = limit;
        let mut slice = FIRST_SLICE;
        loop {
            let part = left.map_or(slice, |left| left.min(slice));
            self.take_turn()?;
            let Unfolding { solver, context, .. } = &mut self.unfolding;
            let answer = solver.check_within(context, literals, part)?;
            if !answer.is_out_of_effort() || left == Some(part) {
                return Ok(answer);
            }
            self.split_if_wanted()?;
            left = left.map(|left| left - part);
            slice = slice.saturating_mul(2).min(LAST_SLICE);
        }
    }

    /// Waits for the others if it is their turn.
    fn take_turn(&mut self) -> Result<(), Stop> {
        let effort = self.unfolding.effort();
        let spent = effort.saturating_sub(self.counted);
        self.counted = effort;
        Ok(self.budget.spend(spent)?)
    }

    fn choose_split(&mut self) -> Option<Halves> {
        let (site, name) = self.unfolding.split_site(&self.splitting.core)?;
        self.observer.splitting(&self.unfolding, site);
        let opened = &self.unfolding.opened;
        let start = SearchStart {
            bound: self.bound,
            completed: self.completed(),
            opened: match opened.len() <= MOST_OPENED {
                true => opened.iter().map(|site| site.as_u32()).collect(),
                false => Vec::new(),
            },
        };
        let part = |reached: bool| {
            let mut decisions = self.unfolding.decisions.all.clone();
            let site = name.clone();
            decisions.push(Decision { site, reached });
            let start = start.clone();
            Partition { decisions, start }
        };
        Some(Halves {
            blocked: part(false),
            reached: part(true),
        })
    }
}

impl Unfolding {
    /// From now on only executions that the decision allows count.
    pub(crate) fn decide(&mut self, decision: Decision) -> Result<(), SolverError> {
        self.decisions.all.push(decision.clone());
        self.decisions.pending.push((decision, Vec::new()));
        self.assert_decisions()
    }

    /// Asserts what decisions say of call sites that are new.
    pub(crate) fn assert_decisions(&mut self) -> Result<(), SolverError> {
        if self.decisions.pending.is_empty() {
            return Ok(());
        }
        let mut pending = std::mem::take(&mut self.decisions.pending);
        for (decision, known) in &mut pending {
            self.assert_decision(decision, known)?;
        }
        pending.retain(|(decision, known)| known.len() < decision.site.len());
        self.decisions.pending = pending;
        Ok(())
    }

    fn assert_decision(
        &mut self,
        decision: &Decision,
        known: &mut Vec<CallSiteId>,
    ) -> Result<(), SolverError> {
        let unfit = || SolverError("the part of the search does not belong to this program".into());
        while let Some(name) = decision.site.get(known.len()) {
            let caller = match known.last() {
                None => Dag::root(),
                Some(&last) => match self.dag.sites[last].instance {
                    Some(instance) => instance,
                    None => return Ok(()),
                },
            };
            let site = self.dag.nodes[caller].sites.get(name.call as usize);
            let site = *site.ok_or_else(unfit)?;
            let callee = self.dag.sites[site].callee;
            if *self.problem.program.procs[callee].name != *name.callee {
                return Err(unfit());
            }
            known.push(site);
            if decision.reached {
                let block = self.dag.nodes[caller].shape().blocks[name.call as usize];
                for edge in ways_around(self.vc(caller), block) {
                    let taken = self.known_ast(caller, edge)?;
                    let closed = self.context.not(taken)?;
                    self.solver.assert(&mut self.context, closed)?;
                }
            }
        }
        if !decision.reached {
            let controls: Vec<Ast> = known.iter().map(|&site| self.sites[site].control).collect();
            let blocked = self.context.not_all(&controls)?;
            self.solver.assert(&mut self.context, blocked)?;
        }
        Ok(())
    }

    /// The call site to split at, and the calls that lead to it: one with a part of the core below it, itself included, that leaves as much outside. Some executions of
    /// its caller avoid it, and it is not decided. Of the core only what the decisions leave counts.
    fn split_site(&self, core: &[CallSiteId]) -> Option<(CallSiteId, Vec<CallName>)> {
        let left = self.left_by_decisions();
        let is_left = |&site: &CallSiteId| left[site];
        let core: Vec<CallSiteId> = core.iter().copied().filter(is_left).collect();
        let open = self.open_sites().iter().copied().filter(is_left);
        let core: Vec<CallSiteId> = match core.is_empty() {
            false => core,
            true => open.take(MOST_OF_CORE).collect(),
        };
        let core: Vec<CallSiteId> = match core.is_empty() {
            false => core,
            true => self.dag.sites.keys().filter(is_left).take(MOST_OF_CORE).collect(),
        };
        let mut below = SecondaryMap::<CallSiteId, usize>::new();
        for &site in &core {
            let mut seen = FxHashSet::default();
            let mut up = vec![site];
            while let Some(site) = up.pop() {
                if left[site] && seen.insert(site) {
                    below[site] += 1;
                    up.extend(&self.dag.nodes[self.dag.sites[site].caller].parents);
                }
            }
        }
        let mut candidates: Vec<CallSiteId> = self.dag.sites.keys().filter(|&site| below[site] > 0).collect();
        let divides = |site: CallSiteId| below[site].min(core.len() - below[site]);
        candidates.sort_by_key(|&site| (Reverse(divides(site)), Reverse(below[site]), site));
        candidates.into_iter().find_map(|site| {
            let name = self.site_name(site, &left);
            (self.is_avoidable(site) && !self.is_decided(&name)).then_some((site, name))
        })
    }

    /// The call sites that some execution may pass, as far as the control flow says: an execution that makes a chain of calls makes no call that
    /// excludes one of them, and enters what the chain passes through the chain only.
    fn left_by_decisions(&self) -> SecondaryMap<CallSiteId, bool> {
        let mut excluded = FxHashSet::default();
        let reached = |decision: &&Decision| decision.reached;
        for decision in self.decisions.all.iter().filter(reached) {
            let chain = self.chain(decision);
            for (position, &site) in chain.iter().enumerate() {
                let Site { caller, index, .. } = self.dag.sites[site];
                let node = &self.dag.nodes[caller];
                let shape = node.shape();
                let others = node.sites.iter().copied().enumerate();
                excluded.extend(
                    others
                        .filter(|&(other, _)| shape.disjoint(index, other))
                        .map(|(_, other)| other),
                );
                if let Some(before) = position.checked_sub(1) {
                    let ways = node.parents.iter().copied();
                    excluded.extend(ways.filter(|&way| way != chain[before]));
                }
            }
        }
        let blocked = |decision: &&Decision| !decision.reached;
        for decision in self.decisions.all.iter().filter(blocked) {
            let chain = self.chain(decision);
            // Where nothing else leads to the last call, it is not made at all.
            let only_way = chain.windows(2).all(|pair| {
                let caller = self.dag.sites[pair[1]].caller;
                let mut ways = self.dag.nodes[caller].parents.iter();
                ways.all(|way| *way == pair[0] || excluded.contains(way))
            });
            if only_way && chain.len() == decision.site.len() {
                excluded.extend(chain.last());
            }
        }
        let mut left = SecondaryMap::<CallSiteId, bool>::new();
        let mut entered = FxHashSet::default();
        let mut below = vec![Dag::root()];
        while let Some(instance) = below.pop() {
            if !entered.insert(instance) {
                continue;
            }
            for &site in &self.dag.nodes[instance].sites {
                left[site] = !excluded.contains(&site);
                below.extend(self.dag.sites[site].instance.filter(|_| left[site]));
            }
        }
        left
    }

    /// The call sites of a decision, as far as they are in the unfolding.
    fn chain(&self, decision: &Decision) -> Vec<CallSiteId> {
        let mut chain = Vec::new();
        let mut caller = Some(Dag::root());
        for name in &decision.site {
            let Some(site) = caller.and_then(|caller| self.dag.nodes[caller].sites.get(name.call as usize))
            else {
                break;
            };
            chain.push(*site);
            caller = self.dag.sites[*site].instance;
        }
        chain
    }

    fn is_avoidable(&self, site: CallSiteId) -> bool {
        let data = &self.dag.sites[site];
        let block = self.dag.nodes[data.caller].shape().blocks[data.index];
        !ways_around(self.vc(data.caller), block).is_empty()
    }

    fn is_decided(&self, name: &[CallName]) -> bool {
        let decides = |decision: &Decision| match decision.reached {
            true => decision.site.starts_with(name),
            false => name.starts_with(&decision.site),
        };
        self.decisions.all.iter().any(decides)
    }

    /// The calls that lead to a call site; of several ways that are left, the oldest.
    fn site_name(&self, site: CallSiteId, left: &SecondaryMap<CallSiteId, bool>) -> Vec<CallName> {
        let mut name = Vec::new();
        let mut current = Some(site);
        while let Some(site) = current {
            let data = &self.dag.sites[site];
            name.push(CallName {
                call: data.index as u32,
                callee: self.problem.program.procs[data.callee].name.to_string(),
            });
            let mut ways = self.dag.nodes[data.caller].parents.iter().copied();
            current = ways.find(|&way| left[way]);
        }
        name.reverse();
        name
    }
}

/// The Booleans of the edges after which the block cannot be reached any more, though it could before.
fn ways_around(vc: &ProcVc, block: PassiveBlockId) -> Vec<VarId> {
    // Blocks are in topological order.
    let mut before = SecondaryMap::<PassiveBlockId, bool>::new();
    before[block] = true;
    let mut around = Vec::new();
    for (id, data) in vc.blocks.iter().rev() {
        if id == block || !data.successors.iter().any(|edge| before[edge.target]) {
            continue;
        }
        before[id] = true;
        let away = data.successors.iter().filter(|edge| !before[edge.target]);
        around.extend(away.filter_map(|edge| edge.taken));
    }
    around
}
