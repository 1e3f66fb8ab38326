//! Random programs: nothing is proved of which the search finds an execution, and Spacer finds no
//! derivation where the search has a proof.
//!
//! See `lariat_testkit::seeds` for longer runs.

use std::time::Duration;

use lariat_base::Budget;
use lariat_chc::{
    Attempt, ChcOptions, ChcOutcome, Direction, KInductionOptions, KInductionOutcome, prove,
    prove_by_k_induction,
};
use lariat_engine::{MergePolicy, SearchOptions, SearchOutcome, Session};
use lariat_testkit::boogie::problem;
use lariat_testkit::programs::generate;
use lariat_testkit::seeds::seeds;
use lariat_vc::Problem;

const PROGRAMS: u64 = 250;
/// Of the programs that the search does not refute, so many percent at least are proved.
const FEWEST_PROVED: u64 = 50;

/// The answer of the search, as a word.
fn search(problem: Problem) -> &'static str {
    let options = SearchOptions {
        merge: MergePolicy::Tree,
        max_bound: 3,
        unavoidable: false,
        ..SearchOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(20)), None);
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
fn proofs_and_executions_exclude_each_other() {
    let (mut correct, mut proved, mut by_k) = (0, 0, 0);
    for seed in seeds(0, PROGRAMS) {
        let text = generate(seed).program.text();
        let problem = problem(&text);
        let found = search(problem.clone());
        let mut any = false;
        for direction in [Direction::Forward, Direction::Backward] {
            let options = ChcOptions {
                attempts: vec![Attempt::new(direction)],
                ..ChcOptions::default()
            };
            let budget = Budget::new(Some(Duration::from_secs(1)), None);
            match prove(&problem, &options, &budget) {
                ChcOutcome::Proved(_) => {
                    assert_ne!(found, "reached", "seed {seed} is proved {direction:?}\n{text}");
                    any = true;
                }
                ChcOutcome::Reachable => {
                    assert_ne!(found, "proved", "seed {seed} is derivable {direction:?}\n{text}");
                }
                ChcOutcome::Unknown(reason) => {
                    let refuted = reason.contains("refutes");
                    assert!(!refuted, "seed {seed} {direction:?}: {reason}\n{text}");
                }
                ChcOutcome::Declined(reason) => panic!("seed {seed}: {reason}"),
            }
        }
        let budget = Budget::new(Some(Duration::from_secs(2)), None);
        let k_induction = prove_by_k_induction(&problem, &KInductionOptions::default(), &budget);
        if let KInductionOutcome::Proved { k } = k_induction {
            assert_ne!(found, "reached", "seed {seed} is proved with k = {k}\n{text}");
            by_k += 1;
        }
        correct += u64::from(found != "reached");
        proved += u64::from(any);
    }
    assert!(
        proved * 100 >= correct * FEWEST_PROVED,
        "{proved} of {correct} proved by clauses, {by_k} by k-induction"
    );
}
