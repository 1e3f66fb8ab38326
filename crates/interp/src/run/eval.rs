//! The execution of a term's code.
//!
//! The result may be open, if the term is a variable, an element of a map, or a choice between
//! such; operators settle what is open in their arguments.

use std::rc::Rc;

use lariat_term::TermPool;

use super::bit_vectors::bit_vector;
use super::code::{Code, FlatCode, Instruction, Place, Relation};
use super::give_up;
use super::machine::{Halt, Machine};
use super::numbers::{Arithmetic, arithmetic, holds};
use super::value::{Base, Key, Map, Val};

/// Stacks that are empty between evaluations.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    values: Vec<Val>,
    memos: Vec<Val>,
    returns: Vec<usize>,
    /// Literals of wide bit-vectors.
    literals: TermPool,
}

impl Scratch {
    fn pop(&mut self) -> Result<Val, Halt> {
        self.values
            .pop()
            .ok_or_else(|| give_up("a term has too few arguments"))
    }

    /// The two values on top, if they are small numbers: the case that must be fast.
    #[inline]
    fn small_operands(&self) -> Option<(i128, i128)> {
        match self.values.as_slice() {
            [.., Val::Int(a), Val::Int(b)] => Some((*a, *b)),
            _ => None,
        }
    }

    #[inline]
    fn replace_operands(&mut self, result: Val) {
        self.values.pop();
        if let Some(first) = self.values.last_mut() {
            *first = result;
        }
    }
}

impl<'a> Machine<'a> {
    pub(super) fn eval(&mut self, code: &'a Code) -> Result<Val, Halt> {
        match code {
            Code::Const(value) => Ok(value.clone()),
            Code::Var(place) => Ok(self.read(*place)),
            Code::Flat(code) => self.eval_flat(code),
        }
    }

    fn eval_flat(&mut self, code: &'a FlatCode) -> Result<Val, Halt> {
        // An evaluation that ended early has left something behind.
        self.scratch.values.clear();
        self.scratch.returns.clear();
        self.scratch.memos.clear();
        self.scratch.memos.resize(code.memos as usize, Val::Undef);
        let mut next = 0;
        loop {
            let instruction = &code.instructions[next];
            next += 1;
            match instruction {
                Instruction::Const(value) => self.scratch.values.push(value.clone()),
                Instruction::Var(place) => {
                    let value = self.read(*place);
                    self.scratch.values.push(value);
                }
                Instruction::SelectVar { map, indices } => {
                    let key = self.key(*indices)?;
                    let value = self.element(*map, key)?;
                    self.scratch.values.push(value);
                }
                Instruction::Select { indices } => {
                    let key = self.key(*indices)?;
                    let Val::Map(map) = self.scratch.pop()? else {
                        return Err(give_up("a map was expected"));
                    };
                    self.scratch.values.push(map.get(self.pool(), key));
                }
                Instruction::Store { indices } => {
                    let value = self.scratch.pop()?;
                    let key = self.key(*indices)?;
                    let Val::Map(mut map) = self.scratch.pop()? else {
                        return Err(give_up("a map was expected"));
                    };
                    Rc::make_mut(&mut map).entries.insert(key, value);
                    self.scratch.values.push(Val::Map(map));
                }
                Instruction::ConstMap => {
                    let value = self.scratch.pop()?;
                    self.scratch.values.push(Val::Map(Rc::new(Map {
                        base: Base::Same(value),
                        entries: Default::default(),
                    })));
                }
                Instruction::Not => {
                    let value = self.pop_bool()?;
                    self.scratch.values.push(Val::Bool(!value));
                }
                Instruction::Add => self.arithmetic(Arithmetic::Add)?,
                Instruction::Mul => self.arithmetic(Arithmetic::Mul)?,
                Instruction::Div => self.arithmetic(Arithmetic::Div)?,
                Instruction::Mod => self.arithmetic(Arithmetic::Mod)?,
                Instruction::Compare(relation) => {
                    if let Some((a, b)) = self.scratch.small_operands() {
                        let truth = relation.holds(a.cmp(&b));
                        self.scratch.replace_operands(Val::Bool(truth));
                    } else {
                        let (a, b) = self.pop_two()?;
                        let truth = holds(self.pool(), *relation, &a, &b)?;
                        self.scratch.values.push(Val::Bool(truth));
                    }
                }
                Instruction::Distinct(count) => {
                    let values = self.pop_closed(*count)?;
                    let mut distinct = true;
                    for (index, a) in values.iter().enumerate() {
                        for b in &values[..index] {
                            distinct &= holds(self.pool(), Relation::Ne, a, b)?;
                        }
                    }
                    self.scratch.values.push(Val::Bool(distinct));
                }
                Instruction::BitVector(operator) => {
                    let count = match operator.widths.len() {
                        0 => 1,
                        count => count,
                    };
                    let args = self.pop_closed(count as u32)?;
                    let value = bit_vector(&mut self.scratch.literals, operator, &args)?;
                    self.scratch.values.push(value);
                }
                Instruction::Jump(target) => next = *target as usize,
                Instruction::JumpIfFalse(target) => {
                    if !self.pop_bool()? {
                        next = *target as usize;
                    }
                }
                Instruction::JumpIfTrue(target) => {
                    if self.pop_bool()? {
                        next = *target as usize;
                    }
                }
                Instruction::Memo { memo, at } => match &self.scratch.memos[*memo as usize] {
                    Val::Undef => {
                        self.scratch.returns.push(next);
                        next = *at as usize;
                    }
                    known => {
                        let known = known.clone();
                        self.scratch.values.push(known);
                    }
                },
                Instruction::SetMemo(memo) => {
                    let value = self.scratch.pop()?;
                    self.scratch.memos[*memo as usize] = value.clone();
                    self.scratch.values.push(value);
                    next = self
                        .scratch
                        .returns
                        .pop()
                        .ok_or_else(|| give_up("a shared term was not asked for"))?;
                }
                Instruction::Done => return self.scratch.pop(),
                Instruction::Unsupported(reason) => return Err(Halt::GaveUp(reason.clone())),
            }
        }
    }

    #[inline]
    fn arithmetic(&mut self, operator: Arithmetic) -> Result<(), Halt> {
        if let Some((a, b)) = self.scratch.small_operands()
            && let Some(small) = operator.on_small(a, b)
        {
            self.scratch.replace_operands(Val::Int(small));
            return Ok(());
        }
        let (a, b) = self.pop_two()?;
        self.scratch.values.push(arithmetic(operator, &a, &b)?);
        Ok(())
    }

    /// Two closed values.
    fn pop_two(&mut self) -> Result<(Val, Val), Halt> {
        let (b, a) = (self.scratch.pop()?, self.scratch.pop()?);
        Ok((self.settled(a)?, self.settled(b)?))
    }

    fn pop_bool(&mut self) -> Result<bool, Halt> {
        let value = self.scratch.pop()?;
        match self.settled(value)? {
            Val::Bool(value) => Ok(value),
            _ => Err(give_up("a truth value was expected")),
        }
    }

    fn pop_closed(&mut self, count: u32) -> Result<Vec<Val>, Halt> {
        let start = self.scratch.values.len().saturating_sub(count as usize);
        let values = self.scratch.values.split_off(start);
        values.into_iter().map(|value| self.settled(value)).collect()
    }

    fn key(&mut self, indices: u32) -> Result<Key, Halt> {
        if indices == 1 {
            let index = self.scratch.pop()?;
            if let Val::Int(index) = index {
                return Ok(Key::Int(index));
            }
            self.scratch.values.push(index);
        }
        let indices = self.pop_closed(indices)?;
        Key::new(&indices).ok_or_else(|| give_up("an index of a map cannot be compared"))
    }

    /// The key of indices that have been evaluated.
    pub(super) fn key_of(&mut self, indices: &'a [Code]) -> Result<Key, Halt> {
        let mut values = Vec::with_capacity(indices.len());
        for index in indices {
            let value = self.eval(index)?;
            values.push(self.settled(value)?);
        }
        Key::new(&values).ok_or_else(|| give_up("an index of a map cannot be compared"))
    }

    fn element(&mut self, map: Place, key: Key) -> Result<Val, Halt> {
        if let Val::Undef = self.slot(map) {
            self.read(map);
        }
        match self.slot(map) {
            Val::Map(map) => Ok(map.get(&self.program.pool, key)),
            _ => Err(give_up("a map was expected")),
        }
    }

    /// The value, chosen now if it is still open; not while the machine only looks ahead.
    pub(super) fn settled(&mut self, value: Val) -> Result<Val, Halt> {
        match value {
            Val::Open(cell) => match cell.value.get() {
                Some(value) => Ok(value.clone()),
                None if self.looks_ahead => Err(Halt::NeedsChoice),
                None => self.chooser.settle(&self.program.pool, &cell),
            },
            closed => Ok(closed),
        }
    }
}
