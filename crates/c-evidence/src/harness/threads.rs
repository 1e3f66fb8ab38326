//! The schedule of a trace: which thread runs when.

use std::collections::BTreeSet;
use std::fmt::Write;

use lariat_report::{Action, Failure, FailureKind};

use crate::harness::DIVERGED;

/// The libraries without which the hooks of `-fsanitize=thread` are the harness's own.
pub const LIBRARIES: [&str; 4] = ["-nodefaultlibs", "-lpthread", "-lc", "-lgcc"];

/// Whether turns end at addresses that only the trace knows.
pub fn knows_addresses(failure: &Failure) -> bool {
    let mut ends = failure.schedule.iter().filter_map(|turn| turn.until.as_ref());
    ends.any(|end| matches!(end.action, Action::Address { .. }))
}

/// The objects of the program that turns end at.
fn objects(failure: &Failure) -> BTreeSet<&str> {
    let ends = failure.schedule.iter().filter_map(|turn| turn.until.as_ref());
    ends.filter_map(|end| match &end.action {
        Action::Named { object, .. } => Some(object.as_str()),
        _ => None,
    })
    .collect()
}

/// The turns, the functions for threads, and the names by which the program calls them. Stands before the program.
pub fn write_turns(text: &mut String, failure: &Failure) {
    let objects = objects(failure);
    let _ = write!(
        text,
        "\n#define LARIAT_DIVERGED {DIVERGED}\n#define LARIAT_CHECKS_LOCKS {}\n#define LARIAT_TURNS {}\n\
         static const char *lariat_shared[{}];\n\
         /* A thread runs until the action that is the `count`th of these in its turn. */\n\
         static const struct lariat_turn {{\n    int thread, kind, object, write, again, after;\n    unsigned count;\n    \
         unsigned long long address;\n    const char *name;\n}} lariat_turns[] = {{\n",
        u8::from(failure.kind == FailureKind::LockMisuse),
        failure.schedule.len(),
        objects.len() + 1,
    );
    for turn in &failure.schedule {
        let thread = turn.thread;
        let Some(end) = &turn.until else {
            let _ = writeln!(text, "    {{ {thread} }},");
            continue;
        };
        let (count, after) = (end.count, u8::from(end.after));
        let _ = write!(text, "    {{ {thread}, .count = {count}, .after = {after}, ");
        let _ = match &end.action {
            Action::Named {
                object,
                offset,
                write,
            } => {
                let index = objects
                    .iter()
                    .position(|known| known == object)
                    .unwrap_or_default();
                let write = u8::from(*write);
                writeln!(
                    text,
                    ".kind = 1, .object = {index}, .write = {write}, .address = {offset} }}, /* {object} */"
                )
            }
            Action::Address { address, write } => {
                let write = u8::from(*write);
                writeln!(text, ".kind = 2, .write = {write}, .address = {address}ULL }},")
            }
            Action::Call { function, again } => {
                let again = u8::from(*again);
                writeln!(text, ".kind = 3, .name = \"{function}\", .again = {again} }},")
            }
            Action::End => writeln!(text, ".kind = 4 }},"),
        };
    }
    text.push_str("};\n");
    text.push_str(include_str!("threads.c"));
    text.push_str(include_str!("locks.c"));
}

/// Where the objects are. Stands behind the program.
pub fn write_objects(text: &mut String, failure: &Failure) {
    text.push_str("\n__attribute__((constructor)) LARIAT_PLAIN static void lariat_share(void)\n{\n");
    for (index, object) in objects(failure).into_iter().enumerate() {
        let _ = writeln!(text, "    lariat_shared[{index}] = (const char *)&({object});");
    }
    text.push_str("}\n");
}
