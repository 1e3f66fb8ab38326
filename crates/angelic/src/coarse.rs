//! Hard operators as functions of which nothing is known: products of unknowns, numbers as bit patterns, arithmetic of floats.
//!
//! Most null checks and states of monitors depend on none of them, and a proof that nothing else fails must get past all that a checksum
//! or a rounding does. The coarse program has every execution of the exact one and perhaps more: so what cannot fail in it cannot fail.
//!
//! Invariants:
//! - a failing execution of the coarse program counts only if the replay, which knows nothing of it, confirms it; one that it doubts
//!   leaves the entry incomplete, and it is analysed again with the exact program;
//! - a warning is never given on the word of the coarse program: with one the entry is analysed again, too;
//! - the same operator with the same arguments has the same value.
//!
//! What it can lose: whether a specification leaves possible what the code expects is asked of the coarse program alone, so one may be accepted
//! for an execution that only the coarse program has. That can hide an `inconsistent` warning; it never makes one.

use cranelift_entity::EntitySet;
use lariat_ir::{ProcId, Program, Stmt};
use lariat_term::{BvOp, FunId, Op, Rewriting, SortId, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The procedures with a hard operator.
pub fn hard_procedures(program: &Program) -> EntitySet<ProcId> {
    let mut easy: FxHashSet<TermId> = FxHashSet::default();
    let mut is_hard_term = |root: TermId| {
        let mut seen = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if program.pool.is_closed(term) || !easy.insert(term) {
                continue;
            }
            seen.push(term);
            if is_hard(&program.pool, term) {
                // What has it as a part is as hard.
                for term in seen {
                    easy.remove(&term);
                }
                return true;
            }
            stack.extend(program.pool.args(term));
        }
        false
    };
    let mut hard = EntitySet::new();
    for (id, proc) in &program.procs {
        let mut stmts = proc.blocks.values().flat_map(|block| &block.stmts);
        if stmts.any(|stmt| stmt.terms().into_iter().any(&mut is_hard_term)) {
            hard.insert(id);
        }
    }
    hard
}

/// Makes a program coarse.
pub fn coarsen(program: &mut Program) {
    let mut rewriting = Rewriting::default();
    let mut unknown = Unknown::default();
    let Program { pool, procs, .. } = program;
    for block in procs.values_mut().flat_map(|proc| proc.blocks.values_mut()) {
        for term in block.stmts.iter_mut().flat_map(Stmt::terms_mut) {
            *term = rewriting.remake(pool, *term, |pool, term, args| {
                is_hard(pool, term).then(|| unknown.of(pool, term, args))
            });
        }
    }
}

/// The function for an operator on arguments of these sorts.
#[derive(Default)]
struct Unknown {
    functions: FxHashMap<(Op, SmallVec<[SortId; 4]>, SortId), FunId>,
}

impl Unknown {
    fn of(&mut self, pool: &mut TermPool, term: TermId, args: &[TermId]) -> TermId {
        let sorts: SmallVec<[SortId; 4]> = args.iter().map(|&arg| pool.sort_of(arg)).collect();
        let result = pool.sort_of(term);
        let function = *self
            .functions
            .entry((pool.op(term), sorts.clone(), result))
            .or_insert_with(|| pool.declare_function("coarse", sorts.to_vec(), result));
        pool.apply(function, args)
    }
}

fn is_hard(pool: &TermPool, term: TermId) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::Pow => true,
        Op::Mul => args.iter().all(|&arg| !pool.is_value(arg)),
        Op::IntDiv | Op::Mod | Op::RealDiv => args.iter().skip(1).any(|&arg| !pool.is_value(arg)),
        Op::Bv2(BvOp::FromInt(_) | BvOp::ToNat | BvOp::ToInt) => true,
        Op::Theory(id) => is_rounded(&pool.theory_op(id).name, args.len()),
        _ => false,
    }
}

/// Whether an operator on floats computes; comparisons, signs and bit patterns are easy.
fn is_rounded(name: &str, args: usize) -> bool {
    const COMPUTED: [&str; 8] = [
        "fp.add",
        "fp.sub",
        "fp.mul",
        "fp.div",
        "fp.rem",
        "fp.sqrt",
        "fp.fma",
        "fp.roundToIntegral",
    ];
    // With a rounding mode; without one it is a bit pattern.
    let is_conversion = args > 1 && (name.contains("to_fp") || name.contains("fp.to_"));
    COMPUTED.contains(&name) || is_conversion
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_ir::StmtKind;
    use lariat_testkit::boogie;

    #[test]
    fn a_product_of_unknowns_is_a_function_of_them() {
        let mut program = boogie::program(
            "procedure main(x: int, y: int) { var a: int; var b: int; a := x * y + 2 * x; b := x * y; assert a == b; }",
        );
        assert!(!hard_procedures(&program).is_empty());
        coarsen(&mut program);
        let stmts = program
            .procs
            .values()
            .flat_map(|proc| proc.blocks.values())
            .flat_map(|block| &block.stmts);
        let assigned = stmts.filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign(assignments) => Some(program.pool.term_text(assignments[0].1)),
            _ => None,
        });
        let texts: Vec<String> = assigned.collect();
        assert!(texts.contains(&"(coarse x y)".to_owned()), "{texts:?}");
        assert!(texts.iter().all(|text| !text.contains("(* x y)")), "{texts:?}");
    }

    #[test]
    fn each_procedure_with_a_hard_operator_is_found() {
        let program = boogie::program(
            "procedure p(x: int, y: int) { assert 1 + g * h < 3; } procedure q() { assert 1 + g * h < 3; } var g: int; var h: int;",
        );
        let hard = hard_procedures(&program);
        let names = program.procs.iter().filter(|(id, _)| hard.contains(*id));
        let names: Vec<&str> = names.map(|(_, proc)| &*proc.name).collect();
        assert_eq!(names, ["p", "q"]);
    }

    #[test]
    fn what_is_easy_stays() {
        let program = boogie::program("procedure main(x: int) { assert x * 3 < x mod 8; }");
        assert!(hard_procedures(&program).is_empty());
    }
}
