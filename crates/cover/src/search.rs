//! One search for all goals: the unfolding and what the solver has learned are shared.
//!
//! The solver may set the switch of each goal that was not reached yet, so a failing execution is one that reaches such a goal.
//! It is replayed, and all goals on it are switched off. When none is left, no execution reaches what is still on.

use lariat_base::Budget;
use lariat_engine::{Counterexample, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_passes::Goal;
use lariat_report::{CoverMeans, CoverStatus, Engine, Verdict};
use lariat_smt::SolverError;
use lariat_vc::Problem;
use lariat_verify::{BackMap, Confirmed};

use crate::ledger::Ledger;
use crate::run::{EntryTask, Teller};

/// A search that goes on after each execution.
pub struct CommonSearch<'a> {
    task: &'a EntryTask<'a>,
    session: Session<'a>,
    back_map: BackMap,
    /// Goals that are switched off already.
    off: Vec<bool>,
}

/// How far a search has come.
pub enum Reach {
    /// Every goal has its answer.
    Complete,
    /// Some goals are reached by no execution within the bound.
    Bounded,
    /// It cannot go on; the largest bound that was completed.
    Stopped { reason: String, bound: Option<u32> },
}

impl<'a> CommonSearch<'a> {
    pub fn new(
        task: &'a EntryTask<'a>,
        budget: Budget,
        receiver: &'a mut dyn FnMut(SearchEvent),
    ) -> Result<Self, SolverError> {
        let goal = Goal::AssertionFails {
            checked: Some(task.goals.checked()),
        };
        let (prepared, _) = task.check.prepare(&goal);
        let back_map = BackMap::new(&goal, &prepared);
        let origins = prepared.var_origins.clone();
        let engine = match task.program.engine {
            // It asks first what needs no more calls, which most goals do not.
            Engine::Portfolio | Engine::Chc | Engine::Paths => Engine::Widen,
            engine => engine,
        };
        let options = SearchOptions {
            // `follow` does that.
            reconsider: false,
            ..task.check.search_options(engine)
        };
        let mut session = Session::new(Problem::from(prepared), options, budget, receiver)?;
        session.note_origins(origins);
        if let Some(beyond) = task.goals.beyond {
            let modelled = session.literal(beyond, false)?;
            session.assume_literal(modelled);
        }
        Ok(CommonSearch {
            task,
            session,
            back_map,
            off: vec![false; task.goals.goals.len()],
        })
    }

    /// Searches up to the bound. What is left then is reached by no execution within it.
    pub fn up_to(&mut self, bound: u32, ledger: &mut Ledger<'_>, teller: &mut Teller<'_>) -> Reach {
        self.session.set_largest_bound(bound);
        let reach = self.ask(ledger, teller).unwrap_or_else(|error| Reach::Stopped {
            reason: error.to_string(),
            bound: None,
        });
        let stats = self.session.stats();
        teller.stats.inlined = stats.inlined;
        teller.stats.solver_calls = stats.solver_calls;
        reach
    }

    fn ask(&mut self, ledger: &mut Ledger<'_>, teller: &mut Teller<'_>) -> Result<Reach, SolverError> {
        loop {
            for goal in 0..self.off.len() {
                if !self.off[goal] && !ledger.is_open(goal) {
                    self.switch_off(goal)?;
                }
            }
            if self.off.iter().all(|&off| off) {
                return Ok(Reach::Complete);
            }
            teller.stats.questions += 1;
            match self.session.run() {
                SearchOutcome::Reached(counterexample) => {
                    if let Err(reason) = self.follow(*counterexample, ledger) {
                        return Ok(Reach::Stopped { reason, bound: None });
                    }
                    teller.tell(ledger);
                }
                SearchOutcome::Proved => {
                    let status = match self.unmodelled()? {
                        None => CoverStatus::Dead {
                            reason: String::new(),
                        },
                        Some(reason) => CoverStatus::Unknown { reason },
                    };
                    ledger.decide_open(&status);
                    return Ok(Reach::Complete);
                }
                SearchOutcome::Bounded { .. } => return Ok(Reach::Bounded),
                SearchOutcome::Unknown { reason, bound } => return Ok(Reach::Stopped { reason, bound }),
            }
        }
    }

    fn switch_off(&mut self, goal: usize) -> Result<(), SolverError> {
        self.off[goal] = true;
        let literal = self.session.literal(self.task.goals.goals[goal].switch, false)?;
        self.session.assume_literal(literal);
        Ok(())
    }

    /// Replays an execution and notes the goals on it. An error if it cannot be told which goal it was for.
    fn follow(&mut self, counterexample: Counterexample, ledger: &mut Ledger<'_>) -> Result<(), String> {
        let (check, goals) = (&self.task.check, self.task.goals);
        let expected = check.expected(&mut self.session, &counterexample, &self.back_map);
        let expected = expected.and_then(|assert| goals.of_assert.get(&assert).copied());
        // Where the solver is unsure of its model, one of the axioms is tried first.
        let interpreted = check.path_interpreted(self.session.problem(), &counterexample, &self.back_map);
        let confirmed = match interpreted {
            Some(confirmed) => Some(confirmed),
            None => check.confirmed(&mut self.session, counterexample, &self.back_map),
        };
        let Some(Confirmed { answer, replay, .. }) = confirmed else {
            // The path is infeasible after all, and blocked.
            return Ok(());
        };
        let ended_at = answer
            .failure
            .as_ref()
            .and_then(|(_, assert)| goals.of_assert.get(&(*assert)?).copied());
        let reason = match (answer.verdict, answer.failure, ended_at) {
            (Verdict::Bug, Some((end, _)), Some(at)) => {
                let new = ledger.note(self.task.name(), CoverMeans::Search, end, at, replay.as_ref());
                if !new.is_empty() {
                    return Ok(());
                }
                "an execution of the solver could not be followed".to_owned()
            }
            (Verdict::BugUnconfirmed { reason } | Verdict::Unknown { reason, .. }, ..) => {
                format!("an execution was found that could not be replayed: {reason}")
            }
            _ => "an execution of the solver could not be followed".to_owned(),
        };
        let goal = expected.or(ended_at).filter(|&goal| !self.off[goal]);
        let goal = goal.ok_or_else(|| reason.clone())?;
        ledger.decide(goal, CoverStatus::Unknown { reason });
        Ok(())
    }

    /// Why executions may go on where Lariat does not follow them: a construct that is not modelled and reached.
    fn unmodelled(&mut self) -> Result<Option<String>, SolverError> {
        let Some(beyond) = self.task.goals.beyond else {
            return Ok(None);
        };
        let mut literals = vec![self.session.literal(beyond, true)?];
        for goal in &self.task.goals.goals {
            literals.push(self.session.literal(goal.switch, false)?);
        }
        self.session.restart(literals);
        Ok(match self.session.run() {
            SearchOutcome::Proved => None,
            SearchOutcome::Bounded { .. } => {
                Some("executions may get to a construct that is not modelled".to_owned())
            }
            SearchOutcome::Unknown { reason, .. } => Some(reason),
            SearchOutcome::Reached(counterexample) => {
                let check = &self.task.check;
                let confirmed = check.confirmed(&mut self.session, *counterexample, &self.back_map);
                let verdict = confirmed.map(|confirmed| confirmed.answer.verdict);
                Some(match verdict {
                    Some(Verdict::Unknown { reason, .. }) => {
                        format!("{reason}, and what follows it is not known")
                    }
                    _ => "executions may get to a construct that is not modelled".to_owned(),
                })
            }
        })
    }
}
