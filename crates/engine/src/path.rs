//! The execution that a model describes: which blocks of which instances, in order.

use cranelift_entity::EntityRef;
use lariat_ir::BlockId;
use lariat_smt::{Ast, Model, SolverError};
use lariat_vc::{PassiveBlockId, PassiveStep};

use rustc_hash::FxHashSet;

use crate::dag::{CallSiteId, Dag, InstanceId};
use crate::unfolding::Unfolding;

/// A path through the unfolding, calls in place.
#[derive(Clone, Debug, Default)]
pub struct Path {
    pub steps: Vec<PathStep>,
    /// The Booleans of the blocks and edges that it takes.
    pub taken: Vec<Ast>,
    /// The Booleans of all other blocks of the instances that it visits.
    pub not_taken: Vec<Ast>,
    /// The instances that it visits.
    pub instances: Vec<InstanceId>,
    /// The blocks of the program in the order in which they are executed. Procedures that are executed
    /// in place of their calls have one block each, which is not listed.
    pub blocks: Vec<BlockId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStep {
    /// The step at this position of a block, which is not a call.
    Statement {
        instance: InstanceId,
        block: PassiveBlockId,
        index: usize,
    },
    /// The call is open: nothing is known of what it does.
    OpenCall(CallSiteId),
    EnterCall(CallSiteId),
    ExitCall(CallSiteId),
}

impl Path {
    /// Follows a model from the entry: at each block a true edge, at each inlined call the callee.
    pub(crate) fn follow(unfolding: &Unfolding, model: &Model) -> Result<Path, SolverError> {
        let mut path = Path::default();
        let mut visited = FxHashSet::default();
        // A frame is an instance, a block in it, and the next step of that block.
        let mut stack = vec![(Dag::root(), PassiveBlockId::new(0), 0usize)];
        // The calls that are not finished: one for each frame but the first.
        let mut calls = Vec::new();
        while let Some((instance, block, next)) = stack.last_mut() {
            let (current, current_block) = (*instance, *block);
            let data = &unfolding.vc(current).blocks[current_block];
            if visited.insert((current, current_block)) {
                path.taken.push(unfolding.known_ast(current, data.control)?);
                path.blocks.push(data.source);
                if current_block.index() == 0 {
                    path.instances.push(current);
                }
            }
            if let Some(step) = data.steps.get(*next) {
                let index = *next;
                *next += 1;
                if let PassiveStep::Call(call) = step {
                    let site = unfolding.dag.nodes[current].sites[*call];
                    match unfolding.dag.sites[site].instance {
                        None => path.steps.push(PathStep::OpenCall(site)),
                        Some(callee) => {
                            path.steps.push(PathStep::EnterCall(site));
                            calls.push(site);
                            stack.push((callee, PassiveBlockId::new(0), 0));
                        }
                    }
                } else {
                    path.steps.push(PathStep::Statement {
                        instance: current,
                        block: current_block,
                        index,
                    });
                }
                continue;
            }
            if data.successors.is_empty() {
                if let Some(site) = calls.pop() {
                    path.steps.push(PathStep::ExitCall(site));
                }
                stack.pop();
                continue;
            }
            let mut chosen = None;
            for edge in &data.successors {
                let taken = match edge.taken {
                    None => true,
                    Some(var) => {
                        let ast = unfolding.known_ast(current, var)?;
                        let taken = model.is_true(&unfolding.context, ast)?;
                        if taken {
                            path.taken.push(ast);
                        }
                        taken
                    }
                };
                if taken {
                    chosen = Some(edge.target);
                    break;
                }
            }
            let Some(target) = chosen else {
                return Err(SolverError("the model has no path to the end".into()));
            };
            *block = target;
            *next = 0;
        }
        for &instance in &path.instances {
            for (block, data) in unfolding.vc(instance).blocks.iter() {
                if !visited.contains(&(instance, block)) {
                    path.not_taken.push(unfolding.known_ast(instance, data.control)?);
                }
            }
        }
        Ok(path)
    }

    pub fn open_calls(&self) -> impl Iterator<Item = CallSiteId> + '_ {
        self.steps.iter().filter_map(|step| match step {
            PathStep::OpenCall(site) => Some(*site),
            _ => None,
        })
    }
}
