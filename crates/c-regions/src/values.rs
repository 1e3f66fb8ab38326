//! What expressions evaluate to and where places are.
//!
//! The value of a scalar expression is the cell that it points to if it is an address, or `None` if it certainly is no
//! address. The value of an expression of record type is the cell where the record lies.

use cranelift_entity::SecondaryMap;
use lariat_c_program::{
    AssignOp, BinaryOp, CProgram, Expr, ExprKind, FunctionId, GlobalId, NodeId, Place, PlaceKind, Scalar,
    Type, TypeId, Types,
};

use rustc_hash::FxHashMap;

use crate::Variable;
use crate::accesses::{Slot, Use};
use crate::calls::{PointerCall, UnknownCall};
use crate::graph::{Cell, Graph, Object};
use crate::layout::{constant, is_no_address, may_hold_address, stored_scalar};
use crate::references::References;

pub(crate) struct Collector<'a> {
    pub program: &'a CProgram,
    pub references: &'a References,
    pub graph: Graph,
    pub locals: SecondaryMap<FunctionId, Vec<Cell>>,
    pub globals: SecondaryMap<GlobalId, Option<Cell>>,
    pub functions: SecondaryMap<FunctionId, Option<Cell>>,
    /// What functions return, as values.
    pub results: SecondaryMap<FunctionId, Option<Cell>>,
    pub values: SecondaryMap<NodeId, Option<Cell>>,
    pub varargs: Cell,
    pub pointer_calls: Vec<PointerCall>,
    pub unknown_calls: Vec<UnknownCall>,
    /// The arguments of unknown functions.
    pub given: Vec<(NodeId, Cell)>,
    /// For each of those the functions that it leads to as far as the program itself shows.
    pub callbacks: FxHashMap<NodeId, Vec<FunctionId>>,
    /// Bytes that are copied between places: the pointers in them are the same.
    pub transfers: Vec<(Cell, Cell, u64)>,
    /// Addresses that are compared.
    pub comparisons: Vec<(Cell, Cell)>,
    pub function: Option<FunctionId>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(program: &'a CProgram, references: &'a References) -> Self {
        let mut graph = Graph::new(program.types.machine.pointer_bytes());
        let varargs = graph.fresh();
        graph.add_object(varargs, Object::Varargs);
        graph.fold(varargs, 8);
        let mut collector = Collector {
            program,
            references,
            graph,
            locals: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            functions: SecondaryMap::new(),
            results: SecondaryMap::new(),
            values: SecondaryMap::new(),
            varargs,
            pointer_calls: Vec::new(),
            unknown_calls: Vec::new(),
            given: Vec::new(),
            callbacks: FxHashMap::default(),
            transfers: Vec::new(),
            comparisons: Vec::new(),
            function: None,
        };
        for id in program.globals.keys() {
            collector.globals[id] = Some(collector.object(Variable::Global(id)));
        }
        for (id, function) in program.functions.iter() {
            let cell = collector.graph.fresh();
            collector.graph.add_function(cell, id);
            collector.functions[id] = Some(cell);
            collector.results[id] = Some(collector.graph.fresh_value());
            if references.live[id] {
                let locals = function.locals.keys();
                collector.locals[id] = locals
                    .map(|local| collector.object(Variable::Local(id, local)))
                    .collect();
            }
        }
        collector
    }

    fn object(&mut self, variable: Variable) -> Cell {
        if self.references.split.contains(&variable) {
            return self.graph.fresh_value();
        }
        let cell = self.graph.fresh();
        self.graph.add_object(cell, Object::Variable(variable));
        cell
    }

    pub(crate) fn variable(&mut self, variable: Variable) -> Cell {
        let known = match variable {
            Variable::Global(id) => self.globals[id],
            Variable::Local(function, local) => self.locals[function].get(local.as_u32() as usize).copied(),
        };
        known.unwrap_or_else(|| self.graph.external())
    }

    pub(crate) fn holds_address(&self, ty: TypeId) -> bool {
        stored_scalar(&self.program.types, ty)
            .is_some_and(|(scalar, _)| may_hold_address(&self.program.types, scalar))
    }

    pub(crate) fn is_scalar(&self, ty: TypeId) -> bool {
        stored_scalar(&self.program.types, ty).is_some()
    }

    /// The place a pointer-valued expression points to.
    pub(crate) fn target(&mut self, expr: &Expr) -> Cell {
        match self.expr(expr) {
            Some(cell) => cell,
            None => {
                // Null, or a number near it: nothing is there, and nothing else can be met there.
                let cell = self.graph.fresh();
                self.values[expr.id] = Some(cell);
                cell
            }
        }
    }

    /// The cell of a value of record type.
    pub(crate) fn record(&mut self, expr: &Expr) -> Cell {
        match self.expr(expr) {
            Some(cell) => cell,
            None => self.graph.fresh_value(),
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr) -> Option<Cell> {
        let value = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_inner(expr));
        self.values[expr.id] = value;
        value
    }

    fn expr_inner(&mut self, expr: &Expr) -> Option<Cell> {
        match &expr.kind {
            ExprKind::Int(_) => {
                let is_pointer = self.program.types.pointee(expr.ty).is_some();
                let value = constant(&self.program.types, expr);
                let somewhere = value.is_none_or(|value| !is_no_address(&self.program.types, value));
                let pointee = self.program.types.pointee(expr.ty);
                let is_function =
                    pointee.is_some_and(|target| matches!(self.program.types.get(target), Type::Function(_)));
                if is_function && somewhere {
                    // A number is no function.
                    return Some(self.graph.fresh());
                }
                (is_pointer && somewhere).then(|| self.graph.external())
            }
            ExprKind::Float(_) | ExprKind::LabelAddress(_) | ExprKind::SizeOfLocal(_) => None,
            ExprKind::Load(place) => {
                let slot = self.place(place);
                if self.is_scalar(expr.ty) {
                    self.load(slot, expr.ty)
                } else {
                    self.touch_record(slot.cell, expr.ty, Use::Copy);
                    Some(slot.cell)
                }
            }
            ExprKind::AddressOf(place) => Some(self.place(place).cell),
            ExprKind::FunctionAddress(id) => self.functions[*id],
            ExprKind::Unary { operand, .. } => {
                let value = self.expr(operand);
                self.somewhere_in(value)
            }
            ExprKind::Binary { op, left, right } => self.binary(expr, *op, left, right),
            ExprKind::Compare { left, right, .. } => {
                let sides = [self.test(left), self.test(right)];
                if let [Some(left), Some(right)] = sides {
                    self.comparisons.push((left, right));
                }
                None
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.test(left);
                self.test(right);
                None
            }
            ExprKind::Not(operand) => {
                self.test(operand);
                None
            }
            ExprKind::PointerAdd {
                pointer,
                index,
                subtract,
                element,
            } => {
                let base = self.expr(pointer);
                let from_index = self.expr(index);
                self.expr(element);
                match base {
                    Some(base) => Some(self.moved(base, index, *subtract, element)),
                    // A number written as an index of null.
                    None => self.somewhere_in(from_index),
                }
            }
            ExprKind::PointerDifference { left, right, element } => {
                let sides = (self.expr(left), self.expr(right));
                self.expr(element);
                match sides {
                    // The distance from null is an address.
                    (Some(address), None) | (None, Some(address)) => {
                        self.graph.set_exposed(address);
                        self.somewhere_in(Some(address))
                    }
                    _ => None,
                }
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.test(condition);
                let then = match then {
                    Some(then) => self.expr(then),
                    None => condition.filter(|_| self.holds_address(expr.ty)),
                };
                let otherwise = self.expr(otherwise);
                if self.is_scalar(expr.ty) || matches!(self.program.types.get(expr.ty), Type::Void) {
                    self.either(then, otherwise)
                } else {
                    let both = self.graph.fresh_value();
                    for side in [then, otherwise].into_iter().flatten() {
                        self.copy_record(both, side, expr.ty);
                    }
                    Some(both)
                }
            }
            ExprKind::Convert(operand) => self.convert(expr, operand),
            ExprKind::Assign { place, value } => {
                let slot = self.place(place);
                if let Some(source) = self.narrow_source(place, value) {
                    self.copy_bytes(slot, source, place.ty);
                    return None;
                }
                let is_constant = constant(&self.program.types, value).is_some();
                let value = self.expr(value);
                if self.is_scalar(place.ty) {
                    let how = if is_constant { Use::Paste } else { Use::Write };
                    self.store(slot, place.ty, value, how);
                } else if let Some(value) = value {
                    self.copy_record(slot.cell, value, place.ty);
                }
                value
            }
            ExprKind::CompoundAssign {
                place,
                op,
                operand,
                computation,
            } => self.compound(place, op, operand, *computation),
            ExprKind::Step { place, .. } => {
                let slot = self.place(place);
                let old = self.load(slot, place.ty)?;
                let step = match self.program.types.pointee(place.ty) {
                    Some(pointee) => self.program.types.size(pointee).unwrap_or(1),
                    None => 1,
                };
                self.graph.fold(old, step);
                self.store(slot, place.ty, Some(old), Use::Write);
                Some(old)
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::Comma(left, right) => {
                self.expr(left);
                self.expr(right)
            }
            ExprKind::Statements(stmts) => self.statements_value(stmts),
            ExprKind::VaArg(list) => self.va_arg(list, expr.ty),
            ExprKind::Unsupported(_) => self.holds_address(expr.ty).then(|| self.graph.external()),
        }
    }

    /// The value of an expression whose result decides something: whoever sees which way it went may put a number together
    /// bit by bit.
    pub(crate) fn test(&mut self, expr: &Expr) -> Option<Cell> {
        let value = self.expr(expr);
        let is_number = self.is_scalar(expr.ty) && self.program.types.pointee(expr.ty).is_none();
        if let Some(address) = value.filter(|_| is_number) {
            self.graph.set_exposed(address);
        }
        value
    }

    /// The place whose bits an assignment of a number that is too narrow for an address moves as they are: `*to = *from`.
    fn narrow_source<'e>(&self, place: &Place, value: &'e Expr) -> Option<&'e Place> {
        let types = &self.program.types;
        let (scalar, bytes) = stored_scalar(types, place.ty)?;
        if may_hold_address(types, scalar) {
            return None;
        }
        let mut value = value;
        loop {
            match (&value.kind, types.scalar(value.ty)?) {
                (ExprKind::Load(source), Scalar::Int { bits, .. }) => {
                    return (u64::from(bits) == bytes * 8 && !is_bit_field(types, source)).then_some(source);
                }
                (ExprKind::Convert(operand), Scalar::Int { bits, .. }) if u64::from(bits) >= bytes * 8 => {
                    value = operand;
                }
                _ => return None,
            }
        }
    }

    fn copy_bytes(&mut self, target: Slot, source: &Place, ty: TypeId) {
        let Some((scalar, bytes)) = stored_scalar(&self.program.types, ty) else {
            return;
        };
        let from = self.place(source);
        let source_scalar = self.program.types.scalar(source.ty).unwrap_or(scalar);
        self.touch(from, source_scalar, bytes, Use::Copy);
        self.touch(target, scalar, bytes, Use::Paste);
        if target.bits.is_none() {
            self.transfers.push((target.cell, from.cell, bytes));
        }
    }

    pub(crate) fn either(&mut self, left: Option<Cell>, right: Option<Cell>) -> Option<Cell> {
        if let (Some(left), Some(right)) = (left, right) {
            self.graph.unify(left, right);
        }
        left.or(right)
    }

    /// An address computed from one of these in an unknown way.
    pub(crate) fn somewhere_in(&mut self, value: Option<Cell>) -> Option<Cell> {
        let cell = value?;
        self.graph.fold(cell, 1);
        Some(cell)
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Cell> {
        let types = &self.program.types;
        let [known_left, known_right] = [left, right].map(|side| constant(types, side));
        let [value_left, value_right] = [left, right].map(|side| self.expr(side));
        if !self.holds_address(expr.ty) {
            return None;
        }
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            // Parts of it may go ways that are not followed.
            for address in [value_left, value_right].into_iter().flatten() {
                self.graph.set_exposed(address);
            }
        }
        let exact = |constant: i128| i64::try_from(constant).ok();
        match (op, known_left, known_right) {
            (BinaryOp::Add, _, Some(number)) if value_left.is_some() => {
                let by = exact(number)?;
                value_left.map(|cell| cell.plus(by))
            }
            (BinaryOp::Add, Some(number), _) if value_right.is_some() => {
                let by = exact(number)?;
                value_right.map(|cell| cell.plus(by))
            }
            (BinaryOp::Sub, _, Some(number)) if value_left.is_some() => {
                let by = exact(number)?;
                value_left.map(|cell| cell.plus(by.wrapping_neg()))
            }
            // What is left of an address by a small mask is less than any address.
            (BinaryOp::BitAnd, Some(mask), _) | (BinaryOp::BitAnd, _, Some(mask))
                if (0..4096).contains(&mask) =>
            {
                None
            }
            (BinaryOp::Shl | BinaryOp::Shr, _, _) => self.somewhere_in(value_left),
            _ => {
                let value = self.either(value_left, value_right);
                self.somewhere_in(value)
            }
        }
    }

    /// `base` plus or minus `index` elements.
    fn moved(&mut self, base: Cell, index: &Expr, subtract: bool, element: &Expr) -> Cell {
        let types = &self.program.types;
        let element = constant(types, element).and_then(|size| i64::try_from(size).ok());
        let index = constant(types, index).and_then(|index| i64::try_from(index).ok());
        match (element, index) {
            (Some(element), Some(index)) => {
                let by = element.wrapping_mul(index);
                base.plus(if subtract { by.wrapping_neg() } else { by })
            }
            (Some(element), None) => {
                self.graph.fold(base, element.unsigned_abs());
                base
            }
            (None, _) => {
                self.graph.fold(base, 1);
                base
            }
        }
    }

    fn convert(&mut self, expr: &Expr, operand: &Expr) -> Option<Cell> {
        let value = self.expr(operand);
        let types = &self.program.types;
        if !self.is_scalar(expr.ty) {
            // To `void`, or a record to itself.
            return value.filter(|_| expr.ty == operand.ty);
        }
        let is_pointer = |ty| types.pointee(ty).is_some();
        if let Some(number) = constant(types, expr) {
            let somewhere = is_pointer(expr.ty) && !is_pointer(operand.ty) && !is_no_address(types, number);
            return if somewhere {
                Some(self.graph.external())
            } else {
                value
            };
        }
        match (self.holds_address(operand.ty), self.holds_address(expr.ty)) {
            (true, true) => match value {
                Some(address) => {
                    if is_pointer(operand.ty) && !is_pointer(expr.ty) {
                        self.graph.set_exposed(address);
                    }
                    value
                }
                // A number that is computed from no address that is known.
                None if is_pointer(expr.ty) && !is_pointer(operand.ty) && !is_truth_value(operand) => {
                    let cell = self.graph.fresh();
                    self.graph.set_forged(cell);
                    Some(cell)
                }
                None => None,
            },
            (true, false) => {
                if let Some(cell) = value.filter(|_| types.scalar(expr.ty) != Some(Scalar::Bool)) {
                    self.graph.set_exposed(cell);
                }
                None
            }
            (false, true) if is_truth_value(operand) => None,
            (false, true) => {
                let cell = self.graph.fresh();
                self.graph.set_forged(cell);
                Some(cell)
            }
            (false, false) => None,
        }
    }

    fn compound(
        &mut self,
        place: &Place,
        op: &AssignOp,
        operand: &Expr,
        computation: TypeId,
    ) -> Option<Cell> {
        let slot = self.place(place);
        let old = self.load(slot, place.ty);
        let by = self.expr(operand);
        let new = match op {
            AssignOp::Pointer { subtract, element } => {
                self.expr(element);
                old.map(|old| self.moved(old, operand, *subtract, element))
            }
            AssignOp::Arithmetic(_) if self.holds_address(computation) => {
                let value = match old {
                    Some(_) => self.either(old, by),
                    // The place is narrow: what it was never held a whole address.
                    None => by,
                };
                let value = self.somewhere_in(value);
                if let Some(cell) = value.filter(|_| !self.holds_address(place.ty)) {
                    self.graph.set_exposed(cell);
                }
                value
            }
            AssignOp::Arithmetic(_) => None,
        };
        let new = new.filter(|_| self.holds_address(place.ty));
        self.store(slot, place.ty, new, Use::Write);
        new
    }

    pub(crate) fn place(&mut self, place: &Place) -> Slot {
        let slot = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.place_inner(place));
        self.values[place.id] = Some(slot.cell);
        slot
    }

    fn place_inner(&mut self, place: &Place) -> Slot {
        let cell = match &place.kind {
            PlaceKind::Local(local) => match self.function {
                Some(function) => self.variable(Variable::Local(function, *local)),
                None => self.graph.external(),
            },
            PlaceKind::Global(id) => self.variable(Variable::Global(*id)),
            PlaceKind::Deref(pointer) => self.target(pointer),
            PlaceKind::Member { base, record, field } => {
                let base = self.place(base);
                let label = Some((*record, *field));
                let Some(field) = self.program.types.records[*record].fields.get(*field as usize) else {
                    return base;
                };
                return Slot {
                    cell: base.cell.plus(field.offset as i64),
                    bits: field.bits,
                    label,
                };
            }
            PlaceKind::Index { base, index } => {
                let slot = self.place(base);
                self.expr(index);
                let types = &self.program.types;
                let element = types.size(place.ty);
                let index = constant(types, index).and_then(|index| i64::try_from(index).ok());
                let cell = match (element, index) {
                    (Some(element), Some(index)) => slot.cell.plus(index.wrapping_mul(element as i64)),
                    _ => {
                        self.graph.fold(slot.cell, element.unwrap_or(1));
                        slot.cell
                    }
                };
                return Slot {
                    cell,
                    bits: None,
                    label: slot.label,
                };
            }
            PlaceKind::CompoundLiteral { local, init } => {
                let cell = match self.function {
                    Some(function) => self.variable(Variable::Local(function, *local)),
                    None => self.graph.external(),
                };
                self.initialize(cell, place.ty, init);
                cell
            }
            PlaceKind::Temporary(value) => self.record(value),
        };
        Slot {
            cell,
            bits: None,
            label: None,
        }
    }
}

fn is_bit_field(types: &Types, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Member { record, field, .. } => {
            let field = types.records[*record].fields.get(*field as usize);
            field.is_some_and(|field| field.bits.is_some())
        }
        _ => false,
    }
}

/// 0 or 1, or a constant: no part of an address.
fn is_truth_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare { .. }
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Not(_)
        | ExprKind::Int(_) => true,
        ExprKind::Convert(operand) => is_truth_value(operand),
        _ => false,
    }
}
