//! C text ─ c-reader, c-models, c-regions, c-lower ─> IR ─ **cfa** ─> one automaton for a component
//!
//! The front end is that of `lariat verify`; only the library routines of the project stay calls. A routine does what its
//! procedure abstraction says and nothing else: it changes no variable but the one that takes its result.

use std::path::PathBuf;
use std::rc::Rc;

use cranelift_entity::PrimaryMap;
use lariat_base::{Diagnostic, Diagnostics, Severity, SourceMap, Span};
use lariat_c_arith::Arith;
use lariat_c_lower::{ExternalUse, Lowered, Names};
use lariat_c_program::{CProgram, Callee, ExprKind, FunctionId, Node, Scalar, visit_stmt};
use lariat_front_end::ReadRequest;
use lariat_ir::{Origin, ProcId, StmtKind};
use lariat_lts::{ActionTable, Alphabet, Lts};
use lariat_options::{COptions, Check};
use lariat_report::ConformRequest;
use lariat_specs::SpecExpr;
use lariat_term::{TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::{Alternative, Cfa, InlineError, Routine, RoutineId};
use crate::guard::{GuardReader, Name};

/// What is an action `error`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    #[default]
    None,
    /// What the options of C check: error functions, failing assertions and labels `ERROR` unless the user says otherwise.
    All,
    /// Only labels of this name.
    Label(String),
}

/// A condition with the place where it was written.
#[derive(Clone, Debug)]
pub struct Guard {
    pub expr: SpecExpr,
    pub span: Option<Span>,
}

/// A procedure abstraction as the project gives it.
#[derive(Clone, Debug)]
pub struct RoutineInput {
    pub name: String,
    /// Names for the parameters; those of the C definition if there are none.
    pub parameters: Vec<String>,
    pub alternatives: Vec<(Guard, Rc<Lts>)>,
}

/// A component as the project gives it.
#[derive(Clone, Debug)]
pub struct ComponentInput {
    pub name: String,
    pub files: Vec<PathBuf>,
    pub procedure: String,
    pub guard: Option<Guard>,
}

/// A component's automaton, and what traces are told in.
pub struct CComponent {
    pub cfa: Cfa,
    /// What the routines can be seen to do that the text calls, whether a call can be reached or not (§5.3).
    pub alphabet: Alphabet,
    pub program: CProgram,
    pub names: Names,
}

/// The C texts of one run that were read: copies of a component and later questions do not read them again.
#[derive(Default)]
pub struct Texts {
    known: Vec<(Text, lariat_front_end::CComponent)>,
}

/// What the IR of a component depends on, beside the options of the run.
#[derive(Clone, PartialEq, Eq)]
struct Text {
    files: Vec<PathBuf>,
    procedure: String,
    macros: Vec<String>,
    routines: Vec<String>,
    errors: Errors,
}

/// How C is read.
pub struct Reading<'a> {
    pub c: &'a COptions,
    pub errors: &'a Errors,
    pub texts: &'a mut Texts,
}

/// Reads a component. `None` if there are errors.
pub fn read_component(
    input: &ComponentInput,
    routines: &[RoutineInput],
    Reading { c, errors, texts }: Reading<'_>,
    actions: &ActionTable,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<CComponent> {
    let text = Text {
        files: input.files.clone(),
        procedure: input.procedure.clone(),
        macros: c.macros.clone(),
        routines: routines.iter().map(|routine| routine.name.clone()).collect(),
        errors: errors.clone(),
    };
    let read = match texts.known.iter().find(|(known, _)| *known == text) {
        Some((_, read)) => read.clone(),
        None => {
            let read = read_text(&text, c, sources, diagnostics)?;
            texts.known.push((text, read.clone()));
            read
        }
    };
    automaton(input, routines, read.program, read.lowered, actions, diagnostics)
}

fn read_text(
    text: &Text,
    c: &COptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<lariat_front_end::CComponent> {
    lariat_front_end::read_component(
        &ReadRequest {
            files: &text.files,
            language: None,
            c: &checked(c, &text.errors),
            entries: std::slice::from_ref(&text.procedure),
            error_label: match &text.errors {
                Errors::Label(label) => Some(label),
                Errors::None | Errors::All => None,
            },
            routines: &text.routines,
            open: None,
            log: &[],
            check_only: false,
        },
        sources,
        diagnostics,
    )
}

/// The options with the checks that make up the action `error`.
fn checked(c: &COptions, errors: &Errors) -> COptions {
    let c = c.clone();
    let is_error = |check: &Check| ConformRequest::CHECKS.contains(check);
    match errors {
        Errors::All => COptions {
            checks: c.checks.iter().copied().filter(is_error).collect(),
            ..c
        },
        Errors::None => COptions {
            checks: Vec::new(),
            error_labels: false,
            ..c
        },
        Errors::Label(_) => COptions {
            checks: vec![Check::Reach],
            error_functions: Vec::new(),
            ..c
        },
    }
}

fn automaton(
    input: &ComponentInput,
    inputs: &[RoutineInput],
    program: CProgram,
    lowered: Lowered,
    actions: &ActionTable,
    diagnostics: &mut Diagnostics,
) -> Option<CComponent> {
    let Lowered {
        program: mut ir,
        names,
        integers,
        starts,
        externals,
        ..
    } = lowered;
    tell_externals(externals, diagnostics);
    let arith = Arith {
        integers,
        machine: program.types.machine,
    };
    let scalar_of = |var: VarId| {
        names
            .vars
            .get(&var)
            .and_then(|shown| program.types.scalar(shown.ty))
    };
    let named = |vars: &[VarId], given: &[String]| -> Vec<Name> {
        vars.iter()
            .enumerate()
            .filter_map(|(index, &var)| {
                let text = match given.get(index) {
                    Some(given) => given.clone(),
                    None => names.vars.get(&var)?.text.clone(),
                };
                let scalar = scalar_of(var)?;
                Some(Name { text, var, scalar })
            })
            .collect()
    };
    let entry = ir
        .procs
        .iter()
        .find(|(_, proc)| proc.entry_mark.is_some() && *proc.name == *input.procedure)
        .map(|(id, _)| id)?;
    let globals = named(&ir.globals, &[]);
    let mut known: PrimaryMap<RoutineId, Routine> = PrimaryMap::new();
    let mut routine_of: FxHashMap<ProcId, RoutineId> = FxHashMap::default();
    for routine in inputs {
        let found = ir
            .procs
            .iter()
            .find(|(_, proc)| proc.entry_mark.is_none() && *proc.name == *routine.name);
        let Some((proc, data)) = found else { continue };
        let parameters = data.params.clone();
        let mut visible = named(&parameters, &routine.parameters);
        visible.extend(globals.iter().cloned());
        let reader = GuardReader {
            arith,
            names: &visible,
        };
        let mut alternatives = Vec::new();
        for (guard, process) in &routine.alternatives {
            match reader.condition(&mut ir.pool, &guard.expr) {
                Ok(term) => alternatives.push(Alternative::new(term, Rc::clone(process), actions)),
                Err(message) => diagnostics.push(guard_error(guard, message)),
            }
        }
        let routine = known.push(Routine::new(routine.name.clone(), parameters, alternatives));
        routine_of.insert(proc, routine);
    }
    let mut visible = named(&ir.procs[entry].params, &[]);
    visible.extend(globals);
    let reader = GuardReader {
        arith,
        names: &visible,
    };
    if let Some(guard) = &input.guard {
        match reader.condition(&mut ir.pool, &guard.expr) {
            Ok(term) => {
                // It speaks of the objects as they are when the component starts.
                let assume = ir.stmt(StmtKind::Assume(term), guard.span, Origin::Requires);
                let block = ir.procs[entry].entry;
                let start = starts.get(&entry).copied().unwrap_or(0);
                ir.procs[entry].blocks[block].stmts.insert(start, assume);
            }
            Err(message) => diagnostics.push(guard_error(guard, message)),
        }
    }
    if diagnostics.has_errors() {
        return None;
    }
    let range = |pool: &mut TermPool, var: VarId, term| {
        let scalar = scalar_of(var).filter(|scalar| !matches!(scalar, Scalar::Float(_)))?;
        arith.in_type(pool, scalar, term)
    };
    match Cfa::of(ir, entry, known, &routine_of, &range) {
        Ok(cfa) => Some(CComponent {
            cfa,
            alphabet: called_actions(&program, &input.procedure, inputs, actions),
            program,
            names,
        }),
        Err(error) => {
            diagnostics.push(inline_error(input, error));
            None
        }
    }
}

/// The actions of the routines that a function calls, itself or through others with a body.
fn called_actions(
    program: &CProgram,
    procedure: &str,
    routines: &[RoutineInput],
    actions: &ActionTable,
) -> Alphabet {
    let by_name: FxHashMap<&str, &RoutineInput> = routines
        .iter()
        .map(|routine| (routine.name.as_str(), routine))
        .collect();
    let entry = program
        .functions
        .iter()
        .find(|(_, function)| *function.name == *procedure);
    let mut open: Vec<FunctionId> = entry.map(|(id, _)| id).into_iter().collect();
    let mut seen: FxHashSet<FunctionId> = open.iter().copied().collect();
    let mut called = Vec::new();
    while let Some(function) = open.pop() {
        let Some(body) = &program.functions[function].body else {
            continue;
        };
        visit_stmt(body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Call {
                    callee: Callee::Function(callee),
                    ..
                } = &expr.kind
                && seen.insert(*callee)
            {
                match by_name.get(&*program.functions[*callee].name) {
                    Some(routine) => called.push(*routine),
                    None => open.push(*callee),
                }
            }
        });
    }
    let systems = called.iter().flat_map(|routine| &routine.alternatives);
    systems
        .flat_map(|(_, system)| system.alphabet().iter())
        .filter(|&action| actions[action].return_value().is_none())
        .collect()
}

/// What is taken for granted of functions without a body.
fn tell_externals(externals: Vec<ExternalUse>, diagnostics: &mut Diagnostics) {
    for ExternalUse { name, span, effect } in externals {
        if name.starts_with("__VERIFIER_nondet_") {
            continue;
        }
        let is_variable = effect.starts_with("an external variable");
        let (message, hint) = match is_variable {
            true => (
                format!("`{name}` is {effect}"),
                "a guard of the component can say more of it",
            ),
            false => (
                format!("`{name}` has no body: it is assumed that it {effect}"),
                "if it does what the specification observes, describe it as a library routine",
            ),
        };
        let note = Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::warning("conform-external", span, message).hint(hint)
        };
        if !diagnostics.iter().any(|known| *known == note) {
            diagnostics.push(note);
        }
    }
}

fn guard_error(guard: &Guard, message: String) -> Diagnostic {
    let diagnostic = match guard.span {
        Some(span) => Diagnostic::error("conform-guard", span, message),
        None => Diagnostic::global_error("conform-guard", message),
    };
    diagnostic.hint("a guard is a condition over the parameters of the procedure and globals, such as `x > 0 && mode == 2`")
}

fn inline_error(input: &ComponentInput, error: InlineError) -> Diagnostic {
    match error {
        InlineError::Recursion { cycle, span } => {
            let first = cycle.first().cloned().unwrap_or_default();
            let message = format!("`{}` is recursive: {} -> {first}", first, cycle.join(" -> "));
            let diagnostic = match span {
                Some(span) => Diagnostic::error("conform-recursion", span, message),
                None => Diagnostic::global_error("conform-recursion", message),
            };
            diagnostic.hint(format!(
                "calls are inlined, so a component must not be recursive; describe `{first}` as a library routine in the project file"
            ))
        }
        InlineError::TooLarge => Diagnostic::global_error(
            "conform-size",
            format!(
                "`{}` has more than {} statements after inlining",
                input.procedure,
                crate::cfa::MAX_STATEMENTS
            ),
        )
        .hint("describe some of the procedures as library routines in the project file"),
    }
}
