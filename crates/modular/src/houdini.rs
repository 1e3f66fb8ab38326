//! `-contractInfer`: which candidates hold together.
//!
//! A candidate is a clause `b ==> e` of a constant `b`, `{:existential true}`. All start as true. As long as a clause
//! of a constant fails somewhere, under the clauses that are left, its constant becomes false. What is left is the
//! largest set of candidates that are inductive together.

use lariat_boogie::typed::{self, AttributeParam, Expr, ExprKind, Type};
use lariat_term::VarId;
use rustc_hash::FxHashMap;

use crate::run::Solving;
use crate::solve::{BodySolver, Limits};
use crate::tasks::{ConditionMaker, Keep, Task};

/// Values of the existential constants.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// With their names, in the order of the text.
    pub values: Vec<(String, bool)>,
    pub literals: Vec<(VarId, bool)>,
}

/// Houdini over all bodies.
pub fn infer(solving: &Solving<'_>, typed: &typed::Program, tasks: &[Task<'_>]) -> Assignment {
    let mut maker = ConditionMaker::new(solving.source);
    // What has no condition is told later.
    let conditions: Vec<_> = tasks
        .iter()
        .filter_map(|task| Some((task, maker.condition(task, Keep::Nothing).ok()??)))
        .collect();
    let program = maker.program();
    let mut assignment = Assignment::default();
    let mut position: FxHashMap<VarId, usize> = FxHashMap::default();
    for (&constant, &var) in typed.constants.iter().zip(&program.constants) {
        if is_existential(&typed.vars[constant]) {
            position.insert(var, assignment.literals.len());
            assignment
                .values
                .push((typed.vars[constant].name.to_string(), true));
            assignment.literals.push((var, true));
        }
    }
    let mut solvers: Vec<Option<BodySolver<'_>>> = conditions.iter().map(|_| None).collect();
    let mut changed = true;
    while changed && solving.budget.check().is_ok() {
        changed = false;
        for ((task, condition), slot) in conditions.iter().zip(&mut solvers) {
            if slot.is_none() {
                let limits = Limits {
                    errors: 1,
                    ..task.limits.clone()
                };
                let made =
                    BodySolver::new(program, condition, solving.axioms, &solving.options, limits, None);
                *slot = made.ok();
            }
            let Some(solver) = slot else {
                continue;
            };
            changed |= drop_failing(solver, &position, &mut assignment);
        }
    }
    assignment
}

fn is_existential(var: &typed::Var) -> bool {
    let is_true = |param: &AttributeParam| {
        matches!(
            param,
            AttributeParam::Expr(Expr {
                kind: ExprKind::Bool(true),
                ..
            })
        )
    };
    let attribute = var.attributes.get("existential");
    var.ty == Type::Bool && attribute.is_some_and(|attribute| attribute.params.first().is_some_and(is_true))
}

/// Drops candidates that fail in one body until none does; whether there was one.
fn drop_failing(
    solver: &mut BodySolver<'_>,
    position: &FxHashMap<VarId, usize>,
    assignment: &mut Assignment,
) -> bool {
    let mut changed = false;
    // What fails and is no candidate is reported later; here it is not looked at again.
    let mut ignored = Vec::new();
    while let Ok(solved) = solver.solve_ignoring(&assignment.literals, &ignored) {
        let Some(failing) = solved.failing.first() else {
            return changed;
        };
        let candidates = solver.constants_of(failing.leaf);
        let dropped: Vec<usize> = candidates
            .iter()
            .filter_map(|var| position.get(var).copied())
            .filter(|&index| assignment.literals[index].1)
            .collect();
        if dropped.is_empty() {
            ignored.push(failing.leaf);
        }
        for index in dropped {
            assignment.literals[index].1 = false;
            assignment.values[index].1 = false;
            changed = true;
        }
    }
    changed
}
