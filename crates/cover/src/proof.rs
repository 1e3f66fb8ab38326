//! Goals that the common search leaves open, with all that `lariat verify` has: summaries, Horn clauses, k-induction.

use lariat_base::Budget;
use lariat_passes::Goal;
use lariat_report::{
    CoverMeans, CoverStatus, Engine, Failure, Progress, UnknownCause, Verdict, VerifyReport,
};
use lariat_verify::{EntryCheck, Question};

use crate::ledger::Ledger;
use crate::run::{EntryTask, Teller};

/// How often all goals are asked about together, if one of them is reached each time.
const ROUNDS: usize = 4;

/// Asks about all open goals together. If none is reached, all are dead.
pub fn prove_together(task: &EntryTask<'_>, ledger: &mut Ledger<'_>, teller: &mut Teller<'_>) {
    for _ in 0..ROUNDS {
        let open = ledger.open();
        if open.is_empty() || !has_proofs(task) {
            return;
        }
        match ask(task, &open, share(task.budget, 8), teller) {
            Answer::Dead => ledger.decide_open(&CoverStatus::Dead {
                reason: String::new(),
            }),
            Answer::Reached(goal, end) => {
                ledger.note(task.name(), CoverMeans::Single, *end, goal, None);
            }
            Answer::Open => return,
        }
        teller.tell(ledger);
    }
}

/// Asks about each open goal. What is proved is dead; an execution that is found reaches its goal.
pub fn prove_each(task: &EntryTask<'_>, ledger: &mut Ledger<'_>, teller: &mut Teller<'_>) {
    let open = ledger.open();
    for (index, &goal) in open.iter().enumerate() {
        if task.budget.check().is_err() || !has_proofs(task) {
            return;
        }
        let parts = (open.len() - index) as u32 + 1;
        match ask(task, &[goal], share(task.budget, parts), teller) {
            Answer::Dead => {
                let reason = String::new();
                ledger.decide(goal, CoverStatus::Dead { reason });
            }
            Answer::Reached(at, end) => {
                ledger.note(task.name(), CoverMeans::Single, *end, at, None);
            }
            Answer::Open => {}
        }
        teller.tell(ledger);
    }
}

/// Who chooses an engine wants that one.
pub fn has_proofs(task: &EntryTask<'_>) -> bool {
    task.program.engine == Engine::Portfolio
}

enum Answer {
    Dead,
    /// A goal, and an execution that ends there.
    Reached(usize, Box<Failure>),
    Open,
}

/// A part of the time that is left.
fn share(budget: &Budget, parts: u32) -> Budget {
    match budget.remaining() {
        Some(remaining) => budget.within(remaining / parts),
        None => budget.clone(),
    }
}

fn ask(task: &EntryTask<'_>, goals: &[usize], budget: Budget, teller: &mut Teller<'_>) -> Answer {
    teller.stats.proofs += 1;
    let asserts = goals.iter().flat_map(|&goal| &task.goals.goals[goal].asserts);
    let question = Question {
        name: task.question.name.clone(),
        entry: task.question.entry,
        goal: Goal::AssertionFails {
            checked: Some(asserts.copied().collect()),
        },
    };
    let mut check = EntryCheck::new(task.program, task.front_end, &question, &budget);
    let mut report = VerifyReport::new(task.program, Verdict::Accepted);
    let (entry, _) = check.run(&mut |_: Progress| {}, &mut report);
    match &entry.verdict {
        // Nothing was checked: no path of the program leads to the goal, or no execution does.
        Verdict::Proved
        | Verdict::Unknown {
            cause: UnknownCause::NothingChecked,
            ..
        } => Answer::Dead,
        Verdict::Bug => {
            let mut failures = entry.failures.into_iter();
            let found = failures.find_map(|failure| {
                let number = failure.id.as_deref()?.strip_prefix("goal-")?.parse().ok()?;
                (failure.confirmed && goals.contains(&number)).then_some((number, failure))
            });
            found.map_or(Answer::Open, |(goal, end)| Answer::Reached(goal, Box::new(end)))
        }
        _ => Answer::Open,
    }
}
