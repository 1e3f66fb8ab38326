//! Summaries: what the analysis of an entry says about calls of its procedure.
//!
//! ```text
//! specifications of the entry, at the start of the call  ⇒  no assertion fails in the call
//! ```
//!
//! With it a search leaves a call open in which nothing can fail, instead of going through the callee once more for each caller. The
//! entry was analysed in a state that only the environment has made; its callers call it in states that they have made. So a
//! summary is proved anew, of the procedure itself: its parameters, globals and memory are anything.
//!
//! Invariants:
//! - a summary follows from the code, the specifications about results that it names, and the assertions that it names;
//!   so it excludes no execution of a caller in which these hold. What its condition is made of is a guess, and any guess is sound;
//! - it holds up to the bound, which counts the same in a caller: callees that call back are no dependencies;
//! - it is made from texts, so an entry whose result is kept from an earlier run has the same one.

use std::collections::BTreeSet;

use cranelift_entity::EntitySet;
use lariat_base::Budget;
use lariat_engine::{SearchOutcome, Session};
use lariat_front_end::FrontEnd;
use lariat_ir::{
    AssertId, CandidateClause, CandidateKind, OpenEntry, OpenInfo, Origin, ProcId, Program, StmtKind,
};
use lariat_passes::{CallGraph, Goal};
use lariat_report::{SpecificationStatus, VerifyRequest};
use lariat_smt::{Ast, SolverError};
use lariat_term::{BvOp, Sort, Substitution, TermId, TermPool, VarId};
use lariat_vc::{Problem, Summary};
use lariat_verify::{EntryCheck, Question};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::assumption;
use crate::coarse::coarsen;
use crate::cone::Cones;
use crate::specification::{Given, SpecText};
use crate::unfolding::suitable_engine;

/// The solver's effort for the proof of a summary.
const EFFORT: u64 = 8_000_000;

/// Where no call of a procedure fails.
#[derive(Clone, Debug)]
pub struct ProcSummary {
    entry: OpenEntry,
    start: Start,
    /// The texts of its specifications about inputs. The condition is made of what they say about `inputs`.
    requires: Vec<String>,
    inputs: FxHashSet<VarId>,
    /// The texts of specifications about results that it rests on.
    pub results: Vec<String>,
    /// Assertions that it takes for granted.
    assumed: BTreeSet<AssertId>,
    /// Whether it holds whatever the bound is.
    pub complete: bool,
}

/// How an entry begins, in terms of the procedure that it is about.
#[derive(Clone, Debug)]
struct Start {
    /// The procedure that callers call.
    body: ProcId,
    /// Variables of the entry, and constants for what the environment has left, by the variables of the procedure.
    names: Vec<(VarId, VarId)>,
    /// Numbers are within their types.
    typed: Vec<TermId>,
    /// Globals that begin with a number: counters, which only grow.
    counters: Vec<(VarId, TermId)>,
}

/// A summary in a program that is to be searched.
#[derive(Clone, Debug)]
pub struct Attached {
    /// It counts where this Boolean is assumed.
    pub switch: VarId,
    pub results: Vec<String>,
    pub complete: bool,
}

/// What summaries are made of: the program before it was instrumented, in which the procedures know nothing of an entry.
pub struct Summaries<'a> {
    pub front_end: &'a FrontEnd,
    pub open: &'a OpenInfo,
    pub calls: &'a CallGraph,
    pub request: &'a VerifyRequest,
    pub plain: &'a Plain,
    /// The assertions that are checked.
    pub checked: BTreeSet<AssertId>,
}

/// The program without what is said of the environment's memory.
pub struct Plain {
    program: Program,
    cones: Cones,
    /// Procedures that cannot do without it.
    refused: EntitySet<ProcId>,
}

impl Plain {
    pub fn new(program: &Program, open: &OpenInfo) -> Self {
        let constants: FxHashSet<VarId> = program.constants.iter().copied().collect();
        let mut initial: FxHashSet<VarId> = FxHashSet::default();
        let mut scenes: EntitySet<ProcId> = EntitySet::new();
        for entry in &open.entries {
            let start = Start::of(program, entry);
            let left = start.names.iter().map(|&(var, _)| var);
            initial.extend(left.filter(|var| constants.contains(var)));
            if start.body != entry.proc {
                scenes.insert(entry.proc);
            }
        }
        let mut plain = program.clone();
        plain.candidates.clear();
        plain.initial.clear();
        let mut refused = EntitySet::new();
        for (id, proc) in &mut plain.procs {
            if scenes.contains(id) {
                continue;
            }
            for block in proc.blocks.values_mut() {
                block.stmts.retain(|stmt| {
                    if matches!(stmt.kind, StmtKind::Assert { assert, .. } if open.angelic.contains(&assert))
                    {
                        return false;
                    }
                    let free = program.pool.free_vars(&stmt.terms());
                    if !free.iter().any(|var| initial.contains(var)) {
                        return true;
                    }
                    let is_assumption = matches!(stmt.kind, StmtKind::Assume(_));
                    if !is_assumption {
                        refused.insert(id);
                    }
                    !is_assumption
                });
            }
        }
        Plain {
            cones: Cones::new(&plain),
            program: plain,
            refused,
        }
    }
}

impl Start {
    fn of(program: &Program, entry: &OpenEntry) -> Self {
        let proc = &program.procs[entry.proc];
        let mut start = Start {
            body: entry.proc,
            names: Vec::new(),
            typed: Vec::new(),
            counters: Vec::new(),
        };
        let stmts = || proc.blocks.values().flat_map(|block| &block.stmts);
        let called = stmts().find_map(|stmt| match &stmt.kind {
            StmtKind::Call(call) if call.callee != entry.proc => {
                (program.procs[call.callee].name == proc.name).then_some(call.callee)
            }
            _ => None,
        });
        let Some(body) = called else { return start };
        start.body = body;
        let params = program.procs[body].params.iter().copied();
        start.names.extend(proc.params.iter().copied().zip(params));
        for stmt in stmts() {
            match &stmt.kind {
                StmtKind::Assume(condition) if stmt.origin == Origin::Type => start.typed.push(*condition),
                StmtKind::Assign(assignments) => {
                    for &(var, value) in assignments {
                        match program.pool.as_var(value) {
                            Some(constant) if program.constants.contains(&constant) => {
                                start.names.push((constant, var));
                            }
                            _ if program.pool.is_value(value) => start.counters.push((var, value)),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        start
    }

    fn renaming(&self, pool: &mut TermPool) -> Substitution {
        let mut names = Substitution::new();
        for &(var, own) in &self.names {
            let own = pool.var(own);
            names.insert(var, own);
        }
        names
    }

    /// What is true at the start, as far as it says something of other starts.
    fn conditions(&self, pool: &mut TermPool) -> Vec<TermId> {
        let mut names = self.renaming(pool);
        let mut conditions: Vec<TermId> = Vec::new();
        for &typed in &self.typed {
            conditions.push(names.apply(pool, typed));
        }
        for &(var, first) in &self.counters {
            let now = pool.var(var);
            match pool.sort(pool.sort_of(first)) {
                Sort::Int => conditions.push(pool.le(first, now)),
                Sort::Bv(_) => conditions.push(pool.bv_op(BvOp::Ule, &[first, now])),
                _ => {}
            }
        }
        conditions
    }
}

impl Summaries<'_> {
    /// The summary of an entry with these specifications, if it can be proved. `results` are those about results that its callees
    /// have, and `dropped` the assertions that were reported for it or for them.
    pub fn of(
        &self,
        entry: &OpenEntry,
        specs: &[SpecText],
        results: Vec<String>,
        dropped: &BTreeSet<AssertId>,
        callees: &[&ProcSummary],
        budget: &Budget,
    ) -> Option<ProcSummary> {
        let start = Start::of(&self.plain.program, entry);
        let reachable = self.calls.reachable_from(start.body);
        let procs = self.plain.program.procs.keys();
        if procs
            .filter(|&proc| reachable.contains(proc))
            .any(|proc| self.plain.refused.contains(proc))
        {
            return None;
        }
        let (about_results, about_inputs): (Vec<&SpecText>, Vec<&SpecText>) =
            specs.iter().partition(|text| text.is_about_results());
        let mut summary = ProcSummary {
            entry: entry.clone(),
            requires: about_inputs.iter().map(|text| text.exact.clone()).collect(),
            inputs: FxHashSet::default(),
            results,
            assumed: dropped.clone(),
            complete: true,
            start,
        };
        summary
            .results
            .extend(about_results.iter().map(|text| text.exact.clone()));
        let complete = self.prove(&mut summary, callees, budget).ok()??;
        summary.complete = complete;
        Some(summary)
    }

    /// Whether nothing fails in the procedure if the condition holds, and whether that is so beyond the bound. `None` if it is
    /// not so, or not known.
    fn prove(
        &self,
        summary: &mut ProcSummary,
        callees: &[&ProcSummary],
        budget: &Budget,
    ) -> Result<Option<bool>, SolverError> {
        let question = Question {
            name: summary.entry.name.to_string(),
            entry: summary.start.body,
            goal: Goal::AssertionFails {
                checked: Some(self.checked.difference(&summary.assumed).copied().collect()),
            },
        };
        let plain = &self.plain.program;
        let mut program = self.plain.cones.cut(plain, self.calls, summary.start.body);
        let attached = self.attach(&mut program, summary.start.body, callees, &|pool, assert| {
            let is_assumed = summary.assumed.contains(&assert) || !self.checked.contains(&assert);
            is_assumed.then(|| pool.bool(true))
        });
        // What is proved of more executions is proved of those that there are.
        coarsen(&mut program);
        let check = EntryCheck::new(self.request, self.front_end, &question, budget);
        let (prepared, _) = check.prepare_program(program, &question.goal);
        let origins = prepared.var_origins.clone();
        let engine = suitable_engine(&prepared.program, prepared.entry, self.request.bound);
        let mut options = check.search_options(engine);
        options.leave_summarised = true;
        let mut problem = Problem::from(prepared);
        let is_used = add_facts(&mut problem, &attached);
        let mut silent = |_: lariat_engine::SearchEvent| {};
        let mut session = Session::new(problem, options, budget.clone(), &mut silent)?;
        let inputs = session.inputs();
        summary.inputs = inputs
            .into_iter()
            .map(|var| origins.get(&var).copied().unwrap_or(var))
            .collect();
        session.note_origins(origins);
        let mut literals: Vec<Ast> = Vec::new();
        let Some(conditions) = self.conditions(summary, session.pool()) else {
            return Ok(None);
        };
        for term in conditions {
            session.assert_term(term)?;
        }
        for text in &summary.results {
            let Ok(blockings) = self.resolve(&summary.entry, text, session.pool()) else {
                return Ok(None);
            };
            for blocking in &blockings {
                let (_, literal) = assumption(&mut session, self.open, blocking)?;
                literals.push(literal);
            }
        }
        for attached in attached
            .iter()
            .filter(|attached| attached.holds(&summary.results))
        {
            literals.push(session.literal(attached.switch, true)?);
        }
        session.restart(literals);
        session.limit_effort(Some(EFFORT));
        let complete = match session.run() {
            SearchOutcome::Proved => true,
            SearchOutcome::Bounded { .. } => false,
            SearchOutcome::Reached(_) | SearchOutcome::Unknown { .. } => return Ok(None),
        };
        let all_complete = attached.iter().all(|attached| attached.complete);
        Ok(Some(
            complete && (all_complete || !is_used || !session.needs_facts()),
        ))
    }

    fn resolve(
        &self,
        entry: &OpenEntry,
        text: &str,
        pool: &mut TermPool,
    ) -> Result<Vec<lariat_explain::Blocking>, String> {
        let given = Given {
            id: String::new(),
            text: text.to_owned(),
            status: SpecificationStatus::Accepted,
            inherited: true,
        };
        given.resolve(self.front_end, self.open, entry, pool)
    }

    /// The condition of a summary, over variables of the procedure.
    fn conditions(&self, summary: &ProcSummary, pool: &mut TermPool) -> Option<Vec<TermId>> {
        let mut conditions = summary.start.conditions(pool);
        let mut names = summary.start.renaming(pool);
        for text in &summary.requires {
            for blocking in self.resolve(&summary.entry, text, pool).ok()? {
                if !blocking.placeholders.is_empty() {
                    return None;
                }
                conditions.push(names.apply(pool, blocking.term));
            }
        }
        // The proof knows nothing of what is not an input.
        let is_known =
            |var: &VarId| summary.inputs.contains(var) || self.plain.program.constants.contains(var);
        conditions.retain(|&term| pool.free_vars(&[term]).iter().all(is_known));
        Some(conditions)
    }

    /// Adds summaries to a program from whose procedure `from` they are called. `assumed` says when an assertion is taken for
    /// granted there; `None` if it never is.
    pub fn attach(
        &self,
        program: &mut Program,
        from: ProcId,
        summaries: &[&ProcSummary],
        assumed: &dyn Fn(&mut TermPool, AssertId) -> Option<TermId>,
    ) -> Vec<Attached> {
        program.candidates.clear();
        let by_body: FxHashMap<ProcId, &ProcSummary> = summaries
            .iter()
            .map(|&summary| (summary.start.body, summary))
            .collect();
        let mut attached = Vec::new();
        let mut seen: EntitySet<ProcId> = EntitySet::new();
        let mut work = vec![from];
        while let Some(proc) = work.pop() {
            if !seen.insert(proc) {
                continue;
            }
            let added = match by_body.get(&proc).filter(|_| proc != from) {
                Some(summary) => self.attach_one(program, summary, assumed),
                None => None,
            };
            match added {
                // What it calls is a part of it.
                Some(added) => attached.push(added),
                None => work.extend(self.calls.callees(proc)),
            }
        }
        attached
    }

    fn attach_one(
        &self,
        program: &mut Program,
        summary: &ProcSummary,
        assumed: &dyn Fn(&mut TermPool, AssertId) -> Option<TermId>,
    ) -> Option<Attached> {
        let mut conditions = self.conditions(summary, &mut program.pool)?;
        for &assert in &summary.assumed {
            conditions.push(assumed(&mut program.pool, assert)?);
        }
        let bool_sort = program.pool.bool_sort();
        let switch = program.pool.declare_var("summary", bool_sort);
        program.constants.push(switch);
        conditions.push(program.pool.var(switch));
        // Passes keep what is guessed of a procedure, and put in what is known of its inputs.
        program.candidates.push(CandidateClause {
            proc: Some(summary.start.body),
            kind: CandidateKind::Requires,
            term: program.pool.and(&conditions),
            old: Vec::new(),
            span: None,
        });
        Some(Attached {
            switch,
            results: summary.results.clone(),
            complete: summary.complete,
        })
    }
}

impl Attached {
    /// Whether everything that it rests on is assumed.
    fn holds(&self, assumed: &[String]) -> bool {
        self.results.iter().all(|text| assumed.contains(text))
    }
}

/// Tells the engine of the summaries that the passes have left something of. Whether there are any.
pub fn add_facts(problem: &mut Problem, attached: &[Attached]) -> bool {
    let Some(error) = problem.error else { return false };
    let constants: FxHashSet<VarId> = problem.program.constants.iter().copied().collect();
    let mut is_any = false;
    for candidate in std::mem::take(&mut problem.program.candidates) {
        let Some(proc) = candidate.proc.filter(|&proc| problem.summaries[proc].is_none()) else {
            continue;
        };
        let ins: Vec<VarId> = problem.ins(proc).collect();
        let outs: Vec<VarId> = problem.outs(proc).collect();
        let free = problem.program.pool.free_vars(&[candidate.term]);
        let is_summary = attached.iter().any(|attached| free.contains(&attached.switch));
        let is_over_ins = free
            .iter()
            .all(|var| ins.contains(var) || constants.contains(var));
        let Some(position) = outs.iter().position(|&out| out == error) else {
            continue;
        };
        if !is_summary || !is_over_ins {
            continue;
        }
        let pool = &mut problem.program.pool;
        let mut own = Vec::with_capacity(outs.len());
        for &out in &outs {
            let sort = pool.var_sort(out);
            own.push(pool.declare_var("out", sort));
        }
        let fails = pool.var(own[position]);
        let holds = pool.not(fails);
        let fact = pool.implies(candidate.term, holds);
        problem.summaries[proc] = Some(Summary {
            ins,
            outs: own,
            facts: vec![fact],
        });
        is_any = true;
    }
    is_any
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_report::{AngelicReport, AngelicRequest, Check, Progress};
    use std::path::Path;

    fn text(text: &str) -> SpecText {
        SpecText {
            source: text.to_owned(),
            exact: text.to_owned(),
            ..SpecText::default()
        }
    }

    /// Whether nothing fails in each of the functions under these specifications, given what was proved before.
    fn proved(questions: &[(&str, &[&str])]) -> Vec<bool> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/summaries.c");
        let mut request = AngelicRequest {
            program: VerifyRequest::new(vec![file]),
            ..AngelicRequest::default()
        };
        request.program.c.checks.push(Check::Null);
        let request = &request;
        let mut silent = |_: Progress<AngelicReport>| {};
        let reading = lariat_front_end::read(&request.into(), request.program.color, &mut silent);
        let mut front_end = reading.program.expect("it can be read");
        let open = front_end.open.take().expect("it is open");
        let calls = CallGraph::new(&front_end.program);
        let plain = Plain::new(&front_end.program, &open);
        front_end.open = Some(open.clone());
        let summaries = Summaries {
            front_end: &front_end,
            open: &open,
            calls: &calls,
            request: &request.program,
            plain: &plain,
            checked: front_end.program.asserts.keys().collect(),
        };
        let mut known: Vec<ProcSummary> = Vec::new();
        let mut answers = Vec::new();
        for (name, specs) in questions {
            let entry = open.entries.iter().find(|entry| &*entry.name == *name);
            let specs: Vec<SpecText> = specs.iter().map(|spec| text(spec)).collect();
            let callees: Vec<&ProcSummary> = known.iter().collect();
            let budget = Budget::unlimited();
            let found = summaries.of(
                entry.expect("there is such a function"),
                &specs,
                Vec::new(),
                &BTreeSet::new(),
                &callees,
                &budget,
            );
            answers.push(found.is_some());
            known.extend(found);
        }
        answers
    }

    #[test]
    fn what_is_proved_of_any_call_is_a_summary() {
        let questions: [(&str, &[&str]); 7] = [
            ("value_of", &["p != NULL"]),
            ("use", &["p != NULL"]),
            ("use", &["p != NULL", "p->value != NULL"]),
            ("use_own", &[]),
            ("use_null", &[]),
            ("use_next", &["p != NULL"]),
            ("use_next", &["p != NULL", "p->next->value != NULL"]),
        ];
        assert_eq!(proved(&questions), [true, false, true, true, false, false, true]);
    }
}
