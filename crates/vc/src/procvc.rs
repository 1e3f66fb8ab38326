//! The verification condition of one procedure, with its calls left open (the *partial VC* of
//! [Legion22] §2.2).
//!
//! For each block `j` there is a Boolean `b_j`, and for each edge that needs one an `e_js`:
//!
//! ```text
//! b_j  ⇒  assumes_j ∧ ⋁_s e_js          (or the final values, if the procedure returns there)
//! e_js ⇒  b_s ∧ phis_js
//! ```
//!
//! Where a successor has no other predecessor the edge is the successor's own Boolean, and where a
//! block has one successor only the right side is put in place. A model in which the entry's Boolean
//! is true holds a path to a return: follow any true edge. Open calls are unconstrained; to inline
//! one is to assert `b_j ⇒ b_entry` of an instance of the callee.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use lariat_ir::{BlockId, ProcId, StmtId};
use lariat_term::{TermId, TermPool, VarId};
use rustc_hash::FxHashSet;

use crate::passive::{Edge, PassiveBlockId, PassiveProc, PassiveStep};

/// A verification condition, ready to be instantiated.
#[derive(Debug)]
pub struct ProcVc {
    pub proc: ProcId,
    /// Replaced by the caller's values.
    pub ins: Vec<VarId>,
    /// Replaced by the caller's incarnations.
    pub outs: Vec<VarId>,
    /// All other variables of the formula, Booleans of blocks and edges too: new in each instance.
    pub locals: Vec<VarId>,
    /// Conjuncts.
    pub clauses: Vec<TermId>,
    pub blocks: PrimaryMap<PassiveBlockId, VcBlock>,
    pub call_sites: Vec<CallSiteVc>,
}

#[derive(Debug)]
pub struct VcBlock {
    /// The block of the procedure that it is made from.
    pub source: BlockId,
    pub control: VarId,
    pub successors: Vec<VcEdge>,
    pub steps: Vec<PassiveStep>,
}

#[derive(Clone, Copy, Debug)]
pub struct VcEdge {
    pub target: PassiveBlockId,
    /// True in the model if the edge may be taken; `None` if it is the only one.
    pub taken: Option<VarId>,
}

#[derive(Debug)]
pub struct CallSiteVc {
    pub stmt: StmtId,
    pub callee: ProcId,
    /// The Boolean of the block that the call is in.
    pub control: VarId,
    pub ins: Vec<TermId>,
    pub outs: Vec<VarId>,
}

impl ProcVc {
    /// The Boolean of the entry block.
    pub fn entry(&self) -> VarId {
        self.blocks[PassiveBlockId::new(0)].control
    }
}

/// Generates the verification condition. `constants` are the same in all instances.
pub fn generate_vc(pool: &mut TermPool, passive: PassiveProc, constants: &FxHashSet<VarId>) -> ProcVc {
    let bool_sort = pool.bool_sort();
    let mut predecessor_count = SecondaryMap::<PassiveBlockId, usize>::new();
    for block in passive.blocks.values() {
        for edge in &block.successors {
            predecessor_count[edge.target] += 1;
        }
    }
    let mut controls = PrimaryMap::<PassiveBlockId, VarId>::with_capacity(passive.blocks.len());
    for id in passive.blocks.keys() {
        controls.push(pool.declare_var(format!("b{}", id.index()), bool_sort));
    }
    let mut clauses = unavoidable_blocks(pool, &passive, &controls);
    let common = common_returns(&passive);
    for &(position, value) in &common {
        let out = pool.var(passive.outs[position]);
        let entry = pool.var(controls[PassiveBlockId::new(0)]);
        let equal = pool.eq(out, value);
        clauses.push(pool.implies(entry, equal));
    }
    let mut blocks = PrimaryMap::with_capacity(passive.blocks.len());
    for (id, block) in passive.blocks {
        let mut conjuncts = block.assumes;
        let mut successors = Vec::new();
        match &block.returns {
            Some(values) => {
                for &(position, value) in values.iter().filter(|value| !common.contains(value)) {
                    let out = pool.var(passive.outs[position]);
                    conjuncts.push(pool.eq(out, value));
                }
            }
            None => {
                let single = block.successors.len() == 1;
                let mut choices = Vec::new();
                for edge in &block.successors {
                    let (choice, taken) = edge_formula(
                        pool,
                        edge,
                        controls[edge.target],
                        single,
                        predecessor_count[edge.target] == 1,
                        &mut clauses,
                    );
                    choices.push(choice);
                    successors.push(VcEdge {
                        target: edge.target,
                        taken,
                    });
                }
                conjuncts.push(pool.or(&choices));
            }
        }
        let body = pool.and(&conjuncts);
        let control = pool.var(controls[id]);
        let clause = pool.implies(control, body);
        clauses.push(clause);
        blocks.push(VcBlock {
            source: block.source,
            control: controls[id],
            successors,
            steps: block.steps,
        });
    }
    let call_sites: Vec<CallSiteVc> = passive
        .call_sites
        .into_iter()
        .map(|site| CallSiteVc {
            stmt: site.stmt,
            callee: site.callee,
            control: controls[site.block],
            ins: site.ins,
            outs: site.outs,
        })
        .collect();
    let locals = local_vars(
        pool,
        &passive.ins,
        &passive.outs,
        constants,
        &clauses,
        &blocks,
        &call_sites,
    );
    ProcVc {
        proc: passive.proc,
        ins: passive.ins,
        outs: passive.outs,
        locals,
        clauses,
        blocks,
        call_sites,
    }
}

/// The outputs that have the same value wherever the procedure returns: no choice is needed to know them.
fn common_returns(passive: &PassiveProc) -> Vec<(usize, TermId)> {
    let mut returns = passive.blocks.values().filter_map(|block| block.returns.as_ref());
    let Some(first) = returns.next() else {
        return Vec::new();
    };
    let mut common = first.clone();
    for values in returns {
        common.retain(|value| values.contains(value));
    }
    common
}

/// For each block with a choice: the block at which all ways from it meet is executed too. This follows
/// from the other clauses, but only after a case split.
fn unavoidable_blocks(
    pool: &mut TermPool,
    passive: &PassiveProc,
    controls: &PrimaryMap<PassiveBlockId, VarId>,
) -> Vec<TermId> {
    let mut clauses = Vec::new();
    // The nearest block after each that no way to the end avoids; blocks are in topological order.
    let mut meeting = SecondaryMap::<PassiveBlockId, Option<PassiveBlockId>>::new();
    for id in passive.blocks.keys().rev() {
        let mut targets = passive.blocks[id].successors.iter().map(|edge| edge.target);
        let Some(first) = targets.next() else {
            continue;
        };
        let mut met = Some(first);
        for target in targets {
            let mut other = Some(target);
            while met != other {
                // Whichever comes earlier moves on.
                if other.is_none() || met.is_some_and(|met| Some(met) < other) {
                    met = met.and_then(|met| meeting[met]);
                } else {
                    other = other.and_then(|other| meeting[other]);
                }
            }
        }
        meeting[id] = met;
        if let (Some(met), true) = (met, passive.blocks[id].successors.len() > 1) {
            let from = pool.var(controls[id]);
            let to = pool.var(controls[met]);
            clauses.push(pool.implies(from, to));
        }
    }
    clauses
}

/// The formula for taking an edge, and the Boolean that says in a model whether it may be taken.
fn edge_formula(
    pool: &mut TermPool,
    edge: &Edge,
    target_control: VarId,
    only_successor: bool,
    only_predecessor: bool,
    clauses: &mut Vec<TermId>,
) -> (TermId, Option<VarId>) {
    let control = pool.var(target_control);
    let mut conjuncts = vec![control];
    for phi in &edge.phis {
        let incarnation = pool.var(phi.incarnation);
        conjuncts.push(pool.eq(incarnation, phi.value));
    }
    let formula = pool.and(&conjuncts);
    if only_successor {
        return (formula, None);
    }
    // A join whose other predecessors cannot be completed has one predecessor left and still merges.
    if only_predecessor && edge.phis.is_empty() {
        return (formula, Some(target_control));
    }
    let bool_sort = pool.bool_sort();
    let taken = pool.declare_var("e", bool_sort);
    let choice = pool.var(taken);
    let clause = pool.implies(choice, formula);
    clauses.push(clause);
    (choice, Some(taken))
}

/// Everything that each instance needs its own copy of, in a fixed order.
fn local_vars(
    pool: &TermPool,
    ins: &[VarId],
    outs: &[VarId],
    constants: &FxHashSet<VarId>,
    clauses: &[TermId],
    blocks: &PrimaryMap<PassiveBlockId, VcBlock>,
    call_sites: &[CallSiteVc],
) -> Vec<VarId> {
    let mut roots: Vec<TermId> = clauses.to_vec();
    roots.extend(call_sites.iter().flat_map(|site| site.ins.iter().copied()));
    let mut vars = pool.free_vars(&roots);
    // What is only havocked and never looked at is not needed, not even for traces.
    vars.extend(blocks.values().map(|block| block.control));
    vars.extend(call_sites.iter().flat_map(|site| site.outs.iter().copied()));
    for var in ins.iter().chain(outs) {
        vars.remove(var);
    }
    let mut locals: Vec<VarId> = vars.into_iter().filter(|var| !constants.contains(var)).collect();
    locals.sort_unstable();
    locals
}
