//! How many random inputs a test has.

use std::ops::Range;

/// The seeds of a test: `usual` many from `first` on, times `LARIAT_RANDOM_FACTOR` in long runs. `LARIAT_SEED=n` asks for one
/// of them, `LARIAT_SEED=m..n` for a range.
pub fn seeds(first: u64, usual: u64) -> Range<u64> {
    let number = |text: &str| text.parse::<u64>().expect("a seed is a number");
    match std::env::var("LARIAT_SEED") {
        Ok(text) => match text.split_once("..") {
            Some((first, end)) => number(first)..number(end),
            None => number(&text)..number(&text) + 1,
        },
        Err(_) => first..first + usual * factor(),
    }
}

/// Whether seeds were chosen by hand: then there may be too few for shares and totals to mean anything.
pub fn are_chosen() -> bool {
    std::env::var_os("LARIAT_SEED").is_some()
}

/// `LARIAT_RANDOM_FACTOR`, or 1.
pub fn factor() -> u64 {
    let factor = std::env::var("LARIAT_RANDOM_FACTOR").ok();
    factor.map_or(1, |text| text.parse().expect("LARIAT_RANDOM_FACTOR is a number"))
}

/// Whether everything is tried in every way: `LARIAT_FULL_MATRIX`, which nightly runs set.
pub fn full_matrix() -> bool {
    std::env::var_os("LARIAT_FULL_MATRIX").is_some()
}
