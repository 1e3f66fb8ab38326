//! One search in several parts: threads with solvers of their own, or other processes.
//!
//! A search that turns out to be hard is split where somebody waits for work ([`lariat_engine::SplitPolicy`]): it goes on with the
//! executions that make some call, and whoever waits takes up those that do not. The answer of the whole is exact:
//! [`Verdict::overall`] of the parts. A violation in one of them ends all.
//!
//! Invariants: every part is searched by one thread, or given up with all others; when `run_split` returns all threads have ended.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_engine::{EngineStats, SearchEvent, SearchOptions, SplitPolicy};
use lariat_report::{Decision, Engine, EntryStats, Halves, Partition, UnknownCause, Verdict};
use lariat_vc::Problem;

use super::member::{Member, Work};
use super::{BackMap, EntryAnswer, EntryCheck, Inference, unknown};

enum Message {
    Event(SearchEvent),
    Finished(Box<(EntryAnswer, EngineStats)>),
    Panicked(Box<dyn Any + Send>),
}

/// The parts that nobody searches yet.
struct Pool {
    /// Of the whole search; its waiting threads are counted there.
    budget: Budget,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    waiting: VecDeque<Partition>,
    /// Parts that are being searched.
    running: usize,
    /// All parts so far.
    parts: u64,
    is_over: bool,
}

impl Pool {
    fn new(budget: Budget, first: Partition) -> Self {
        Pool {
            budget,
            state: Mutex::new(State {
                waiting: [first].into(),
                running: 0,
                parts: 1,
                is_over: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A part to search, as soon as there is one. `None` when all are done.
    fn next(&self) -> Option<Partition> {
        let mut state = self.state();
        let mut is_counted = false;
        loop {
            if state.is_over {
                return None;
            }
            if let Some(partition) = state.waiting.pop_front() {
                state.running += 1;
                return Some(partition);
            }
            if state.running == 0 {
                return None;
            }
            if !is_counted {
                self.budget.idle().add();
                is_counted = true;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            // Whoever gave a part away has counted it off.
            is_counted &= state.waiting.is_empty();
        }
    }

    /// Gives one half to whoever waits; the other is for the caller.
    fn hand_over(&self, halves: Halves) -> Result<Decision, Halves> {
        let Some(kept) = halves.reached.decisions.last().cloned() else {
            return Err(halves);
        };
        let mut state = self.state();
        state.waiting.push_back(halves.blocked);
        state.parts += 1;
        self.budget.idle().remove();
        self.changed.notify_one();
        Ok(kept)
    }

    fn finished_one(&self) {
        self.state().running -= 1;
        self.changed.notify_all();
    }

    fn end(&self) {
        self.budget.interrupt();
        self.state().is_over = true;
        self.changed.notify_all();
    }
}

impl EntryCheck<'_> {
    /// The executions that are looked at. Further searches, which leave out rough values, look at all of them.
    pub(super) fn partition(&self) -> Partition {
        match self.left_out.is_empty() {
            true => self.request.partition.clone(),
            false => Partition::default(),
        }
    }

    /// Whether the search may be split, or is a part of one. Searches of several programs in turn are not split.
    pub(super) fn may_split(&self) -> bool {
        let request = self.request;
        let is_asked = request.search.split.is_some() || !self.partition().is_whole();
        is_asked && !self.wants_abstraction() && request.engine != Engine::Chc
    }

    /// Whether other processes search the parts: there is one search only.
    fn hands_over(&self) -> bool {
        let request = self.request;
        request.hand_over
            && !request.all
            && self.left_out.is_empty()
            && !self.within_contexts
            && self.bound.is_none()
    }

    /// The members of an engine whose search may be split.
    pub(super) fn members_of_split(&self, engine: Engine, problem: &Problem) -> Vec<Member> {
        let is_portfolio = engine == Engine::Portfolio;
        let partition = self.partition();
        let is_whole = partition.is_whole();
        let searching = if is_portfolio { Engine::Widen } else { engine };
        let options = SearchOptions {
            partition,
            split: match self.request.search.forced_splits {
                Some(depth) => SplitPolicy::EachRound {
                    depth: depth as usize,
                },
                None => SplitPolicy::WhenAsked,
            },
            ..self.search_options(searching)
        };
        let threads = match self.hands_over() {
            true => 1,
            false => self.request.search.split.unwrap_or(1) as usize,
        };
        let mut members = vec![Member {
            name: "split",
            work: Work::Split {
                options: Box::new(options),
                threads,
            },
            uses_facts: self.inference(problem) != Inference::OnNeed,
            then: None,
        }];
        if is_portfolio && is_whole {
            members.extend(self.other_members(problem));
        }
        members
    }

    pub(super) fn run_split(
        &self,
        options: &SearchOptions,
        threads: usize,
        problem: &Problem,
        back_map: &BackMap,
        tell: &mut dyn FnMut(SearchEvent),
    ) -> (EntryAnswer, EngineStats) {
        if self.hands_over() {
            return self.run_search(options, problem.clone(), back_map, tell, &mut Err);
        }
        let budget = self.budget.part().with_idle(Default::default());
        let pool = Pool::new(budget, options.partition.clone());
        let (sender, messages) = channel();
        let mut answers = Vec::new();
        let mut stats = EngineStats::default();
        let mut panic = None;
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, pool) = (sender.clone(), &pool);
                let work = move || self.search_parts(pool, options, problem, back_map, &sender);
                // The others do its work.
                let _ = spawn_with_big_stack(scope, "part", work);
            }
            drop(sender);
            for message in messages {
                match message {
                    Message::Event(event) => tell(of_parts(event, answers.len(), &pool)),
                    Message::Finished(result) => {
                        let (answer, own) = *result;
                        add(&mut stats, &own);
                        if answer.verdict.is_bug() {
                            pool.end();
                        }
                        answers.push(answer);
                    }
                    Message::Panicked(payload) => {
                        panic = Some(payload);
                        pool.end();
                    }
                }
            }
        });
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
        (combined(answers), stats)
    }

    /// Searches one part after the other, until all are done.
    fn search_parts(
        &self,
        pool: &Pool,
        options: &SearchOptions,
        problem: &Problem,
        back_map: &BackMap,
        sender: &Sender<Message>,
    ) {
        while let Some(partition) = pool.next() {
            let own = EntryCheck {
                budget: &pool.budget,
                interpretation: self.interpretation.clone(),
                stats: EntryStats::default(),
                ..*self
            };
            let options = SearchOptions {
                partition,
                ..options.clone()
            };
            // The receiver lives as long as this thread.
            let mut tell = |event| drop(sender.send(Message::Event(event)));
            let mut hand_over = |halves| pool.hand_over(halves);
            let search = AssertUnwindSafe(|| {
                own.run_search(&options, problem.clone(), back_map, &mut tell, &mut hand_over)
            });
            let message = match catch_unwind(search) {
                Ok(result) => Message::Finished(Box::new(result)),
                Err(payload) => Message::Panicked(payload),
            };
            let _ = sender.send(message);
            pool.finished_one();
        }
    }
}

/// The event of a part as one of the whole. What a part has completed the whole need not have.
fn of_parts(event: SearchEvent, done: usize, pool: &Pool) -> SearchEvent {
    let parts = pool.state().parts;
    match event {
        SearchEvent::Progress(mut progress) if parts > 1 => {
            progress.completed = None;
            progress.parts = Some((done as u64, parts));
            SearchEvent::Progress(progress)
        }
        event => event,
    }
}

fn add(stats: &mut EngineStats, part: &EngineStats) {
    stats.inlined += part.inlined;
    stats.open_call_sites += part.open_call_sites;
    stats.merged += part.merged;
    stats.solver_calls += part.solver_calls;
    stats.solver_seconds += part.solver_seconds;
    stats.solver_effort += part.solver_effort;
    stats.merge_seconds += part.merge_seconds;
    stats.inline_seconds += part.inline_seconds;
    stats.vc_seconds += part.vc_seconds;
    stats.model_seconds += part.model_seconds;
    stats.vc_nodes += part.vc_nodes;
}

/// The answer of all parts.
fn combined(mut answers: Vec<EntryAnswer>) -> EntryAnswer {
    // The worst news, and of those that know nothing the one that got least far.
    let verdict = Verdict::overall(answers.iter().map(|answer| &answer.verdict));
    let Some(verdict) = verdict else {
        return unknown(UnknownCause::Solver, "no part could be searched".into(), None);
    };
    let is_worst = |answer: &EntryAnswer| match &verdict {
        Verdict::Unknown { .. } => matches!(answer.verdict, Verdict::Unknown { .. }),
        verdict => answer.verdict == *verdict,
    };
    let worst = answers.iter().enumerate().filter(|(_, answer)| is_worst(answer));
    let Some(worst) = worst
        .min_by_key(|(_, answer)| answer.bound)
        .map(|(index, _)| index)
    else {
        return unknown(UnknownCause::Solver, "no part could be searched".into(), None);
    };
    let mut answer = answers.swap_remove(worst);
    if answer.verdict.is_bug() {
        return answer;
    }
    for other in answers {
        answer.cut.extend(other.cut);
        // A part that was proved has no bound.
        if other.verdict != Verdict::Proved {
            answer.bound = answer.bound.min(other.bound);
        }
    }
    answer.cut.sort();
    answer.cut.dedup();
    if let Verdict::Unknown { reason, .. } = &mut answer.verdict
        && let Some((why, _)) = reason.split_once("; no violation within bound ")
    {
        *reason = match answer.bound {
            Some(bound) => format!("{why}; no violation within bound {bound}"),
            None => why.to_owned(),
        };
    }
    answer
}
