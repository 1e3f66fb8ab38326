//! Quantified axioms, tried at the points that an execution used.
//!
//! A solver that instantiates by patterns gives models that satisfy the axioms only where the
//! patterns matched. The same is checked here: every instance whose pattern matches recorded
//! applications is evaluated. An instance that is false shows that the model is none.

use lariat_base::Budget;
use lariat_ir::Program;
use lariat_term::{FunId, Op, Quantifier, QuantifierKind, TermId, TermPool, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::environment::{Environment, Overlay};
use crate::eval::{Evaluator, values_equal};
use crate::oracle::{Points, Recorder};
use crate::replay::Doubt;
use crate::show::value_text;

/// Instances of one axiom that are tried.
const MAX_INSTANCES: usize = 10_000;

/// Violations that are reported.
const MAX_VIOLATIONS: usize = 20;

#[derive(Clone, Debug, Default)]
pub(crate) struct AxiomCheck {
    pub instances: usize,
    pub violations: Vec<Doubt>,
    pub violated: Vec<ViolatedAxiom>,
}

/// An instance of a quantified axiom that the model does not satisfy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViolatedAxiom {
    /// The quantified term.
    pub quantifier: TermId,
    /// The values of its variables.
    pub binding: Vec<(VarId, Value)>,
}

type Binding = FxHashMap<VarId, Value>;

/// Instances that cannot be evaluated are passed by: they are not known to be false.
pub(crate) fn check_axioms(
    program: &Program,
    constants: &dyn Environment,
    oracle: &mut Recorder<'_>,
    budget: &Budget,
) -> AxiomCheck {
    let pool = &program.pool;
    let mut check = AxiomCheck::default();
    let mut evaluator = Evaluator::new(pool);
    for axiom in &program.axioms {
        let points = oracle.points().clone();
        for part in conjuncts(pool, axiom.term) {
            let Op::Quantifier(id) = pool.op(part) else {
                continue;
            };
            let quantifier = pool.quantifier(id);
            if quantifier.kind != QuantifierKind::Forall {
                continue;
            }
            let matcher = Matcher {
                pool,
                points: &points,
            };
            for binding in matcher.bindings(quantifier, constants, &mut evaluator, oracle) {
                if budget.check().is_err() || check.violations.len() >= MAX_VIOLATIONS {
                    return check;
                }
                let environment = Overlay {
                    inner: &binding,
                    outer: constants,
                };
                let Ok(holds) = evaluator.holds(quantifier.body, &environment, oracle) else {
                    continue;
                };
                check.instances += 1;
                if !holds {
                    check.violated.push(ViolatedAxiom {
                        quantifier: part,
                        binding: quantifier
                            .bound
                            .iter()
                            .filter_map(|var| Some((*var, binding.get(var)?.clone())))
                            .collect(),
                    });
                    check.violations.push(Doubt {
                        reason: format!(
                            "an axiom does not hold in the solver's model for {}",
                            binding_text(pool, quantifier, &binding)
                        ),
                        span: axiom.span,
                    });
                }
            }
        }
    }
    check
}

fn conjuncts(pool: &TermPool, term: TermId) -> Vec<TermId> {
    match pool.op(term) {
        Op::And => pool.args(term).to_vec(),
        _ => vec![term],
    }
}

fn binding_text(pool: &TermPool, quantifier: &Quantifier, binding: &Binding) -> String {
    let parts: Vec<String> = quantifier
        .bound
        .iter()
        .filter_map(|var| {
            Some(format!(
                "{} = {}",
                pool.var_name(*var),
                value_text(pool, binding.get(var)?)
            ))
        })
        .collect();
    parts.join(", ")
}

/// A pattern term and the value that it has to have, if that is known.
type TriggerGoal = (TermId, Option<Value>);

struct Matcher<'a> {
    pool: &'a TermPool,
    points: &'a Points,
}

impl Matcher<'_> {
    /// All bindings of the quantifier's variables under which one of its triggers was used.
    fn bindings(
        &self,
        quantifier: &Quantifier,
        constants: &dyn Environment,
        evaluator: &mut Evaluator<'_>,
        oracle: &mut Recorder<'_>,
    ) -> Vec<Binding> {
        let bound: FxHashSet<VarId> = quantifier.bound.iter().copied().collect();
        let triggers: Vec<Vec<TermId>> = if quantifier.triggers.is_empty() {
            self.guessed_triggers(quantifier.body, &bound)
        } else {
            quantifier
                .triggers
                .iter()
                .map(|trigger| trigger.to_vec())
                .collect()
        };
        let mut found: Vec<Binding> = Vec::new();
        for trigger in triggers {
            let goals: Vec<TriggerGoal> = trigger.iter().map(|&pattern| (pattern, None)).collect();
            // A partial match: what is bound, and what is still to be matched.
            let mut partial: Vec<(Binding, Vec<TriggerGoal>)> = vec![(Binding::default(), goals)];
            while let Some((binding, mut goals)) = partial.pop() {
                if found.len() + partial.len() >= MAX_INSTANCES {
                    return found;
                }
                let Some((pattern, wanted)) = goals.pop() else {
                    if binding.len() == bound.len() && !found.contains(&binding) {
                        found.push(binding);
                    }
                    continue;
                };
                match (self.pool.op(pattern), &wanted) {
                    (Op::Var(var), Some(value)) if bound.contains(&var) => match binding.get(&var) {
                        Some(known) if !values_equal(self.pool, known, value) => {}
                        Some(_) => partial.push((binding, goals)),
                        None => {
                            let mut binding = binding;
                            binding.insert(var, value.clone());
                            partial.push((binding, goals));
                        }
                    },
                    (Op::Apply(function), _) if self.mentions(pattern, &bound) => {
                        for (args, result) in self.applications(function) {
                            if wanted
                                .as_ref()
                                .is_some_and(|wanted| !values_equal(self.pool, wanted, result))
                            {
                                continue;
                            }
                            let mut goals = goals.clone();
                            let patterns = self.pool.args(pattern).iter().copied();
                            goals.extend(patterns.zip(args.iter().cloned().map(Some)));
                            partial.push((binding.clone(), goals));
                        }
                    }
                    (_, Some(value)) => {
                        let environment = Overlay {
                            inner: &binding,
                            outer: constants,
                        };
                        // Arithmetic over variables that are bound later cannot be inverted.
                        if let Ok(actual) = evaluator.eval(pattern, &environment, oracle)
                            && values_equal(self.pool, &actual, value)
                        {
                            partial.push((binding, goals));
                        }
                    }
                    (_, None) => {}
                }
            }
        }
        found
    }

    fn applications(&self, function: FunId) -> impl Iterator<Item = (&Vec<Value>, &Value)> {
        self.points
            .applications
            .iter()
            .filter(move |((other, _), _)| *other == function)
            .map(|((_, args), result)| (args, result))
    }

    fn mentions(&self, pattern: TermId, bound: &FxHashSet<VarId>) -> bool {
        self.pool
            .free_vars(&[pattern])
            .iter()
            .any(|var| bound.contains(var))
    }

    /// Applications in the body that have all bound variables, as solvers choose them.
    fn guessed_triggers(&self, body: TermId, bound: &FxHashSet<VarId>) -> Vec<Vec<TermId>> {
        let mut triggers = Vec::new();
        self.pool.visit_subterms(&[body], |term| {
            if matches!(self.pool.op(term), Op::Apply(_)) {
                let free = self.pool.free_vars(&[term]);
                if bound.iter().all(|var| free.contains(var)) {
                    triggers.push(vec![term]);
                }
            }
        });
        triggers
    }
}

#[cfg(test)]
mod tests {
    use lariat_ir::Axiom;

    use super::*;
    use crate::oracle::TableOracle;
    use crate::testing::Builder;

    fn int(value: i64) -> Value {
        Value::Int(value.into())
    }

    /// `forall q :: {f(g(q))} f(g(q)) == q` with `f(5) = answer`, `g(3) = 5`.
    fn check_with(answer: i64) -> AxiomCheck {
        let mut b = Builder::new();
        let sort = b.int_sort;
        let bound = b.var("q");
        let [f, g] = ["f", "g"].map(|name| b.program.pool.declare_function(name, vec![sort], sort));
        let q = b.term(bound);
        let inner = b.program.pool.apply(g, &[q]);
        let outer = b.program.pool.apply(f, &[inner]);
        let body = b.program.pool.eq(outer, q);
        let term = b.program.pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: [bound].into(),
            triggers: [[outer].into()].into(),
            no_patterns: [].into(),
            body,
            weight: None,
        });
        b.program.axioms.push(Axiom { term, span: None });
        let three = b.program.pool.int(3);
        let inner = b.program.pool.apply(g, &[three]);
        let used = b.program.pool.apply(f, &[inner]);
        let mut table = TableOracle::default();
        table.functions.insert((g, vec![int(3)]), int(5));
        table.functions.insert((f, vec![int(5)]), int(answer));
        let mut recorder = Recorder::new(&b.program.pool, &mut table);
        let constants = FxHashMap::default();
        let value = Evaluator::new(&b.program.pool).eval(used, &constants, &mut recorder);
        assert_eq!(value, Ok(int(answer)));
        check_axioms(&b.program, &constants, &mut recorder, &Budget::unlimited())
    }

    #[test]
    fn an_instance_that_holds_is_counted() {
        let check = check_with(3);
        assert_eq!((check.instances, check.violations.len()), (1, 0));
    }

    #[test]
    fn an_instance_that_is_false_is_a_violation() {
        let check = check_with(4);
        assert_eq!((check.instances, check.violations.len()), (1, 1));
        assert!(
            check.violations[0].reason.contains("q = 3"),
            "{:?}",
            check.violations
        );
    }
}
