//! Cut points of a passive procedure and what is live at them.
//!
//! A block is a cut point if it is the entry, if it holds a call, or if it joins paths from different
//! cut points. Every other block belongs to the region of exactly one cut point, which is call-free but
//! for the cut point itself: a region is one constraint, however many paths it has (large blocks).

use cranelift_entity::{EntityRef, SecondaryMap};
use lariat_term::{TermPool, VarId};
use lariat_vc::{PassiveBlockId, PassiveProc, PassiveStep};
use rustc_hash::FxHashSet;

/// A region of more blocks than this is cut, so that constraints stay shallow.
const MOST_BLOCKS: usize = 200;

pub struct Regions {
    /// The cut point of each block.
    owner: SecondaryMap<PassiveBlockId, PassiveBlockId>,
    /// In topological order, the entry first.
    pub cut_points: Vec<PassiveBlockId>,
    /// For each cut point the variables that matter before and after it, in ascending order.
    pub live: SecondaryMap<PassiveBlockId, Vec<VarId>>,
}

impl Regions {
    pub fn new(pool: &TermPool, passive: &PassiveProc) -> Self {
        let mut predecessors = SecondaryMap::<PassiveBlockId, Vec<PassiveBlockId>>::new();
        for (id, block) in passive.blocks.iter() {
            for edge in &block.successors {
                predecessors[edge.target].push(id);
            }
        }
        let mut owner = SecondaryMap::<PassiveBlockId, PassiveBlockId>::with_default(PassiveBlockId::new(0));
        let mut sizes = SecondaryMap::<PassiveBlockId, usize>::new();
        let mut cut_points = Vec::new();
        for (id, block) in passive.blocks.iter() {
            let calls = block
                .steps
                .iter()
                .any(|step| matches!(step, PassiveStep::Call(_)));
            let inherited = predecessors[id].first().map(|&first| owner[first]);
            let is_inner = |cut: PassiveBlockId| {
                !calls
                    && sizes[cut] < MOST_BLOCKS
                    && predecessors[id].iter().all(|&other| owner[other] == cut)
            };
            match inherited.filter(|&cut| is_inner(cut)) {
                Some(cut) => {
                    owner[id] = cut;
                    sizes[cut] += 1;
                }
                None => {
                    owner[id] = id;
                    cut_points.push(id);
                }
            }
        }
        let live = live_at(pool, passive, &cut_points);
        Regions {
            owner,
            cut_points,
            live,
        }
    }

    pub fn is_cut_point(&self, block: PassiveBlockId) -> bool {
        self.owner[block] == block
    }
}

/// The variables that occur both in blocks before each cut point and in or after it. The procedure's
/// inputs are not among them: they are parameters of every predicate.
fn live_at(
    pool: &TermPool,
    passive: &PassiveProc,
    cut_points: &[PassiveBlockId],
) -> SecondaryMap<PassiveBlockId, Vec<VarId>> {
    let mut used = SecondaryMap::<PassiveBlockId, FxHashSet<VarId>>::new();
    for (id, block) in passive.blocks.iter() {
        let mut terms = block.assumes.clone();
        terms.extend(block.returns.iter().flatten().map(|&(_, value)| value));
        terms.extend(
            block
                .successors
                .iter()
                .flat_map(|edge| &edge.phis)
                .map(|phi| phi.value),
        );
        for site in calls_of(passive, id) {
            terms.extend(&passive.call_sites[site].ins);
        }
        used[id].extend(pool.free_vars(&terms));
    }
    let mut before = SecondaryMap::<PassiveBlockId, FxHashSet<VarId>>::new();
    for (id, block) in passive.blocks.iter() {
        let mut occurring = before[id].clone();
        occurring.extend(&used[id]);
        for site in calls_of(passive, id) {
            occurring.extend(&passive.call_sites[site].outs);
        }
        for edge in &block.successors {
            let target = &mut before[edge.target];
            target.extend(&occurring);
            target.extend(edge.phis.iter().map(|phi| phi.incarnation));
        }
    }
    let mut after = used;
    for (id, block) in passive.blocks.iter().rev() {
        for edge in &block.successors {
            let later: Vec<VarId> = after[edge.target].iter().copied().collect();
            after[id].extend(later);
        }
    }
    let inputs: FxHashSet<VarId> = passive.ins.iter().copied().collect();
    let mut live = SecondaryMap::new();
    for &cut in cut_points {
        let mut vars: Vec<VarId> = before[cut].intersection(&after[cut]).copied().collect();
        vars.retain(|var| !inputs.contains(var));
        vars.sort_unstable();
        live[cut] = vars;
    }
    live
}

/// The call sites of a block in the order of their execution.
pub fn calls_of(passive: &PassiveProc, block: PassiveBlockId) -> impl Iterator<Item = usize> + '_ {
    passive.blocks[block].steps.iter().filter_map(|step| match step {
        PassiveStep::Call(site) => Some(*site),
        _ => None,
    })
}
