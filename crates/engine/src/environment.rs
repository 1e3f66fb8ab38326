//! What is assumed of the environment: formulas over the entry's inputs and over values that havocs choose.
//!
//! An assumption about a havoc stands for all its executions:
//!
//! ```text
//! ∀x. unknown_i(x) ⇒ φ(x)                                       ([Angelic15] §4, internal non-determinism)
//! ```
//!
//! No quantifier reaches the solver: wherever an instance of the unfolding has the havoc, now or later, `φ` is asserted
//! of the value there, guarded by the Boolean of its block and by the assumption's switch. An assumption about several
//! havocs is asserted of all combinations; two of the same havoc are two different executions of it. What one execution of a
//! call chooses, a result and what is written, can be held together ([`AssumptionSite::execution`]).
//!
//! Invariant: every assumption is asserted at every such combination of occurrences in the unfolding.

use lariat_ir::StmtId;
use lariat_smt::{Ast, SolverError, Template};
use lariat_term::{Substitution, TermId, VarId};
use lariat_vc::PassiveStep;
use rustc_hash::FxHashMap;

use crate::dag::{Dag, InstanceId};
use crate::unfolding::Unfolding;

/// A formula that holds of all executions while its switch is on.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Over inputs of the entry (by their names in the lowered program), constants and the variables of `sites`.
    pub term: TermId,
    /// A Boolean that nothing else uses.
    pub switch: VarId,
    pub sites: Vec<AssumptionSite>,
}

/// A variable of the formula that stands for what a havoc chooses.
#[derive(Clone, Copy, Debug)]
pub struct AssumptionSite {
    pub placeholder: VarId,
    pub stmt: StmtId,
    /// The havocked variable in the lowered program.
    pub var: VarId,
    /// Sites with the same number are the values of one execution: they are not combined with those of others.
    pub execution: Option<usize>,
}

/// A havoc in an instance.
#[derive(Clone, Copy)]
struct Occurrence {
    /// True if the execution gets there.
    control: Ast,
    value: Ast,
    instance: InstanceId,
    /// Among those of the site in the instance.
    number: usize,
}

/// An assumption, ready to be instantiated.
struct Compiled {
    assumption: Assumption,
    template: Template,
    switch: Ast,
    /// The instances, without the switch.
    facts: Vec<Ast>,
    /// The same as they were asserted.
    clauses: Vec<Ast>,
}

/// The assumptions of a search.
#[derive(Default)]
pub struct Environment {
    assumptions: Vec<Compiled>,
    /// Where the havocs of the assumptions are.
    occurrences: FxHashMap<(StmtId, VarId), Vec<Occurrence>>,
    /// For each variable that a pass has made in place of one of the lowered program, that one.
    origins: FxHashMap<VarId, VarId>,
}

impl Environment {
    /// Everything that was asserted.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = &Ast> {
        self.assumptions.iter().flat_map(|compiled| &compiled.clauses)
    }
}

impl Unfolding {
    /// Says which variable of the lowered program each variable stands for.
    pub fn note_origins(&mut self, origins: FxHashMap<VarId, VarId>) {
        self.environment.origins = origins;
    }

    /// Adds an assumption; returns its switch, to be assumed while it counts.
    pub fn assume(&mut self, mut assumption: Assumption) -> Result<Ast, SolverError> {
        let mut inputs = self.input_names();
        assumption.term = inputs.apply(&mut self.problem.program.pool, assumption.term);
        for site in &assumption.sites {
            self.watch((site.stmt, site.var))?;
        }
        let mut parameters: Vec<VarId> = assumption.sites.iter().map(|site| site.placeholder).collect();
        parameters.dedup();
        let pool = &self.problem.program.pool;
        let template = Template::new(&mut self.context, pool, &[assumption.term], &parameters)?;
        let switch = self.context.var(pool, assumption.switch)?;
        self.environment.assumptions.push(Compiled {
            assumption,
            template,
            switch,
            facts: Vec::new(),
            clauses: Vec::new(),
        });
        let index = self.environment.assumptions.len() - 1;
        self.instantiate(index, &|_| true)?;
        Ok(switch)
    }

    /// Asserts a formula over inputs and constants for good.
    pub fn assert_term(&mut self, term: TermId) -> Result<(), SolverError> {
        let mut inputs = self.input_names();
        let term = inputs.apply(&mut self.problem.program.pool, term);
        let ast = self.context.term(&self.problem.program.pool, term)?;
        self.ground_axioms.push(ast);
        self.solver.assert(&mut self.context, ast)
    }

    /// The instances of an assumption, by its switch: what it says while that is on.
    pub fn facts_of(&self, switch: VarId) -> &[Ast] {
        self.environment
            .assumptions
            .iter()
            .find(|compiled| compiled.assumption.switch == switch)
            .map_or(&[], |compiled| &compiled.facts)
    }

    /// Inputs of the entry by the variables that they are in the unfolding.
    fn input_names(&mut self) -> Substitution {
        let mut names = Substitution::new();
        let ins = self.vc(Dag::root()).ins.clone();
        for var in ins {
            if let Some(&original) = self.environment.origins.get(&var) {
                let term = self.problem.program.pool.var(var);
                names.insert(original, term);
            }
        }
        names
    }

    /// From now on the occurrences of a havoc are known.
    fn watch(&mut self, site: (StmtId, VarId)) -> Result<(), SolverError> {
        if self.environment.occurrences.contains_key(&site) {
            return Ok(());
        }
        let mut found = Vec::new();
        for instance in self.instances.keys().collect::<Vec<_>>() {
            found.extend(self.occurrences_in(instance, site)?);
        }
        self.environment.occurrences.insert(site, found);
        Ok(())
    }

    fn occurrences_in(
        &mut self,
        instance: InstanceId,
        site: (StmtId, VarId),
    ) -> Result<Vec<Occurrence>, SolverError> {
        let mut values = Vec::new();
        for block in self.vc(instance).blocks.values() {
            for step in &block.steps {
                let PassiveStep::Havoc { stmt, values: chosen } = step else {
                    continue;
                };
                if *stmt != site.0 {
                    continue;
                }
                let origins = &self.environment.origins;
                let is_site = |var: VarId| origins.get(&var).copied().unwrap_or(var) == site.1;
                let named = chosen.iter().filter(|&&(var, _)| is_site(var));
                values.extend(named.map(|&(_, value)| (block.control, value)));
            }
        }
        let mut occurrences = Vec::new();
        for (number, (control, value)) in values.into_iter().enumerate() {
            // What the condition does not mention has no effect.
            if let Some(value) = self.ast_of_term(instance, value)? {
                let control = self.known_ast(instance, control)?;
                occurrences.push(Occurrence {
                    control,
                    value,
                    instance,
                    number,
                });
            }
        }
        Ok(occurrences)
    }

    /// A new instance may have havocs that assumptions are about.
    pub(crate) fn assume_in(&mut self, instance: InstanceId) -> Result<(), SolverError> {
        let mut sites: Vec<(StmtId, VarId)> = self.environment.occurrences.keys().copied().collect();
        sites.sort_unstable();
        let mut first_new = FxHashMap::default();
        for site in sites {
            let found = self.occurrences_in(instance, site)?;
            if found.is_empty() {
                continue;
            }
            let known = self.environment.occurrences.entry(site).or_default();
            first_new.insert(site, known.len());
            known.extend(found);
        }
        if first_new.is_empty() {
            return Ok(());
        }
        for index in 0..self.environment.assumptions.len() {
            let sites: Vec<(StmtId, VarId)> = self.environment.assumptions[index]
                .assumption
                .sites
                .iter()
                .map(|site| (site.stmt, site.var))
                .collect();
            let is_new = |chosen: &[usize]| {
                let mut pairs = chosen.iter().zip(&sites);
                pairs.any(|(&at, site)| first_new.get(site).is_some_and(|&first| at >= first))
            };
            self.instantiate(index, &is_new)?;
        }
        Ok(())
    }

    /// Asserts an assumption of all combinations of occurrences that are wanted.
    fn instantiate(&mut self, index: usize, wanted: &dyn Fn(&[usize]) -> bool) -> Result<(), SolverError> {
        let sites: Vec<(StmtId, VarId)> = self.environment.assumptions[index]
            .assumption
            .sites
            .iter()
            .map(|site| (site.stmt, site.var))
            .collect();
        let occurrences: Vec<Vec<Occurrence>> = sites
            .iter()
            .map(|site| {
                self.environment
                    .occurrences
                    .get(site)
                    .cloned()
                    .unwrap_or_default()
            })
            .collect();
        let sizes: Vec<usize> = occurrences.iter().map(Vec::len).collect();
        for chosen in combinations(&sizes) {
            let repeats = (0..chosen.len())
                .any(|one| (0..one).any(|other| sites[one] == sites[other] && chosen[one] == chosen[other]));
            let executions: Vec<_> = self.environment.assumptions[index]
                .assumption
                .sites
                .iter()
                .zip(chosen.iter().zip(&occurrences))
                .filter_map(|(site, (&at, list))| Some((site.execution?, list[at].instance, list[at].number)))
                .collect();
            let mixes = executions.iter().any(|one| {
                let mut same = executions.iter().filter(|other| one.0 == other.0);
                same.any(|other| one != other)
            });
            if repeats || mixes || !wanted(&chosen) {
                continue;
            }
            let mut guards = Vec::new();
            let mut values = Vec::new();
            for (at, list) in chosen.iter().zip(&occurrences) {
                guards.push(list[*at].control);
                values.push(list[*at].value);
            }
            let compiled = &self.environment.assumptions[index];
            let formulas = compiled.template.instantiate(&mut self.context, &values)?;
            for mut fact in formulas {
                for &guard in guards.iter().rev() {
                    fact = self.context.implies(guard, fact)?;
                }
                let switch = self.environment.assumptions[index].switch;
                let clause = self.context.implies(switch, fact)?;
                self.solver.assert(&mut self.context, clause)?;
                let compiled = &mut self.environment.assumptions[index];
                compiled.facts.push(fact);
                compiled.clauses.push(clause);
            }
        }
        Ok(())
    }
}

/// All choices of one position in each list.
fn combinations(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &size in sizes {
        all = all
            .into_iter()
            .flat_map(|chosen: Vec<usize>| {
                (0..size).map(move |next| {
                    let mut longer = chosen.clone();
                    longer.push(next);
                    longer
                })
            })
            .collect();
    }
    all
}
