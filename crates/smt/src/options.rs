//! Options of solvers by name.
//!
//! Invariant: what an option is depends on its name and on the kind of solver only. It is looked up once in a process, in a context of its own:
//! Z3 makes a solver to list its options, which takes longer than an easy check, and an existing context must not change for a look.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use z3_sys::*;

use crate::context::{Context, Result, SolverError};

/// The kinds of solvers, which differ in their options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum SolverKind {
    /// The incremental core.
    Core,
    /// With everything that Z3 does before it starts.
    Whole,
}

impl SolverKind {
    #[allow(unsafe_code)]
    pub fn make(self, context: &Context) -> Result<Z3_solver> {
        // SAFETY: plain construction in this context.
        let raw = unsafe {
            match self {
                SolverKind::Core => Z3_mk_simple_solver(context.raw),
                SolverKind::Whole => Z3_mk_solver(context.raw),
            }
        };
        raw.ok_or_else(|| context.error())
    }
}

/// What is known of options, by name. It never changes.
static KINDS: Mutex<BTreeMap<(SolverKind, String), ParamKind>> = Mutex::new(BTreeMap::new());

fn kind_of(solver: SolverKind, name: &str) -> Result<ParamKind> {
    let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (solver, name.to_owned());
    if let Some(&kind) = kinds.get(&key) {
        return Ok(kind);
    }
    let kind = look_up(solver, name)?;
    kinds.insert(key, kind);
    Ok(kind)
}

#[allow(unsafe_code)]
fn look_up(solver: SolverKind, name: &str) -> Result<ParamKind> {
    let context = Context::new()?;
    let symbol = context.symbol(name)?;
    let raw = solver.make(&context)?;
    // SAFETY: all objects are of this context; reference counts are balanced.
    unsafe {
        Z3_solver_inc_ref(context.raw, raw);
        let known = Z3_solver_get_param_descrs(context.raw, raw);
        let kind = known.map(|known| {
            Z3_param_descrs_inc_ref(context.raw, known);
            let kind = Z3_param_descrs_get_kind(context.raw, known, symbol);
            Z3_param_descrs_dec_ref(context.raw, known);
            kind
        });
        Z3_solver_dec_ref(context.raw, raw);
        kind.ok_or_else(|| context.error())
    }
}

/// Sets the options of a solver of this kind.
#[allow(unsafe_code)]
pub(crate) fn set_options(
    context: &mut Context,
    kind: SolverKind,
    solver: Z3_solver,
    options: &[(String, String)],
) -> Result<()> {
    // SAFETY: all objects are of this context; reference counts are balanced.
    unsafe {
        let params = Z3_mk_params(context.raw).ok_or_else(|| context.error())?;
        Z3_params_inc_ref(context.raw, params);
        let mut options = options.iter();
        let mut outcome = options.try_for_each(|(key, value)| set_option(context, kind, params, key, value));
        if outcome.is_ok() {
            Z3_solver_set_params(context.raw, solver, params);
            outcome = context.check_error();
        }
        Z3_params_dec_ref(context.raw, params);
        outcome
    }
}

#[allow(unsafe_code)]
unsafe fn set_option(
    context: &Context,
    solver: SolverKind,
    params: Z3_params,
    key: &str,
    value: &str,
) -> Result<()> {
    let bad = |what: &str| SolverError(format!("option {key}={value}: {what}"));
    // Inside a solver the options of the core have no prefix.
    let name = key.strip_prefix("smt.").unwrap_or(key);
    let symbol = context.symbol(name)?;
    let kind = kind_of(solver, name)?;
    // SAFETY: all objects are of this context.
    unsafe {
        match kind {
            ParamKind::Uint => {
                let number = value.parse().map_err(|_| bad("a number was expected"))?;
                Z3_params_set_uint(context.raw, params, symbol, number);
            }
            ParamKind::Bool => {
                let flag = value.parse().map_err(|_| bad("`true` or `false` was expected"))?;
                Z3_params_set_bool(context.raw, params, symbol, flag);
            }
            ParamKind::Double => {
                let number = value.parse().map_err(|_| bad("a number was expected"))?;
                Z3_params_set_double(context.raw, params, symbol, number);
            }
            ParamKind::Symbol => {
                let name = CString::new(value).map_err(|_| bad("a zero byte"))?;
                let value = Z3_mk_string_symbol(context.raw, name.as_ptr()).ok_or_else(|| context.error())?;
                Z3_params_set_symbol(context.raw, params, symbol, value);
            }
            _ => return Err(bad("Z3 has no such option")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Solver;

    /// What was looked up before is known in another context, too, and what does not exist stays unknown.
    #[test]
    fn options_are_the_same_in_every_context() {
        let made = |key: &str, value: &str| {
            let mut context = Context::new()?;
            Solver::new(&mut context, &[(key.to_owned(), value.to_owned())]).map(|_| ())
        };
        for _ in 0..2 {
            assert_eq!(made("smt.mbqi", "false"), Ok(()));
            assert!(made("smt.mbqi", "3").is_err_and(|error| error.0.contains("was expected")));
            assert!(made("smt.mbqj", "false").is_err_and(|error| error.0.contains("no such option")));
        }
    }
}
