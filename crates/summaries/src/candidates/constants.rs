//! The constants that a variable is compared with or assigned, anywhere in the program.
//!
//! Variables that are assigned to each other share theirs, also through calls. For a property like the
//! lock of [Corral12] §4.2 these are the states of the typestate variable.

use cranelift_entity::EntityRef;
use lariat_ir::{StmtKind, Terminator};
use lariat_term::{Op, Sort, TermId, TermPool, VarId};
use lariat_vc::Problem;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// Residues are tried one by one only for moduli up to this.
const MOST_RESIDUES: i64 = 4;

pub(super) struct ConstantTable {
    parent: Vec<u32>,
    /// For each class its constants, the most frequent first.
    constants: FxHashMap<u32, Vec<TermId>>,
    /// By how much integers are increased or decreased, where it is more than 1.
    pub steps: Vec<BigInt>,
    /// The small numbers that something is taken modulo.
    pub moduli: Vec<BigInt>,
}

impl ConstantTable {
    pub fn new(problem: &Problem, limit: usize) -> Self {
        let program = &problem.program;
        let pool = &program.pool;
        let mut collector = Collector {
            pool,
            fixed: program.constants.iter().copied().collect(),
            parent: (0..pool.var_count() as u32).collect(),
            found: Vec::new(),
            steps: Vec::new(),
            moduli: Vec::new(),
        };
        for proc in program.procs.values() {
            for block in proc.blocks.values() {
                for stmt in &block.stmts {
                    match &stmt.kind {
                        StmtKind::Assign(assignments) => {
                            for &(var, term) in assignments {
                                collector.assigned(var, term);
                            }
                        }
                        StmtKind::Call(call) => {
                            let callee = &program.procs[call.callee];
                            for (&param, &arg) in callee.params.iter().zip(&call.ins) {
                                collector.assigned(param, arg);
                            }
                            for (&out, &target) in callee.outs.iter().zip(&call.outs) {
                                collector.union(out, target);
                            }
                        }
                        StmtKind::Assume(_)
                        | StmtKind::Assert { .. }
                        | StmtKind::Havoc(_)
                        | StmtKind::Enter(_) => {}
                    }
                    collector.compared(&stmt.terms());
                }
                debug_assert!(matches!(
                    block.terminator,
                    Terminator::Goto(_) | Terminator::Return
                ));
            }
        }
        collector.finish(limit)
    }

    /// The constants of a variable's class, the most frequent first.
    pub fn of(&self, var: VarId) -> &[TermId] {
        let mut class = var.index() as u32;
        while let Some(&parent) = self.parent.get(class as usize)
            && parent != class
        {
            class = parent;
        }
        self.constants.get(&class).map_or(&[], Vec::as_slice)
    }
}

struct Collector<'a> {
    pool: &'a TermPool,
    /// Constants of the program count as constants.
    fixed: FxHashSet<VarId>,
    parent: Vec<u32>,
    found: Vec<(VarId, TermId)>,
    steps: Vec<BigInt>,
    moduli: Vec<BigInt>,
}

impl Collector<'_> {
    fn assigned(&mut self, var: VarId, term: TermId) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if self.is_constant(term) {
                self.found.push((var, term));
                continue;
            }
            match self.pool.op(term) {
                Op::Var(other) => self.union(var, other),
                Op::Ite => stack.extend(&self.pool.args(term)[1..]),
                Op::Add => {
                    let args = self.pool.args(term);
                    if let Some(step) = args.last().and_then(|&last| self.pool.as_int(last)) {
                        let step = BigInt::from(step.magnitude().clone());
                        if step > BigInt::from(1) && !self.steps.contains(&step) {
                            self.steps.push(step);
                        }
                        if let [Some(other)] = args[..args.len() - 1]
                            .iter()
                            .map(|&arg| self.pool.as_var(arg))
                            .collect::<Vec<_>>()[..]
                        {
                            self.union(var, other);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn compared(&mut self, terms: &[TermId]) {
        let mut pairs = Vec::new();
        self.pool.visit_subterms(terms, |term| {
            if self.pool.op(term) == Op::Mod
                && let Some(modulus) = self.pool.as_int(self.pool.args(term)[1])
                && (2..=MOST_RESIDUES).contains(&modulus.try_into().unwrap_or(0))
                && !self.moduli.contains(modulus)
            {
                self.moduli.push(modulus.clone());
            }
            if matches!(self.pool.op(term), Op::Eq | Op::Le | Op::Lt) {
                pairs.push((self.pool.args(term)[0], self.pool.args(term)[1]));
            }
        });
        for (a, b) in pairs {
            for (a, b) in [(a, b), (b, a)] {
                if let Some(var) = self.pool.as_var(a)
                    && !self.fixed.contains(&var)
                    && self.is_constant(b)
                {
                    self.found.push((var, b));
                }
            }
        }
    }

    fn is_constant(&self, term: TermId) -> bool {
        let literal = self.pool.is_value(term) && !matches!(self.pool.op(term), Op::String(_));
        literal
            || self
                .pool
                .as_var(term)
                .is_some_and(|var| self.fixed.contains(&var))
    }

    fn union(&mut self, a: VarId, b: VarId) {
        if self.fixed.contains(&a)
            || self.fixed.contains(&b)
            || self.pool.var_sort(a) != self.pool.var_sort(b)
        {
            return;
        }
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn find(&mut self, var: VarId) -> u32 {
        let mut class = var.index() as u32;
        while self.parent[class as usize] != class {
            let above = self.parent[self.parent[class as usize] as usize];
            self.parent[class as usize] = above;
            class = above;
        }
        class
    }

    fn finish(mut self, limit: usize) -> ConstantTable {
        let mut counts: FxHashMap<u32, Vec<(TermId, usize)>> = FxHashMap::default();
        for (var, term) in std::mem::take(&mut self.found) {
            if *self.pool.sort(self.pool.sort_of(term)) == Sort::Bool {
                continue;
            }
            let class = self.find(var);
            let list = counts.entry(class).or_default();
            match list.iter_mut().find(|(other, _)| *other == term) {
                Some((_, count)) => *count += 1,
                None => list.push((term, 1)),
            }
        }
        let constants = counts
            .into_iter()
            .map(|(class, mut list)| {
                list.sort_by_key(|&(term, count)| (std::cmp::Reverse(count), term));
                (
                    class,
                    list.into_iter().map(|(term, _)| term).take(limit).collect(),
                )
            })
            .collect();
        self.steps.sort();
        self.steps.truncate(3);
        ConstantTable {
            parent: self.parent,
            constants,
            steps: self.steps,
            moduli: self.moduli,
        }
    }
}
