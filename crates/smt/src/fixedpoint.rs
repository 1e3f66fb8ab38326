//! Constrained Horn clauses for Z3's engine Spacer.
//!
//! A clause is `∀ variables. body ∧ P₁(…) ∧ … ∧ Pₙ(…) ⇒ Q(…)`; atoms occur positively only. The question
//! is whether a predicate without parameters can be derived. If not, each predicate has an
//! interpretation that satisfies all clauses, which is read from the answer.
//!
//! Invariants: the declarations of predicates are counted once and released on drop; an interruption
//! is an `Unknown`, and the context stays usable.

use std::rc::Rc;

use lariat_term::{SortId, TermPool};
use rustc_hash::FxHashMap;
use z3_sys::*;

use crate::context::{Ast, Context, ContextLife, Result, SolverError, text};
use crate::solver::CheckResult;

/// A predicate of a [`Fixedpoint`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Predicate(u32);

/// The value of an option of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FixedpointOption {
    Bool(bool),
    Number(u32),
    Word(String),
}

/// A set of clauses; every call takes the context that it was made in.
pub struct Fixedpoint {
    raw: Z3_fixedpoint,
    context: Z3_context,
    _life: Rc<ContextLife>,
    predicates: Vec<Z3_func_decl>,
    /// Of the last answer.
    answers: FxHashMap<Predicate, Definition>,
}

/// `P(args) ⇔ definition`, where `args` are distinct bound variables.
struct Definition {
    args: Vec<Ast>,
    definition: Ast,
}

#[allow(unsafe_code)]
impl Fixedpoint {
    /// An empty set of clauses for Spacer, with further options (`xform.inline_eager`, …).
    pub fn new(context: &mut Context, options: &[(&str, FixedpointOption)]) -> Result<Self> {
        // SAFETY: plain construction in this context.
        let raw = unsafe { Z3_mk_fixedpoint(context.raw) }.ok_or_else(|| context.error())?;
        // SAFETY: as above.
        unsafe { Z3_fixedpoint_inc_ref(context.raw, raw) };
        let fixedpoint = Fixedpoint {
            raw,
            context: context.raw,
            _life: context.life.clone(),
            predicates: Vec::new(),
            answers: FxHashMap::default(),
        };
        fixedpoint.set_options(context, options)?;
        Ok(fixedpoint)
    }

    fn set_options(&self, context: &Context, options: &[(&str, FixedpointOption)]) -> Result<()> {
        let engine = ("engine", FixedpointOption::Word("spacer".into()));
        let mut symbols = Vec::new();
        for (key, value) in std::iter::once(&engine).chain(options) {
            let word = match value {
                FixedpointOption::Word(word) => Some(context.symbol(word)?),
                FixedpointOption::Bool(_) | FixedpointOption::Number(_) => None,
            };
            symbols.push((context.symbol(key)?, value, word));
        }
        // SAFETY: all objects are of this context; reference counts are balanced.
        unsafe {
            let params = Z3_mk_params(context.raw).ok_or_else(|| context.error())?;
            Z3_params_inc_ref(context.raw, params);
            for (key, value, word) in symbols {
                match (value, word) {
                    (FixedpointOption::Bool(value), _) => {
                        Z3_params_set_bool(context.raw, params, key, *value)
                    }
                    (FixedpointOption::Number(value), _) => {
                        Z3_params_set_uint(context.raw, params, key, *value)
                    }
                    (FixedpointOption::Word(_), Some(word)) => {
                        Z3_params_set_symbol(context.raw, params, key, word)
                    }
                    (FixedpointOption::Word(_), None) => {}
                }
            }
            Z3_fixedpoint_set_params(context.raw, self.raw, params);
            let outcome = context.check_error();
            Z3_params_dec_ref(context.raw, params);
            outcome
        }
    }

    /// A new predicate over these sorts.
    pub fn declare(
        &mut self,
        context: &mut Context,
        pool: &TermPool,
        name: &str,
        sorts: &[SortId],
    ) -> Result<Predicate> {
        let domain = sorts
            .iter()
            .map(|&sort| context.sort(pool, sort))
            .collect::<Result<Vec<_>>>()?;
        let symbol = context.symbol(&format!("{name}!P{}", self.predicates.len()))?;
        // SAFETY: all objects are of this context.
        unsafe {
            let bool_sort = Z3_mk_bool_sort(context.raw).ok_or_else(|| context.error())?;
            let decl = Z3_mk_func_decl(
                context.raw,
                symbol,
                domain.len() as u32,
                domain.as_ptr(),
                bool_sort,
            )
            .ok_or_else(|| context.error())?;
            context.keep_decl(decl);
            self.predicates.push(decl);
            Z3_fixedpoint_register_relation(context.raw, self.raw, decl);
        }
        context.check_error()?;
        Ok(Predicate(self.predicates.len() as u32 - 1))
    }

    /// The atom that the predicate holds of these terms.
    pub fn atom(&self, context: &mut Context, predicate: Predicate, args: &[Ast]) -> Result<Ast> {
        let args = context.raws(args);
        let decl = self.predicates[predicate.0 as usize];
        // SAFETY: all objects are of this context; Z3 checks their number and sorts.
        let atom = unsafe { Z3_mk_app(context.raw, decl, args.len() as u32, args.as_ptr()) };
        context.keep(atom)
    }

    /// Adds the clause `∀ variables. body ⇒ head`, where `body` are conjuncts, atoms among them.
    pub fn add_clause(
        &mut self,
        context: &mut Context,
        variables: &[Ast],
        body: &[Ast],
        head: Ast,
    ) -> Result<()> {
        let conjuncts = context.raws(body);
        // SAFETY: the terms are of this context.
        let conjunction = unsafe { Z3_mk_and(context.raw, conjuncts.len() as u32, conjuncts.as_ptr()) };
        let conjunction = context.keep(conjunction)?;
        let mut clause = context.implies(conjunction, head)?;
        if !variables.is_empty() {
            clause = context.quantifier(true, 1, variables, &[], &[], clause)?;
        }
        // SAFETY: the clause is of this context.
        unsafe { Z3_fixedpoint_add_rule(context.raw, self.raw, context.raw(clause), None) };
        context.check_error()
    }

    /// Can the predicate, which has no parameters, be derived? `Unsat` means no.
    pub fn query(&mut self, context: &mut Context, predicate: Predicate) -> Result<CheckResult> {
        self.answers.clear();
        let decl = self.predicates[predicate.0 as usize];
        // SAFETY: the declaration is of this context.
        let answer = unsafe { Z3_fixedpoint_query_relations(context.raw, self.raw, 1, &decl) };
        self.answer(context, answer)
    }

    /// The same with the effort that the option `rlimit` allows: what exceeds it is `Unknown`.
    pub fn query_within_effort(
        &mut self,
        context: &mut Context,
        predicate: Predicate,
    ) -> Result<CheckResult> {
        self.answers.clear();
        let goal = self.atom(context, predicate, &[])?;
        // SAFETY: the term is of this context.
        let answer = unsafe { Z3_fixedpoint_query(context.raw, self.raw, context.raw(goal)) };
        self.answer(context, answer)
    }

    fn answer(&mut self, context: &mut Context, answer: Z3_lbool) -> Result<CheckResult> {
        match answer {
            Z3_L_TRUE => Ok(CheckResult::Sat),
            Z3_L_FALSE => {
                self.read_answer(context)?;
                Ok(CheckResult::Unsat)
            }
            _ => {
                // SAFETY: the text is copied at once.
                let reason = unsafe { text(Z3_fixedpoint_get_reason_unknown(context.raw, self.raw)) };
                Ok(CheckResult::Unknown(reason))
            }
        }
    }

    /// Keeps the definitions of the answer, a conjunction of `∀ x₁ … xₙ. P(x₁, …, xₙ) ⇔ definition`.
    fn read_answer(&mut self, context: &mut Context) -> Result<()> {
        // SAFETY: the fixed point is of this context.
        let answer = unsafe { Z3_fixedpoint_get_answer(context.raw, self.raw) };
        let answer = context.keep(answer)?;
        let answer = context.raw(answer);
        let conjuncts = match application(context, answer) {
            Some((DeclKind::And, _, conjuncts)) => conjuncts,
            _ => vec![answer],
        };
        for conjunct in conjuncts {
            // SAFETY: the term is of this context; its kind is checked first.
            let body = unsafe {
                match Z3_get_ast_kind(context.raw, conjunct) {
                    AstKind::Quantifier => Z3_get_quantifier_body(context.raw, conjunct),
                    _ => Some(conjunct),
                }
            };
            // SAFETY: plain construction.
            let truth = unsafe { Z3_mk_true(context.raw) };
            let (atom, definition) = match body.and_then(|body| Some((body, application(context, body)?))) {
                Some((_, (DeclKind::Eq, _, sides))) => (sides[0], Some(sides[1])),
                Some((body, _)) => (body, truth),
                None => continue,
            };
            let Some((_, decl, args)) = application(context, atom) else {
                continue;
            };
            if let Some(position) = self.predicates.iter().position(|&own| own == decl) {
                let definition = context.keep(definition)?;
                let args = args
                    .into_iter()
                    .map(|arg| context.keep(Some(arg)))
                    .collect::<Result<_>>()?;
                let predicate = Predicate(position as u32);
                self.answers.insert(predicate, Definition { args, definition });
            }
        }
        Ok(())
    }

    /// The interpretation of a predicate in the last answer, with the given terms for its parameters;
    /// `None` if the answer does not depend on the predicate.
    pub fn interpretation(
        &self,
        context: &mut Context,
        predicate: Predicate,
        parameters: &[Ast],
    ) -> Result<Option<Ast>> {
        let Some(answer) = self.answers.get(&predicate) else {
            return Ok(None);
        };
        let strange = || SolverError("an interpretation whose parameters are no variables".into());
        let mut values: Vec<Option<Z3_ast>> = vec![None; parameters.len()];
        if answer.args.len() != parameters.len() {
            return Err(strange());
        }
        for (&arg, &parameter) in answer.args.iter().zip(parameters) {
            // SAFETY: the term is of this context; its kind is checked first.
            let index = unsafe {
                if Z3_get_ast_kind(context.raw, context.raw(arg)) != AstKind::Var {
                    return Err(strange());
                }
                Z3_get_index_value(context.raw, context.raw(arg))
            };
            let value = values.get_mut(index as usize).ok_or_else(strange)?;
            *value = Some(context.raw(parameter));
        }
        let values: Vec<Z3_ast> = values.into_iter().collect::<Option<_>>().ok_or_else(strange)?;
        let definition = context.raw(answer.definition);
        // SAFETY: all terms are of this context, and there is one for each variable.
        let ast =
            unsafe { Z3_substitute_vars(context.raw, definition, values.len() as u32, values.as_ptr()) };
        context.keep(ast).map(Some)
    }

    /// The clauses as SMT-LIB.
    pub fn to_smtlib(&self, context: &Context) -> String {
        // SAFETY: the text is copied at once.
        unsafe {
            text(Z3_fixedpoint_to_string(
                context.raw,
                self.raw,
                0,
                std::ptr::null_mut(),
            ))
        }
    }
}

/// The kind, declaration and arguments of a term that is an application.
#[allow(unsafe_code)]
fn application(context: &Context, ast: Z3_ast) -> Option<(DeclKind, Z3_func_decl, Vec<Z3_ast>)> {
    // SAFETY: the term is of this context; its kind is checked first.
    unsafe {
        if Z3_get_ast_kind(context.raw, ast) != AstKind::App {
            return None;
        }
        let app = Z3_to_app(context.raw, ast)?;
        let decl = Z3_get_app_decl(context.raw, app)?;
        let args = (0..Z3_get_app_num_args(context.raw, app))
            .map(|index| Z3_get_app_arg(context.raw, app, index))
            .collect::<Option<Vec<_>>>()?;
        Some((Z3_get_decl_kind(context.raw, decl), decl, args))
    }
}

#[allow(unsafe_code)]
impl Drop for Fixedpoint {
    fn drop(&mut self) {
        // SAFETY: `_life` keeps the context alive until after this.
        unsafe { Z3_fixedpoint_dec_ref(self.context, self.raw) };
    }
}
