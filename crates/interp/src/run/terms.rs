//! Terms to instructions. A subterm that occurs several times is computed at most once for each
//! evaluation, and only where it is needed: what an `ite` or a junction does not look at is not executed.
//!
//! The code of a *unit* (a conjunct of a condition, an assignment, a call) computes everything that it
//! needs, so that an execution can start there again.

use std::sync::Arc;

use lariat_term::{BvOp, Op, Sort, TermId, TermPool, Value, VarId};
use num_traits::{One, ToPrimitive};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::bit_vectors::narrow_operator;
use super::code::{
    BitVectorOperator, FloatCode, Instruction, Reg, Relation, TableIndex, Tables, Unit, UnitPurpose,
};
use super::value::Val;
use crate::eval::canonical;
use crate::float::FloatOperator;

/// Where the variables of the procedure at hand are.
pub(super) type Places = FxHashMap<VarId, Reg>;

/// Powers of two up to this one fit into an `i128`.
const MAX_POWER: u64 = 126;

/// Rust's stack grows when less than this is left.
pub(super) const RED_ZONE: usize = 64 * 1024;
pub(super) const STACK_PART: usize = 1024 * 1024;

/// Registers of literals, which all procedures share. They come behind the shared variables.
#[derive(Debug, Default)]
pub(super) struct Literals {
    pub first: usize,
    pub values: Vec<Val>,
    registers: FxHashMap<TermId, Reg>,
}

impl Literals {
    pub fn new(first: usize) -> Self {
        Literals {
            first,
            ..Literals::default()
        }
    }
}

pub(super) struct TermCompiler<'a> {
    pub pool: &'a TermPool,
    pub places: Places,
    literals: &'a mut Literals,
    pub instructions: Vec<Instruction>,
    /// Jumps hold the number of a label until all labels have their places.
    labels: Vec<u32>,
    pub tables: Tables,
    /// The first register for an intermediate result, the next one, and the largest that was used.
    first_temporary: usize,
    next_temporary: usize,
    pub registers: usize,
    // ---- of the unit at hand ----
    /// Subterms that occur more than once and are worth keeping.
    pub(super) shared: FxHashSet<TermId>,
    /// Subterms whose values every way to the present place has computed.
    pub(super) available: FxHashMap<TermId, Reg>,
    /// In the order in which they became available.
    trail: Vec<TermId>,
    /// Of conditional code.
    pub(super) depth: usize,
    memos: FxHashMap<TermId, (Reg, u32)>,
    /// Memos whose code is still to be emitted.
    pending: Vec<TermId>,
}

impl<'a> TermCompiler<'a> {
    pub fn new(pool: &'a TermPool, places: Places, slots: usize, literals: &'a mut Literals) -> Self {
        TermCompiler {
            pool,
            places,
            literals,
            instructions: Vec::new(),
            labels: Vec::new(),
            tables: Tables::default(),
            first_temporary: slots,
            next_temporary: slots,
            registers: slots,
            shared: FxHashSet::default(),
            available: FxHashMap::default(),
            trail: Vec::new(),
            depth: 0,
            memos: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    /// Intermediate results are not needed any more.
    pub fn start_statement(&mut self) {
        self.next_temporary = self.first_temporary;
    }

    /// Emits code that computes these terms and uses them. Temporaries of earlier units of the statement
    /// keep their values.
    pub fn unit(&mut self, purpose: UnitPurpose, roots: &[TermId], emit: impl FnOnce(&mut Self)) {
        self.available.clear();
        self.trail.clear();
        self.memos.clear();
        self.depth = 0;
        self.shared = self.shared_subterms(roots);
        let (start, first_label) = (self.instructions.len(), self.labels.len());
        emit(self);
        if !self.memos.is_empty() {
            self.place_memos(start, first_label);
        }
        self.tables.units.push(Unit {
            start: start as u32,
            end: self.instructions.len() as u32,
            purpose,
        });
    }

    /// The register that has the value of the term, computed by a separate unit if it is compound.
    pub fn separate_operand(&mut self, term: TermId) -> Reg {
        if let Some(register) = self.leaf(term) {
            return register;
        }
        let to = self.temporary();
        let purpose = UnitPurpose::Set(to, self.pool.sort_of(term));
        self.unit(purpose, &[term], |terms| terms.compute(term, to));
        to
    }

    /// Puts the code of the memos before the unit that starts here, with a jump over it.
    fn place_memos(&mut self, start: usize, first_label: usize) {
        let unit = self.instructions.split_off(start);
        let mut of_memos: FxHashMap<usize, u32> = FxHashMap::default();
        let begin = self.label();
        self.instructions.push(Instruction::Jump(begin));
        while let Some(term) = self.pending.pop() {
            let (memo, at) = self.memos[&term];
            let inner = self.labels.len();
            of_memos.insert(at as usize, self.instructions.len() as u32);
            self.available.clear();
            self.trail.clear();
            self.depth = 1;
            self.compute(term, memo);
            self.instructions.push(Instruction::EndMemo);
            of_memos.extend((inner..self.labels.len()).map(|label| (label, self.labels[label])));
        }
        let shift = self.instructions.len() - start + self.memos.len();
        of_memos.insert(begin as usize, self.instructions.len() as u32);
        let forget = self.memos.values().map(|&(memo, _)| Instruction::Forget(memo));
        self.instructions.extend(forget);
        self.instructions.extend(unit);
        for label in first_label..self.labels.len() {
            match of_memos.get(&label) {
                Some(&position) => self.labels[label] = position,
                None => self.labels[label] += shift as u32,
            }
        }
    }

    /// Jumps get the places of their labels.
    pub fn resolve_labels(&mut self) {
        for instruction in &mut self.instructions {
            match instruction {
                Instruction::Jump(target)
                | Instruction::JumpIf { target, .. }
                | Instruction::JumpUnless { target, .. }
                | Instruction::JumpUnlessNumber { target, .. }
                | Instruction::Memo { at: target, .. } => *target = self.labels[*target as usize],
                _ => {}
            }
        }
    }

    pub(super) fn label(&mut self) -> u32 {
        self.labels.push(0);
        self.labels.len() as u32 - 1
    }

    pub(super) fn bind(&mut self, label: u32) {
        self.labels[label as usize] = self.instructions.len() as u32;
    }

    pub fn temporary(&mut self) -> Reg {
        let register = Reg::local(self.next_temporary);
        self.next_temporary += 1;
        self.registers = self.registers.max(self.next_temporary);
        register
    }

    fn shared_subterms(&self, roots: &[TermId]) -> FxHashSet<TermId> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut shared = FxHashSet::default();
        let mut stack = roots.to_vec();
        let is_compound = |term: &TermId| !self.pool.args(*term).is_empty();
        while let Some(term) = stack.pop() {
            let args = self.pool.args(term);
            if seen.insert(term) {
                stack.extend_from_slice(args);
            } else if args.iter().any(is_compound) {
                shared.insert(term);
            }
        }
        shared
    }

    /// Code that is not always executed: what it makes available is forgotten behind it.
    pub(super) fn conditionally(&mut self, emit: impl FnOnce(&mut Self)) {
        let known = self.trail.len();
        self.depth += 1;
        emit(self);
        self.depth -= 1;
        for term in self.trail.drain(known..) {
            self.available.remove(&term);
        }
    }

    fn note(&mut self, term: TermId, register: Reg) {
        self.available.insert(term, register);
        self.trail.push(term);
    }

    /// The register that has the value of the term.
    pub fn operand(&mut self, term: TermId) -> Reg {
        if let Some(register) = self.leaf(term) {
            return register;
        }
        if let Some(&register) = self.available.get(&term) {
            return register;
        }
        let is_memo = self.memos.contains_key(&term) || (self.depth > 0 && self.shared.contains(&term));
        if is_memo {
            let (memo, at) = self.memo(term);
            self.instructions.push(Instruction::Memo { memo, at });
            self.note(term, memo);
            return memo;
        }
        let to = self.temporary();
        self.compute(term, to);
        self.note(term, to);
        to
    }

    fn memo(&mut self, term: TermId) -> (Reg, u32) {
        if let Some(&memo) = self.memos.get(&term) {
            return memo;
        }
        let memo = (self.temporary(), self.label());
        self.memos.insert(term, memo);
        self.pending.push(term);
        memo
    }

    /// A literal or a variable.
    fn leaf(&mut self, term: TermId) -> Option<Reg> {
        if let Op::Var(var) = self.pool.op(term) {
            return self.places.get(&var).copied();
        }
        if let Some(&register) = self.literals.registers.get(&term) {
            return Some(register);
        }
        let literal = self.literal(term)?;
        let register = Reg::shared(self.literals.first + self.literals.values.len());
        self.literals.values.push(literal);
        self.literals.registers.insert(term, register);
        Some(register)
    }

    fn literal(&self, term: TermId) -> Option<Val> {
        let pool = self.pool;
        let value = match pool.op(term) {
            Op::Bool(value) => Value::Bool(value),
            Op::Int(id) | Op::Bv(id) => Value::Int(pool.number(id).to_integer()),
            Op::Real(id) => Value::Real(pool.number(id).clone()),
            Op::RoundingMode(mode) => Value::RoundingMode(mode),
            Op::String(id) => Value::String(pool.string_text(id).clone()),
            Op::Float(id) => {
                let &Sort::Float {
                    significand,
                    exponent,
                } = pool.sort(pool.sort_of(term))
                else {
                    return None;
                };
                canonical(Value::Float {
                    bits: pool.number(id).to_integer(),
                    significand,
                    exponent,
                })
            }
            _ => return None,
        };
        Some(Val::literal(value))
    }

    /// The term as a small whole number.
    pub fn small_literal(&self, term: TermId) -> Option<i64> {
        match self.pool.op(term) {
            Op::Int(id) | Op::Bv(id) => self.pool.number(id).to_integer().to_i64(),
            _ => None,
        }
    }

    /// The exponent of a power of two.
    fn power(&self, term: TermId) -> Option<u8> {
        let number = self.pool.as_int(term)?;
        let bits = number.bits().checked_sub(1)?;
        let is_power = number.trailing_zeros() == Some(bits) && number >= &One::one();
        (is_power && bits <= MAX_POWER).then_some(bits as u8)
    }

    fn list(&mut self, registers: SmallVec<[Reg; 4]>) -> TableIndex {
        self.tables.lists.push(registers);
        self.tables.lists.len() as TableIndex - 1
    }

    pub fn operands(&mut self, terms: &[TermId]) -> TableIndex {
        let registers = terms.iter().map(|&term| self.operand(term)).collect();
        self.list(registers)
    }

    fn give_up(&mut self, reason: Arc<str>) {
        self.tables.reasons.push(reason);
        let reason = self.tables.reasons.len() as TableIndex - 1;
        self.instructions.push(Instruction::GiveUp(reason));
    }

    /// Emits code that writes the value of the term, as the last thing that it does.
    pub fn compute(&mut self, term: TermId, to: Reg) {
        stacker::maybe_grow(RED_ZONE, STACK_PART, || self.compute_now(term, to));
    }

    fn compute_now(&mut self, term: TermId, to: Reg) {
        if let Some(from) = self.leaf(term).or(self.available.get(&term).copied()) {
            self.instructions.push(Instruction::Move { to, from });
            return;
        }
        if let Some(reason) = self.unsupported(term) {
            self.give_up(reason);
            return;
        }
        let pool = self.pool;
        let args = pool.args(term);
        let instruction = match pool.op(term) {
            Op::And | Op::Or => return self.junction(term, to),
            Op::Ite => return self.ite(args, to),
            Op::Add => return self.sum(args, to),
            Op::Mul => {
                let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                Instruction::Mul { to, a, b }
            }
            Op::IntDiv => match self.power(args[1]) {
                Some(bits) => {
                    let a = self.operand(args[0]);
                    Instruction::DivPower { to, a, bits }
                }
                None => {
                    let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                    Instruction::Div { to, a, b }
                }
            },
            Op::Mod => match self.power(args[1]) {
                Some(bits) => self.modulo_power(args[0], bits, to),
                None => {
                    let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                    Instruction::Mod { to, a, b }
                }
            },
            Op::Not => {
                let a = self.operand(args[0]);
                Instruction::Not { to, a }
            }
            Op::Eq | Op::Le | Op::Lt => {
                let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                let relation = match pool.op(term) {
                    Op::Eq => Relation::Eq,
                    Op::Le => Relation::Le,
                    _ => Relation::Lt,
                };
                Instruction::Compare { relation, to, a, b }
            }
            Op::Distinct => {
                let args = self.operands(args);
                Instruction::Distinct { to, args }
            }
            Op::Select => {
                let map = self.operand(args[0]);
                match args {
                    &[_, index] => {
                        let index = self.operand(index);
                        Instruction::Select { to, map, index }
                    }
                    _ => {
                        let indices = self.operands(&args[1..]);
                        Instruction::SelectMany { to, map, indices }
                    }
                }
            }
            Op::Store => {
                let map = self.operand(args[0]);
                let list = self.operands(&args[1..]);
                Instruction::Store { to, map, list }
            }
            Op::ConstArray(_) => {
                let element = self.operand(args[0]);
                Instruction::ConstMap { to, element }
            }
            Op::Bv2(op) => self.bit_vector(term, op, to),
            Op::Theory(_) | Op::Apply(_) => {
                let operator = match pool.op(term) {
                    Op::Theory(theory) => FloatOperator::of(pool, theory),
                    Op::Apply(function) => FloatOperator::of_function(pool, function),
                    _ => None,
                };
                let Some(operator) = operator else {
                    return self.give_up("an operator of a solver theory cannot be executed".into());
                };
                let widths = args.iter().map(|&arg| self.width(arg).unwrap_or(0)).collect();
                let args = self.operands(args);
                self.tables.floats.push(FloatCode { operator, widths });
                let operator = self.tables.floats.len() as TableIndex - 1;
                Instruction::Float { to, operator, args }
            }
            _ => return self.give_up("an operator cannot be executed".into()),
        };
        self.instructions.push(instruction);
    }

    fn junction(&mut self, term: TermId, to: Reg) {
        let (decided, end) = (self.label(), self.label());
        let absorbing = self.pool.op(term) == Op::Or;
        self.jump_if_any(term, absorbing, decided);
        let (this, that) = (self.truth(!absorbing), self.truth(absorbing));
        self.instructions.push(Instruction::Move { to, from: this });
        self.instructions.push(Instruction::Jump(end));
        self.bind(decided);
        self.instructions.push(Instruction::Move { to, from: that });
        self.bind(end);
    }

    /// The register of a truth value.
    fn truth(&mut self, value: bool) -> Reg {
        let known = |literal: &Val| matches!(literal, Val::Bool(literal) if *literal == value);
        let index = match self.literals.values.iter().position(known) {
            Some(index) => index,
            None => {
                self.literals.values.push(Val::Bool(value));
                self.literals.values.len() - 1
            }
        };
        Reg::shared(self.literals.first + index)
    }

    fn ite(&mut self, args: &[TermId], to: Reg) {
        let (otherwise, end) = (self.label(), self.label());
        self.jump(args[0], false, otherwise);
        self.conditionally(|this| this.compute(args[1], to));
        self.instructions.push(Instruction::Jump(end));
        self.bind(otherwise);
        self.conditionally(|this| this.compute(args[2], to));
        self.bind(end);
    }

    fn sum(&mut self, args: &[TermId], to: Reg) {
        let mut a = self.operand(args[0]);
        for (index, &arg) in args.iter().enumerate().skip(1) {
            let result = match index + 1 == args.len() {
                true => to,
                false => self.temporary(),
            };
            let instruction = match self.small_literal(arg) {
                Some(number) => Instruction::AddNumber {
                    to: result,
                    a,
                    number,
                },
                None => {
                    let b = self.operand(arg);
                    Instruction::Add { to: result, a, b }
                }
            };
            self.instructions.push(instruction);
            a = result;
        }
    }

    fn modulo_power(&mut self, arg: TermId, bits: u8, to: Reg) -> Instruction {
        let factors = self.pool.args(arg);
        if self.pool.op(arg) == Op::Mul
            && !self.available.contains_key(&arg)
            && !self.shared.contains(&arg)
            && self.unsupported(arg).is_none()
        {
            let (a, b) = (self.operand(factors[0]), self.operand(factors[1]));
            return Instruction::MulModPower { to, a, b, bits };
        }
        let a = self.operand(arg);
        Instruction::ModPower { to, a, bits }
    }

    fn width(&self, term: TermId) -> Option<u32> {
        match self.pool.sort(self.pool.sort_of(term)) {
            Sort::Bv(width) => Some(*width),
            _ => None,
        }
    }

    fn bit_vector(&mut self, term: TermId, op: BvOp, to: Reg) -> Instruction {
        let args = self.pool.args(term);
        if let (&[a, b], Some(operator), Some(width @ 1..=64)) =
            (args, narrow_operator(op), self.width(args[0]))
        {
            let (a, b) = (self.operand(a), self.operand(b));
            return Instruction::NarrowBitVector {
                to,
                a,
                b,
                operator,
                width: width as u8,
            };
        }
        let operator = BitVectorOperator {
            op,
            widths: args.iter().filter_map(|&arg| self.width(arg)).collect(),
            result: self.width(term).unwrap_or(0),
        };
        let known = self
            .tables
            .bit_vectors
            .iter()
            .position(|other| *other == operator);
        let operator = known.unwrap_or_else(|| {
            self.tables.bit_vectors.push(operator);
            self.tables.bit_vectors.len() - 1
        }) as TableIndex;
        let args = self.operands(args);
        Instruction::BitVector { to, operator, args }
    }
}
