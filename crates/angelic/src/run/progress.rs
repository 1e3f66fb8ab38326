//! What is told while the entries are analysed.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use lariat_report::{
    AngelicEntryStats, AngelicReport, Figure, PartKind, Parts, Phase, Progress, ProgressUpdate,
};

use super::{Done, Event, Run};

/// How often progress is told.
const PERIOD: Duration = Duration::from_millis(100);

/// One part in so many of the time may go into telling of what is done.
const SHARE: u32 = 50;

/// Tells how the entries get on until all have ended.
pub(super) fn tell(
    run: &Run<'_>,
    base: &AngelicReport,
    events: &Receiver<Event>,
    progress: &mut dyn FnMut(Progress<AngelicReport>),
    worker: &std::thread::ScopedJoinHandle<'_, Vec<Option<Arc<Done>>>>,
) {
    let count = run.entries.len();
    let mut results: Vec<Option<Arc<Done>>> = vec![None; count];
    let mut standing: Vec<(AngelicEntryStats, usize, usize)> = vec![Default::default(); count];
    let mut current = None;
    let mut told = Instant::now();
    let mut untold = false;
    let mut partial_told = Instant::now();
    let mut partial_took = Duration::ZERO;
    loop {
        match events.recv_timeout(PERIOD) {
            Ok(Event::Stats {
                entry,
                stats,
                specs,
                warnings,
            }) => {
                standing[entry] = (stats, specs, warnings);
                current = Some(entry);
            }
            Ok(Event::Done { entry, done }) => {
                standing[entry] = (
                    done.result.stats.clone(),
                    done.result.specs.len(),
                    done.result.warnings.len(),
                );
                results[entry] = Some(done);
                untold = true;
            }
            Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) if worker.is_finished() => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // In a large module to tell of all that is done takes longer than to do one more.
        if untold && partial_told.elapsed() >= partial_took * SHARE {
            let started = Instant::now();
            let mut partial = base.clone();
            run.fill(&mut partial, &results, true);
            progress(Progress::Partial(Box::new(partial)));
            untold = false;
            partial_told = Instant::now();
            partial_took = started.elapsed();
        }
        if told.elapsed() >= PERIOD {
            told = Instant::now();
            progress(Progress::Update(ProgressUpdate {
                phase: Phase::Solving,
                subject: current.map(|entry: usize| run.entries[entry].name.to_string()),
                parts: Some(Parts {
                    kind: PartKind::Entries,
                    done: results.iter().flatten().count() as u64,
                    total: count as u64,
                }),
                figures: vec![
                    Figure::Traces(standing.iter().map(|(stats, ..)| stats.traces).sum()),
                    Figure::Specifications(standing.iter().map(|&(_, specs, _)| specs as u64).sum()),
                    Figure::Warnings(standing.iter().map(|&(.., warnings)| warnings as u64).sum()),
                    Figure::SolverSeconds(standing.iter().map(|(stats, ..)| stats.verify_seconds).sum()),
                ],
                memory_bytes: lariat_base::budget::resident_memory().unwrap_or(0),
            }));
        }
    }
}
