//! Passive procedures made ready for their clauses.

use cranelift_entity::SecondaryMap;
use lariat_ir::ProcId;
use lariat_term::{Substitution, TermId, TermPool, VarId};
use lariat_vc::{CallSite, PassiveBlockId, PassiveProc, Problem};
use rustc_hash::FxHashSet;

use crate::encode::Direction;
use crate::loosen::Loosening;
use crate::regions::calls_of;
use crate::tail_calls::is_tail_call;

/// The position of the error flag among a procedure's outputs.
pub fn error_position(problem: &Problem, proc: ProcId) -> Option<usize> {
    let error = problem.error?;
    problem.outs(proc).position(|var| var == error)
}

/// What must be known of a procedure as it was before [`prepare`].
pub struct Unprepared {
    /// For each assumption of each block, how many of the block's calls must have come back before it
    /// can be looked at.
    pub waits: SecondaryMap<PassiveBlockId, Vec<usize>>,
    /// Whether it calls itself, and in tail position only; not asked for without contexts.
    pub is_tail_loop: bool,
}

impl Unprepared {
    pub fn new(pool: &TermPool, direction: Direction, passive: &PassiveProc) -> Self {
        let mut waits = SecondaryMap::<PassiveBlockId, Vec<usize>>::new();
        for (id, block) in passive.blocks.iter() {
            let calls: Vec<&CallSite> = calls_of(passive, id)
                .map(|site| &passive.call_sites[site])
                .collect();
            for &assume in &block.assumes {
                let vars = pool.free_vars(&[assume]);
                let last = calls
                    .iter()
                    .rposition(|site| site.outs.iter().any(|out| vars.contains(out)));
                waits[id].push(last.map_or(0, |last| last + 1));
            }
        }
        let sites = passive.call_sites.iter().enumerate();
        let mut self_calls = sites.filter(|(_, site)| site.callee == passive.proc).peekable();
        let is_tail_loop = direction == Direction::Forward
            && self_calls.peek().is_some()
            && self_calls.all(|(index, _)| is_tail_call(pool, passive, index));
        Unprepared { waits, is_tail_loop }
    }
}

/// Loosens all terms; forward, a call that comes back has not failed.
pub fn prepare(
    problem: &mut Problem,
    direction: Direction,
    loosening: &mut Loosening,
    passive: &mut PassiveProc,
) {
    let mut not_failed = Substitution::new();
    if direction == Direction::Forward {
        let falsity = problem.program.pool.bool(false);
        for site in &passive.call_sites {
            if let Some(position) = error_position(problem, site.callee) {
                not_failed.insert(site.outs[position], falsity);
            }
        }
    }
    let pool = &mut problem.program.pool;
    let mut change = |term: &mut TermId| {
        *term = not_failed.apply(pool, *term);
        match loosening.apply(pool, *term) {
            Some(loose) => {
                *term = loose;
                true
            }
            None => false,
        }
    };
    for block in passive.blocks.values_mut() {
        for assume in &mut block.assumes {
            change(assume);
        }
        for edge in &mut block.successors {
            edge.phis.retain_mut(|phi| change(&mut phi.value));
        }
        if let Some(values) = &mut block.returns {
            values.retain_mut(|(_, value)| change(value));
        }
    }
    for site in &mut passive.call_sites {
        // Those of an unknown sort are no parameters.
        site.ins.iter_mut().for_each(|value| {
            change(value);
        });
    }
}

/// For each procedure the constants that it or a callee mentions, in ascending order.
pub fn constants_of(
    problem: &Problem,
    loosening: &mut Loosening,
    passives: &[PassiveProc],
) -> SecondaryMap<ProcId, Vec<VarId>> {
    let pool = &problem.program.pool;
    let known: FxHashSet<VarId> = problem
        .program
        .constants
        .iter()
        .copied()
        .filter(|&var| loosening.knows_sort(pool, pool.var_sort(var)))
        .collect();
    let mut constants = SecondaryMap::<ProcId, FxHashSet<VarId>>::new();
    for passive in passives {
        let mut terms: Vec<TermId> = Vec::new();
        for block in passive.blocks.values() {
            terms.extend(&block.assumes);
            terms.extend(block.returns.iter().flatten().map(|&(_, value)| value));
            terms.extend(
                block
                    .successors
                    .iter()
                    .flat_map(|edge| &edge.phis)
                    .map(|phi| phi.value),
            );
        }
        terms.extend(passive.call_sites.iter().flat_map(|site| &site.ins));
        let own = pool.free_vars(&terms);
        constants[passive.proc].extend(own.into_iter().filter(|var| known.contains(var)));
    }
    loop {
        let mut changed = false;
        // Callees come first, so one more round is needed only where there is recursion.
        for passive in passives {
            for site in &passive.call_sites {
                let inherited = constants[site.callee].clone();
                let own = &mut constants[passive.proc];
                let before = own.len();
                own.extend(inherited);
                changed |= own.len() != before;
            }
        }
        if !changed {
            break;
        }
    }
    let mut sorted = SecondaryMap::new();
    for passive in passives {
        let mut vars: Vec<VarId> = constants[passive.proc].iter().copied().collect();
        vars.sort_unstable();
        sorted[passive.proc] = vars;
    }
    sorted
}
