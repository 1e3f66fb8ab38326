//! Random small components against the enumeration of their concrete states.
//!
//! For each question the generator keeps the syntax of its programs; a direct interpreter of it gives their systems, and a
//! naive composition and subset construction the answer. Both levels of abstraction and all ways to minimise must agree
//! with it: whether the components conform, and how long a shortest counterexample is.
//!
//! See `lariat_testkit::seeds` for longer runs.

#![allow(clippy::print_stderr)]

#[path = "../common/mod.rs"]
mod common;
mod concrete;
mod program;
mod systems;
mod temporal;

use std::collections::BTreeSet;
use std::time::Duration;

use common::{Input, Question, RoutineText};
use concrete::{Returns, concrete};
use lariat_base::Budget;
use lariat_conform::cegar::{CegarVerdict, Levels, Options, Property};
use lariat_conform::minimise::{Minimise, MinimiseOptions};
use lariat_testkit::seeds::seeds;
use program::{Generator, Program, Routine, random_routine};
use systems::{Random, System, TAU};
use temporal::{Fluent, Formula, is_violated, random_fluents};

/// What is not decided by enumeration within these bounds is left out.
const MAX_STATES: usize = 4_000;
const MAX_PRODUCT: usize = 8_000;
const MAX_PAIRS: usize = 4_000;
const MAX_SPECIFICATION: usize = 12;
const MAX_TEMPORAL: usize = 1_500;
/// For each question.
const TIME: Duration = Duration::from_secs(60);

struct Case {
    programs: Vec<Program>,
    routines: Vec<Routine>,
    systems: Vec<System>,
    specification: System,
}

/// What enumeration says.
struct Answer {
    composition: System,
    /// The actions that the specification or more than one component has: with both abstractions a counterexample has as
    /// few of these as possible, with predicates only as few actions as possible.
    common: BTreeSet<String>,
    /// The length of a shortest counterexample, in all actions and in common ones.
    violation: Option<usize>,
    common_violation: Option<usize>,
}

impl Answer {
    fn is_shortest(&self, trace: &[String], levels: Levels) -> bool {
        match levels {
            Levels::Predicates => Some(trace.len()) == self.violation,
            // Silent steps of the others count as none, so that more actions of one component may be in between.
            Levels::Actions => Some(trace.len()) >= self.violation,
            Levels::Reduced | Levels::Both => {
                let common = trace.iter().filter(|action| self.common.contains(*action));
                Some(common.count()) == self.common_violation
            }
        }
    }
}

fn names(count: usize) -> &'static [&'static str] {
    match count {
        1 => &["only"],
        _ => &["left", "right"],
    }
}

/// `None` if there are too many states.
fn case(seed: u64) -> Option<Case> {
    let mut numbers = Random::new(seed);
    let count = 1 + usize::from(numbers.one_in(3));
    let actions: &[&[&str]] = match count {
        1 => &[&["a", "b", "c"]],
        _ => &[&["a", "s", "t"], &["b", "s", "t"]],
    };
    let mut routines = Vec::new();
    let mut of_component: Vec<Vec<usize>> = Vec::new();
    for own in actions {
        let mut indices = Vec::new();
        for _ in 0..1 + numbers.below(3) {
            indices.push(routines.len());
            let name = format!("routine{}", routines.len());
            routines.push(random_routine(&mut numbers, &name, own));
        }
        of_component.push(indices);
    }
    let programs: Vec<Program> = of_component
        .iter()
        .map(|indices| {
            let mut generator = Generator {
                numbers: &mut numbers,
                routines: &routines,
            };
            generator.program(indices)
        })
        .collect();
    let observed: BTreeSet<i64> = match programs.iter().any(|program| program.is_void) || numbers.one_in(3) {
        true => BTreeSet::new(),
        false => (0..4).filter(|_| !numbers.one_in(6)).collect(),
    };
    let mut systems = Vec::new();
    let mut returns = BTreeSet::new();
    for (program, name) in programs.iter().zip(names(count)) {
        let prefix = match count {
            1 => String::new(),
            _ => format!("{name}."),
        };
        let own = Returns {
            observed: &observed,
            prefix: &prefix,
        };
        returns.extend(observed.iter().map(|value| format!("{prefix}return{{{value}}}")));
        if observed.is_empty() && numbers.one_in(2) {
            returns.insert(format!("{prefix}return{{}}"));
        }
        systems.push(concrete(program, &routines, &own, MAX_STATES)?.without_internal_chains());
    }
    let mut composition = systems[0].clone();
    if let Some(second) = systems.get(1) {
        composition = composition
            .composed(second, MAX_PRODUCT)?
            .without_internal_chains();
    }
    let mut all: BTreeSet<String> = actions.concat().into_iter().map(str::to_owned).collect();
    let of_routines = routines.iter().flat_map(|routine| &routine.systems);
    let of_routines = of_routines.flat_map(|system| &system.alphabet);
    all.extend(
        of_routines
            .filter(|action| !action.starts_with("return"))
            .cloned(),
    );
    let mut alphabet: BTreeSet<String> = all.into_iter().filter(|_| !numbers.one_in(5)).collect();
    alphabet.extend(returns);
    let specification = specification(&mut numbers, &composition, &alphabet)?;
    let mut refusing = specification.clone();
    for name in names(count) {
        let prefix = if count == 1 {
            String::new()
        } else {
            format!("{name}.")
        };
        refusing.alphabet.insert(format!("{prefix}return{{other}}"));
    }
    Some(Case {
        programs,
        routines,
        systems,
        specification: refusing,
    })
}

fn composed(systems: &[System]) -> Option<System> {
    match systems {
        [only] => Some(only.clone()),
        [left, right] => Some(left.composed(right, MAX_PRODUCT)?.without_internal_chains()),
        _ => None,
    }
}

/// What the components do, with states put together, and often with a step left out or led elsewhere.
fn specification(numbers: &mut Random, composition: &System, alphabet: &BTreeSet<String>) -> Option<System> {
    let mut system = composition.observed(alphabet, 40)?;
    let count = match numbers.one_in(3) {
        true => 1 + numbers.below(3),
        false => MAX_SPECIFICATION,
    };
    if system.steps.len() > count {
        let place: Vec<usize> = (0..system.steps.len())
            .map(|state| {
                if state < count {
                    state
                } else {
                    numbers.below(count)
                }
            })
            .collect();
        let mut steps = vec![Vec::new(); count];
        for (state, own) in system.steps.iter().enumerate() {
            steps[place[state]].extend(
                own.iter()
                    .map(|(action, target)| (action.clone(), place[*target])),
            );
        }
        for own in &mut steps {
            own.sort();
            own.dedup();
        }
        system.steps = steps;
    }
    if numbers.one_in(2) {
        let mut all: Vec<(usize, usize)> = Vec::new();
        for (state, own) in system.steps.iter().enumerate() {
            all.extend((0..own.len()).map(|index| (state, index)));
        }
        if !all.is_empty() {
            let (state, index) = numbers.pick(&all);
            match numbers.one_in(2) {
                true => drop(system.steps[state].remove(index)),
                false => system.steps[state][index].1 = numbers.below(system.steps.len()),
            }
        }
    }
    Some(system)
}

impl Case {
    /// Code that is never reached may be found to be so, and then its actions are not in the alphabet of the component.
    fn systems_with_alphabets(&self, question: &Question) -> Vec<System> {
        let mut systems = self.systems.clone();
        for (system, component) in systems.iter_mut().zip(&question.components) {
            let known: BTreeSet<String> = component
                .alphabet
                .iter()
                .map(|action| question.actions.name(action))
                .collect();
            assert!(
                known.is_subset(&system.alphabet),
                "{known:?}, {:?}",
                system.alphabet
            );
            for (action, _) in system.steps.iter().flatten() {
                assert!(
                    action == TAU || known.contains(action),
                    "{action} is not in {known:?}"
                );
            }
            system.alphabet = known;
        }
        systems
    }

    fn answer(&self, question: &Question) -> Option<Answer> {
        let systems = self.systems_with_alphabets(question);
        let composition = composed(&systems)?;
        let violation = composition
            .shortest_violation(&self.specification, MAX_PAIRS)
            .ok()?;
        let common: BTreeSet<String> = composition
            .alphabet
            .iter()
            .filter(|action| {
                let owners = systems.iter().filter(|system| system.alphabet.contains(*action));
                self.specification.alphabet.contains(*action) || owners.count() > 1
            })
            .cloned()
            .collect();
        let mut seen = composition.clone();
        for (action, _) in seen.steps.iter_mut().flatten() {
            if !common.contains(action) {
                *action = TAU.to_owned();
            }
        }
        let common_violation = seen.shortest_violation(&self.specification, MAX_PAIRS).ok()?;
        Some(Answer {
            composition,
            common,
            violation,
            common_violation,
        })
    }

    fn question(&self) -> (Question, String) {
        let count = self.programs.len();
        let texts: Vec<String> = self
            .programs
            .iter()
            .map(|program| program.text(&self.routines))
            .collect();
        let components: Vec<(&str, &str, &str)> = names(count)
            .iter()
            .zip(&texts)
            .map(|(&name, text)| (name, text.as_str(), "component"))
            .collect();
        let mut shown = self.specification.clone();
        shown.alphabet.retain(|action| !action.ends_with("return{other}"));
        let mut fsp = shown.fsp("SPEC");
        let mut processes: Vec<Vec<(&str, String)>> = Vec::new();
        for routine in &self.routines {
            let guards = routine.guards();
            let mut own = Vec::new();
            for (index, (&guard, system)) in guards.iter().zip(&routine.systems).enumerate() {
                let name = format!("{}_{index}", routine.name.to_uppercase());
                fsp.push_str(&system.fsp(&name));
                own.push((guard, name));
            }
            processes.push(own);
        }
        let alternatives: Vec<Vec<(&str, &str)>> = processes
            .iter()
            .map(|own| own.iter().map(|(guard, name)| (*guard, name.as_str())).collect())
            .collect();
        let routines: Vec<RoutineText<'_>> = self
            .routines
            .iter()
            .zip(&alternatives)
            .map(|(routine, alternatives)| {
                let parameters: &[&str] = if routine.has_parameter { &["p"] } else { &[] };
                (routine.name.as_str(), parameters, alternatives.as_slice())
            })
            .collect();
        let budget = Budget::new(Some(TIME), None);
        let input = Input {
            components: &components,
            fsp: &fsp,
            specification: "SPEC",
            routines: &routines,
            errors: false,
        };
        let shown = format!("{}\n{fsp}", texts.join("\n"));
        (Question::new(&input, budget), shown)
    }
}

fn options(levels: Levels, mode: Minimise) -> Options {
    Options {
        levels,
        minimise: MinimiseOptions {
            mode,
            ..MinimiseOptions::default()
        },
        ..Options::default()
    }
}

/// Whether a verdict is right; the reason if there is none.
fn check(
    case: &Case,
    answer: &Answer,
    question: &Question,
    levels: Levels,
    verdict: &CegarVerdict,
) -> Result<(), Option<String>> {
    match verdict {
        CegarVerdict::Unknown(reason) => Err(Some(reason.clone())),
        CegarVerdict::Conforms if answer.violation.is_none() => Ok(()),
        CegarVerdict::Conforms => Err(None),
        CegarVerdict::Violates(violation) => {
            let trace = question.actions.names(&violation.trace);
            let observed: Vec<String> = trace
                .iter()
                .filter(|action| case.specification.alphabet.contains(*action))
                .cloned()
                .collect();
            let is_right = answer.is_shortest(&trace, levels)
                && answer.composition.accepts(&trace)
                && !case.specification.accepts(&observed);
            if is_right { Ok(()) } else { Err(None) }
        }
    }
}

/// What was asked and answered.
#[derive(Default)]
struct Counts {
    questions: usize,
    unknown: usize,
    programs: usize,
    violating: usize,
    skipped: usize,
}

fn ask(seed: u64, ways: &[(Levels, Minimise)], counts: &mut Counts) {
    let Some(case) = case(seed) else {
        counts.skipped += 1;
        return;
    };
    counts.programs += 1;
    for (index, &(levels, mode)) in ways.iter().enumerate() {
        let (mut question, text) = case.question();
        let Some(answer) = case.answer(&question) else {
            counts.skipped += 1;
            return;
        };
        counts.violating += usize::from(index == 0 && answer.violation.is_some());
        let (verdict, _) = question.run(Property::Conformance, &options(levels, mode));
        counts.questions += 1;
        let Err(wrong) = check(&case, &answer, &question, levels, &verdict) else {
            continue;
        };
        if let Some(reason) = wrong {
            counts.unknown += 1;
            eprintln!("seed {seed}, {levels:?}, {mode:?}: unknown: {reason}\n{text}");
            continue;
        }
        let found = match &verdict {
            CegarVerdict::Violates(violation) => question.actions.names(&violation.trace).join(" "),
            _ => "conforms".to_owned(),
        };
        let expected = answer.violation;
        panic!("seed {seed}, {levels:?}, {mode:?}: {found}; by enumeration {expected:?}\n{text}");
    }
}

#[test]
fn agree_with_enumeration() {
    let all: Vec<(Levels, Minimise)> = Levels::ALL
        .into_iter()
        .flat_map(|levels| Minimise::ALL.map(|mode| (levels, mode)))
        .collect();
    let mut counts = Counts::default();
    for seed in seeds(0, 40) {
        // All ways are tried on some programs, one at each level on the others.
        let turn = seed as usize;
        let ways = match seed % 10 {
            0 => all.clone(),
            _ => vec![all[turn % all.len()], (Levels::Both, Minimise::Optimal)],
        };
        ask(seed, &ways, &mut counts);
    }
    let Counts {
        questions,
        unknown,
        programs,
        violating,
        skipped,
    } = counts;
    eprintln!(
        "{questions} questions on {programs} programs, {violating} do not conform; {unknown} unknown, {skipped} too large"
    );
    assert!(unknown * 20 <= questions, "{unknown} of {questions} are unknown");
    assert!(
        violating * 5 > programs && violating * 5 < programs * 4,
        "{violating} of {programs} do not conform"
    );
}

/// Two components that wait for each other.
#[test]
fn agree_on_deadlocks() {
    let (mut asked, mut unknown, mut stuck) = (0, 0, 0);
    for seed in seeds(0, 120) {
        let Some(case) = case(seed).filter(|case| case.programs.len() == 2) else {
            continue;
        };
        let (mut question, text) = case.question();
        let systems = case.systems_with_alphabets(&question);
        // One of them may be a daemon, or both.
        let daemons = [seed % 4 == 1, seed % 6 == 1];
        for (component, is_daemon) in question.components.iter_mut().zip(daemons) {
            component.is_daemon = is_daemon;
        }
        let deadlocks =
            |trace: Option<&[String]>| systems[0].deadlocks(&systems[1], daemons, trace, MAX_PRODUCT * 8);
        let Some(expected) = deadlocks(None) else { continue };
        let mode = Minimise::ALL[(seed % 4) as usize];
        let (verdict, _) = question.run(Property::DeadlockFreedom, &options(Levels::Both, mode));
        asked += 1;
        stuck += usize::from(expected);
        match verdict {
            CegarVerdict::Unknown(reason) => {
                unknown += 1;
                eprintln!("seed {seed}: unknown: {reason}");
            }
            CegarVerdict::Conforms => assert!(!expected, "seed {seed}: there is a deadlock\n{text}"),
            CegarVerdict::Violates(violation) => {
                let trace = question.actions.names(&violation.trace);
                assert!(expected, "seed {seed}: there is no deadlock: {trace:?}\n{text}");
                assert_eq!(
                    deadlocks(Some(&trace)),
                    Some(true),
                    "seed {seed}: no deadlock after {trace:?}\n{text}"
                );
            }
        }
    }
    eprintln!("{asked} questions, {stuck} with a deadlock, {unknown} unknown");
    assert!(
        unknown * 20 <= asked && stuck * 40 > asked && stuck < asked,
        "{asked} {stuck} {unknown}"
    );
}

/// Temporal formulas about one component or two, with and without fairness.
#[test]
fn agree_on_temporal_properties() {
    let (mut asked, mut unknown, mut violated) = (0, 0, 0);
    for seed in seeds(0, 60) {
        let Some(case) = case(seed) else { continue };
        let (mut question, text) = case.question();
        let Some(composition) = composed(&case.systems_with_alphabets(&question)) else {
            continue;
        };
        let mut numbers = Random::new(seed ^ 0x5eed);
        let actions: Vec<String> = composition
            .alphabet
            .iter()
            .filter(|action| !action.contains("other"))
            .cloned()
            .collect();
        if actions.is_empty() {
            continue;
        }
        let fluents = random_fluents(&mut numbers, &actions);
        for is_fair in [false, true] {
            let formula = match is_fair {
                true => Formula::random_fair(&mut numbers, &actions),
                false => Formula::random(&mut numbers, &actions, &fluents, 3, &mut 3),
            };
            let Some(expected) = is_violated(&composition, &formula, &fluents, is_fair, MAX_TEMPORAL) else {
                continue;
            };
            let mut fsp = format!("assert A = {}\n", formula.text());
            for (number, fluent) in fluents.iter().enumerate() {
                let Fluent {
                    initiating,
                    terminating,
                    initially,
                } = fluent;
                let initially = i32::from(*initially);
                fsp.push_str(&format!(
                    "fluent F{number} = <{initiating}, {terminating}> initially {initially}\n"
                ));
            }
            asked += 1;
            violated += usize::from(expected);
            match question.ask_temporal(&fsp, "A", is_fair) {
                CegarVerdict::Unknown(reason) => {
                    unknown += 1;
                    if std::env::var_os("CONFORM_PROGRESS").is_some() {
                        eprintln!("seed {seed}: unknown: {reason}");
                    }
                }
                CegarVerdict::Conforms => assert!(!expected, "seed {seed}: it is violated\n{fsp}{text}"),
                CegarVerdict::Violates(violation) => {
                    let trace = question.actions.names(&violation.trace);
                    assert!(expected, "seed {seed}: it holds: {trace:?}\n{fsp}{text}");
                    assert!(composition.accepts(&trace), "seed {seed}: {trace:?}\n{fsp}{text}");
                }
            }
        }
    }
    eprintln!("{asked} questions, {violated} violated, {unknown} unknown");
    assert!(
        unknown * 2 <= asked && violated * 10 > asked && violated < asked,
        "{asked} {violated} {unknown}"
    );
}
