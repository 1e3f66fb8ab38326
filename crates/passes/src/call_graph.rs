//! Who calls whom.

use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use lariat_base::strongly_connected_components;
use lariat_ir::{ProcId, Program, StmtKind};

/// The call graph of a program, over the calls in all its blocks.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: SecondaryMap<ProcId, Vec<ProcId>>,
    callers: SecondaryMap<ProcId, Vec<ProcId>>,
    components: Vec<Vec<ProcId>>,
    component_of: SecondaryMap<ProcId, usize>,
}

impl CallGraph {
    pub fn new(program: &Program) -> Self {
        let mut callees = SecondaryMap::<ProcId, Vec<ProcId>>::with_capacity(program.procs.len());
        let mut callers = SecondaryMap::<ProcId, Vec<ProcId>>::with_capacity(program.procs.len());
        for (id, proc) in program.procs.iter() {
            let list = &mut callees[id];
            for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
                if let StmtKind::Call(call) = &stmt.kind {
                    list.push(call.callee);
                }
            }
            list.sort_unstable();
            list.dedup();
        }
        for id in program.procs.keys() {
            for &callee in &callees[id] {
                callers[callee].push(id);
            }
        }
        let components: Vec<Vec<ProcId>> = strongly_connected_components(program.procs.len(), |node, k| {
            callees[ProcId::new(node)].get(k).map(|callee| callee.index())
        })
        .into_iter()
        .map(|component| component.into_iter().map(ProcId::new).collect())
        .collect();
        let mut component_of = SecondaryMap::with_capacity(program.procs.len());
        for (index, component) in components.iter().enumerate() {
            for &proc in component {
                component_of[proc] = index;
            }
        }
        CallGraph {
            callees,
            callers,
            components,
            component_of,
        }
    }

    /// The procedures that this one calls, in ascending order.
    pub fn callees(&self, proc: ProcId) -> &[ProcId] {
        &self.callees[proc]
    }

    /// The procedures that call this one, in ascending order.
    pub fn callers(&self, proc: ProcId) -> &[ProcId] {
        &self.callers[proc]
    }

    /// The strongly connected components, callees before callers.
    pub fn components(&self) -> &[Vec<ProcId>] {
        &self.components
    }

    /// The procedures that can call each other and this one.
    pub fn component(&self, proc: ProcId) -> &[ProcId] {
        &self.components[self.component_of[proc]]
    }

    /// Whether the procedure may be active twice at once.
    pub fn is_recursive(&self, proc: ProcId) -> bool {
        self.component(proc).len() > 1 || self.callees[proc].binary_search(&proc).is_ok()
    }

    /// For each procedure the size of its whole tree of calls, each call counted, where `own` is the size of a
    /// procedure alone. `None` of a recursive procedure, of one that `own` gives no size, and of their callers.
    pub fn tree_sizes(
        &self,
        program: &Program,
        own: impl Fn(ProcId) -> Option<usize>,
    ) -> SecondaryMap<ProcId, Option<usize>> {
        let mut sizes = SecondaryMap::<ProcId, Option<usize>>::with_capacity(program.procs.len());
        // Callees come before callers; what is recursive meets itself without a size.
        for &proc in self.components.iter().flatten() {
            let stmts = program.procs[proc].blocks.values().flat_map(|block| &block.stmts);
            let mut callees = stmts.filter_map(|stmt| match &stmt.kind {
                StmtKind::Call(call) => Some(call.callee),
                _ => None,
            });
            let start = own(proc).filter(|_| !self.is_recursive(proc));
            sizes[proc] = start.and_then(|start| {
                callees.try_fold(start, |size, callee| Some(size.saturating_add(sizes[callee]?)))
            });
        }
        sizes
    }

    /// The procedure and all that it may call, directly or not.
    pub fn reachable_from(&self, entry: ProcId) -> EntitySet<ProcId> {
        let mut reachable = EntitySet::new();
        let mut work = vec![entry];
        while let Some(proc) = work.pop() {
            if reachable.insert(proc) {
                work.extend(self.callees(proc));
            }
        }
        reachable
    }
}
