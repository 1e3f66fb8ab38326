//! Harnesses of programs with threads force the schedule of the trace.

#[allow(dead_code, reason = "each test uses a part")]
mod support;

use lariat_report::{Action, FailureKind, Turn, TurnEnd};
use support::Case;

/// Two threads each add one to `x`.
const TWO_ADD: &str = "#include <pthread.h>
#include <assert.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *argument)
{
  x = x + 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2); // HERE
  return 0;
}
";

fn turn(thread: u32, action: Action, count: u32) -> Turn {
    let after = false;
    let until = Some(TurnEnd { action, count, after });
    Turn { thread, until }
}

fn call(function: &str) -> Action {
    Action::Call {
        function: function.to_owned(),
        again: false,
    }
}

fn writes_x() -> Action {
    Action::Named {
        object: "x".to_owned(),
        offset: 0,
        write: true,
    }
}

fn scheduled(name: &str, kind: FailureKind, text: &str, turns: Vec<Turn>) -> Case {
    let mut case = Case::new(name, kind, text);
    case.failure.schedule = turns;
    case
}

#[test]
fn threads_run_in_the_turns_of_the_trace() {
    let last = |thread| Turn { thread, until: None };
    // The second thread reads before the first one writes.
    let lost = vec![
        turn(0, call("pthread_join"), 1),
        turn(1, writes_x(), 1),
        turn(2, Action::End, 1),
        turn(1, Action::End, 1),
        turn(2, call("nothing"), 1),
        turn(1, call("nothing"), 1),
        last(0),
    ];
    scheduled("turns-lost", FailureKind::Assertion, TWO_ADD, lost.clone()).reproduces();
    scheduled("turns-lost32", FailureKind::Assertion, TWO_ADD, lost)
        .ilp32()
        .reproduces();
    // One after the other.
    let kept = vec![
        turn(0, call("pthread_join"), 1),
        turn(1, call("nothing"), 1),
        turn(2, call("nothing"), 1),
        last(0),
    ];
    scheduled("turns-kept", FailureKind::Assertion, TWO_ADD, kept).does_not_reproduce("exit code 0");
    // The second write of a turn in which there is one: the thread ends before.
    let wrong = vec![turn(0, call("pthread_join"), 1), turn(1, writes_x(), 2), last(2)];
    scheduled("turns-wrong", FailureKind::Assertion, TWO_ADD, wrong).does_not_reproduce("leave the schedule");
}

#[test]
fn deadlocks_and_misused_locks_are_seen() {
    let text = |first: &str, second: &str| {
        format!(
            "#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *argument)
{{
  pthread_mutex_lock(&{first});
  pthread_mutex_lock(&{second});
  pthread_mutex_unlock(&{second});
  pthread_mutex_unlock(&{first});
  return 0;
}}
int main(void)
{{
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}}
"
        )
    };
    let turns = vec![
        turn(0, call("pthread_mutex_lock"), 2),
        turn(1, Action::End, 1),
        Turn {
            thread: 0,
            until: None,
        },
    ];
    let crossed = text("b", "a");
    scheduled("deadlock", FailureKind::Deadlock, &crossed, turns.clone()).reproduces();
    let same = text("a", "b");
    scheduled("deadlock-not", FailureKind::Deadlock, &same, turns).does_not_reproduce("does not fail");
    let unlocks = crossed.replace("pthread_mutex_lock(&a);\n  pthread_mutex_lock(&b);", "");
    let alone = vec![Turn {
        thread: 0,
        until: None,
    }];
    scheduled("misuse", FailureKind::LockMisuse, &unlocks, alone.clone()).reproduces();
    scheduled("misuse-not", FailureKind::LockMisuse, &same, alone).does_not_reproduce("does not fail");
}
