//! From a body to the condition that one of its assertions fails.
//!
//! ```text
//! assert c; rest   ↦   goto L, R;   L: assume !c; return     R: assume c; rest
//! ```
//!
//! What returned before stops. So the procedure returns iff an assertion fails, and the block where it returns says
//! which. Assertions that Boogie puts into one place, the exit of a procedure, form a group: one of them is reported.

use std::collections::BTreeSet;

use cranelift_entity::{EntitySet, PrimaryMap};
use lariat_base::Span;
use lariat_ir::{
    AssertId, AssertKind, Block, BlockId, Interface, Origin, ProcId, Program, Stmt, StmtKind, Terminator,
};
use lariat_lower::{ModularInfo, StmtNote};
use lariat_term::{Op, TermId, VarId};
use lariat_vc::{PassiveBlockId, ProcVc, generate_vc, passify};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::reveal::{Revealed, at_starts};
use crate::trace::Marks;

/// An assertion at one place of a body.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub assert: AssertId,
    /// Over the variables of the body.
    pub condition: TermId,
    /// Assertions of one group are reported once.
    pub group: usize,
    /// Assertions of one part are asked about together.
    pub part: usize,
    /// Whose hideable axioms it may use.
    pub revealed: Revealed,
}

/// The condition of a body.
#[derive(Debug)]
pub struct Condition {
    pub vc: ProcVc,
    pub leaves: FxHashMap<PassiveBlockId, Leaf>,
    pub marks: Marks,
}

impl Condition {
    /// All parts.
    pub fn parts(&self) -> BTreeSet<usize> {
        self.leaves.values().map(|leaf| leaf.part).collect()
    }

    /// Whether some assertion may not use all axioms.
    pub fn hides(&self) -> bool {
        let everything = Revealed::default();
        self.leaves.values().any(|leaf| leaf.revealed != everything)
    }

    /// Whose hideable axioms the assertions of a part may use.
    pub fn revealed_in(&self, part: usize) -> Revealed {
        let leaves = self.leaves.values().filter(|leaf| leaf.part == part);
        leaves.fold(Revealed::nothing(), |revealed, leaf| revealed.or(&leaf.revealed))
    }
}

/// What of the assertions is checked.
#[derive(Clone, Copy, Debug)]
pub struct Checking {
    /// As Boogie's flag: 0 never, 1 not for quantifiers, 2 always.
    pub subsumption: u32,
    /// Only what comes after `assume {:start_checking_here}`.
    pub selective: bool,
    /// Every assertion is asked about alone.
    pub split_everywhere: bool,
}

/// The condition of a procedure without calls and loops whose blocks are marked; they are changed. `None` if it has
/// nothing to check.
pub fn condition(
    program: &mut Program,
    proc: ProcId,
    info: &ModularInfo,
    checking: Checking,
    interfaces: &PrimaryMap<ProcId, Interface>,
    constants: &FxHashSet<VarId>,
    marks: Marks,
) -> Option<Condition> {
    let leaves = split_at_assertions(program, proc, info, checking);
    if leaves.is_empty() {
        return None;
    }
    let passive = passify(program, proc, interfaces, None, &EntitySet::new());
    let vc = generate_vc(&mut program.pool, passive, constants);
    let leaves: FxHashMap<PassiveBlockId, Leaf> = vc
        .blocks
        .iter()
        .filter_map(|(block, data)| Some((block, leaves.get(&data.source)?.clone())))
        .collect();
    (!leaves.is_empty()).then_some(Condition { vc, leaves, marks })
}

fn split_at_assertions(
    program: &mut Program,
    proc: ProcId,
    info: &ModularInfo,
    checking: Checking,
) -> FxHashMap<BlockId, Leaf> {
    let unchecked = if checking.selective {
        before_start(program, proc, info)
    } else {
        FxHashSet::default()
    };
    let mut leaves = FxHashMap::default();
    let mut groups: FxHashMap<Span, usize> = FxHashMap::default();
    let mut group_count = 0;
    let mut parts = Parts::default();
    let mut revealed = at_starts(program, proc, info);
    let blocks: Vec<BlockId> = program.procs[proc].blocks.keys().collect();
    for block in blocks {
        let stmts = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
        let stop = Terminator::Goto(Default::default());
        let last = std::mem::replace(&mut program.procs[proc].blocks[block].terminator, stop.clone());
        let mut current = block;
        let mut started = false;
        let mut scopes = revealed.remove(&block).unwrap_or_default();
        for stmt in stmts {
            scopes.execute(&stmt, info);
            let note = info.notes.get(&stmt.id);
            started |= note.is_some_and(|note| note.start_checking_here);
            if note.is_some_and(|note| note.split_here || note.focus) {
                parts.start();
            }
            let StmtKind::Assert { condition, assert } = stmt.kind else {
                program.procs[proc].blocks[current].stmts.push(stmt);
                continue;
            };
            let holds = Stmt {
                kind: StmtKind::Assume(condition),
                ..stmt.clone()
            };
            if program.pool.as_bool(condition) == Some(true) {
                continue;
            }
            if !started && unchecked.contains(&block) {
                program.procs[proc].blocks[current].stmts.push(holds);
                continue;
            }
            let ensured = match program.asserts[assert].kind {
                AssertKind::Ensures(_) => program.asserts[assert].condition_span,
                _ => None,
            };
            group_count += 1;
            let group = match ensured {
                Some(clause) => *groups.entry(clause).or_insert(group_count),
                None => group_count,
            };
            let alone = checking.split_everywhere || note.is_some_and(|note| note.isolate);
            // A postcondition is reported once for all returns, so it is asked about once.
            let part = parts.part_of(if ensured.is_some() { None } else { Some(alone) });
            let negation = program.pool.not(condition);
            let mut leaf = Block::new(Terminator::Return);
            leaf.stmts
                .push(program.stmt(StmtKind::Assume(negation), stmt.span, Origin::Internal));
            let leaf = program.procs[proc].blocks.push(leaf);
            leaves.insert(
                leaf,
                Leaf {
                    assert,
                    condition,
                    group,
                    part,
                    revealed: scopes.now().clone(),
                },
            );
            let mut rest = Block::new(stop.clone());
            if is_subsumed(program, condition, note, checking) {
                rest.stmts.push(holds);
            }
            let rest = program.procs[proc].blocks.push(rest);
            program.procs[proc].blocks[current].terminator =
                Terminator::Goto([leaf, rest].into_iter().collect());
            current = rest;
        }
        program.procs[proc].blocks[current].terminator = match last {
            Terminator::Return => stop,
            goto => goto,
        };
    }
    let proc = &mut program.procs[proc];
    let outs = std::mem::take(&mut proc.outs);
    proc.locals.extend(outs);
    leaves
}

/// Which assertions are asked about together. What was asserted before is assumed in any case, so every division is
/// right; Boogie's attributes choose one.
#[derive(Default)]
struct Parts {
    current: usize,
    count: usize,
}

impl Parts {
    /// What follows is a part of its own.
    fn start(&mut self) {
        self.count += 1;
        self.current = self.count;
    }

    /// The part of an assertion that is to be alone or not; `None`: the first part.
    fn part_of(&mut self, alone: Option<bool>) -> usize {
        match alone {
            None => 0,
            Some(false) => self.current,
            Some(true) => {
                self.count += 1;
                self.count
            }
        }
    }
}

/// Whether what was asserted is assumed afterwards.
fn is_subsumed(program: &Program, condition: TermId, note: Option<&StmtNote>, checking: Checking) -> bool {
    if note.is_some_and(|note| note.no_subsumption) {
        return false;
    }
    match checking.subsumption {
        0 => false,
        1 => !matches!(program.pool.op(condition), Op::Quantifier(_)),
        _ => true,
    }
}

/// The blocks that no execution reaches after a start of checking.
fn before_start(program: &Program, proc: ProcId, info: &ModularInfo) -> FxHashSet<BlockId> {
    let blocks = &program.procs[proc].blocks;
    let is_start = |stmt: &Stmt| {
        info.notes
            .get(&stmt.id)
            .is_some_and(|note| note.start_checking_here)
    };
    let mut stack: Vec<BlockId> = blocks
        .values()
        .filter(|block| block.stmts.iter().any(is_start))
        .flat_map(|block| block.successors().to_vec())
        .collect();
    let mut after = FxHashSet::default();
    while let Some(block) = stack.pop() {
        if after.insert(block) {
            stack.extend_from_slice(blocks[block].successors());
        }
    }
    blocks.keys().filter(|block| !after.contains(block)).collect()
}
