//! `OPT`: the best graph for the whole program, computed before anything is inlined ([Dag15] §3.4).
//!
//! Callers come before callees: once all nodes that call a procedure are there, the calls of it are
//! the vertices of its conflict graph (two calls that may be on one execution are joined), and a
//! colouring with the fewest colours gives the nodes. This keeps every set of merged calls merged
//! below as well, which colouring the instances of the tree one procedure at a time would not, and it
//! never makes the tree. It is optimal procedure by procedure.

use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use lariat_ir::ProcId;
use rustc_hash::FxHashMap;

use crate::colouring::colour;
use crate::dag::{CallSiteId, Dag, InstanceId, Key};
use crate::shape::Shape;

/// The graph of the whole program, and how the graph under construction lies in it.
pub struct OptimalDag {
    optimal: Dag,
    /// For each node of the graph under construction its place.
    place: SecondaryMap<InstanceId, Option<InstanceId>>,
    /// For each place the node there.
    node_at: SecondaryMap<InstanceId, Option<InstanceId>>,
}

/// How far the computation may go.
#[derive(Clone, Copy, Debug)]
pub struct OptimalLimits {
    pub nodes: usize,
    /// Calls of one procedure: the conflict graph has their square as its size.
    pub calls: usize,
}

impl Default for OptimalLimits {
    fn default() -> Self {
        OptimalLimits {
            nodes: 50_000,
            calls: 5_000,
        }
    }
}

impl OptimalDag {
    /// `None` if the limits are too small. `within_bound` says which call sites may be inlined.
    pub fn new(
        mut optimal: Dag,
        entry: ProcId,
        shape_of: &mut dyn FnMut(ProcId) -> Option<Rc<Shape>>,
        within_bound: &dyn Fn(ProcId, u32, u32) -> bool,
        limits: OptimalLimits,
    ) -> Option<Self> {
        optimal.add_root(entry, shape_of(entry)?);
        for (proc, key) in classes_callers_first(&optimal, shape_of, within_bound, limits)? {
            let calls: Vec<CallSiteId> = optimal.open_sites_of(proc, &key);
            if calls.len() > limits.calls {
                return None;
            }
            let conflicts: Vec<Vec<bool>> = calls
                .iter()
                .map(|&call| optimal.in_conflict(call, &calls))
                .collect();
            let mut node_of_colour: FxHashMap<usize, InstanceId> = FxHashMap::default();
            for (&call, colour) in calls.iter().zip(colour(&conflicts)) {
                match node_of_colour.get(&colour) {
                    Some(&node) => optimal.bind(call, node),
                    None => {
                        let node = optimal.add(call, shape_of(proc)?);
                        node_of_colour.insert(colour, node);
                    }
                }
            }
            if optimal.nodes.len() > limits.nodes {
                return None;
            }
        }
        let mut place = SecondaryMap::new();
        let mut node_at = SecondaryMap::new();
        place[Dag::root()] = Some(Dag::root());
        node_at[Dag::root()] = Some(Dag::root());
        Some(OptimalDag {
            optimal,
            place,
            node_at,
        })
    }

    /// How many nodes the whole program needs.
    pub fn size(&self) -> usize {
        self.optimal.nodes.len()
    }

    /// The graph itself.
    pub fn dag(&mut self) -> &mut Dag {
        &mut self.optimal
    }

    /// The node that is at the call site's place, if there is one already.
    pub fn pick(&self, dag: &Dag, site: CallSiteId) -> Option<InstanceId> {
        self.node_at[self.target(dag, site)?]
    }

    /// A node was added.
    pub fn added(&mut self, dag: &Dag, node: InstanceId) {
        let target = dag.nodes[node]
            .parents
            .first()
            .and_then(|&parent| self.target(dag, parent));
        if let Some(target) = target {
            self.place[node] = Some(target);
            self.node_at[target] = Some(node);
        }
    }

    fn target(&self, dag: &Dag, site: CallSiteId) -> Option<InstanceId> {
        let data = &dag.sites[site];
        let caller = self.place[data.caller]?;
        self.optimal.sites[self.optimal.nodes[caller].sites[data.index]].instance
    }
}

/// The procedures with their keys that are called within the bound, each after all that call it.
pub(crate) fn classes_callers_first(
    dag: &Dag,
    shape_of: &mut dyn FnMut(ProcId) -> Option<Rc<Shape>>,
    within_bound: &dyn Fn(ProcId, u32, u32) -> bool,
    limits: OptimalLimits,
) -> Option<Vec<(ProcId, Key)>> {
    let root = &dag.nodes[Dag::root()];
    let mut finished: Vec<(ProcId, Key)> = Vec::new();
    let mut seen: FxHashMap<(ProcId, Key), ()> = FxHashMap::default();
    let mut stack = vec![((root.proc, root.key().clone()), false)];
    while let Some(((proc, key), expanded)) = stack.pop() {
        if expanded {
            finished.push((proc, key));
            continue;
        }
        if seen.insert((proc, key.clone()), ()).is_some() {
            continue;
        }
        if seen.len() > limits.nodes {
            return None;
        }
        stack.push(((proc, key.clone()), true));
        for &callee in &shape_of(proc)?.callees {
            let (called, cost) = dag.called_key(proc, &key, callee);
            if within_bound(callee, cost, called.depth()) {
                stack.push(((callee, called), false));
            }
        }
    }
    // Callees are finished before callers; the root has its node already.
    finished.pop();
    finished.reverse();
    Some(finished)
}
