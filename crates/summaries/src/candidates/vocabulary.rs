//! Which variables of different procedures are the same variable to the user.
//!
//! A loop is a procedure, so `i` of a procedure, the parameter `i_in` and the out parameter
//! `i` of its loop are one variable, known by a [`Key`]. Globals are the same everywhere.

use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use lariat_ir::{ProcId, ProcKind};
use lariat_term::VarId;
use lariat_vc::Problem;
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable as the user knows it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    Global(VarId),
    /// By the procedure that the user wrote and the name in it.
    Local(ProcId, Arc<str>),
}

pub(super) struct Vocabulary {
    globals: FxHashSet<VarId>,
    pub constants: FxHashSet<VarId>,
    roots: SecondaryMap<ProcId, Option<ProcId>>,
    /// The user's procedure and its loops.
    families: FxHashMap<ProcId, Vec<ProcId>>,
}

impl Vocabulary {
    pub fn new(problem: &Problem) -> Self {
        let procs = &problem.program.procs;
        let mut roots = SecondaryMap::new();
        let mut families: FxHashMap<ProcId, Vec<ProcId>> = FxHashMap::default();
        for proc in procs.keys() {
            let mut root = proc;
            // Parents were there before their loops; more steps than procedures would be a cycle.
            for _ in 0..procs.len() {
                match procs[root].kind {
                    ProcKind::Loop { parent, .. } if procs.is_valid(parent) && parent != root => {
                        root = parent
                    }
                    _ => break,
                }
            }
            roots[proc] = Some(root);
            families.entry(root).or_default().push(proc);
        }
        Vocabulary {
            globals: problem.program.globals.iter().copied().collect(),
            constants: problem.program.constants.iter().copied().collect(),
            roots,
            families,
        }
    }

    pub fn key(&self, problem: &Problem, proc: ProcId, var: VarId) -> Key {
        if self.globals.contains(&var) {
            return Key::Global(var);
        }
        let name = problem.program.pool.var_name(var);
        let is_loop = matches!(problem.program.procs[proc].kind, ProcKind::Loop { .. });
        let base = if is_loop { strip(name) } else { name.clone() };
        Key::Local(self.roots[proc].unwrap_or(proc), base)
    }

    /// The procedure's own root and all loops in it.
    pub fn family(&self, proc: ProcId) -> &[ProcId] {
        let root = self.roots[proc].unwrap_or(proc);
        self.families.get(&root).map_or(&[], Vec::as_slice)
    }
}

/// Without the mark of a loop's in parameters; a loop in a loop has it twice.
fn strip(name: &Arc<str>) -> Arc<str> {
    let mut base: &str = name;
    while let Some(shorter) = base.strip_suffix("_in").filter(|shorter| !shorter.is_empty()) {
        base = shorter;
    }
    if base.len() == name.len() {
        name.clone()
    } else {
        base.into()
    }
}
