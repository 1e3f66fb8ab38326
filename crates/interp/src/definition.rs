//! Functions that an axiom `forall xs :: f(xs) == body` defines.

use lariat_ir::Program;
use lariat_term::{FunId, Op, QuantifierKind, TermId, TermPool, Value, VarId};
use rustc_hash::FxHashMap;

use crate::environment::Overlay;
use crate::eval::{EvalResult, Evaluator};
use crate::oracle::Oracle;

/// How deep the definitions of functions may recurse.
const MAX_DEPTH: u32 = 200;

/// How many definitions one value may need in all.
const MAX_APPLICATIONS: u32 = 20_000;

/// Keeps the evaluation of definitions within bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DefinitionDepth {
    open: u32,
    applications: u32,
}

impl DefinitionDepth {
    /// Whether one more definition may be opened; every `true` is followed by [`Self::close`].
    pub fn open(&mut self) -> bool {
        if self.open == 0 {
            self.applications = 0;
        }
        self.applications += 1;
        let allowed = self.open < MAX_DEPTH && self.applications <= MAX_APPLICATIONS;
        self.open += u32::from(allowed);
        allowed
    }

    pub fn close(&mut self) {
        self.open -= 1;
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    by_function: FxHashMap<FunId, Definition>,
}

#[derive(Clone, Debug)]
pub(crate) struct Definition {
    params: Vec<VarId>,
    body: TermId,
}

impl Definitions {
    /// The definitions, and the axioms that are none: also second definitions of a function.
    pub fn of(program: &Program) -> (Definitions, Vec<TermId>) {
        let mut definitions = Definitions::default();
        let mut others = Vec::new();
        for axiom in &program.axioms {
            match definition(&program.pool, axiom.term) {
                Some((function, definition)) if !definitions.by_function.contains_key(&function) => {
                    definitions.by_function.insert(function, definition);
                }
                _ => others.push(axiom.term),
            }
        }
        (definitions, others)
    }

    pub fn get(&self, function: FunId) -> Option<&Definition> {
        self.by_function.get(&function)
    }
}

impl Definition {
    /// The value of the body; the caller keeps it within a [`DefinitionDepth`].
    pub fn apply(
        &self,
        pool: &TermPool,
        args: &[Value],
        constants: &FxHashMap<VarId, Value>,
        oracle: &mut dyn Oracle,
    ) -> EvalResult {
        let arguments: FxHashMap<VarId, Value> =
            self.params.iter().copied().zip(args.iter().cloned()).collect();
        let environment = Overlay {
            inner: &arguments,
            outer: constants,
        };
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            Evaluator::new(pool).eval(self.body, &environment, oracle)
        })
    }
}

fn definition(pool: &TermPool, axiom: TermId) -> Option<(FunId, Definition)> {
    let Op::Quantifier(id) = pool.op(axiom) else {
        return None;
    };
    let quantifier = pool.quantifier(id);
    if quantifier.kind != QuantifierKind::Forall || pool.op(quantifier.body) != Op::Eq {
        return None;
    }
    let sides = pool.args(quantifier.body);
    [(sides[0], sides[1]), (sides[1], sides[0])]
        .into_iter()
        .find_map(|(left, right)| {
            let Op::Apply(function) = pool.op(left) else {
                return None;
            };
            let params: Vec<VarId> = pool
                .args(left)
                .iter()
                .map(|&arg| pool.as_var(arg))
                .collect::<Option<_>>()?;
            let mut sorted = params.clone();
            sorted.sort_unstable();
            sorted.dedup();
            let mut bound = quantifier.bound.to_vec();
            bound.sort_unstable();
            let is_definition = sorted.len() == params.len() && sorted == bound;
            is_definition.then_some((function, Definition { params, body: right }))
        })
}
