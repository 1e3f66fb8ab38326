//! What calls do.

use lariat_c_library::{Effect, Pointers};
use lariat_c_program::{
    Callee, Expr, ExprKind, FunctionId, FunctionType, NodeId, PlaceKind, Purpose, Scalar, Type, TypeId,
};

use crate::Variable;
use crate::accesses::{Slot, Use};
use crate::graph::{Cell, Object};
use crate::layout::constant;
use crate::reach::{Reach, reach};
use crate::values::Collector;

/// An argument as it is given: its value and its type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub id: NodeId,
    pub value: Option<Cell>,
    pub ty: TypeId,
    /// The address of a string literal.
    pub is_string: bool,
    /// What an unknown function can do with it.
    pub reach: Reach,
    pub constant: Option<i128>,
}

/// A call through a pointer, to be bound to its targets as they become known.
#[derive(Clone, Debug)]
pub(crate) struct PointerCall {
    /// The pointer's expression.
    pub pointer: NodeId,
    pub target: Cell,
    pub args: Vec<Argument>,
    pub result: Option<Cell>,
    pub call: NodeId,
    pub ty: TypeId,
    pub bound: Vec<FunctionId>,
    pub is_unknown: bool,
    /// Nothing is known of what it points to.
    pub is_empty: bool,
    /// The type of what is called; `None` in models, which call what they were given.
    pub callee: Option<TypeId>,
}

/// A call of a function that nothing is known of.
#[derive(Clone, Debug)]
pub(crate) struct UnknownCall {
    /// Its number in the graph, which knows what it gets addresses of.
    pub number: usize,
    pub args: Vec<(Cell, Reach)>,
    /// What it returns, if that may be an address.
    pub result: Option<Cell>,
}

impl Collector<'_> {
    pub(crate) fn call(&mut self, expr: &Expr, callee: &Callee, args: &[Expr]) -> Option<Cell> {
        let arguments: Vec<Argument> = args
            .iter()
            .map(|arg| Argument {
                id: arg.id,
                value: self.expr(arg),
                ty: arg.ty,
                is_string: self.is_string(arg),
                reach: reach(self.program, arg),
                constant: constant(&self.program.types, arg),
            })
            .collect();
        match callee {
            Callee::Function(id) => {
                let result = self.fresh_result(expr.ty);
                self.bind(expr.id, *id, &arguments, result, expr.ty);
                result
            }
            Callee::Pointer(pointer) => {
                let target = self.target(pointer);
                self.graph.set_called(target);
                let result = self.fresh_result(expr.ty);
                let functions = &self.program.functions;
                let is_user = |id: FunctionId| functions[id].purpose == Purpose::User;
                let callee = match self.function.is_none_or(is_user) {
                    true => self.program.types.pointee(pointer.ty),
                    false => None,
                };
                self.pointer_calls.push(PointerCall {
                    pointer: pointer.id,
                    target,
                    args: arguments,
                    result,
                    call: expr.id,
                    ty: expr.ty,
                    bound: Vec::new(),
                    is_unknown: false,
                    is_empty: false,
                    callee,
                });
                result
            }
        }
    }

    fn fresh_result(&mut self, ty: TypeId) -> Option<Cell> {
        if self.holds_address(ty) {
            Some(self.graph.fresh())
        } else if self.is_scalar(ty) || matches!(self.program.types.get(ty), Type::Void) {
            None
        } else {
            Some(self.graph.fresh_value())
        }
    }

    fn is_string(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Convert(operand) => self.is_string(operand),
            ExprKind::AddressOf(place) => {
                let mut place = place;
                while let PlaceKind::Index { base, .. } = &place.kind {
                    place = base;
                }
                matches!(&place.kind, PlaceKind::Global(id) if self.program.globals[*id].is_string)
            }
            _ => false,
        }
    }

    pub(crate) fn function_type(&self, id: FunctionId) -> Option<&FunctionType> {
        match self.program.types.get(self.program.functions[id].ty) {
            Type::Function(ty) => Some(ty),
            _ => None,
        }
    }

    /// The function is called with these arguments.
    pub(crate) fn bind(
        &mut self,
        call: NodeId,
        id: FunctionId,
        args: &[Argument],
        result: Option<Cell>,
        ty: TypeId,
    ) {
        let function = &self.program.functions[id];
        if function.body.is_none() {
            self.library_call(call, &function.name, args, result, ty);
            return;
        }
        let params = &function.params;
        for (&param, arg) in params.iter().zip(args) {
            let cell = self.variable(Variable::Local(id, param));
            let ty = function.locals[param].ty;
            self.pass(cell, ty, arg, Use::Write);
        }
        if self.function_type(id).is_some_and(|ty| ty.variadic) {
            for arg in args.iter().skip(params.len()) {
                self.pass_extra(arg);
            }
        }
        if let (Some(result), Some(given)) = (result, self.results[id]) {
            if self.holds_address(ty) {
                let given = self.graph.edge(given);
                self.graph.unify(result, given);
            } else {
                self.copy_record(result, given, ty);
            }
        }
    }

    fn pass(&mut self, cell: Cell, ty: TypeId, arg: &Argument, how: Use) {
        if self.is_scalar(ty) {
            let slot = Slot {
                cell,
                bits: None,
                label: None,
            };
            self.store(slot, ty, arg.value.filter(|_| self.is_scalar(arg.ty)), how);
        } else if let Some(value) = arg.value {
            self.copy_record(cell, value, ty);
        }
    }

    fn pass_extra(&mut self, arg: &Argument) {
        let mut arg = *arg;
        if !self.references.reads_pointer_arguments && self.is_scalar(arg.ty) {
            arg.value = None;
        }
        self.pass(self.varargs, arg.ty, &arg, Use::Write);
    }

    pub(crate) fn va_arg(&mut self, list: &Expr, ty: TypeId) -> Option<Cell> {
        let list = self.target(list);
        self.list_of(list);
        let slot = Slot {
            cell: self.varargs,
            bits: None,
            label: None,
        };
        if self.is_scalar(ty) {
            return self.load(slot, ty);
        }
        self.touch_record(self.varargs, ty, Use::Copy);
        Some(self.varargs)
    }

    /// A `va_list` lies there.
    fn list_of(&mut self, list: Cell) {
        let slot = Slot {
            cell: list,
            bits: None,
            label: None,
        };
        let scalar = Scalar::Pointer;
        let bytes = self.graph.pointer_bytes();
        self.touch(slot, scalar, bytes, Use::Read);
        self.touch(slot, scalar, bytes, Use::Write);
        let target = self.graph.edge(list);
        self.graph.unify(target, self.varargs);
    }

    pub(crate) fn give_back(&mut self, expr: &Expr) {
        let value = self.expr(expr);
        let Some(result) = self.function.and_then(|id| self.results[id]) else {
            return;
        };
        if self.is_scalar(expr.ty) {
            if let Some(value) = value.filter(|_| self.holds_address(expr.ty)) {
                let target = self.graph.edge(result);
                self.graph.unify(target, value);
            }
        } else if let Some(value) = value {
            self.copy_record(result, value, expr.ty);
        }
    }

    fn library_call(
        &mut self,
        call: NodeId,
        name: &str,
        args: &[Argument],
        result: Option<Cell>,
        ty: TypeId,
    ) {
        let value = |index: usize| args.get(index).and_then(|arg| arg.value);
        let Effect { pointers, writes } = lariat_c_library::effect(name);
        match pointers {
            Pointers::Allocate | Pointers::Reallocate => {
                if let Some(result) = result {
                    self.graph.add_object(result, Object::Heap(call));
                    if let (Pointers::Reallocate, Some(old)) = (pointers, value(0)) {
                        self.graph.unify(result, old);
                    }
                }
            }
            Pointers::Plain => {
                if writes {
                    args.iter()
                        .filter_map(|arg| arg.value)
                        .for_each(|cell| self.graph.set_filled(cell));
                }
                self.set_external(result, ty);
            }
            Pointers::ReturnsFirst => self.same(result, value(0)),
            Pointers::ReturnsInsideFirst => {
                self.same(result, value(0));
                if let Some(result) = result {
                    self.graph.fold(result, 1);
                }
            }
            Pointers::Copy | Pointers::CopyBack => {
                for cell in [value(0), value(1)].into_iter().flatten() {
                    self.touch_bytes(cell, args.get(2));
                }
                if let (Some(left), Some(right)) = (value(0), value(1)) {
                    self.graph.unify(left, right);
                }
                self.same(result, value(0));
            }
            Pointers::SetBytes => {
                if let Some(cell) = value(0) {
                    self.touch_bytes(cell, args.last());
                }
                self.same(result, value(0));
            }
            Pointers::FillBytes => {
                if let Some(cell) = value(0) {
                    self.touch_bytes(cell, args.last());
                    self.graph.set_filled(cell);
                }
                self.same(result, value(0));
            }
            Pointers::ExposesFirst => {
                if let Some(cell) = value(0) {
                    self.graph.set_exposed(cell);
                }
            }
            Pointers::Forges => {
                if let Some(cell) = result {
                    self.graph.set_forged(cell);
                }
            }
            Pointers::ComputesIntoThird => {
                let computed = self.either(value(0), value(1));
                let computed = self.somewhere_in(computed);
                let target = args.get(2).and_then(|arg| Some((arg.value?, arg.ty)));
                if let Some((cell, ty)) = target
                    && let Some(pointee) = self.program.types.pointee(ty)
                {
                    let slot = Slot {
                        cell,
                        bits: None,
                        label: None,
                    };
                    self.store(slot, pointee, computed, Use::Write);
                }
            }
            Pointers::CompareBytes => {
                for cell in [value(0), value(1)].into_iter().flatten() {
                    self.touch_bytes(cell, args.get(2));
                }
            }
            Pointers::StoresFirstInSecond => {
                if let (Some(text), Some(end)) = (value(0), value(1)) {
                    self.graph.fold(text, 1);
                    let slot = Slot {
                        cell: end,
                        bits: None,
                        label: None,
                    };
                    let bytes = self.graph.pointer_bytes();
                    self.touch(slot, Scalar::Pointer, bytes, Use::Write);
                    let target = self.graph.edge(end);
                    self.graph.unify(target, text);
                }
            }
            Pointers::VaStart | Pointers::VaCopy => {
                let lists = if pointers == Pointers::VaCopy { 2 } else { 1 };
                for list in args.iter().take(lists) {
                    match (list.value, self.program.types.get(list.ty)) {
                        // The list itself is the argument: its value is what it points to.
                        (Some(target), Type::VaList) => self.graph.unify(target, self.varargs),
                        (Some(list), _) => self.list_of(list),
                        (None, _) => {}
                    }
                }
            }
            Pointers::Unknown => {
                let given = args.iter().filter(|arg| !arg.is_string);
                self.unknown_call(given.copied().collect::<Vec<_>>().as_slice(), result, ty);
            }
        }
    }

    /// Of an address the result is external memory; of a record, whatever in it is an address.
    fn set_external(&mut self, result: Option<Cell>, ty: TypeId) {
        let Some(result) = result else { return };
        if self.is_scalar(ty) {
            if self.program.types.pointee(ty).is_some() {
                self.graph.unify(result, self.graph.external());
            } else {
                self.graph.set_forged(result);
            }
        } else {
            self.graph.set_external(result);
        }
    }

    pub(crate) fn unknown_call(&mut self, args: &[Argument], result: Option<Cell>, ty: TypeId) {
        self.given
            .extend(args.iter().filter_map(|arg| Some((arg.id, arg.value?))));
        let args: Vec<(Cell, Reach)> = args
            .iter()
            .filter_map(|arg| Some((arg.value?, arg.reach)))
            .collect();
        for &(cell, reach) in &args {
            if let Reach::Numbers { bytes, .. } = reach
                && bytes >= self.graph.pointer_bytes()
            {
                let stored = self.graph.edge(cell);
                self.graph.set_forged(stored);
            }
        }
        let given = args.iter().map(|(cell, _)| *cell).collect();
        let is_scalar = self.is_scalar(ty);
        let number = self.graph.add_call(given);
        self.unknown_calls.push(UnknownCall {
            number,
            args,
            result: result.filter(|_| is_scalar),
        });
        if !is_scalar {
            self.set_external(result, ty);
        }
    }

    fn same(&mut self, result: Option<Cell>, value: Option<Cell>) {
        if let (Some(result), Some(value)) = (result, value) {
            self.graph.unify(result, value);
        }
    }

    /// `size` bytes from there are read or written one by one.
    fn touch_bytes(&mut self, cell: Cell, size: Option<&Argument>) {
        match size
            .and_then(|size| size.constant)
            .and_then(|size| u64::try_from(size).ok())
        {
            Some(0) => {}
            Some(size) => self.touch_raw(cell, size),
            None => {
                self.graph.fold(cell, 1);
                self.touch_raw(cell, 1);
            }
        }
    }
}
