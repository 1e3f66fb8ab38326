//! Configurations and the transition relation of [Dag15] §3.2, explicitly: the oracle of what the
//! graph computes from blocks alone.

use rustc_hash::FxHashMap;

use super::programs::{Calls, Resolved};
use crate::dag::{CallSiteId, Dag, InstanceId};

/// `b` or, after its statement, `bᵉ`. A label has at most one call: a block with several is several.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Point {
    proc: usize,
    label: usize,
    after: bool,
}

/// A call stack, the top last.
type Configuration = Vec<Point>;

struct Label {
    call: Option<usize>,
    successors: Vec<usize>,
}

/// All configurations of a program, and which reach which.
pub struct Configurations {
    labels: Vec<Vec<Label>>,
    /// For each procedure the label of each call site.
    site_labels: Vec<Vec<usize>>,
    index: FxHashMap<Configuration, usize>,
    /// For each configuration the bits of those that it reaches, itself included.
    reached: Vec<Vec<u64>>,
}

impl Configurations {
    /// `None` if there are more than `limit`.
    pub fn new(calls: &Calls, limit: usize) -> Option<Self> {
        let mut labels = Vec::new();
        let mut site_labels = Vec::new();
        for flow in &calls.0 {
            let mut first_label = Vec::new();
            let mut count = 0;
            for block in &flow.calls {
                first_label.push(count);
                count += block.len().max(1);
            }
            let mut own = Vec::new();
            let mut sites = Vec::new();
            for (block, block_calls) in flow.calls.iter().enumerate() {
                for position in 0..block_calls.len().max(1) {
                    let call = block_calls.get(position).copied();
                    if call.is_some() {
                        sites.push(own.len());
                    }
                    let is_last = position + 1 >= block_calls.len();
                    own.push(Label {
                        call,
                        successors: if is_last {
                            flow.successors[block].iter().map(|&to| first_label[to]).collect()
                        } else {
                            vec![own.len() + 1]
                        },
                    });
                }
            }
            labels.push(own);
            site_labels.push(sites);
        }
        let mut all = Configurations {
            labels,
            site_labels,
            index: FxHashMap::default(),
            reached: Vec::new(),
        };
        all.explore(limit).then_some(all)
    }

    /// The relation `;`, rules 1 to 4.
    fn steps(&self, configuration: &Configuration) -> Vec<Configuration> {
        let (&top, rest) = configuration.split_last().expect("a configuration has a top");
        let label = &self.labels[top.proc][top.label];
        let with = |points: &[Point]| [rest, points].concat();
        let behind = Point { after: true, ..top };
        match (top.after, label.call) {
            (false, None) => vec![with(&[behind])],
            (false, Some(callee)) => vec![with(&[behind, entry(callee)])],
            (true, _) if label.successors.is_empty() => {
                if rest.is_empty() {
                    Vec::new()
                } else {
                    vec![rest.to_vec()]
                }
            }
            (true, _) => label
                .successors
                .iter()
                .map(|&label| {
                    with(&[Point {
                        label,
                        after: false,
                        ..top
                    }])
                })
                .collect(),
        }
    }

    fn explore(&mut self, limit: usize) -> bool {
        let start = vec![entry(0)];
        self.index.insert(start.clone(), 0);
        let mut found = vec![start];
        let mut steps: Vec<Vec<usize>> = Vec::new();
        while let Some(configuration) = found.get(steps.len()) {
            let mut next = Vec::new();
            for successor in self.steps(configuration) {
                let fresh = found.len();
                let index = *self.index.entry(successor.clone()).or_insert(fresh);
                if index == fresh {
                    found.push(successor);
                }
                next.push(index);
            }
            steps.push(next);
            if found.len() > limit {
                return false;
            }
        }
        // The relation is acyclic (the first part of the proof of Lemma 1); what follows from a
        // configuration is finished before it.
        let words = found.len().div_ceil(64);
        self.reached = vec![Vec::new(); found.len()];
        let mut stack = vec![0];
        while let Some(&current) = stack.last() {
            let missing = steps[current].iter().find(|&&next| self.reached[next].is_empty());
            if let Some(&next) = missing {
                assert!(!stack.contains(&next), "a configuration reaches itself");
                stack.push(next);
                continue;
            }
            stack.pop();
            let mut bits = vec![0u64; words];
            bits[current / 64] |= 1 << (current % 64);
            for &next in &steps[current] {
                for (word, &more) in bits.iter_mut().zip(&self.reached[next]) {
                    *word |= more;
                }
            }
            self.reached[current] = bits;
        }
        true
    }

    /// `Disj(c₁, c₂)`: neither reaches the other.
    pub fn disjoint(&self, one: usize, other: usize) -> bool {
        let reaches = |from: usize, to: usize| self.reached[from][to / 64] >> (to % 64) & 1 == 1;
        !reaches(one, other) && !reaches(other, one)
    }

    /// Definition 2.
    pub fn is_consistent(&self, dag: &Dag, program: &Resolved) -> bool {
        self.of_nodes(dag, program).values().all(|configurations| {
            configurations.iter().enumerate().all(|(position, &one)| {
                configurations[position + 1..]
                    .iter()
                    .all(|&other| self.disjoint(one, other))
            })
        })
    }

    /// `conf(n)` for each node.
    fn of_nodes(&self, dag: &Dag, program: &Resolved) -> FxHashMap<InstanceId, Vec<usize>> {
        let mut found: FxHashMap<InstanceId, Vec<usize>> = FxHashMap::default();
        for (node, returns) in self.paths(dag, program) {
            let top = entry(program.position(dag.nodes[node].proc));
            let index = self.index[&[returns, vec![top]].concat()];
            found.entry(node).or_default().push(index);
        }
        found
    }

    /// The configurations in which the call of a call site is about to be made, for each call site.
    pub fn of_sites(&self, dag: &Dag, program: &Resolved) -> FxHashMap<CallSiteId, Vec<usize>> {
        let mut found: FxHashMap<CallSiteId, Vec<usize>> = FxHashMap::default();
        for (node, returns) in self.paths(dag, program) {
            for &site in &dag.nodes[node].sites {
                let top = Point {
                    after: false,
                    ..self.return_point(dag, program, site)
                };
                let index = self.index[&[returns.clone(), vec![top]].concat()];
                found.entry(site).or_default().push(index);
            }
        }
        found
    }

    /// All ways from the root, each with the node at its end and its return points.
    fn paths(&self, dag: &Dag, program: &Resolved) -> Vec<(InstanceId, Vec<Point>)> {
        let mut all = Vec::new();
        let mut work = vec![(Dag::root(), Vec::new())];
        while let Some((node, returns)) = work.pop() {
            for &site in &dag.nodes[node].sites {
                if let Some(target) = dag.sites[site].instance {
                    let mut longer = returns.clone();
                    longer.push(self.return_point(dag, program, site));
                    work.push((target, longer));
                }
            }
            all.push((node, returns));
        }
        all
    }

    fn return_point(&self, dag: &Dag, program: &Resolved, site: CallSiteId) -> Point {
        let site = &dag.sites[site];
        let proc = program.position(dag.nodes[site.caller].proc);
        Point {
            proc,
            label: self.site_labels[proc][site.index],
            after: true,
        }
    }
}

fn entry(proc: usize) -> Point {
    Point {
        proc,
        label: 0,
        after: false,
    }
}
