//! Atomic operations: `({ T *p = …; atomic { T old = *p; *p = old + v; } old; })`. Memory is sequentially consistent, whatever order
//! was asked for.
//!
//! A weak compare-and-exchange does not fail without reason here, as it never does on x86.

use lariat_base::Span;
use lariat_c_program::{
    BinaryOp, CompareOp, Expr, ExprKind, InitItem, InitValue, Initializer, IntKind, LocalId, Place,
    PlaceKind, Scalar, Stmt, StmtKind, Type, TypeId, UnaryOp,
};

use crate::clang::Cursor;
use crate::node::Node;
use crate::session::Session;

/// What an operation computes from the old value and its operand.
#[derive(Clone, Copy)]
enum Update {
    Arithmetic(BinaryOp),
    Nand,
    Exchange,
}

#[derive(Clone, Copy)]
enum Operation {
    Load,
    Store,
    /// Gives the old value, or (`new`) the new one.
    Update {
        update: Update,
        new: bool,
    },
    /// `*object == expected ? (*object = desired, 1) : (expected = *object, 0)`.
    CompareExchange,
}

/// The statements of an operation so far.
struct Sequence {
    stmts: Vec<Stmt>,
    span: Span,
}

impl Sequence {
    fn push(&mut self, kind: StmtKind) {
        let span = self.span;
        self.stmts.push(Stmt { kind, span });
    }
}

impl<'u> Session<'u, '_> {
    /// An operation that libclang gives without a name; its operands are the object, the memory order and the values.
    pub fn atomic(&mut self, cursor: Cursor<'u>, word: &str, operands: &[Cursor<'u>]) -> Node {
        let name = word
            .trim_start_matches("__c11_atomic_")
            .trim_start_matches("__atomic_");
        let is_c11 = word.starts_with("__c11_");
        // GNU's generic forms give and take values through pointers; only the forms for plain values are handled here.
        let plain = is_c11 || name.ends_with("_n") || name.contains("fetch");
        let name = name.trim_end_matches("_n");
        let operation = match (name, operands) {
            _ if !plain || self.body.is_none() => None,
            ("init", &[object, value]) => Some((Operation::Store, object, Some(value), None)),
            ("load", &[object, _]) => Some((Operation::Load, object, None, None)),
            ("store", &[object, _, value]) => Some((Operation::Store, object, Some(value), None)),
            ("exchange", &[object, _, value]) => {
                let update = Update::Exchange;
                Some((
                    Operation::Update { update, new: false },
                    object,
                    Some(value),
                    None,
                ))
            }
            (
                "compare_exchange" | "compare_exchange_strong" | "compare_exchange_weak",
                &[object, _, expected, _, desired, ..],
            ) => Some((Operation::CompareExchange, object, Some(expected), Some(desired))),
            (name, &[object, _, value]) => {
                fetch_operation(name).map(|operation| (operation, object, Some(value), None))
            }
            _ => None,
        };
        let Some((operation, object, first, second)) = operation else {
            return self.unknown(cursor, &format!("the atomic operation `{word}`"));
        };
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        let object = self.value(object);
        let first = first.map(|value| self.value(value));
        let second = second.map(|value| self.value(value));
        match self.sequential(operation, object, first, second, ty, span) {
            Some(value) => Node::Value(value),
            None => self.unknown(cursor, &format!("the atomic operation `{word}` on this type")),
        }
    }

    /// A call of one of GNU's older `__sync_` functions; `None` for others.
    pub fn sync_call(&mut self, cursor: Cursor<'u>, name: &str, arguments: &[Cursor<'u>]) -> Option<Expr> {
        let name = name.strip_prefix("__sync_")?;
        let name = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '_');
        self.body.as_ref()?;
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        let exchange = Operation::Update {
            update: Update::Exchange,
            new: false,
        };
        match (name, arguments) {
            ("bool_compare_and_swap" | "val_compare_and_swap", &[object, expected, desired, ..]) => {
                let (object, expected, desired) =
                    (self.value(object), self.value(expected), self.value(desired));
                self.compare_and_swap(name.starts_with("bool"), object, expected, desired, ty, span)
            }
            ("lock_test_and_set", &[object, value, ..]) => {
                let (object, value) = (self.value(object), self.value(value));
                self.sequential(exchange, object, Some(value), None, ty, span)
            }
            ("lock_release", &[object, ..]) => {
                let object = self.value(object);
                let target = self.program.types.pointee(object.ty)?;
                let int = self.int_type();
                let zero = self.int(0, int, span);
                let zero = self.convert(zero, target);
                self.sequential(Operation::Store, object, Some(zero), None, ty, span)
            }
            (_, &[object, value, ..]) => {
                let name = match name.strip_prefix("fetch_and_") {
                    Some(op) => format!("fetch_{op}"),
                    None => format!("{}_fetch", name.strip_suffix("_and_fetch")?),
                };
                let operation = fetch_operation(&name)?;
                let (object, value) = (self.value(object), self.value(value));
                self.sequential(operation, object, Some(value), None, ty, span)
            }
            _ => None,
        }
    }

    /// A hidden local that holds a value.
    fn keep(&mut self, sequence: &mut Sequence, value: Expr) -> LocalId {
        let span = sequence.span;
        let local = self.new_local("", value.ty, span);
        let init = Initializer {
            zero: false,
            items: vec![InitItem {
                path: Vec::new(),
                value: InitValue::Expr(value),
            }],
            span,
        };
        sequence.stmts.push(Stmt {
            kind: StmtKind::Declare {
                local,
                init: Some(init),
                size: None,
            },
            span,
        });
        local
    }

    /// What a pointer points to; what an atomic operation is about is an atomic object for it.
    fn target(&mut self, pointer: LocalId, ty: TypeId, is_atomic: bool, span: Span) -> Place {
        let pointer = self.load_local(pointer, span);
        let place = self.place_at(PlaceKind::Deref(Box::new(pointer)), ty, span);
        if is_atomic {
            self.program.atomic_places.insert(place.id);
        }
        place
    }

    fn load_target(&mut self, pointer: LocalId, ty: TypeId, is_atomic: bool, span: Span) -> Expr {
        let place = self.target(pointer, ty, is_atomic, span);
        self.expr(ExprKind::Load(Box::new(place)), ty, span)
    }

    fn store_target(&mut self, pointer: LocalId, value: Expr, is_atomic: bool, span: Span) -> Expr {
        let ty = value.ty;
        let place = Box::new(self.target(pointer, ty, is_atomic, span));
        let value = Box::new(value);
        self.expr(ExprKind::Assign { place, value }, ty, span)
    }

    fn finish(&mut self, mut sequence: Sequence, value: Expr, ty: TypeId) -> Expr {
        let span = sequence.span;
        let value = self.convert(value, ty);
        sequence.stmts.push(Stmt {
            kind: StmtKind::Expr(value),
            span,
        });
        self.expr(ExprKind::Statements(sequence.stmts), ty, span)
    }

    fn sequential(
        &mut self,
        operation: Operation,
        object: Expr,
        first: Option<Expr>,
        second: Option<Expr>,
        ty: TypeId,
        span: Span,
    ) -> Option<Expr> {
        let target = self.program.types.pointee(object.ty)?;
        self.program.types.scalar(target)?;
        let mut sequence = Sequence {
            stmts: Vec::new(),
            span,
        };
        let object = self.keep(&mut sequence, object);
        let value = match operation {
            Operation::Load => self.load_target(object, target, true, span),
            Operation::Store => {
                let value = self.convert(first?, target);
                self.store_target(object, value, true, span)
            }
            Operation::Update { update, new } => {
                let operand = self.keep(&mut sequence, first?);
                sequence.push(StmtKind::AtomicBegin);
                let old = self.load_target(object, target, true, span);
                let old = self.keep(&mut sequence, old);
                let updated = self.updated(update, old, operand, target, span)?;
                let updated = self.keep(&mut sequence, updated);
                let value = self.load_local(updated, span);
                let store = self.store_target(object, value, true, span);
                sequence.push(StmtKind::Expr(store));
                sequence.push(StmtKind::AtomicEnd);
                self.load_local(if new { updated } else { old }, span)
            }
            Operation::CompareExchange => {
                let expected = self.keep(&mut sequence, first?);
                let desired = self.convert(second?, target);
                let desired = self.keep(&mut sequence, desired);
                sequence.push(StmtKind::AtomicBegin);
                let old = self.load_target(object, target, true, span);
                let old = self.keep(&mut sequence, old);
                let wanted = self.load_target(expected, target, false, span);
                let equal = self.equal_to_local(old, wanted, span);
                let equal = self.keep(&mut sequence, equal);
                let value = self.load_local(desired, span);
                let swap = self.store_target(object, value, true, span);
                let value = self.load_local(old, span);
                let tell = self.store_target(expected, value, false, span);
                self.push_if(&mut sequence, equal, swap, Some(tell));
                sequence.push(StmtKind::AtomicEnd);
                self.load_local(equal, span)
            }
        };
        Some(self.finish(sequence, value, ty))
    }

    /// `__sync_bool_compare_and_swap` and its sibling, which take the expected value itself.
    fn compare_and_swap(
        &mut self,
        give_success: bool,
        object: Expr,
        expected: Expr,
        desired: Expr,
        ty: TypeId,
        span: Span,
    ) -> Option<Expr> {
        let target = self.program.types.pointee(object.ty)?;
        self.program.types.scalar(target)?;
        let mut sequence = Sequence {
            stmts: Vec::new(),
            span,
        };
        let object = self.keep(&mut sequence, object);
        let expected = self.convert(expected, target);
        let expected = self.keep(&mut sequence, expected);
        let desired = self.convert(desired, target);
        let desired = self.keep(&mut sequence, desired);
        sequence.push(StmtKind::AtomicBegin);
        let old = self.load_target(object, target, true, span);
        let old = self.keep(&mut sequence, old);
        let wanted = self.load_local(expected, span);
        let equal = self.equal_to_local(old, wanted, span);
        let equal = self.keep(&mut sequence, equal);
        let value = self.load_local(desired, span);
        let swap = self.store_target(object, value, true, span);
        self.push_if(&mut sequence, equal, swap, None);
        sequence.push(StmtKind::AtomicEnd);
        let value = self.load_local(if give_success { equal } else { old }, span);
        Some(self.finish(sequence, value, ty))
    }

    fn equal_to_local(&mut self, local: LocalId, other: Expr, span: Span) -> Expr {
        let left = Box::new(self.load_local(local, span));
        let kind = ExprKind::Compare {
            op: CompareOp::Eq,
            left,
            right: Box::new(other),
        };
        let int = self.int_type();
        self.expr(kind, int, span)
    }

    fn push_if(&mut self, sequence: &mut Sequence, condition: LocalId, then: Expr, otherwise: Option<Expr>) {
        let span = sequence.span;
        let stmt = |expr| {
            Box::new(Stmt {
                kind: StmtKind::Expr(expr),
                span,
            })
        };
        let condition = self.load_local(condition, span);
        sequence.stmts.push(Stmt {
            kind: StmtKind::If {
                condition,
                then: stmt(then),
                otherwise: otherwise.map(stmt),
            },
            span,
        });
    }

    /// The new value. Integers wrap around, so the operation is done without sign.
    fn updated(
        &mut self,
        update: Update,
        old: LocalId,
        operand: LocalId,
        ty: TypeId,
        span: Span,
    ) -> Option<Expr> {
        let (old, operand) = (self.load_local(old, span), self.load_local(operand, span));
        let bits = match (update, self.program.types.scalar(ty)?) {
            (Update::Exchange, _) => return Some(self.convert(operand, ty)),
            (_, Scalar::Int { bits, .. }) => bits,
            _ => return None,
        };
        let kind = match bits {
            0..=32 => IntKind::UInt,
            33..=64 => IntKind::ULongLong,
            _ => IntKind::UInt128,
        };
        let unsigned = self.program.types.intern(Type::Int(kind));
        let (left, right) = (self.convert(old, unsigned), self.convert(operand, unsigned));
        let op = match update {
            Update::Arithmetic(op) => op,
            _ => BinaryOp::BitAnd,
        };
        let kind = ExprKind::Binary {
            op,
            left: Box::new(left),
            right: Box::new(right),
        };
        let mut value = self.expr(kind, unsigned, span);
        if matches!(update, Update::Nand) {
            let operand = Box::new(value);
            let op = UnaryOp::BitNot;
            value = self.expr(ExprKind::Unary { op, operand }, unsigned, span);
        }
        Some(self.convert(value, ty))
    }
}

/// `fetch_add` gives the old value, `add_fetch` the new one.
fn fetch_operation(name: &str) -> Option<Operation> {
    let (op, new) = match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
        (Some(op), _) => (op, false),
        (_, Some(op)) => (op, true),
        _ => return None,
    };
    let update = match op {
        "add" => Update::Arithmetic(BinaryOp::Add),
        "sub" => Update::Arithmetic(BinaryOp::Sub),
        "and" => Update::Arithmetic(BinaryOp::BitAnd),
        "or" => Update::Arithmetic(BinaryOp::BitOr),
        "xor" => Update::Arithmetic(BinaryOp::BitXor),
        "nand" => Update::Nand,
        _ => return None,
    };
    Some(Operation::Update { update, new })
}
