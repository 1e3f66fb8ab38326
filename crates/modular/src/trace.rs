//! What an execution is told by: the blocks that it passes, and the values that the program wants printed.
//!
//! Each block gets a mark, and `assume {:print "x = ", x} c` is preceded by `havoc p; assume p == x`:
//! both come back as steps of the path, the second with the value as a term.

use std::sync::Arc;

use lariat_base::Span;
use lariat_interp::value_text;
use lariat_ir::{AssertKind, BlockId, Origin, ProcId, Program, Stmt, StmtId, StmtKind};
use lariat_lower::{ModularInfo, PrintPart};
use lariat_term::{TermId, TermPool, Value, VarId};
use lariat_vc::{PassiveBlockId, PassiveStep, ProcVc};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the steps of a path mean.
#[derive(Debug, Default)]
pub struct Marks {
    blocks: FxHashMap<BlockId, (Span, Arc<str>)>,
    prints: FxHashMap<StmtId, Vec<Printed>>,
    /// Statements that stand for any number of rounds of a loop.
    pub forgetting: Vec<StmtId>,
    /// Procedures with bodies, if their contracts stand for them here.
    pub implemented: Arc<FxHashSet<Arc<str>>>,
}

#[derive(Clone, Debug)]
enum Printed {
    Text(Arc<str>),
    Var(VarId),
}

/// A part of a line to print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinePart {
    Text(Arc<str>),
    Term(TermId),
}

/// Marks the blocks of a procedure and what its statements print.
pub fn mark(program: &mut Program, proc: ProcId, info: &ModularInfo) -> Marks {
    let mut marks = Marks::default();
    let mut nameless = 0;
    for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
        let data = &program.procs[proc].blocks[block];
        let mut start = data.stmts.iter().filter(|stmt| stmt.origin == Origin::Source);
        let span = match data.stmts.first() {
            Some(first) if checks_invariant(program, first) => None,
            _ => start.find_map(|stmt| stmt.span),
        };
        let label = data.label.clone();
        let stmts = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
        let mut marked = Vec::with_capacity(stmts.len() + 1);
        if let Some(span) = span {
            let label = label.unwrap_or_else(|| {
                nameless += 1;
                format!("anon{}", nameless - 1).into()
            });
            marks.blocks.insert(block, (span, label));
        }
        marked.push(program.stmt(StmtKind::Enter(block), span, Origin::Internal));
        for stmt in stmts {
            let print = info.notes.get(&stmt.id).map_or(&[][..], |note| &note.print);
            if !print.is_empty() {
                prepare_print(program, proc, &stmt, print, &mut marks, &mut marked);
            }
            marked.push(stmt);
        }
        program.procs[proc].blocks[block].stmts = marked;
    }
    marks
}

/// Whether all variables of a term are known in the procedure.
fn is_known(program: &Program, proc: ProcId, term: TermId) -> bool {
    let mut vars = program.pool.free_vars(&[term]).into_iter();
    vars.all(|var| {
        program.globals.contains(&var)
            || program.constants.contains(&var)
            || program.procs[proc].vars().any(|own| own == var)
    })
}

/// Whether a block that starts so only checks the invariant of a loop: it is no block of the text.
fn checks_invariant(program: &Program, first: &Stmt) -> bool {
    let StmtKind::Assert { assert, .. } = first.kind else {
        return false;
    };
    matches!(
        program.asserts[assert].kind,
        AssertKind::LoopInvariant | AssertKind::LoopInvariantOnEntry
    )
}

fn prepare_print(
    program: &mut Program,
    proc: ProcId,
    stmt: &Stmt,
    parts: &[PrintPart],
    marks: &mut Marks,
    marked: &mut Vec<Stmt>,
) {
    let mut printed = Vec::new();
    let mut equalities = Vec::new();
    for part in parts {
        printed.push(match part {
            PrintPart::Text(text) => Printed::Text(text.clone()),
            // In a copy of an inlined body the term is about the variables of the original.
            &PrintPart::Term(term) if !is_known(program, proc, term) => Printed::Text("?".into()),
            &PrintPart::Term(term) => {
                let sort = program.pool.sort_of(term);
                let var = program.pool.declare_var("printed", sort);
                program.procs[proc].locals.push(var);
                let value = program.pool.var(var);
                equalities.push((var, program.pool.eq(value, term)));
                Printed::Var(var)
            }
        });
    }
    let vars = equalities.iter().map(|&(var, _)| var).collect();
    let havoc = program.stmt(StmtKind::Havoc(vars), stmt.span, Origin::Internal);
    marks.prints.insert(havoc.id, printed);
    marked.push(havoc);
    for (_, equality) in equalities {
        marked.push(program.stmt(StmtKind::Assume(equality), stmt.span, Origin::Internal));
    }
}

impl Marks {
    /// The blocks of a path with their labels.
    pub fn trace(&self, vc: &ProcVc, path: &[PassiveBlockId]) -> Vec<(Span, Arc<str>)> {
        let steps = path.iter().flat_map(|&block| &vc.blocks[block].steps);
        let entered = steps.filter_map(|step| match step {
            PassiveStep::Enter(block) => self.blocks.get(block).cloned(),
            _ => None,
        });
        entered.collect()
    }

    /// What the statements of a path print.
    pub fn lines(&self, vc: &ProcVc, path: &[PassiveBlockId]) -> Vec<Vec<LinePart>> {
        let steps = path.iter().flat_map(|&block| &vc.blocks[block].steps);
        let mut lines = Vec::new();
        for step in steps {
            let PassiveStep::Havoc { stmt, values } = step else {
                continue;
            };
            let Some(printed) = self.prints.get(stmt) else {
                continue;
            };
            let parts = printed.iter().filter_map(|part| match part {
                Printed::Text(text) => Some(LinePart::Text(text.clone())),
                Printed::Var(var) => {
                    let (_, value) = values.iter().find(|(other, _)| other == var)?;
                    Some(LinePart::Term(*value))
                }
            });
            lines.push(parts.collect());
        }
        lines
    }
}

/// A value as Boogie writes it; what has no literal is shown as in traces.
pub fn literal(pool: &TermPool, value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Real(value) if value.is_integer() => format!("{}.0", value.to_integer()),
        Value::Real(value) => value.to_string(),
        Value::Bv { value, width } => format!("{value}bv{width}"),
        Value::String(text) => text.to_string(),
        Value::Element { index, .. } => format!("element {index}"),
        Value::Float { .. } | Value::RoundingMode(_) | Value::Map(_) | Value::Datatype { .. } => {
            value_text(pool, value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_literals_of_boogie() {
        let pool = TermPool::new();
        assert_eq!(literal(&pool, &Value::Int((-7).into())), "-7");
        assert_eq!(literal(&pool, &Value::Bool(true)), "true");
        let bits = Value::Bv {
            value: 7.into(),
            width: 32,
        };
        assert_eq!(literal(&pool, &bits), "7bv32");
    }
}
