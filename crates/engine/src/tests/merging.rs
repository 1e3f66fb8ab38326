//! The merging strategies ([Dag15] §3.4) on graphs of whole programs.

use lariat_testkit::Random;

use super::programs::{Calls, Flow, Recursion, Resolved};
use crate::dag::{CallSiteId, Dag};
use crate::merge::{MergePolicy, Merger};
use crate::optimal::{OptimalDag, OptimalLimits};

const BOUND: u32 = 2;
const MOST_NODES: usize = 400;

fn merger(program: &Resolved, policy: MergePolicy, seed: u32) -> Merger {
    let optimal = OptimalDag::new(
        program.empty_dag(),
        program.ids[0],
        &mut |proc| Some(program.shape(proc)),
        &|_, cost, _| cost <= BOUND,
        OptimalLimits::default(),
    );
    assert!(optimal.is_some(), "the program is small");
    Merger::new(policy, seed, optimal.filter(|_| policy == MergePolicy::Opt))
}

fn inline(dag: &mut Dag, program: &Resolved, merger: &mut Merger, site: CallSiteId) {
    match merger.pick(dag, site) {
        Some(node) => dag.bind(site, node),
        None => {
            let shape = program.shape(dag.sites[site].callee);
            let node = dag.add(site, shape);
            merger.added(dag, node);
        }
    }
}

/// Everything within the bound is inlined, in the order in which it comes up or in any order.
fn inline_all(program: &Resolved, policy: MergePolicy, seed: u32, order: Option<&mut Random>) -> Option<Dag> {
    let mut dag = program.dag();
    let mut merger = merger(program, policy, seed);
    let mut order = order;
    loop {
        let open: Vec<CallSiteId> = dag
            .sites
            .iter()
            .filter(|(_, site)| site.instance.is_none() && site.cost <= BOUND)
            .map(|(id, _)| id)
            .collect();
        if open.is_empty() {
            return Some(dag);
        }
        let next = order.as_mut().map_or(0, |random| random.below(open.len()));
        inline(&mut dag, program, &mut merger, open[next]);
        if dag.nodes.len() > MOST_NODES {
            return None;
        }
    }
}

#[test]
fn every_strategy_keeps_the_graph_consistent() {
    let mut merged = 0;
    for seed in 0..250 {
        let recursion = if seed % 3 == 0 {
            Recursion::Allowed
        } else {
            Recursion::None
        };
        let random = &mut Random::new(seed);
        let program = Calls::random(random, recursion).resolve();
        let Some(tree) = inline_all(&program, MergePolicy::Tree, 0, None) else {
            continue;
        };
        for policy in MergePolicy::ALL {
            let Some(mut dag) = inline_all(&program, policy, seed as u32, Some(random)) else {
                panic!("{policy:?} is larger than the tree");
            };
            assert!(dag.is_consistent(), "{policy:?}, seed {seed}");
            assert_ne!(
                dag.is_consistent_by_definition(1_000),
                Some(false),
                "{policy:?}, seed {seed}"
            );
            assert!(dag.nodes.len() <= tree.nodes.len());
            // Every graph stands for the same calls.
            assert_eq!(
                dag.tree_size(),
                tree.nodes.len() as f64,
                "{policy:?}, seed {seed}"
            );
            merged += tree.nodes.len() - dag.nodes.len();
        }
    }
    assert!(merged > 500, "{merged}");
}

#[test]
fn the_optimal_graph_is_never_larger_than_that_of_the_first_compatible_node() {
    let mut smaller = 0;
    let mut larger = Vec::new();
    for seed in 5_000..6_000 {
        let program = Calls::random(&mut Random::new(seed), Recursion::None).resolve();
        let optimal = inline_all(&program, MergePolicy::Opt, 0, None);
        let first = inline_all(&program, MergePolicy::First, 0, None);
        let (Some(optimal), Some(first)) = (optimal, first) else {
            continue;
        };
        let (optimal, first) = (optimal.nodes.len(), first.nodes.len());
        smaller += usize::from(optimal < first);
        if optimal > first {
            larger.push((seed, optimal, first));
        }
    }
    assert!(larger.is_empty(), "seed, OPT, FIRST: {larger:?}");
    assert!(smaller >= 5, "OPT is smaller in {smaller} cases only");
}

/// [Dag15] Fig. 5 (a): of the blocks A to D, which call the same procedure, A reaches C and D, B reaches D.
fn figure_5() -> Resolved {
    let leaf = Flow {
        calls: vec![vec![]],
        successors: vec![vec![]],
    };
    let main = Flow {
        calls: vec![vec![], vec![1], vec![1], vec![1], vec![1]],
        successors: vec![vec![1, 2], vec![3, 4], vec![4], vec![], vec![]],
    };
    Calls(vec![main, leaf]).resolve()
}

#[test]
fn figure_5_conflict_graph() {
    let program = figure_5();
    let mut dag = program.dag();
    let sites = dag.nodes[Dag::root()].sites.clone();
    let conflicts: Vec<Vec<bool>> = sites.iter().map(|&site| dag.in_conflict(site, &sites)).collect();
    let (no, yes) = (false, true);
    // (b)
    assert_eq!(
        conflicts,
        [
            [no, no, yes, yes],
            [no, no, no, yes],
            [yes, no, no, no],
            [yes, yes, no, no]
        ]
    );
    let [a, b, c, d] = sites[..] else {
        panic!("four calls");
    };
    // (c): with B and C merged there is nothing more to merge.
    let leaf = program.shape(program.ids[1]);
    let merged = dag.add(b, leaf.clone());
    assert_eq!(dag.compatible(c, usize::MAX), [merged]);
    dag.bind(c, merged);
    assert_eq!(dag.compatible(a, usize::MAX), []);
    let of_a = dag.add(a, leaf.clone());
    assert_eq!(dag.compatible(d, usize::MAX), []);
    dag.add(d, leaf.clone());
    assert_eq!(dag.nodes.len(), 1 + 3);
    assert_ne!(of_a, merged);
    // (d): with A and B merged C and D can be.
    let mut dag = program.dag();
    let merged = dag.add(a, leaf.clone());
    assert_eq!(dag.compatible(b, usize::MAX), [merged]);
    dag.bind(b, merged);
    assert_eq!(dag.compatible(c, usize::MAX), []);
    let other = dag.add(c, leaf);
    assert_eq!(dag.compatible(d, usize::MAX), [other]);
}

#[test]
fn figure_5_by_strategy() {
    let program = figure_5();
    let nodes = |policy, order: [usize; 4]| {
        let mut dag = program.dag();
        let mut merger = merger(&program, policy, 0);
        let sites = dag.nodes[Dag::root()].sites.clone();
        for index in order {
            inline(&mut dag, &program, &mut merger, sites[index]);
        }
        assert!(dag.is_consistent());
        dag.nodes.len() - 1
    };
    assert_eq!(nodes(MergePolicy::Tree, [0, 1, 2, 3]), 4);
    assert_eq!(nodes(MergePolicy::First, [0, 1, 2, 3]), 2);
    // Who starts with B and C ends with three; the optimum is two whatever the order.
    assert_eq!(nodes(MergePolicy::First, [1, 2, 0, 3]), 3);
    assert_eq!(nodes(MergePolicy::Opt, [1, 2, 0, 3]), 2);
    assert_eq!(nodes(MergePolicy::Opt, [3, 1, 0, 2]), 2);
}
