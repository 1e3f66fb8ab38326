//! Several members in parallel, each with a solver of its own; the first sure answer wins (Legion+,
//! [Legion22] §4.2).
//!
//! Invariants: members share the budget, and each can be stopped on its own; when `race` returns all
//! members have ended; one that runs out of memory or fails leaves the others running; a panic of one ends the race and goes
//! on in the caller.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use lariat_base::budget::resident_memory;
use lariat_base::threads::spawn_with_big_stack;
use lariat_base::{Budget, Exhausted};
use lariat_engine::{EngineStats, SearchEvent};
use lariat_report::{EntryStats, UnknownCause, Verdict};
use lariat_vc::Problem;

use super::member::{Member, Work};
use super::{Answer, BackMap, EntryCheck, unknown};

/// How often memory is looked at.
const PERIOD: Duration = Duration::from_millis(50);
/// From this share of the limit on the largest member is stopped if there are others.
const MEMORY_SHARE: f64 = 0.85;
/// An answer that another member may better waits for it this long, or half the time it took itself.
const GRACE: Duration = Duration::from_secs(1);

/// The answer of a race.
pub struct Decision {
    pub answer: Answer,
    pub stats: EngineStats,
    /// Who gave it, if there were several.
    pub member: Option<String>,
}

enum Message {
    Event(usize, SearchEvent),
    Finished(usize, Box<(Answer, EngineStats)>),
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
    problem: Problem,
    mut members: Vec<Member>,
    back_map: &BackMap,
    tell: &mut dyn FnMut(SearchEvent),
) -> Decision {
    if members.len() == 1
        && let Some(only) = members.pop()
    {
        check.budget.fault_point("member", only.name);
        let (answer, stats) = check.run_member(&only.work, problem, back_map, tell);
        return Decision {
            answer,
            stats,
            member: None,
        };
    }
    let mut runners: Vec<Runner> = members
        .into_iter()
        .map(|member| Runner {
            member,
            budget: check.budget.part(),
            running: true,
            size: 0,
        })
        .collect();
    std::thread::scope(|scope| {
        let (sender, messages) = channel();
        for (index, runner) in runners.iter().enumerate() {
            let (sender, problem) = (sender.clone(), problem.clone());
            let (member, budget) = (runner.member.clone(), runner.budget.clone());
            let name = member.name;
            let work = move || run(check, index, &member, problem, back_map, &budget, &sender);
            // A member that cannot be started hangs up at once, and the others go on.
            drop(spawn_with_big_stack(scope, name, work));
        }
        drop((sender, problem));
        let mut best: Option<(usize, Box<(Answer, EngineStats)>)> = None;
        let started = Instant::now();
        let mut patience: Option<Instant> = None;
        let mut completed: Option<u32> = None;
        loop {
            match messages.recv_timeout(PERIOD) {
                Ok(Message::Event(index, mut event)) => {
                    let mut news = false;
                    if let SearchEvent::Progress(progress) = &mut event {
                        runners[index].size = progress.stats.vc_nodes;
                        // Whoever has completed a bound, it is completed.
                        news = progress.completed > completed;
                        completed = completed.max(progress.completed);
                        progress.completed = completed;
                    }
                    // Otherwise the first member that still runs is shown.
                    if news || runners.iter().position(|runner| runner.running) == Some(index) {
                        tell(event);
                    }
                }
                Ok(Message::Finished(index, result)) => {
                    runners[index].running = false;
                    // Of two that know nothing, the one that searched can say how far it got.
                    let value = |index: usize, answer: &Answer| {
                        let searches = matches!(runners[index].member.work, Work::Search(_));
                        (rank(&answer.verdict), answer.bound, searches)
                    };
                    let better = best
                        .as_ref()
                        .is_none_or(|(known, best)| value(index, &result.0) > value(*known, &best.0));
                    if better {
                        best = Some((index, result));
                        patience = Some(Instant::now() + GRACE.max(started.elapsed() / 2));
                    }
                }
                Ok(Message::Panicked(panic)) => {
                    for runner in &runners {
                        runner.budget.interrupt();
                    }
                    resume_unwind(panic)
                }
                Err(RecvTimeoutError::Timeout) => spare_memory(&runners, check.budget),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let done = match &best {
                Some((_, best)) => match rank(&best.0.verdict) {
                    Rank::Sure => true,
                    Rank::Nothing => false,
                    // Only a proof is better than a bound.
                    Rank::Bounded => {
                        let may_prove =
                            |runner: &Runner| runner.running && runner.member.proves_without_bound();
                        !runners.iter().any(may_prove) || patience.is_some_and(|end| Instant::now() >= end)
                    }
                    Rank::Candidate => patience.is_some_and(|end| Instant::now() >= end),
                },
                None => false,
            };
            if done || runners.iter().all(|runner| !runner.running) {
                break;
            }
        }
        for runner in &runners {
            runner.budget.interrupt();
        }
        match best {
            Some((index, result)) => Decision {
                answer: result.0,
                stats: result.1,
                member: Some(runners[index].member.name.to_owned()),
            },
            None => Decision {
                answer: unknown(UnknownCause::Solver, "no member gave an answer".into(), None),
                stats: EngineStats::default(),
                member: None,
            },
        }
    })
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

fn rank(verdict: &Verdict) -> Rank {
    match verdict {
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
        stats: EntryStats::default(),
        ..*check
    };
    // Whoever does not listen any more has its answer.
    let mut tell = |event| drop(sender.send(Message::Event(index, event)));
    let work = AssertUnwindSafe(|| {
        budget.fault_point("member", member.name);
        own.run_member(&member.work, problem, back_map, &mut tell)
    });
    let message = match catch_unwind(work) {
        Ok(result) => Message::Finished(index, Box::new(result)),
        Err(panic) => Message::Panicked(panic),
    };
    drop(sender.send(message));
}

/// Stops a member before all of them run out of memory: first the one that finds no violations and
/// whose size nobody knows, then the largest.
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
