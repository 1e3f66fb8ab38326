//! Sizes of fully inlined programs by merging strategy.

mod support;

use std::time::Duration;

use lariat_base::{Budget, Exhausted};
use lariat_engine::{ExpandPolicy, FullInlining, Incomplete, MergePolicy, OptimalLimits, SearchOptions};

const MOST_NODES: usize = 10_000;

fn full(text: &str, max_bound: u32) -> FullInlining {
    let options = SearchOptions {
        expand: ExpandPolicy::Eager,
        max_bound,
        unavoidable: false,
        solver_options: Vec::new(),
        check_dag: true,
        ..SearchOptions::default()
    };
    FullInlining::new(support::problem(text), options, &Budget::unlimited()).expect("no limit")
}

fn size(full: &FullInlining, merge: MergePolicy) -> usize {
    let mut dag = full
        .grow(merge, 7, MOST_NODES, &Budget::unlimited())
        .expect("it is small");
    assert!(dag.is_consistent(), "{merge:?}");
    assert_eq!(dag.is_consistent_by_definition(10_000), Some(true), "{merge:?}");
    // Whatever shares nodes stands for the same tree.
    assert_eq!(dag.tree_size(), tree_size(full), "{merge:?}");
    dag.nodes.len()
}

fn tree_size(full: &FullInlining) -> f64 {
    full.tree_size(OptimalLimits::default(), &Budget::unlimited())
        .expect("it is small")
}

fn optimal_size(full: &FullInlining) -> usize {
    let mut optimal = full
        .optimal(OptimalLimits::default(), &Budget::unlimited())
        .expect("it is small");
    assert_eq!(optimal.dag().is_consistent_by_definition(10_000), Some(true));
    assert_eq!(optimal.dag().tree_size(), tree_size(full));
    optimal.size()
}

/// [Dag15] Fig. 5 (a): `A` and `B` exclude each other, and so do `C` and `D`; `A` goes on to `C`, `B` to
/// either. Merging `B` or `A` with what it excludes among the other two would spoil the rest.
const FIGURE_5: &str = "
    var g: int;
    procedure callee() { if (*) { assume g > 1; g := g - 1; } else { assume g < 1; g := g + 1; } }
    procedure main() {
        goto A, B;
        A: call callee(); goto C;
        B: call callee(); goto C, D;
        C: call callee(); return;
        D: call callee(); return;
    }";

#[test]
fn figure_5_needs_two_instances_of_the_callee() {
    let full = full(FIGURE_5, 1);
    assert_eq!(tree_size(&full), 5.0);
    assert_eq!(size(&full, MergePolicy::Tree), 5);
    assert_eq!(optimal_size(&full), 3);
    assert_eq!(size(&full, MergePolicy::First), 3);
    let random = size(&full, MergePolicy::Randompick);
    assert!((3..=4).contains(&random), "{random}");
}

/// [Dag15] Fig. 2, with a `g` that no pass can compute.
fn chain(length: usize) -> String {
    let mut text = "var g: int; procedure main() { if (*) { call P0(); } else { call P0(); } }".to_owned();
    for index in 0..length {
        let next = index + 1;
        text += &format!(
            "procedure P{index}() {{ g := g + 1; if (*) {{ call P{next}(); }} else {{ call P{next}(); }} }}"
        );
    }
    text + &format!(
        "procedure P{length}() {{ if (*) {{ assume g == {length}; }} else {{ assume g == -1; }} }}"
    )
}

#[test]
fn figure_2_is_a_chain_of_nodes_and_a_full_binary_tree() {
    let full = full(&chain(8), 1);
    for merge in [MergePolicy::First, MergePolicy::Maxc, MergePolicy::Randompick] {
        assert_eq!(size(&full, merge), 8 + 2, "{merge:?}");
    }
    assert_eq!(optimal_size(&full), 8 + 2);
    assert_eq!(size(&full, MergePolicy::Tree), (1 << 10) - 1);
}

#[test]
fn the_bound_ends_recursion() {
    let text = "
        procedure main() { if (*) { call even(); } else { call odd(); } }
        procedure even() { if (*) { call odd(); } }
        procedure odd() { if (*) { call even(); } }";
    for bound in 1..=4 {
        let full = full(text, bound);
        // Two chains that alternate until either procedure has been called as often as it may.
        assert_eq!(tree_size(&full), f64::from(4 * bound + 1), "bound {bound}");
        assert_eq!(size(&full, MergePolicy::Tree), 4 * bound as usize + 1);
        assert!(size(&full, MergePolicy::First) <= 4 * bound as usize + 1);
    }
}

#[test]
fn limits_are_obeyed() {
    let full = full(&chain(30), 1);
    let nodes = full.grow(MergePolicy::Tree, 0, 500, &Budget::unlimited());
    assert_eq!(nodes.err(), Some(Incomplete::TooLarge));
    let over = Budget::new(Some(Duration::ZERO), None);
    let time = full.grow(MergePolicy::First, 0, 500, &over);
    assert_eq!(time.err(), Some(Incomplete::Exhausted(Exhausted::Time)));
    let optimal = full.optimal(OptimalLimits::default(), &over);
    assert_eq!(optimal.err(), Some(Incomplete::Exhausted(Exhausted::Time)));
    // It is never made, so that it may be as large as it likes.
    assert_eq!(tree_size(&full), (2f64).powi(32) - 1.0);
}
