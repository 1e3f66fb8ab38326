//! Procedures without body that do not return, though nobody says so (KeBugCheck in [Angelic15] §5).
//!
//! A failure behind a call of `fatal` is no failure if `fatal` ends the program. That is assumed if the name has a word for it
//! and the program itself treats every call as the end of its path: nothing follows in the branch of the call, as in
//! `if (p == NULL) fatal(); use(*p);`. It is a specification like others: listed, to be accepted or rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lariat_explain::{Blocking, Placeholder};
use lariat_ir::{BlockId, OpenInfo, Proc, Program, StmtId, Terminator, Unknown};
use lariat_report::SpecificationStatus;
use lariat_smt::SolverError;
use lariat_specs::SpecExpr;
use lariat_term::TermPool;

use crate::analysis::Analysis;
use crate::found::FoundSpec;
use crate::open_search::FoundFailure;
use crate::permissive::Verdict;
use crate::specification::SpecText;

/// The procedures that are treated as the end by every caller.
pub fn treated_as_ends(program: &Program, open: &OpenInfo) -> BTreeSet<Arc<str>> {
    let calls: BTreeSet<StmtId> = open.endings.iter().map(|ending| ending.stmt).collect();
    let mut ends: BTreeMap<StmtId, bool> = BTreeMap::new();
    for proc in program.procs.values() {
        for (block, data) in proc.blocks.iter() {
            for (index, stmt) in data.stmts.iter().enumerate() {
                if calls.contains(&stmt.id) {
                    ends.insert(stmt.id, ends_branch(proc, block, index));
                }
            }
        }
    }
    let is_end = |ending: &&Unknown| ends.get(&ending.stmt) == Some(&true);
    let callee = |ending: &Unknown| ending.callee.clone();
    let mut treated: BTreeSet<Arc<str>> = open.endings.iter().filter(is_end).filter_map(callee).collect();
    for other in open
        .endings
        .iter()
        .filter(|ending| !is_end(ending))
        .filter_map(callee)
    {
        treated.remove(&other);
    }
    treated
}

/// Whether nothing follows in the branch of a statement: control joins others at once, or the procedure ends.
fn ends_branch(proc: &Proc, block: BlockId, index: usize) -> bool {
    let is_internal = |stmt: &lariat_ir::Stmt| stmt.origin.is_internal();
    let mut predecessors: BTreeMap<BlockId, usize> = BTreeMap::new();
    for data in proc.blocks.values() {
        for &next in data.successors() {
            *predecessors.entry(next).or_default() += 1;
        }
    }
    let mut data = &proc.blocks[block];
    let mut rest = &data.stmts[index + 1..];
    // Each round goes to another block: one with a single predecessor is not come to twice.
    for _ in 0..proc.blocks.len() {
        if !rest.iter().all(is_internal) {
            return false;
        }
        let next = match &data.terminator {
            Terminator::Return => return true,
            Terminator::Goto(targets) => match targets[..] {
                [next] => next,
                _ => return false,
            },
        };
        if predecessors.get(&next).is_some_and(|&count| count > 1) {
            return true;
        }
        data = &proc.blocks[next];
        rest = &data.stmts;
    }
    false
}

/// That no call of the procedure returns, one formula for each call.
pub fn blockings(open: &OpenInfo, callee: &str, pool: &mut TermPool) -> Vec<Blocking> {
    let of_callee = |ending: &&Unknown| ending.callee.as_deref() == Some(callee);
    let calls: Vec<&Unknown> = open.endings.iter().filter(of_callee).collect();
    calls
        .into_iter()
        .map(|ending| {
            let sort = pool.bool_sort();
            let var = pool.declare_var("returns", sort);
            let returns = pool.var(var);
            Blocking {
                term: pool.not(returns),
                placeholders: vec![Placeholder {
                    var,
                    stmt: ending.stmt,
                    site_var: ending.var,
                    occurrence: 0,
                }],
            }
        })
        .collect()
}

/// The words for it.
pub fn text(open: &OpenInfo, callee: &Arc<str>) -> SpecText {
    let words = SpecExpr::NeverReturns(callee.clone()).to_string();
    let of_callee = |ending: &&Unknown| ending.callee.as_ref() == Some(callee);
    SpecText {
        source: words.clone(),
        exact: words.clone(),
        formal: words,
        spans: open
            .endings
            .iter()
            .filter(of_callee)
            .filter_map(|ending| ending.span)
            .collect(),
        is_closed: true,
    }
}

impl Analysis<'_, '_> {
    /// Whether the failure is excluded because a procedure that it called does not return.
    pub(crate) fn ends_before(&mut self, found: &FoundFailure) -> Result<bool, SolverError> {
        let (open, program) = (self.task.open, &self.task.front_end.program);
        let passed: BTreeSet<StmtId> = found
            .events
            .iter()
            .filter_map(|event| event.place.stmt(program).map(|stmt| stmt.id))
            .collect();
        let callees: BTreeSet<Arc<str>> = open
            .endings
            .iter()
            .filter(|ending| passed.contains(&ending.stmt))
            .filter_map(|ending| ending.callee.clone())
            .filter(|callee| self.task.ends.contains(callee))
            .collect();
        for callee in callees {
            if self.assume_ending(&callee, found)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn assume_ending(&mut self, callee: &Arc<str>, found: &FoundFailure) -> Result<bool, SolverError> {
        let text = text(self.task.open, callee);
        let is_same = |given: &&crate::specification::Given| given.text == text.source;
        let given = self.task.given.iter().find(is_same).map(|given| given.status);
        if given == Some(SpecificationStatus::Rejected) {
            return Ok(false);
        }
        let before = self.active.len();
        let pool = self.search.session.pool();
        for (index, blocking) in blockings(self.task.open, callee, pool).into_iter().enumerate() {
            let spec = FoundSpec {
                // It is listed once.
                inherited: index > 0,
                ..FoundSpec::inferred(text.clone(), vec![found.assert])
            };
            let index = self.activate(blocking, spec, Some(found.assert))?;
            if self.is_permissive(index, &[])? != Verdict::Permissive {
                self.active.truncate(before);
                self.restart()?;
                return Ok(false);
            }
        }
        self.restart()?;
        Ok(true)
    }
}
