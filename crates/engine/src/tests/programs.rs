//! Small random programs of which only the control flow matters.

use std::fmt::Write as _;
use std::rc::Rc;

use cranelift_entity::EntityRef;
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use lariat_testkit::{Random, boogie};
use lariat_vc::PassiveBlockId;

use crate::dag::Dag;
use crate::shape::Shape;

/// The blocks of a procedure in topological order, the entry first.
#[derive(Clone, Debug)]
pub struct Flow {
    /// For each block the positions of the procedures that it calls.
    pub calls: Vec<Vec<usize>>,
    pub successors: Vec<Vec<usize>>,
}

/// Procedures by position; the first is the entry.
#[derive(Clone, Debug)]
pub struct Calls(pub Vec<Flow>);

/// Which procedures a procedure may call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// Later ones.
    None,
    /// All but the entry.
    Allowed,
}

impl Calls {
    pub fn random(random: &mut Random, recursion: Recursion) -> Self {
        let procs = 2 + random.below(4);
        let mut flows = Vec::new();
        for proc in 0..procs {
            let first = if recursion == Recursion::None { proc + 1 } else { 1 };
            let blocks = 1 + random.below(5);
            let mut flow = Flow {
                calls: vec![Vec::new(); blocks],
                successors: vec![Vec::new(); blocks],
            };
            for block in 0..blocks {
                if first < procs {
                    for _ in 0..[0, 1, 1, 1, 1, 2][random.below(6)] {
                        flow.calls[block].push(first + random.below(procs - first));
                    }
                }
                // Every block can be reached.
                if block > 0 {
                    flow.successors[random.below(block)].push(block);
                    let other = random.below(block);
                    if random.below(2) == 0 && !flow.successors[other].contains(&block) {
                        flow.successors[other].push(block);
                    }
                }
            }
            flows.push(flow);
        }
        Calls(flows)
    }

    /// The same as ids: the call graph, and the shape of each procedure.
    pub fn resolve(&self) -> Resolved {
        let mut text = String::new();
        for (proc, flow) in self.0.iter().enumerate() {
            let _ = write!(text, "procedure p{proc}() {{ ");
            for callee in flow.calls.iter().flatten() {
                let _ = write!(text, "call p{callee}(); ");
            }
            text.push_str("}\n");
        }
        let program = boogie::program(&text);
        let ids: Vec<ProcId> = (0..self.0.len())
            .map(|proc| program.proc_by_name(&format!("p{proc}")).expect("it is there"))
            .collect();
        let shape = |flow: &Flow| {
            let sites = flow.calls.iter().enumerate();
            let sites = sites.flat_map(|(block, calls)| calls.iter().map(move |&callee| (block, callee)));
            let (blocks, callees): (Vec<PassiveBlockId>, Vec<ProcId>) = sites
                .map(|(block, callee)| (PassiveBlockId::new(block), ids[callee]))
                .unzip();
            let targets = |block: &Vec<usize>| block.iter().map(|&b| PassiveBlockId::new(b)).collect();
            let edges: Vec<(PassiveBlockId, Vec<PassiveBlockId>)> = flow
                .successors
                .iter()
                .enumerate()
                .map(|(block, successors)| (PassiveBlockId::new(block), targets(successors)))
                .collect();
            Rc::new(Shape::from_blocks(callees, blocks, &edges))
        };
        Resolved {
            shapes: self.0.iter().map(shape).collect(),
            graph: Rc::new(CallGraph::new(&program)),
            ids,
        }
    }
}

/// A program as the graph sees it.
pub struct Resolved {
    pub ids: Vec<ProcId>,
    pub graph: Rc<CallGraph>,
    shapes: Vec<Rc<Shape>>,
}

impl Resolved {
    pub fn position(&self, proc: ProcId) -> usize {
        self.ids.iter().position(|&id| id == proc).expect("it is there")
    }

    pub fn shape(&self, proc: ProcId) -> Rc<Shape> {
        self.shapes[self.position(proc)].clone()
    }

    /// The graph with its root only.
    pub fn dag(&self) -> Dag {
        let mut dag = self.empty_dag();
        dag.add_root(self.ids[0], self.shape(self.ids[0]));
        dag
    }

    pub fn empty_dag(&self) -> Dag {
        Dag::new(self.graph.clone(), false)
    }
}
