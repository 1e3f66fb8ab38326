//! Which thread runs when, in words of the C program: turns that end at what a compiled program does as well.
//!
//! A thread that gives way is known by what it does next: an access of an object, or a part of a call of the library. How often it has done
//! the same in its turn before says where that is. So accesses that a compiler makes and the trace does not, or the other
//! way round, matter only if they are of that object. What happens before the first thread is created does not count.

use lariat_c_program::Purpose;
use lariat_interp::{Event, EventKind, Read};
use lariat_ir::Origin;
use lariat_report::{Action, Turn, TurnEnd};
use lariat_term::VarSet;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use super::memory::address;
use crate::FrontEnd;

/// The functions that create threads.
const CREATORS: [&str; 2] = ["pthread_create", "thrd_create"];

/// How functions of the models are called that a program does not call: what a thread starts with is one.
const OWN: &str = "__lariat_";

/// A call that has not returned.
struct OpenCall {
    callee: String,
    /// The callee is a model.
    is_model: bool,
    /// The user's code has called it.
    is_users: bool,
    /// The turn in which it has done something last.
    acted: Option<usize>,
}

/// What a thread does in one turn.
struct Acts {
    thread: u32,
    actions: Vec<Action>,
}

/// What is counted to find an action: for the rest of a call how many calls have begun.
fn start_of(action: &Action) -> Action {
    match action {
        Action::Call { function, .. } => Action::Call {
            function: function.clone(),
            again: false,
        },
        other => other.clone(),
    }
}

impl FrontEnd {
    /// The turns of an execution in which more than one thread runs.
    pub fn schedule(&self, events: &[Event]) -> Vec<Turn> {
        let Some(failing) = events.last() else {
            return Vec::new();
        };
        if self.c.is_none() || events.iter().all(|event| event.thread == 0) {
            return Vec::new();
        }
        let mut turns = self.acts(events);
        if turns.last().is_none_or(|turn| turn.thread != failing.thread) {
            turns.push(Acts {
                thread: failing.thread,
                actions: Vec::new(),
            });
        }
        let mut schedule = Vec::new();
        for (index, turn) in turns.iter().enumerate() {
            let mut later = turns[index + 1..].iter();
            let next = later
                .find(|later| later.thread == turn.thread)
                .and_then(|next| next.actions.first());
            let count = |action: &Action| {
                let counted = start_of(action);
                turn.actions.iter().filter(|other| **other == counted).count() as u32
            };
            let until = match (next, turn.actions.last()) {
                _ if index + 1 == turns.len() => None,
                (Some(next), _) => Some(TurnEnd {
                    action: next.clone(),
                    count: count(next) + u32::from(start_of(next) == *next),
                    after: false,
                }),
                (None, Some(last)) => Some(TurnEnd {
                    action: last.clone(),
                    count: count(last),
                    after: true,
                }),
                (None, None) => None,
            };
            schedule.push(Turn {
                thread: turn.thread,
                until,
            });
        }
        schedule
    }

    /// What the threads do, from the creation of the first one on.
    fn acts(&self, events: &[Event]) -> Vec<Acts> {
        let Some(c) = &self.c else {
            return Vec::new();
        };
        let models: FxHashSet<&str> = c
            .program
            .functions
            .values()
            .filter(|function| function.purpose == Purpose::Model)
            .map(|function| &*function.name)
            .collect();
        let threads = &self.program.threads;
        // What others do not see: a thread's own, and what is known of objects.
        let unseen: VarSet = [&threads.locals, &threads.quiet, &threads.unordered]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        let globals: VarSet = self
            .program
            .globals
            .iter()
            .copied()
            .filter(|var| !unseen.contains(var))
            .collect();
        let mut turns: Vec<Acts> = Vec::new();
        let mut open: Vec<Vec<OpenCall>> = Vec::new();
        let mut is_started = false;
        for event in events {
            let thread = event.thread as usize;
            if open.len() <= thread {
                open.resize_with(thread + 1, Vec::new);
            }
            let is_users = !models.contains(&*self.program.procs[event.place.proc].name);
            let turn = match turns.last() {
                Some(last) if last.thread == event.thread => turns.len() - 1,
                _ => turns.len(),
            };
            let mut actions = Vec::new();
            let reads = event
                .uses
                .iter()
                .chain(event.flows.iter().flat_map(|flow| &flow.sources));
            let writes = event.flows.iter().map(|flow| &flow.target);
            let accesses = reads
                .map(|read| (read, false))
                .chain(writes.map(|write| (write, true)));
            // What is assumed of every value that is read.
            let is_internal = event.kind == EventKind::Assume
                && event.place.origin(&self.program) == Some(&Origin::Internal);
            let accesses = accesses.filter(|_| !is_internal);
            let accesses =
                accesses.filter(|(access, _)| access.activation.is_none() && globals.contains(&access.var));
            if is_started && is_users {
                for (access, write) in accesses {
                    let action = self.access(access, write);
                    actions.extend(action.filter(|action| !actions.contains(action)));
                }
            } else if is_started && accesses.count() > 0 {
                let of_library =
                    |call: &&mut OpenCall| call.is_users && call.is_model && !call.callee.starts_with(OWN);
                let call = open[thread].iter_mut().rev().find(of_library);
                actions.extend(match call {
                    Some(call) if call.acted == Some(turn) => None,
                    Some(call) => Some(Action::Call {
                        function: call.callee.clone(),
                        again: call.acted.replace(turn).is_some(),
                    }),
                    None => turns
                        .last()
                        .is_none_or(|last| {
                            last.thread != event.thread || last.actions.last() != Some(&Action::End)
                        })
                        .then_some(Action::End),
                });
            }
            match &event.kind {
                EventKind::Call { callee, .. } => {
                    let callee = &*self.program.procs[*callee].name;
                    let creates = is_users && CREATORS.contains(&callee);
                    is_started |= creates;
                    if creates {
                        actions.push(Action::Call {
                            function: callee.to_owned(),
                            again: false,
                        });
                    }
                    open[thread].push(OpenCall {
                        callee: callee.to_owned(),
                        is_model: models.contains(callee),
                        is_users,
                        acted: creates.then_some(turn),
                    });
                }
                EventKind::Return { .. } => {
                    open[thread].pop();
                }
                _ => {}
            }
            if actions.is_empty() {
                continue;
            }
            match turns.last_mut() {
                Some(last) if last.thread == event.thread => last.actions.extend(actions),
                _ => turns.push(Acts {
                    thread: event.thread,
                    actions,
                }),
            }
        }
        turns
    }

    /// An access of what a compiled program has in memory.
    fn access(&self, access: &Read, write: bool) -> Option<Action> {
        let c = self.c.as_ref()?;
        if c.names.memory.contains_key(&access.var) {
            let address = address(access.indices.as_deref()?)?;
            let below = c.names.addresses.range(..=&address).next_back();
            if let Some((start, &global)) = below {
                let object = &c.program.globals[global];
                let offset = (&address - start).to_u64()?;
                let size = c.program.types.size(object.ty).unwrap_or(0);
                if offset < size {
                    return (object.function.is_none() && !object.is_string).then(|| Action::Named {
                        object: object.name.to_string(),
                        offset,
                        write,
                    });
                }
            }
            return Some(Action::Address {
                address: address.to_u64()?,
                write,
            });
        }
        let shown = c.names.vars.get(&access.var)?;
        let name = shown.text.split(['.', '[']).next()?;
        let mut globals = c.program.globals.values();
        let is_visible = globals.any(|global| &*global.name == name && global.function.is_none());
        is_visible.then(|| Action::Named {
            object: shown.text.clone(),
            offset: 0,
            write,
        })
    }
}
