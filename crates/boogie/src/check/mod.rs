//! text ─> tokens ─> ast ─> **names and types** ─> typed
//!
//! Name resolution and type checking in one walk over the syntax tree, after the
//! declarations are known:
//!
//! 1. [`declare`]: every declared name gets an id; the types of declarations are resolved.
//! 2. [`declarations`], [`procedure`]: attributes, `where` clauses, axioms, bodies. An
//!    expression is checked bottom up ([`expr`]); what is not known yet is a placeholder that
//!    unification fills in ([`infer`]) and [`finish`] replaces at the end of the statement.
//! 3. [`functions`], [`instantiation`]: what concerns the program as a whole.
//!
//! Invariant: an error is reported once; what depends on the erroneous part has the error
//! type, which fits everywhere. The typed program is given out only if there is no error.

mod attributes;
mod binders;
mod call;
mod datatypes;
mod declarations;
mod declare;
mod expr;
mod finish;
mod functions;
mod infer;
mod instantiation;
mod labels;
mod library;
mod literal;
mod maps;
mod measures;
mod modifies;
mod operators;
mod procedure;
mod resolve_type;
mod scope;
mod statement;
mod types;

use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use lariat_base::{Diagnostic, Diagnostics, Span, names};
use rustc_hash::{FxHashMap, FxHashSet};

use self::declare::{Callable, TypeName};
use self::infer::Inference;
use self::labels::BodyContext;
pub(crate) use self::modifies::ModifiesClauses;
use self::resolve_type::Synonym;
use self::scope::Scope;
use crate::ast;
use crate::typed::{
    ConstructorRef, DatatypeId, Expr, ExprKind, Name, ProcedureId, Program, Type, TypeParamId, VarId,
};

/// Resolves and type-checks a program. The typed program is `None` if there are errors.
pub(crate) fn check(
    program: &ast::Program,
    modifies_clauses: ModifiesClauses,
) -> (Option<Program>, Diagnostics) {
    let mut checker = Checker::new(modifies_clauses);
    let declared = checker.declare(program);
    checker.check_declarations(&declared);
    checker.complete_modifies();
    if !checker.diagnostics.has_errors() {
        checker.check_function_definitions();
        checker.check_measures();
        checker.check_finite_instantiation();
    }
    let Checker {
        mut program,
        diagnostics,
        infer,
        ..
    } = checker;
    program.type_params = infer.names;
    let program = (!diagnostics.has_errors()).then_some(program);
    (program, diagnostics)
}

/// How much of the program's state an expression may speak about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StateAccess {
    /// Axioms and functions: constants only.
    None,
    /// Preconditions, `where` clauses, attributes: the present state.
    Present,
    /// Postconditions and bodies: the present state and, by `old`, the earlier one.
    PresentAndOld,
}

struct Checker<'a> {
    program: Program,
    diagnostics: Diagnostics,
    infer: Inference,
    types: FxHashMap<Name, TypeName>,
    synonyms: Vec<Synonym<'a>>,
    functions: FxHashMap<Name, Callable>,
    procedures: FxHashMap<Name, ProcedureId>,
    pure_procedures: FxHashSet<ProcedureId>,
    /// Where the fields of a datatype with the same name are.
    fields: FxHashMap<(DatatypeId, Name), Vec<(ConstructorRef, u32)>>,
    scope: Scope,
    /// Type parameters in scope, the innermost last.
    type_binders: Vec<(Name, TypeParamId)>,
    state: StateAccess,
    in_trigger: bool,
    body: BodyContext,
    /// The number of code expressions around the present one.
    code_depth: usize,
    modifies_clauses: ModifiesClauses,
    /// Globals that were assigned though the clause of the procedure does not list them.
    missing_modifies: Vec<(ProcedureId, VarId)>,
    /// Which implementation may assign each global, by the number of the implementation.
    frame_of: SecondaryMap<VarId, u32>,
    frames: u32,
    /// Procedures whose `modifies` clause is covered by the present implementation's.
    covered_callees: FxHashSet<ProcedureId>,
    /// Assumption variables of the present implementation that were assigned.
    assigned_assumptions: FxHashSet<VarId>,
    /// The `{:id}` of statements, which must differ.
    statement_ids: FxHashMap<Arc<str>, Span>,
    /// The empty list of type arguments, shared by most applications.
    no_types: Arc<[Type]>,
    /// Looking for similar names costs time, so it is done for the first errors only.
    suggestions_left: usize,
}

impl<'a> Checker<'a> {
    fn new(modifies_clauses: ModifiesClauses) -> Self {
        Checker {
            program: Program::default(),
            diagnostics: Diagnostics::new(),
            infer: Inference::default(),
            types: FxHashMap::default(),
            synonyms: Vec::new(),
            functions: FxHashMap::default(),
            procedures: FxHashMap::default(),
            pure_procedures: FxHashSet::default(),
            fields: FxHashMap::default(),
            scope: Scope::default(),
            type_binders: Vec::new(),
            state: StateAccess::Present,
            in_trigger: false,
            body: BodyContext::default(),
            code_depth: 0,
            modifies_clauses,
            missing_modifies: Vec::new(),
            frame_of: SecondaryMap::new(),
            frames: 0,
            covered_callees: FxHashSet::default(),
            assigned_assumptions: FxHashSet::default(),
            statement_ids: FxHashMap::default(),
            no_types: Arc::from([]),
            suggestions_left: 50,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// The type as text for a message.
    fn show(&mut self, ty: &Type) -> String {
        let ty = if self.infer.is_too_large(ty) {
            ty.clone()
        } else {
            self.infer.resolved(ty)
        };
        types::show(&self.program, &self.infer.names, &ty)
    }

    /// What stands for an expression that has an error.
    fn erroneous(&self, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Bool(false),
            ty: types::error_type(),
            span,
        }
    }

    /// Reports a name that is not declared, with what was probably meant.
    fn undeclared(&mut self, code: &'static str, what: &str, name: &ast::Ident, candidates: Candidates) {
        let mut diagnostic = Diagnostic::error(code, name.span, format!("undeclared {what} `{}`", name.name))
            .label(format!("no {what} of this name is in scope"));
        if let Some(hint) = self.hint_for_undeclared(&name.name, candidates) {
            diagnostic = diagnostic.hint(hint);
        }
        self.report(diagnostic);
    }

    fn hint_for_undeclared(&mut self, name: &str, candidates: Candidates) -> Option<String> {
        if library::is_library_name(name) {
            return Some(format!(
                "`{name}` belongs to the library that Boogie's `-lib` option adds, which Lariat does not provide; \
                 declare what the program needs of it"
            ));
        }
        self.suggestions_left = self.suggestions_left.checked_sub(1)?;
        let closest = match candidates {
            Candidates::Variables => names::closest(name, self.scope.names()),
            Candidates::Functions => names::closest(name, self.functions.keys()),
            Candidates::Procedures => names::closest(name, self.procedures.keys()),
            Candidates::Labels => names::closest(name, self.body.labels.keys()),
            Candidates::Types => names::closest(
                name,
                self.types
                    .keys()
                    .chain(self.type_binders.iter().map(|(name, _)| name)),
            ),
        };
        if let Some(closest) = closest {
            return Some(format!("did you mean `{closest}`?"));
        }
        let elsewhere = if !matches!(candidates, Candidates::Functions) && self.functions.contains_key(name) {
            "a function"
        } else if !matches!(candidates, Candidates::Procedures) && self.procedures.contains_key(name) {
            "a procedure"
        } else if !matches!(candidates, Candidates::Variables) && self.scope.get(name).is_some() {
            "a variable"
        } else if !matches!(candidates, Candidates::Types) && self.types.contains_key(name) {
            "a type"
        } else {
            return None;
        };
        Some(format!("`{name}` is {elsewhere}"))
    }

    /// Demands that an expression has a type.
    fn expect_type(&mut self, expr: &Expr, expected: &Type, code: &'static str, what: &str) -> bool {
        if self.infer.unify(expected, &expr.ty) {
            return true;
        }
        let (expected, found) = (self.show(expected), self.show(&expr.ty));
        self.report(
            Diagnostic::error(
                code,
                expr.span,
                format!("{what} must be of type `{expected}`, not `{found}`"),
            )
            .label(format!("expected `{expected}`, found `{found}`")),
        );
        false
    }
}

/// The names among which a similar one is looked for.
#[derive(Clone, Copy)]
enum Candidates {
    Variables,
    Functions,
    Procedures,
    Types,
    Labels,
}
