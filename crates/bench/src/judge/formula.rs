//! Specifications of angelic verification, as formulas of one program.
//!
//! A specification is text in Boogie's syntax: `forall x: int :: unknown_1(x) ==> x != NULL`, or a condition over
//! inputs. The predicates that guard bound variables are *symbols*; inputs (parameters of an entry, globals that
//! are not maps) are treated as guarded variables too, each with its own symbol. What remains is a condition over variables,
//! one for each symbol in the specification:
//!
//! ```text
//! ∀x̄. symbol_1(x_1) ∧ … ⇒ condition(x̄)
//! ```
//!
//! Pointers that are numbers are addresses: none is less than the null pointer. The tool whose results are recorded writes `m[z] > 0`
//! where it means that no element of `m` is null. So a map of numbers whose elements a specification compares with the null
//! pointer holds nothing that is less.

use std::collections::HashMap;
use std::path::Path;

use lariat_base::{Diagnostics, SourceMap};
use lariat_boogie::ast::{
    BinaryOp, Body, Decl, Expr, ExprKind, Ident, ProcedureDecl, Program, Quantifier, QuantifierKind,
    Signature, Stmt, StmtKind, Type, TypeKind, TypedIdent,
};
use lariat_boogie::{check_completing_modifies, parser};
use lariat_ir::StmtKind as IrStmt;
use lariat_term::{Op, TermId, TermPool, VarId};

/// Names that no program has for its procedures.
const PROCEDURE: &str = "lariat$specification$";

/// What a variable of a specification stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// A predicate: `unknown_1`.
    Unknown(String),
    Parameter {
        entry: String,
        name: String,
    },
    Global(String),
}

/// A specification after reading.
#[derive(Clone, Debug)]
struct Parsed {
    variables: Vec<(Symbol, TypedIdent)>,
    condition: Expr,
}

/// A specification over the terms of a [`Formulas`].
#[derive(Clone, Debug)]
pub struct Formula {
    /// One for each symbol, in the order of the text.
    pub variables: Vec<(Symbol, VarId)>,
    pub condition: TermId,
}

/// The specifications of one program, in the order in which they were given.
#[derive(Debug)]
pub struct Formulas {
    pub pool: TermPool,
    /// The program's axioms without quantifiers, and that elements of maps of pointers are addresses.
    pub axioms: Vec<TermId>,
    pub formulas: Vec<Formula>,
}

/// A text and the entry whose inputs it names.
#[derive(Clone, Copy, Debug)]
pub struct SpecificationText<'a> {
    pub text: &'a str,
    pub entry: Option<&'a str>,
}

impl Formulas {
    /// Reads specifications of a program. The error says what could not be understood.
    pub fn read(program: &Path, texts: &[SpecificationText<'_>]) -> Result<Self, String> {
        let source = std::fs::read_to_string(program)
            .map_err(|error| format!("cannot read {}: {error}", program.display()))?;
        Self::of_program(&source, texts)
    }

    /// The same for the text of a program.
    pub fn of_program(source: &str, texts: &[SpecificationText<'_>]) -> Result<Self, String> {
        let mut sources = SourceMap::new();
        let mut syntax = parsed(&mut sources, source)?;
        let declarations = Declarations::of(&syntax);
        let mut all: Vec<Vec<Symbol>> = Vec::new();
        let mut procedures = Vec::with_capacity(texts.len());
        for (number, text) in texts.iter().enumerate() {
            let read = declarations
                .read(&mut sources, *text)
                .map_err(|reason| format!("`{}`: {reason}", text.text))?;
            all.push(read.variables.iter().map(|(symbol, _)| symbol.clone()).collect());
            procedures.push(procedure(number, read));
        }
        let maps = declarations.maps.iter().map(|&map| map.to_owned());
        let maps: Vec<String> = maps.collect();
        for (number, map) in (texts.len()..).zip(&maps) {
            let text = format!("(forall address: int :: {map}[address] >= NULL)");
            let entry = None;
            let read = declarations.read(&mut sources, SpecificationText { text: &text, entry })?;
            procedures.push(procedure(number, read));
        }
        syntax.decls.extend(procedures);
        let (typed, found) = check_completing_modifies(&syntax);
        let typed = typed.ok_or_else(|| first_error(&found))?;
        let lowered = lariat_lower::lower(&typed).map_err(|errors| first_error(&errors))?;
        let program = lowered.program;
        let mut formulas = Vec::with_capacity(all.len());
        for (number, symbols) in all.into_iter().enumerate() {
            let (params, condition) = lowered_condition(&program, number)?;
            formulas.push(Formula {
                variables: symbols.into_iter().zip(params.iter().copied()).collect(),
                condition,
            });
        }
        let axioms = program.axioms.iter().map(|axiom| axiom.term);
        let axioms = axioms.filter(|&term| is_ground(&program.pool, term));
        let mut axioms: Vec<TermId> = axioms.collect();
        for (number, map) in (texts.len()..).zip(&maps) {
            let mut conditions = formulas.iter().map(|formula| formula.condition);
            if conditions.any(|condition| has_pointers(&program.pool, condition, map)) {
                axioms.push(lowered_condition(&program, number)?.1);
            }
        }
        Ok(Formulas {
            axioms,
            formulas,
            pool: program.pool,
        })
    }
}

/// What became of [`procedure`].
fn lowered_condition(program: &lariat_ir::Program, number: usize) -> Result<(&[VarId], TermId), String> {
    let id = program.proc_by_name(&format!("{PROCEDURE}{number}"));
    let proc = &program.procs[id.ok_or("a specification got lost")?];
    let mut stmts = proc.blocks.values().flat_map(|block| &block.stmts);
    let condition = stmts.find_map(|stmt| match stmt.kind {
        IrStmt::Assume(condition) => Some(condition),
        _ => None,
    });
    let condition = condition.ok_or("a specification that Lariat cannot express")?;
    Ok((&proc.params, condition))
}

/// Whether a condition compares an element of the map with the null pointer.
fn has_pointers(pool: &TermPool, condition: TermId, map: &str) -> bool {
    let is_named =
        |term: TermId, name: &str| pool.as_var(term).is_some_and(|var| **pool.var_name(var) == *name);
    let is_element = |&term: &TermId| pool.op(term) == Op::Select && is_named(pool.args(term)[0], map);
    let mut found = false;
    pool.visit_subterms(&[condition], |part| {
        let args = pool.args(part);
        found |= pool.op(part) == Op::Eq
            && args.iter().any(is_element)
            && args.iter().any(|&arg| is_named(arg, "NULL"));
    });
    found
}

fn is_ground(pool: &TermPool, term: TermId) -> bool {
    let mut ground = true;
    pool.visit_subterms(&[term], |part| {
        ground &= !matches!(pool.op(part), Op::Quantifier(_));
    });
    ground
}

fn first_error(diagnostics: &Diagnostics) -> String {
    let error = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity == lariat_base::Severity::Error);
    error.map_or("it cannot be read".to_owned(), |error| error.message.clone())
}

fn parsed(sources: &mut SourceMap, text: &str) -> Result<Program, String> {
    let id = sources.add("specification", text);
    let (program, found) = parser::parse(sources, id);
    match found.has_errors() {
        true => Err(first_error(&found)),
        false => Ok(program),
    }
}

/// An expression on its own.
pub fn expression(sources: &mut SourceMap, text: &str) -> Result<Expr, String> {
    let program = parsed(sources, &format!("axiom ({text});"))?;
    match <[Decl; 1]>::try_from(program.decls) {
        Ok([Decl::Axiom(axiom)]) => Ok(axiom.body),
        _ => Err("it is not an expression".to_owned()),
    }
}

/// What the names of a program mean.
struct Declarations<'a> {
    /// By procedure its parameters, those of the body if there is one.
    parameters: HashMap<&'a str, &'a [TypedIdent]>,
    /// Globals that are not maps.
    scalars: HashMap<&'a str, &'a Type>,
    /// Globals that map numbers to numbers, if the null pointer is a number.
    maps: Vec<&'a str>,
    /// Specifications use `NULL` even if the program uses `null`.
    null: &'static str,
}

impl<'a> Declarations<'a> {
    fn of(program: &'a Program) -> Self {
        let mut declarations = Declarations {
            parameters: HashMap::new(),
            scalars: HashMap::new(),
            maps: Vec::new(),
            null: "null",
        };
        let mut null_is_number = false;
        for decl in &program.decls {
            match decl {
                Decl::Const(constant) if constant.names.iter().any(|name| &*name.name == "NULL") => {
                    declarations.null = "NULL";
                    null_is_number = matches!(constant.ty.kind, TypeKind::Int);
                }
                Decl::Var(globals) => {
                    let scalars = globals.vars.iter().filter(|var| !is_map(&var.ty));
                    let scalars = scalars.map(|var| (&*var.name.name, &var.ty));
                    declarations.scalars.extend(scalars);
                    let maps = globals.vars.iter().filter(|var| maps_numbers(&var.ty));
                    declarations.maps.extend(maps.map(|var| &*var.name.name));
                }
                Decl::Procedure(procedure) => {
                    let parameters = declarations.parameters.entry(&*procedure.name.name);
                    parameters.or_insert(&procedure.signature.ins);
                }
                Decl::Implementation(body) => {
                    let parameters = &mut declarations.parameters;
                    parameters.insert(&*body.name.name, &body.signature.ins);
                }
                _ => {}
            }
        }
        if !null_is_number {
            declarations.maps.clear();
        }
        declarations
    }

    fn read(&self, sources: &mut SourceMap, text: SpecificationText<'_>) -> Result<Parsed, String> {
        let whole = expression(sources, text.text)?;
        let mut read = unguarded(whole)?;
        let mut inputs: Vec<(Symbol, TypedIdent)> = Vec::new();
        let mut bound: Vec<String> = names(&read.variables);
        each_free_name(&mut read.condition, &mut bound, &mut |ident| {
            if &*ident.name == "NULL" {
                ident.name = self.null.into();
                return;
            }
            if inputs.iter().any(|(_, input)| input.name.name == ident.name) {
                return;
            }
            inputs.extend(self.input(ident, text.entry));
        })?;
        read.variables.extend(inputs);
        Ok(read)
    }

    /// The input that a name is, if it is one.
    fn input(&self, ident: &Ident, entry: Option<&str>) -> Option<(Symbol, TypedIdent)> {
        let name = &*ident.name;
        let parameter = entry.and_then(|entry| {
            let parameters = self.parameters.get(entry)?;
            let parameter = parameters
                .iter()
                .find(|parameter| &*parameter.name.name == name)?;
            let symbol = Symbol::Parameter {
                entry: entry.to_owned(),
                name: name.to_owned(),
            };
            Some((symbol, &parameter.ty)).filter(|(_, ty)| !is_map(ty))
        });
        let global = || {
            let ty = self.scalars.get(name)?;
            Some((Symbol::Global(name.to_owned()), *ty))
        };
        let (symbol, ty) = parameter.or_else(global)?;
        let variable = TypedIdent {
            attributes: Vec::new(),
            name: ident.clone(),
            ty: ty.clone(),
            where_clause: None,
        };
        Some((symbol, variable))
    }
}

fn is_map(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Map(_))
}

/// `[int]int`
fn maps_numbers(ty: &Type) -> bool {
    let TypeKind::Map(map) = &ty.kind else {
        return false;
    };
    let is_number = |ty: &Type| matches!(ty.kind, TypeKind::Int);
    matches!(map.indices.as_slice(), [index] if is_number(index)) && is_number(&map.result)
}

fn names(variables: &[(Symbol, TypedIdent)]) -> Vec<String> {
    variables
        .iter()
        .map(|(_, variable)| variable.name.name.to_string())
        .collect()
}

/// Takes the guarded variables out of a quantifier: `forall x, z :: unknown_1(x) ==> e` has `x` and `forall z :: e`.
fn unguarded(whole: Expr) -> Result<Parsed, String> {
    let span = whole.span;
    let quantifier = match whole.kind {
        ExprKind::Quantifier(quantifier)
            if quantifier.kind == QuantifierKind::Forall && quantifier.type_params.is_empty() =>
        {
            *quantifier
        }
        kind => {
            return Ok(Parsed {
                variables: Vec::new(),
                condition: Expr { kind, span },
            });
        }
    };
    let Quantifier {
        mut bound,
        body,
        attributes,
        ..
    } = quantifier;
    let mut variables = Vec::new();
    let condition = match body.kind {
        ExprKind::Binary(BinaryOp::Implies, guards, conclusion) => {
            let mut rest = Vec::new();
            for guard in conjuncts(*guards) {
                match guarded(&guard, &bound) {
                    Some((symbol, position)) => variables.push((symbol, bound.remove(position))),
                    None => rest.push(guard),
                }
            }
            let conjunction = |left: Expr, right: Expr| Expr {
                kind: ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right)),
                span,
            };
            match rest.into_iter().reduce(conjunction) {
                Some(premise) => Expr {
                    kind: ExprKind::Binary(BinaryOp::Implies, Box::new(premise), conclusion),
                    span,
                },
                None => *conclusion,
            }
        }
        kind => Expr { kind, span },
    };
    if bound.is_empty() {
        return Ok(Parsed { variables, condition });
    }
    let quantifier = Quantifier {
        kind: QuantifierKind::Forall,
        type_params: Vec::new(),
        bound,
        attributes,
        triggers: Vec::new(),
        body: condition,
    };
    let condition = Expr {
        kind: ExprKind::Quantifier(Box::new(quantifier)),
        span,
    };
    Ok(Parsed { variables, condition })
}

fn conjuncts(expr: Expr) -> Vec<Expr> {
    match expr.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            let mut all = conjuncts(*left);
            all.extend(conjuncts(*right));
            all
        }
        _ => vec![expr],
    }
}

/// `unknown_1(x)` of a bound variable: the symbol and the variable's position.
fn guarded(guard: &Expr, bound: &[TypedIdent]) -> Option<(Symbol, usize)> {
    let ExprKind::Call(predicate, arguments) = &guard.kind else {
        return None;
    };
    let [argument] = arguments.as_slice() else {
        return None;
    };
    let ExprKind::Var(variable) = &argument.kind else {
        return None;
    };
    let is_predicate = predicate.name.starts_with("unknown");
    let position = bound.iter().position(|one| one.name.name == variable.name)?;
    is_predicate.then(|| (Symbol::Unknown(predicate.name.to_string()), position))
}

/// Calls `note` with each name in the expression that no quantifier in it binds and that is not in `bound`.
fn each_free_name(
    expr: &mut Expr,
    bound: &mut Vec<String>,
    note: &mut dyn FnMut(&mut Ident),
) -> Result<(), String> {
    match &mut expr.kind {
        ExprKind::Var(ident) => {
            if !bound.iter().any(|name| **name == *ident.name) {
                note(ident);
            }
            Ok(())
        }
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Bv { .. }
        | ExprKind::Float(_)
        | ExprKind::RoundingMode(_)
        | ExprKind::String(_) => Ok(()),
        ExprKind::Call(_, args) => args
            .iter_mut()
            .try_for_each(|arg| each_free_name(arg, bound, note)),
        ExprKind::Convert(_, inner)
        | ExprKind::Unary(_, inner)
        | ExprKind::Coerce(inner, _)
        | ExprKind::Extract { value: inner, .. }
        | ExprKind::Field(inner, _)
        | ExprKind::Is(inner, _) => each_free_name(inner, bound, note),
        ExprKind::Binary(_, left, right) => {
            each_free_name(left, bound, note)?;
            each_free_name(right, bound, note)
        }
        ExprKind::IfThenElse(a, b, c) => [a, b, c]
            .into_iter()
            .try_for_each(|part| each_free_name(part, bound, note)),
        ExprKind::Select(map, indices) => {
            each_free_name(map, bound, note)?;
            indices
                .iter_mut()
                .try_for_each(|index| each_free_name(index, bound, note))
        }
        ExprKind::Quantifier(quantifier) => {
            let before = bound.len();
            bound.extend(quantifier.bound.iter().map(|var| var.name.name.to_string()));
            let done = each_free_name(&mut quantifier.body, bound, note);
            bound.truncate(before);
            done
        }
        ExprKind::Old(_)
        | ExprKind::Store(..)
        | ExprKind::FieldUpdate(..)
        | ExprKind::Let { .. }
        | ExprKind::Code(_) => Err("specifications have no such expressions".to_owned()),
    }
}

/// `procedure …(x̄) { assume condition; }`: its lowering is the condition as a term.
fn procedure(number: usize, read: Parsed) -> Decl {
    let span = read.condition.span;
    let assume = Stmt {
        kind: StmtKind::Assume {
            attributes: Vec::new(),
            expr: read.condition,
        },
        attributes: Vec::new(),
        span,
    };
    Decl::Procedure(ProcedureDecl {
        attributes: Vec::new(),
        pure: false,
        name: Ident {
            name: format!("{PROCEDURE}{number}").into(),
            span,
        },
        signature: Signature {
            type_params: Vec::new(),
            ins: read.variables.into_iter().map(|(_, variable)| variable).collect(),
            outs: Vec::new(),
        },
        specs: Vec::new(),
        body: Some(Body {
            locals: Vec::new(),
            stmts: vec![assume],
            span,
        }),
        span,
    })
}
