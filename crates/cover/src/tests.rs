//! Random programs: nothing that is proved dead can be reached, and what is reached can be.

use std::path::PathBuf;
use std::time::Duration;

use lariat_base::Budget;
use lariat_front_end::FrontEnd;
use lariat_interp::{Domains, ExploreLimits, ExploreVerdict, explore};
use lariat_ir::{ProcId, Program, StmtKind};
use lariat_passes::CallGraph;
use lariat_report::{CoverAim, CoverGoal, CoverReport, CoverRequest, CoverStatus, Progress, VerifyRequest};
use lariat_testkit::folder::Folder;
use lariat_testkit::programs::generate;
use lariat_testkit::seeds::seeds;
use rustc_hash::FxHashSet;

use crate::cover;
use crate::goals::{Goals, instrument};

const PROGRAMS: u64 = 60;
/// Ends a run that hangs.
const HANG: Duration = Duration::from_secs(600);

fn read(request: &VerifyRequest) -> Option<(FrontEnd, ProcId)> {
    let silent = &mut |_: Progress<CoverReport>| {};
    let front_end = lariat_front_end::read(&request.into(), false, silent).program?;
    let entry = *lariat_verify::entries(request, &front_end.program)
        .ok()?
        .first()?;
    Some((front_end, entry))
}

fn instrumented(request: &VerifyRequest) -> Option<(FrontEnd, ProcId, Goals)> {
    let (mut front_end, entry) = read(request)?;
    let reached = CallGraph::new(&front_end.program).reachable_from(entry);
    let procs = front_end.program.procs.keys();
    let reachable: FxHashSet<ProcId> = procs.filter(|&proc| reached.contains(proc)).collect();
    let goals = instrument(&mut front_end, &CoverAim::Branch, &reachable);
    Some((front_end, entry, goals))
}

/// The program with these goals only.
fn with_goals(program: &Program, goals: &Goals, wanted: &FxHashSet<usize>) -> Program {
    let mut program = program.clone();
    let yes = program.pool.bool(true);
    for proc in program.procs.values_mut() {
        for block in proc.blocks.values_mut() {
            for stmt in &mut block.stmts {
                if let StmtKind::Assert { assert, .. } = stmt.kind
                    && let Some(goal) = goals.of_assert.get(&assert)
                    && !wanted.contains(goal)
                {
                    stmt.kind = StmtKind::Assume(yes);
                }
            }
        }
    }
    program
}

/// The numbers of the report's goals with a status.
fn with_status(report: &CoverReport, goals: &Goals, is_wanted: fn(&CoverStatus) -> bool) -> FxHashSet<usize> {
    let mut found = FxHashSet::default();
    for function in &report.functions {
        for goal in function.goals.iter().filter(|goal| is_wanted(&goal.status)) {
            let is_same = |number: &usize| {
                let one = &goals.goals[*number];
                let CoverGoal { kind, text, side, .. } = goal;
                (&one.function, one.kind, &one.text, &one.side) == (&function.name, *kind, text, side)
            };
            // Goals that look the same are left out, since they cannot be told apart here.
            let mut numbers = (0..goals.goals.len()).filter(is_same);
            if let (Some(number), None) = (numbers.next(), numbers.next()) {
                found.insert(number);
            }
        }
    }
    found
}

#[test]
fn brute_force_agrees_on_random_programs() {
    let folder = Folder::new("cover-random");
    let (mut dead_goals, mut reached_goals) = (0, 0);
    for seed in seeds(0, PROGRAMS) {
        let path: PathBuf = folder.write(&format!("seed-{seed}.bpl"), generate(seed).program.text());
        let request = CoverRequest {
            program: VerifyRequest {
                bound: 2,
                engine: lariat_report::Engine::Dag,
                ..VerifyRequest::new(vec![path])
            },
            // Every other program is left to the search alone.
            runs: (seed % 2) as u32 * 10,
            ..CoverRequest::default()
        };
        let budget = Budget::new(Some(HANG), None);
        let report = cover(&request, &budget, &mut |_| {});
        assert!(!report.bad_input, "seed {seed}: {:?}", report.diagnostics);
        let (front_end, entry, goals) = instrumented(&request.program).expect("it was read before");
        let brute_force = |wanted: &FxHashSet<usize>| {
            let program = with_goals(&front_end.program, &goals, wanted);
            let limits = ExploreLimits {
                loop_visits: 3,
                activations: 3,
                steps: 20_000,
            };
            explore(&program, entry, &Domains::default(), &limits, &budget).verdict
        };
        let dead = with_status(&report, &goals, |status| {
            matches!(status, CoverStatus::Dead { .. })
        });
        if let ExploreVerdict::Fails(assert) = brute_force(&dead)
            && let Some(&goal) = goals.of_assert.get(&assert)
        {
            let goal = &goals.goals[goal];
            panic!("seed {seed}: {:?} {:?} is not dead", goal.text, goal.side);
        }
        let reached = with_status(&report, &goals, |status| {
            matches!(status, CoverStatus::Reached { .. })
        });
        for &number in &reached {
            let verdict = brute_force(&[number].into_iter().collect());
            let goal = &goals.goals[number];
            assert_ne!(
                verdict,
                ExploreVerdict::NoFailure { complete: true },
                "seed {seed}: {:?} {:?} cannot be reached",
                goal.text,
                goal.side
            );
        }
        dead_goals += dead.len();
        reached_goals += reached.len();
    }
    if !lariat_testkit::seeds::are_chosen() {
        assert!(dead_goals >= 20, "only {dead_goals} dead goals");
        assert!(reached_goals >= 100, "only {reached_goals} reached goals");
    }
}
