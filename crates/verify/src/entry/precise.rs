//! Values that a model of the library only knows roughly.
//!
//! A failure that depends on such a value is unconfirmed, since the real function may not return it. Often the program fails without
//! it as well: further searches leave out the executions that come to the values which a failure was found to depend on.

use std::borrow::Cow;

use lariat_ir::{Origin, Program, StmtId, StmtKind};
use lariat_passes::{Goal, Prepared};
use lariat_report::{EntryReport, Progress, Verdict, VerifyReport};

use super::{EntryAnswer, EntryCheck};

/// How many failures that depend on rough values are looked at.
const MOST_SEARCHES: usize = 8;

impl EntryCheck<'_> {
    /// Answers the question about a prepared program; a failure that depends on rough values is looked for without them, too.
    pub(super) fn search_all(
        &mut self,
        goal: &Goal,
        prepared: Prepared,
        progress: &mut dyn FnMut(Progress),
        report: &mut VerifyReport,
        entry_report: &mut EntryReport,
    ) -> EntryAnswer {
        let answer = self.search_prepared(goal, prepared, progress, report, entry_report);
        let contexts = entry_report.contexts;
        let mut left_out = answer.rough.clone();
        for _ in 0..MOST_SEARCHES {
            if left_out.is_empty() || self.budget.check().is_err() {
                break;
            }
            let mut precise = EntryCheck {
                left_out: &left_out,
                ..EntryCheck::new(self.request, self.front_end, self.question, self.budget)
            };
            precise.stats = self.stats.clone();
            let (prepared, seconds) = precise.prepare(goal);
            report.stats.passes_seconds += seconds;
            let other = precise.search_prepared(goal, prepared, progress, report, entry_report);
            self.stats = precise.stats;
            if other.verdict == Verdict::Bug {
                return other;
            }
            let more = other.rough.into_iter().filter(|stmt| !left_out.contains(stmt));
            let more: Vec<StmtId> = more.collect();
            if more.is_empty() {
                break;
            }
            left_out.extend(more);
        }
        entry_report.contexts = contexts;
        answer
    }

    fn search_prepared(
        &mut self,
        goal: &Goal,
        prepared: Prepared,
        progress: &mut dyn FnMut(Progress),
        report: &mut VerifyReport,
        entry_report: &mut EntryReport,
    ) -> EntryAnswer {
        if prepared.threads.is_some() {
            self.search_contexts(goal, prepared, progress, report, entry_report)
        } else {
            self.search(goal, prepared, progress, report, entry_report)
        }
    }

    /// The program that is searched.
    pub(super) fn searched_program(&self) -> Cow<'_, Program> {
        let lowered = &self.front_end.program;
        if self.left_out.is_empty() {
            return Cow::Borrowed(lowered);
        }
        let mut program = lowered.clone();
        let never = program.pool.bool(false);
        for (proc, data) in &lowered.procs {
            for (block, data) in &data.blocks {
                let first = data
                    .stmts
                    .iter()
                    .position(|stmt| self.left_out.contains(&stmt.id));
                if let Some(first) = first {
                    let ends = program.stmt(StmtKind::Assume(never), None, Origin::Internal);
                    program.procs[proc].blocks[block].stmts.insert(first + 1, ends);
                }
            }
        }
        Cow::Owned(program)
    }
}
