//! The conditions of procedures and what is put at their call sites.

use cranelift_entity::EntitySet;
use lariat_ir::ProcId;
use lariat_term::{Substitution, TermId, TermPool, VarId};
use lariat_vc::{CallSiteVc, Problem, ProcVc, generate_vc, passify, straight_line_procs};
use rustc_hash::FxHashSet;

/// Makes the conditions of the procedures of a problem, with calls of straight-line procedures executed in
/// place as the search does it.
pub(crate) struct ConditionMaker {
    in_place: EntitySet<ProcId>,
    constants: FxHashSet<VarId>,
}

impl ConditionMaker {
    pub fn new(problem: &Problem) -> Self {
        ConditionMaker {
            in_place: straight_line_procs(&problem.program, problem.error),
            constants: problem.program.constants.iter().copied().collect(),
        }
    }

    pub fn condition(&self, problem: &mut Problem, proc: ProcId) -> ProcVc {
        let passive = passify(
            &mut problem.program,
            proc,
            &problem.interfaces,
            problem.error,
            &self.in_place,
        );
        generate_vc(&mut problem.program.pool, passive, &self.constants)
    }

    pub fn is_in_place(&self, proc: ProcId) -> bool {
        self.in_place.contains(proc)
    }
}

/// The replacement of a procedure's own variables by the values at a call site.
pub(crate) fn at_call_site(
    pool: &mut TermPool,
    ins: &[VarId],
    outs: &[VarId],
    site: &CallSiteVc,
) -> Substitution {
    let mut pairs: Vec<(VarId, TermId)> = ins.iter().copied().zip(site.ins.iter().copied()).collect();
    for (&own, &out) in outs.iter().zip(&site.outs) {
        pairs.push((own, pool.var(out)));
    }
    pairs.into_iter().collect()
}

/// … and by the variables of the condition of its own body.
pub(crate) fn at_body(pool: &mut TermPool, ins: &[VarId], outs: &[VarId], vc: &ProcVc) -> Substitution {
    let own = ins.iter().chain(outs);
    own.zip(vc.ins.iter().chain(&vc.outs))
        .map(|(&own, &var)| (own, pool.var(var)))
        .collect()
}
