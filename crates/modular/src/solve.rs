//! One body: which of its assertions are not proved?
//!
//! The solver is asked for an execution that fails; the assertion that fails in it, with its group, is excluded, and
//! the question is asked again, up to the limit of errors. An answer that is open only because of quantifiers or
//! arithmetic has a candidate, which counts as a failure: it was not proved. Any other open answer is no answer.

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_ir::Program;
use lariat_report::BoogieReplay;
use lariat_smt::{Ast, CheckResult, Context, Model, Solver, SolverError, Watchdog};
use lariat_term::{TermId, VarId};
use lariat_vc::PassiveBlockId;

use crate::condition::Condition;
use crate::replay::{Found, replay};
use crate::trace::{LinePart, literal};

/// The effort of a proof in a shared solver. What needs more gets a solver of its own.
const SHARED_EFFORT: u32 = 400_000;

/// Options of a shared solver. On short proofs it costs more to know what is relevant, and which values can be put in
/// for variables, than it saves.
const SHARED_OPTIONS: &[(&str, &str)] = &[
    ("smt.mbqi", "false"),
    ("smt.arith.solver", "2"),
    ("smt.relevancy", "0"),
    ("smt.propagate_values", "false"),
];

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
    /// What its statements print.
    pub printed: Vec<String>,
    pub replay: BoogieReplay,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    pub failing: Vec<Failing>,
    pub ended: Ended,
}

impl Default for Solved {
    fn default() -> Self {
        Solved {
            failing: Vec::new(),
            ended: Ended::Proved,
        }
    }
}

impl Solved {
    /// Adds what is known of another part; whether there are as many failures as wanted then.
    pub fn add(&mut self, found: Solved, most: usize) -> bool {
        self.failing.extend(found.failing);
        if most > 0 && self.failing.len() >= most {
            self.failing.truncate(most);
            self.ended = Ended::Enough;
            return true;
        }
        // What is open stays open, whatever other parts say.
        if self.ended == Ended::Proved {
            self.ended = found.ended;
        }
        false
    }
}

/// A solver that knows the axioms, for many bodies one after the other: most proofs are short, and to make a solver
/// costs more than they do.
pub struct SharedSolver {
    context: Context,
    solver: Solver,
    _watchdog: Watchdog,
}

impl SharedSolver {
    pub fn new(program: &Program, axioms: &[TermId], budget: &Budget) -> Result<Self, SolverError> {
        let mut context = Context::new()?;
        let mut options: Vec<(String, String)> = SHARED_OPTIONS
            .iter()
            .map(|&(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        options.push(("rlimit".to_owned(), SHARED_EFFORT.to_string()));
        let watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        let mut solver = Solver::new(&mut context, &options)?;
        for &axiom in axioms {
            let formula = context.term(&program.pool, axiom)?;
            solver.assert(&mut context, formula)?;
        }
        Ok(SharedSolver {
            context,
            solver,
            _watchdog: watchdog,
        })
    }

    /// Whether it is soon proved that no assertion of the body fails, if the given literals hold. If not, nothing is
    /// known. The program is the one with the axioms, and has more terms each time.
    pub fn proves(
        &mut self,
        program: &Program,
        condition: &Condition,
        assumed: &[(VarId, bool)],
    ) -> Result<bool, SolverError> {
        self.solver.push(&mut self.context)?;
        for &clause in &condition.vc.clauses {
            let formula = self.context.term(&program.pool, clause)?;
            self.solver.assert(&mut self.context, formula)?;
        }
        let entry = self.context.var(&program.pool, condition.vc.entry())?;
        self.solver.assert(&mut self.context, entry)?;
        let literals = literals(&mut self.context, program, assumed)?;
        let answer = self.solver.check(&mut self.context, &literals)?;
        self.solver.pop(&mut self.context)?;
        Ok(answer == CheckResult::Unsat)
    }
}

/// The literals of constants with values.
fn literals(
    context: &mut Context,
    program: &Program,
    assumed: &[(VarId, bool)],
) -> Result<Vec<Ast>, SolverError> {
    let mut literals = Vec::with_capacity(assumed.len() + 1);
    for &(var, value) in assumed {
        let literal = context.var(&program.pool, var)?;
        literals.push(match value {
            true => literal,
            false => context.not(literal)?,
        });
    }
    Ok(literals)
}

/// A solver that knows the axioms and the condition of one body.
pub struct BodySolver<'a> {
    program: &'a Program,
    condition: &'a Condition,
    context: Context,
    solver: Solver,
    limits: Limits,
    /// Executions are replayed within it. The program holds the body then.
    replays: Option<&'a Budget>,
    _watchdog: Option<Watchdog>,
}

impl<'a> BodySolver<'a> {
    /// With a budget the program holds the body of the condition, and executions are replayed.
    pub fn new(
        program: &'a Program,
        condition: &'a Condition,
        axioms: &[TermId],
        options: &[(String, String)],
        limits: Limits,
        budget: Option<&'a Budget>,
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
            replays: budget,
            _watchdog: watchdog,
        })
    }

    /// Everything that was asserted, as SMT-LIB.
    pub fn text(&self) -> String {
        self.solver.to_smtlib(&self.context)
    }

    /// All assertions that fail if the given literals hold.
    ///
    /// Parts are asked about one after the other; the limits of time and resources are for each, as in Boogie.
    pub fn solve(&mut self, assumed: &[(VarId, bool)]) -> Result<Solved, SolverError> {
        let mut whole = Solved::default();
        for part in self.condition.parts() {
            let found = self.solve_part(assumed, part)?;
            if whole.add(found, self.limits.errors) {
                break;
            }
        }
        Ok(whole)
    }

    /// The assertions of one part that fail.
    pub fn solve_part(&mut self, assumed: &[(VarId, bool)], part: usize) -> Result<Solved, SolverError> {
        let leaves = self.condition.leaves.iter();
        let mut others: Vec<PassiveBlockId> = leaves
            .filter(|(_, leaf)| leaf.part != part)
            .map(|(&block, _)| block)
            .collect();
        others.sort_unstable();
        self.solve_ignoring(assumed, &others)
    }

    /// The same without some assertions.
    pub fn solve_ignoring(
        &mut self,
        assumed: &[(VarId, bool)],
        ignored: &[PassiveBlockId],
    ) -> Result<Solved, SolverError> {
        let mut literals = literals(&mut self.context, self.program, assumed)?;
        let mut groups = BTreeSet::new();
        for &leaf in ignored {
            if groups.insert(self.condition.leaves[&leaf].group) {
                literals.extend(self.exclude(leaf)?);
            }
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
                let printed = self.printed(&model, &path)?;
                let replay = match self.replays {
                    Some(budget) => replay(
                        self.program,
                        self.condition,
                        &Found {
                            path: &path,
                            leaf: current,
                            model: &model,
                        },
                        &mut self.context,
                        budget,
                    ),
                    None => BoogieReplay::NotTried,
                };
                return Ok(Some(Failing {
                    leaf: current,
                    path,
                    printed,
                    replay,
                }));
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

    /// The lines of `{:print}` on a path, with the values of the model.
    fn printed(&mut self, model: &Model, path: &[PassiveBlockId]) -> Result<Vec<String>, SolverError> {
        let condition = self.condition;
        let pool = &self.program.pool;
        let mut lines = Vec::new();
        for parts in condition.marks.lines(&condition.vc, path) {
            let mut line = String::new();
            for part in parts {
                match part {
                    LinePart::Text(text) => line.push_str(&text),
                    LinePart::Term(term) => {
                        let ast = self.context.term(pool, term)?;
                        let value = model.value(&mut self.context, pool, ast, pool.sort_of(term));
                        // A value that the model does not have in a form that we know is left open.
                        line.push_str(&value.map_or_else(|_| "?".to_owned(), |value| literal(pool, &value)));
                    }
                }
            }
            lines.push(line);
        }
        Ok(lines)
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
