//! A run: read, prove what is cheap, analyse the entries, report.

mod done;
mod progress;
mod rounds;
mod summaries;

use std::collections::BTreeSet;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cranelift_entity::EntitySet;
use lariat_base::{Budget, Exhausted};
use lariat_explain::ProgramFacts;
use lariat_front_end::FrontEnd;
use lariat_ir::{AssertId, OpenEntry, OpenInfo, ProcId, Program};
use lariat_passes::{CallGraph, proved_nonnull};
use lariat_report::{
    AngelicEntry, AngelicEntryStats, AngelicReport, AngelicRequest, Confidence, EntryOutcome, EntryTrace,
    ProcedurePlace, Progress, Specification, SpecificationStatus, Warning, WarningKind,
};

use crate::analysis::{EntryTask, analyse};
use crate::chosen::{check_request, chosen};
use crate::coarse::{coarsen, hard_procedures};
use crate::cone::Cones;
use crate::fingerprint::Fingerprints;
use crate::found::{EntryResult, FoundSpec};
use crate::instrument::{Switches, instrument};
use crate::noreturn::treated_as_ends;
use crate::open_search::{OpenQuestion, OpenSearch};
use crate::reuse::{Earlier, Reused};
use crate::schedule;
use crate::specification::{Given, SpecText, Wording, describe};
use crate::subsumed::merge_same;
use crate::summary::{Attached, Plain, ProcSummary, Summaries};
use crate::warnings::{entry_trace, grouped, short_hash, suppressed};
use done::{Done, inherited};
use summaries::Recursive;

/// Answers `request` within `budget`, reporting to `progress`.
pub fn angelic(
    request: &AngelicRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress<AngelicReport>),
) -> AngelicReport {
    let started = Instant::now();
    let mut report = AngelicReport {
        schema_version: lariat_report::SCHEMA_VERSION,
        files: request
            .program
            .files
            .iter()
            .map(|file| file.display().to_string())
            .collect(),
        ..AngelicReport::default()
    };
    run(request, budget, progress, &mut report);
    report.stats.total_seconds = started.elapsed().as_secs_f64();
    report.stats.peak_memory_bytes = lariat_verify::peak_memory();
    report
}

fn run(
    request: &AngelicRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress<AngelicReport>),
    report: &mut AngelicReport,
) {
    let started = Instant::now();
    let reading = lariat_front_end::read(&request.into(), request.program.color, progress);
    report.diagnostics = reading.diagnostics;
    report.notes = reading.warnings;
    report.externals = reading.externals;
    report.stats.source_lines = reading.stats.source_lines;
    let program = reading.program;
    let front_end = program.and_then(|mut front_end| Some((front_end.open.take()?, front_end)));
    let Some((open, mut front_end)) = front_end else {
        report.bad_input = true;
        return;
    };
    let checked = check_request(request);
    let entries = match checked.and_then(|()| chosen(request, &front_end.program, &open)) {
        Ok(entries) => entries,
        Err(diagnostic) => {
            report
                .diagnostics
                .push(front_end.diagnostic(&diagnostic, request.program.color));
            report.bad_input = true;
            return;
        }
    };
    let calls = CallGraph::new(&front_end.program);
    let fingerprints = Fingerprints::new(&front_end.program, &calls, request);
    let fingerprints: Vec<String> = entries.iter().map(|entry| fingerprints.of(entry)).collect();
    let dependencies = schedule::dependencies(&front_end.program, &entries);
    let sizes = schedule::sizes(&front_end.program, &entries);
    let proved = proved_nonnull(&front_end.program, &open);
    let plain = Plain::new(&front_end.program, &open);
    let switches = instrument(&mut front_end.program, &open, &request.permissiveness, &proved);
    front_end.plain.hidden = switches.vars().collect();
    report.stats.dereferences = open.dereferences.len() as u64;
    report.stats.dereferences_proved = proved.len() as u64;
    report.stats.assertions = switches.checks.len() as u64;
    if switches.checks.is_empty() && proved.is_empty() {
        let text = "there is nothing to check: no assertion, no dereference, and nothing that --check or --rule asks for";
        report.unfinished = Some(text.to_owned());
    }
    report.stats.read_seconds = started.elapsed().as_secs_f64();
    report.procedures = front_end.procedures();
    front_end.open = Some(open.clone());
    let (sender, receiver) = channel();
    let procedures = report.procedures.clone();
    let facts = ProgramFacts::of(&front_end.program);
    let ends = treated_as_ends(&front_end.program, &open);
    let mut run = Run {
        request,
        facts: &facts,
        ends: &ends,
        calls: &calls,
        procedures: &procedures,
        front_end: &front_end,
        open: &open,
        switches: &switches,
        entries: &entries,
        fingerprints: &fingerprints,
        dependencies: &dependencies,
        sizes: &sizes,
        cones: Cones::new(&front_end.program),
        hard: hard_procedures(&front_end.program),
        needs_summary: BTreeSet::new(),
        recursive: Recursive::new(schedule::components(&front_end.program, &calls, &entries)),
        summaries: Summaries {
            front_end: &front_end,
            open: &open,
            calls: &calls,
            request: &request.program,
            plain: &plain,
            checked: switches.checks.keys().copied().collect(),
        },
        earlier: request
            .earlier
            .as_deref()
            .map(|earlier| Earlier::new(earlier, &procedures)),
        budget,
        events: Mutex::new(sender),
    };
    run.needs_summary = run.needing_summaries();
    let run = run;
    let base = report.clone();
    let results = std::thread::scope(|scope| {
        let worker = scope.spawn(|| run.all());
        progress::tell(&run, &base, &receiver, progress, &worker);
        worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    run.fill(report, &results, false);
}

/// What the threads tell.
enum Event {
    Stats {
        entry: usize,
        stats: AngelicEntryStats,
        specs: usize,
        warnings: usize,
    },
    Done {
        entry: usize,
        done: Arc<Done>,
    },
    End,
}

struct Run<'a> {
    request: &'a AngelicRequest,
    facts: &'a ProgramFacts,
    ends: &'a BTreeSet<Arc<str>>,
    calls: &'a CallGraph,
    procedures: &'a [ProcedurePlace],
    front_end: &'a FrontEnd,
    open: &'a OpenInfo,
    switches: &'a Switches,
    entries: &'a [OpenEntry],
    fingerprints: &'a [String],
    dependencies: &'a [BTreeSet<usize>],
    sizes: &'a [usize],
    summaries: Summaries<'a>,
    cones: Cones,
    /// Procedures with hard operators.
    hard: EntitySet<ProcId>,
    /// Entries that others call which are analysed in this run.
    needs_summary: BTreeSet<usize>,
    recursive: Recursive,
    earlier: Option<Earlier<'a>>,
    budget: &'a Budget,
    events: Mutex<Sender<Event>>,
}

impl Run<'_> {
    fn tell(&self, event: Event) {
        if let Ok(sender) = self.events.lock() {
            // Nobody listens any more at the end.
            let _ = sender.send(event);
        }
    }

    fn entry(
        &self,
        index: usize,
        share: Option<Duration>,
        before: &[FoundSpec],
        look_up: &dyn Fn(usize) -> Option<Arc<Done>>,
    ) -> Done {
        let entry = &self.entries[index];
        let callees: Vec<Arc<Done>> = self.dependencies[index]
            .iter()
            .filter_map(|&other| look_up(other))
            .collect();
        let known = self.known_summaries(index, look_up);
        let mut dropped: BTreeSet<AssertId> =
            callees.iter().flat_map(|done| &done.dropped).copied().collect();
        let mut weak: BTreeSet<AssertId> = callees.iter().flat_map(|done| &done.weak).copied().collect();
        if let Some(reused) = self.reusable(index) {
            for trace in &reused.traces {
                let assert = self.assert_at(trace);
                dropped.extend(assert);
                note_weak(&mut weak, assert, trace.confidence);
            }
            let specs = self.read_again(entry, &reused.specifications);
            let is_done = reused.entry.outcome == EntryOutcome::Done;
            let summary =
                is_done.then(|| self.summary(index, &specs, &dropped, &callees, &known, self.budget));
            return Done {
                result: EntryResult::default(),
                needs_more_time: false,
                reused: Some(reused),
                dropped,
                weak,
                inherited: inherited(&specs),
                specs,
                summary: summary.flatten(),
            };
        }
        let mut budget = self.budget.part();
        let own = self.request.entry_seconds;
        let own = own.map(|seconds| Duration::from_secs_f64(seconds.max(0.0)));
        if let Some(time) = own.or(share) {
            budget = budget.within(time);
        }
        let task = EntryTask {
            front_end: self.front_end,
            open: self.open,
            switches: self.switches,
            request: self.request,
            entry,
            wording: self.wording(entry),
            facts: self.facts,
            dropped: dropped.clone(),
            weak: weak.clone(),
            ends: self.ends,
            given: self.given(entry, &callees),
            before: before.to_vec(),
            budget: budget.clone(),
        };
        budget.fault_point("entry", &entry.name);
        let result = self.coarse_or_exact(index, &task, &known);
        for warning in &result.warnings {
            dropped.insert(warning.assert);
            note_weak(&mut weak, Some(warning.assert), warning.confidence);
        }
        let usable = result.specs.iter().filter(|spec| spec.problem.is_none());
        let specs: Vec<SpecText> = usable.map(|spec| spec.text.clone()).collect();
        let needs_more_time = task.budget.check() == Err(Exhausted::Time) && self.budget.check().is_ok();
        let is_done = result.outcome == Some(EntryOutcome::Done);
        let summary = is_done.then(|| self.summary(index, &specs, &dropped, &callees, &known, &task.budget));
        Done {
            needs_more_time,
            result,
            reused: None,
            dropped,
            weak,
            inherited: inherited(&specs),
            specs,
            summary: summary.flatten(),
        }
    }

    /// The coarse program answers if it can: see [`crate::coarse`].
    fn coarse_or_exact(&self, index: usize, task: &EntryTask<'_>, known: &[ProcSummary]) -> EntryResult {
        let (exact, summaries) = self.with_summaries(task.entry, known);
        let reachable = self.calls.reachable_from(task.entry.proc);
        let mut procs = self.front_end.program.procs.keys();
        if !procs.any(|proc| reachable.contains(proc) && self.hard.contains(proc)) {
            return self.analysed(index, task, (exact, summaries));
        }
        let mut coarse = exact.clone();
        coarsen(&mut coarse);
        let first = self.analysed(index, task, (coarse, summaries.clone()));
        if first.is_done() && first.warnings.is_empty() {
            return first;
        }
        let has_time = task.budget.check().is_ok();
        let second = has_time.then(|| self.analysed(index, task, (exact, summaries)));
        // What stops the exact program is why the entry is incomplete.
        let stopped = match second {
            Some(second) if second.says_as_much_as(&first) => return second,
            Some(second) => second.outcome,
            None if first.is_done() => Some(EntryOutcome::Incomplete {
                reason: Exhausted::Time.to_string(),
            }),
            None => first.outcome.clone(),
        };
        first.of_coarse_alone(stopped)
    }

    /// What comes of an entry in a version of the program.
    fn analysed(
        &self,
        index: usize,
        task: &EntryTask<'_>,
        with_summaries: (Program, Vec<Attached>),
    ) -> EntryResult {
        let question = OpenQuestion::new(&task.entry.name, task.entry.proc);
        let mut silent = |_: lariat_engine::SearchEvent| {};
        let search = OpenSearch::new(
            self.front_end,
            &self.request.program,
            &question,
            self.switches,
            with_summaries,
            &task.budget,
            &mut silent,
        );
        match search {
            Ok(search) => analyse(task, search, &mut |stats, specs, warnings| {
                self.tell(Event::Stats {
                    entry: index,
                    stats: stats.clone(),
                    specs,
                    warnings,
                });
            }),
            Err(error) => EntryResult {
                outcome: Some(EntryOutcome::Incomplete { reason: error.0 }),
                ..EntryResult::default()
            },
        }
    }

    fn wording(&self, entry: &OpenEntry) -> Wording<'_> {
        Wording::new(self.front_end, self.open, self.calls, entry)
    }

    /// What the texts of an earlier run say of the program as it is now.
    fn read_again(&self, entry: &OpenEntry, specs: &[Specification]) -> Vec<SpecText> {
        let usable: Vec<&Specification> = specs.iter().filter(|spec| spec.problem.is_none()).collect();
        if usable.is_empty() {
            return Vec::new();
        }
        let wording = self.wording(entry);
        let mut pool = self.front_end.program.pool.clone();
        let mut texts = Vec::new();
        for spec in usable {
            let given = Given {
                id: spec.id.clone(),
                text: spec.text.clone(),
                status: spec.status,
                inherited: true,
            };
            // What cannot be read is found anew where it is needed.
            let blockings = given
                .resolve(self.front_end, self.open, entry, &mut pool)
                .unwrap_or_default();
            texts.extend(
                blockings
                    .iter()
                    .map(|blocking| describe(&wording, &pool, blocking)),
            );
        }
        texts
    }

    fn reusable(&self, index: usize) -> Option<Reused> {
        let name = &self.entries[index].name;
        self.earlier
            .as_ref()?
            .of(name, &self.fingerprints[index], self.request.entry_seconds)
    }

    /// The assertion that fails at the end of an earlier trace.
    fn assert_at(&self, trace: &EntryTrace) -> Option<AssertId> {
        let place = trace.failure.location.as_ref()?;
        let mut asserts: Vec<AssertId> = self.switches.checks.keys().copied().collect();
        asserts.sort_unstable();
        asserts.into_iter().find(|&assert| {
            let span = self.front_end.program.asserts[assert].span;
            span.is_some_and(|span| self.front_end.location(span) == *place)
        })
    }

    /// What the user has decided about the entry, and what was found out about results that reach it through its callees.
    fn given(&self, entry: &OpenEntry, callees: &[Arc<Done>]) -> Vec<Given> {
        let decided = self
            .request
            .specifications
            .iter()
            .filter(|spec| spec.entry == *entry.name && spec.status != SpecificationStatus::Inferred)
            .map(|spec| Given {
                id: spec.id.clone(),
                text: spec.text.clone(),
                status: spec.status,
                inherited: false,
            });
        let mut given: Vec<Given> = decided.collect();
        for done in callees {
            for text in &done.inherited {
                if given
                    .iter()
                    .all(|other| other.text != text.source && other.text != text.exact)
                {
                    given.push(Given {
                        id: String::new(),
                        text: text.exact.clone(),
                        status: SpecificationStatus::Accepted,
                        inherited: true,
                    });
                }
            }
        }
        given
    }

    /// The report of what is done; entries that are not are `Pending`.
    fn fill(&self, report: &mut AngelicReport, results: &[Option<Arc<Done>>], partial: bool) {
        let mut traces = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let Some(done) = &results[index] else {
                let outcome = match partial {
                    true => EntryOutcome::Pending,
                    false => EntryOutcome::Incomplete {
                        reason: "no thread could be started for it".into(),
                    },
                };
                report
                    .entries
                    .push(self.entry_report(index, outcome, &EntryResult::default()));
                continue;
            };
            if let Some(reused) = &done.reused {
                report.entries.push(reused.entry.clone());
                traces.extend(reused.traces.iter().cloned());
                report
                    .specifications
                    .extend(reused.specifications.iter().cloned());
                continue;
            }
            let result = &done.result;
            if result.is_vacuous {
                report.notes.push(self.vacuous(entry));
            }
            let outcome = result.outcome.clone().unwrap_or(EntryOutcome::Pending);
            report.entries.push(self.entry_report(index, outcome, result));
            traces.extend(result.warnings.iter().map(|warning| {
                entry_trace(
                    self.front_end,
                    self.switches,
                    self.procedures,
                    &entry.name,
                    warning,
                )
            }));
            report.specifications.extend(
                result
                    .specs
                    .iter()
                    .map(|spec| self.specification(&entry.name, spec)),
            );
        }
        let is_vacuous = |done: &Option<Arc<Done>>| done.as_ref().is_some_and(|done| done.result.is_vacuous);
        if !results.is_empty() && results.iter().all(is_vacuous) {
            let text = "nothing was checked: no entry has an execution";
            report.unfinished.get_or_insert_with(|| text.to_owned());
        }
        report.warnings = grouped(traces);
        report.specifications = merge_same(std::mem::take(&mut report.specifications));
        let rejected = self.request.specifications.iter();
        let rejected = rejected.filter(|spec| spec.status == SpecificationStatus::Rejected);
        report.specifications.extend(rejected.cloned());
        report.specifications.extend(self.of_nobody());
    }

    fn vacuous(&self, entry: &OpenEntry) -> Warning {
        let span = self.front_end.program.procs[entry.proc].span;
        Warning {
            kind: WarningKind::Vacuous,
            message: format!(
                "`{}` has no execution: what it requires and assumes is contradictory, so nothing in it was checked",
                entry.name
            ),
            location: span.map(|span| self.front_end.location(span)),
        }
    }

    /// What was decided about procedures that the program does not have.
    fn of_nobody(&self) -> impl Iterator<Item = Specification> {
        let is_used = |spec: &&Specification| {
            matches!(
                spec.status,
                SpecificationStatus::Accepted | SpecificationStatus::Edited
            )
        };
        let is_lost =
            |spec: &&Specification| self.open.entries.iter().all(|entry| *entry.name != *spec.entry);
        let lost = self.request.specifications.iter().filter(is_used).filter(is_lost);
        lost.map(|spec| Specification {
            problem: Some(format!("there is no procedure `{}` with a body", spec.entry)),
            ..spec.clone()
        })
    }

    fn entry_report(&self, index: usize, outcome: EntryOutcome, result: &EntryResult) -> AngelicEntry {
        let entry = &self.entries[index];
        AngelicEntry {
            name: entry.name.to_string(),
            location: self.front_end.program.procs[entry.proc]
                .span
                .map(|span| self.front_end.location(span)),
            outcome,
            bound: if result.complete {
                self.request.program.bound
            } else {
                result.bound
            },
            complete: result.complete,
            fingerprint: self.fingerprints[index].clone(),
            reused: false,
            stats: result.stats.clone(),
        }
    }

    fn specification(&self, entry: &str, spec: &FoundSpec) -> Specification {
        let given = self
            .request
            .specifications
            .iter()
            .find(|given| spec.id.as_deref() == Some(&given.id));
        Specification {
            id: spec
                .id
                .clone()
                .unwrap_or_else(|| short_hash(&[entry, &spec.text.source])),
            entry: entry.to_owned(),
            text: spec.text.source.clone(),
            formal: spec.text.formal.clone(),
            status: spec.status,
            locations: spec
                .text
                .spans
                .iter()
                .map(|&span| self.front_end.location(span))
                .collect(),
            suppresses: match given {
                // An accepted one is assumed from the start: what it suppresses was found when it was inferred.
                Some(given) if spec.suppresses.is_empty() => given.suppresses.clone(),
                _ => spec
                    .suppresses
                    .iter()
                    .map(|&assert| suppressed(self.front_end, assert))
                    .collect(),
            },
            unnecessary: spec.unnecessary,
            problem: spec.problem.clone(),
            inferred: given.and_then(|given| given.inferred.clone()),
        }
    }
}

/// A warning that some environment avoids does not hide a definite one of a caller.
fn note_weak(weak: &mut BTreeSet<AssertId>, assert: Option<AssertId>, confidence: Confidence) {
    let Some(assert) = assert else { return };
    match confidence {
        Confidence::NotExpressible => weak.insert(assert),
        _ => weak.remove(&assert),
    };
}
