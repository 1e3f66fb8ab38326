//! Definition 2, Algorithm 1 and the incremental check agree, with each other and with explicit
//! configurations.

use super::configurations::Configurations;
use lariat_testkit::Random;

use super::programs::{Calls, Recursion, Resolved};
use crate::dag::{CallSiteId, Dag, InstanceId};

/// Configurations of one program.
const MOST_CONFIGURATIONS: usize = 3_000;
/// Nodes of a graph under test.
const MOST_NODES: usize = 30;
const BOUND: u32 = 2;

/// What is said about one graph, by everyone who can say it.
struct Opinions {
    by_algorithm: bool,
    by_definition: Option<bool>,
    by_configurations: Option<bool>,
}

impl Opinions {
    fn of(dag: &mut Dag, program: &Resolved, configurations: Option<&Configurations>) -> Self {
        Opinions {
            by_algorithm: dag.is_consistent(),
            by_definition: dag.is_consistent_by_definition(10_000),
            by_configurations: configurations.map(|all| all.is_consistent(dag, program)),
        }
    }

    /// The one opinion.
    fn agreed(&self, calls: &Calls) -> bool {
        let others = self.by_definition.iter().chain(&self.by_configurations);
        for &other in others {
            assert_eq!(
                (self.by_algorithm, self.by_definition, self.by_configurations),
                (
                    other,
                    self.by_definition.map(|_| other),
                    self.by_configurations.map(|_| other)
                ),
                "Algorithm 1, Definition 2, configurations: {calls:#?}"
            );
        }
        self.by_algorithm
    }
}

fn open_sites(dag: &Dag) -> Vec<CallSiteId> {
    let open = dag
        .sites
        .iter()
        .filter(|(_, site)| site.instance.is_none() && site.cost <= BOUND);
    open.map(|(id, _)| id).collect()
}

/// The nodes that stand for calls like the one at the call site.
fn alike(dag: &Dag, site: CallSiteId) -> Vec<InstanceId> {
    let data = &dag.sites[site];
    let caller = &dag.nodes[data.caller];
    let (key, _) = dag.called_key(caller.proc, caller.key(), data.callee);
    let is_alike = |&node: &InstanceId| dag.nodes[node].proc == data.callee && *dag.nodes[node].key() == key;
    dag.nodes.keys().filter(is_alike).collect()
}

fn unbind(dag: &mut Dag, site: CallSiteId, node: InstanceId) {
    dag.sites[site].instance = None;
    dag.nodes[node].parents.pop();
}

/// How often a node was offered and how often it was not.
#[derive(Default, Debug)]
struct Seen {
    offered: usize,
    withheld: usize,
    disjoint: usize,
    conflicts: usize,
}

/// Grows a graph call by call; before each, every node that could be shared is tried.
fn grow(random: &mut Random, recursion: Recursion, seen: &mut Seen) {
    let calls = Calls::random(random, recursion);
    let configurations = match recursion {
        Recursion::None => match Configurations::new(&calls, MOST_CONFIGURATIONS) {
            Some(configurations) => Some(configurations),
            None => return,
        },
        Recursion::Allowed => None,
    };
    let program = calls.resolve();
    let mut dag = program.dag();
    loop {
        let open = open_sites(&dag);
        if open.is_empty() || dag.nodes.len() >= MOST_NODES {
            break;
        }
        let site = open[random.below(open.len())];
        let offered = dag.compatible(site, usize::MAX);
        for node in alike(&dag, site) {
            dag.bind(site, node);
            let consistent = Opinions::of(&mut dag, &program, configurations.as_ref()).agreed(&calls);
            unbind(&mut dag, site, node);
            assert_eq!(
                offered.contains(&node),
                consistent,
                "{site} at {node} in {}\n{calls:#?}",
                dag.to_dot(&|proc| proc.to_string())
            );
            if consistent {
                seen.offered += 1;
            } else {
                seen.withheld += 1;
            }
        }
        if let Some(configurations) = &configurations {
            conflicts_are_those_of_configurations(&mut dag, &program, configurations, site, seen);
        }
        if offered.is_empty() || random.below(4) == 0 {
            let shape = program.shape(dag.sites[site].callee);
            dag.add(site, shape);
        } else {
            dag.bind(site, offered[random.below(offered.len())]);
        }
        assert!(Opinions::of(&mut dag, &program, configurations.as_ref()).agreed(&calls));
    }
}

/// Two call sites are in conflict if configurations of theirs are not disjoint.
fn conflicts_are_those_of_configurations(
    dag: &mut Dag,
    program: &Resolved,
    configurations: &Configurations,
    site: CallSiteId,
    seen: &mut Seen,
) {
    let of_sites = configurations.of_sites(dag, program);
    let others: Vec<CallSiteId> = dag.sites.keys().filter(|&other| other != site).collect();
    let found = dag.in_conflict(site, &others);
    for (&other, &found) in others.iter().zip(&found) {
        // A call on the way to the other is on every execution with it.
        let is_above = |above: CallSiteId, below: CallSiteId| is_on_the_way(dag, above, below);
        if is_above(site, other) || is_above(other, site) {
            continue;
        }
        let all_disjoint = of_sites[&site].iter().all(|&one| {
            of_sites[&other]
                .iter()
                .all(|&two| configurations.disjoint(one, two))
        });
        assert_eq!(found, !all_disjoint, "{site} and {other}");
        if found {
            seen.conflicts += 1;
        } else {
            seen.disjoint += 1;
        }
    }
}

/// Whether a way from the root to `below` takes `above`.
fn is_on_the_way(dag: &Dag, above: CallSiteId, below: CallSiteId) -> bool {
    let mut work = vec![dag.sites[below].caller];
    while let Some(node) = work.pop() {
        for &parent in &dag.nodes[node].parents {
            if parent == above {
                return true;
            }
            work.push(dag.sites[parent].caller);
        }
    }
    false
}

#[test]
fn a_node_is_offered_exactly_if_sharing_it_keeps_the_graph_consistent() {
    let mut seen = Seen::default();
    for seed in 0..400 {
        grow(&mut Random::new(seed), Recursion::None, &mut seen);
    }
    assert!(seen.offered > 500 && seen.withheld > 500, "{seen:?}");
    assert!(seen.conflicts > 500 && seen.disjoint > 500, "{seen:?}");
}

#[test]
fn with_recursion_the_node_must_count_as_the_call_does() {
    let mut seen = Seen::default();
    for seed in 1_000..1_200 {
        grow(&mut Random::new(seed), Recursion::Allowed, &mut seen);
    }
    assert!(seen.offered > 500 && seen.withheld > 500, "{seen:?}");
}

#[test]
fn algorithm_and_definition_agree_on_graphs_of_any_kind() {
    let mut counts = [0, 0];
    for seed in 2_000..2_400 {
        let random = &mut Random::new(seed);
        let calls = Calls::random(random, Recursion::None);
        let Some(configurations) = Configurations::new(&calls, MOST_CONFIGURATIONS) else {
            continue;
        };
        let program = calls.resolve();
        let mut dag = program.dag();
        while let Some(&site) = open_sites(&dag).first() {
            let nodes = alike(&dag, site);
            if nodes.is_empty() || random.below(2) == 0 {
                let shape = program.shape(dag.sites[site].callee);
                dag.add(site, shape);
            } else {
                dag.bind(site, nodes[random.below(nodes.len())]);
            }
            if dag.nodes.len() >= MOST_NODES {
                break;
            }
        }
        let consistent = Opinions::of(&mut dag, &program, Some(&configurations)).agreed(&calls);
        counts[usize::from(consistent)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// Lemma 1, and that it is precise: where two configurations part, their blocks decide.
#[test]
fn blocks_decide_whether_configurations_are_disjoint() {
    let mut counts = [0, 0];
    for seed in 3_000..3_150 {
        let random = &mut Random::new(seed);
        let calls = Calls::random(random, Recursion::None);
        let Some(configurations) = Configurations::new(&calls, MOST_CONFIGURATIONS) else {
            continue;
        };
        let program = calls.resolve();
        // In the tree every call site has one configuration.
        let mut dag = program.dag();
        while let Some(&site) = open_sites(&dag).first() {
            let shape = program.shape(dag.sites[site].callee);
            dag.add(site, shape);
            if dag.nodes.len() >= MOST_NODES {
                break;
            }
        }
        let of_sites = configurations.of_sites(&dag, &program);
        let stack = |site: CallSiteId| -> Vec<CallSiteId> {
            let up = |&site: &CallSiteId| dag.nodes[dag.sites[site].caller].parents.first().copied();
            let mut stack: Vec<CallSiteId> = std::iter::successors(Some(site), up).collect();
            stack.reverse();
            stack
        };
        for one in dag.sites.keys() {
            for two in dag.sites.keys() {
                let (a, b) = (stack(one), stack(two));
                // If neither is on the way to the other they part in one node.
                let Some((&a, &b)) = a.iter().zip(&b).find(|(a, b)| a != b) else {
                    continue;
                };
                let (a, b) = (&dag.sites[a], &dag.sites[b]);
                let disjoint = dag.nodes[a.caller].shape().disjoint(a.index, b.index);
                assert_eq!(
                    disjoint,
                    configurations.disjoint(of_sites[&one][0], of_sites[&two][0]),
                    "{one} and {two}: {calls:#?}"
                );
                counts[usize::from(disjoint)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 1_000), "{counts:?}");
}
