//! What must not happen, as the program names it: calls of error functions and assertions, and error labels.

use lariat_c_program::{
    CProgram, Callee, ExprKind, FunctionId, Linkage, Node, Purpose, visit_initializer, visit_stmt,
};
use lariat_ir::ProcId;
use rustc_hash::FxHashSet;

use crate::options::{Check, LowerOptions};
use crate::special;

/// The label that is an error in this program.
pub(crate) fn error_label(c: &CProgram, options: &LowerOptions) -> Option<String> {
    match &options.error_label {
        Some(name) => Some(name.clone()),
        None => (options.c.error_labels && !mentions_error_function(c, options)).then(|| "ERROR".to_owned()),
    }
}

fn mentions_error_function(c: &CProgram, options: &LowerOptions) -> bool {
    let mut users = c
        .functions
        .iter()
        .filter(|(_, function)| function.purpose != Purpose::Model);
    users.any(|(id, _)| {
        named_functions(c, id)
            .iter()
            .any(|&named| is_error(c, options, named))
    })
}

fn is_error(c: &CProgram, options: &LowerOptions, id: FunctionId) -> bool {
    let function = &c.functions[id];
    options.c.is_error_function(&function.name)
        || (function.linkage == Linkage::External && special::is_assertion(&function.name))
}

/// The entries from which names of functions lead to what must not happen.
pub(crate) fn properties(
    c: &CProgram,
    options: &LowerOptions,
    entries: &[(FunctionId, ProcId)],
) -> FxHashSet<ProcId> {
    if !options.checks(Check::Reach) && !options.checks(Check::Assert) {
        return FxHashSet::default();
    }
    let label = match &options.error_label {
        Some(name) => Some(name.as_str()),
        None => options.c.error_labels.then_some("ERROR"),
    };
    let has_label = |id: FunctionId| {
        let mut labels = c.functions[id].labels.values();
        label.is_some_and(|error| labels.any(|label| **label == *error))
    };
    // A function whose address is in a variable may be called from anywhere.
    let mut held = Vec::new();
    for global in c.globals.values() {
        if let Some(init) = &global.init {
            visit_initializer(init, &mut |node| held.extend(named_by(&node)));
        }
    }
    let leads_there = |entry: FunctionId| {
        let mut seen = FxHashSet::default();
        let mut open = held.clone();
        open.push(entry);
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if is_error(c, options, id) || has_label(id) {
                return true;
            }
            open.extend(named_functions(c, id));
        }
        false
    };
    let found = entries.iter().filter(|(function, _)| leads_there(*function));
    found.map(|&(_, proc)| proc).collect()
}

/// The functions that a function calls or takes the address of.
fn named_functions(c: &CProgram, id: FunctionId) -> Vec<FunctionId> {
    let mut found = Vec::new();
    if let Some(body) = &c.functions[id].body {
        visit_stmt(body, &mut |node| found.extend(named_by(&node)));
    }
    found
}

fn named_by(node: &Node<'_>) -> Option<FunctionId> {
    let Node::Expr(expr) = node else { return None };
    match &expr.kind {
        ExprKind::Call {
            callee: Callee::Function(callee),
            ..
        }
        | ExprKind::FunctionAddress(callee) => Some(*callee),
        _ => None,
    }
}
