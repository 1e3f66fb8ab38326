//! Standard meanings of functions that the program describes by axioms.
//!
//! A counterexample under quantified axioms is one only if the axioms have a model that agrees with it. Solvers find such models
//! for few axioms. So a model is guessed: each function is one of a few standard ones (bits of integers, shifts, orders, …), and the
//! axioms say which: an assignment is taken only if the solver shows that every quantified axiom about its functions holds under
//! it. Names do not matter. A path that is solved again under the interpretation has values that are right everywhere.
//!
//! Invariants: the functions of an axiom are all interpreted or none is; an interpreted function is in no quantified axiom that
//! has not been checked; checks are limited by counts of effort.

mod bits;
mod conversions;
mod meaning;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use cranelift_entity::SecondaryMap;
use lariat_base::Budget;
use lariat_ir::{Program, StmtKind};
use lariat_smt::CheckResult;
use lariat_term::{FunId, Op, Quantifier, TermId, TermPool, Value};
use lariat_vc::Problem;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use self::bits::{Code, negated_over_bits};
pub use self::conversions::come_back;
use self::meaning::Meaning;
use crate::ground::solve;

/// Axioms about more functions than this at once are not tried.
const MOST_FUNCTIONS: usize = 10;
/// How many axioms are checked under some meaning, for one group of functions and one code.
const MOST_CHECKS: usize = 300;
/// The solver's effort for one check.
const CHECK_EFFORT: u32 = 2_000_000;

type Meanings = FxHashMap<FunId, Meaning>;

/// A model of axioms.
#[derive(Clone, Debug, Default)]
pub struct Interpretation {
    functions: FxHashMap<FunId, (Meaning, Code)>,
    /// The axioms of the program that hold under it.
    satisfied: FxHashSet<TermId>,
}

/// Axioms that share functions.
struct Group {
    functions: Vec<FunId>,
    /// Each with its functions.
    axioms: Vec<(TermId, FxHashSet<FunId>)>,
}

impl Interpretation {
    /// Finds meanings for the functions of quantified axioms.
    pub fn of_axioms(program: &Program, budget: &Budget) -> Interpretation {
        let mut interpretation = Interpretation::default();
        let groups = groups(program);
        if groups.is_empty() {
            return interpretation;
        }
        let mut pool = program.pool.clone();
        for group in groups {
            if group.functions.is_empty() || group.functions.len() > MOST_FUNCTIONS {
                continue;
            }
            let literals = literals(&pool, &group);
            for code in Code::candidates(&literals) {
                let mut guess = Guess {
                    pool: &mut pool,
                    group: &group,
                    code: &code,
                    candidates: FxHashMap::default(),
                    known: FxHashMap::default(),
                    budget,
                };
                guess.collect_candidates(&literals);
                if let Some(meanings) = guess.assign() {
                    let functions = meanings
                        .into_iter()
                        .map(|(function, meaning)| (function, (meaning, code.clone())));
                    interpretation.functions.extend(functions);
                    interpretation
                        .satisfied
                        .extend(group.axioms.iter().map(|(axiom, _)| *axiom));
                    break;
                }
            }
        }
        interpretation
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    pub fn interprets(&self, function: FunId) -> bool {
        self.functions.contains_key(&function)
    }

    /// Whether it is a model of a quantified axiom.
    pub fn satisfies(&self, axiom: TermId) -> bool {
        self.satisfied.contains(&axiom)
    }

    /// The value of an interpreted function.
    pub fn value(&self, function: FunId, args: &[Value]) -> Option<Value> {
        let (meaning, code) = self.functions.get(&function)?;
        meaning.value(code, args)
    }

    /// The problem under the interpretation, without the axioms that hold under it. Its executions are executions of the
    /// problem; summaries are left out.
    pub fn applied_to(&self, mut problem: Problem) -> Problem {
        problem.summaries = SecondaryMap::new();
        let program = &mut problem.program;
        program.axioms.retain(|axiom| !self.satisfies(axiom.term));
        let pool = &mut program.pool;
        let mut done = FxHashMap::default();
        let mut apply = |term: &mut TermId| {
            let result = rewrite_bottom_up(pool, *term, &mut done, |pool, term, args| {
                self.rebuilt(pool, term, args)
            });
            *term = result.unwrap_or(*term);
        };
        program.axioms.iter_mut().for_each(|axiom| apply(&mut axiom.term));
        program.initial.iter_mut().for_each(&mut apply);
        let blocks = program
            .procs
            .values_mut()
            .flat_map(|proc| proc.blocks.values_mut());
        for stmt in blocks.flat_map(|block| block.stmts.iter_mut()) {
            match &mut stmt.kind {
                StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => apply(condition),
                StmtKind::Assign(assignments) => assignments.iter_mut().for_each(|(_, term)| apply(term)),
                StmtKind::Call(call) => call.ins.iter_mut().for_each(&mut apply),
                StmtKind::Havoc(_) | StmtKind::Enter(_) => {}
            }
        }
        problem
    }

    fn rebuilt(&self, pool: &mut TermPool, term: TermId, args: &[TermId]) -> Option<TermId> {
        let rebuilt = rebuild(pool, term, args);
        if let Op::Apply(function) = pool.op(term)
            && let Some((meaning, code)) = self.functions.get(&function)
        {
            return Some(meaning.term(pool, code, args, rebuilt).unwrap_or(rebuilt));
        }
        Some(rebuilt)
    }
}

/// A term with other arguments.
fn rebuild(pool: &mut TermPool, term: TermId, args: &[TermId]) -> TermId {
    match pool.op(term) {
        Op::Quantifier(id) => {
            let old = pool.quantifier(id).clone();
            match args {
                [body] if *body != old.body => pool.quantifier_term(Quantifier {
                    // What was a pattern may be none any more: the solver chooses.
                    triggers: Box::default(),
                    no_patterns: Box::default(),
                    body: *body,
                    ..old
                }),
                _ => term,
            }
        }
        _ if args == pool.args(term) => term,
        op => {
            let sort = pool.sort_of(term);
            pool.rebuild(op, args, sort)
        }
    }
}

/// Makes a term anew from its leaves: `make` is given each subterm and what its arguments have become (of a quantifier its body).
/// `None` if it is for one of them.
fn rewrite_bottom_up(
    pool: &mut TermPool,
    root: TermId,
    done: &mut FxHashMap<TermId, TermId>,
    mut make: impl FnMut(&mut TermPool, TermId, &[TermId]) -> Option<TermId>,
) -> Option<TermId> {
    let mut stack = vec![(root, false)];
    while let Some((term, expanded)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        let parts: Vec<TermId> = match pool.op(term) {
            Op::Quantifier(id) => vec![pool.quantifier(id).body],
            _ => pool.args(term).to_vec(),
        };
        if !expanded {
            stack.push((term, true));
            stack.extend(parts.into_iter().map(|part| (part, false)));
            continue;
        }
        let parts: Vec<TermId> = parts.iter().map(|part| done[part]).collect();
        let result = make(pool, term, &parts)?;
        done.insert(term, result);
    }
    Some(done[&root])
}

/// The functions of a term, and whether a quantifier is in it.
fn functions(pool: &TermPool, term: TermId) -> (FxHashSet<FunId>, bool) {
    let mut functions = FxHashSet::default();
    let mut quantified = false;
    pool.visit_subterms(&[term], |term| match pool.op(term) {
        Op::Apply(function) => {
            functions.insert(function);
        }
        Op::Quantifier(_) => quantified = true,
        _ => {}
    });
    (functions, quantified)
}

/// The quantified axioms, by the functions that they share.
fn groups(program: &Program) -> Vec<Group> {
    let pool = &program.pool;
    let mut groups: Vec<Group> = Vec::new();
    for axiom in &program.axioms {
        let (functions, quantified) = functions(pool, axiom.term);
        if !quantified {
            continue;
        }
        let is_touched = |group: &Group| group.functions.iter().any(|known| functions.contains(known));
        let (touched, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_touched);
        let mut group = Group {
            functions: functions.iter().copied().collect(),
            axioms: Vec::new(),
        };
        for old in touched {
            group.functions.extend(old.functions);
            group.axioms.extend(old.axioms);
        }
        group.functions.sort_unstable();
        group.functions.dedup();
        group.axioms.push((axiom.term, functions));
        groups = others;
        groups.push(group);
    }
    groups
}

fn literals(pool: &TermPool, group: &Group) -> FxHashSet<BigInt> {
    let axioms: Vec<TermId> = group.axioms.iter().map(|(axiom, _)| *axiom).collect();
    let mut literals = FxHashSet::default();
    pool.visit_subterms(&axioms, |term| literals.extend(pool.as_int(term).cloned()));
    literals
}

/// The search for meanings of the functions of one group.
struct Guess<'a> {
    pool: &'a mut TermPool,
    group: &'a Group,
    code: &'a Code,
    candidates: FxHashMap<FunId, Vec<Meaning>>,
    /// Which axioms hold under which meanings of their functions, in the order of the group.
    known: FxHashMap<(TermId, Vec<Meaning>), bool>,
    budget: &'a Budget,
}

impl Guess<'_> {
    fn collect_candidates(&mut self, literals: &FxHashSet<BigInt>) {
        let mut listed: Vec<BigInt> = literals.iter().cloned().collect();
        listed.sort();
        let listed: Arc<[BigInt]> = listed.into();
        for &function in &self.group.functions {
            let candidates = Meaning::candidates(self.pool, self.pool.function(function), &listed);
            self.candidates.insert(function, candidates);
        }
    }

    /// Meanings under which all axioms hold, by depth-first search: an axiom is checked when its last function has a meaning.
    fn assign(&mut self) -> Option<Meanings> {
        let order = self.order();
        let mut meanings = Meanings::default();
        // For each function that has a meaning the position of its candidate.
        let mut chosen: Vec<usize> = vec![0];
        while let Some(next) = chosen.last().copied() {
            let depth = chosen.len() - 1;
            let Some(&function) = order.get(depth) else {
                return Some(meanings);
            };
            meanings.retain(|known, _| order[..depth].contains(known));
            let Some(meaning) = self.candidates[&function].get(next).cloned() else {
                chosen.pop();
                if let Some(last) = chosen.last_mut() {
                    *last += 1;
                }
                continue;
            };
            meanings.insert(function, meaning);
            match self.all_hold(&meanings, function) {
                None => return None,
                Some(true) => chosen.push(0),
                Some(false) => chosen[depth] += 1,
            }
        }
        None
    }

    /// Functions of which most is said alone come first.
    fn order(&self) -> Vec<FunId> {
        let alone = |function: &FunId| {
            let axioms = self.group.axioms.iter();
            axioms
                .filter(|(_, functions)| functions.len() == 1 && functions.contains(function))
                .count()
        };
        let mut order = self.group.functions.clone();
        order.sort_by_key(|function| (std::cmp::Reverse(alone(function)), *function));
        order
    }

    /// Whether the axioms hold of which `last` is the last function without a meaning; `None` if the effort is used up.
    fn all_hold(&mut self, meanings: &Meanings, last: FunId) -> Option<bool> {
        for (axiom, functions) in &self.group.axioms {
            if !functions.contains(&last) || functions.iter().any(|function| !meanings.contains_key(function))
            {
                continue;
            }
            let used = self.group.functions.iter();
            let used = used.filter(|function| functions.contains(function));
            let key = (
                *axiom,
                used.map(|function| meanings[function].clone())
                    .collect::<Vec<_>>(),
            );
            let holds = match self.known.get(&key) {
                Some(&known) => known,
                None if self.known.len() >= MOST_CHECKS || self.budget.check().is_err() => return None,
                None => {
                    let holds = self.holds(*axiom, functions, meanings);
                    self.known.insert(key, holds);
                    holds
                }
            };
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the solver shows that an axiom holds.
    fn holds(&mut self, axiom: TermId, functions: &FxHashSet<FunId>, meanings: &Meanings) -> bool {
        let bitwise = functions.iter().any(|function| meanings[function].is_bitwise());
        let negated = if bitwise {
            negated_over_bits(self.pool, self.code, meanings, axiom)
        } else {
            self.negated(axiom, meanings)
        };
        let Some(negated) = negated else {
            return false;
        };
        let answer = solve(self.pool, &[negated], &[], CHECK_EFFORT, self.budget);
        matches!(answer, Ok((CheckResult::Unsat, _)))
    }

    fn negated(&mut self, axiom: TermId, meanings: &Meanings) -> Option<TermId> {
        let code = self.code;
        let holds = rewrite_bottom_up(self.pool, axiom, &mut FxHashMap::default(), |pool, term, args| {
            let rebuilt = rebuild(pool, term, args);
            match pool.op(term) {
                Op::Apply(function) => meanings.get(&function)?.term(pool, code, args, rebuilt),
                _ => Some(rebuilt),
            }
        })?;
        Some(self.pool.not(holds))
    }
}
