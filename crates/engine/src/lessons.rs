//! Summaries from proofs: what a spurious counterexample teaches about the procedures on it.
//!
//! A counterexample of the over-approximation goes through open calls with values of its own choice. Before such a call is inlined its
//! procedure is asked alone, with summaries in place of its callees: can it return these values for these? The values are told by
//! *interface atoms*, simple formulas over inputs and outputs, each as true or false as the counterexample has it. If the answer is no,
//! the unsat core names the atoms that matter, and the clause of their negations is a *lesson*: it holds of every call that returns.
//!
//! ```text
//! body(p) ∧ summaries(callees) ∧ a_1 ∧ … ∧ a_n   is unsatisfiable with the core {a_i, …, a_j}
//! ⟹  summary(p) := summary(p) ∧ (¬a_i ∨ … ∨ ¬a_j)
//! ```
//!
//! Lessons are sound by induction over the height of calls: each was shown of a body from what is known of calls that are less high,
//! those of the procedure itself too. They are facts like the inferred ones ([`crate::facts`]): under the same switch, with the same limits of effort, and a
//! proof that uses them is checked again by whoever asked. The counterexample violates each of its lessons, so that the search need not inline anything to get
//! rid of it.
//!
//! (Z3 has no interpolants. The atoms play their part: the core is the interpolant in the language of the atoms.)

use std::rc::Rc;

use lariat_ir::ProcId;
use lariat_smt::{Ast, CheckResult, Model, Solver, SolverError, Stop, Template};
use lariat_term::{Sort, TermId, TermPool, VarId};
use lariat_vc::Summary;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dag::CallSiteId;
use crate::search::Search;
use crate::unfolding::{CompiledProc, Unfolding};

/// The effort of one question about a procedure: it is easy or not worth it.
const EFFORT: u32 = 100_000;
/// So many lessons of a procedure, and so many questions in a row that taught nothing.
const MOST_LESSONS: usize = 8;
const MOST_FAILURES: usize = 4;
/// Limits of the atoms of a procedure: constants that numbers are compared with, pairs of inputs and outputs, and all.
const MOST_CONSTANTS: usize = 6;
const MOST_ATOMS: usize = 200;
/// Cores up to this size are made minimal by leaving out one atom at a time.
const SMALL_CORE: usize = 12;

/// The procedures that were asked alone.
#[derive(Default)]
pub(crate) struct Lessons {
    pupils: FxHashMap<ProcId, Pupil>,
}

/// A procedure alone in a solver of its own.
struct Pupil {
    solver: Solver,
    /// True if the procedure is executed.
    control: Ast,
    calls: Vec<Callee>,
    /// Over the variables of the procedure's summary.
    atoms: Vec<TermId>,
    template: Rc<Template>,
    /// For each atom the literal that says that it is true, and the one that says that it is false.
    literals: Vec<(Ast, Ast)>,
    lessons: usize,
    failures: usize,
}

/// A call in such a procedure.
struct Callee {
    proc: ProcId,
    control: Ast,
    /// Inputs and outputs.
    values: Vec<Ast>,
    /// How many facts of its summary are asserted.
    asserted: usize,
}

impl Pupil {
    fn is_spent(&self) -> bool {
        self.lessons >= MOST_LESSONS || self.failures >= MOST_FAILURES
    }
}

impl Search<'_> {
    /// Learns from a counterexample with these open calls. `true` if that has ruled it out.
    pub(crate) fn learn(&mut self, open: &[CallSiteId], model: &Model) -> Result<bool, Stop> {
        if !self.options.lessons || self.unfolding.facts.are_dropped() {
            return Ok(false);
        }
        let mut learned = false;
        for &site in open {
            self.budget.check()?;
            if let Some(lesson) = self.lesson(site, model)? {
                let callee = self.unfolding.dag.sites[site].callee;
                self.observer.learned(&self.unfolding, callee);
                self.unfolding.add_fact(callee, lesson)?;
                learned = true;
            }
        }
        Ok(learned)
    }

    /// What a call with the values of the model teaches about its callee.
    fn lesson(&mut self, site: CallSiteId, model: &Model) -> Result<Option<TermId>, Stop> {
        let callee = self.unfolding.dag.sites[site].callee;
        let mut pupil = match self.lessons.pupils.remove(&callee) {
            Some(pupil) => pupil,
            None => self.unfolding.pupil(callee, &self.options.solver_options)?,
        };
        let lesson = match pupil.is_spent() {
            true => None,
            false => self.unfolding.teach(&mut pupil, site, model)?,
        };
        self.lessons.pupils.insert(callee, pupil);
        // A query that was asked without facts may have a model that known ones rule out.
        let known = &self.unfolding.problem.summaries[callee];
        let is_known = |lesson: &TermId| known.as_ref().is_some_and(|known| known.facts.contains(lesson));
        Ok(lesson.filter(|lesson| !is_known(lesson)))
    }
}

impl Unfolding {
    /// Puts a procedure into a solver of its own.
    fn pupil(&mut self, proc: ProcId, options: &[(String, String)]) -> Result<Pupil, SolverError> {
        self.name_summary(proc);
        let compiled = self.compiled(proc)?;
        let mut solver = Solver::new(&mut self.context, options)?;
        // Quantified axioms may contradict each other and must not teach anything.
        for &axiom in &self.ground_axioms {
            solver.assert(&mut self.context, axiom)?;
        }
        let interface: Vec<VarId> = compiled.vc.ins.iter().chain(&compiled.vc.outs).copied().collect();
        let mut values = Vec::new();
        for var in interface {
            values.push(self.fresh(var)?);
        }
        let control = self.fresh(compiled.vc.entry())?;
        let terms = self.instance_terms(&compiled, values.clone(), control)?;
        for &clause in &terms.clauses {
            solver.assert(&mut self.context, clause)?;
        }
        let calls = terms.calls.into_iter().map(|call| Callee {
            proc: call.callee,
            control: call.control,
            values: [call.ins, call.outs].concat(),
            asserted: 0,
        });
        let atoms = self.interface_atoms(proc, &compiled);
        let template = Rc::new(self.interface_template(proc, &atoms)?);
        let mut literals = Vec::new();
        for atom in template.instantiate(&mut self.context, &values)? {
            let yes = self.context.fresh_bool()?;
            let same = self.context.eq(yes, atom)?;
            solver.assert(&mut self.context, same)?;
            literals.push((yes, self.context.not(yes)?));
        }
        Ok(Pupil {
            solver,
            control,
            calls: calls.collect(),
            atoms,
            template,
            literals,
            lessons: 0,
            failures: 0,
        })
    }

    /// Asks the procedure about the values that the model has at a call of it.
    fn teach(
        &mut self,
        pupil: &mut Pupil,
        site: CallSiteId,
        model: &Model,
    ) -> Result<Option<TermId>, SolverError> {
        for index in 0..pupil.calls.len() {
            self.update(pupil, index)?;
        }
        let terms = &self.sites[site];
        let values: Vec<Ast> = terms.ins.iter().chain(&terms.outs).copied().collect();
        let mut truth = Vec::new();
        for atom in pupil.template.clone().instantiate(&mut self.context, &values)? {
            truth.push(model.is_true(&self.context, atom)?);
        }
        let Some(core) = self.core_of(pupil, &truth, (0..truth.len()).collect())? else {
            pupil.failures += 1;
            return Ok(None);
        };
        let core = self.minimal(pupil, &truth, core)?;
        let pool = &mut self.problem.program.pool;
        let negated: Vec<TermId> = core
            .iter()
            .map(|&index| match truth[index] {
                true => pool.not(pupil.atoms[index]),
                false => pupil.atoms[index],
            })
            .collect();
        let lesson = pool.or(&negated);
        pupil.failures = 0;
        pupil.lessons += 1;
        Ok(Some(lesson))
    }

    /// Tells a procedure what is new about a callee.
    fn update(&mut self, pupil: &mut Pupil, index: usize) -> Result<(), SolverError> {
        let call = &mut pupil.calls[index];
        let facts = match &self.problem.summaries[call.proc] {
            Some(summary) => summary.facts.get(call.asserted..).unwrap_or_default().to_vec(),
            None => return Ok(()),
        };
        call.asserted += facts.len();
        let template = self.interface_template(call.proc, &facts)?;
        for fact in template.instantiate(&mut self.context, &call.values)? {
            let guarded = self.context.implies(call.control, fact)?;
            pupil.solver.assert(&mut self.context, guarded)?;
        }
        Ok(())
    }

    /// Which of these atoms contradict the procedure, with the truth that they have; `None` if they do not, or nobody knows.
    fn core_of(
        &mut self,
        pupil: &mut Pupil,
        truth: &[bool],
        atoms: Vec<usize>,
    ) -> Result<Option<Vec<usize>>, SolverError> {
        let literal = |&index: &usize| match (pupil.literals[index], truth[index]) {
            ((yes, _), true) => yes,
            ((_, no), false) => no,
        };
        let mut literals: Vec<Ast> = atoms.iter().map(literal).collect();
        literals.push(pupil.control);
        if pupil.solver.check_within(&mut self.context, &literals, EFFORT)? != CheckResult::Unsat {
            return Ok(None);
        }
        let core = pupil.solver.unsat_core(&self.context, &literals)?;
        Ok(Some(
            core.into_iter()
                .filter_map(|index| atoms.get(index).copied())
                .collect(),
        ))
    }

    /// Leaves out what a core can do without.
    fn minimal(
        &mut self,
        pupil: &mut Pupil,
        truth: &[bool],
        mut core: Vec<usize>,
    ) -> Result<Vec<usize>, SolverError> {
        if core.len() > SMALL_CORE {
            return Ok(core);
        }
        for atom in core.clone() {
            let rest: Vec<usize> = core.iter().copied().filter(|&other| other != atom).collect();
            if rest.len() < core.len()
                && let Some(smaller) = self.core_of(pupil, truth, rest)?
            {
                core = smaller;
            }
        }
        Ok(core)
    }

    /// Gives the summary of a procedure its variables, if it has none yet.
    fn name_summary(&mut self, proc: ProcId) {
        if self.problem.summaries[proc].is_some() {
            return;
        }
        let (ins, outs): (Vec<VarId>, Vec<VarId>) = (
            self.problem.ins(proc).collect(),
            self.problem.outs(proc).collect(),
        );
        let pool = &mut self.problem.program.pool;
        let mut own = |vars: Vec<VarId>| -> Vec<VarId> {
            vars.into_iter()
                .map(|var| pool.declare_var(pool.var_name(var).clone(), pool.var_sort(var)))
                .collect()
        };
        self.problem.summaries[proc] = Some(Summary {
            ins: own(ins),
            outs: own(outs),
            facts: Vec::new(),
        });
    }

    /// The template of terms over the variables of a procedure's summary.
    pub(crate) fn interface_template(
        &mut self,
        proc: ProcId,
        terms: &[TermId],
    ) -> Result<Template, SolverError> {
        let parameters: Vec<VarId> = match &self.problem.summaries[proc] {
            Some(summary) => summary.ins.iter().chain(&summary.outs).copied().collect(),
            None => Vec::new(),
        };
        Template::new(&mut self.context, &self.problem.program.pool, terms, &parameters)
    }

    /// The atoms: Booleans, whether an output is an input, and what a number is.
    fn interface_atoms(&mut self, proc: ProcId, compiled: &CompiledProc) -> Vec<TermId> {
        let Some(summary) = self.problem.summaries[proc].clone() else {
            return Vec::new();
        };
        let pool = &mut self.problem.program.pool;
        let constants = constants(pool, &compiled.vc.clauses);
        let mut atoms = Vec::new();
        for &out in &summary.outs {
            let term = pool.var(out);
            for &input in &summary.ins {
                if pool.var_sort(input) == pool.var_sort(out) {
                    let input = pool.var(input);
                    atoms.push(pool.eq(term, input));
                }
            }
        }
        for &var in summary.outs.iter().chain(&summary.ins) {
            let term = pool.var(var);
            match pool.sort(pool.var_sort(var)) {
                Sort::Bool => atoms.push(term),
                Sort::Int => atoms.extend(constants.iter().map(|&constant| pool.eq(term, constant))),
                _ => {}
            }
        }
        let mut seen = FxHashSet::default();
        atoms.retain(|&atom| pool.as_bool(atom).is_none() && seen.insert(atom));
        atoms.truncate(MOST_ATOMS);
        atoms
    }
}

/// The smallest integers that a condition mentions, with 0 and 1.
fn constants(pool: &mut TermPool, clauses: &[TermId]) -> Vec<TermId> {
    let mut found = vec![pool.int(0), pool.int(1)];
    let mut numbers: Vec<TermId> = Vec::new();
    pool.visit_subterms(clauses, |term| {
        if pool.as_int(term).is_some() && !found.contains(&term) {
            numbers.push(term);
        }
    });
    numbers.sort_by_key(|&number| pool.as_int(number).map(|number| number.magnitude().clone()));
    found.extend(numbers);
    found.truncate(MOST_CONSTANTS);
    found
}
