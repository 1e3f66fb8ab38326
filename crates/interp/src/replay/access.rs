//! Which variables and elements of maps a statement touches.

use std::rc::Rc;

use lariat_ir::{Stmt, StmtKind};
use lariat_term::{Op, TermId, TermPool, Value, VarId};
use rustc_hash::FxHashSet;

use crate::eval::Evaluation;

/// What a term reads, found once for each statement.
#[derive(Clone, Debug, Default)]
pub(super) struct TermReads {
    /// Variables whose whole value matters.
    pub whole: Vec<VarId>,
    /// Elements: the map and the terms of its indices.
    pub elements: Vec<(VarId, Vec<TermId>)>,
}

/// What a statement reads, term by term as in [`Stmt::terms`].
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub terms: Vec<TermPlan>,
    /// All variables that occur free in the terms.
    pub vars: Vec<VarId>,
}

#[derive(Clone, Debug)]
pub(super) struct TermPlan {
    pub term: TermId,
    pub reads: TermReads,
    /// For an assignment `m := m[i := v]…` the elements written, the last one first.
    pub written: Option<Vec<WrittenElement>>,
    pub is_copy: bool,
}

#[derive(Clone, Debug)]
pub(super) struct WrittenElement {
    pub indices: Vec<TermId>,
    pub value: TermId,
}

impl Plan {
    pub fn of(pool: &TermPool, stmt: &Stmt) -> Rc<Plan> {
        let terms = stmt.terms();
        let mut vars: Vec<VarId> = pool.free_vars(&terms).into_iter().collect();
        vars.sort_unstable();
        let plans = match &stmt.kind {
            StmtKind::Assign(assignments) => assignments
                .iter()
                .map(|&(target, term)| TermPlan::assignment(pool, target, term))
                .collect(),
            _ => terms.iter().map(|&term| TermPlan::plain(pool, term)).collect(),
        };
        Rc::new(Plan { terms: plans, vars })
    }
}

impl TermPlan {
    fn plain(pool: &TermPool, term: TermId) -> Self {
        TermPlan {
            term,
            reads: reads_of(pool, &[term]),
            written: None,
            is_copy: pool.as_var(term).is_some(),
        }
    }

    fn assignment(pool: &TermPool, target: VarId, term: TermId) -> Self {
        let mut base = term;
        let mut written = Vec::new();
        let mut parts = Vec::new();
        while pool.op(base) == Op::Store {
            let args = pool.args(base);
            written.push(WrittenElement {
                indices: args[1..args.len() - 1].to_vec(),
                value: args[args.len() - 1],
            });
            parts.extend_from_slice(&args[1..]);
            base = args[0];
        }
        if written.is_empty() || pool.as_var(base) != Some(target) {
            return TermPlan::plain(pool, term);
        }
        TermPlan {
            term,
            reads: reads_of(pool, &parts),
            written: Some(written),
            is_copy: false,
        }
    }
}

fn reads_of(pool: &TermPool, roots: &[TermId]) -> TermReads {
    let mut reads = TermReads::default();
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if pool.is_closed(term) || !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::Var(var) => reads.whole.push(var),
            Op::Select => {
                let args = pool.args(term);
                match pool.as_var(args[0]) {
                    Some(map) => reads.elements.push((map, args[1..].to_vec())),
                    None => stack.push(args[0]),
                }
                stack.extend_from_slice(&args[1..]);
            }
            Op::Quantifier(_) => {
                // The indices under a quantifier are many.
                reads.whole.extend(pool.free_vars(&[term]));
            }
            _ => stack.extend_from_slice(pool.args(term)),
        }
    }
    reads.whole.sort_unstable();
    reads.whole.dedup();
    reads
}

impl TermReads {
    /// The variables and elements that were read; an element whose index was not evaluated was
    /// not needed.
    pub fn evaluated(&self, evaluation: &Evaluation) -> Vec<(VarId, Option<Vec<Value>>)> {
        let whole = self.whole.iter().map(|&var| (var, None));
        let elements = self
            .elements
            .iter()
            .filter_map(|(map, indices)| Some((*map, Some(index_values(evaluation, indices)?))));
        whole.chain(elements).collect()
    }
}

pub(super) fn index_values(evaluation: &Evaluation, indices: &[TermId]) -> Option<Vec<Value>> {
    indices
        .iter()
        .map(|&index| evaluation.value(index).cloned())
        .collect()
}
