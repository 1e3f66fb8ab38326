//! Procedures to code: everything that the entry reaches, once.

use lariat_ir::{AssertKind, BlockId, Proc, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Op, SortId, TermId, VarId};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::code::{Action, CallAction, Code, Place, ProcCode, Target, Update};
use super::terms::{Places, TermCompiler};
use crate::replay::Goal;

/// Numbers of the program that choices are made from.
const MAX_LITERALS: usize = 256;

#[derive(Debug)]
pub(super) struct Compiled {
    /// The entry comes first.
    pub procs: Vec<ProcCode>,
    /// Globals and constants by slot.
    pub shared: Vec<(VarId, SortId)>,
    /// Whole numbers that occur in the program, without repetition.
    pub literals: Vec<i128>,
}

impl Compiled {
    pub fn new(program: &Program, entry: ProcId, goal: &Goal) -> Self {
        let pool = &program.pool;
        let shared: Vec<(VarId, SortId)> = program
            .globals
            .iter()
            .chain(&program.constants)
            .map(|&var| (var, pool.var_sort(var)))
            .collect();
        let shared_places: Places = (0..)
            .zip(&shared)
            .map(|(slot, &(var, _))| (var, Place::Shared(slot)))
            .collect();
        let mut numbers = FxHashMap::from_iter([(entry, 0)]);
        let mut order = vec![entry];
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            for stmt in program.procs[id].blocks.values().flat_map(|block| &block.stmts) {
                if let StmtKind::Call(call) = &stmt.kind {
                    numbers.entry(call.callee).or_insert_with(|| {
                        order.push(call.callee);
                        order.len() - 1
                    });
                }
            }
        }
        let procs = order
            .iter()
            .map(|&id| {
                ProcCompiler::new(program, &program.procs[id], goal, &numbers, &shared_places).compile()
            })
            .collect();
        Compiled {
            procs,
            shared,
            literals: literals(program, &order),
        }
    }
}

fn literals(program: &Program, procs: &[ProcId]) -> Vec<i128> {
    let roots: Vec<TermId> = procs
        .iter()
        .flat_map(|&id| program.procs[id].blocks.values())
        .flat_map(|block| &block.stmts)
        .flat_map(Stmt::terms)
        .collect();
    let mut literals = Vec::new();
    program.pool.visit_subterms(&roots, |term| {
        if let Op::Int(number) | Op::Bv(number) = program.pool.op(term)
            && literals.len() < MAX_LITERALS
        {
            literals.extend(program.pool.number(number).to_integer().to_i128());
        }
    });
    literals.sort_unstable();
    literals.dedup();
    literals
}

struct ProcCompiler<'a> {
    program: &'a Program,
    proc: &'a Proc,
    goal: &'a Goal,
    numbers: &'a FxHashMap<ProcId, usize>,
    places: Places,
    slots: Vec<(VarId, SortId)>,
}

impl<'a> ProcCompiler<'a> {
    fn new(
        program: &'a Program,
        proc: &'a Proc,
        goal: &'a Goal,
        numbers: &'a FxHashMap<ProcId, usize>,
        shared: &Places,
    ) -> Self {
        let mut places = shared.clone();
        let slots: Vec<(VarId, SortId)> = proc.vars().map(|var| (var, program.pool.var_sort(var))).collect();
        places.extend(
            (0..)
                .zip(&slots)
                .map(|(slot, &(var, _))| (var, Place::Local(slot))),
        );
        ProcCompiler {
            program,
            proc,
            goal,
            numbers,
            places,
            slots,
        }
    }

    fn compile(self) -> ProcCode {
        let blocks = self.proc.reverse_postorder();
        let mut actions = Vec::new();
        let mut starts: FxHashMap<BlockId, usize> = FxHashMap::default();
        for &id in &blocks {
            starts.insert(id, actions.len());
            let block = &self.proc.blocks[id];
            actions.extend(block.stmts.iter().filter_map(|stmt| self.statement(stmt)));
            // The places of the targets are not known yet.
            let target = |&block: &BlockId| Target { block, start: 0 };
            actions.push(match &block.terminator {
                Terminator::Return => Action::Return,
                Terminator::Goto(targets) => match targets.as_slice() {
                    [] => Action::Stop,
                    [only] => Action::Jump(target(only)),
                    several => Action::Branch(several.iter().map(target).collect()),
                },
            });
        }
        for action in &mut actions {
            match action {
                Action::Jump(target) => target.start = starts[&target.block],
                Action::Branch(targets) => {
                    for target in targets {
                        target.start = starts[&target.block];
                    }
                }
                _ => {}
            }
        }
        ProcCode {
            actions,
            start: starts[&self.proc.entry],
            slots: self.slots,
            params: self.proc.params.len(),
            outs: self.proc.outs.len(),
        }
    }

    fn terms(&self) -> TermCompiler<'_> {
        TermCompiler {
            pool: &self.program.pool,
            places: &self.places,
        }
    }

    fn code(&self, term: TermId) -> Code {
        self.terms().code(term)
    }

    /// `None` for what has no effect on this goal.
    fn statement(&self, stmt: &Stmt) -> Option<Action> {
        let is_goal = |assert| match self.goal {
            Goal::AnyAssert => true,
            Goal::Asserts(goals) => goals.contains(assert),
        };
        Some(match &stmt.kind {
            StmtKind::Enter(_) => return None,
            StmtKind::Assume(condition) => Action::Assume(self.terms().condition(*condition)),
            StmtKind::Assert { condition, assert } => {
                let kind = &self.program.asserts[*assert].kind;
                let is_supported = !matches!(kind, AssertKind::Unsupported(_));
                if is_supported && !is_goal(assert) {
                    return None;
                }
                Action::Assert {
                    condition: self.terms().condition(*condition),
                    assert: *assert,
                    is_supported,
                }
            }
            StmtKind::Assign(assignments) => {
                let mut updates: Vec<(Place, Update)> = assignments
                    .iter()
                    .map(|&(var, term)| (self.places[&var], self.update(var, term)))
                    .collect();
                match (updates.pop(), updates.is_empty()) {
                    (Some((place, Update::Whole(code))), true) => Action::Set(place, code),
                    (last, _) => {
                        updates.extend(last);
                        Action::Assign(updates.into())
                    }
                }
            }
            StmtKind::Havoc(vars) => Action::Havoc {
                stmt: stmt.id,
                targets: vars
                    .iter()
                    .map(|&var| (self.places[&var], var, self.program.pool.var_sort(var)))
                    .collect(),
            },
            StmtKind::Call(call) => Action::Call(Box::new(CallAction {
                stmt: stmt.id,
                callee: self.numbers[&call.callee],
                ins: call.ins.iter().map(|&term| self.code(term)).collect(),
                outs: call.outs.iter().map(|var| self.places[var]).collect(),
            })),
        })
    }

    /// `m := m[i := v]…` writes in place.
    fn update(&self, target: VarId, term: TermId) -> Update {
        let pool = &self.program.pool;
        let mut base = term;
        let mut written = Vec::new();
        while pool.op(base) == Op::Store {
            let args = pool.args(base);
            let indices: Box<[Code]> = args[1..args.len() - 1]
                .iter()
                .map(|&index| self.code(index))
                .collect();
            written.push((indices, self.code(args[args.len() - 1])));
            base = args[0];
        }
        if written.is_empty() || pool.as_var(base) != Some(target) {
            return Update::Whole(self.code(term));
        }
        written.reverse();
        Update::Elements(written.into())
    }
}
