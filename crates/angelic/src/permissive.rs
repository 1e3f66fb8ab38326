//! Permissive preconditions ([Angelic15] Definition 1): a specification must not prove an angelic assertion that was not
//! provable without it.
//!
//! For each angelic assertion the model of an execution that violates it is kept: as long as it satisfies a new
//! specification too, nothing need be asked. Only those in procedures that a specification speaks about are asked: the
//! entry itself, and those that the constrained results come to. A defensive check in a callee says nothing about what the
//! entry's caller may pass, unless the failure depends on it: a lookup that returns null after its loop has found the end of
//! the list is evidence that lists end, and no specification may say that they do not.

use std::collections::BTreeSet;

use lariat_engine::SearchOutcome;
use lariat_explain::Blocking;
use lariat_front_end::FrontEnd;
use lariat_ir::{AssertId, OpenEntry, ProcId, StmtId};
use lariat_report::Permissiveness;
use lariat_smt::{Ast, Model, SolverError};
use lariat_term::VarId;

use crate::analysis::EntryTask;
use crate::instrument::{Policy, Seek, Switches};
use crate::open_search::OpenSearch;

/// The solver's effort for one question about an angelic assertion: if it is not answered, it counts as possible.
const SEEK_EFFORT: u64 = 8_000_000;

/// Where one question is too hard the next ones mostly are, too: each that was not answered halves the effort for those to come, down to
/// this. So an entry spends about two whole efforts on questions without an answer, however many there are.
const LEAST_SEEK_EFFORT: u64 = 250_000;

/// What is assumed: literals.
pub struct Assumed {
    /// With the newest specification.
    pub all: Vec<Ast>,
    /// Whatever Lariat infers.
    pub anyway: Vec<Ast>,
}

/// What a specification was found for.
pub struct Subject<'a> {
    /// Its switch.
    pub newest: VarId,
    /// The procedures that the results it speaks of come to.
    pub owners: &'a [ProcId],
    /// The statements of the failing execution that the failure depends on.
    pub evidence: &'a [StmtId],
}

/// What a check gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Permissive,
    /// The angelic assertion that would be proved: its position in [`Switches::seeks`].
    Contradicts(usize),
}

/// What is known of an angelic assertion.
enum Possible {
    NotAsked,
    /// An execution that violates it.
    By(Model),
    /// No execution violates it, whatever the environment does.
    Never,
    /// The question was too hard.
    Unknown,
}

pub struct Permissive {
    states: Vec<Possible>,
    /// Whether an assertion is one of those that count for the entry, whatever the specification is about.
    in_entry: Vec<bool>,
    permissiveness: Permissiveness,
    /// No angelic assertion is sought.
    calm: Option<VarId>,
    /// Those that the entry reaches.
    reached: Vec<usize>,
    moved: bool,
    /// For the next question.
    effort: u64,
}

/// The procedures that a specification's results come to.
pub fn owners(front_end: &FrontEnd, blocking: &Blocking) -> Vec<ProcId> {
    let sites: Vec<StmtId> = blocking.placeholders.iter().map(|site| site.stmt).collect();
    if sites.is_empty() {
        return Vec::new();
    }
    let has_site = |proc: &lariat_ir::Proc| {
        let mut stmts = proc.blocks.values().flat_map(|block| &block.stmts);
        stmts.any(|stmt| sites.contains(&stmt.id))
    };
    let procs = front_end.program.procs.iter();
    procs
        .filter(|(_, proc)| has_site(proc))
        .map(|(id, _)| id)
        .collect()
}

impl Permissive {
    pub fn new(
        switches: &Switches,
        entry: &OpenEntry,
        front_end: &FrontEnd,
        permissiveness: Permissiveness,
    ) -> Self {
        let procs = &front_end.program.procs;
        let name = &procs[entry.proc].name;
        let in_entry = switches.seeks.iter().map(|seek| {
            seek.policy == Policy::User || seek.proc == entry.proc || procs[seek.proc].name == *name
        });
        Permissive {
            states: switches.seeks.iter().map(|_| Possible::NotAsked).collect(),
            in_entry: in_entry.collect(),
            permissiveness,
            calm: None,
            reached: Vec::new(),
            moved: false,
            effort: SEEK_EFFORT,
        }
    }

    /// Whether a specification must leave an angelic assertion possible.
    fn counts(&self, index: usize, seek: &Seek, subject: &Subject<'_>) -> bool {
        let is_concerned = self.in_entry[index] || subject.owners.contains(&seek.proc);
        let is_evidence = || {
            let stmt = seek.stmt.filter(|_| self.permissiveness.evidence);
            stmt.is_some_and(|stmt| subject.evidence.contains(&stmt))
        };
        match seek.policy {
            Policy::Consistency | Policy::DeadCode | Policy::User => is_concerned,
            Policy::NullCheck => (self.permissiveness.null_checks && is_concerned) || is_evidence(),
            Policy::NullReturn => is_evidence(),
            Policy::Return | Policy::DeadEnd => false,
        }
    }

    /// Asserts that at most one angelic assertion is sought at a time; ends are sought together.
    pub fn prepare(&mut self, search: &mut OpenSearch<'_>, switches: &Switches) -> Result<(), SolverError> {
        let pool = search.session.pool();
        let (int, bool_sort) = (pool.int_sort(), pool.bool_sort());
        let target = pool.declare_var("target", int);
        let calm = pool.declare_var("calm", bool_sort);
        let (target_term, calm_term) = (pool.var(target), pool.var(calm));
        let zero = pool.int(0);
        let none = pool.eq(target_term, zero);
        let fact = pool.implies(calm_term, none);
        search.session.assert_term(fact)?;
        self.calm = Some(calm);
        for (index, seek) in switches.seeks.iter().enumerate() {
            if !search.reached.contains(&seek.assert) {
                continue;
            }
            self.reached.push(index);
            let number = if seek.policy.is_end() { 1 } else { index as i64 + 2 };
            let pool = search.session.pool();
            let (number, switch) = (pool.int(number), pool.var(seek.switch));
            let sought = pool.eq(target_term, number);
            let fact = pool.implies(switch, sought);
            search.session.assert_term(fact)?;
        }
        Ok(())
    }

    /// The literals under which normal assertions are verified.
    pub fn normal_literals(
        &mut self,
        search: &mut OpenSearch<'_>,
        switches: &Switches,
    ) -> Result<Vec<Ast>, SolverError> {
        self.moved = false;
        let vars = switches.strict.iter().chain(&self.calm);
        vars.map(|&var| search.session.literal(var, true)).collect()
    }

    /// Whether questions were asked since: then the search must be restarted.
    pub fn has_moved(&self) -> bool {
        self.moved
    }

    /// Whether everything that is assumed, with the newest specification, leaves the angelic assertions possible that are
    /// so under what is assumed anyway.
    pub fn check(
        &mut self,
        search: &mut OpenSearch<'_>,
        task: &EntryTask<'_>,
        subject: &Subject<'_>,
        assumed: &Assumed,
        questions: &mut u64,
    ) -> Result<Verdict, SolverError> {
        for index in self.reached.clone() {
            let seek = &task.switches.seeks[index];
            if !self.counts(index, seek, subject) {
                continue;
            }
            match &self.states[index] {
                Possible::Never | Possible::Unknown => continue,
                // The execution is one of the new specification too.
                Possible::By(model) if search.session.satisfies(model, subject.newest)? => continue,
                Possible::By(_) | Possible::NotAsked => {}
            }
            *questions += 1;
            let with = self.ask(search, task, index, &assumed.all)?;
            match with {
                Witness::Found(model) => self.states[index] = Possible::By(model),
                Witness::Unknown => self.states[index] = Possible::Unknown,
                Witness::None if matches!(self.states[index], Possible::By(_)) => {
                    return Ok(Verdict::Contradicts(index));
                }
                Witness::None => {
                    *questions += 1;
                    match self.ask(search, task, index, &assumed.anyway)? {
                        Witness::Found(model) => {
                            self.states[index] = Possible::By(model);
                            return Ok(Verdict::Contradicts(index));
                        }
                        Witness::None => self.states[index] = Possible::Never,
                        Witness::Unknown => self.states[index] = Possible::Unknown,
                    }
                }
            }
        }
        Ok(Verdict::Permissive)
    }

    /// Whether an angelic assertion can be violated under the literals, as far as is known.
    pub fn is_possible(
        &mut self,
        search: &mut OpenSearch<'_>,
        task: &EntryTask<'_>,
        index: usize,
        literals: &[Ast],
    ) -> Result<bool, SolverError> {
        let witness = self.ask(search, task, index, literals)?;
        Ok(!matches!(witness, Witness::None))
    }

    /// Whether some execution violates an angelic assertion under the literals.
    fn ask(
        &mut self,
        search: &mut OpenSearch<'_>,
        task: &EntryTask<'_>,
        index: usize,
        literals: &[Ast],
    ) -> Result<Witness, SolverError> {
        self.moved = true;
        let session = &mut search.session;
        let mut assumed = vec![session.literal(task.switches.seeks[index].switch, true)?];
        if let Some(strict) = task.switches.strict {
            assumed.push(session.literal(strict, false)?);
        }
        assumed.extend(literals);
        session.restart(assumed);
        session.limit_effort(Some(self.effort));
        let answer = search.witness();
        search.session.limit_effort(None);
        Ok(match answer {
            Ok(Some(model)) => Witness::Found(model),
            Ok(None) => Witness::None,
            Err(_) => {
                // An interrupted question says nothing of how hard others are.
                if task.budget.check().is_ok() {
                    self.effort = (self.effort / 2).max(LEAST_SEEK_EFFORT);
                }
                Witness::Unknown
            }
        })
    }
}

impl Permissive {
    /// Whether no execution comes to an end in which these assertions hold; of others it does not matter whether they do. `false`
    /// if that is not known.
    pub fn is_unavoidable(
        &mut self,
        search: &mut OpenSearch<'_>,
        task: &EntryTask<'_>,
        holding: &BTreeSet<AssertId>,
        literals: &[Ast],
    ) -> Result<bool, SolverError> {
        self.moved = true;
        let reached = &search.reached;
        let seeks = self.reached.iter().map(|&index| &task.switches.seeks[index]);
        let ends = seeks.filter(|seek| seek.policy.is_end());
        // Procedures that the entry calls return without an end.
        let is_own = |seek: &Seek| seek.policy == Policy::DeadEnd || seek.proc == task.entry.proc;
        let strict = task.switches.strict.into_iter();
        let mut switched: Vec<(VarId, bool)> = strict.map(|strict| (strict, false)).collect();
        switched.extend(ends.map(|seek| (seek.switch, is_own(seek))));
        let mut checks: Vec<_> = task.switches.checks.iter().collect();
        checks.sort_unstable();
        let checks = checks.into_iter().filter(|(assert, _)| reached.contains(assert));
        switched.extend(checks.map(|(assert, &check)| (check, holding.contains(assert))));
        let session = &mut search.session;
        let mut assumed: Vec<Ast> = Vec::with_capacity(switched.len() + literals.len());
        for (var, value) in switched {
            assumed.push(session.literal(var, value)?);
        }
        assumed.extend(literals);
        session.restart(assumed);
        session.limit_effort(Some(SEEK_EFFORT));
        let outcome = session.run();
        session.limit_effort(None);
        Ok(matches!(outcome, SearchOutcome::Proved))
    }
}

enum Witness {
    Found(Model),
    None,
    Unknown,
}
