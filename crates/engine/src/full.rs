//! Everything within the bound inlined, without a solver: what the merging strategies are compared by
//! ([Dag15] §4, Fig. 17).
//!
//! Invariants: the shapes are those that a search with the same options has (the same procedures are
//! executed in place); a size is that of a complete, consistent graph, or it is not given.

use std::collections::VecDeque;
use std::rc::Rc;

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::{Budget, Exhausted};
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use lariat_vc::{Problem, generate_vc, passify, straight_line_procs};
use rustc_hash::FxHashMap;

use crate::dag::{CallSiteId, Dag, InstanceId, Key};
use crate::merge::{MergePolicy, Merger};
use crate::optimal::{OptimalDag, OptimalLimits, classes_callers_first};
use crate::options::SearchOptions;
use crate::shape::Shape;

/// A program as far as inlining everything needs it.
pub struct FullInlining {
    entry: ProcId,
    calls: Rc<CallGraph>,
    shapes: SecondaryMap<ProcId, Option<Rc<Shape>>>,
    extra_bounds: SecondaryMap<ProcId, u32>,
    options: SearchOptions,
}

/// Why there is no size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    Exhausted(Exhausted),
    /// The graph would have more nodes than it may.
    TooLarge,
}

impl From<Exhausted> for Incomplete {
    fn from(exhausted: Exhausted) -> Self {
        Incomplete::Exhausted(exhausted)
    }
}

impl FullInlining {
    /// Makes the shapes of all procedures.
    pub fn new(mut problem: Problem, options: SearchOptions, budget: &Budget) -> Result<Self, Exhausted> {
        let calls = Rc::new(CallGraph::new(&problem.program));
        let in_place = if options.in_place && options.unfolding.stack_depth.is_none() {
            straight_line_procs(&problem.program, problem.error)
        } else {
            EntitySet::new()
        };
        let constants = problem.program.constants.iter().copied().collect();
        let mut shapes = SecondaryMap::<ProcId, Option<Rc<Shape>>>::new();
        let mut extra_bounds = SecondaryMap::new();
        for proc in problem.program.procs.keys().collect::<Vec<_>>() {
            budget.check()?;
            let program = &mut problem.program;
            let passive = passify(program, proc, &problem.interfaces, problem.error, &in_place);
            let vc = generate_vc(&mut program.pool, passive, &constants);
            shapes[proc] = Some(Rc::new(Shape::new(&vc)));
            extra_bounds[proc] = program.procs[proc].extra_bound;
        }
        Ok(FullInlining {
            entry: problem.entry,
            calls,
            shapes,
            extra_bounds,
            options,
        })
    }

    /// The graph that a strategy other than `OPT` makes when all open call sites are inlined, those
    /// that came up first before others.
    pub fn grow(
        &self,
        merge: MergePolicy,
        seed: u32,
        most_nodes: usize,
        budget: &Budget,
    ) -> Result<Dag, Incomplete> {
        let mut merger = Merger::new(merge, seed, None);
        let mut dag = self.empty();
        let Some(shape) = self.shapes[self.entry].clone() else {
            return Ok(dag);
        };
        let root = dag.add_root(self.entry, shape);
        let mut open = VecDeque::new();
        self.open_sites(&dag, root, &mut open);
        while let Some(site) = open.pop_front() {
            budget.check()?;
            if let Some(node) = merger.pick(&mut dag, site) {
                dag.bind(site, node);
            } else if let Some(shape) = self.shapes[dag.sites[site].callee].clone() {
                if dag.nodes.len() == most_nodes {
                    return Err(Incomplete::TooLarge);
                }
                let node = dag.add(site, shape);
                self.open_sites(&dag, node, &mut open);
            }
        }
        Ok(dag)
    }

    /// The graph of `OPT`.
    pub fn optimal(&self, limits: OptimalLimits, budget: &Budget) -> Result<OptimalDag, Incomplete> {
        let optimal = OptimalDag::new(
            self.empty(),
            self.entry,
            &mut |proc| {
                // It has no other way of being stopped.
                budget.check().ok()?;
                self.shapes[proc].clone()
            },
            &|proc, cost, depth| self.allows(proc, cost, depth),
            limits,
        );
        optimal.ok_or_else(|| {
            budget
                .check()
                .map_or_else(Incomplete::from, |()| Incomplete::TooLarge)
        })
    }

    /// The number of nodes of the tree, which is never made: that of all calls of a procedure with one
    /// key is the same.
    pub fn tree_size(&self, limits: OptimalLimits, budget: &Budget) -> Result<f64, Incomplete> {
        let mut dag = self.empty();
        let Some(shape) = self.shapes[self.entry].clone() else {
            return Ok(0.0);
        };
        let root = dag.add_root(self.entry, shape);
        let root_key = dag.nodes[root].key().clone();
        let callers_first = classes_callers_first(
            &dag,
            &mut |proc| self.shapes[proc].clone(),
            &|proc, cost, depth| self.allows(proc, cost, depth),
            limits,
        );
        let mut classes = vec![(self.entry, root_key.clone())];
        classes.extend(callers_first.ok_or(Incomplete::TooLarge)?);
        let mut sizes: FxHashMap<(ProcId, Key), f64> = FxHashMap::default();
        for (proc, key) in classes.into_iter().rev() {
            budget.check()?;
            let callees = self.shapes[proc].iter().flat_map(|shape| &shape.callees);
            let below: f64 = callees
                .filter_map(|&callee| sizes.get(&(callee, dag.called_key(proc, &key, callee).0)))
                .sum();
            sizes.insert((proc, key), 1.0 + below);
        }
        Ok(sizes.get(&(self.entry, root_key)).copied().unwrap_or(0.0))
    }

    fn empty(&self) -> Dag {
        Dag::new(self.calls.clone(), self.options.unfolding.stack_depth.is_some())
    }

    fn allows(&self, proc: ProcId, cost: u32, depth: u32) -> bool {
        self.options
            .allows(self.options.max_bound, self.extra_bounds[proc], cost, depth)
    }

    fn open_sites(&self, dag: &Dag, node: InstanceId, open: &mut VecDeque<CallSiteId>) {
        let allowed = |site: &&CallSiteId| {
            let site = &dag.sites[**site];
            self.allows(site.callee, site.cost, site.depth())
        };
        open.extend(dag.nodes[node].sites.iter().filter(allowed));
    }
}
