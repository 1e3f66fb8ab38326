//! Do the axioms allow what a replay used?
//!
//! Where the program has quantified axioms the solver cannot vouch for its model: it has instantiated
//! them at finitely many points only. A replay used the functions at finitely many points too. If the
//! axioms together with just these points have a model, found with complete instantiation, the
//! execution is one of the program. Axioms that share nothing with the points, directly or through other
//! axioms, need a model of their own: axioms that contradict each other allow no execution at all. Axioms
//! that hold under an interpretation of their functions have one, and so have those about functions that undo each other
//! ([`crate::inverses`]).
//!
//! Assumptions of the program may quantify over functions too: `assume (forall q :: p <= q && q < p + n ==> base(q) == p)`. The replay
//! supposes that they hold, and they are part of the question at the values that they had.

use lariat_base::Budget;
use lariat_interp::Points;
use lariat_ir::Program;
use lariat_smt::CheckResult;
use lariat_term::{FunId, Op, Sort, SortId, Substitution, TermId, TermPool, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::{Elements, solve};
use crate::interpretation::{Interpretation, come_back};
use crate::inverses::Inverses;

/// The answer, with the reason unless it is yes.
pub enum AxiomCheck {
    Consistent,
    /// They do not; the term follows from the axioms and excludes what was used, if it can be told.
    Contradicted(Option<TermId>),
    Unknown(String),
    /// Axioms may have no model at all, whatever was used: then there is no execution.
    NoModel(&'static str),
}

/// The solver's effort for a model of axioms that have nothing to do with the points.
const MODEL_EFFORT: u32 = 500_000;

/// Asks the solver about the axioms of `program` with constants and functions fixed as given, and the functions that
/// `interpretation` knows fixed by it. New terms are made in `pool`, which extends the program's own.
pub fn check_axioms(
    program: &Program,
    pool: &mut TermPool,
    constants: &FxHashMap<VarId, Value>,
    points: &Points,
    interpretation: &Interpretation,
    effort: u32,
    budget: &Budget,
) -> AxiomCheck {
    let inverses = Inverses::of_axioms(program).extending(pool, points);
    let has_meaning = |function| interpretation.interprets(function) || inverses.has(function);
    let mut elements = Elements::default();
    let Some(mut facts) = facts(program, pool, constants, points, has_meaning, &mut elements) else {
        return AxiomCheck::Unknown("the trace uses values that no term denotes".into());
    };
    let values = facts.len();
    match supposed(pool, points, interpretation, &mut elements) {
        Ok(supposed) => facts.extend(supposed),
        Err(reason) => return AxiomCheck::Unknown(reason.into()),
    }
    let open: Vec<TermId> = program
        .axioms
        .iter()
        .map(|axiom| axiom.term)
        .filter(|&axiom| !interpretation.satisfies(axiom) && !inverses.satisfies(axiom))
        .collect();
    for element in &points.elements {
        elements.term(pool, element);
    }
    let distinct = elements.distinct(pool);
    let (mut axioms, others) = concerned_axioms(open, &[facts.as_slice(), &distinct].concat(), pool);
    axioms.extend(distinct);
    match solve(pool, &axioms, &facts, effort, budget) {
        Ok((CheckResult::Sat, _)) => have_a_model(pool, others, budget),
        Ok((CheckResult::Unsat, core)) if core.is_empty() => {
            AxiomCheck::Unknown("the axioms contradict each other".into())
        }
        Ok((CheckResult::Unsat, core)) => {
            // Constants for elements stand for something in this model only, and assumptions do not follow from axioms.
            let follows = elements.is_empty() && core.iter().all(|&index| index < values);
            let core: Vec<TermId> = core.into_iter().map(|index| facts[index]).collect();
            let all = pool.and(&core);
            AxiomCheck::Contradicted(follows.then(|| pool.not(all)))
        }
        Ok((CheckResult::Unknown(reason), _)) => AxiomCheck::Unknown(reason),
        Err(error) => AxiomCheck::Unknown(error.0),
    }
}

/// Whether axioms that nothing else constrains have a model: each group that shares symbols needs one. Those without quantifiers are
/// part of every question to the solver that found the execution.
fn have_a_model(pool: &TermPool, mut axioms: Vec<TermId>, budget: &Budget) -> AxiomCheck {
    let is_quantified = |axiom: TermId| {
        let mut quantified = false;
        pool.visit_subterms(&[axiom], |term| {
            quantified |= matches!(pool.op(term), Op::Quantifier(_));
        });
        quantified
    };
    while let Some(position) = axioms.iter().position(|&axiom| is_quantified(axiom)) {
        let first = axioms.swap_remove(position);
        let (mut group, others) = concerned_axioms(axioms, &[first], pool);
        group.push(first);
        axioms = others;
        match solve(pool, &group, &[], MODEL_EFFORT, budget) {
            Ok((CheckResult::Sat, _)) => {}
            Ok((CheckResult::Unsat, _)) => {
                return AxiomCheck::NoModel("the axioms contradict each other");
            }
            Ok((CheckResult::Unknown(_), _)) if come_back(pool, &group) => {}
            Ok((CheckResult::Unknown(_), _)) => {
                return AxiomCheck::NoModel(
                    "no model of the axioms was found: they may contradict each other",
                );
            }
            Err(error) => return AxiomCheck::Unknown(error.0),
        }
    }
    AxiomCheck::Consistent
}

/// Equations for all constants and for points of functions without a known meaning. Elements of uninterpreted sorts become distinct constants.
fn facts(
    program: &Program,
    pool: &mut TermPool,
    constants: &FxHashMap<VarId, Value>,
    points: &Points,
    has_meaning: impl Fn(FunId) -> bool,
    elements: &mut Elements,
) -> Option<Vec<TermId>> {
    let mut facts = Vec::new();
    for &constant in &program.constants {
        if let Some(value) = constants.get(&constant) {
            let value = elements.term(pool, value)?;
            let constant = pool.var(constant);
            facts.push(pool.eq(constant, value));
        }
    }
    for ((function, args), result) in &points.applications {
        if has_meaning(*function) {
            continue;
        }
        let args = args
            .iter()
            .map(|arg| elements.term(pool, arg))
            .collect::<Option<Vec<TermId>>>()?;
        let result = elements.term(pool, result)?;
        let application = pool.apply(*function, &args);
        facts.push(pool.eq(application, result));
    }
    for ((op, args), result) in &points.partials {
        let args = args
            .iter()
            .map(|arg| elements.term(pool, arg))
            .collect::<Option<Vec<TermId>>>()?;
        let result = elements.term(pool, result)?;
        if matches!(op, Op::IntDiv | Op::Mod | Op::RealDiv | Op::Field { .. }) {
            let sort = pool.sort_of(result);
            let application = pool.rebuild(*op, &args, sort);
            facts.push(pool.eq(application, result));
        }
    }
    Some(facts)
}

/// Whether the replay supposes something of functions that only [`check_axioms`] can answer.
pub fn supposes(pool: &TermPool, points: &Points) -> bool {
    let mut quantifiers = points.quantifiers.keys();
    quantifiers.any(|point| mentions_functions(pool, point.term))
}

pub(crate) fn mentions_functions(pool: &TermPool, term: TermId) -> bool {
    let mut found = false;
    pool.visit_subterms(&[term], |term| found |= matches!(pool.op(term), Op::Apply(_)));
    found
}

/// What the replay supposed of quantifiers over functions, at the values of their free variables.
fn supposed(
    pool: &mut TermPool,
    points: &Points,
    interpretation: &Interpretation,
    elements: &mut Elements,
) -> Result<Vec<TermId>, &'static str> {
    let mut facts = Vec::new();
    for (point, &holds) in &points.quantifiers {
        if !mentions_functions(pool, point.term) {
            continue;
        }
        let mut substitution = Substitution::new();
        for (var, value) in &point.free {
            let value = elements.term(pool, value);
            substitution.insert(*var, value.ok_or("a value in a quantifier that no term denotes")?);
        }
        let closed = substitution.apply(pool, point.term);
        let is_interpreted = |term| matches!(pool.op(term), Op::Apply(of) if interpretation.interprets(of));
        let mut interpreted = false;
        pool.visit_subterms(&[closed], |term| interpreted |= is_interpreted(term));
        if interpreted {
            return Err("a quantifier over a function that has a standard meaning");
        }
        facts.push(if holds { closed } else { pool.not(closed) });
    }
    Ok(facts)
}

/// What axioms can speak about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symbol {
    Function(FunId),
    Constant(VarId),
    /// How many elements there are is the same for all axioms.
    Sort(SortId),
}

fn symbols(pool: &TermPool, term: TermId) -> FxHashSet<Symbol> {
    let mut symbols = FxHashSet::default();
    pool.visit_subterms(&[term], |term| {
        match pool.op(term) {
            Op::Apply(function) => {
                symbols.insert(Symbol::Function(function));
            }
            Op::Var(var) => {
                symbols.insert(Symbol::Constant(var));
            }
            _ => {}
        }
        let sort = pool.sort_of(term);
        if matches!(pool.sort(sort), Sort::Uninterpreted(_)) {
            symbols.insert(Symbol::Sort(sort));
        }
    });
    symbols
}

/// The axioms that share a symbol with the facts, or with another such axiom; and the others. Bound variables are
/// unique to their quantifier, so they connect nothing.
fn concerned_axioms(axioms: Vec<TermId>, facts: &[TermId], pool: &TermPool) -> (Vec<TermId>, Vec<TermId>) {
    let mut concerned: FxHashSet<Symbol> = facts.iter().flat_map(|&fact| symbols(pool, fact)).collect();
    let mut waiting: Vec<(TermId, FxHashSet<Symbol>)> = axioms
        .into_iter()
        .map(|axiom| (axiom, symbols(pool, axiom)))
        .collect();
    let mut chosen = Vec::new();
    loop {
        let (touched, rest): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|(_, symbols)| symbols.iter().any(|symbol| concerned.contains(symbol)));
        if touched.is_empty() {
            let others = rest.into_iter().map(|(axiom, _)| axiom).collect();
            return (chosen, others);
        }
        for (axiom, symbols) in touched {
            chosen.push(axiom);
            concerned.extend(symbols);
        }
        waiting = rest;
    }
}
