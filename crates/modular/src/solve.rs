//! One body: which of its assertions are not proved?
//!
//! The solver is asked for an execution that fails; the assertion that fails in it, with its group, is excluded, and
//! the question is asked again, up to the limit of errors. An answer that is open only because of quantifiers or
//! arithmetic has a candidate, which counts as a failure: it was not proved. Any other open answer is no answer.

use lariat_base::Budget;
use lariat_ir::Program;
use lariat_smt::{Ast, CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{TermId, VarId};
use lariat_vc::PassiveBlockId;

use crate::condition::Condition;

/// What the solver may do.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Failures to report; 0: all.
    pub errors: usize,
    /// Seconds; 0: no limit.
    pub seconds: u32,
    /// Z3's own count; 0: no limit.
    pub resource: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Nothing else fails.
    Proved,
    /// The limit of errors was reached.
    Enough,
    TimedOut,
    OutOfMemory,
    OutOfResource,
    Inconclusive(String),
}

/// An execution that fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failing {
    pub leaf: PassiveBlockId,
    /// From the entry to the leaf.
    pub path: Vec<PassiveBlockId>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    pub failing: Vec<Failing>,
    pub ended: Ended,
}

/// A solver that knows the axioms and the condition of one body.
pub struct BodySolver<'a> {
    program: &'a Program,
    condition: &'a Condition,
    context: Context,
    solver: Solver,
    limits: Limits,
    _watchdog: Option<Watchdog>,
}

impl<'a> BodySolver<'a> {
    pub fn new(
        program: &'a Program,
        condition: &'a Condition,
        axioms: &[TermId],
        options: &[(String, String)],
        limits: Limits,
        budget: Option<&Budget>,
    ) -> Result<Self, SolverError> {
        let mut context = Context::new()?;
        let mut options = options.to_vec();
        if limits.seconds > 0 {
            options.push((
                "timeout".to_owned(),
                (u64::from(limits.seconds) * 1000).to_string(),
            ));
        }
        if limits.resource > 0 {
            options.push(("rlimit".to_owned(), limits.resource.to_string()));
        }
        let watchdog = budget.map(|budget| Watchdog::start(budget.clone(), context.interrupt_handle()));
        let mut solver = Solver::new(&mut context, &options)?;
        let entry = condition.vc.entry();
        for &term in axioms.iter().chain(&condition.vc.clauses) {
            let formula = context.term(&program.pool, term)?;
            solver.assert(&mut context, formula)?;
        }
        let entry = context.var(&program.pool, entry)?;
        solver.assert(&mut context, entry)?;
        Ok(BodySolver {
            program,
            condition,
            context,
            solver,
            limits,
            _watchdog: watchdog,
        })
    }

    /// Everything that was asserted, as SMT-LIB.
    pub fn text(&self) -> String {
        self.solver.to_smtlib(&self.context)
    }

    /// All assertions that fail if the given literals hold.
    pub fn solve(&mut self, assumed: &[(VarId, bool)]) -> Result<Solved, SolverError> {
        self.solve_ignoring(assumed, &[])
    }

    /// The same without some assertions.
    pub fn solve_ignoring(
        &mut self,
        assumed: &[(VarId, bool)],
        ignored: &[PassiveBlockId],
    ) -> Result<Solved, SolverError> {
        let mut literals: Vec<Ast> = Vec::with_capacity(assumed.len());
        for &(var, value) in assumed {
            let literal = self.context.var(&self.program.pool, var)?;
            literals.push(if value {
                literal
            } else {
                self.context.not(literal)?
            });
        }
        for &leaf in ignored {
            literals.extend(self.exclude(leaf)?);
        }
        let mut failing = Vec::new();
        let ended = loop {
            if self.limits.errors > 0 && failing.len() >= self.limits.errors {
                break Ended::Enough;
            }
            match self.solver.check(&mut self.context, &literals)? {
                CheckResult::Unsat => break Ended::Proved,
                CheckResult::Sat => {}
                CheckResult::Unknown(reason) => {
                    if let Some(ended) = why_unknown(&reason, &self.limits) {
                        break ended;
                    }
                }
            }
            let Some(found) = self.read_path()? else {
                break Ended::Inconclusive("the solver's answer holds no execution".to_owned());
            };
            literals.extend(self.exclude(found.leaf)?);
            failing.push(found);
        };
        Ok(Solved { failing, ended })
    }

    /// The Boolean constants on which the assertion of a leaf depends: `b` in `e ==> b ==> f`.
    pub fn constants_of(&self, leaf: PassiveBlockId) -> Vec<VarId> {
        let condition = self.condition.leaves[&leaf].condition;
        let pool = &self.program.pool;
        let mut vars: Vec<VarId> = pool.free_vars(&[condition]).into_iter().collect();
        vars.sort_unstable();
        vars.retain(|var| self.program.constants.contains(var));
        vars
    }

    fn read_path(&mut self) -> Result<Option<Failing>, SolverError> {
        let model = self.solver.model(&self.context)?;
        let blocks = &self.condition.vc.blocks;
        let mut current = PassiveBlockId::from_u32(0);
        let mut path = vec![current];
        loop {
            if self.condition.leaves.contains_key(&current) {
                return Ok(Some(Failing { leaf: current, path }));
            }
            let mut next = None;
            for edge in &blocks[current].successors {
                let is_taken = match edge.taken.and_then(|taken| self.context.known_var(taken)) {
                    Some(taken) => model.is_true(&self.context, taken)?,
                    None => edge.taken.is_none(),
                };
                if is_taken {
                    next = Some(edge.target);
                    break;
                }
            }
            let Some(next) = next else {
                return Ok(None);
            };
            path.push(next);
            current = next;
        }
    }

    /// Literals that exclude the leaves of the group.
    fn exclude(&mut self, leaf: PassiveBlockId) -> Result<Vec<Ast>, SolverError> {
        let group = self.condition.leaves[&leaf].group;
        let mut excluded = Vec::new();
        let mut leaves: Vec<PassiveBlockId> = self
            .condition
            .leaves
            .iter()
            .filter(|(_, leaf)| leaf.group == group)
            .map(|(&block, _)| block)
            .collect();
        leaves.sort_unstable();
        for leaf in leaves {
            let control = self.condition.vc.blocks[leaf].control;
            let control = self.context.var(&self.program.pool, control)?;
            excluded.push(self.context.not(control)?);
        }
        Ok(excluded)
    }
}

/// What an open answer means; `None` if it has a candidate.
fn why_unknown(reason: &str, limits: &Limits) -> Option<Ended> {
    if reason.contains("canceled") && limits.resource > 0 && limits.seconds == 0 {
        Some(Ended::OutOfResource)
    } else if reason.contains("timeout") || reason.contains("canceled") {
        Some(Ended::TimedOut)
    } else if reason.contains("resource") || reason.contains("effort") {
        Some(Ended::OutOfResource)
    } else if reason.contains("memory") || reason.contains("memout") {
        Some(Ended::OutOfMemory)
    } else if reason.contains("incomplete") || reason.contains("quantifier") || reason == "unknown" {
        None
    } else {
        Some(Ended::Inconclusive(reason.to_owned()))
    }
}
