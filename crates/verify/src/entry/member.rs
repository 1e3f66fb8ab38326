//! One way of answering the question, from the problem to an answer that holds.

use std::time::Duration;

use lariat_base::Turns;
use lariat_chc::{ChcOptions, ChcOutcome, KInductionOptions, KInductionOutcome, prove, prove_by_k_induction};
use lariat_engine::{
    Counterexample, EngineStats, ExpandPolicy, MergePolicy, SearchEvent, SearchOptions, SearchOutcome,
    Session, SplitPolicy,
};
use lariat_ir::{ProcId, Program};
use lariat_passes::Goal;
use lariat_report::{
    Decision, Engine, Halves, LogStage, Partition, SolverProfile, UnknownCause, Verdict, VerifyRequest,
};
use lariat_summaries::{Inductive, check_inductive_within};
use lariat_vc::Problem;

use super::confirmation::Runs;
use super::{BackMap, Confirmed, EntryAnswer, EntryCheck, Inference, unknown};
use crate::solver_options::{Profile, profile_options, solver_options};

/// Procedures whose tree of calls has at most this many statements are inlined with their callers.
/// On the driver corpora 400 was better than 0, 30 and 100.
const SMALL_SIZE: usize = 400;

/// A member of a portfolio.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: &'static str,
    pub work: Work,
    /// Whether it uses inferred summaries; if so it starts when they are known.
    pub uses_facts: bool,
    /// Who takes over, with the same problem, when it ends without an answer.
    pub then: Option<Box<Member>>,
}

#[derive(Clone, Debug)]
pub enum Work {
    Search(Box<SearchOptions>),
    /// A search that may be split, with so many threads.
    Split {
        options: Box<SearchOptions>,
        threads: usize,
    },
    /// Executing it: decides programs without inputs, and sometimes hits a violation.
    Run,
    /// Proofs without a bound: by constrained Horn clauses, and before that, if asked, by k-induction.
    Unbounded {
        k_induction: bool,
    },
    /// Path by path, with so many steps at most.
    Paths {
        steps: Option<u64>,
    },
}

impl Member {
    /// Whether it may prove what a bounded search cannot.
    pub fn proves_without_bound(&self) -> bool {
        matches!(self.work, Work::Unbounded { .. })
    }

    /// Whether it goes bound by bound or path by path, and can say how far it got.
    pub fn has_bounds(&self) -> bool {
        matches!(
            self.work,
            Work::Search(_) | Work::Split { .. } | Work::Paths { .. }
        )
    }

    /// Whether it is a search of one thread, whose solver counts its effort.
    pub fn searches(&self) -> bool {
        matches!(self.work, Work::Search(_))
    }
}

/// Takes the parts of a search. `Ok` with the decision of the part that goes on here, or `Err` if none does.
pub(super) type HandOver<'a> = dyn FnMut(Halves) -> Result<Decision, Halves> + 'a;

impl EntryCheck<'_> {
    /// What an engine consists of. The choice for the default is explained in `docs/benchmarks.md`.
    pub(super) fn members(&self, engine: Engine, problem: &Problem) -> Vec<Member> {
        let search = |name, engine| Member {
            name,
            work: Work::Search(Box::new(self.search_options(engine))),
            uses_facts: true,
            then: None,
        };
        if self.may_split() {
            return self.members_of_split(engine, problem);
        }
        match engine {
            Engine::Portfolio => {
                let cores = self.budget.cores();
                // The best one alone comes first, then what adds most to those before it. The second goes without
                // inferred facts: it starts at once, and no query of it can choke on them.
                let mut members = vec![
                    search("widen", Engine::Widen),
                    Member {
                        uses_facts: false,
                        ..search("dag", Engine::Dag)
                    },
                    search("mix", Engine::Mix),
                    search("stratified", Engine::Stratified),
                ];
                let takes_turns = cores <= LEAST_SEARCHES && !self.request.search.no_turns;
                if takes_turns && self.front_end.c.is_none() {
                    // On drivers `dag` is quick where it is the right way; else its core is of more use to `mix`.
                    members[1] = Member {
                        work: Work::Search(Box::new(SearchOptions {
                            effort: Some(DAG_EFFORT),
                            ..self.search_options(Engine::Dag)
                        })),
                        then: Some(Box::new(search("mix", Engine::Mix))),
                        ..members[1].clone()
                    };
                }
                members.truncate(cores.max(LEAST_SEARCHES));
                if self.inference(problem) == Inference::OnNeed {
                    // All searches start at once. One more uses the facts, if there are any, for a short while: where they
                    // decide the question they do so soon.
                    members.iter_mut().for_each(|member| member.uses_facts = false);
                    let options = SearchOptions {
                        effort: Some(FACTS_EFFORT),
                        ..self.search_options(Engine::Widen)
                    };
                    members.push(Member {
                        name: "summaries",
                        work: Work::Search(Box::new(options)),
                        uses_facts: true,
                        then: None,
                    });
                }
                members.extend(self.other_members(problem));
                members.extend(self.may_take_paths().then_some(Member {
                    name: "paths",
                    work: Work::Paths {
                        steps: Some(PATH_STEPS),
                    },
                    uses_facts: false,
                    then: None,
                }));
                members
            }
            Engine::Chc => vec![Member {
                name: "chc",
                work: Work::Unbounded { k_induction: false },
                uses_facts: true,
                then: None,
            }],
            Engine::Paths => vec![Member {
                name: "paths",
                work: Work::Paths { steps: None },
                uses_facts: false,
                then: None,
            }],
            engine => vec![search(engine.name(), engine)],
        }
    }

    /// On one core the searches of the portfolio and the inference take turns, by counts of effort.
    pub(super) fn turns(&self) -> Option<Turns> {
        let alone = self.budget.cores() == 1 && self.front_end.c.is_none() && !self.request.search.no_turns;
        alone.then(|| Turns::new(1))
    }

    /// The members of the portfolio that do not search.
    pub(super) fn other_members(&self, problem: &Problem) -> impl Iterator<Item = Member> {
        let run = self.may_run().then_some(Member {
            name: "run",
            work: Work::Run,
            uses_facts: false,
            then: None,
        });
        let is_small = problem.program.procs.len() <= MOST_CLAUSE_PROCS;
        let unbounded = (is_small && !self.within_contexts).then_some(Member {
            name: "unbounded",
            work: Work::Unbounded { k_induction: true },
            uses_facts: true,
            then: None,
        });
        run.into_iter().chain(unbounded)
    }

    /// Whether the portfolio executes the program path by path: where threads take turns there are too many paths.
    pub(super) fn may_take_paths(&self) -> bool {
        self.front_end.c.is_some() && !self.within_contexts && self.partition().is_whole()
    }

    /// Whether executing the program answers the question. In Boogie the bound is part of the question, and with `--all` what
    /// follows a failed assertion is not.
    pub(super) fn may_run(&self) -> bool {
        self.front_end.c.is_some()
            && !self.request.all
            && matches!(self.question.goal, Goal::AssertionFails { .. })
            && self.may_run_threads()
            && lariat_interp::can_run(&self.front_end.program)
    }

    /// Without a bound in the request the time limit ends the search; but engines that inline everything first need a bound.
    pub(super) fn largest_bound(&self, engine: Engine) -> u32 {
        let needs_bound = engine == Engine::Static || self.request.search.merge == Some(MergePolicy::Opt);
        if let Some(bound) = self.bound {
            return bound;
        }
        match (self.request.deepen, self.budget.remaining()) {
            (false, _) => self.request.bound.max(1),
            (true, Some(_)) if !needs_bound => u32::MAX,
            (true, _) => VerifyRequest::DEEP_BOUND,
        }
    }

    /// A member that takes over from a search with this bound completed. If that is none it starts at the largest bound: to show that
    /// nothing is within a small one can be harder than to find what is within a larger one.
    pub(super) fn taking_over(&self, mut member: Member, completed: Option<u32>) -> Member {
        if let (Work::Search(options), None) = (&mut member.work, completed) {
            options.first_bound = self.late_bound(options.max_bound);
        }
        member
    }

    /// The first bound of a search that leaves out the small ones. A search without a largest bound leaves out none.
    fn late_bound(&self, max_bound: u32) -> u32 {
        match self.request.search.first_bound {
            Some(bound) => bound,
            None if self.request.deepen => 1,
            None => max_bound.min(LATE_BOUND),
        }
    }

    pub fn search_options(&self, engine: Engine) -> SearchOptions {
        let request = self.request;
        let max_bound = self.largest_bound(engine);
        // Most queries of widening have no model, and most of refinement have one. In C the first ones, over all of memory, often have.
        let by_activity = match request.search.solver_profile {
            SolverProfile::Auto => {
                matches!(engine, Engine::Widen | Engine::Mix) && self.front_end.c.is_none()
            }
            profile => profile == SolverProfile::Activity,
        };
        let profile = match engine {
            _ if !by_activity => Profile::Relevancy,
            Engine::Widen => Profile::Widen,
            _ => Profile::Mix,
        };
        SearchOptions {
            expand: match engine {
                Engine::Stratified | Engine::Dag | Engine::Portfolio | Engine::Chc | Engine::Paths => {
                    ExpandPolicy::OverRefine
                }
                Engine::Widen => ExpandPolicy::UnderWiden,
                Engine::Mix => match request.search.interleave {
                    Some(percent) => ExpandPolicy::Interleave(f64::from(percent) / 100.0),
                    None => ExpandPolicy::Adaptive,
                },
                Engine::Static => ExpandPolicy::Eager,
            },
            merge: match (request.search.merge, engine) {
                (Some(policy), _) => policy,
                (None, Engine::Stratified) => MergePolicy::Tree,
                (None, _) => MergePolicy::First,
            },
            max_bound,
            first_bound: match engine {
                // Widening opens only what a proof blames, so a large bound costs it little until it matters ([Legion22] has but one).
                Engine::Widen if self.front_end.c.is_none() => self.late_bound(max_bound),
                _ => request.search.first_bound.unwrap_or(1),
            },
            unfolding: request.unfolding.clone(),
            in_place: true,
            unavoidable: true,
            small_size: if request.unfolding.stack_depth.is_some() {
                0
            } else {
                SMALL_SIZE
            },
            leave_summarised: false,
            follow: !request.search.no_follow,
            solver_options: profile_options(request, &self.front_end.program, profile),
            reconsider: true,
            effort: None,
            partition: Partition::default(),
            split: SplitPolicy::Never,
            pause_at_proofs: false,
            check_dag: false,
            log: request.log.contains(&LogStage::Unfolding),
            log_dag: request.log.contains(&LogStage::Dag),
            log_smt: request.log.contains(&LogStage::Smt),
        }
    }

    pub(super) fn run_member(
        &self,
        work: &Work,
        problem: Problem,
        back_map: &BackMap,
        tell: &mut dyn FnMut(SearchEvent),
    ) -> (EntryAnswer, EngineStats) {
        match work {
            Work::Search(options) if self.wants_abstraction() => {
                self.run_abstract(options, &problem, back_map, tell)
            }
            Work::Search(options) => self.run_search(options, problem, back_map, tell, &mut Err),
            Work::Split { options, threads } => self.run_split(options, *threads, &problem, back_map, tell),
            Work::Run => {
                let answer = self.run_concretely(back_map, &MORE_RUNS);
                (answer, EngineStats::default())
            }
            Work::Paths { steps } => self.run_paths(&problem, *steps, back_map, tell),
            Work::Unbounded { k_induction } => {
                (self.run_unbounded(&problem, *k_induction), EngineStats::default())
            }
        }
    }

    pub(super) fn run_search(
        &self,
        options: &SearchOptions,
        problem: Problem,
        back_map: &BackMap,
        tell: &mut dyn FnMut(SearchEvent),
        hand_over: &mut HandOver<'_>,
    ) -> (EntryAnswer, EngineStats) {
        // `answer_of` does that.
        let options = SearchOptions {
            reconsider: false,
            pause_at_proofs: self.learns_from_proofs(&problem),
            ..options.clone()
        };
        let mut search = match Session::new(problem, options, self.budget.clone(), tell) {
            Ok(search) => search,
            Err(error) => {
                let answer = unknown(UnknownCause::Solver, error.to_string(), None);
                return (answer, EngineStats::default());
            }
        };
        let answer = self.answer(&mut search, back_map, hand_over);
        search.log_end();
        (answer, search.stats())
    }

    /// Runs the search until there is an answer that holds.
    fn answer(
        &self,
        search: &mut Session<'_>,
        back_map: &BackMap,
        hand_over: &mut HandOver<'_>,
    ) -> EntryAnswer {
        loop {
            let outcome = search.run();
            if let Some(halves) = search.take_split() {
                let decided = match hand_over(halves) {
                    Ok(decision) => search.decide(decision),
                    Err(halves) => {
                        return EntryAnswer {
                            split: Some(Box::new(halves)),
                            ..unknown(UnknownCause::Interrupted, "the search was split".into(), None)
                        };
                    }
                };
                if let Err(error) = decided {
                    return unknown(UnknownCause::Solver, error.to_string(), None);
                }
                continue;
            }
            if let Some(procs) = search.take_proof() {
                // A search whose limits are reached says so itself.
                if let Err(error) = self.learn(search, &procs)
                    && self.budget.check_memory().is_ok()
                {
                    return unknown(UnknownCause::Solver, error.to_string(), None);
                }
                continue;
            }
            match outcome {
                SearchOutcome::Reached(counterexample) => {
                    if let Some(answer) = self.answer_of(search, *counterexample, back_map) {
                        return answer;
                    }
                }
                SearchOutcome::Proved if search.needs_facts() && !self.facts_hold(search.problem()) => {
                    if let Err(error) = search.drop_facts() {
                        return unknown(UnknownCause::Solver, error.to_string(), None);
                    }
                }
                outcome => {
                    if let Some(answer) = self.without_counterexample(search, outcome) {
                        return answer;
                    }
                }
            }
        }
    }

    /// The answer of a counterexample; `None` if its path turns out to be infeasible. Where the solver is unsure of it, a model of
    /// the axioms is tried first, since it is found sooner than one by complete instantiation.
    fn answer_of(
        &self,
        search: &mut Session<'_>,
        counterexample: Counterexample,
        back_map: &BackMap,
    ) -> Option<EntryAnswer> {
        let bound = counterexample.bound;
        if let Some(confirmed) = self.path_interpreted(search.problem(), &counterexample, back_map) {
            return Some(confirmed.answer);
        }
        let is_doubtful = counterexample.doubt.is_some();
        if is_doubtful {
            // Often the model is right, or what the replay corrects is all that is wrong.
            let Confirmed { answer, .. } = self.reached(search, &counterexample, back_map, None);
            if answer.verdict == Verdict::Bug {
                return Some(answer);
            }
        }
        let counterexample = match is_doubtful {
            false => counterexample,
            true => match search.reconsider(counterexample) {
                Ok(other) => other?,
                Err(error) => return Some(unknown(UnknownCause::Solver, error.to_string(), None)),
            },
        };
        let confirmed = self.confirmed(search, counterexample, back_map)?;
        let unconfirmed = matches!(confirmed.answer.verdict, Verdict::BugUnconfirmed { .. });
        let other = (is_doubtful && unconfirmed)
            .then(|| self.program_interpreted(search.problem(), bound, back_map))
            .flatten();
        Some(match other {
            Some(other) => other.answer,
            None if self.request.trust_axioms => confirmed.answer,
            None => confirmed.finding(),
        })
    }

    /// The answer of an outcome without a counterexample.
    pub(super) fn without_counterexample(
        &self,
        search: &Session<'_>,
        outcome: SearchOutcome,
    ) -> Option<EntryAnswer> {
        let problem = search.problem();
        match outcome {
            SearchOutcome::Proved => Some(EntryAnswer::new(Verdict::Proved, None)),
            SearchOutcome::Bounded { bound, cut, deep } => {
                Some(self.bounded(&problem.program, bound, &cut, &deep))
            }
            SearchOutcome::Unknown { reason, bound } => Some(self.no_answer(reason, bound)),
            SearchOutcome::Reached(_) => None,
        }
    }

    /// Nothing was found within a bound.
    pub(super) fn bounded(
        &self,
        program: &Program,
        bound: u32,
        cut: &[ProcId],
        deep: &[ProcId],
    ) -> EntryAnswer {
        let verdict = Verdict::Bounded {
            bound,
            contexts: None,
            stack_depth: self.request.unfolding.stack_depth.filter(|_| !deep.is_empty()),
        };
        EntryAnswer {
            cut: self.cut_sites(program, cut, deep),
            ..EntryAnswer::new(verdict, Some(bound))
        }
    }

    /// `proved` is said only if the summaries that the proof needs hold when they are checked again. If that
    /// is refuted or too hard, the search goes on without them.
    pub(super) fn facts_hold(&self, problem: &Problem) -> bool {
        let options = solver_options(self.request, &self.front_end.program);
        let summaries = &problem.summaries;
        let answer = check_inductive_within(problem, summaries, false, &options, CHECK_EFFORT, self.budget);
        answer == Ok(Inductive::Yes)
    }

    fn run_unbounded(&self, problem: &Problem, k_induction: bool) -> EntryAnswer {
        let solver_options = solver_options(self.request, &self.front_end.program);
        if k_induction {
            let options = KInductionOptions {
                effort: K_INDUCTION_EFFORT,
                solver_options: solver_options.clone(),
                ..KInductionOptions::default()
            };
            let budget = self.budget.within(K_INDUCTION_HANG);
            if let KInductionOutcome::Proved { .. } = prove_by_k_induction(problem, &options, &budget) {
                return EntryAnswer::new(Verdict::Proved, None);
            }
        }
        let options = ChcOptions {
            solver_options,
            seed: self.request.unfolding.seed,
            ..ChcOptions::default()
        };
        match prove(problem, &options, self.budget) {
            ChcOutcome::Proved(_) => EntryAnswer::new(Verdict::Proved, None),
            ChcOutcome::Reachable => unknown(
                UnknownCause::Solver,
                "the Horn clauses have no solution, which suggests a violation; use another engine to find it".into(),
                None,
            ),
            ChcOutcome::Unknown(reason) => self.no_answer(reason, None),
            ChcOutcome::Declined(reason) => {
                unknown(UnknownCause::Solver, format!("no Horn clauses: {reason}"), None)
            }
        }
    }
}

/// The solver's effort of `dag` before another search has its turn, some ten seconds. With less,
/// mouser_forwardedatbadirqlallocate_1 of SDV has no answer in a minute; three others gain from the turn of `mix`.
const DAG_EFFORT: u64 = 300_000_000;
/// Where widening starts in Boogie programs, and a search that takes over when no bound was completed, if the question has a bound.
const LATE_BOUND: u32 = 3;
/// The solver's effort of a search that waits for facts about a large program.
const FACTS_EFFORT: u64 = 10_000_000;
/// The steps of the member that executes the program path by path: it is quick where it is the right way.
const PATH_STEPS: u64 = 10_000_000;
/// The solver's effort when summaries are checked again.
const CHECK_EFFORT: u64 = 1_500_000;
/// Executions before anything else is tried: few and short.
pub(super) const FIRST_RUNS: Runs = Runs {
    seeds: 0..20,
    steps: Some(200_000),
    all_steps: u64::MAX,
};
/// Executions next to the searches.
const MORE_RUNS: Runs = Runs {
    seeds: 0..400,
    steps: None,
    all_steps: 500_000_000,
};
/// The solver's effort for each `k` of k-induction: where it works, it is small.
const K_INDUCTION_EFFORT: u32 = 2_000_000;
/// Horn clauses wait for k-induction, and Z3 counts little effort in some of its work. This ends what would seem to hang; the
/// effort decides otherwise.
const K_INDUCTION_HANG: Duration = Duration::from_secs(10);
/// The portfolio searches with facts and without them, even on one core.
const LEAST_SEARCHES: usize = 2;
/// A program with more procedures is not tried as Horn clauses by the portfolio.
const MOST_CLAUSE_PROCS: usize = 60;
