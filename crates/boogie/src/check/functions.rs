//! Definitions of functions: those that are expanded must have a body and may not be recursive.

use cranelift_entity::EntityRef;
use lariat_base::{Diagnostic, component_numbers};

use super::Checker;
use super::finish::visit_expr;
use crate::typed::{AttributeParam, ExprKind, Function, FunctionId, Type};

impl Checker<'_> {
    pub(super) fn check_function_definitions(&mut self) {
        let mut problems = Vec::new();
        for function in self.program.functions.values() {
            let mut problem = |message: String| {
                problems.push(Diagnostic::error(
                    "invalid-function-attribute",
                    function.span,
                    message,
                ));
            };
            let inline = is_switched_on(function, "inline");
            let define = is_switched_on(function, "define");
            if let Some(AttributeParam::Expr(expr)) = function
                .attributes
                .get("inline")
                .and_then(|attribute| attribute.params.first())
                && expr.ty != Type::Bool
            {
                problem(format!(
                    "the argument of `:inline` on the function `{}` must be Boolean",
                    function.name
                ));
            }
            if inline && define {
                problem(format!(
                    "the function `{}` cannot be both `:inline` and `:define`",
                    function.name
                ));
            }
            for attribute in ["builtin", "bvbuiltin"] {
                if function.body.is_some() && function.attributes.string(attribute).is_some() {
                    problem(format!(
                        "the function `{}` is marked `:{attribute}` and cannot have a body",
                        function.name
                    ));
                }
            }
            for (is_set, attribute) in [(inline, "inline"), (define, "define")] {
                if is_set && function.body.is_none() {
                    problem(format!(
                        "the function `{}` is marked `:{attribute}` but has no body",
                        function.name
                    ));
                }
            }
        }
        for problem in problems {
            self.report(problem);
        }
        self.check_function_cycles();
    }

    /// Functions marked `{:inline}` or `{:define}` are replaced by their bodies, which must come to an end.
    fn check_function_cycles(&mut self) {
        let is_expanded =
            |function: &Function| is_switched_on(function, "inline") || is_switched_on(function, "define");
        let functions = &self.program.functions;
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (id, function) in functions.iter() {
            let Some(body) = function.body.as_ref().filter(|_| is_expanded(function)) else {
                continue;
            };
            visit_expr(body, &mut |expr| {
                if let ExprKind::Apply(callee, ..) = expr.kind
                    && is_expanded(&functions[callee])
                {
                    successors[id.index()].push(callee.index());
                }
            });
        }
        let (component, _) = component_numbers(successors.len(), |node, k| successors[node].get(k).copied());
        let mut members: Vec<Vec<FunctionId>> = vec![Vec::new(); functions.len()];
        for id in functions.keys() {
            members[component[id.index()]].push(id);
        }
        let cycles = members.into_iter().filter(|members| match members[..] {
            [] => false,
            [only] => successors[only.index()].contains(&only.index()),
            _ => true,
        });
        let mut diagnostics: Vec<Diagnostic> = cycles
            .map(|members| {
                let names: Vec<&str> = members.iter().map(|&id| &*functions[id].name).collect();
                let first = &functions[members[0]];
                Diagnostic::error(
                    "recursive-definition",
                    first.span,
                    format!(
                        "functions that are expanded call each other in a cycle: {}",
                        names.join(", ")
                    ),
                )
                .hint("a function marked `:inline` or `:define` may not be recursive")
            })
            .collect();
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        for diagnostic in diagnostics {
            self.report(diagnostic);
        }
    }
}

/// As Boogie reads a Boolean attribute: no argument, or the literal `true` alone.
fn is_switched_on(function: &Function, name: &str) -> bool {
    function
        .attributes
        .0
        .iter()
        .filter(|attribute| &*attribute.name == name)
        .any(|attribute| match &attribute.params[..] {
            [] => true,
            [AttributeParam::Expr(expr)] => matches!(expr.kind, ExprKind::Bool(true)),
            _ => false,
        })
}
