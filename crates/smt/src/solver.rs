//! An incremental solver with assumptions, unsat cores and models.

use std::rc::Rc;
use std::time::Instant;

use z3_sys::*;

use crate::context::{Ast, Context, ContextLife, Result, text};
use crate::model::Model;
use crate::options::{SolverKind, set_options};

/// The answer to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    Sat,
    Unsat,
    /// Z3 gave up, with its reason. A model may exist all the same: see [`Solver::model`].
    Unknown(String),
}

/// The reason of an answer that needed more than the effort allowed. Z3 itself says `canceled`, as it does
/// after an interrupt.
const OUT_OF_EFFORT: &str = "limit on the effort reached";

impl CheckResult {
    /// Whether Z3 gave up because of the limit of [`Solver::check_within`].
    pub fn is_out_of_effort(&self) -> bool {
        matches!(self, CheckResult::Unknown(reason) if reason == OUT_OF_EFFORT)
    }
}

/// Why a solver that gave up does not vouch for the model that it leaves: a theory it does not decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// In Z3's words.
    pub reason: String,
    /// It is arithmetic: then the model may be no more than a guess. Where it is quantifiers or maps, the model satisfies
    /// what was instantiated.
    pub of_arithmetic: bool,
}

impl Doubt {
    /// Reads the reason of [`CheckResult::Unknown`]; `None` if it names no theory but a limit.
    pub fn of_reason(reason: &str) -> Option<Doubt> {
        reason.contains("incomplete").then(|| Doubt {
            reason: reason.to_owned(),
            of_arithmetic: reason.contains("theory arithmetic"),
        })
    }
}

/// What the solver has done so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct SolverStats {
    pub checks: u64,
    pub seconds: f64,
}

/// A solver; every call takes the context that it was made in.
pub struct Solver {
    raw: Z3_solver,
    context: Z3_context,
    _life: Rc<ContextLife>,
    /// The option `rlimit`: Z3's effort for one check, 0 for no limit.
    effort_limit: u32,
    stats: SolverStats,
}

#[allow(unsafe_code)]
impl Solver {
    /// The incremental core solver with the given options (`smt.mbqi` = `false`, …).
    pub fn new(context: &mut Context, options: &[(String, String)]) -> Result<Self> {
        Self::of_kind(context, SolverKind::Core, options)
    }

    /// A solver that simplifies everything before it starts: for one question.
    pub fn for_one_check(context: &mut Context, options: &[(String, String)]) -> Result<Self> {
        Self::of_kind(context, SolverKind::Whole, options)
    }

    fn of_kind(context: &mut Context, kind: SolverKind, options: &[(String, String)]) -> Result<Self> {
        let raw = kind.make(context)?;
        // SAFETY: the solver was just made in this context.
        unsafe { Z3_solver_inc_ref(context.raw, raw) };
        let solver = Solver {
            raw,
            context: context.raw,
            _life: context.life.clone(),
            effort_limit: effort_limit(options),
            stats: SolverStats::default(),
        };
        set_options(context, kind, raw, options)?;
        Ok(solver)
    }

    /// What a check may cost.
    fn limit_effort(&self, context: &mut Context, limit: u32) -> Result<()> {
        let symbol = context.symbol("rlimit")?;
        // SAFETY: all objects are of this context; reference counts are balanced.
        unsafe {
            let params = Z3_mk_params(context.raw).ok_or_else(|| context.error())?;
            Z3_params_inc_ref(context.raw, params);
            Z3_params_set_uint(context.raw, params, symbol, limit);
            Z3_solver_set_params(context.raw, self.raw, params);
            Z3_params_dec_ref(context.raw, params);
        }
        context.check_error()
    }

    pub fn assert(&mut self, context: &mut Context, formula: Ast) -> Result<()> {
        // SAFETY: solver and formula are of this context.
        unsafe { Z3_solver_assert(context.raw, self.raw, context.raw(formula)) };
        context.check_error()
    }

    /// What is asserted from here on is forgotten by [`Solver::pop`].
    pub fn push(&mut self, context: &mut Context) -> Result<()> {
        // SAFETY: the solver is of this context.
        unsafe { Z3_solver_push(context.raw, self.raw) };
        context.check_error()
    }

    /// Forgets what was asserted since the last [`Solver::push`] that was not undone yet; an error if there is none.
    pub fn pop(&mut self, context: &mut Context) -> Result<()> {
        // SAFETY: the solver is of this context; Z3 refuses to undo more than was done.
        unsafe { Z3_solver_pop(context.raw, self.raw, 1) };
        context.check_error()
    }

    /// Asserts a formula under a new assumption, which is returned: an unsat core may name it.
    pub fn assert_tracked(&mut self, context: &mut Context, formula: Ast) -> Result<Ast> {
        let assumption = context.fresh_bool()?;
        let guarded = context.implies(assumption, formula)?;
        self.assert(context, guarded)?;
        Ok(assumption)
    }

    /// Is everything asserted satisfiable together with the assumptions (literals)?
    pub fn check(&mut self, context: &mut Context, assumptions: &[Ast]) -> Result<CheckResult> {
        let assumptions = context.raws(assumptions);
        let started = Instant::now();
        // SAFETY: solver and assumptions are of this context.
        let answer = unsafe {
            Z3_solver_check_assumptions(
                context.raw,
                self.raw,
                assumptions.len() as u32,
                assumptions.as_ptr(),
            )
        };
        self.stats.checks += 1;
        self.stats.seconds += started.elapsed().as_secs_f64();
        match answer {
            Z3_L_TRUE => Ok(CheckResult::Sat),
            Z3_L_FALSE => Ok(CheckResult::Unsat),
            _ => {
                // SAFETY: the text is copied at once.
                let reason = unsafe { text(Z3_solver_get_reason_unknown(context.raw, self.raw)) };
                Ok(CheckResult::Unknown(reason))
            }
        }
    }

    /// Like [`Solver::check`], but gives up after this much effort, measured as in [`Solver::effort`].
    ///
    /// Effort, unlike seconds, is the same on every machine and under any load.
    pub fn check_within(
        &mut self,
        context: &mut Context,
        assumptions: &[Ast],
        effort: u32,
    ) -> Result<CheckResult> {
        let limit = match self.effort_limit {
            0 => effort.max(1),
            own => own.min(effort.max(1)),
        };
        self.limit_effort(context, limit)?;
        let before = self.effort(context);
        let answer = self.check(context, assumptions);
        self.limit_effort(context, self.effort_limit)?;
        Ok(match answer? {
            CheckResult::Unknown(_) if self.effort(context) - before >= f64::from(limit) => {
                CheckResult::Unknown(OUT_OF_EFFORT.to_owned())
            }
            answer => answer,
        })
    }

    /// The assumptions that the last `Unsat` needed, by their position in `assumptions`.
    pub fn unsat_core(&self, context: &Context, assumptions: &[Ast]) -> Result<Vec<usize>> {
        // SAFETY: the vector is of this context; its reference count is balanced.
        unsafe {
            let core = Z3_solver_get_unsat_core(context.raw, self.raw).ok_or_else(|| context.error())?;
            Z3_ast_vector_inc_ref(context.raw, core);
            let members: rustc_hash::FxHashSet<Option<Z3_ast>> = (0..Z3_ast_vector_size(context.raw, core))
                .map(|index| Z3_ast_vector_get(context.raw, core, index))
                .collect();
            Z3_ast_vector_dec_ref(context.raw, core);
            let found: Vec<usize> = assumptions
                .iter()
                .enumerate()
                .filter(|&(_, &assumption)| members.contains(&Some(context.raw(assumption))))
                .map(|(index, _)| index)
                .collect();
            Ok(found)
        }
    }

    /// The model of the last check that was not `Unsat`; after `Unknown` it is a candidate only.
    pub fn model(&self, context: &Context) -> Result<Model> {
        // SAFETY: the solver is of this context.
        let raw = unsafe { Z3_solver_get_model(context.raw, self.raw) }.ok_or_else(|| context.error())?;
        Ok(Model::new(context, raw))
    }

    /// The solver's own measure of its work so far, which is the same for the same questions.
    pub fn effort(&self, context: &Context) -> f64 {
        // SAFETY: the statistics are of this context; their reference count is balanced.
        unsafe {
            let Some(statistics) = Z3_solver_get_statistics(context.raw, self.raw) else {
                return 0.0;
            };
            Z3_stats_inc_ref(context.raw, statistics);
            let mut effort = 0.0;
            for index in 0..Z3_stats_size(context.raw, statistics) {
                if text(Z3_stats_get_key(context.raw, statistics, index)) == "rlimit count" {
                    effort = if Z3_stats_is_uint(context.raw, statistics, index) {
                        f64::from(Z3_stats_get_uint_value(context.raw, statistics, index))
                    } else {
                        Z3_stats_get_double_value(context.raw, statistics, index)
                    };
                }
            }
            Z3_stats_dec_ref(context.raw, statistics);
            effort
        }
    }

    pub fn stats(&self) -> SolverStats {
        self.stats
    }

    /// Everything that was asserted, as SMT-LIB.
    pub fn to_smtlib(&self, context: &Context) -> String {
        // SAFETY: the text is copied at once.
        unsafe { text(Z3_solver_to_string(context.raw, self.raw)) }
    }
}

#[allow(unsafe_code)]
impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: `_life` keeps the context alive until after this.
        unsafe { Z3_solver_dec_ref(self.context, self.raw) };
    }
}

fn effort_limit(options: &[(String, String)]) -> u32 {
    let given = options.iter().rev().find(|(key, _)| key == "rlimit");
    given.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
}
