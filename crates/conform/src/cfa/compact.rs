//! The graph of statements as an automaton: jumps are followed, two-sided guards become branches, runs of assignments
//! become one simultaneous assignment, and one that a return follows becomes part of it.
//!
//! Only what the start reaches is kept, numbered in the order of discovery.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use lariat_ir::{ProcId, Program};
use lariat_lts::ReturnValue;
use lariat_term::{Substitution, TermId, TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::inline::{self, Action, Graph, InlineError, NodeId};
use super::{CallSite, Cfa, Edge, EdgeKind, Label, Location, LocationId, Routine, RoutineId, Transformer};

impl Cfa {
    /// The automaton of a procedure. Types are given for variables of the program; copies have those of their originals.
    pub fn of(
        mut program: Program,
        entry: ProcId,
        routines: PrimaryMap<RoutineId, Routine>,
        routine_of: &FxHashMap<ProcId, RoutineId>,
        ranges: &dyn Fn(&mut TermPool, VarId, TermId) -> Option<TermId>,
    ) -> Result<Cfa, InlineError> {
        let graph = inline::inline(&mut program, entry, routine_of)?;
        let mut pool = program.pool;
        let originals: Vec<VarId> = (0..pool.var_count() as u32).map(VarId::from_u32).collect();
        let mut known = FxHashMap::default();
        for var in originals {
            let original = graph.copies.get(&var).copied().unwrap_or(var);
            let term = pool.var(var);
            if let Some(range) = ranges(&mut pool, original, term) {
                known.insert(var, range);
            }
        }
        let axioms = program.axioms.iter().map(|axiom| axiom.term).collect();
        let guard = pool.and(&program.initial);
        let compaction = Compaction {
            predecessors: count_predecessors(&graph),
            graph: &graph,
            cfa: Cfa {
                pool,
                locations: PrimaryMap::new(),
                edges: PrimaryMap::new(),
                outgoing: SecondaryMap::new(),
                // Replaced as soon as there is one.
                initial: LocationId::from_u32(0),
                guard,
                axioms,
                ranges: known,
                routines,
                originals: graph.copies.clone(),
                copies: FxHashMap::default(),
            },
            found: FxHashMap::default(),
            open: Vec::new(),
        };
        Ok(compaction.run().specialise().unroll())
    }
}

/// Follows jumps with one target. A cycle of jumps ends where it was entered first.
fn resolve(graph: &Graph, mut node: NodeId) -> NodeId {
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    while let (Action::Jump, [next]) = (&graph.nodes[node].action, graph.nodes[node].next.as_slice()) {
        if !seen.insert(node) {
            return node;
        }
        node = *next;
    }
    node
}

/// How many edges lead to a node when jumps are skipped. A node inside a run has one.
fn count_predecessors(graph: &Graph) -> SecondaryMap<NodeId, u32> {
    let mut counts: SecondaryMap<NodeId, u32> = SecondaryMap::new();
    let initial = resolve(graph, graph.initial);
    counts[initial] += 1;
    let mut open = vec![initial];
    let mut seen = FxHashSet::from_iter([initial]);
    while let Some(node) = open.pop() {
        for &next in &graph.nodes[node].next {
            let next = resolve(graph, next);
            counts[next] += 1;
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    counts
}

struct Compaction<'g> {
    graph: &'g Graph,
    predecessors: SecondaryMap<NodeId, u32>,
    cfa: Cfa,
    found: FxHashMap<NodeId, LocationId>,
    open: Vec<(NodeId, LocationId)>,
}

impl Compaction<'_> {
    fn run(mut self) -> Cfa {
        self.cfa.initial = self.location(self.graph.initial);
        let mut next = 0;
        while let Some(&(node, location)) = self.open.get(next) {
            self.make(node, location);
            next += 1;
        }
        self.cfa
    }

    /// The state that starts with a node.
    fn location(&mut self, node: NodeId) -> LocationId {
        let node = resolve(self.graph, node);
        if let Some(&location) = self.found.get(&node) {
            return location;
        }
        let data = &self.graph.nodes[node];
        let location = self.cfa.locations.push(Location {
            label: Label::Halt,
            span: data.span,
            parts: data.part.clone().into_iter().collect(),
            depth: data.depth,
        });
        self.found.insert(node, location);
        self.open.push((node, location));
        location
    }

    fn edge(&mut self, source: LocationId, target: LocationId, kind: EdgeKind, transformer: Transformer) {
        let edge = self.cfa.edges.push(Edge {
            source,
            target,
            kind,
            transformer,
        });
        self.cfa.outgoing[source].push(edge);
    }

    fn make(&mut self, node: NodeId, location: LocationId) {
        let data = &self.graph.nodes[node];
        match &data.action {
            Action::Jump => self.choice(node, location),
            Action::Assign(_) | Action::Havoc(_) | Action::Assume(_) => self.run_from(node, location),
            Action::Call(site) => {
                let site = site.clone();
                let target = data.next.first().copied();
                self.cfa.locations[location].label = Label::Call(site.clone());
                if let Some(target) = target {
                    let target = self.location(target);
                    self.returns(location, &site, target);
                }
            }
            Action::Return(value) => self.cfa.locations[location].label = Label::Return(*value),
            Action::Fail(failure) => self.cfa.locations[location].label = Label::Fail(failure.clone()),
        }
    }

    /// One edge for each value that the routine returns.
    fn returns(&mut self, location: LocationId, site: &CallSite, target: LocationId) {
        for value in self.cfa.routines[site.routine].returns.clone() {
            let mut transformer = Transformer::identity(&mut self.cfa.pool);
            if let Some(result) = site.result {
                let var = self.cfa.pool.var(result);
                let literal = match value {
                    ReturnValue::Int(value) => self.cfa.literal_like(var, value),
                    ReturnValue::Void => None,
                };
                let term = match literal {
                    Some(literal) => literal,
                    // Any value.
                    None => {
                        let input = self.cfa.fresh_input(result);
                        transformer.inputs.push(input);
                        self.cfa.pool.var(input)
                    }
                };
                transformer.assignments.push((result, term));
            }
            self.edge(location, target, EdgeKind::Returned(value), transformer);
        }
    }

    fn choice(&mut self, node: NodeId, location: LocationId) {
        if let Some((condition, then, otherwise)) = self.branch_at(node) {
            let (then, otherwise) = (self.location(then), self.location(otherwise));
            if then != otherwise {
                let negated = self.cfa.pool.not(condition);
                self.cfa.locations[location].label = Label::Branch { condition };
                self.edge(location, then, EdgeKind::Then, Transformer::assume(condition));
                self.edge(location, otherwise, EdgeKind::Else, Transformer::assume(negated));
                return;
            }
            self.goto(location, &[then]);
            return;
        }
        let mut targets: SmallVec<[LocationId; 4]> = SmallVec::new();
        for &next in &self.graph.nodes[node].next {
            let target = self.location(next);
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        if !targets.is_empty() {
            self.goto(location, &targets);
        }
    }

    fn goto(&mut self, location: LocationId, targets: &[LocationId]) {
        self.cfa.locations[location].label = Label::Goto;
        for &target in targets {
            let transformer = Transformer::identity(&mut self.cfa.pool);
            self.edge(location, target, EdgeKind::Step, transformer);
        }
    }

    /// A choice between an assumption and its negation.
    fn branch_at(&mut self, node: NodeId) -> Option<(TermId, NodeId, NodeId)> {
        let [first, second] = self.graph.nodes[node].next.as_slice() else {
            return None;
        };
        let sides = [first, second].map(|&side| {
            let side = resolve(self.graph, side);
            match (
                &self.graph.nodes[side].action,
                self.graph.nodes[side].next.as_slice(),
            ) {
                (Action::Assume(condition), [next]) if self.predecessors[side] == 1 => {
                    Some((*condition, *next))
                }
                _ => None,
            }
        });
        let [Some((condition, then)), Some((negated, otherwise))] = sides else {
            return None;
        };
        (self.cfa.pool.not(condition) == negated).then_some((condition, then, otherwise))
    }

    /// A run of assignments, unknown values and assumptions, as one step.
    fn run_from(&mut self, first: NodeId, location: LocationId) {
        let mut values = Substitution::new();
        let mut assigned: Vec<VarId> = Vec::new();
        let mut inputs = Vec::new();
        let mut assumptions = Vec::new();
        let mut node = first;
        let mut last = None;
        loop {
            let data = &self.graph.nodes[node];
            match &data.action {
                Action::Assume(term) => {
                    let term = values.apply(&mut self.cfa.pool, *term);
                    assumptions.push(term);
                }
                Action::Assign(assignments) => {
                    let terms: Vec<(VarId, TermId)> = assignments
                        .iter()
                        .map(|&(var, term)| (var, values.apply(&mut self.cfa.pool, term)))
                        .collect();
                    for (var, term) in terms {
                        values.insert(var, term);
                        assigned.push(var);
                    }
                }
                Action::Havoc(vars) => {
                    for &var in vars {
                        let input = self.cfa.fresh_input(var);
                        inputs.push(input);
                        values.insert(var, self.cfa.pool.var(input));
                        assigned.push(var);
                    }
                }
                Action::Jump | Action::Call(_) | Action::Return(_) | Action::Fail(_) => break,
            }
            if node != first {
                self.cfa.locations[location].parts.extend(data.part.clone());
            }
            last = data.next.first().copied();
            let Some(next) = last.map(|next| resolve(self.graph, next)) else {
                break;
            };
            let is_return = matches!(self.graph.nodes[next].action, Action::Return(_));
            if self.predecessors[next] != 1 && !is_return {
                break;
            }
            node = next;
        }
        let assumption = self.cfa.pool.and(&assumptions);
        if let Action::Return(value) = &self.graph.nodes[node].action
            && self.cfa.pool.as_bool(assumption) == Some(true)
        {
            let value = value.map(|value| values.apply(&mut self.cfa.pool, value));
            let vars = self.cfa.pool.free_vars(value.as_slice());
            if !inputs.iter().any(|input| vars.contains(input)) {
                self.cfa.locations[location].label = Label::Return(value);
                return;
            }
        }
        assigned.sort_unstable();
        assigned.dedup();
        let assignments = assigned
            .into_iter()
            .filter_map(|var| values.get(var).map(|term| (var, term)))
            .collect();
        let transformer = Transformer {
            inputs,
            assumption,
            assignments,
        };
        self.cfa.locations[location].label = Label::Assign(transformer.clone());
        if let Some(target) = last {
            let target = self.location(target);
            self.edge(location, target, EdgeKind::Step, transformer);
        }
    }
}
