//! Where threads stand at the end of an execution: the locks that each holds, and what it waits for.
//!
//! Locks are called as the program calls them, `&queue->lock`.

use lariat_base::{SourceMap, Span};
use lariat_ir::Program;
use lariat_term::Value;
use rustc_hash::FxHashMap;

use crate::event::{Change, ChangeKind, Event, EventKind, Place};

/// Functions that take a lock, those that give it back, and others that wait.
const LOCKS: [&str; 6] = [
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_spin_lock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "mtx_lock",
];
const UNLOCKS: [&str; 4] = [
    "pthread_mutex_unlock",
    "pthread_spin_unlock",
    "pthread_rwlock_unlock",
    "mtx_unlock",
];
const WAITS: [&str; 7] = [
    "pthread_join",
    "thrd_join",
    "pthread_cond_wait",
    "cnd_wait",
    "sem_wait",
    "pthread_barrier_wait",
    "pthread_once",
];

/// One thread at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Numbered from 1.
    pub thread: u32,
    pub holds: Vec<String>,
    /// The call that it is in, if that is one that waits.
    pub waits: Option<String>,
    /// Where it has stopped before an access that is one side of a data race, and whether it is about to write.
    pub stopped: Option<(Span, bool)>,
}

/// The threads of an execution in the order of their creation.
pub fn standings(events: &[Event], program: &Program, sources: &SourceMap) -> Vec<Standing> {
    let mut found: Vec<Standing> = Vec::new();
    // For each thread the call of one of the functions above that it is in.
    let mut open: FxHashMap<u32, (u32, &str, String)> = FxHashMap::default();
    for event in events {
        let thread = event.thread as usize;
        while found.len() <= thread {
            found.push(Standing {
                thread: found.len() as u32 + 1,
                holds: Vec::new(),
                waits: None,
                stopped: None,
            });
        }
        let standing = &mut found[thread];
        match &event.kind {
            EventKind::Call {
                callee, activation, ..
            } if !open.contains_key(&event.thread) => {
                let name = &*program.procs[*callee].name;
                if let Some(object) = object_of(name, event.place, program, sources) {
                    open.insert(event.thread, (*activation, name, object));
                }
            }
            EventKind::Return { activation, .. } => {
                let is_over = open
                    .get(&event.thread)
                    .is_some_and(|(call, ..)| call == activation);
                if is_over && let Some((_, name, object)) = open.remove(&event.thread) {
                    standing.pass(name, object);
                }
            }
            EventKind::Skipped { callee } if !open.contains_key(&event.thread) => {
                let name = &*program.procs[*callee].name;
                if let Some(object) = object_of(name, event.place, program, sources) {
                    standing.pass(name, object);
                }
            }
            EventKind::Assign { changes } => {
                let is_set = |name: &str| {
                    let is_true = |change: &&Change| {
                        let new = Some(Value::Bool(true));
                        matches!(&change.kind, ChangeKind::Whole { new: found, .. } if *found == new)
                    };
                    changes.iter().filter(is_true).any(|change| {
                        &**program.pool.var_name(change.var) == name
                            && program.threads.quiet.contains(&change.var)
                    })
                };
                if is_set("stopped")
                    && let Some(span) = event.place.span(program)
                {
                    standing.stopped = Some((span, is_set("stopped to write")));
                }
            }
            _ => {}
        }
    }
    for (thread, (_, name, object)) in open {
        let waits = match LOCKS.contains(&name) {
            true => object,
            false => format!("{name}({object})"),
        };
        found[thread as usize].waits = Some(waits);
    }
    found
}

impl Standing {
    /// The function has returned.
    fn pass(&mut self, name: &str, object: String) {
        if LOCKS.contains(&name) {
            self.holds.push(object);
        } else if UNLOCKS.contains(&name)
            && let Some(index) = self.holds.iter().rposition(|held| *held == object)
        {
            self.holds.remove(index);
        }
    }
}

/// The first argument of a call of one of the functions above, as it is written.
fn object_of(name: &str, place: Place, program: &Program, sources: &SourceMap) -> Option<String> {
    if !LOCKS.contains(&name) && !UNLOCKS.contains(&name) && !WAITS.contains(&name) {
        return None;
    }
    let text = place
        .span(program)
        .map(|span| sources.snippet(span))
        .unwrap_or("");
    let arguments = text.split_once('(').map_or("", |(_, rest)| rest);
    let mut depth = 0;
    let end = arguments.find(|character: char| {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' if depth > 0 => depth -= 1,
            ')' | ',' if depth == 0 => return true,
            _ => {}
        }
        false
    });
    let first = &arguments[..end.unwrap_or(arguments.len())];
    Some(first.split_whitespace().collect::<Vec<_>>().join(" "))
}
