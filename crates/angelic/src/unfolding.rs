//! Whether the calls of an entry are unfolded as a tree or as a graph.
//!
//! In a graph all calls of a procedure that exclude each other share one copy of it. That keeps the unfolding small, but the
//! inputs of a shared copy are bound by equations under conditions, and most of the time goes into one question here: whether
//! anything else fails, which has no model and meets all of them. A tree is the better choice as long as it is small.

use cranelift_entity::SecondaryMap;
use lariat_ir::{ProcId, ProcKind, Program, StmtKind};
use lariat_passes::CallGraph;
use lariat_report::Engine;

/// Instances of procedures in a tree. Of `lariat bench --generate open-module 200` those entries whose trees have 60 to 70 of them took an
/// eighth of the time that their graphs took.
const LARGEST_TREE: usize = 200;

/// The engine for an entry, unless the user has chosen one.
pub fn suitable_engine(program: &Program, entry: ProcId, bound: u32) -> Engine {
    match tree_size(program, entry, bound) {
        Some(size) if size <= LARGEST_TREE => Engine::Stratified,
        _ => Engine::Dag,
    }
}

/// How many instances of procedures the tree of an entry has, loops followed up to the bound. `None` if there is other recursion:
/// it branches.
fn tree_size(program: &Program, entry: ProcId, bound: u32) -> Option<usize> {
    let calls = CallGraph::new(program);
    let mut sizes: SecondaryMap<ProcId, Option<usize>> = SecondaryMap::new();
    for component in calls.components() {
        let [proc] = component.as_slice() else { continue };
        let stmts = program.procs[*proc]
            .blocks
            .values()
            .flat_map(|block| &block.stmts);
        let mut size = Some(1usize);
        let mut rounds = 0;
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Call(call) if call.callee == *proc => rounds += 1,
                StmtKind::Call(call) => {
                    size = size
                        .zip(sizes[call.callee])
                        .map(|(size, callee)| size.saturating_add(callee));
                }
                _ => {}
            }
        }
        let is_loop = matches!(program.procs[*proc].kind, ProcKind::Loop { .. });
        sizes[*proc] = match rounds {
            0 => size,
            1 if is_loop => size.map(|size| size.saturating_mul(bound as usize + 1)),
            _ => None,
        };
    }
    sizes[entry]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_testkit::boogie;

    fn size(text: &str) -> Option<usize> {
        let program = boogie::program(text);
        let entry = program.proc_by_name("main").expect("there is a main");
        tree_size(&program, entry, 3)
    }

    #[test]
    fn each_call_counts() {
        let leaf = "procedure leaf() { } procedure twice() { call leaf(); call leaf(); }";
        assert_eq!(
            size(&format!(
                "{leaf} procedure main() {{ call twice(); call twice(); }}"
            )),
            Some(7)
        );
        assert_eq!(
            size("procedure main() { call other(); } procedure other() { call main(); }"),
            None
        );
        assert_eq!(size("procedure main() { call main(); }"), None);
    }
}
