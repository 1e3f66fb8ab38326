//! Candidates for what is left of a procedure when constants are propagated.
//!
//! Where a parameter or global has the same value in all calls, `propagate_constants` puts the value in and
//! the variable is no longer an input, so a candidate that speaks about it says nothing of anything. Such a
//! candidate is added once more, with the value in the variable's place. This is done before the
//! values are put in. Whatever is added is a guess like the candidate itself.

use cranelift_entity::EntityRef;
use lariat_ir::{CandidateClause, CandidateKind, ProcId, ProcKind, Program};
use lariat_term::{Substitution, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constant_facts::{ConstantFacts, Facts};

/// Adds candidates with known values. `origins` says of each variable of a loop which variable of the
/// procedure it stands for. The program is at [`lariat_ir::Stage::Instrumented`]; its statements stay as they are.
pub(crate) fn specialise_candidates(
    program: &mut Program,
    facts: &ConstantFacts,
    origins: &FxHashMap<VarId, VarId>,
) {
    let candidates = program.candidates.clone();
    let key = |candidate: &CandidateClause| (candidate.proc, candidate.kind, candidate.term);
    let mut seen: FxHashSet<_> = candidates.iter().map(key).collect();
    for proc in program.procs.keys().collect::<Vec<_>>() {
        let Some(start) = facts.at_start(proc) else {
            continue;
        };
        for candidate in &candidates {
            let known = match candidate.kind {
                CandidateKind::Invariant => known_in_loop(program, candidate, proc, &start, origins),
                _ => known_of_procedure(program, candidate, proc, &start),
            };
            if known.is_empty() {
                continue;
            }
            let mut values: Substitution = known.into_iter().collect();
            let term = values.apply(&mut program.pool, candidate.term);
            if term != candidate.term && program.pool.as_bool(term).is_none() {
                let specialised = CandidateClause {
                    proc: candidate.proc.or(Some(proc)),
                    term,
                    ..candidate.clone()
                };
                if seen.insert(key(&specialised)) {
                    program.candidates.push(specialised);
                }
            }
        }
    }
}

/// What is known of parameters and old values, and at the start of globals.
fn known_of_procedure(
    program: &Program,
    candidate: &CandidateClause,
    proc: ProcId,
    start: &Facts,
) -> Vec<(VarId, TermId)> {
    if candidate.proc.is_some_and(|own| own != proc) {
        return Vec::new();
    }
    let params = program.procs[proc].params.iter().map(|&param| (param, param));
    let old = candidate.old.iter().copied();
    let globals = match candidate.kind {
        CandidateKind::Requires => program.globals.as_slice(),
        _ => &[],
    };
    params
        .chain(old)
        .chain(globals.iter().map(|&global| (global, global)))
        .filter_map(|(var, source)| Some((var, start.get(source.index())?)))
        .collect()
}

/// What is known whenever a loop of the candidate's procedure is at its head.
fn known_in_loop(
    program: &Program,
    candidate: &CandidateClause,
    proc: ProcId,
    start: &Facts,
    origins: &FxHashMap<VarId, VarId>,
) -> Vec<(VarId, TermId)> {
    let mut root = proc;
    while let ProcKind::Loop { parent, .. } = program.procs[root].kind {
        root = parent;
    }
    if root == proc || candidate.proc != Some(root) {
        return Vec::new();
    }
    // A loop in a loop stands for a variable of the loop around it.
    let origin = |mut var: VarId| {
        while let Some(&of_caller) = origins.get(&var) {
            var = of_caller;
        }
        var
    };
    let params = program.procs[proc].params.iter();
    let params = params.map(|&param| (origin(param), param));
    let globals = program.globals.iter().map(|&global| (global, global));
    params
        .chain(globals)
        .filter_map(|(var, source)| Some((var, start.get(source.index())?)))
        .collect()
}
