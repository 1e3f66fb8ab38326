//! Runs straight-line programs byte by byte and notes every access.
//!
//! An address tells its object: its number in the upper 32 bits, then 8 bits that name an array inside a record which
//! the address was derived from (0: none), then the offset. The 8 bits do not count for accesses; they travel with the
//! address wherever its bytes go, so that arithmetic knows which bounds C demands.

use std::collections::{HashMap, HashSet};

use lariat_c_program::*;
use lariat_c_regions::Variable;
use num_traits::ToPrimitive;

/// An access to a scalar.
#[derive(Clone, Debug)]
pub struct Event {
    pub function: FunctionId,
    /// A clone of the place, or of the place of the record that is copied.
    pub place: Place,
    /// From the place to the scalar.
    pub further: u64,
    pub object: usize,
    pub offset: u64,
    pub scalar: Scalar,
    pub bytes: u64,
    pub bits: Option<BitField>,
}

#[derive(Clone, Debug)]
pub enum Happened {
    Access(Event),
    Called {
        pointer: NodeId,
        function: FunctionId,
    },
    /// An unknown function wrote this byte; it was given these pointers.
    Havoc {
        given: Vec<NodeId>,
        object: usize,
        offset: u64,
    },
    /// Bytes copied by the library, at what the expression points to.
    Bytes {
        pointer: NodeId,
        further: u64,
        object: usize,
        offset: u64,
    },
}

#[derive(Clone, Debug)]
pub struct ObjectInfo {
    pub size: u64,
    pub global: Option<GlobalId>,
}

#[derive(Clone)]
pub struct Machine {
    pub memory: HashMap<(usize, u64), u8>,
    pub objects: Vec<ObjectInfo>,
    globals: HashMap<GlobalId, usize>,
    /// Per object: ranges of arrays inside records, which addresses refer to by number (from 1).
    ranges: HashMap<usize, Vec<(u64, u64)>>,
    pub log: Vec<Happened>,
    /// Where unknown functions stored addresses: they do not find them there again, as the contract says, because the
    /// program may have no pointer there.
    pub hidden: HashSet<(usize, u64)>,
    /// The statements that run now copy whole addresses byte by byte: half of an address is no mistake.
    pub copies_addresses: bool,
    pub noise: u64,
}

pub struct Frame {
    pub function: FunctionId,
    pub locals: HashMap<LocalId, usize>,
}

/// The behaviour is undefined, or something is not supported here.
#[derive(Debug)]
pub struct Undefined;

pub type Run<T> = Result<T, Undefined>;

/// A value: a number, or the bytes of a record.
#[derive(Clone, Debug)]
pub enum Value {
    Number(i128),
    /// With the offsets at which there is an address that an unknown function stored.
    Record(Vec<u8>, Vec<u64>),
}

/// Not to be met by chance.
const FIRST_OBJECT: u64 = 0x3a5c_7100;
/// Where an object starts in the room that its offsets have: numbers may lead below it for a while.
pub const MIDDLE: u64 = 0x80_0000;
const FUNCTIONS: u64 = 0x7fff_0000_0000_0000;

pub fn make_address(object: usize, tag: u64, offset: u64) -> u64 {
    ((object as u64 + FIRST_OBJECT) << 32) | (tag << 24) | (offset + MIDDLE)
}

impl Machine {
    pub fn new(c: &CProgram) -> Self {
        let mut machine = Machine {
            memory: HashMap::new(),
            objects: Vec::new(),
            globals: HashMap::new(),
            ranges: HashMap::new(),
            log: Vec::new(),
            hidden: HashSet::new(),
            copies_addresses: false,
            noise: 1,
        };
        for (id, global) in c.globals.iter() {
            let object = machine.allocate(c.types.size(global.ty).unwrap_or(0), Some(id));
            machine.globals.insert(id, object);
        }
        machine
    }

    fn allocate(&mut self, size: u64, global: Option<GlobalId>) -> usize {
        self.objects.push(ObjectInfo { size, global });
        self.objects.len() - 1
    }

    pub fn frame(&mut self, c: &CProgram, function: FunctionId) -> Frame {
        let locals = c.functions[function].locals.iter();
        let locals = locals
            .map(|(id, local)| (id, self.allocate(c.types.size(local.ty).unwrap_or(0), None)))
            .collect();
        Frame { function, locals }
    }

    pub fn locate(&self, address: u64, bytes: u64) -> Run<(usize, u64)> {
        let object = (address >> 32).checked_sub(FIRST_OBJECT).ok_or(Undefined)? as usize;
        let offset = (address & 0xff_ffff).checked_sub(MIDDLE).ok_or(Undefined)?;
        match self.objects.get(object) {
            Some(info) if offset + bytes <= info.size => Ok((object, offset)),
            _ => Err(Undefined),
        }
    }

    pub fn tag(&self, address: u64) -> Option<(u64, u64)> {
        let object = (address >> 32).checked_sub(FIRST_OBJECT)? as usize;
        let tag = (address >> 24) & 0xff;
        self.ranges
            .get(&object)?
            .get((tag as usize).checked_sub(1)?)
            .copied()
    }

    /// The address of an array that is a member: what is derived from it stays in it.
    fn enter(&mut self, address: u64, bytes: u64) -> u64 {
        let object = match (address >> 32).checked_sub(FIRST_OBJECT) {
            Some(object) => object as usize,
            None => return address,
        };
        let Some(offset) = (address & 0xff_ffff).checked_sub(MIDDLE) else {
            return address;
        };
        let ranges = self.ranges.entry(object).or_default();
        let range = (offset, offset + bytes);
        let index = match ranges.iter().position(|known| *known == range) {
            Some(index) => index,
            None => {
                ranges.push(range);
                ranges.len() - 1
            }
        };
        make_address(object, index as u64 + 1, offset)
    }

    /// Pointer arithmetic: the result is inside the object or just behind it.
    fn moved(&self, address: u64, by: i64, is_constant: bool) -> Run<u64> {
        let object = (address >> 32).checked_sub(FIRST_OBJECT).ok_or(Undefined)? as usize;
        let size = self.objects.get(object).ok_or(Undefined)?.size;
        let offset = (address & 0xff_ffff) as i64 - MIDDLE as i64 + by;
        if offset < 0 || offset as u64 > size {
            return Err(Undefined);
        }
        if let Some((low, high)) = self.tag(address) {
            let inside = low as i64 <= offset && offset as u64 <= high;
            if !inside {
                // A constant may lead out of the array, to the record around it.
                return if is_constant {
                    Ok(make_address(object, 0, offset as u64))
                } else {
                    Err(Undefined)
                };
            }
        }
        Ok(address.wrapping_add(by as u64))
    }

    pub fn read(&self, object: usize, offset: u64, bytes: u64) -> u128 {
        (0..bytes).rev().fold(0, |value, index| {
            (value << 8) | u128::from(self.memory.get(&(object, offset + index)).copied().unwrap_or(0))
        })
    }

    pub fn write(&mut self, object: usize, offset: u64, bytes: u64, value: u128) {
        for index in 0..bytes {
            self.memory
                .insert((object, offset + index), (value >> (8 * index)) as u8);
            self.hidden.remove(&(object, offset + index));
        }
    }

    fn note(
        &mut self,
        frame: &Frame,
        place: &Place,
        further: u64,
        at: (usize, u64),
        what: (Scalar, u64, Option<BitField>),
    ) {
        self.log.push(Happened::Access(Event {
            function: frame.function,
            place: place.clone(),
            further,
            object: at.0,
            offset: at.1,
            scalar: what.0,
            bytes: what.1,
            bits: what.2,
        }));
    }

    /// Address and bit-field of a place.
    pub fn place(&mut self, c: &CProgram, frame: &Frame, place: &Place) -> Run<(u64, Option<BitField>)> {
        Ok(match &place.kind {
            PlaceKind::Local(local) => (make_address(frame.locals[local], 0, 0), None),
            PlaceKind::Global(id) => (make_address(self.globals[id], 0, 0), None),
            PlaceKind::Deref(pointer) => (self.number(c, frame, pointer)? as u64, None),
            PlaceKind::Member { base, record, field } => {
                let (address, _) = self.place(c, frame, base)?;
                let field = &c.types.records[*record].fields[*field as usize];
                let address = address.wrapping_add(field.offset);
                match c.types.get(field.ty) {
                    Type::Array { .. } => (
                        self.enter(address, c.types.size(field.ty).ok_or(Undefined)?),
                        None,
                    ),
                    _ => (address, field.bits),
                }
            }
            PlaceKind::Index { base, index } => {
                let (address, _) = self.place(c, frame, base)?;
                let index = self.number(c, frame, index)?;
                let Type::Array {
                    length: Some(length), ..
                } = c.types.get(base.ty)
                else {
                    return Err(Undefined);
                };
                if index < 0 || index >= i128::from(*length) {
                    return Err(Undefined);
                }
                let by = index as u64 * c.types.size(place.ty).ok_or(Undefined)?;
                (address.wrapping_add(by), None)
            }
            PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) => return Err(Undefined),
        })
    }

    pub fn number(&mut self, c: &CProgram, frame: &Frame, expr: &Expr) -> Run<i128> {
        match self.expr(c, frame, expr)? {
            Value::Number(number) => Ok(number),
            Value::Record(..) => Err(Undefined),
        }
    }

    pub fn expr(&mut self, c: &CProgram, frame: &Frame, expr: &Expr) -> Run<Value> {
        let number = match &expr.kind {
            ExprKind::Int(value) => value.to_i128().ok_or(Undefined)?,
            ExprKind::Load(place) => return self.load(c, frame, place),
            ExprKind::AddressOf(place) => i128::from(self.place(c, frame, place)?.0),
            ExprKind::FunctionAddress(id) => i128::from(FUNCTIONS + u64::from(id.as_u32())),
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.number(c, frame, left)?, self.number(c, frame, right)?);
                let value = match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Sub => left - right,
                    BinaryOp::BitXor => left ^ right,
                    BinaryOp::BitAnd => left & right,
                    BinaryOp::BitOr => left | right,
                    _ => return Err(Undefined),
                };
                fit(c, expr.ty, value)
            }
            ExprKind::Convert(operand) => {
                let value = self.number(c, frame, operand)?;
                fit(c, expr.ty, value)
            }
            ExprKind::PointerAdd {
                pointer,
                index,
                subtract,
                element,
            } => {
                let is_constant = matches!(index.kind, ExprKind::Int(_));
                let address = self.number(c, frame, pointer)? as u64;
                let by = (self.number(c, frame, index)? * self.number(c, frame, element)?) as i64;
                i128::from(self.moved(address, if *subtract { -by } else { by }, is_constant)?)
            }
            ExprKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } => {
                let side = if self.number(c, frame, condition)? != 0 {
                    then
                } else {
                    otherwise
                };
                return self.expr(c, frame, side);
            }
            ExprKind::Assign { place, value } => {
                let value = self.expr(c, frame, value)?;
                self.store(c, frame, place, &value)?;
                return Ok(value);
            }
            ExprKind::Step { place, increment, .. } => {
                let Value::Number(old) = self.load(c, frame, place)? else {
                    return Err(Undefined);
                };
                let size = c
                    .types
                    .pointee(place.ty)
                    .and_then(|ty| c.types.size(ty))
                    .ok_or(Undefined)? as i64;
                let new = self.moved(old as u64, if *increment { size } else { -size }, false)?;
                self.store(c, frame, place, &Value::Number(i128::from(new)))?;
                i128::from(new)
            }
            ExprKind::Call { callee, args } => return self.call(c, frame, callee, args),
            _ => return Err(Undefined),
        };
        Ok(Value::Number(number))
    }

    fn load(&mut self, c: &CProgram, frame: &Frame, place: &Place) -> Run<Value> {
        let (address, bits) = self.place(c, frame, place)?;
        if let Some(scalar) = c.types.scalar(place.ty) {
            let bytes = c.types.size(place.ty).ok_or(Undefined)?;
            let at = self.locate(address, bytes)?;
            self.note(frame, place, 0, at, (scalar, bytes, bits));
            let raw = self.read(at.0, at.1, bytes);
            let raw = match bits {
                Some(bits) => (raw >> bits.shift) & ((1 << bits.width) - 1),
                None => raw,
            };
            return Ok(Value::Number(fit(c, place.ty, raw as i128)));
        }
        let size = c.types.size(place.ty).ok_or(Undefined)?;
        let at = self.locate(address, size)?;
        self.note_leaves(c, frame, place, at);
        let bytes = (0..size)
            .map(|index| self.read(at.0, at.1 + index, 1) as u8)
            .collect();
        let hidden = (0..size)
            .filter(|&index| self.hidden.contains(&(at.0, at.1 + index)))
            .collect();
        Ok(Value::Record(bytes, hidden))
    }

    fn store(&mut self, c: &CProgram, frame: &Frame, place: &Place, value: &Value) -> Run<()> {
        let (address, bits) = self.place(c, frame, place)?;
        let size = c.types.size(place.ty).ok_or(Undefined)?;
        let at = self.locate(address, size)?;
        match value {
            Value::Number(number) => {
                let scalar = c.types.scalar(place.ty).ok_or(Undefined)?;
                self.note(frame, place, 0, at, (scalar, size, bits));
                let raw = match bits {
                    Some(bits) => {
                        let mask = ((1u128 << bits.width) - 1) << bits.shift;
                        let old = self.read(at.0, at.1, size);
                        (old & !mask) | (((*number as u128) << bits.shift) & mask)
                    }
                    None => *number as u128,
                };
                let before = self.windows(at, size);
                self.write(at.0, at.1, size, raw);
                let after = self.windows(at, size);
                let bends = |(old, new): (u64, u64)| self.bends(old, new);
                if size < 8 && !self.copies_addresses && before.into_iter().zip(after).any(bends) {
                    return Err(Undefined);
                }
            }
            Value::Record(bytes, hidden) => {
                self.note_leaves(c, frame, place, at);
                for (index, byte) in bytes.iter().enumerate() {
                    self.write(at.0, at.1 + index as u64, 1, u128::from(*byte));
                }
                self.hidden
                    .extend(hidden.iter().map(|index| (at.0, at.1 + index)));
            }
        }
        Ok(())
    }

    /// What is written over part of an address must not leave another address.
    pub fn bends(&self, old: u64, new: u64) -> bool {
        let is_object = |word: u64| {
            let number = (word >> 32).checked_sub(FIRST_OBJECT);
            number.is_some_and(|number| number < self.objects.len() as u64)
        };
        let is_address = |word: u64| is_object(word) || word >> 16 == FUNCTIONS >> 16;
        old != new && is_address(old) && is_address(new)
    }

    /// All words that share a byte with these.
    pub fn windows(&self, at: (usize, u64), size: u64) -> Vec<u64> {
        let starts = at.1.saturating_sub(7)..at.1 + size;
        starts.map(|start| self.read(at.0, start, 8) as u64).collect()
    }

    fn note_leaves(&mut self, c: &CProgram, frame: &Frame, place: &Place, at: (usize, u64)) {
        let mut leaves = Vec::new();
        collect(&c.types, place.ty, 0, &mut leaves);
        for (further, scalar, bytes, bits) in leaves {
            self.note(
                frame,
                place,
                further,
                (at.0, at.1 + further),
                (scalar, bytes, bits),
            );
        }
    }

    fn call(&mut self, c: &CProgram, frame: &Frame, callee: &Callee, args: &[Expr]) -> Run<Value> {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.expr(c, frame, arg)?);
        }
        let id = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => {
                let address = self.number(c, frame, pointer)? as u64;
                let index = address.checked_sub(FUNCTIONS).ok_or(Undefined)?;
                if index >= c.functions.len() as u64 {
                    return Err(Undefined);
                }
                let id = FunctionId::from_u32(index as u32);
                if c.functions[id].params.len() != args.len() {
                    return Err(Undefined);
                }
                self.log.push(Happened::Called {
                    pointer: pointer.id,
                    function: id,
                });
                id
            }
        };
        let function = &c.functions[id];
        if let Some(body) = &function.body {
            let inner = self.frame(c, id);
            for ((param, value), arg) in function.params.iter().zip(&values).zip(args) {
                let object = inner.locals[param];
                match value {
                    Value::Number(number) => {
                        let bytes = c.types.size(arg.ty).ok_or(Undefined)?;
                        self.write(object, 0, bytes, *number as u128);
                    }
                    Value::Record(bytes, _) => {
                        for (index, byte) in bytes.iter().enumerate() {
                            self.write(object, index as u64, 1, u128::from(*byte));
                        }
                    }
                }
            }
            let StmtKind::Block(stmts) = &body.kind else {
                return Err(Undefined);
            };
            for stmt in stmts {
                match &stmt.kind {
                    StmtKind::Expr(expr) => drop(self.expr(c, &inner, expr)?),
                    StmtKind::Return(Some(expr)) => return self.expr(c, &inner, expr),
                    _ => return Err(Undefined),
                }
            }
            return Ok(Value::Number(0));
        }
        let number = |index: usize| match &values[index] {
            Value::Number(number) => *number as u64,
            Value::Record(..) => 0,
        };
        match &*function.name {
            "malloc" => {
                let object = self.allocate(number(0).min(256), None);
                Ok(Value::Number(i128::from(make_address(object, 0, 0))))
            }
            "memcpy" => self.memcpy(args, [number(0), number(1), number(2)]),
            "unknown" => self.unknown(args, &values),
            _ => Err(Undefined),
        }
    }
}

/// The number as a value of this type.
fn fit(c: &CProgram, ty: TypeId, value: i128) -> i128 {
    let (bits, signed) = match c.types.scalar(ty) {
        Some(Scalar::Int { bits, signed }) => (bits, signed),
        Some(Scalar::Pointer) => (64, false),
        _ => return value,
    };
    let low = value & ((1i128 << bits) - 1);
    if signed && (low >> (bits - 1)) & 1 == 1 {
        low - (1i128 << bits)
    } else {
        low
    }
}

/// The scalars that a copy of a record moves; unions as bytes.
fn collect(types: &Types, ty: TypeId, offset: u64, found: &mut Vec<(u64, Scalar, u64, Option<BitField>)>) {
    if let Some(scalar) = types.scalar(ty) {
        found.push((offset, scalar, types.size(ty).unwrap_or(0), None));
        return;
    }
    match types.get(ty) {
        Type::Array { element, length } => {
            let size = types.size(*element).unwrap_or(0);
            (0..length.unwrap_or(0)).for_each(|index| collect(types, *element, offset + index * size, found));
        }
        Type::Record(id) if types.records[*id].is_union => {
            let byte = Scalar::Int {
                bits: 8,
                signed: false,
            };
            found.extend(
                (0..types.records[*id].size.unwrap_or(0)).map(|index| (offset + index, byte, 1, None)),
            );
        }
        Type::Record(id) => {
            for field in &types.records[*id].fields {
                match (field.bits, types.scalar(field.ty)) {
                    (Some(bits), Some(scalar)) => {
                        let size = types.size(field.ty).unwrap_or(0);
                        found.push((offset + field.offset, scalar, size, Some(bits)));
                    }
                    _ => collect(types, field.ty, offset + field.offset, found),
                }
            }
        }
        _ => {}
    }
}

/// The variable that a place is part of, unless it is reached through a pointer.
pub fn variable_of(function: FunctionId, place: &Place) -> Option<Variable> {
    match &place.kind {
        PlaceKind::Local(local) => Some(Variable::Local(function, *local)),
        PlaceKind::Global(id) => Some(Variable::Global(*id)),
        PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => variable_of(function, base),
        _ => None,
    }
}
