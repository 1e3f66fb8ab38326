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
//! - it holds up to the bound, which counts the same in a caller; of procedures that call each other see [`induction`];
//! - it is made from texts, so an entry whose result is kept from an earlier run has the same one.

use std::collections::BTreeSet;

use cranelift_entity::EntitySet;
use lariat_base::Budget;
use lariat_engine::{SearchOutcome, Session};
use lariat_front_end::FrontEnd;
use lariat_ir::{AssertId, CandidateClause, CandidateKind, OpenEntry, OpenInfo, ProcId, Program, StmtKind};
use lariat_passes::{CallGraph, Goal};
use lariat_report::{SpecificationStatus, VerifyRequest};
use lariat_smt::{Ast, SolverError};
use lariat_term::{Op, TermId, TermPool, VarId};
use lariat_vc::{Problem, Summary};
use lariat_verify::{EntryCheck, Question};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::assumption;
use crate::coarse::coarsen;
use crate::cone::Cones;
use crate::specification::{Given, SpecText};
use crate::unfolding::suitable_engine;

pub mod induction;
mod start;

use start::Start;

/// The solver's effort for the proof of a summary.
const EFFORT: u64 = 8_000_000;

/// Where no call of a procedure fails.
#[derive(Clone, Debug)]
pub struct ProcSummary {
    entry: OpenEntry,
    start: Start,
    /// The texts of its specifications about inputs. The condition is made of what they say about `inputs`.
    requires: Vec<String>,
    /// `None` if they are not known: then nothing is attached.
    inputs: Option<FxHashSet<VarId>>,
    /// The texts of specifications about results that it rests on.
    pub results: Vec<String>,
    /// Assertions that it takes for granted.
    assumed: BTreeSet<AssertId>,
    /// Whether it holds whatever the bound is.
    pub complete: bool,
}

/// That nothing fails in a procedure if what is said of these inputs holds.
struct Proof {
    complete: bool,
    inputs: FxHashSet<VarId>,
}

/// What a search for failures of a procedure has got.
struct Opened {
    /// What it reads of its start, in terms of the program.
    inputs: FxHashSet<VarId>,
    attached: Vec<Attached>,
    /// Something is left of what was attached.
    has_facts: bool,
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
        let mut summary = self.guess(entry, specs, results, dropped)?;
        let proof = self.prove(&summary, callees, budget).ok()??;
        summary.complete = proof.complete;
        summary.inputs = Some(proof.inputs);
        Some(summary)
    }

    /// What the specifications say, without a proof. `None` if nothing can be proved of the procedure.
    fn guess(
        &self,
        entry: &OpenEntry,
        specs: &[SpecText],
        results: Vec<String>,
        dropped: &BTreeSet<AssertId>,
    ) -> Option<ProcSummary> {
        let start = Start::of(&self.plain.program, entry);
        let reachable = self.calls.reachable_from(start.body);
        let mut procs = self.plain.program.procs.keys();
        if procs.any(|proc| reachable.contains(proc) && self.plain.refused.contains(proc)) {
            return None;
        }
        let (about_results, about_inputs): (Vec<&SpecText>, Vec<&SpecText>) =
            specs.iter().partition(|text| text.is_about_results());
        let mut summary = ProcSummary {
            entry: entry.clone(),
            requires: about_inputs.iter().map(|text| text.exact.clone()).collect(),
            inputs: None,
            results,
            assumed: dropped.clone(),
            complete: true,
            start,
        };
        summary
            .results
            .extend(about_results.iter().map(|text| text.exact.clone()));
        Some(summary)
    }

    /// Shows that nothing fails in the procedure if the condition holds. `None` if it is not so, or not known.
    fn prove(
        &self,
        summary: &ProcSummary,
        callees: &[&ProcSummary],
        budget: &Budget,
    ) -> Result<Option<Proof>, SolverError> {
        self.with_session(summary, callees, budget, |session, opened| {
            let mut inputs = opened.inputs;
            if let Some(known) = &summary.inputs {
                inputs.retain(|var| known.contains(var));
            }
            let Some(conditions) = self.conditions(summary, &inputs, session.pool()) else {
                return Ok(None);
            };
            for term in conditions {
                session.assert_term(term)?;
            }
            let mut literals: Vec<Ast> = Vec::new();
            for text in &summary.results {
                let Ok(blockings) = self.resolve(&summary.entry, text, session.pool()) else {
                    return Ok(None);
                };
                for blocking in &blockings {
                    let (_, literal) = assumption(session, self.open, blocking)?;
                    literals.push(literal);
                }
            }
            let attached = opened.attached.iter();
            for attached in attached.filter(|attached| attached.holds(&summary.results)) {
                literals.push(session.literal(attached.switch, true)?);
            }
            session.restart(literals);
            session.limit_effort(Some(EFFORT));
            let complete = match session.run() {
                SearchOutcome::Proved => true,
                SearchOutcome::Bounded { .. } => false,
                SearchOutcome::Reached(_) | SearchOutcome::Unknown { .. } => return Ok(None),
            };
            let all_complete = opened.attached.iter().all(|attached| attached.complete);
            let complete = complete && (all_complete || !opened.has_facts || !session.needs_facts());
            Ok(Some(Proof { complete, inputs }))
        })
    }

    /// What the procedure of a summary reads of its start, as a proof sees it.
    fn inputs(&self, summary: &ProcSummary, budget: &Budget) -> Option<FxHashSet<VarId>> {
        self.with_session(summary, &[], budget, |_, opened| Ok(opened.inputs))
            .ok()
    }

    /// Asks something about the calls of a procedure, whatever they are given.
    fn with_session<R>(
        &self,
        summary: &ProcSummary,
        callees: &[&ProcSummary],
        budget: &Budget,
        ask: impl FnOnce(&mut Session<'_>, Opened) -> Result<R, SolverError>,
    ) -> Result<R, SolverError> {
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
        let has_facts = add_facts(&mut problem, &attached);
        let mut silent = |_: lariat_engine::SearchEvent| {};
        let mut session = Session::new(problem, options, budget.clone(), &mut silent)?;
        let inputs = session.inputs();
        let inputs = inputs
            .into_iter()
            .map(|var| origins.get(&var).copied().unwrap_or(var))
            .collect();
        session.note_origins(origins);
        ask(
            &mut session,
            Opened {
                inputs,
                attached,
                has_facts,
            },
        )
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

    /// The condition of a summary, over variables of the procedure, as far as it is about these inputs.
    fn conditions(
        &self,
        summary: &ProcSummary,
        inputs: &FxHashSet<VarId>,
        pool: &mut TermPool,
    ) -> Option<Vec<TermId>> {
        let mut conditions = summary.start.conditions(pool);
        let mut names = summary.start.renaming(pool);
        for text in &summary.requires {
            for blocking in self.resolve(&summary.entry, text, pool).ok()? {
                let term = about_inputs(pool, &blocking)?;
                conditions.push(names.apply(pool, term));
            }
        }
        // The proof knows nothing of what is not an input.
        let is_known = |var: &VarId| inputs.contains(var) || self.plain.program.constants.contains(var);
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
            let added = by_body
                .get(&proc)
                .and_then(|summary| self.attach_one(program, summary, assumed));
            // What it calls is a part of it. The calls of one that calls itself may be asked about all the same.
            if added.is_none() || self.calls.is_recursive(proc) {
                work.extend(self.calls.callees(proc));
            }
            attached.extend(added);
        }
        attached
    }

    fn attach_one(
        &self,
        program: &mut Program,
        summary: &ProcSummary,
        assumed: &dyn Fn(&mut TermPool, AssertId) -> Option<TermId>,
    ) -> Option<Attached> {
        let inputs = summary.inputs.as_ref()?;
        let mut conditions = self.conditions(summary, inputs, &mut program.pool)?;
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

/// The part of a specification that is about inputs alone, from which the whole follows.
fn about_inputs(pool: &mut TermPool, blocking: &lariat_explain::Blocking) -> Option<TermId> {
    let is_result = |var: &VarId| blocking.placeholders.iter().any(|site| site.var == *var);
    let of_inputs = |pool: &TermPool, term: TermId| !pool.free_vars(&[term]).iter().any(is_result);
    if of_inputs(pool, blocking.term) {
        return Some(blocking.term);
    }
    if pool.op(blocking.term) != Op::Or {
        return None;
    }
    let mut parts: Vec<TermId> = pool.args(blocking.term).to_vec();
    parts.retain(|&part| of_inputs(pool, part));
    (!parts.is_empty()).then(|| pool.or(&parts))
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

    /// Asks something of a program with null checks.
    pub(super) fn of_file<R>(name: &str, ask: impl FnOnce(&Summaries<'_>, &OpenInfo) -> R) -> R {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/files")
            .join(name);
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
        ask(&summaries, &open)
    }

    pub(super) fn entry<'a>(open: &'a OpenInfo, name: &str) -> &'a OpenEntry {
        let entry = open.entries.iter().find(|entry| &*entry.name == name);
        entry.expect("there is such a function")
    }

    pub(super) fn texts(specs: &[&str]) -> Vec<SpecText> {
        specs.iter().map(|spec| text(spec)).collect()
    }

    /// Whether nothing fails in each of the functions under these specifications, given what was proved before.
    fn proved(questions: &[(&str, &[&str])]) -> Vec<bool> {
        of_file("summaries.c", |summaries, open| {
            let mut known: Vec<ProcSummary> = Vec::new();
            let mut answers = Vec::new();
            for (name, specs) in questions {
                let callees: Vec<&ProcSummary> = known.iter().collect();
                let found = summaries.of(
                    entry(open, name),
                    &texts(specs),
                    Vec::new(),
                    &BTreeSet::new(),
                    &callees,
                    &Budget::unlimited(),
                );
                answers.push(found.is_some());
                known.extend(found);
            }
            answers
        })
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
