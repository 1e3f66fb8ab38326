//! The execution of expressions.
//!
//! A result may be open, if the term is a variable, an element of a map, or a choice between such;
//! operators settle what is open in their arguments.

use std::rc::Rc;

use lariat_term::Value;
use smallvec::SmallVec;

use super::bit_vectors::{bit_vector, narrow};
use super::code::{FloatCode, Instruction, NarrowOperator, Place, Reg, Relation, TableIndex};
use super::decide::{Purpose, Truth};
use super::give_up;
use super::machine::{Halt, Machine};
use super::numbers::{Arithmetic, arithmetic, holds, modulo_power, product_modulo_power, shifted};
use super::value::{Base, Key, Map, Val};
use crate::float::{FloatArgument, FloatResult};

impl<'a> Machine<'a> {
    #[inline(always)]
    pub(super) fn get(&self, reg: Reg) -> &Val {
        &self.registers[reg.index(self.base)]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, reg: Reg, value: Val) {
        let index = reg.index(self.base);
        self.registers[index] = value;
    }

    /// Executes expressions from an instruction on; the result is the first statement behind them.
    pub(super) fn expressions(&mut self, start: usize) -> Result<usize, Halt> {
        let proc = self.proc;
        let code = proc.instructions.as_slice();
        let mut next = start;
        loop {
            let instruction = code[next];
            self.at = next;
            next += 1;
            match instruction {
                Instruction::Move { to, from } => match *self.get(from) {
                    Val::Int(number) => self.set(to, Val::Int(number)),
                    _ => {
                        let value = self.value(from);
                        self.set(to, value);
                    }
                },
                Instruction::Add { to, a, b } => match (self.get(a), self.get(b)) {
                    (&Val::Int(x), &Val::Int(y)) if x.checked_add(y).is_some() => {
                        self.set(to, Val::Int(x.wrapping_add(y)));
                    }
                    _ => self.arithmetic(Arithmetic::Add, to, a, b)?,
                },
                Instruction::AddNumber { to, a, number } => match *self.get(a) {
                    Val::Int(x) if x.checked_add(number).is_some() => {
                        self.set(to, Val::Int(x.wrapping_add(number)));
                    }
                    _ => {
                        let a = self.closed(a)?;
                        let sum = arithmetic(Arithmetic::Add, &a, &Val::Int(number))?;
                        self.set(to, sum);
                    }
                },
                Instruction::Mul { to, a, b } => match (self.get(a), self.get(b)) {
                    (&Val::Int(x), &Val::Int(y)) if x.checked_mul(y).is_some() => {
                        self.set(to, Val::Int(x.wrapping_mul(y)));
                    }
                    _ => self.arithmetic(Arithmetic::Mul, to, a, b)?,
                },
                Instruction::Div { to, a, b } => match (self.get(a), self.get(b)) {
                    (&Val::Int(x), &Val::Int(y)) if y > 0 => self.set(to, Val::Int(x.div_euclid(y))),
                    _ => self.arithmetic(Arithmetic::Div, to, a, b)?,
                },
                Instruction::Mod { to, a, b } => match (self.get(a), self.get(b)) {
                    (&Val::Int(x), &Val::Int(y)) if y > 0 => self.set(to, Val::Int(x.rem_euclid(y))),
                    _ => self.arithmetic(Arithmetic::Mod, to, a, b)?,
                },
                Instruction::DivPower { to, a, bits } => match *self.get(a) {
                    Val::Int(x) => self.set(to, Val::Int(x >> bits.min(63))),
                    _ => {
                        let value = shifted(&self.closed(a)?, bits)?;
                        self.set(to, value);
                    }
                },
                Instruction::ModPower { to, a, bits } => match *self.get(a) {
                    Val::Int(x) if bits < 63 => self.set(to, Val::Int(x & ((1 << bits) - 1))),
                    _ => {
                        let value = modulo_power(&self.closed(a)?, bits)?;
                        self.set(to, value);
                    }
                },
                Instruction::MulModPower { to, a, b, bits } => match (self.get(a), self.get(b)) {
                    (&Val::Int(x), &Val::Int(y)) if bits < 63 => {
                        self.set(to, Val::Int(x.wrapping_mul(y) & ((1 << bits) - 1)));
                    }
                    _ => {
                        let value = product_modulo_power(&self.closed(a)?, &self.closed(b)?, bits)?;
                        self.set(to, value);
                    }
                },
                Instruction::Compare { relation, to, a, b } => {
                    let truth = self.related(relation, a, b)?;
                    self.set(to, Val::Bool(truth));
                }
                Instruction::Not { to, a } => {
                    let value = self.truth(a)?;
                    self.set(to, Val::Bool(!value));
                }
                Instruction::Select { to, map, index } => match (self.get(map), self.get(index)) {
                    (Val::Map(map), &Val::Int(index)) => {
                        let value = map.word(&self.program.pool, index);
                        self.set(to, value);
                    }
                    _ => {
                        let key = self.key(&[index])?;
                        self.select(to, map, key)?;
                    }
                },
                Instruction::SelectMany { to, map, indices } => {
                    let key = self.key(&proc.tables.lists[indices as usize])?;
                    self.select(to, map, key)?;
                }
                Instruction::Store { to, map, list } => self.store(to, map, list)?,
                Instruction::ConstMap { to, element } => {
                    let value = self.value(element);
                    let map = Map {
                        base: Base::Same(value),
                        words: Default::default(),
                        others: Default::default(),
                    };
                    self.set(to, Val::Map(Rc::new(map)));
                }
                Instruction::NarrowBitVector {
                    to,
                    a,
                    b,
                    operator,
                    width,
                } => self.narrow(to, a, b, operator, width)?,
                Instruction::BitVector { to, operator, args } => self.bit_vector(to, operator, args)?,
                Instruction::Float { to, operator, args } => {
                    self.float(to, &proc.tables.floats[operator as usize], args)?;
                }
                Instruction::Distinct { to, args } => self.distinct(to, args)?,
                Instruction::Jump(target) => next = target as usize,
                Instruction::JumpIf {
                    condition,
                    expected,
                    target,
                } => {
                    if self.truth(condition)? == expected {
                        next = target as usize;
                    }
                }
                Instruction::JumpUnless {
                    relation,
                    a,
                    b,
                    target,
                } => {
                    if !self.related(relation, a, b)? {
                        next = target as usize;
                    }
                }
                Instruction::JumpUnlessNumber {
                    relation,
                    a,
                    target,
                    number,
                } => {
                    if !self.related_to(relation, a, number)? {
                        next = target as usize;
                    }
                }
                Instruction::Forget(memo) => self.set(memo, Val::Undef),
                Instruction::Memo { memo, at } => {
                    if let Val::Undef = self.get(memo) {
                        self.returns.push(next);
                        next = at as usize;
                    }
                }
                Instruction::EndMemo => {
                    next = self
                        .returns
                        .pop()
                        .ok_or_else(|| give_up("the code of a shared term has no caller"))?;
                }
                Instruction::GiveUp(reason) => {
                    return Err(Halt::GaveUp(proc.tables.reasons[reason as usize].clone()));
                }
                _ => return Ok(next - 1),
            }
        }
    }

    #[inline(always)]
    pub(super) fn related(&mut self, relation: Relation, a: Reg, b: Reg) -> Result<bool, Halt> {
        match (self.get(a), self.get(b)) {
            (&Val::Int(x), &Val::Int(y)) => Ok(relation.of_small(x, y)),
            _ => {
                let (a, b) = (self.value(a), self.value(b));
                self.compared(relation, a, b)
            }
        }
    }

    #[inline(always)]
    pub(super) fn related_to(&mut self, relation: Relation, a: Reg, number: i64) -> Result<bool, Halt> {
        match *self.get(a) {
            Val::Int(x) => Ok(relation.of_small(x, number)),
            _ => {
                let a = self.value(a);
                self.compared(relation, a, Val::Int(number))
            }
        }
    }

    #[cold]
    fn compared(&mut self, relation: Relation, a: Val, b: Val) -> Result<bool, Halt> {
        Ok(self.compare(relation, a, b, Purpose::Choose)? == Truth::True)
    }

    #[cold]
    fn arithmetic(&mut self, operator: Arithmetic, to: Reg, a: Reg, b: Reg) -> Result<(), Halt> {
        let (a, b) = (self.closed(a)?, self.closed(b)?);
        let value = arithmetic(operator, &a, &b)?;
        self.set(to, value);
        Ok(())
    }

    fn truth(&mut self, reg: Reg) -> Result<bool, Halt> {
        if let Val::Bool(value) = self.get(reg) {
            return Ok(*value);
        }
        match self.closed(reg)? {
            Val::Bool(value) => Ok(value),
            _ => Err(give_up("a truth value was expected")),
        }
    }

    #[inline(always)]
    fn narrow(&mut self, to: Reg, a: Reg, b: Reg, operator: NarrowOperator, width: u8) -> Result<(), Halt> {
        let args = match (self.get(a).to_i128(), self.get(b).to_i128()) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => match (self.closed(a)?.to_i128(), self.closed(b)?.to_i128()) {
                (Some(a), Some(b)) => Some((a, b)),
                _ => None,
            },
        };
        let Some((a, b)) = args else {
            return Err(give_up("a bit-vector was expected"));
        };
        self.set(to, narrow(operator, a, b, u32::from(width)));
        Ok(())
    }

    fn closed_list(&mut self, list: TableIndex) -> Result<SmallVec<[Val; 4]>, Halt> {
        let proc = self.proc;
        proc.tables.lists[list as usize]
            .iter()
            .map(|&reg| self.closed(reg))
            .collect()
    }

    fn bit_vector(&mut self, to: Reg, operator: TableIndex, args: TableIndex) -> Result<(), Halt> {
        let proc = self.proc;
        let args = self.closed_list(args)?;
        let operator = &proc.tables.bit_vectors[operator as usize];
        let value = bit_vector(&mut self.wide_literals, operator, &args)?;
        self.set(to, value);
        Ok(())
    }

    fn float(&mut self, to: Reg, code: &FloatCode, args: TableIndex) -> Result<(), Halt> {
        let args: Option<SmallVec<[FloatArgument; 4]>> = self
            .closed_list(args)?
            .iter()
            .zip(&code.widths)
            .map(|(arg, &width)| match arg {
                Val::Float(float) => Some(FloatArgument::Float(*float)),
                Val::Other(value) => match **value {
                    Value::RoundingMode(mode) => Some(FloatArgument::Mode(mode)),
                    _ => None,
                },
                number if (1..=64).contains(&width) => Some(FloatArgument::Bits {
                    number: number.to_i128()?,
                    width,
                }),
                _ => None,
            })
            .collect();
        let result = args.and_then(|args| code.operator.apply(&args));
        let value = match result {
            Some(FloatResult::Float(float)) => Val::Float(float),
            Some(FloatResult::Bool(value)) => Val::Bool(value),
            Some(FloatResult::Bits { number, .. }) => Val::of_i128(number),
            None => return Err(give_up("the result of a floating-point operator is not known")),
        };
        self.set(to, value);
        Ok(())
    }

    fn distinct(&mut self, to: Reg, args: TableIndex) -> Result<(), Halt> {
        let values = self.closed_list(args)?;
        let mut distinct = true;
        for (index, a) in values.iter().enumerate() {
            for b in &values[..index] {
                distinct &= holds(self.pool(), Relation::Ne, a, b)?;
            }
        }
        self.set(to, Val::Bool(distinct));
        Ok(())
    }

    // ---- maps --------------------------------------------------------------

    pub(super) fn key(&mut self, indices: &[Reg]) -> Result<Key, Halt> {
        let values: Result<SmallVec<[Val; 2]>, Halt> =
            indices.iter().map(|&index| self.closed(index)).collect();
        Key::new(&values?).ok_or_else(|| give_up("an index of a map cannot be compared"))
    }

    fn map(&mut self, reg: Reg) -> Result<Rc<Map>, Halt> {
        match self.value(reg) {
            Val::Map(map) => Ok(map),
            _ => Err(give_up("a map was expected")),
        }
    }

    fn select(&mut self, to: Reg, map: Reg, key: Key) -> Result<(), Halt> {
        let map = self.map(map)?;
        let value = map.get(self.pool(), key);
        self.set(to, value);
        Ok(())
    }

    fn store(&mut self, to: Reg, map: Reg, list: TableIndex) -> Result<(), Halt> {
        let proc = self.proc;
        let Some((&value, indices)) = proc.tables.lists[list as usize].split_last() else {
            return Err(give_up("a store has too few arguments"));
        };
        let key = self.key(indices)?;
        let value = self.value(value);
        let mut map = self.map(map)?;
        Rc::make_mut(&mut map).set(key, value);
        self.set(to, Val::Map(map));
        Ok(())
    }

    // ---- open values -------------------------------------------------------

    /// The value of a register; a variable that was never set is open from now on.
    pub(super) fn value(&mut self, reg: Reg) -> Val {
        match self.get(reg) {
            Val::Undef => self.open(reg),
            Val::Open(cell) => match cell.value.get() {
                Some(value) => value.clone(),
                None => Val::Open(cell.clone()),
            },
            value => value.clone(),
        }
    }

    #[cold]
    fn open(&mut self, reg: Reg) -> Val {
        let variable = match reg.place() {
            Place::Local(slot) => self.proc.slots.get(slot),
            Place::Shared(slot) => self.compiled.shared.get(slot),
        };
        // Intermediate results are written before they are read.
        let Some(&(var, sort)) = variable else {
            return Val::Undef;
        };
        let value = Val::fresh(self.pool(), sort);
        self.set(reg, value.clone());
        match (&mut self.recording, reg.place()) {
            (None, _) => {}
            (Some(recording), Place::Local(_)) => recording.initial(self.frame, var, value.clone()),
            (Some(recording), Place::Shared(_)) => recording.input(var, value.clone()),
        }
        value
    }

    /// The value of a register, chosen now if it is still open.
    pub(super) fn closed(&mut self, reg: Reg) -> Result<Val, Halt> {
        match self.get(reg) {
            Val::Undef | Val::Open(_) => {
                let value = self.value(reg);
                let value = self.settled(value)?;
                self.set(reg, value.clone());
                Ok(value)
            }
            value => Ok(value.clone()),
        }
    }

    /// The value, chosen now if it is still open; not while the machine only looks ahead.
    pub(super) fn settled(&mut self, value: Val) -> Result<Val, Halt> {
        match value {
            Val::Open(cell) => match cell.value.get() {
                Some(value) => Ok(value.clone()),
                // It may have this value on the present way only.
                None if self.keeps_open() && cell.low == cell.high => {
                    cell.nearest(cell.low.get()).ok_or(Halt::NeedsChoice)
                }
                None if self.looks_ahead || self.keeps_open() => Err(Halt::NeedsChoice),
                None => self.chooser.settle(&self.program.pool, &cell),
            },
            closed => Ok(closed),
        }
    }
}
