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
/// Functions that give their second argument back while they wait.
const CONDITIONS: [&str; 4] = [
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "cnd_wait",
    "cnd_timedwait",
];
const WAITS: [&str; 9] = [
    "pthread_join",
    "thrd_join",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "cnd_wait",
    "cnd_timedwait",
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
    /// The call that it is in, if that is one that waits: `for &lock`, `in pthread_join(other)`.
    pub waits: Option<String>,
    /// Where that call is.
    pub waits_at: Option<Span>,
    /// Where it has stopped before an access that is one side of a data race, and whether it is about to write.
    pub stopped: Option<(Span, bool)>,
}

/// The threads of an execution in the order of their creation.
pub fn standings(events: &[Event], program: &Program, sources: &SourceMap) -> Vec<Standing> {
    let mut found: Vec<Standing> = Vec::new();
    // For each thread the call of one of the functions above that it is in.
    let mut open: FxHashMap<u32, (u32, &str, Place)> = FxHashMap::default();
    for event in events {
        let thread = event.thread as usize;
        while found.len() <= thread {
            found.push(Standing {
                thread: found.len() as u32 + 1,
                holds: Vec::new(),
                waits: None,
                waits_at: None,
                stopped: None,
            });
        }
        let standing = &mut found[thread];
        match &event.kind {
            EventKind::Call {
                callee, activation, ..
            } if !open.contains_key(&event.thread) => {
                let name = &*program.procs[*callee].name;
                if is_known(name) {
                    open.insert(event.thread, (*activation, name, event.place));
                }
            }
            EventKind::Return { activation, .. } => {
                let is_over = open
                    .get(&event.thread)
                    .is_some_and(|(call, ..)| call == activation);
                if is_over && let Some((_, name, place)) = open.remove(&event.thread) {
                    standing.pass(name, argument(0, place, program, sources));
                }
            }
            EventKind::Skipped { callee } if !open.contains_key(&event.thread) => {
                let name = &*program.procs[*callee].name;
                if is_known(name) {
                    standing.pass(name, argument(0, event.place, program, sources));
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
    for (thread, (_, name, place)) in open {
        let object = argument(0, place, program, sources);
        let standing = &mut found[thread as usize];
        if CONDITIONS.contains(&name) {
            standing.gives_back(&argument(1, place, program, sources));
        }
        standing.waits = Some(match LOCKS.contains(&name) {
            true => format!("for {object}"),
            false => format!("in {name}({object})"),
        });
        standing.waits_at = place.span(program);
    }
    found
}

impl Standing {
    /// The function has returned.
    fn pass(&mut self, name: &str, object: String) {
        if LOCKS.contains(&name) {
            self.holds.push(object);
        } else if UNLOCKS.contains(&name) {
            self.gives_back(&object);
        }
    }

    fn gives_back(&mut self, object: &str) {
        if let Some(index) = self.holds.iter().rposition(|held| held == object) {
            self.holds.remove(index);
        }
    }
}

fn is_known(name: &str) -> bool {
    LOCKS.contains(&name) || UNLOCKS.contains(&name) || WAITS.contains(&name)
}

/// An argument of a call, as it is written.
fn argument(number: usize, place: Place, program: &Program, sources: &SourceMap) -> String {
    let text = place
        .span(program)
        .map(|span| sources.snippet(span))
        .unwrap_or("");
    let arguments = text.split_once('(').map_or("", |(_, rest)| rest);
    let mut depth = 0_usize;
    let mut found = vec![String::new()];
    for character in arguments.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' if depth > 0 => depth -= 1,
            ')' => break,
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(character);
        }
    }
    let wanted = found.get(number).map_or("", |text| text);
    wanted.split_whitespace().collect::<Vec<_>>().join(" ")
}
