//! The ways of answering one question, and when two answers agree.
//!
//! Which of two right answers is given is up to an engine only where this is said: Horn clauses find
//! no violations and may know nothing; they, the portfolio with them, summaries and abstraction may
//! prove for every bound what a search says for its own only, or (abstraction) the other way round.
//! Execution path by path proves what was not cut off, whether that matters or not; where the solver does not vouch for its values it
//! knows nothing. Abstraction may also end with a path that it can neither refute nor give values to.

use std::collections::BTreeSet;

use lariat_report::{
    Engine, EntryReport, MergePolicy, OnOff, Switch, UnknownCause, Verdict, VerifyReport, VerifyRequest,
};

/// One way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    pub engine: Engine,
    pub merge: Option<MergePolicy>,
    pub abstraction: OnOff,
    pub summaries: Switch,
    pub summaries_from_proofs: OnOff,
    pub first_bound: Option<u32>,
    pub seed: u32,
}

/// The strategies that share instances.
const SHARING: [MergePolicy; 5] = [
    MergePolicy::First,
    MergePolicy::Maxc,
    MergePolicy::Random,
    MergePolicy::Randompick,
    MergePolicy::Opt,
];

const SEEDS: u32 = 3;

impl Variant {
    /// As the engine is by itself.
    pub fn plain(engine: Engine) -> Self {
        Variant {
            engine,
            merge: None,
            abstraction: OnOff::Off,
            summaries: Switch::Auto,
            summaries_from_proofs: OnOff::Off,
            first_bound: None,
            seed: 0,
        }
    }

    pub fn apply(&self, request: &mut VerifyRequest) {
        request.engine = self.engine;
        request.search.merge = self.merge;
        request.search.abstraction = self.abstraction;
        request.search.summaries = self.summaries;
        request.search.summaries_from_proofs = self.summaries_from_proofs;
        request.search.first_bound = self.first_bound;
        request.unfolding.seed = self.seed;
    }

    /// Every engine once; how it merges, its seed, first bound, abstraction and summaries follow from `choice`.
    pub fn sample(choice: u64) -> Vec<Variant> {
        let choice = choice as usize;
        let with = |(index, engine): (usize, Engine)| {
            let choice = choice + index;
            let optional = |one: bool| if one { OnOff::On } else { OnOff::Off };
            let shares = !matches!(engine, Engine::Stratified | Engine::Chc);
            Variant {
                engine,
                merge: shares.then(|| SHARING[choice % SHARING.len()]),
                abstraction: optional(choice.is_multiple_of(7)),
                summaries: match (choice / 3).is_multiple_of(7) {
                    true => Switch::On,
                    false => Switch::Auto,
                },
                summaries_from_proofs: optional((choice / 2).is_multiple_of(3)),
                first_bound: (choice / 4)
                    .is_multiple_of(3)
                    .then_some(2 + (choice / 12) as u32 % 2),
                seed: (choice / 5) as u32 % SEEDS,
            }
        };
        Engine::ALL.into_iter().enumerate().map(with).collect()
    }

    /// One engine of the sample.
    pub fn sample_of_one(choice: u64) -> Variant {
        let all = Self::sample(choice);
        all[(choice % all.len() as u64) as usize]
    }

    /// The whole matrix: every engine, strategy and seed, with and without abstraction.
    pub fn all() -> Vec<Variant> {
        let mut all = Vec::new();
        for engine in Engine::ALL {
            let merges: Vec<Option<MergePolicy>> = match engine {
                Engine::Chc => vec![None],
                _ => MergePolicy::ALL.into_iter().map(Some).collect(),
            };
            for merge in merges {
                for abstraction in OnOff::ALL {
                    for seed in 0..SEEDS {
                        if engine == Engine::Chc && (abstraction, seed) != (OnOff::Off, 0) {
                            continue;
                        }
                        all.push(Variant {
                            engine,
                            merge,
                            abstraction,
                            summaries: Switch::Auto,
                            summaries_from_proofs: OnOff::Off,
                            first_bound: None,
                            seed,
                        });
                    }
                }
            }
        }
        for engine in [Engine::Stratified, Engine::Dag, Engine::Widen, Engine::Portfolio] {
            all.push(Variant {
                summaries: Switch::On,
                ..Variant::plain(engine)
            });
            all.push(Variant {
                summaries_from_proofs: OnOff::On,
                ..Variant::plain(engine)
            });
            all.push(Variant {
                first_bound: Some(3),
                ..Variant::plain(engine)
            });
        }
        all
    }

    /// Whether `proved` and `bounded` are both right where the plain engines say one of them.
    fn may_prove_more_or_less(&self) -> bool {
        matches!(self.engine, Engine::Portfolio | Engine::Chc | Engine::Paths)
            || self.abstraction == OnOff::On
            || self.summaries == Switch::On
            || self.summaries_from_proofs == OnOff::On
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.engine)?;
        if let Some(merge) = self.merge {
            write!(f, " merging {}", merge.name())?;
        }
        if self.abstraction == OnOff::On {
            f.write_str(" with abstraction")?;
        }
        if self.summaries == Switch::On {
            f.write_str(" with summaries")?;
        }
        if self.summaries_from_proofs == OnOff::On {
            f.write_str(" with summaries from proofs")?;
        }
        if let Some(bound) = self.first_bound {
            write!(f, " from bound {bound}")?;
        }
        write!(f, " (seed {})", self.seed)
    }
}

/// Why the answers do not agree. The first is that of a plain engine.
pub fn disagreement(
    plain: &VerifyReport,
    other: &VerifyReport,
    variant: &Variant,
    all: bool,
) -> Option<String> {
    let both = |what: &str, one: &dyn std::fmt::Display, two: &dyn std::fmt::Display| {
        format!("{} says {one} and {variant} says {two}{what}", plain.engine)
    };
    if !agree(&plain.verdict, &other.verdict, variant) {
        return Some(both("", &plain.verdict, &other.verdict));
    }
    if plain.entries.len() != other.entries.len() {
        return Some(format!("{variant} looks at {} entries", other.entries.len()));
    }
    for (one, two) in plain.entries.iter().zip(&other.entries) {
        if !agree(&one.verdict, &two.verdict, variant) {
            return Some(both(&format!(" of {}", one.entry), &one.verdict, &two.verdict));
        }
    }
    // Which of several violations is told is up to the engine unless all were asked for.
    let failing =
        |report: &VerifyReport| -> BTreeSet<String> { report.entries.iter().flat_map(failures).collect() };
    (all && variant.engine != Engine::Chc && failing(plain) != failing(other)).then(|| {
        let (one, two) = (failing(plain), failing(other));
        format!("{} finds {one:?} and {variant} finds {two:?}", plain.engine)
    })
}

fn agree(plain: &Verdict, other: &Verdict, variant: &Variant) -> bool {
    let holds = |verdict: &Verdict| matches!(verdict, Verdict::Proved | Verdict::Bounded { .. });
    if variant.engine == Engine::Chc {
        return match other {
            Verdict::Proved => holds(plain),
            Verdict::Unknown { .. } => true,
            other => other == plain,
        };
    }
    let by_solver = matches!(other, Verdict::Unknown { cause, .. } if *cause == UnknownCause::Solver);
    if variant.engine == Engine::Paths && by_solver && !holds(plain) {
        return true;
    }
    if variant.abstraction == OnOff::On && by_solver {
        return true;
    }
    // A proof of what has no execution is no success, but a bounded answer is one.
    let is_vacuous = |verdict: &Verdict| matches!(verdict, Verdict::Unknown { cause, .. } if *cause == UnknownCause::NothingChecked);
    let is_bounded = |verdict: &Verdict| matches!(verdict, Verdict::Bounded { .. });
    let differ_by_proof =
        (is_vacuous(plain) && is_bounded(other)) || (is_bounded(plain) && is_vacuous(other));
    if variant.may_prove_more_or_less() && differ_by_proof {
        return true;
    }
    if variant.may_prove_more_or_less() && holds(plain) {
        let same_bound = match (plain, other) {
            (Verdict::Bounded { bound: one, .. }, Verdict::Bounded { bound: two, .. }) => one == two,
            _ => true,
        };
        return holds(other) && same_bound;
    }
    match (plain, other) {
        // The reasons differ in their words.
        (Verdict::Unknown { cause: one, .. }, Verdict::Unknown { cause: two, .. }) => one == two,
        (Verdict::BugUnconfirmed { .. }, Verdict::BugUnconfirmed { .. }) => true,
        _ => plain == other,
    }
}

/// The violations of an entry, each with its place.
pub fn failures(entry: &EntryReport) -> Vec<String> {
    let text = |failure: &lariat_report::Failure| {
        let place = failure.location.as_ref().map(|place| (place.line, place.column));
        format!("{place:?} {}", failure.message)
    };
    entry.failures.iter().map(text).collect()
}
