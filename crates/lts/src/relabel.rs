//! Hiding and relabelling, as FSP has them.
//!
//! A label such as `a.b.1` consists of parts. Patterns match a whole label or its leading parts:
//! `a.b` matches `a.b` and `a.b.1`, not `a.bc`. τ is never renamed, and a return action with a
//! prefix is a basic action, since it no longer ends the procedure it stands in.

use rustc_hash::FxHashMap;

use crate::action::{ActionId, ActionTable};
use crate::lts::{Lts, LtsBuilder};

/// What follows the leading parts that match, if they do: `""` or `".rest"`.
fn match_leading<'a>(label: &'a str, pattern: &str) -> Option<&'a str> {
    label
        .strip_prefix(pattern)
        .filter(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether any of the patterns matches.
pub fn matches_any(label: &str, patterns: &[String]) -> bool {
    patterns
        .iter()
        .any(|pattern| match_leading(label, pattern).is_some())
}

/// `old` becomes `new`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming {
    pub new: String,
    pub old: String,
}

impl Lts {
    /// The system in which each action becomes several; τ for none of them. States stay.
    pub fn map_actions(&self, mut images: impl FnMut(ActionId) -> Vec<ActionId>) -> Lts {
        let mut known: FxHashMap<ActionId, Vec<ActionId>> = FxHashMap::default();
        known.insert(ActionTable::TAU, vec![ActionTable::TAU]);
        let mut builder = LtsBuilder::new();
        for action in self.alphabet().iter() {
            let mut images = images(action);
            if images.is_empty() {
                images.push(ActionTable::TAU);
            }
            builder.extend_alphabet(images.iter().copied());
            known.insert(action, images);
        }
        for state in self.states() {
            builder.named_state(self.kind(state), self.name(state).map(str::to_owned));
        }
        for (source, action, target) in self.triples() {
            for &image in &known[&action] {
                builder.transition(source, image, target);
            }
        }
        builder.finish(self.initial())
    }

    /// `M \ {patterns}`: what matches becomes τ.
    pub fn hide(&self, patterns: &[String], actions: &ActionTable) -> Lts {
        self.map_actions(|action| match matches_any(&actions.name(action), patterns) {
            true => Vec::new(),
            false => vec![action],
        })
    }

    /// `M @ {patterns}`: what does not match becomes τ.
    pub fn expose(&self, patterns: &[String], actions: &ActionTable) -> Lts {
        self.map_actions(|action| match matches_any(&actions.name(action), patterns) {
            true => vec![action],
            false => Vec::new(),
        })
    }

    /// `M / {new/old, …}`: an action becomes everything that some renaming makes of it.
    pub fn relabel(&self, renamings: &[Renaming], actions: &mut ActionTable) -> Lts {
        self.map_actions(|action| {
            let name = actions.name(action);
            let mut images: Vec<ActionId> = renamings
                .iter()
                .filter_map(|renaming| {
                    let rest = match_leading(&name, &renaming.old)?;
                    Some(actions.named(&format!("{}{rest}", renaming.new)))
                })
                .collect();
            if images.is_empty() {
                images.push(action);
            }
            images
        })
    }

    /// `M << {patterns}`: where an action that matches can happen, nothing else can, τ neither. `M >> {patterns}`: where
    /// anything else can happen, no action that matches can.
    pub fn prioritise(&self, patterns: &[String], is_high: bool, actions: &ActionTable) -> Lts {
        let is_first = |action: ActionId| {
            !action.is_tau() && matches_any(&actions.name(action), patterns) == is_high
                || action.is_tau() && !is_high
        };
        let mut builder = LtsBuilder::new();
        builder.extend_alphabet(self.alphabet().iter());
        for state in self.states() {
            builder.named_state(self.kind(state), self.name(state).map(str::to_owned));
        }
        for state in self.states() {
            let transitions = self.transitions(state);
            let has_first = transitions.iter().any(|transition| is_first(transition.action));
            for transition in transitions {
                if !has_first || is_first(transition.action) {
                    builder.transition(state, transition.action, transition.target);
                }
            }
        }
        builder.finish(self.initial()).reachable()
    }

    /// `{prefixes}::M`: each action with any of the prefixes. One prefix labels the process.
    pub fn share(&self, prefixes: &[String], actions: &mut ActionTable) -> Lts {
        self.map_actions(|action| {
            let name = actions.name(action);
            prefixes
                .iter()
                .map(|prefix| actions.named(&format!("{prefix}.{name}")))
                .collect()
        })
    }
}
