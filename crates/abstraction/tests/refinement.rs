//! The refinement algorithms give minimal sets, and the loop gives the verdict of a direct search.

mod support;

use std::collections::BTreeSet;

use lariat_abstraction::{
    Algorithm, Cegar, CegarOptions, CegarOutcome, Feasibility, Found, PathProgram, RefineOptions, cegar,
    is_minimal, refine, restrict_to_path,
};
use lariat_base::{Budget, Exhausted};
use lariat_passes::PrepareOptions;
use lariat_smt::Stop;
use lariat_term::VarId;
use lariat_vc::Problem;
use support::random::random_program;
use support::{Verdict, plain, problem, search, solver_options};

fn options(algorithm: Algorithm) -> CegarOptions {
    CegarOptions {
        algorithm,
        refine: RefineOptions {
            solver_options: solver_options(),
        },
        ..CegarOptions::default()
    }
}

fn run(problem: &Problem, algorithm: Algorithm, bound: u32) -> Cegar<Verdict> {
    cegar(
        problem,
        &options(algorithm),
        &Budget::unlimited(),
        |problem| search(problem, bound),
        &mut |_| {},
    )
}

fn names(problem: &Problem, vars: &BTreeSet<VarId>) -> Vec<String> {
    vars.iter()
        .map(|&var| problem.program.pool.var_name(var).to_string())
        .collect()
}

/// `s` holds what is asked about, `a` and `b` how it got there; the rest only looks important.
const CHAIN: &str = "
    var a, b, s, n0, n1, n2, n3: int;
    procedure main() {
        call start();
        call noise();
        call middle();
        call noise();
        call finish();
    }
    procedure start() { a := 1; if (*) { n0 := a; } else { n1 := a; } }
    procedure middle() { if (*) { b := a + 1; } else { b := 2; n2 := b; } }
    procedure finish() { s := b; if (*) { assert s == 2; } }
    procedure noise() { if (*) { n3 := n2; } else { n0 := n1 + 1; } assume n1 + n3 != n2 + n0 + 7; }
";

#[test]
fn the_chain_is_tracked_and_nothing_else() {
    for algorithm in Algorithm::ALL {
        let problem = problem(CHAIN, &plain());
        let result = run(&problem, algorithm, 1);
        assert!(matches!(result.outcome, CegarOutcome::NoPath(Verdict::Proved)));
        let mut tracked = names(&problem, &result.tracked);
        tracked.sort_unstable();
        assert_eq!(tracked, ["a", "b", "error", "s"], "{algorithm:?}");
        assert!(result.stats.iterations >= 2);
        assert!(result.stats.refinement.solver_calls >= 2);
    }
}

#[test]
fn a_bug_is_found_without_tracking_what_it_does_not_need() {
    let text = CHAIN.replace("b := 2;", "b := 3;");
    let problem = problem(&text, &plain());
    let result = run(&problem, Algorithm::VcRefine, 1);
    let CegarOutcome::Feasible { blocks, doubt, .. } = result.outcome else {
        panic!("there is a bug");
    };
    assert_eq!(doubt, None);
    // An engine that may only go where the path went finds it again.
    let restricted = restrict_to_path(&problem, &blocks, true).expect("a path");
    assert!(matches!(search(restricted, 1), Found::Path { .. }));
}

#[test]
fn a_list_that_is_no_path_is_refused() {
    let problem = problem(CHAIN, &plain());
    let CegarOutcome::NoPath(_) = run(&problem, Algorithm::VcRefine, 1).outcome else {
        panic!("it is correct");
    };
    let entry = problem.program.procs[problem.entry].entry;
    for blocks in [vec![], vec![entry], vec![entry, entry, entry, entry]] {
        let refused = PathProgram::new(&problem, &blocks, true);
        assert!(matches!(refused, Err(Stop::Internal(_))), "{blocks:?}");
    }
}

#[test]
fn what_the_user_tracks_is_tracked() {
    let problem = problem(CHAIN, &plain());
    let mut options = options(Algorithm::VcRefine);
    options.track = problem.program.globals.iter().copied().collect();
    let search = |problem| search(problem, 1);
    let result = cegar(&problem, &options, &Budget::unlimited(), search, &mut |_| {});
    assert_eq!(result.tracked, options.track);
    assert_eq!(result.stats.iterations, 1);
}

#[test]
fn an_exhausted_budget_is_no_answer() {
    let problem = problem(CHAIN, &plain());
    let budget = Budget::unlimited();
    let options = options(Algorithm::VcRefine);
    let search = |problem| {
        let found = search(problem, 1);
        budget.interrupt();
        found
    };
    let result = cegar(&problem, &options, &budget, search, &mut |_| {});
    assert!(matches!(
        result.outcome,
        CegarOutcome::Stopped(Stop::Exhausted(Exhausted::Interrupted))
    ));
}

#[test]
fn random_programs_keep_their_verdict_and_sets_are_minimal() {
    let budget = Budget::unlimited();
    let (mut reached, mut not_reached, mut refined) = (0, 0, 0);
    for seed in 1_000..1_250 {
        let passes = if seed % 2 == 0 {
            plain()
        } else {
            PrepareOptions::default()
        };
        let problem = problem(&random_program(seed), &passes);
        let algorithm = Algorithm::ALL[seed as usize % Algorithm::ALL.len()];
        let options = options(algorithm);
        let mut spurious = Vec::new();
        let result = cegar(
            &problem,
            &options,
            &budget,
            |problem| search(problem, 2),
            &mut |found| spurious.push((found.blocks.to_vec(), found.tracked.clone())),
        );
        let direct = search(problem.clone(), 2);
        match (&result.outcome, &direct) {
            (CegarOutcome::Feasible { blocks, .. }, Found::Path { .. }) => {
                reached += 1;
                let mut path = PathProgram::new(&problem, blocks, true).expect("a path");
                let answer = path.feasibility(&options.refine, &budget).expect("an answer");
                assert_eq!(answer, Feasibility::Feasible, "seed {seed}");
            }
            (CegarOutcome::NoPath(_), Found::NoPath(_)) => not_reached += 1,
            _ => panic!("seed {seed}: the verdicts differ"),
        }
        for (blocks, tracked) in spurious {
            for algorithm in Algorithm::ALL {
                let mut path = PathProgram::new(&problem, &blocks, true).expect("a path");
                let found = refine(algorithm, &mut path, &tracked, &options.refine, &budget).expect("a set");
                let mut with_error = tracked.clone();
                with_error.extend(problem.error);
                let minimal = is_minimal(&mut path, &with_error, &found.tracked, &options.refine, &budget)
                    .expect("an answer");
                assert!(
                    minimal,
                    "seed {seed}, {algorithm:?}: {:?}",
                    names(&problem, &found.tracked)
                );
                refined += 1;
            }
        }
    }
    assert!(
        reached > 60 && not_reached > 60 && refined > 60,
        "{reached} {not_reached} {refined}"
    );
}
