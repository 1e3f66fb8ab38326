//! Which thread runs, and how one starts.

use lariat_ir::{ProcId, ThreadPrimitive};
use lariat_term::{Value, VarId};

use super::{LineKind, Renderer, TraceLine};
use crate::event::Event;

/// In a program with one thread nobody needs to know which.
pub(super) fn name_threads(lines: &mut [TraceLine]) {
    let has_threads = lines
        .iter()
        .any(|line| line.thread.is_some_and(|thread| thread > 1));
    if !has_threads {
        lines.iter_mut().for_each(|line| line.thread = None);
    }
}

impl Renderer<'_> {
    /// A line before those of an event, if another thread runs now.
    pub(super) fn show_switch(&mut self, shown: usize, thread: u32, last: &mut u32) {
        let new = self.lines.len().min(shown)..;
        let is_shown = self.lines.len() > shown;
        for line in &mut self.lines[new] {
            line.thread = Some(thread + 1);
        }
        if thread != *last && is_shown {
            let note = TraceLine {
                thread: Some(thread + 1),
                ..TraceLine::note(format!("— thread {} —", thread + 1))
            };
            self.lines.insert(shown, note);
            *last = thread;
        }
    }

    pub(super) fn is_spawn(&self, proc: ProcId) -> bool {
        self.program.threads.primitives.get(&proc) == Some(&ThreadPrimitive::Spawn)
    }

    /// Whether an event is in the library's code that a thread starts with, which is not shown.
    pub(super) fn is_around_thread(&self, event: &Event) -> bool {
        !self.opens_libraries && event.thread > 0 && self.libraries.contains(&event.place.proc)
    }

    /// A thread begins with the user's function.
    pub(super) fn thread_starts(
        &mut self,
        event: &Event,
        callee: ProcId,
        arguments: &[(VarId, Option<Value>)],
    ) {
        let shown = self.arguments(arguments);
        let data = &self.program.procs[callee];
        let text = format!("starts with {}", data.name);
        let (span, depth) = (data.span, event.depth.saturating_sub(1));
        self.push_at(span, depth, text, shown, LineKind::Call);
    }
}
