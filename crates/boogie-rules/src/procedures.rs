//! Rules for procedures: code at the beginning of a body, or as the body of a procedure that has none.
//!
//! What the environment does in a procedure without a body it still does when the procedure gets one: its results and what it
//! modifies are chosen first, and its postconditions stay assumptions.

use lariat_base::{Diagnostics, Span};
use lariat_boogie::ast::{Body, Decl, Ident, ProcedureDecl, Program, Spec, Stmt, StmtKind, TypedIdent};
use rustc_hash::FxHashMap;

use crate::build::Build;
use crate::declared::{Declared, Formal, Name, Procedure};
use crate::insertion::Inserted;
use crate::matching::{Binding, variable};
use crate::template::{ANY_PARAMETERS, MATCH_POINTERS, Pattern, REPLACE_IMPLEMENTATION, is_subset};

/// Procedures that any of the patterns matches get the code.
pub struct ProcedureRule {
    pub patterns: Vec<Pattern>,
    pub code: Vec<Stmt>,
}

/// What a procedure gets.
struct Addition {
    code: Vec<Stmt>,
    replaces: bool,
}

pub fn apply(
    program: &mut Program,
    rules: &[ProcedureRule],
    inserted: &Inserted<'_>,
    diagnostics: &mut Diagnostics,
) {
    if rules.is_empty() {
        return;
    }
    let declared = Declared::of(program);
    for decl in &mut program.decls {
        let (name, signature, span, has_body) = match &*decl {
            Decl::Procedure(decl) => (&decl.name.name, &decl.signature, decl.span, decl.body.is_some()),
            Decl::Implementation(decl) => (&decl.name.name, &decl.signature, decl.span, true),
            _ => continue,
        };
        let Some(procedure) = declared.procedures.get(name) else {
            continue;
        };
        // The code goes into the implementation.
        if procedure.has_body && !has_body {
            continue;
        }
        let names = Names::of(&signature.ins, &signature.outs);
        let addition = addition(name, procedure, &names, rules, inserted, span, diagnostics);
        match (decl, addition) {
            (Decl::Procedure(decl), Some(addition)) => add_to_procedure(decl, procedure, addition),
            (Decl::Implementation(decl), Some(addition)) => add_to_body(&mut decl.body, addition),
            _ => {}
        }
    }
}

/// The names that a body has for parameters and results.
struct Names {
    ins: Vec<Ident>,
    outs: Vec<Ident>,
}

impl Names {
    fn of(ins: &[TypedIdent], outs: &[TypedIdent]) -> Names {
        let names = |formals: &[TypedIdent]| formals.iter().map(|formal| formal.name.clone()).collect();
        Names {
            ins: names(ins),
            outs: names(outs),
        }
    }
}

fn add_to_body(body: &mut Body, addition: Addition) {
    let rest = std::mem::take(&mut body.stmts);
    body.stmts = addition.code;
    if !addition.replaces {
        body.stmts.extend(rest);
    }
}

fn add_to_procedure(decl: &mut ProcedureDecl, procedure: &Procedure, addition: Addition) {
    if let Some(body) = &mut decl.body {
        return add_to_body(body, addition);
    }
    let build = Build(decl.span);
    let outs = procedure.outs.iter().map(|out| &out.name);
    let chosen: Vec<_> = outs
        .chain(&procedure.modifies)
        .map(|name| build.ident(name))
        .collect();
    let mut stmts = Vec::new();
    if !chosen.is_empty() {
        stmts.push(build.stmt(StmtKind::Havoc(chosen)));
    }
    stmts.extend(addition.code);
    for spec in &mut decl.specs {
        if let Spec::Ensures(contract) = spec {
            contract.free = true;
        }
    }
    decl.body = Some(Body {
        locals: Vec::new(),
        stmts,
        span: decl.span,
    });
}

/// The code of the first rule that matches.
fn addition(
    name: &Name,
    procedure: &Procedure,
    names: &Names,
    rules: &[ProcedureRule],
    inserted: &Inserted<'_>,
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Option<Addition> {
    for rule in rules {
        for pattern in &rule.patterns {
            let uses = |parameter: &Name, binding: &Binding| {
                let placeholders = std::iter::once(parameter.clone()).collect();
                let unbound = Inserted {
                    placeholders: &placeholders,
                    ..*inserted
                };
                unbound.code(&rule.code, binding, span).is_err()
            };
            let Some(bindings) = bindings(pattern, name, procedure, names, uses) else {
                continue;
            };
            let mut code = Vec::new();
            for binding in bindings {
                match inserted.code(&rule.code, &binding, span) {
                    Ok(stmts) => code.extend(stmts),
                    Err(diagnostic) => {
                        diagnostics.push(*diagnostic);
                        return None;
                    }
                }
            }
            return Some(Addition {
                code,
                replaces: pattern.has(REPLACE_IMPLEMENTATION),
            });
        }
    }
    None
}

/// What the parameters of the pattern stand for: one binding, or one for each parameter that the last one stands for if the code
/// uses that.
fn bindings(
    pattern: &Pattern,
    name: &Name,
    procedure: &Procedure,
    names: &Names,
    uses: impl Fn(&Name, &Binding) -> bool,
) -> Option<Vec<Binding>> {
    if !pattern.is(name, procedure) {
        return None;
    }
    let pointers = pattern.has(MATCH_POINTERS);
    let (ins, any) = parameters(&pattern.declared.ins, &procedure.ins, pointers)?;
    let (outs, _) = parameters(&pattern.declared.outs, &procedure.outs, pointers)?;
    let mut common = Binding::default();
    let bound = ins
        .into_iter()
        .map(|(name, position)| (name, &names.ins[position]));
    let results = outs
        .into_iter()
        .map(|(name, position)| (name, &names.outs[position]));
    for (name, found) in bound.chain(results) {
        common.bind(&name, &variable(found))?;
    }
    let Some((any, positions)) = any.filter(|(any, _)| uses(any, &common)) else {
        return Some(vec![common]);
    };
    let each = positions.into_iter().map(|position| {
        let mut binding = common.clone();
        binding.exprs.insert(any.clone(), variable(&names.ins[position]));
        binding
    });
    Some(each.collect())
}

/// Which parameter each of the pattern is, and which ones the last stands for. The procedure may have more of them.
type Parameters = (FxHashMap<Name, usize>, Option<(Name, Vec<usize>)>);

fn parameters(pattern: &[Formal], formals: &[Formal], pointers: bool) -> Option<Parameters> {
    let mut found = FxHashMap::default();
    for (position, wanted) in pattern.iter().enumerate() {
        let is_last = position + 1 == pattern.len();
        if is_last && wanted.marks.contains_key(ANY_PARAMETERS) {
            let fits = |&index: &usize| {
                let formal: &Formal = &formals[index];
                formal.type_text() == wanted.type_text() && is_subset(&wanted.marks, &formal.marks)
            };
            let positions = (position..formals.len()).filter(fits).collect();
            return Some((found, Some((wanted.name.clone(), positions))));
        }
        let formal = formals.get(position)?;
        if formal.type_text() != wanted.type_text() || pointers && !same_memory(wanted, formal) {
            return None;
        }
        found.insert(wanted.name.clone(), position);
    }
    Some((found, None))
}

fn same_memory(wanted: &Formal, formal: &Formal) -> bool {
    match wanted.marks.get("ptr") {
        None => true,
        Some(memory) => ["ptr", "ref"]
            .iter()
            .any(|key| formal.marks.get(*key) == Some(memory)),
    }
}
