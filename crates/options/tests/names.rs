//! A word has one name: on the command line, in settings, in JSON and in messages.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use lariat_options::{
    Check, CheckSelector, Configuration, Engine, FailureKind, Integers, Levels, LogStage, Machine,
    MergePolicy, Minimise, Structure, Switch, TraceDetail,
};
use serde::Serialize;

fn has_one_name<T>(word: T, name: &str)
where
    T: Serialize + Display + FromStr + PartialEq + Debug,
{
    assert_eq!(serde_json::to_value(&word).expect("serialised"), name);
    assert_eq!(word.to_string(), name);
    assert_eq!(name.parse::<T>().ok(), Some(word));
}

macro_rules! all_have_one_name {
    ($($words:ident),*) => { $(for word in $words::ALL { has_one_name(word, word.name()); })* };
}

#[test]
fn every_word_has_one_name() {
    all_have_one_name!(
        Check,
        Configuration,
        Engine,
        FailureKind,
        Integers,
        Levels,
        LogStage,
        Machine,
        MergePolicy,
        Minimise,
        Structure,
        Switch,
        TraceDetail
    );
}

/// The JSON form is stable.
#[test]
fn names_with_several_words_or_signs_stay() {
    assert_eq!(Check::UseAfterFree.name(), "use-after-free");
    assert_eq!(Integers::BitVectors.name(), "bit-vectors");
    assert_eq!(Machine::Lp64.name(), "lp64");
    assert_eq!(MergePolicy::Randompick.name(), "randompick");
    assert_eq!(Configuration::DefaultHarness.name(), "default+harness");
    assert_eq!(FailureKind::VariableNonzero.name(), "variable-nonzero");
    assert!("bitvectors".parse::<Integers>().is_err());
}

#[test]
fn lists_of_all_are_in_the_order_of_definition_and_have_each_once() {
    assert!(Check::ALL.is_sorted());
    assert_eq!(Check::ALL.len(), 16);
    assert_eq!(Engine::ALL[0], Engine::Stratified);
    assert_eq!(Engine::ALL[7], Engine::Paths);
}

#[test]
fn checks_are_selected_one_by_one_and_in_groups() {
    let selected = |words: &str| {
        let selectors: Result<Vec<CheckSelector>, _> = words.split(',').map(str::parse).collect();
        selectors.map(|selectors| CheckSelector::selected(&selectors))
    };
    assert_eq!(
        selected("overflow,reach"),
        Ok(vec![Check::Reach, Check::Overflow])
    );
    assert_eq!(selected("memory"), Ok(Check::MEMORY.to_vec()));
    assert_eq!(selected("leak,all"), Ok(Check::ALL.to_vec()));
    assert!(selected("memry").is_err());
    for (name, selector) in CheckSelector::named() {
        assert_eq!(name.parse(), Ok(selector));
    }
}

#[test]
fn each_check_fails_in_its_own_way() {
    let mut kinds = Check::ALL.map(Check::failure).to_vec();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), Check::ALL.len());
}

#[cfg(feature = "clap")]
#[test]
fn values_of_flags_have_the_same_names_and_help() {
    use clap::ValueEnum;
    for (name, selector) in CheckSelector::named() {
        let value = selector.to_possible_value().expect("a value");
        assert_eq!(value.get_name(), name);
        assert!(value.get_help().is_some(), "{name}");
    }
    for configuration in Configuration::ALL {
        let value = configuration.to_possible_value().expect("a value");
        assert_eq!(value.get_name(), configuration.name());
    }
}
