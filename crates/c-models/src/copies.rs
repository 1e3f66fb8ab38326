//! Copies of models, one for each call.
//!
//! The analysis of pointers does not tell the calls of a function apart, so that all strings of a program would be one if
//! all calls of `strlen` went to one function. Invariants: a copy has the name of its original and nodes of its own;
//! static variables are shared; a model that calls itself, whose address is taken, or that has no pointers is itself
//! called; the models that a copy calls are copied in their turn, when its body is bound.

use std::collections::VecDeque;

use lariat_c_program::{
    AssignOp, CProgram, Callee, Edited, Expr, ExprKind, Function, FunctionId, FunctionType, Node, PlaceKind,
    Purpose, RecordId, StmtKind, Type, TypeId, edit_stmt, visit_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many copies are made of one model; further calls share the original.
const MOST_COPIES: usize = 200;

/// A type of a model that is another one in a copy.
pub(crate) type Substitution = (RecordId, TypeId);

pub(crate) struct Copies {
    /// Models as they were read, of which there is a use.
    pristine: FxHashMap<FunctionId, Function>,
    copies: FxHashMap<FunctionId, usize>,
    substituted: FxHashMap<(FunctionId, TypeId), FunctionId>,
    /// Originals that are used as they are.
    originals: FxHashSet<FunctionId>,
    recursive: FxHashSet<FunctionId>,
    addressed: FxHashSet<FunctionId>,
    /// Used models whose bodies are not bound yet.
    waiting: VecDeque<FunctionId>,
}

impl Copies {
    /// `addressed`: models that pointers may go to.
    pub fn new(program: &CProgram, addressed: FxHashSet<FunctionId>) -> Self {
        Copies {
            pristine: FxHashMap::default(),
            copies: FxHashMap::default(),
            substituted: FxHashMap::default(),
            originals: FxHashSet::default(),
            recursive: recursive_models(program),
            addressed,
            waiting: VecDeque::new(),
        }
    }

    /// The next model whose body is to be bound.
    pub fn next(&mut self) -> Option<FunctionId> {
        self.waiting.pop_front()
    }

    /// How many functions are this model.
    pub fn count(&self, model: FunctionId) -> usize {
        self.copies.get(&model).copied().unwrap_or(0) + usize::from(self.originals.contains(&model))
    }

    pub fn is_used(&self, model: FunctionId) -> bool {
        self.originals.contains(&model)
    }

    /// The model itself.
    pub fn original(&mut self, program: &CProgram, model: FunctionId) -> FunctionId {
        if self.originals.insert(model) {
            self.keep(program, model);
            self.waiting.push_back(model);
        }
        model
    }

    fn keep(&mut self, program: &CProgram, model: FunctionId) {
        self.pristine
            .entry(model)
            .or_insert_with(|| program.functions[model].clone());
    }

    /// The function for one more call of a model.
    pub fn for_call(&mut self, program: &mut CProgram, model: FunctionId) -> FunctionId {
        let is_shared = self.recursive.contains(&model)
            || !has_pointers(program, model)
            || self.count(model) >= MOST_COPIES
            || (!self.originals.contains(&model) && !self.addressed.contains(&model));
        if is_shared {
            return self.original(program, model);
        }
        self.copy(program, model, None)
    }

    /// The function for one more call of a model in which a type is another one.
    pub fn for_call_with(
        &mut self,
        program: &mut CProgram,
        model: FunctionId,
        substitution: Substitution,
    ) -> FunctionId {
        let key = (model, substitution.1);
        if self.count(model) >= MOST_COPIES
            && let Some(&shared) = self.substituted.get(&key)
        {
            return shared;
        }
        let copy = self.copy(program, model, Some(substitution));
        self.substituted.insert(key, copy);
        copy
    }

    fn copy(
        &mut self,
        program: &mut CProgram,
        model: FunctionId,
        substitution: Option<Substitution>,
    ) -> FunctionId {
        self.keep(program, model);
        *self.copies.entry(model).or_insert(0) += 1;
        let mut function = self.pristine[&model].clone();
        let mut types = MappedTypes {
            substitution,
            known: FxHashMap::default(),
        };
        function.ty = types.map(program, function.ty);
        for local in function.locals.values_mut() {
            local.ty = types.map(program, local.ty);
        }
        let mut body = function.body.take();
        if let Some(body) = &mut body {
            edit_stmt(body, &mut |node| renew(program, &mut types, node));
        }
        function.body = body;
        let id = program.functions.push(function);
        self.waiting.push_back(id);
        id
    }
}

/// Whether pointers come in or go out, so that calls are to be told apart.
fn has_pointers(program: &CProgram, model: FunctionId) -> bool {
    let function = &program.functions[model];
    let types = &program.types;
    let result = match types.get(function.ty) {
        Type::Function(function) => types.pointee(function.result).is_some(),
        _ => false,
    };
    let params = function.params.iter();
    result || { params }.any(|&param| types.scalar(function.locals[param].ty).is_none_or(is_pointer))
}

fn is_pointer(scalar: lariat_c_program::Scalar) -> bool {
    scalar == lariat_c_program::Scalar::Pointer
}

/// A fresh number for a node, and the types of the copy.
fn renew(program: &mut CProgram, types: &mut MappedTypes, node: Edited<'_>) {
    match node {
        Edited::Expr(expr) => {
            expr.id = program.fresh_node();
            if types.substitution.is_none() {
                return;
            }
            expr.ty = types.map(program, expr.ty);
            match &mut expr.kind {
                ExprKind::PointerAdd { pointer, element, .. } => resize(program, pointer.ty, element),
                ExprKind::PointerDifference { left, element, .. } => resize(program, left.ty, element),
                ExprKind::CompoundAssign {
                    place,
                    op,
                    computation,
                    ..
                } => {
                    *computation = types.map(program, *computation);
                    if let AssignOp::Pointer { element, .. } = op {
                        resize(program, place.ty, element);
                    }
                }
                _ => {}
            }
        }
        Edited::Place(place) => {
            place.id = program.fresh_node();
            place.ty = types.map(program, place.ty);
            if let (PlaceKind::Member { record, .. }, Some((from, to))) =
                (&mut place.kind, types.substitution)
                && *record == from
                && let Some(to) = program.types.record_of(to)
            {
                *record = to;
            }
        }
        // `T zero = {}` sets no parts: what parts there are is not known.
        Edited::Stmt(stmt) => {
            if let (StmtKind::Declare { init: Some(init), .. }, Some(_)) =
                (&mut stmt.kind, types.substitution)
                && init.zero
            {
                init.items.clear();
            }
        }
    }
}

/// The size of a pointer's target, which may be another type now.
fn resize(program: &CProgram, pointer: TypeId, element: &mut Expr) {
    let target = program.types.pointee(pointer);
    if let (Some(size), ExprKind::Int(value)) = (
        target.and_then(|target| program.types.size(target)),
        &mut element.kind,
    ) {
        *value = size.into();
    }
}

struct MappedTypes {
    substitution: Option<Substitution>,
    known: FxHashMap<TypeId, TypeId>,
}

impl MappedTypes {
    /// The type in the copy. The depth of the recursion is that of one type.
    fn map(&mut self, program: &mut CProgram, ty: TypeId) -> TypeId {
        let Some((from, to)) = self.substitution else {
            return ty;
        };
        if let Some(&known) = self.known.get(&ty) {
            return known;
        }
        let mapped = match program.types.get(ty).clone() {
            Type::Record(record) if record == from => to,
            Type::Pointer(target) => {
                let target = self.map(program, target);
                program.types.pointer_to(target)
            }
            Type::Array { element, length } => {
                let element = self.map(program, element);
                program.types.intern(Type::Array { element, length })
            }
            Type::VariableArray { element } => {
                let element = self.map(program, element);
                program.types.intern(Type::VariableArray { element })
            }
            Type::Function(function) => {
                let result = self.map(program, function.result);
                let params = function
                    .params
                    .iter()
                    .map(|&param| self.map(program, param))
                    .collect();
                program.types.intern(Type::Function(FunctionType {
                    result,
                    params,
                    ..function
                }))
            }
            _ => ty,
        };
        self.known.insert(ty, mapped);
        mapped
    }
}

/// Models from which a chain of calls leads back to them.
fn recursive_models(program: &CProgram) -> FxHashSet<FunctionId> {
    let mut calls: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (id, function) in program.functions.iter() {
        let Some(body) = function
            .body
            .as_ref()
            .filter(|_| function.purpose == Purpose::Model)
        else {
            continue;
        };
        let called = calls.entry(id).or_default();
        visit_stmt(body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Call {
                    callee: Callee::Function(callee),
                    ..
                } = &expr.kind
            {
                called.push(*callee);
            }
        });
    }
    let reaches_itself = |&start: &FunctionId| {
        let mut seen = FxHashSet::default();
        let mut waiting = calls[&start].clone();
        while let Some(function) = waiting.pop() {
            if function == start {
                return true;
            }
            if seen.insert(function) {
                waiting.extend(calls.get(&function).into_iter().flatten());
            }
        }
        false
    };
    calls.keys().copied().filter(reaches_itself).collect()
}
