//! One procedure's query in an incremental solver: guards are assumptions, everything else is asserted once.

use lariat_smt::{Ast, CheckResult, Context, Model, Solver, SolverError};
use lariat_term::TermPool;

use super::query::{Obligation, Query};
use super::{CandidateId, Standing};

struct ObligationAst {
    candidate: CandidateId,
    refuted: Ast,
    holds: Ast,
}

pub(super) struct ProcSolver {
    solver: Solver,
    posts: Vec<ObligationAst>,
    sites: Vec<(Ast, Vec<ObligationAst>)>,
    /// Guards of candidates that stood when the solver was last asked.
    guards: Vec<(CandidateId, Ast)>,
}

/// What a query gave.
pub(super) enum HoudiniStep {
    /// Nothing that stands can be refuted.
    Holds,
    /// These are refuted, or cannot be decided.
    Dropped(Vec<CandidateId>),
}

impl ProcSolver {
    pub fn new(
        context: &mut Context,
        pool: &TermPool,
        axioms: &[Ast],
        options: &[(String, String)],
        query: &Query,
    ) -> Result<Self, SolverError> {
        let mut solver = Solver::new(context, options)?;
        for &axiom in axioms {
            solver.assert(context, axiom)?;
        }
        for &formula in &query.formulas {
            let formula = context.term(pool, formula)?;
            solver.assert(context, formula)?;
        }
        let mut translate = |obligations: &[Obligation]| -> Result<Vec<ObligationAst>, SolverError> {
            obligations
                .iter()
                .map(|obligation| {
                    Ok(ObligationAst {
                        candidate: obligation.candidate,
                        refuted: context.term(pool, obligation.refuted)?,
                        holds: context.term(pool, obligation.holds)?,
                    })
                })
                .collect()
        };
        let posts = translate(&query.posts)?;
        let sites = query
            .sites
            .iter()
            .map(|site| translate(&site.pres))
            .collect::<Result<Vec<_>, SolverError>>()?;
        let controls = query
            .sites
            .iter()
            .map(|site| context.term(pool, site.control))
            .collect::<Result<Vec<_>, SolverError>>()?;
        let guards = query
            .guards
            .iter()
            .map(|&(candidate, guard)| Ok((candidate, context.term(pool, guard)?)))
            .collect::<Result<Vec<_>, SolverError>>()?;
        Ok(ProcSolver {
            solver,
            posts,
            sites: controls.into_iter().zip(sites).collect(),
            guards,
        })
    }

    /// Asks whether something that stands can be refuted. Without anything to refute nothing is asked.
    pub fn step(
        &mut self,
        context: &mut Context,
        standing: &Standing,
        queries: &mut u64,
    ) -> Result<HoudiniStep, SolverError> {
        let (kept, fallen): (Vec<_>, Vec<_>) = self.guards.iter().copied().partition(|&(id, _)| standing[id]);
        self.guards = kept;
        for (_, guard) in fallen {
            let never = context.not(guard)?;
            self.solver.assert(context, never)?;
        }
        let obligations: Vec<CandidateId> = self
            .posts
            .iter()
            .chain(self.sites.iter().flat_map(|(_, pres)| pres))
            .map(|obligation| obligation.candidate)
            .filter(|&id| standing[id])
            .collect();
        if obligations.is_empty() {
            return Ok(HoudiniStep::Holds);
        }
        let assumptions: Vec<Ast> = self.guards.iter().map(|&(_, guard)| guard).collect();
        *queries += 1;
        let refuted = match self.solver.check(context, &assumptions)? {
            CheckResult::Unsat => return Ok(HoudiniStep::Holds),
            CheckResult::Sat => self.refuted(context, &self.solver.model(context)?, standing)?,
            // Unsure because of quantifiers: the model is a candidate, and good enough to drop by.
            CheckResult::Unknown(reason) if reason.contains("incomplete") => match self.solver.model(context)
            {
                Ok(model) => self.refuted(context, &model, standing)?,
                Err(_) => Vec::new(),
            },
            CheckResult::Unknown(_) => Vec::new(),
        };
        Ok(HoudiniStep::Dropped(if refuted.is_empty() {
            obligations
        } else {
            refuted
        }))
    }

    /// The effort of all solvers of the context so far.
    pub fn effort(&self, context: &Context) -> u64 {
        self.solver.effort(context) as u64
    }

    /// The candidates that the model refutes: preconditions of the first call that has any, or
    /// postconditions.
    fn refuted(
        &self,
        context: &Context,
        model: &Model,
        standing: &Standing,
    ) -> Result<Vec<CandidateId>, SolverError> {
        for (control, pres) in &self.sites {
            if model.is_true(context, *control)? {
                let refuted = false_in(context, model, standing, pres)?;
                if !refuted.is_empty() {
                    return Ok(refuted);
                }
            }
        }
        false_in(context, model, standing, &self.posts)
    }
}

fn false_in(
    context: &Context,
    model: &Model,
    standing: &Standing,
    obligations: &[ObligationAst],
) -> Result<Vec<CandidateId>, SolverError> {
    let mut refuted = Vec::new();
    for obligation in obligations {
        if standing[obligation.candidate]
            && (model.is_true(context, obligation.refuted)? || !model.is_true(context, obligation.holds)?)
        {
            refuted.push(obligation.candidate);
        }
    }
    refuted.dedup();
    Ok(refuted)
}
