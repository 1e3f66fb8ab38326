//! The unfolding of the call graph as a graph: nodes are inlined procedures, edges are call sites.
//!
//! | [Dag15] | here |
//! |---|---|
//! | `Node`, `Edge`, `Src`, `Dest` (Fig. 8) | [`Dag::nodes`], [`Dag::sites`], [`Site::caller`], [`Site::instance`] |
//! | Definition 2, consistency | [`Dag::is_consistent_by_definition`], for small graphs |
//! | Algorithm 1 | [`Dag::is_consistent`] for the whole graph, [`Dag::compatible`] for one more edge |
//!
//! Invariants: the graph is consistent, so an execution passes each node at most once; a node stands
//! for calls whose stacks count equally against the recursion bound (its [`Key`]), so a call site is
//! either within the bound for all executions that reach it or for none.

use std::fmt::Write as _;
use std::rc::Rc;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use rustc_hash::FxHashMap;

use crate::shape::Shape;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);
entity_impl!(InstanceId, "instance");

/// A call site of an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSiteId(u32);
entity_impl!(CallSiteId, "site");

/// What of a stack of unfinished calls counts against the bound: how often each procedure that can
/// be called again by the topmost one is on it, and its length if that is limited.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Key {
    counts: Rc<[(ProcId, u32)]>,
    depth: u32,
}

pub struct Node {
    pub proc: ProcId,
    key: Key,
    /// The call sites at which it is inlined; none for the root, one in a tree.
    pub parents: Vec<CallSiteId>,
    /// In the order of the procedure's call sites.
    pub sites: Vec<CallSiteId>,
    shape: Rc<Shape>,
}

pub struct Site {
    pub caller: InstanceId,
    /// Its position among the caller's call sites.
    pub index: usize,
    pub callee: ProcId,
    pub instance: Option<InstanceId>,
    key: Key,
    /// Occurrences of the callee on the stack of unfinished calls, this one included.
    pub cost: u32,
}

impl Key {
    /// The length of the stack, if it is counted.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl Node {
    pub fn key(&self) -> &Key {
        &self.key
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

impl Site {
    /// Length of the stack of unfinished calls, if it is counted.
    pub fn depth(&self) -> u32 {
        self.key.depth
    }
}

pub struct Dag {
    pub nodes: PrimaryMap<InstanceId, Node>,
    pub sites: PrimaryMap<CallSiteId, Site>,
    calls: Rc<CallGraph>,
    count_stack: bool,
    /// The nodes of each procedure and key that may be shared, in the order in which they came up.
    alike: FxHashMap<(ProcId, Key), Vec<InstanceId>>,
    marks: Marks,
}

/// Marks on nodes and call sites that are wiped by counting up.
#[derive(Default)]
struct Marks {
    round: u32,
    /// Nodes below an edge that is not disjoint from the way to the call site.
    forbidden: SecondaryMap<InstanceId, u32>,
    ancestors: SecondaryMap<InstanceId, u32>,
    /// Call sites on a way to the call site, and itself.
    sites: SecondaryMap<CallSiteId, u32>,
    seen: SecondaryMap<InstanceId, u32>,
    seen_round: u32,
    stack: Vec<InstanceId>,
}

impl Dag {
    pub fn new(calls: Rc<CallGraph>, count_stack: bool) -> Self {
        Dag {
            nodes: PrimaryMap::new(),
            sites: PrimaryMap::new(),
            calls,
            count_stack,
            alike: FxHashMap::default(),
            marks: Marks::default(),
        }
    }

    pub fn root() -> InstanceId {
        InstanceId::new(0)
    }

    /// The root, for the entry procedure.
    pub fn add_root(&mut self, proc: ProcId, shape: Rc<Shape>) -> InstanceId {
        let counts = if self.calls.is_recursive(proc) {
            [(proc, 1)].into()
        } else {
            [].into()
        };
        let depth = u32::from(self.count_stack);
        self.add_node(proc, Key { counts, depth }, shape)
    }

    /// A new node for the callee of an open call site.
    pub fn add(&mut self, site: CallSiteId, shape: Rc<Shape>) -> InstanceId {
        let data = &self.sites[site];
        let node = self.add_node(data.callee, data.key.clone(), shape);
        self.bind(site, node);
        node
    }

    /// Inlines a call site at a node that is there already; see [`Dag::compatible`].
    pub fn bind(&mut self, site: CallSiteId, node: InstanceId) {
        debug_assert!(self.sites[site].instance.is_none());
        debug_assert_eq!(self.sites[site].callee, self.nodes[node].proc);
        self.sites[site].instance = Some(node);
        self.nodes[node].parents.push(site);
    }

    /// No other call site is to be inlined at the node: its condition is written in terms of those that
    /// are, so their Booleans and values would hold for every other one too.
    pub fn keep_private(&mut self, node: InstanceId) {
        let data = &self.nodes[node];
        if let Some(alike) = self.alike.get_mut(&(data.proc, data.key.clone())) {
            alike.retain(|&other| other != node);
        }
    }

    fn add_node(&mut self, proc: ProcId, key: Key, shape: Rc<Shape>) -> InstanceId {
        let id = self.nodes.next_key();
        let mut sites = Vec::with_capacity(shape.callees.len());
        for (index, &callee) in shape.callees.iter().enumerate() {
            let (site_key, cost) = self.called_key(proc, &key, callee);
            sites.push(self.sites.push(Site {
                caller: id,
                index,
                callee,
                instance: None,
                key: site_key,
                cost,
            }));
        }
        self.alike.entry((proc, key.clone())).or_default().push(id);
        self.nodes.push(Node {
            proc,
            key,
            parents: Vec::new(),
            sites,
            shape,
        })
    }

    /// The key of a call, and how often the callee is on the stack with it. Procedures that the callee
    /// cannot call are forgotten: a procedure on the stack that can be called again is in the callee's
    /// component of the call graph.
    pub fn called_key(&self, caller: ProcId, key: &Key, callee: ProcId) -> (Key, u32) {
        let depth = if self.count_stack { key.depth + 1 } else { 0 };
        let counts: Rc<[(ProcId, u32)]> = if !self.calls.is_recursive(callee) {
            [].into()
        } else if self.calls.component(caller) == self.calls.component(callee) {
            let mut counts = key.counts.to_vec();
            match counts.iter_mut().find(|(counted, _)| *counted == callee) {
                Some((_, count)) => *count += 1,
                None => counts.push((callee, 1)),
            }
            counts.sort_unstable();
            counts.into()
        } else {
            [(callee, 1)].into()
        };
        let cost = counts
            .iter()
            .find(|(counted, _)| *counted == callee)
            .map_or(1, |&(_, count)| count);
        (Key { counts, depth }, cost)
    }

    /// The open call sites of a procedure with this key.
    pub fn open_sites_of(&self, proc: ProcId, key: &Key) -> Vec<CallSiteId> {
        let matches = |site: &Site| site.instance.is_none() && site.callee == proc && site.key == *key;
        self.sites
            .iter()
            .filter(|(_, site)| matches(site))
            .map(|(id, _)| id)
            .collect()
    }

    /// The nodes at which the call site could be inlined so that the graph stays consistent, in the
    /// order in which they came up, at most `limit` of them.
    ///
    /// The new edge brings a common descendant to two edges of a node only if one of them is on the
    /// way to the call site (or the call site itself), and the other leads to a descendant of the new
    /// target. So whatever is below an edge that is not disjoint from the way to the call site is
    /// forbidden, and all ancestors are, and a candidate must have nothing forbidden below it.
    pub fn compatible(&mut self, site: CallSiteId, limit: usize) -> Vec<InstanceId> {
        let data = &self.sites[site];
        let Some(alike) = self.alike.get(&(data.callee, data.key.clone())) else {
            return Vec::new();
        };
        let alike = alike.clone();
        self.mark_forbidden(site);
        alike
            .into_iter()
            .filter(|&node| self.is_allowed(node))
            .take(limit)
            .collect()
    }

    fn mark_forbidden(&mut self, site: CallSiteId) {
        self.marks.round += 1;
        let round = self.marks.round;
        let mut up = vec![site];
        self.marks.sites[site] = round;
        while let Some(site) = up.pop() {
            let Site { caller, index, .. } = self.sites[site];
            let node = &self.nodes[caller];
            self.marks.ancestors[caller] = round;
            for (other, &sibling) in node.sites.iter().enumerate() {
                if other != index
                    && !node.shape.disjoint(index, other)
                    && let Some(target) = self.sites[sibling].instance
                    && self.marks.forbidden[target] != round
                {
                    self.marks.forbidden[target] = round;
                    self.marks.stack.push(target);
                }
            }
            for &parent in &node.parents {
                if self.marks.sites[parent] != round {
                    self.marks.sites[parent] = round;
                    up.push(parent);
                }
            }
        }
        // An ancestor's descendants are not forbidden as such, so only siblings' are followed.
        while let Some(node) = self.marks.stack.pop() {
            for &site in &self.nodes[node].sites {
                if let Some(target) = self.sites[site].instance
                    && self.marks.forbidden[target] != round
                {
                    self.marks.forbidden[target] = round;
                    self.marks.stack.push(target);
                }
            }
        }
    }

    /// Whether nothing forbidden is at the node or below it.
    fn is_allowed(&mut self, node: InstanceId) -> bool {
        let round = self.marks.round;
        let mut allowed = true;
        self.visit_descendants(node, |dag, node| {
            allowed &= dag.marks.forbidden[node] != round && dag.marks.ancestors[node] != round;
            allowed
        });
        allowed
    }

    /// Which of the call sites may be on one execution with this one.
    pub fn in_conflict(&mut self, site: CallSiteId, others: &[CallSiteId]) -> Vec<bool> {
        self.mark_forbidden(site);
        let round = self.marks.round;
        let conflict = |&other: &CallSiteId| {
            let Site { caller, index, .. } = self.sites[other];
            let node = &self.nodes[caller];
            let parts_here = |(position, on_the_way): (usize, &CallSiteId)| {
                self.marks.sites[*on_the_way] == round
                    && position != index
                    && !node.shape.disjoint(position, index)
            };
            self.marks.forbidden[caller] == round
                || (self.marks.ancestors[caller] == round && node.sites.iter().enumerate().any(parts_here))
        };
        others.iter().map(conflict).collect()
    }

    /// The number of nodes below a node, itself included.
    pub fn descendant_count(&mut self, node: InstanceId) -> usize {
        let mut count = 0;
        self.visit_descendants(node, |_, _| {
            count += 1;
            true
        });
        count
    }

    /// Visits the node and what is below it, each once, until `visit` says that it is enough.
    fn visit_descendants(&mut self, node: InstanceId, mut visit: impl FnMut(&Dag, InstanceId) -> bool) {
        self.marks.seen_round += 1;
        let round = self.marks.seen_round;
        let mut stack = std::mem::take(&mut self.marks.stack);
        stack.clear();
        stack.push(node);
        self.marks.seen[node] = round;
        while let Some(node) = stack.pop() {
            if !visit(self, node) {
                break;
            }
            for &site in &self.nodes[node].sites {
                if let Some(target) = self.sites[site].instance
                    && self.marks.seen[target] != round
                {
                    self.marks.seen[target] = round;
                    stack.push(target);
                }
            }
        }
        stack.clear();
        self.marks.stack = stack;
    }

    /// Algorithm 1 on the whole graph.
    pub fn is_consistent(&mut self) -> bool {
        let nodes: Vec<InstanceId> = self.nodes.keys().collect();
        for node in nodes {
            let targets: Vec<(usize, InstanceId)> = self.nodes[node]
                .sites
                .iter()
                .enumerate()
                .filter_map(|(index, &site)| Some((index, self.sites[site].instance?)))
                .collect();
            for (position, &(one, first)) in targets.iter().enumerate() {
                let mut below = Vec::new();
                self.visit_descendants(first, |_, node| {
                    below.push(node);
                    true
                });
                for &(other, second) in &targets[position + 1..] {
                    if self.nodes[node].shape.disjoint(one, other) {
                        continue;
                    }
                    let mut common = false;
                    self.visit_descendants(second, |_, node| {
                        common |= below.contains(&node);
                        !common
                    });
                    if common {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Definition 2 on the whole graph: any two configurations of a node diverge in blocks of which
    /// neither reaches the other. Exponential; `None` if there are more than `limit` configurations.
    pub fn is_consistent_by_definition(&self, limit: usize) -> Option<bool> {
        for node in self.nodes.keys() {
            let configurations = self.configurations(node, limit)?;
            for (position, one) in configurations.iter().enumerate() {
                for other in &configurations[position + 1..] {
                    // Both start at the root; where they part, they part in one node.
                    let parting = one.iter().zip(other).find(|(a, b)| a != b);
                    let Some((&a, &b)) = parting else {
                        return Some(false);
                    };
                    let (a, b) = (&self.sites[a], &self.sites[b]);
                    if !self.nodes[a.caller].shape.disjoint(a.index, b.index) {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }

    /// All paths from the root to a node, each as its call sites.
    fn configurations(&self, node: InstanceId, limit: usize) -> Option<Vec<Vec<CallSiteId>>> {
        let mut complete = Vec::new();
        let mut work: Vec<(InstanceId, Vec<CallSiteId>)> = vec![(node, Vec::new())];
        while let Some((node, path)) = work.pop() {
            if self.nodes[node].parents.is_empty() {
                complete.push(path.into_iter().rev().collect());
            } else {
                for &parent in &self.nodes[node].parents {
                    let mut longer = path.clone();
                    longer.push(parent);
                    work.push((self.sites[parent].caller, longer));
                }
            }
            if work.len() + complete.len() > limit {
                return None;
            }
        }
        Some(complete)
    }

    /// How many nodes the tree has that this graph stands for.
    pub fn tree_size(&self) -> f64 {
        let mut paths = SecondaryMap::<InstanceId, Option<f64>>::new();
        let mut total = 0.0;
        for node in self.topological_order() {
            let parents = &self.nodes[node].parents;
            let own = if parents.is_empty() {
                1.0
            } else {
                parents
                    .iter()
                    .filter_map(|&site| paths[self.sites[site].caller])
                    .sum()
            };
            paths[node] = Some(own);
            total += own;
        }
        total
    }

    /// The nodes, callers first.
    fn topological_order(&self) -> Vec<InstanceId> {
        let mut missing = SecondaryMap::<InstanceId, usize>::new();
        for (id, node) in self.nodes.iter() {
            missing[id] = node.parents.len();
        }
        let mut order: Vec<InstanceId> = self.nodes.keys().filter(|&id| missing[id] == 0).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for &site in &self.nodes[node].sites {
                if let Some(target) = self.sites[site].instance {
                    missing[target] -= 1;
                    if missing[target] == 0 {
                        order.push(target);
                    }
                }
            }
        }
        order
    }

    /// The graph in the language of Graphviz; open calls of one procedure in one node are one dashed edge.
    pub fn to_dot(&self, name: &dyn Fn(ProcId) -> String) -> String {
        let quote = |text: String| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut text = String::from("digraph unfolding {\n  node [shape=box, fontname=\"monospace\"];\n");
        for (id, node) in self.nodes.iter() {
            let _ = writeln!(text, "  {id} [label=\"{}\"];", quote(name(node.proc)));
            let mut open: Vec<ProcId> = Vec::new();
            for &site in &node.sites {
                match self.sites[site].instance {
                    Some(target) => {
                        let _ = writeln!(text, "  {id} -> {target};");
                    }
                    None => open.push(self.sites[site].callee),
                }
            }
            open.sort_unstable();
            open.dedup();
            for callee in open {
                let label = quote(name(callee));
                let _ = writeln!(text, "  \"{id}/{callee}\" [label=\"{label}\", style=dashed];");
                let _ = writeln!(text, "  {id} -> \"{id}/{callee}\" [style=dashed];");
            }
        }
        text.push_str("}\n");
        text
    }

    /// A call site as the stack of unfinished calls, the entry first; of several, the oldest.
    pub fn stack(&self, site: CallSiteId) -> Vec<ProcId> {
        let mut procs = vec![self.sites[site].callee];
        let mut current = Some(site);
        while let Some(site) = current {
            let caller = &self.nodes[self.sites[site].caller];
            procs.push(caller.proc);
            current = caller.parents.first().copied();
        }
        procs.reverse();
        procs
    }
}
