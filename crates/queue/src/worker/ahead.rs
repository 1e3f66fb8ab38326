//! The next task, taken while one is worked on. Nobody else can do it meanwhile, so it is not held for long.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use async_nats::jetstream::{AckKind, Message};

use super::{HELD, Worker};
use crate::task::Task;

/// A task that is taken ahead.
#[derive(Default)]
pub(super) struct Ahead {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    Asked,
    Ready(Message),
    /// Nobody will claim it: it goes back.
    Unwanted(Option<Message>),
    /// It was claimed, or there is none, or it went back.
    Over(Option<String>),
}

impl Ahead {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The task, if there is one.
    pub fn claim(&self) -> Result<Option<Message>, String> {
        let is_asked = |state: &mut State| matches!(state, State::Asked);
        let state = self.changed.wait_while(self.state(), is_asked);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let over = std::mem::replace(&mut *state, State::Over(None));
        self.changed.notify_all();
        match over {
            State::Ready(message) => Ok(Some(message)),
            State::Over(Some(trouble)) => Err(trouble),
            State::Over(None) | State::Asked | State::Unwanted(_) => Ok(None),
        }
    }

    /// It goes back at once.
    pub fn give_up(&self) {
        let mut state = self.state();
        let held = match std::mem::replace(&mut *state, State::Over(None)) {
            State::Ready(message) => Some(message),
            _ => None,
        };
        *state = State::Unwanted(held);
        drop(state);
        self.changed.notify_all();
    }
}

impl Worker<'_> {
    /// Takes the next task and its files, and gives it back if it is not claimed soon.
    pub(super) fn take_ahead(&self, ahead: &Ahead) {
        let message = match self.take() {
            Ok(Some(message)) => message,
            none => {
                *ahead.state() = State::Over(none.err());
                return ahead.changed.notify_all();
            }
        };
        if let Ok(task) = serde_json::from_slice::<Task>(&message.payload) {
            // Whoever does the task gets them from the cache, or asks again.
            let _ = self.contents(&task);
        }
        let mut state = ahead.state();
        let unclaimed = if let State::Asked = *state {
            *state = State::Ready(message);
            ahead.changed.notify_all();
            let is_ready = |state: &mut State| matches!(state, State::Ready(_));
            let waited = ahead.changed.wait_timeout_while(state, HELD, is_ready);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            match std::mem::replace(&mut *state, State::Over(None)) {
                State::Ready(message) | State::Unwanted(Some(message)) => Some(message),
                _ => None,
            }
        } else {
            Some(message)
        };
        drop(state);
        if let Some(message) = unclaimed {
            self.acknowledge(&message, AckKind::Nak(None));
        }
    }
}
