//! Entries in parallel, callees first, and of those that can start the easiest.
//!
//! An entry starts when all entries that it calls (those it is mutually recursive with apart) have ended, and gets what was
//! found for them. So the result does not depend on which thread is faster.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

use lariat_base::threads::spawn_with_big_stack;
use lariat_ir::{OpenEntry, ProcId, Program};
use lariat_passes::CallGraph;
use rustc_hash::FxHashMap;

/// For each entry the entries that must be done before: those that it reaches and that do not reach it.
pub fn dependencies(program: &Program, entries: &[OpenEntry]) -> Vec<BTreeSet<usize>> {
    let calls = CallGraph::new(program);
    let mut by_name: FxHashMap<&str, usize> = FxHashMap::default();
    for (index, entry) in entries.iter().enumerate() {
        by_name.insert(&program.procs[entry.proc].name, index);
    }
    let mut reaches: Vec<BTreeSet<usize>> = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let reachable = calls.reachable_from(entry.proc);
        let named = program
            .procs
            .keys()
            .filter(|&proc: &ProcId| reachable.contains(proc));
        let found = named.filter_map(|proc| by_name.get(&*program.procs[proc].name).copied());
        reaches.push(found.filter(|&other| other != index).collect());
    }
    let is_before = |index: usize, other: usize| !reaches[other].contains(&index);
    (0..entries.len())
        .map(|index| {
            reaches[index]
                .iter()
                .copied()
                .filter(|&other| is_before(index, other))
                .collect()
        })
        .collect()
}

/// The entries that call themselves or each other, component by component.
pub fn components(program: &Program, calls: &CallGraph, entries: &[OpenEntry]) -> Vec<Vec<usize>> {
    let mut procs: FxHashMap<&str, Vec<ProcId>> = FxHashMap::default();
    for (proc, data) in program.procs.iter().filter(|&(proc, _)| calls.is_recursive(proc)) {
        procs.entry(&data.name).or_default().push(proc);
    }
    let mut components: BTreeMap<ProcId, Vec<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let own = procs.get(&*program.procs[entry.proc].name);
        if let Some(&proc) = own.and_then(|own| own.first()) {
            components
                .entry(calls.component(proc)[0])
                .or_default()
                .push(index);
        }
    }
    components.into_values().collect()
}

/// How large an entry is: the statements of all procedures that it reaches.
pub fn sizes(program: &Program, entries: &[OpenEntry]) -> Vec<usize> {
    let calls = CallGraph::new(program);
    let own = |proc: ProcId| -> usize {
        let blocks = program.procs[proc].blocks.values();
        blocks.map(|block| 1 + block.stmts.len()).sum()
    };
    let size = |entry: &OpenEntry| {
        let reachable = calls.reachable_from(entry.proc);
        let procs = program.procs.keys().filter(|&proc| reachable.contains(proc));
        procs.map(own).sum()
    };
    entries.iter().map(size).collect()
}

/// What is done with an index, given the results of what it depends on.
pub type Work<'w, R> = dyn Fn(usize, &dyn Fn(usize) -> Option<R>) -> R + Sync + 'w;

struct State<R> {
    results: Vec<Option<R>>,
    started: Vec<bool>,
    done: Vec<bool>,
    panic: Option<Box<dyn Any + Send>>,
}

/// Runs `work` on every index, at most `jobs` at a time, with the results of what it depends on; of the indices that can
/// start, those of the smallest size first. `None` if no thread could be
/// started for it. A panic goes on in the caller after what has started has ended.
pub fn run<R: Send + Clone>(
    dependencies: &[BTreeSet<usize>],
    sizes: &[usize],
    jobs: usize,
    work: &Work<'_, R>,
) -> Vec<Option<R>> {
    let count = dependencies.len();
    let state = Mutex::new(State {
        results: (0..count).map(|_| None).collect(),
        started: vec![false; count],
        done: vec![false; count],
        panic: None,
    });
    let changed = Condvar::new();
    let one_thread = || {
        loop {
            let Ok(mut guard) = state.lock() else { return };
            let next = loop {
                let ready = |&index: &usize| {
                    !guard.started[index] && dependencies[index].iter().all(|&other| guard.done[other])
                };
                let easiest = (0..count)
                    .filter(ready)
                    .min_by_key(|&index| (sizes[index], index));
                if let Some(index) = easiest.filter(|_| guard.panic.is_none()) {
                    break index;
                }
                if guard.panic.is_some() || guard.started.iter().all(|&started| started) {
                    return;
                }
                guard = match changed.wait(guard) {
                    Ok(guard) => guard,
                    Err(_) => return,
                };
            };
            guard.started[next] = true;
            drop(guard);
            let look_up = |other: usize| state.lock().ok()?.results[other].clone();
            let result = catch_unwind(AssertUnwindSafe(|| work(next, &look_up)));
            if let Ok(mut guard) = state.lock() {
                match result {
                    Ok(result) => guard.results[next] = Some(result),
                    Err(panic) => guard.panic = Some(panic),
                }
                guard.done[next] = true;
            }
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            // A thread that cannot be started leaves its work to the others.
            let _ = spawn_with_big_stack(scope, "entry", one_thread);
        }
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = state.panic {
        resume_unwind(panic);
    }
    state.results
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use super::run;

    #[test]
    fn everything_runs_after_what_it_depends_on() {
        let dependencies: Vec<BTreeSet<usize>> = vec![
            [3].into(),
            [0, 2].into(),
            BTreeSet::new(),
            BTreeSet::new(),
            [1, 3].into(),
        ];
        for jobs in [1, 2, 8] {
            let heights = run(&dependencies, &[0; 5], jobs, &|index, look_up| {
                let below = dependencies[index]
                    .iter()
                    .map(|&other| look_up(other).expect("it is done"));
                below.max().map_or(0, |height: usize| height + 1)
            });
            assert_eq!(heights, [Some(1), Some(2), Some(0), Some(0), Some(3)]);
        }
    }

    #[test]
    fn of_what_can_start_the_easiest_comes_first() {
        let dependencies: Vec<BTreeSet<usize>> =
            vec![BTreeSet::new(), BTreeSet::new(), [0].into(), [1].into()];
        let order = Mutex::new(Vec::new());
        run(&dependencies, &[30, 10, 1, 20], 1, &|index, _| {
            order.lock().expect("no panic").push(index);
        });
        assert_eq!(order.into_inner().expect("no panic"), [1, 3, 0, 2]);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let dependencies: Vec<BTreeSet<usize>> = vec![BTreeSet::new(), [0].into(), [1].into()];
        for jobs in [1, 2] {
            let panicked = std::panic::catch_unwind(|| {
                run(&dependencies, &[0; 3], jobs, &|index, _| {
                    assert!(index != 1, "index 1 goes wrong");
                    assert!(index != 2, "index 2 was started after the panic");
                    index
                })
            });
            let payload = panicked.expect_err("a panic");
            let message = payload.downcast_ref::<&str>().copied();
            assert_eq!(message, Some("index 1 goes wrong"));
        }
    }
}
