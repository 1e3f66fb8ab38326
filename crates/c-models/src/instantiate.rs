//! Binding the calls of a program to models.

use lariat_c_program::{CProgram, Callee, ExprKind, Node, Purpose, visit_stmt};
use rustc_hash::FxHashSet;

use crate::library::is_intrinsic;
use crate::report::{ModelReport, UnknownFunction};

/// Binds every call of a library function to its model; what is bound to what is in the report.
pub fn instantiate(program: &mut CProgram) -> ModelReport {
    let mut report = ModelReport::default();
    list_unknown(program, &mut report);
    report
}

fn list_unknown(program: &CProgram, report: &mut ModelReport) {
    let mut seen = FxHashSet::default();
    for (_, function) in program.functions.iter() {
        let Some(body) = function
            .body
            .as_ref()
            .filter(|_| function.purpose == Purpose::User)
        else {
            continue;
        };
        visit_stmt(body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            let id = match &expr.kind {
                ExprKind::Call {
                    callee: Callee::Function(id),
                    ..
                }
                | ExprKind::FunctionAddress(id) => *id,
                _ => return,
            };
            let called = &program.functions[id];
            if called.body.is_some() || is_intrinsic(&called.name) || !seen.insert(id) {
                return;
            }
            let takes_pointers = match &expr.kind {
                ExprKind::Call { args, .. } => args.iter().any(|arg| program.types.pointee(arg.ty).is_some()),
                _ => true,
            };
            report.unknown.push(UnknownFunction {
                name: called.name.clone(),
                function: id,
                span: expr.span,
                takes_pointers,
            });
        });
    }
}
