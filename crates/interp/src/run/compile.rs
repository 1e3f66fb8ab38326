//! Procedures to code: everything that the entry reaches, once.

use cranelift_entity::SecondaryMap;
use lariat_ir::{
    AssertId, AssertKind, BlockId, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Terminator, ThreadPrimitive,
};
use lariat_passes::{PostDominators, switch_points};
use lariat_term::{Op, SortId, TermId, TermPool, VarId};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::code::{
    BranchCode, CallCode, HavocCode, Instruction, PrimitiveCode, ProcCode, Reg, SwitchCode, TableIndex,
    Target, UnitPurpose,
};
use super::conditions::Conjunct;
use super::terms::{Literals, Places, TermCompiler};
use super::threads::slot_of;
use super::value::Val;
use crate::replay::ReplayGoal;

/// Numbers of the program that choices are made from.
const MAX_LITERALS: usize = 256;

#[derive(Debug)]
pub(super) struct Compiled {
    /// The entry comes first.
    pub procs: Vec<ProcCode>,
    /// Globals and constants by slot.
    pub shared: Vec<(VarId, SortId)>,
    /// The literals in the registers behind them.
    pub literals: Vec<Val>,
    /// Whole numbers that occur in the program, without repetition.
    pub numbers: Vec<i128>,
    /// Assertions of kind `Unsupported`.
    pub unsupported: SecondaryMap<AssertId, bool>,
    /// The slots of globals of which each thread has its own.
    pub own: Vec<usize>,
    pub with_threads: bool,
}

impl Compiled {
    /// With threads, calls that start them do so; otherwise these are calls.
    pub fn new(program: &Program, entry: ProcId, goal: &ReplayGoal, with_threads: bool) -> Self {
        let pool = &program.pool;
        let shared: Vec<(VarId, SortId)> = program
            .globals
            .iter()
            .chain(&program.constants)
            .map(|&var| (var, pool.var_sort(var)))
            .collect();
        let shared_places: Places = shared
            .iter()
            .enumerate()
            .map(|(slot, &(var, _))| (var, Reg::shared(slot)))
            .collect();
        let mut procs_by_id = FxHashMap::from_iter([(entry, 0)]);
        let mut order = vec![entry];
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            for stmt in program.procs[id].blocks.values().flat_map(|block| &block.stmts) {
                if let StmtKind::Call(call) = &stmt.kind {
                    procs_by_id.entry(call.callee).or_insert_with(|| {
                        order.push(call.callee);
                        order.len() - 1
                    });
                }
            }
        }
        let mut literals = Literals::new(shared.len());
        let points = with_threads.then(|| switch_points(program, entry));
        let own = program.threads.locals.iter();
        let own = own.filter_map(|var| slot_of(*shared_places.get(var)?)).collect();
        let procs = order
            .iter()
            .map(|&id| {
                let mut compiler =
                    ProcCompiler::new(program, id, goal, &procs_by_id, &shared_places, &mut literals);
                compiler.points = points.as_ref();
                compiler.compile()
            })
            .collect();
        let mut unsupported = SecondaryMap::new();
        for (id, info) in &program.asserts {
            unsupported[id] = matches!(info.kind, AssertKind::Unsupported(_));
        }
        Compiled {
            procs,
            shared,
            literals: literals.values,
            numbers: numbers(program, &order),
            unsupported,
            own,
            with_threads,
        }
    }
}

fn numbers(program: &Program, procs: &[ProcId]) -> Vec<i128> {
    let roots: Vec<TermId> = procs
        .iter()
        .flat_map(|&id| program.procs[id].blocks.values())
        .flat_map(|block| &block.stmts)
        .flat_map(Stmt::terms)
        .collect();
    let mut numbers = Vec::new();
    program.pool.visit_subterms(&roots, |term| {
        if let Op::Int(number) | Op::Bv(number) = program.pool.op(term)
            && numbers.len() < MAX_LITERALS
        {
            numbers.extend(program.pool.number(number).to_integer().to_i128());
        }
    });
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

struct ProcCompiler<'a> {
    program: &'a Program,
    proc: &'a Proc,
    /// Whether it starts a thread.
    is_spawn: bool,
    goal: &'a ReplayGoal,
    procs: &'a FxHashMap<ProcId, usize>,
    /// Statements before which a thread may give way, if threads are executed.
    points: Option<&'a FxHashSet<StmtId>>,
    slots: Vec<(VarId, SortId)>,
    terms: TermCompiler<'a>,
    /// The first instruction of each block, the one behind its first statement if that is an assumption,
    /// and the one behind all assumptions that it starts with.
    starts: FxHashMap<BlockId, (u32, u32, u32)>,
}

impl<'a> ProcCompiler<'a> {
    fn new(
        program: &'a Program,
        id: ProcId,
        goal: &'a ReplayGoal,
        procs: &'a FxHashMap<ProcId, usize>,
        shared: &Places,
        literals: &'a mut Literals,
    ) -> Self {
        let proc = &program.procs[id];
        let mut places = shared.clone();
        let slots: Vec<(VarId, SortId)> = proc.vars().map(|var| (var, program.pool.var_sort(var))).collect();
        places.extend(
            slots
                .iter()
                .enumerate()
                .map(|(slot, &(var, _))| (var, Reg::local(slot))),
        );
        let terms = TermCompiler::new(&program.pool, places, slots.len(), literals);
        ProcCompiler {
            program,
            proc,
            is_spawn: program.threads.primitives.get(&id) == Some(&ThreadPrimitive::Spawn),
            goal,
            procs,
            points: None,
            slots,
            terms,
            starts: FxHashMap::default(),
        }
    }

    fn compile(mut self) -> ProcCode {
        let blocks = self.proc.reverse_postorder();
        let has_branch = |&block: &BlockId| matches!(&self.proc.blocks[block].terminator, Terminator::Goto(targets) if targets.len() > 1);
        let post_dominators = blocks
            .iter()
            .any(has_branch)
            .then(|| PostDominators::of(self.proc));
        for &id in &blocks {
            let block = &self.proc.blocks[id];
            let start = self.terms.instructions.len() as u32;
            let (mut after, mut end) = (start, start);
            let mut only_assumptions = true;
            for (index, stmt) in block.stmts.iter().enumerate() {
                only_assumptions &= matches!(stmt.kind, StmtKind::Assume(_));
                // The first statement of a thread is for those that do not know threads.
                let is_announced =
                    self.points.is_some() && self.is_spawn && id == self.proc.entry && index == 0;
                if !is_announced {
                    if !only_assumptions && self.is_point(stmt) {
                        self.switch(SwitchCode::Before(stmt.id));
                    }
                    self.statement(stmt);
                }
                if only_assumptions {
                    end = self.terms.instructions.len() as u32;
                }
                if index == 0 {
                    after = end;
                }
            }
            self.starts.insert(id, (start, after, end));
            let steps = block.stmts.len() as u32 + 1;
            let end = match &block.terminator {
                Terminator::Return => Instruction::Return { steps },
                Terminator::Goto(targets) => match targets.as_slice() {
                    [] => Instruction::Stop { steps },
                    // The places of the targets are not known yet.
                    &[block] => Instruction::Goto {
                        block,
                        start: 0,
                        steps,
                    },
                    several => {
                        let join = post_dominators.as_ref().and_then(|known| known.immediate(id));
                        self.switch_at_branch(several);
                        self.branch(several, join, steps);
                        continue;
                    }
                },
            };
            self.terms.instructions.push(end);
        }
        self.terms.resolve_labels();
        for instruction in &mut self.terms.instructions {
            if let Instruction::Goto { block, start, .. } = instruction {
                *start = self.starts[block].0;
            }
        }
        let mut tables = std::mem::take(&mut self.terms.tables);
        for branch in &mut tables.branches {
            for target in &mut branch.targets {
                (target.start, target.after, target.end) = self.starts[&target.block];
            }
            if let Some((block, start)) = &mut branch.join {
                *start = self.starts[block].0;
            }
        }
        ProcCode {
            instructions: self.terms.instructions,
            tables,
            start: self.starts[&self.proc.entry].0 as usize,
            slots: self.slots,
            registers: self.terms.registers,
            params: self.proc.params.len(),
            outs: self.proc.outs.len(),
        }
    }

    fn is_point(&self, stmt: &Stmt) -> bool {
        self.points.is_some_and(|points| points.contains(&stmt.id))
    }

    fn switch(&mut self, switch: SwitchCode) {
        self.terms.tables.switches.push(switch);
        let index = self.terms.tables.switches.len() as TableIndex - 1;
        self.terms.instructions.push(Instruction::Switch(index));
    }

    /// A thread may give way before the assumptions that decide a branch.
    fn switch_at_branch(&mut self, targets: &[BlockId]) {
        let first = |&block: &BlockId| {
            let stmt = self.proc.blocks[block].stmts.first()?;
            let decides = matches!(stmt.kind, StmtKind::Assume(_)) && self.is_point(stmt);
            decides.then_some((block, stmt.id))
        };
        let first: Option<Box<[_]>> = targets.iter().map(first).collect();
        if let Some(first) = first {
            self.switch(SwitchCode::AtBranch(first));
        }
    }

    /// The condition of the assumption that a block starts with.
    fn first_assumption(&self, block: BlockId) -> Option<Vec<Conjunct>> {
        match &self.proc.blocks[block].stmts.first()?.kind {
            StmtKind::Assume(condition) => Some(self.terms.condition(*condition)),
            _ => None,
        }
    }

    fn branch(&mut self, targets: &[BlockId], join: Option<BlockId>, steps: u32) {
        let (is_complementary, guard) = match *targets {
            [first, second] => match (self.first_assumption(first), self.first_assumption(second)) {
                (Some(first), Some(second)) => match (first.as_slice(), second.as_slice()) {
                    (&[first], &[second]) if is_negation(first, second) => (true, Some(first)),
                    _ => (false, None),
                },
                _ => (false, None),
            },
            _ => (false, None),
        };
        let target = |&block: &BlockId| Target {
            block,
            start: 0,
            after: 0,
            end: 0,
        };
        self.terms.tables.branches.push(BranchCode {
            targets: targets.iter().map(target).collect(),
            is_complementary,
            join: join.map(|block| (block, 0)),
            steps,
        });
        let branch = self.terms.tables.branches.len() as TableIndex - 1;
        self.terms.start_statement();
        match guard {
            Some(Conjunct::Compare(relation, a, b)) => {
                self.terms.unit(UnitPurpose::Guard(branch), &[a, b], |terms| {
                    let register = terms.operand(a);
                    let instruction = match terms.small_literal(b) {
                        Some(number) => Instruction::BranchOnNumber {
                            relation,
                            a: register,
                            branch,
                            number,
                        },
                        None => Instruction::BranchOn {
                            relation,
                            a: register,
                            b: terms.operand(b),
                            branch,
                        },
                    };
                    terms.instructions.push(instruction);
                })
            }
            _ => self.terms.instructions.push(Instruction::Branch(branch)),
        }
    }

    /// Nothing for what has no effect on this goal.
    fn statement(&mut self, stmt: &Stmt) {
        let is_goal = |assert| match self.goal {
            ReplayGoal::AnyAssert => true,
            ReplayGoal::Asserts(goals) => goals.contains(assert),
        };
        self.terms.start_statement();
        match &stmt.kind {
            StmtKind::Enter(_) => {}
            StmtKind::Assume(condition) => self.condition(*condition, None),
            StmtKind::Assert { condition, assert } => {
                let kind = &self.program.asserts[*assert].kind;
                if matches!(kind, AssertKind::Unsupported(_)) || is_goal(assert) {
                    self.condition(*condition, Some(*assert));
                }
            }
            StmtKind::Assign(assignments) => self.assign(assignments),
            StmtKind::Havoc(vars) => {
                let targets = vars
                    .iter()
                    .map(|var| (self.terms.places[var], *var, self.program.pool.var_sort(*var)))
                    .collect();
                let havoc = HavocCode {
                    stmt: stmt.id,
                    targets,
                };
                self.terms.tables.havocs.push(havoc);
                let index = self.terms.tables.havocs.len() as TableIndex - 1;
                self.terms.instructions.push(Instruction::Havoc(index));
            }
            StmtKind::Call(call) => {
                let callee = self.procs[&call.callee];
                let outs = call.outs.iter().map(|var| self.terms.places[var]).collect();
                let terms = &mut self.terms;
                let ins = call
                    .ins
                    .iter()
                    .map(|&term| terms.separate_operand(term))
                    .collect();
                let code = CallCode {
                    stmt: stmt.id,
                    callee,
                    ins,
                    outs,
                };
                let primitive = self.program.threads.primitives.get(&call.callee);
                if let (Some(&primitive), true) = (primitive, self.points.is_some()) {
                    let callee = &self.program.procs[call.callee];
                    let announced = callee.blocks[callee.entry].stmts.first();
                    terms.tables.primitives.push(PrimitiveCode {
                        primitive,
                        call: code,
                        result: callee.outs.first().map(|&out| self.program.pool.var_sort(out)),
                        announced: announced.map(|stmt| stmt.id),
                    });
                    let index = terms.tables.primitives.len() as TableIndex - 1;
                    terms.instructions.push(Instruction::Primitive(index));
                    return;
                }
                terms.tables.calls.push(code);
                let index = terms.tables.calls.len() as TableIndex - 1;
                terms.instructions.push(Instruction::Call(index));
            }
        }
    }

    /// An assumption or an assertion, one conjunct after the other.
    fn condition(&mut self, condition: TermId, assert: Option<AssertId>) {
        for conjunct in self.terms.condition(condition) {
            let purpose = match assert {
                None => UnitPurpose::Assume,
                Some(_) => UnitPurpose::Other,
            };
            self.terms.unit(purpose, &conjunct.terms(), |terms| {
                let instruction = match (conjunct, assert) {
                    (Conjunct::Is(term, expected), None) => Instruction::AssumeIs {
                        value: terms.operand(term),
                        expected,
                    },
                    (Conjunct::Is(term, expected), Some(assert)) => Instruction::AssertIs {
                        value: terms.operand(term),
                        expected,
                        assert,
                    },
                    (Conjunct::Compare(relation, a, b), None) => {
                        let register = terms.operand(a);
                        match terms.small_literal(b) {
                            Some(number) => Instruction::AssumeNumber {
                                relation,
                                a: register,
                                number,
                            },
                            None => Instruction::Assume {
                                relation,
                                a: register,
                                b: terms.operand(b),
                            },
                        }
                    }
                    (Conjunct::Compare(relation, a, b), Some(assert)) => Instruction::Assert {
                        relation,
                        a: terms.operand(a),
                        b: terms.operand(b),
                        assert,
                    },
                };
                terms.instructions.push(instruction);
            });
        }
    }

    fn assign(&mut self, assignments: &[(VarId, TermId)]) {
        let terms = &mut self.terms;
        if let &[(var, term)] = assignments {
            let (to, sort) = (terms.places[&var], terms.pool.sort_of(term));
            match elements(terms.pool, var, term) {
                None => terms.unit(UnitPurpose::Set(to, sort), &[term], |terms| {
                    terms.compute(term, to)
                }),
                Some(elements) => self.write(to, sort, &elements),
            }
            return;
        }
        // All are read before the first is written.
        let values: Vec<Reg> = assignments
            .iter()
            .map(|&(_, term)| {
                let value = terms.temporary();
                let purpose = UnitPurpose::Set(value, terms.pool.sort_of(term));
                terms.unit(purpose, &[term], |terms| terms.compute(term, value));
                value
            })
            .collect();
        for ((var, _), from) in assignments.iter().zip(values) {
            let to = terms.places[var];
            terms.instructions.push(Instruction::Move { to, from });
        }
    }

    /// Writes elements of a map variable in place: for each its indices and its value.
    fn write(&mut self, map: Reg, sort: SortId, elements: &[&'a [TermId]]) {
        let terms = &mut self.terms;
        let lists: Vec<SmallVec<[Reg; 4]>> = elements
            .iter()
            .map(|element| element.iter().map(|&term| terms.separate_operand(term)).collect())
            .collect();
        for list in lists {
            terms.unit(UnitPurpose::Set(map, sort), &[], |terms| {
                let instruction = match *list {
                    [index, value] => Instruction::Write { map, index, value },
                    _ => {
                        terms.tables.lists.push(list);
                        let list = terms.tables.lists.len() as TableIndex - 1;
                        Instruction::WriteMany { map, list }
                    }
                };
                terms.instructions.push(instruction);
            });
        }
    }
}

/// `m := m[i := v]…` writes in place: for each element its indices and its value.
fn elements(pool: &TermPool, target: VarId, term: TermId) -> Option<Vec<&[TermId]>> {
    let mut base = term;
    let mut written = Vec::new();
    while pool.op(base) == Op::Store {
        let args = pool.args(base);
        written.push(&args[1..]);
        base = args[0];
    }
    if written.is_empty() || pool.as_var(base) != Some(target) {
        return None;
    }
    written.reverse();
    Some(written)
}

fn is_negation(a: Conjunct, b: Conjunct) -> bool {
    let flipped = match b {
        Conjunct::Compare(relation, a, b) => Conjunct::Compare(relation.flipped(), b, a),
        is => is,
    };
    a.negated() == b || a.negated() == flipped
}
