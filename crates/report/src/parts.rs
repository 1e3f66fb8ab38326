//! The report of a search that was split, from those of its parts.

use crate::{EntryStats, Stats, UnknownCause, Verdict, VerifyReport, Warning, WarningKind};

impl VerifyReport {
    /// The report of all parts of one search, each of one entry: the worst news among them. `None` if there is no part.
    pub fn of_parts(mut parts: Vec<VerifyReport>) -> Option<VerifyReport> {
        if parts
            .iter()
            .any(|part| matches!(part.verdict, Verdict::Bounded { .. }))
        {
            parts.iter_mut().for_each(qualify);
        }
        let count = parts.len() as u64;
        let verdict = Verdict::overall(parts.iter().map(|part| &part.verdict))?;
        let worst = parts.iter().position(|part| part.verdict == verdict)?;
        let mut whole = parts.swap_remove(worst);
        for part in &parts {
            add_stats(&mut whole.stats, &part.stats);
            for warning in &part.warnings {
                if !whole.warnings.contains(warning) {
                    whole.warnings.push(warning.clone());
                }
            }
            let (Some(entry), Some(other)) = (whole.entries.first_mut(), part.entries.first()) else {
                continue;
            };
            add_entry_stats(&mut entry.stats, &other.stats);
            if entry.verdict.is_bug() {
                continue;
            }
            entry.ended_by_time |= other.ended_by_time;
            entry.cut.extend(other.cut.iter().cloned());
            // A part that was proved has no bound.
            if other.verdict != Verdict::Proved {
                entry.bound = entry.bound.min(other.bound);
            }
        }
        if let Some(entry) = whole.entries.first_mut() {
            entry.stats.parts = count;
            entry.cut.sort();
            entry.cut.dedup();
        }
        Some(whole)
    }
}

/// One part finds out whether any execution is completed. A proof that says nothing is none, but the whole has a bound, beyond
/// which an execution may be completed: it is told as it is of a search in one part.
fn qualify(part: &mut VerifyReport) {
    let Verdict::Unknown {
        cause: UnknownCause::NothingChecked,
        reason,
    } = &part.verdict
    else {
        return;
    };
    part.warnings.push(Warning {
        kind: WarningKind::Vacuous,
        message: reason.trim_start_matches("nothing was checked: ").to_owned(),
        location: None,
    });
    part.verdict = Verdict::Proved;
    for entry in &mut part.entries {
        entry.verdict = Verdict::Proved;
    }
}

fn add_stats(stats: &mut Stats, part: &Stats) {
    stats.passes_seconds += part.passes_seconds;
    stats.vc_seconds += part.vc_seconds;
    stats.solver_seconds += part.solver_seconds;
    stats.inlined += part.inlined;
    stats.solver_calls += part.solver_calls;
    stats.peak_memory_bytes = stats.peak_memory_bytes.max(part.peak_memory_bytes);
}

fn add_entry_stats(stats: &mut EntryStats, part: &EntryStats) {
    stats.seconds += part.seconds;
    stats.summary_facts = stats.summary_facts.max(part.summary_facts);
    stats.summary_seconds += part.summary_seconds;
    stats.inlined += part.inlined;
    stats.solver_calls += part.solver_calls;
    stats.solver_seconds += part.solver_seconds;
}

#[cfg(test)]
mod tests {
    use crate::{EntryReport, Goal, GoalKind, VerifyRequest};

    use super::*;

    fn part(verdict: Verdict, bound: Option<u32>) -> VerifyReport {
        let mut report = VerifyReport::new(&VerifyRequest::default(), verdict.clone());
        report.entries.push(EntryReport {
            entry: "main".into(),
            goal: Goal {
                kind: GoalKind::AssertionFails,
                text: String::new(),
            },
            verdict,
            bound,
            ended_by_time: false,
            contexts: None,
            cut: Vec::new(),
            failures: Vec::new(),
            tracked: None,
            stats: EntryStats::default(),
        });
        report
    }

    #[test]
    fn the_whole_says_no_more_than_its_parts() {
        let unknown = || Verdict::unknown(UnknownCause::Time, "time");
        let of = |parts: &[(Verdict, Option<u32>)]| {
            let parts = parts.iter().map(|(verdict, bound)| part(verdict.clone(), *bound));
            let whole = VerifyReport::of_parts(parts.collect()).expect("there are parts");
            let entry = &whole.entries[0];
            assert_eq!(entry.verdict, whole.verdict);
            (whole.verdict.clone(), entry.bound, entry.stats.parts)
        };
        let proved = (Verdict::Proved, None);
        let bounded = |bound| (Verdict::bounded(bound), Some(bound));
        assert_eq!(of(&[proved.clone(), proved.clone()]), (Verdict::Proved, None, 2));
        let mixed = [bounded(3), proved.clone(), bounded(2)];
        assert_eq!(of(&mixed), (Verdict::bounded(2), Some(2), 3));
        let lost = [bounded(3), (unknown(), Some(1)), proved.clone()];
        assert_eq!(of(&lost), (unknown(), Some(1), 3));
        let lost = [(unknown(), Some(4)), bounded(3)];
        assert_eq!(of(&lost), (unknown(), Some(3), 2));
        let nothing = || (Verdict::unknown(UnknownCause::NothingChecked, "nothing"), None);
        assert_eq!(of(&[nothing(), proved.clone()]).0, nothing().0);
        assert_eq!(of(&[nothing(), bounded(1)]), (Verdict::bounded(1), Some(1), 2));
        let bug = [(unknown(), None), (Verdict::Bug, Some(2)), proved];
        assert_eq!(of(&bug), (Verdict::Bug, Some(2), 3));
        assert_eq!(VerifyReport::of_parts(Vec::new()), None);
    }
}
