//! A weaker program for questions that are too hard.
//!
//! The question that takes longest is mostly the last one of an entry, whether anything else fails, in code that computes checksums, hashes,
//! codes or floating-point numbers. Whether a pointer is null hardly ever depends on those. So a question that has used up a slice of the solver's
//! effort is asked of the program in which each hard operator is an uninterpreted function.
//!
//! That program has all executions of the real one, since the operator itself is one meaning of the function. If none of them fails, none of
//! the real ones does; otherwise nothing is known, and the question goes on where it was. What is hard is a product of unknowns, a
//! division, a number as a pattern of bits, and whatever only the solver knows (floating-point numbers).

use std::collections::BTreeSet;

use lariat_engine::SearchOutcome;
use lariat_ir::{Program, StmtKind};
use lariat_smt::{Ast, SolverError};
use lariat_term::{BvOp, FunId, Op, Sort, SortId, TermId, TermPool, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::analysis::{Analysis, assumption};
use crate::open_search::Found;

/// The effort after which a question counts as hard: about a second.
const HARD: u64 = 4_000_000;
/// What the weaker question may cost.
const WEAKER: u64 = 8_000_000;

impl Analysis<'_, '_> {
    /// The next failing execution, of which a weaker question may find that there is none.
    pub(crate) fn next_failure(&mut self) -> Result<Found, SolverError> {
        self.core_of_weaker = None;
        match self.search.next_failure(Some(HARD)) {
            Found::TooHard => {}
            found => return Ok(found),
        }
        match self.ask_weaker()? {
            Some(found) => Ok(found),
            None => Ok(self.search.next_failure(None)),
        }
    }

    /// Whether the weaker program has no failing execution; `None` if that is not known.
    fn ask_weaker(&mut self) -> Result<Option<Found>, SolverError> {
        let mut problem = self.search.session.problem().clone();
        if !weaken(&mut problem.program) {
            return Ok(None);
        }
        let mut silent = |_: lariat_engine::SearchEvent| {};
        let mut session = self.search.session_of(problem, &mut silent)?;
        let switches = self.task.switches;
        let strict = switches.strict.iter().map(|&strict| (strict, true));
        let seeks = switches.seeks.iter().map(|seek| (seek.switch, false));
        let reported = self
            .reported
            .iter()
            .filter_map(|assert| switches.checks.get(assert));
        let reported = reported.map(|&check| (check, false));
        let mut literals: Vec<Ast> = Vec::new();
        for (var, value) in strict.chain(seeks).chain(reported) {
            literals.push(session.literal(var, value)?);
        }
        for lemma in &self.lemma_assumptions {
            literals.push(session.assume(lemma.clone())?);
        }
        let mut assumed: Vec<(VarId, Ast)> = Vec::new();
        for active in &self.active {
            let literal = session.assume(assumption(&active.blocking, active.switch))?;
            assumed.push((active.switch, literal));
        }
        literals.extend(assumed.iter().map(|&(_, literal)| literal));
        session.restart(literals);
        session.limit_effort(Some(WEAKER));
        let (bound, complete) = match session.run() {
            SearchOutcome::Proved => (0, true),
            SearchOutcome::Bounded { bound, .. } => (bound, false),
            SearchOutcome::Reached(_) | SearchOutcome::Unknown { .. } => return Ok(None),
        };
        let used = assumed.iter().filter(|&&(_, literal)| session.rests_on(literal));
        let core: BTreeSet<VarId> = used.map(|&(switch, _)| switch).collect();
        self.core_of_weaker = Some(core);
        Ok(Some(Found::Nothing { bound, complete }))
    }
}

/// Makes each hard operator an uninterpreted function. `false` if there is none.
fn weaken(program: &mut Program) -> bool {
    let mut weakening = Weakening::default();
    let pool = &mut program.pool;
    for proc in program.procs.values_mut() {
        for block in proc.blocks.values_mut() {
            for stmt in &mut block.stmts {
                match &mut stmt.kind {
                    StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => {
                        *condition = weakening.apply(pool, *condition);
                    }
                    StmtKind::Assign(assignments) => {
                        for (_, value) in assignments {
                            *value = weakening.apply(pool, *value);
                        }
                    }
                    StmtKind::Call(call) => {
                        for value in &mut call.ins {
                            *value = weakening.apply(pool, *value);
                        }
                    }
                    StmtKind::Havoc(_) | StmtKind::Enter(_) => {}
                }
            }
        }
    }
    !weakening.functions.is_empty()
}

#[derive(Default)]
struct Weakening {
    done: FxHashMap<TermId, TermId>,
    functions: FxHashMap<(Op, Vec<SortId>), FunId>,
}

impl Weakening {
    fn apply(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let op = pool.op(term);
            if pool.is_closed(term) || matches!(op, Op::Var(_) | Op::Quantifier(_)) {
                self.done.insert(term, term);
                continue;
            }
            if !expanded {
                stack.push((term, true));
                stack.extend(pool.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let old: Vec<TermId> = pool.args(term).to_vec();
            let new: Vec<TermId> = old.iter().map(|arg| self.done[arg]).collect();
            let result = if is_hard(pool, term) {
                self.unknown(pool, term, &new)
            } else if new == old {
                term
            } else {
                pool.rebuild(op, &new, pool.sort_of(term))
            };
            self.done.insert(term, result);
        }
        self.done[&root]
    }

    /// The function in place of the operator, within the range that the operator's values are known to have.
    fn unknown(&mut self, pool: &mut TermPool, term: TermId, args: &[TermId]) -> TermId {
        let op = pool.op(term);
        let sorts: Vec<SortId> = args.iter().map(|&arg| pool.sort_of(arg)).collect();
        let result = pool.sort_of(term);
        let function = *self
            .functions
            .entry((op, sorts))
            .or_insert_with_key(|(_, sorts)| pool.declare_function("weaker", sorts.clone(), result));
        let value = pool.apply(function, args);
        let end = match op {
            Op::Mod => pool
                .as_int(args[1])
                .filter(|&modulus| *modulus > BigInt::ZERO)
                .cloned(),
            Op::Bv2(BvOp::ToNat) => match pool.sort(pool.sort_of(args[0])) {
                Sort::Bv(width) => Some(BigInt::from(1) << *width),
                _ => None,
            },
            _ => None,
        };
        let Some(end) = end else { return value };
        let bool_sort = pool.bool_sort();
        let (zero, end) = (pool.int(0), pool.int(end));
        let from = pool.rebuild(Op::Le, &[zero, value], bool_sort);
        let below = pool.rebuild(Op::Lt, &[value, end], bool_sort);
        let is_within = pool.and(&[from, below]);
        pool.ite(is_within, value, zero)
    }
}

fn is_hard(pool: &TermPool, term: TermId) -> bool {
    match pool.op(term) {
        Op::IntDiv | Op::Mod | Op::RealDiv | Op::Pow | Op::Theory(_) => true,
        Op::Mul => pool.args(term).iter().all(|&arg| !pool.is_value(arg)),
        Op::Bv2(op) => matches!(
            op,
            BvOp::FromInt(_)
                | BvOp::ToNat
                | BvOp::ToInt
                | BvOp::Mul
                | BvOp::Udiv
                | BvOp::Urem
                | BvOp::Sdiv
                | BvOp::Srem
                | BvOp::Smod
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_operators_become_functions_within_their_range() {
        let mut program = Program::new();
        let pool = &mut program.pool;
        let int = pool.int_sort();
        let (x, y) = (pool.declare_var("x", int), pool.declare_var("y", int));
        let (x, y) = (pool.var(x), pool.var(y));
        let two = pool.int(2);
        let mut weakening = Weakening::default();
        let linear = pool.rebuild(Op::Add, &[x, two], int);
        assert_eq!(weakening.apply(pool, linear), linear);
        assert!(weakening.functions.is_empty());
        for op in [Op::Mul, Op::IntDiv] {
            let hard = pool.rebuild(op, &[x, y], int);
            let weak = weakening.apply(pool, hard);
            assert!(matches!(pool.op(weak), Op::Apply(_)));
            assert_eq!(pool.args(weak), [x, y]);
        }
        let remainder = pool.rebuild(Op::Mod, &[x, two], int);
        let weak = weakening.apply(pool, remainder);
        assert_eq!(pool.op(weak), Op::Ite, "it is 0 or 1");
        assert_eq!(weakening.functions.len(), 3);
    }
}
