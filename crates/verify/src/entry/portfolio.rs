//! Several members in parallel, each with a solver of its own; the first sure answer wins (Legion+,
//! [Legion22] §4.2).
//!
//! Members that use inferred summaries start when the inference is done; the others start at once, so that
//! neither the inference nor its facts can keep an easy question from being answered. In large programs the inference
//! itself waits until a search needs it. On few cores members take turns: one that has used up its effort, a count, gives way to another.
//!
//! Invariants: members share the budget, and each can be stopped on its own; when `race` returns all
//! members have ended; one that runs out of memory or fails leaves the others running; a panic of any
//! thread ends the race and goes on in the caller.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use lariat_base::budget::resident_memory;
use lariat_base::threads::spawn_with_big_stack;
use lariat_base::{Budget, Exhausted, Turns};
use lariat_engine::{EngineStats, SearchEvent};
use lariat_report::{EntryStats, UnknownCause, Verdict};
use lariat_summaries::SummaryStats;
use lariat_vc::Problem;

use super::member::Member;
use super::{BackMap, EntryAnswer, EntryCheck, Inference, unknown};

/// How often memory is looked at.
const PERIOD: Duration = Duration::from_millis(50);
/// From this share of the limit on the largest member is stopped if there are others.
const MEMORY_SHARE: f64 = 0.85;
/// An answer that another member may better waits for it this long, or half the time it took itself. This is the one
/// decision that rests on the clock: members run in parallel, and how far one has got while another worked is a matter of
/// time. What it decides is how much is said (`bounded` or `proved`), never which of two contradicting answers is given.
const GRACE: Duration = Duration::from_secs(1);

/// On one core the first search is this much effort ahead of what else takes turns with it, some five seconds.
const HEAD_START: u64 = 150_000_000;
/// A search that has inlined this many procedures may need facts.
const MUCH_INLINED: u64 = 150;

/// The answer of a race.
pub struct Decision {
    pub answer: EntryAnswer,
    pub stats: EngineStats,
    pub summaries: SummaryStats,
    /// Who gave it, if there were several.
    pub member: Option<String>,
}

enum Message {
    Event(usize, SearchEvent),
    /// A member has no answer, and the next one goes on in its place.
    TakesOver(usize, &'static str),
    Finished(usize, Box<(EntryAnswer, EngineStats)>),
    /// The problem with its inferred summaries.
    Inferred(Box<(Problem, SummaryStats)>),
    Panicked(Box<dyn Any + Send>),
}

/// Where a member stands, as the race sees it.
struct Runner {
    member: Member,
    budget: Budget,
    running: bool,
    /// The size of what it has in its solver.
    size: u64,
}

/// Runs the members until there is an answer.
pub fn race(
    check: &EntryCheck<'_>,
    mut problem: Problem,
    mut members: Vec<Member>,
    back_map: &BackMap,
    tell: &mut dyn FnMut(SearchEvent),
) -> Decision {
    let inference = match members.iter().any(|member| member.uses_facts) {
        true => check.inference(&problem),
        false => Inference::Never,
    };
    if let [Member { then: None, .. }] = members[..]
        && let Some(only) = members.pop()
    {
        let summaries = if inference != Inference::Never {
            check.infer_summaries(&mut problem, check.budget)
        } else {
            SummaryStats::default()
        };
        check.budget.fault_point("member", only.name);
        let (answer, stats) = check.run_member(&only.work, problem, back_map, tell);
        return Decision {
            answer,
            stats,
            summaries,
            member: None,
        };
    }
    let runners = members
        .into_iter()
        .map(|member| Runner {
            member,
            budget: check.budget.part(),
            running: true,
            size: 0,
        })
        .collect();
    let race = Race {
        check,
        turns: check.turns(),
        runners,
        infers: inference == Inference::AtOnce,
        waiting: None,
        inlined: 0,
        inference: check.budget.part(),
        summaries: SummaryStats::default(),
        started: Instant::now(),
        best: None,
        patience: None,
        completed: None,
    };
    std::thread::scope(|scope| race.run(scope, problem, inference, back_map, tell))
}

/// The state of a race.
struct Race<'a, 'e> {
    check: &'a EntryCheck<'e>,
    runners: Vec<Runner>,
    /// The turns of the searches and the inference, if they are more than the cores.
    turns: Option<Turns>,
    /// Whether summaries are still being inferred.
    infers: bool,
    /// The problem, while the inference has not been needed.
    waiting: Option<Problem>,
    /// The most procedures that a member has inlined.
    inlined: u64,
    /// The budget of the inference.
    inference: Budget,
    summaries: SummaryStats,
    started: Instant,
    best: Option<(usize, Box<(EntryAnswer, EngineStats)>)>,
    /// When an answer that could be bettered is taken all the same.
    patience: Option<Instant>,
    /// The largest bound that a member has completed.
    completed: Option<u32>,
}

impl<'a> Race<'a, '_> {
    fn run<'scope>(
        mut self,
        scope: &'scope Scope<'scope, '_>,
        problem: Problem,
        inference: Inference,
        back_map: &'a BackMap,
        tell: &mut dyn FnMut(SearchEvent),
    ) -> Decision
    where
        'a: 'scope,
    {
        let (sender, messages) = channel();
        // Kept until all members are started, so that the messages end when all members have.
        let mut sender = Some(sender);
        match inference {
            Inference::Never => {
                self.start(scope, &problem, back_map, &sender, |_| true);
                sender = None;
            }
            Inference::AtOnce => {
                self.start(scope, &problem, back_map, &sender, |member| !member.uses_facts);
                self.start_inference(scope, problem, &sender);
            }
            Inference::OnNeed => {
                self.start(scope, &problem, back_map, &sender, |member| !member.uses_facts);
                self.waiting = Some(problem);
            }
        }
        let mut panic = None;
        while !self.is_decided() {
            if self.needs_facts()
                && let Some(problem) = self.waiting.take()
            {
                self.infers = true;
                self.start_inference(scope, problem, &sender);
            }
            match messages.recv_timeout(PERIOD) {
                Ok(Message::Event(index, event)) => self.event(index, event, tell),
                Ok(Message::TakesOver(index, name)) => self.runners[index].member.name = name,
                Ok(Message::Finished(index, result)) => self.finished(index, result),
                Ok(Message::Inferred(inferred)) => {
                    let (problem, summaries) = *inferred;
                    self.summaries = summaries;
                    self.infers = false;
                    self.wait_from_now();
                    if inference == Inference::OnNeed && self.summaries.kept == 0 {
                        self.leave_out_facts();
                    } else {
                        self.start(scope, &problem, back_map, &sender, |member| member.uses_facts);
                    }
                    sender = None;
                }
                Ok(Message::Panicked(payload)) => {
                    panic = Some(payload);
                    break;
                }
                Err(RecvTimeoutError::Timeout) => spare_memory(&self.runners, self.check.budget),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.inference.interrupt();
        for runner in &self.runners {
            runner.budget.interrupt();
        }
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
        self.decision()
    }

    /// Starts members on copies of the problem.
    fn start<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        problem: &Problem,
        back_map: &'a BackMap,
        sender: &Option<Sender<Message>>,
        wanted: impl Fn(&Member) -> bool,
    ) where
        'a: 'scope,
    {
        let wanted = |(_, runner): &(usize, &mut Runner)| wanted(&runner.member);
        let mut starting: Vec<_> = self.runners.iter_mut().enumerate().filter(wanted).collect();
        // All have joined before the first one starts.
        let turns = self.turns.as_ref();
        let budgets: Vec<Budget> = (starting.iter().zip(0..))
            .map(|((_, runner), place)| match (turns, runner.member.searches()) {
                (Some(turns), true) => {
                    let behind = if place == 0 { 0 } else { HEAD_START };
                    runner.budget.clone().with_turn(turns.join(behind))
                }
                _ => runner.budget.clone(),
            })
            .collect();
        for ((index, runner), budget) in starting.iter_mut().zip(budgets) {
            let Some(sender) = sender.clone() else {
                continue;
            };
            let (check, problem, index) = (self.check, problem.clone(), *index);
            let member = runner.member.clone();
            let name = member.name;
            let work = move || run(check, index, &member, problem, back_map, &budget, &sender);
            // The others go on without a member that cannot be started.
            runner.running = spawn_with_big_stack(scope, name, work).is_ok();
        }
    }

    fn start_inference<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        mut problem: Problem,
        sender: &Option<Sender<Message>>,
    ) where
        'a: 'scope,
    {
        let Some(sender) = sender.clone() else {
            return;
        };
        let (check, mut budget) = (self.check, self.inference.clone());
        if let Some(turns) = &self.turns {
            budget = budget.with_turn(turns.join(0));
        }
        let work = move || {
            let infer = AssertUnwindSafe(|| check.infer_summaries(&mut problem, &budget));
            let message = match catch_unwind(infer) {
                Ok(stats) => Message::Inferred(Box::new((problem, stats))),
                Err(payload) => Message::Panicked(payload),
            };
            drop(sender.send(message));
        };
        if spawn_with_big_stack(scope, "inference", work).is_err() {
            self.infers = false;
            self.leave_out_facts();
        }
    }

    /// Members that wait for facts are never started.
    fn leave_out_facts(&mut self) {
        for runner in &mut self.runners {
            runner.running &= !runner.member.uses_facts;
        }
    }

    /// Whether the searches have shown that they need facts: a bound has cut off something, much was inlined, or all have ended.
    fn needs_facts(&self) -> bool {
        let mut others = self.runners.iter().filter(|runner| !runner.member.uses_facts);
        self.completed.is_some() || self.inlined >= MUCH_INLINED || others.all(|runner| !runner.running)
    }

    fn event(&mut self, index: usize, mut event: SearchEvent, tell: &mut dyn FnMut(SearchEvent)) {
        let mut news = false;
        if let SearchEvent::Progress(progress) = &mut event {
            self.runners[index].size = progress.stats.vc_nodes;
            self.inlined = self.inlined.max(progress.stats.inlined);
            // A bound is completed if any member has completed it.
            news = progress.completed > self.completed;
            self.completed = self.completed.max(progress.completed);
            progress.completed = self.completed;
        }
        // Otherwise the first member that still runs is shown.
        if news || self.runners.iter().position(|runner| runner.running) == Some(index) {
            tell(event);
        }
    }

    fn finished(&mut self, index: usize, result: Box<(EntryAnswer, EngineStats)>) {
        self.runners[index].running = false;
        let value =
            |index: usize, answer: &EntryAnswer| value(answer, self.runners[index].member.has_bounds());
        let better = self
            .best
            .as_ref()
            .is_none_or(|(known, best)| value(index, &result.0) > value(*known, &best.0));
        if better {
            self.best = Some((index, result));
            self.patience = Some(Instant::now());
            self.wait_from_now();
        }
    }

    /// An answer that can be bettered waits anew.
    fn wait_from_now(&mut self) {
        if let Some(patience) = &mut self.patience {
            *patience = Instant::now() + GRACE.max(self.started.elapsed() / 2);
        }
    }

    fn is_decided(&self) -> bool {
        let over = self.patience.is_some_and(|end| Instant::now() >= end) && !self.infers;
        let best = self.best.as_ref().map(|(_, best)| rank(&best.0));
        match best {
            Some(Rank::Sure) => true,
            // Only a proof is better than a bound.
            Some(Rank::Bounded) if over || !self.may_prove() => true,
            Some(Rank::Candidate) if over => true,
            _ => self.runners.iter().all(|runner| !runner.running),
        }
    }

    /// Whether a running member may prove what a bounded search cannot: without a bound, or by inferred facts.
    fn may_prove(&self) -> bool {
        let has_facts = self.infers || self.summaries.kept > 0;
        self.runners.iter().any(|runner| {
            let member = &runner.member;
            runner.running && (member.proves_without_bound() || (has_facts && member.uses_facts))
        })
    }

    fn decision(self) -> Decision {
        let Race {
            check,
            runners,
            summaries,
            best,
            completed,
            ..
        } = self;
        match best {
            Some((index, result)) => Decision {
                answer: with_completed(check, result.0, completed),
                stats: result.1,
                summaries,
                member: Some(runners[index].member.name.to_owned()),
            },
            None => Decision {
                answer: unknown(UnknownCause::Solver, "no member gave an answer".into(), None),
                stats: EngineStats::default(),
                summaries,
                member: None,
            },
        }
    }
}

/// What any member of a race has completed stands, also if that member had no answer and the time is over for the others.
fn with_completed(check: &EntryCheck<'_>, answer: EntryAnswer, completed: Option<u32>) -> EntryAnswer {
    let ended_by_time = match &answer.verdict {
        Verdict::Bounded { contexts: None, .. } => true,
        Verdict::Unknown { cause, .. } => *cause == UnknownCause::Time,
        _ => false,
    };
    match completed {
        Some(bound) if check.request.deepen && ended_by_time && completed > answer.bound => {
            EntryAnswer::new(Verdict::bounded(bound), completed)
        }
        _ => answer,
    }
}

/// How much an answer says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Nothing,
    /// A violation that could not be replayed.
    Candidate,
    Bounded,
    Sure,
}

/// Orders answers. Of two that know nothing, one that used up its own effort tells less than one that the limits of the
/// whole ended, and one that searched can say how far it got.
fn value(answer: &EntryAnswer, searches: bool) -> (Rank, bool, Option<u32>, bool) {
    let gave_way = matches!(
        &answer.verdict,
        Verdict::Unknown {
            cause: UnknownCause::Solver,
            ..
        }
    );
    (rank(answer), !gave_way, answer.bound, searches)
}

fn rank(answer: &EntryAnswer) -> Rank {
    match &answer.verdict {
        // Others are going to find out.
        _ if answer.split.is_some() => Rank::Sure,
        Verdict::Proved | Verdict::Bug => Rank::Sure,
        Verdict::Bounded { .. } => Rank::Bounded,
        Verdict::BugUnconfirmed { .. } => Rank::Candidate,
        _ => Rank::Nothing,
    }
}

fn run(
    check: &EntryCheck<'_>,
    index: usize,
    member: &Member,
    problem: Problem,
    back_map: &BackMap,
    budget: &Budget,
    sender: &Sender<Message>,
) {
    let own = EntryCheck {
        budget,
        interpretation: check.interpretation.clone(),
        stats: EntryStats::default(),
        ..*check
    };
    // Sending fails only if the race is over.
    let mut tell = |event| drop(sender.send(Message::Event(index, event)));
    let work = AssertUnwindSafe(|| {
        let mut member = member.clone();
        // Whoever must stop already does so at its first question.
        let _ = budget.spend(0);
        loop {
            budget.fault_point("member", member.name);
            let result = own.run_member(&member.work, problem.clone(), back_map, &mut tell);
            let is_open = rank(&result.0) == Rank::Nothing && budget.check().is_ok();
            match member.then.take() {
                Some(next) if is_open => member = own.taking_over(*next, result.0.bound),
                _ => return result,
            }
            drop(sender.send(Message::TakesOver(index, member.name)));
        }
    });
    let message = match catch_unwind(work) {
        Ok(result) => Message::Finished(index, Box::new(result)),
        Err(payload) => Message::Panicked(payload),
    };
    drop(sender.send(message));
}

/// Stops a member before all of them run out of memory: first the one that finds no violations and
/// whose size is not known, then the largest.
fn spare_memory(runners: &[Runner], budget: &Budget) {
    let Some(limit) = budget.memory_limit() else {
        return;
    };
    let used = resident_memory().unwrap_or(0);
    let ending = runners
        .iter()
        .any(|runner| runner.running && runner.budget.check() == Err(Exhausted::Memory));
    if (used as f64) < limit as f64 * MEMORY_SHARE || ending {
        return;
    }
    let running: Vec<&Runner> = runners.iter().filter(|runner| runner.running).collect();
    if running.len() > 1
        && let Some(largest) = running
            .iter()
            .max_by_key(|runner| (runner.member.proves_without_bound(), runner.size))
    {
        largest.budget.stop(Exhausted::Memory);
    }
}

#[cfg(test)]
mod tests {
    use lariat_base::Budget;
    use lariat_engine::SearchOptions;
    use lariat_report::{Engine, Progress, Switch, UnknownCause, Verdict, VerifyRequest};
    use lariat_vc::Problem;

    use super::{BackMap, EntryAnswer, EntryCheck, Member, race, value};
    use crate::entry::member::Work;
    use crate::question::questions;

    const TEXT: &str = "
        procedure main(x: int) { if (x > 0) { call p(x); } }
        procedure p(x: int) { if (x < 9) { assert x > 1; } else { assert x > 2; } }
    ";

    /// A user who gave a time limit is told that it was reached, not that a member had used up its effort before.
    #[test]
    fn the_limits_of_the_whole_are_told_before_those_of_a_member() {
        let effort = EntryAnswer::new(Verdict::unknown(UnknownCause::Solver, "effort"), Some(1));
        let time = EntryAnswer::new(Verdict::unknown(UnknownCause::Time, "time"), None);
        assert!(value(&time, true) > value(&effort, true));
        let bounded = EntryAnswer::new(Verdict::bounded(1), Some(1));
        assert!(value(&bounded, true) > value(&time, true));
    }

    /// A member that may not ask the solver anything gives way, and the answer is that of the one that takes over.
    #[test]
    fn a_member_without_an_answer_gives_way() {
        let path = std::env::temp_dir().join(format!("lariat-turns-{}.bpl", std::process::id()));
        std::fs::write(&path, TEXT).expect("a temporary file can be written");
        let mut request = VerifyRequest::new(vec![path.clone()]);
        request.search.summaries = Switch::Off;
        let reading = lariat_front_end::read(&(&request).into(), false, &mut |_: Progress| {});
        std::fs::remove_file(&path).expect("it can be removed");
        let front_end = reading.program.expect("a program");
        let question = questions(&request, &front_end).expect("a question").remove(0);
        let budget = Budget::unlimited();
        let check = EntryCheck::new(&request, &front_end, &question, &budget);
        let prepared = check.prepare(&question.goal).0;
        let back_map = BackMap::new(&question.goal, &prepared);
        let problem = Problem::from(prepared);
        let member = |name, engine, effort, then| Member {
            name,
            work: Work::Search(Box::new(SearchOptions {
                effort,
                ..check.search_options(engine)
            })),
            uses_facts: false,
            then,
        };
        let tired = |then| member("dag", Engine::Dag, Some(0), then);
        let decide = |members| race(&check, problem.clone(), members, &back_map, &mut |_| {});
        let decision = decide(vec![tired(None), tired(None)]);
        assert!(matches!(decision.answer.verdict, Verdict::Unknown { .. }));
        for others in [vec![], vec![tired(None)]] {
            let next = member("mix", Engine::Mix, None, None);
            let members = [vec![tired(Some(Box::new(next)))], others].concat();
            let decision = decide(members);
            assert_eq!(decision.answer.verdict, Verdict::Bug);
            assert_eq!(decision.member.as_deref(), Some("mix"));
        }
    }
}
