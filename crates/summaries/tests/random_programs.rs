//! Random programs: what is inferred is inductive, and no engine finds an execution that it excludes.
//!
//! See `lariat_testkit::seeds` for longer runs.

mod support;

use std::time::Duration;

use lariat_base::Budget;
use lariat_engine::{MergePolicy, SearchOptions, SearchOutcome, Session};
use lariat_summaries::{Inductive, SummaryOptions, check_inductive, infer};
use lariat_testkit::seeds::seeds;
use lariat_vc::Problem;
use support::generate::random_program;
use support::{problem, solver_options};

const PROGRAMS: u64 = 150;
/// Of the programs that the search does not refute, so many percent at least are proved by summaries alone.
const FEWEST_PROVED: u64 = 60;

/// The answer of the search, as a word.
fn search(problem: Problem) -> &'static str {
    let options = SearchOptions {
        merge: MergePolicy::Tree,
        max_bound: 2,
        unavoidable: false,
        solver_options: solver_options(),
        ..SearchOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    let mut quiet = |_| {};
    match Session::new(problem, options, budget, &mut quiet)
        .expect("a search")
        .run()
    {
        SearchOutcome::Reached(counterexample) if counterexample.doubt.is_none() => "reached",
        SearchOutcome::Reached(_) | SearchOutcome::Unknown { .. } => "unknown",
        SearchOutcome::Proved => "proved",
        SearchOutcome::Bounded { .. } => "bounded",
    }
}

#[test]
fn summaries_hold_on_random_programs() {
    let (mut correct, mut proved, mut undecided) = (0, 0, 0);
    let seeds = seeds(0, PROGRAMS);
    for seed in seeds.clone() {
        let text = random_program(seed);
        let mut summarised = problem(&text);
        let plain = search(summarised.clone());
        let mut options = SummaryOptions::new(solver_options());
        options.effort = u64::MAX;
        options.threads = 1 + (seed % 2) as usize;
        let stats = infer(&mut summarised, &options, &Budget::unlimited());
        assert_eq!(stats.failure, None, "seed {seed}\n{text}");
        let check = |goal| {
            let budget = Budget::new(Some(Duration::from_secs(120)), None);
            check_inductive(
                &summarised,
                &summarised.summaries,
                goal,
                &solver_options(),
                &budget,
            )
        };
        let answer = check(false).expect("a solver");
        match answer {
            Inductive::Yes => {}
            Inductive::No { proc, fact } => {
                let name = &summarised.program.procs[proc].name;
                panic!("seed {seed}: fact {fact:?} of {name} is not inductive\n{text}");
            }
            Inductive::Unknown { .. } => undecided += 1,
        }
        let goal = check(true) == Ok(Inductive::Yes);
        assert!(
            !(goal && plain == "reached"),
            "seed {seed}: summaries exclude an execution that there is\n{text}"
        );
        let with = search(summarised);
        let contradict = |a, b| a == "reached" && b == "proved";
        assert!(
            !contradict(plain, with) && !contradict(with, plain),
            "seed {seed}: {plain} without summaries, {with} with them\n{text}"
        );
        assert!(
            with != "bounded" || !["proved", "reached"].contains(&plain),
            "seed {seed}: {plain} without summaries, {with} with them\n{text}"
        );
        correct += u64::from(plain != "reached");
        proved += u64::from(goal);
    }
    let all = seeds.end - seeds.start;
    assert!(undecided * 10 <= all, "{undecided} of {all} are undecided");
    assert!(
        all < PROGRAMS || proved * 100 >= correct * FEWEST_PROVED,
        "{proved} of {correct} proved by summaries alone"
    );
}
