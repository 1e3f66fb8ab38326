//! With which engines an entry is analysed, one after the other.
//!
//! Whether anything else fails is one question, and how hard it is for an engine has a heavy tail: what one does not answer in minutes
//! another one answers at once. Mostly there is nothing, and what a proof needs is little: then widening is the better way. Summaries of callees mostly
//! make it easier, but not always (`unRLE_obuf_to_output_SMALL` of bzip2 was done within 4 million without them and not with them), so the second attempt
//! does without. Each attempt may take a limited effort for one question; what was found so far is taken up by the next. The last one is limited by the
//! user alone.

use lariat_report::Engine;

use crate::found::FoundSpec;

/// The solver's effort for the search for one failing execution in the first attempt, …
const FIRST_EFFORT: u64 = 4_000_000;
/// … and in the second one.
const SECOND_EFFORT: u64 = 24_000_000;

/// How an entry is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// `None`: the one that suits it ([`crate::unfolding::suitable_engine`]).
    pub engine: Option<Engine>,
    /// For each failing execution.
    pub effort: Option<u64>,
    /// What is known of callees is used.
    pub uses_summaries: bool,
}

/// What is known from attempts before.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    pub specs: &'a [FoundSpec],
    /// What a question of permissiveness may take still.
    pub seek_effort: Option<u64>,
}

/// The attempts in their order, with what the user has chosen.
pub fn attempts(engine: Engine) -> Vec<Attempt> {
    let to_the_end = |engine| Attempt {
        engine,
        effort: None,
        uses_summaries: true,
    };
    match engine {
        Engine::Portfolio | Engine::Chc | Engine::Paths => vec![
            Attempt {
                effort: Some(FIRST_EFFORT),
                ..to_the_end(None)
            },
            Attempt {
                engine: Some(Engine::Widen),
                effort: Some(SECOND_EFFORT),
                uses_summaries: false,
            },
            to_the_end(None),
        ],
        engine => vec![to_the_end(Some(engine))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_attempt_has_no_limit_of_its_own() {
        for engine in [Engine::Portfolio, Engine::Dag, Engine::Widen] {
            let attempts = attempts(engine);
            let limited = attempts.iter().filter(|attempt| attempt.effort.is_some());
            assert_eq!(limited.count(), attempts.len() - 1);
            assert_eq!(attempts.last().map(|last| last.effort), Some(None));
        }
    }

    #[test]
    fn an_engine_that_was_chosen_is_the_only_one() {
        let chosen: Vec<Option<Engine>> = attempts(Engine::Mix)
            .iter()
            .map(|attempt| attempt.engine)
            .collect();
        assert_eq!(chosen, [Some(Engine::Mix)]);
    }
}
