//! Checks the rules of a program that its types do not enforce; crates that make or change programs use it in tests.
//!
//! - every node has a unique id;
//! - operands have the types that [`crate::ExprKind`] and [`crate::PlaceKind`] say;
//! - constants lie in the range of their type.
//!
//! Nodes of types that are not modelled are not looked at.

use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use crate::expr::{AssignOp, BinaryOp, Callee, Expr, ExprKind, Place, PlaceKind};
use crate::program::{CProgram, Function};
use crate::text::{print_expr, print_place};
use crate::types::{IntKind, Scalar, Type, TypeId, Types};
use crate::walk::{Node, visit_initializer, visit_stmt};

/// What is wrong with a program, in words; empty if nothing is.
pub fn check_program(program: &CProgram) -> Vec<String> {
    let mut check = Check {
        program,
        seen: FxHashSet::default(),
        problems: Vec::new(),
    };
    for global in program.globals.values() {
        if let Some(init) = &global.init {
            let function = global.function.map(|function| &program.functions[function]);
            visit_initializer(init, &mut |node| check.node(function, node));
        }
    }
    for function in program.functions.values() {
        if let Some(body) = &function.body {
            visit_stmt(body, &mut |node| check.node(Some(function), node));
        }
    }
    check.problems
}

struct Check<'p> {
    program: &'p CProgram,
    seen: FxHashSet<u32>,
    problems: Vec<String>,
}

impl<'p> Check<'p> {
    fn node(&mut self, function: Option<&'p Function>, node: Node<'p>) {
        let (id, problem) = match node {
            Node::Expr(expr) => (expr.id, self.expr(expr)),
            Node::Place(place) => (place.id, self.place(function, place)),
            Node::Stmt(_) => return,
        };
        let is_new = self.seen.insert(id.as_u32());
        let problem = problem.or((!is_new).then_some("an id that is used twice"));
        if let Some(problem) = problem {
            let text = match node {
                Node::Expr(expr) => print_expr(self.program, function, expr),
                Node::Place(place) => print_place(self.program, function, place),
                Node::Stmt(_) => String::new(),
            };
            let name = function.map_or("a global", |function| &*function.name);
            self.problems.push(format!("in {name}: {problem}: {text}"));
        }
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        matches!(
            self.program.types.scalar(ty),
            Some(Scalar::Int { .. } | Scalar::Bool)
        )
    }

    fn is_scalar(&self, ty: TypeId) -> bool {
        self.program.types.scalar(ty).is_some()
    }

    fn is_unsupported(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Unsupported(_))
    }

    fn expr(&self, expr: &Expr) -> Option<&'static str> {
        let types = &self.program.types;
        if self.is_unsupported(expr.ty) {
            return None;
        }
        let rule = |holds: bool, problem: &'static str| (!holds).then_some(problem);
        match &expr.kind {
            ExprKind::Int(value) => rule(
                in_range(types, expr.ty, value),
                "a constant out of its type's range",
            ),
            ExprKind::Float(_) => rule(
                matches!(types.scalar(expr.ty), Some(Scalar::Float(_))),
                "a floating constant of another type",
            ),
            ExprKind::Load(place) => rule(
                place.ty == expr.ty
                    && !matches!(
                        types.get(expr.ty),
                        Type::Array { .. } | Type::VariableArray { .. } | Type::Function(_) | Type::Void
                    ),
                "a load of another type, or of none",
            ),
            ExprKind::AddressOf(place) => rule(
                types
                    .pointee(expr.ty)
                    .is_some_and(|target| target == place.ty || element_of(types, place.ty) == Some(target)),
                "an address of another type",
            ),
            ExprKind::FunctionAddress(function) => rule(
                types.pointee(expr.ty) == Some(self.program.functions[*function].ty),
                "an address of a function of another type",
            ),
            ExprKind::LabelAddress(_) | ExprKind::SizeOfLocal(_) | ExprKind::Unsupported(_) => None,
            ExprKind::Unary { operand, .. } => rule(
                operand.ty == expr.ty && self.is_scalar(expr.ty),
                "an operand of another type",
            ),
            ExprKind::Binary { op, left, right } => {
                let right_fits = match op {
                    BinaryOp::Shl | BinaryOp::Shr => self.is_integer(right.ty),
                    _ => right.ty == expr.ty,
                };
                rule(left.ty == expr.ty && right_fits, "operands of other types")
            }
            ExprKind::Compare { left, right, .. } => rule(
                left.ty == right.ty
                    && self.is_scalar(left.ty)
                    && *types.get(expr.ty) == Type::Int(IntKind::Int),
                "a comparison of different types",
            ),
            ExprKind::PointerAdd {
                pointer,
                index,
                element,
                ..
            } => rule(
                pointer.ty == expr.ty
                    && types.pointee(expr.ty).is_some()
                    && self.is_integer(index.ty)
                    && self.is_integer(element.ty),
                "pointer arithmetic of other types",
            ),
            ExprKind::PointerDifference { left, right, .. } => rule(
                types.pointee(left.ty).is_some()
                    && types.pointee(right.ty).is_some()
                    && self.is_integer(expr.ty),
                "a difference of other types than pointers",
            ),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => rule(
                self.is_scalar(left.ty) && self.is_scalar(right.ty),
                "logic of other types than scalars",
            ),
            ExprKind::Not(operand) => rule(self.is_scalar(operand.ty), "logic of another type than a scalar"),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => rule(
                self.is_scalar(condition.ty)
                    && then.as_ref().is_none_or(|then| then.ty == expr.ty)
                    && otherwise.ty == expr.ty,
                "a conditional of other types",
            ),
            ExprKind::Convert(operand) => rule(
                *types.get(expr.ty) == Type::Void || self.is_scalar(expr.ty) && self.is_scalar(operand.ty),
                "a conversion between types that are no scalars",
            ),
            ExprKind::Assign { place, value } => rule(
                place.ty == expr.ty && value.ty == expr.ty,
                "an assignment of another type",
            ),
            ExprKind::CompoundAssign {
                place,
                op,
                operand,
                computation,
            } => {
                let operand_fits = match op {
                    AssignOp::Arithmetic(BinaryOp::Shl | BinaryOp::Shr) | AssignOp::Pointer { .. } => {
                        self.is_integer(operand.ty)
                    }
                    AssignOp::Arithmetic(_) => operand.ty == *computation,
                };
                rule(
                    place.ty == expr.ty && operand_fits && self.is_scalar(*computation),
                    "a compound assignment of other types",
                )
            }
            ExprKind::Step { place, .. } => rule(
                place.ty == expr.ty && self.is_scalar(expr.ty),
                "a step of another type",
            ),
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::Comma(_, right) => rule(right.ty == expr.ty, "a comma of another type"),
            ExprKind::Statements(_) => None,
            ExprKind::VaArg(list) => rule(
                types
                    .pointee(list.ty)
                    .is_some_and(|list| *types.get(list) == Type::VaList),
                "`va_arg` of something else than a pointer to a list",
            ),
        }
    }

    fn call(&self, expr: &Expr, callee: &Callee, args: &[Expr]) -> Option<&'static str> {
        let types = &self.program.types;
        let ty = match callee {
            // A call may have been written where another declaration was visible.
            Callee::Function(function) => self.program.functions[*function].ty,
            Callee::Pointer(pointer) => match types.pointee(pointer.ty) {
                Some(target) => target,
                None => return Some("a call of something that is no pointer"),
            },
        };
        let Type::Function(function) = types.get(ty) else {
            return Some("a call of something that is no function");
        };
        // A direct call may be one of a function that is defined with other parameters.
        let is_direct = matches!(callee, Callee::Function(_));
        let count_fits =
            args.len() >= function.params.len() && (function.variadic || args.len() == function.params.len());
        let args_fit = !function.prototyped
            || (is_direct || count_fits)
                && args
                    .iter()
                    .zip(&function.params)
                    .all(|(arg, &param)| arg.ty == param || is_direct && !self.is_scalar(param));
        (!args_fit || function.result != expr.ty).then_some("a call of another type")
    }

    fn place(&self, function: Option<&Function>, place: &Place) -> Option<&'static str> {
        let types = &self.program.types;
        if self.is_unsupported(place.ty) {
            return None;
        }
        let holds = match &place.kind {
            PlaceKind::Local(local) | PlaceKind::CompoundLiteral { local, .. } => {
                function
                    .and_then(|function| function.locals.get(*local))
                    .map(|local| local.ty)
                    == Some(place.ty)
            }
            PlaceKind::Global(global) => self.program.globals[*global].ty == place.ty,
            PlaceKind::Deref(pointer) => types.pointee(pointer.ty) == Some(place.ty),
            PlaceKind::Member { base, record, field } => {
                types.record_of(base.ty) == Some(*record)
                    && types.records[*record]
                        .fields
                        .get(*field as usize)
                        .is_some_and(|field| field.ty == place.ty)
            }
            PlaceKind::Index { base, index } => {
                element_of(types, base.ty) == Some(place.ty) && self.is_integer(index.ty)
            }
            PlaceKind::Temporary(value) => value.ty == place.ty,
        };
        (!holds).then_some("a place of another type")
    }
}

fn element_of(types: &Types, ty: TypeId) -> Option<TypeId> {
    match *types.get(ty) {
        Type::Array { element, .. } | Type::VariableArray { element } => Some(element),
        _ => None,
    }
}

fn in_range(types: &Types, ty: TypeId, value: &BigInt) -> bool {
    let (low, high) = match types.scalar(ty) {
        Some(Scalar::Bool) => (BigInt::from(0), BigInt::from(1)),
        Some(Scalar::Int { bits, signed: true }) => {
            let half = BigInt::from(1) << (bits - 1);
            (-half.clone(), half - 1)
        }
        Some(Scalar::Int { bits, signed: false }) => (BigInt::from(0), (BigInt::from(1) << bits) - 1),
        Some(Scalar::Pointer) => (
            BigInt::from(0),
            (BigInt::from(1) << types.machine.pointer_bits()) - 1,
        ),
        Some(Scalar::Float(_)) | None => return false,
    };
    (low..=high).contains(value)
}
