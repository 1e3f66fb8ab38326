//! Arithmetic with the checks that belong to it.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{
    AssignOp, BinaryOp, CompareOp, Expr, ExprKind, FloatKind, Place, Scalar, TypeId, UnaryOp,
};
use num_bigint::BigInt;

use crate::function::FunctionLowering;
use crate::options::Check;

impl FunctionLowering<'_, '_> {
    /// Both operands, the left one pinned if evaluating the right one may change it.
    pub fn operands(&mut self, left: &Expr, right: &Expr) -> (Value, Value) {
        let mut values = self.operand_list(&[left, right]).into_iter().flatten();
        match (values.next(), values.next()) {
            (Some(first), Some(second)) => (first, second),
            // Operands of arithmetic are scalars.
            _ => (self.zero(Scalar::Pointer), self.zero(Scalar::Pointer)),
        }
    }

    pub fn unary(&mut self, op: UnaryOp, ty: TypeId, value: &Value, span: Span) -> Value {
        let scalar = self.scalar(ty);
        if op == UnaryOp::Neg && self.cx.options.checks(Check::Overflow) {
            let pool = &mut self.cx.ir.pool;
            if let Some(overflows) = self.cx.arith.negation_overflows(pool, scalar, value) {
                let fits = pool.not(overflows);
                self.check(Check::Overflow, fits, span, None);
            }
        }
        self.cx.arith.unary(&mut self.cx.ir.pool, op, scalar, value)
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        left: &Value,
        right: &Value,
        right_scalar: Scalar,
        span: Span,
    ) -> Value {
        let is_integer = !matches!(scalar, Scalar::Float(_));
        if is_integer && matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            let pool = &mut self.cx.ir.pool;
            let zero = self.cx.arith.is_zero(pool, scalar, right);
            let fits = pool.not(zero);
            if self.cx.options.checks(Check::DivByZero) {
                self.check(Check::DivByZero, fits, span, None);
            }
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) && self.cx.options.checks(Check::Shift) {
            let pool = &mut self.cx.ir.pool;
            if let Some(out) = self
                .cx
                .arith
                .shift_out_of_range(pool, scalar, right, right_scalar)
            {
                let fits = pool.not(out);
                self.check(Check::Shift, fits, span, None);
            }
        }
        if is_integer && self.cx.options.checks(Check::Overflow) {
            let pool = &mut self.cx.ir.pool;
            if let Some(overflows) = self
                .cx
                .arith
                .overflows(pool, op, scalar, left, right, right_scalar)
            {
                let fits = pool.not(overflows);
                self.check(Check::Overflow, fits, span, None);
            }
        }
        self.cx
            .arith
            .binary(&mut self.cx.ir.pool, op, scalar, left, right, right_scalar)
    }

    /// A conversion; of a floating-point number to an integer it is checked that the integral part fits.
    pub fn convert_number(&mut self, from: Scalar, to: Scalar, value: &Value, span: Span) -> Value {
        if let (Scalar::Float(kind), Scalar::Int { bits, signed }) = (from, to)
            && self.cx.options.checks(Check::Overflow)
        {
            let precision = match kind {
                FloatKind::Float => 24,
                FloatKind::Double | FloatKind::LongDouble => 53,
            };
            let magnitude = if signed { bits - 1 } else { bits };
            let end = 2f64.powi(magnitude as i32);
            // Where the number below the smallest one is not a floating-point number, the smallest one is the limit.
            let (op, start) = match signed {
                false => (CompareOp::Gt, -1.0),
                true if magnitude < precision => (CompareOp::Gt, -end - 1.0),
                true => (CompareOp::Ge, -end),
            };
            let pool = &mut self.cx.ir.pool;
            let start = self.cx.arith.float(pool, kind, start);
            let end = self.cx.arith.float(pool, kind, end);
            let above = self.cx.arith.compare(pool, op, from, value, &start);
            let below = self.cx.arith.compare(pool, CompareOp::Lt, from, value, &end);
            let fits = pool.and(&[above, below]);
            let message = "a floating-point number can be out of the integer's range".to_owned();
            self.check(Check::Overflow, fits, span, Some(message));
        }
        self.cx.arith.convert(&mut self.cx.ir.pool, from, to, value)
    }

    /// `place op= operand`; the value is the place's new one.
    pub fn compound_assign(
        &mut self,
        place: &Place,
        op: &AssignOp,
        operand: &Expr,
        computation: TypeId,
        span: Span,
    ) -> Value {
        let operand_scalar = self.scalar(operand.ty);
        let place_scalar = self.scalar(place.ty);
        let is_atomic = self.is_atomic_place(place);
        let (mut located, old, values) = self.place_and_value(place, operand, !is_atomic, span);
        let mut right = self.only(values, operand);
        let old = match is_atomic {
            true => {
                right = self.pin(right, span);
                located = self.pin_place(located, span);
                self.begin_synchronising(span);
                let old = self.read_place(place, &located, span);
                self.pin(old, span)
            }
            false => old.unwrap_or_else(|| self.zero(place_scalar)),
        };
        let value = match op {
            AssignOp::Pointer { subtract, element } => {
                let moved = self.move_pointer(&old, &right, operand_scalar, element, *subtract);
                self.stays_in_its_object(&old, &moved, span);
                moved
            }
            AssignOp::Arithmetic(op) => {
                let scalar = self.scalar(computation);
                let pool = &mut self.cx.ir.pool;
                let left = self.cx.arith.convert(pool, place_scalar, scalar, &old);
                // Of a shift the right operand keeps its own type.
                let (right, right_scalar) = match op {
                    BinaryOp::Shl | BinaryOp::Shr => (right, operand_scalar),
                    _ => {
                        let right = self.cx.arith.convert(pool, operand_scalar, scalar, &right);
                        (right, scalar)
                    }
                };
                let result = self.binary(*op, scalar, &left, &right, right_scalar, span);
                self.convert_number(scalar, place_scalar, &result, span)
            }
        };
        if !is_atomic {
            return self.assign(&located, value, span);
        }
        let value = self.pin(value, span);
        self.assign(&located, value.clone(), span);
        self.end_synchronising(span);
        value
    }

    /// `++` and `--`; the value is the new one or the old one.
    pub fn step(&mut self, place: &Place, increment: bool, prefix: bool, span: Span) -> Value {
        let mut located = self.place(place);
        let scalar = self.scalar(place.ty);
        let is_atomic = self.is_atomic_place(place);
        if is_atomic {
            located = self.pin_place(located, span);
            self.begin_synchronising(span);
        }
        let mut old = self.read_place(place, &located, span);
        if !prefix || is_atomic {
            old = self.pin(old, span);
        }
        let new = match scalar {
            Scalar::Pointer => {
                let size = self
                    .cx
                    .c
                    .types
                    .pointee(place.ty)
                    .and_then(|pointee| self.cx.c.types.size(pointee))
                    .unwrap_or(1);
                let int = Scalar::Int {
                    bits: 32,
                    signed: true,
                };
                let pool = &mut self.cx.ir.pool;
                let one = self.cx.arith.int(pool, int, &BigInt::from(1));
                let moved = self
                    .cx
                    .arith
                    .pointer_add(pool, &old, &one, int, &BigInt::from(size), !increment);
                self.stays_in_its_object(&old, &moved, span);
                moved
            }
            Scalar::Float(kind) => {
                let one = self.cx.arith.float(&mut self.cx.ir.pool, kind, 1.0);
                let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
                self.binary(op, scalar, &old, &one, scalar, span)
            }
            Scalar::Bool | Scalar::Int { .. } => {
                let wide = promoted(scalar);
                let pool = &mut self.cx.ir.pool;
                let left = self.cx.arith.convert(pool, scalar, wide, &old);
                let one = self.cx.arith.int(pool, wide, &BigInt::from(1));
                let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
                let result = self.binary(op, wide, &left, &one, wide, span);
                self.cx.arith.convert(&mut self.cx.ir.pool, wide, scalar, &result)
            }
        };
        let mut new = self.assign(&located, new, span);
        if is_atomic {
            new = self.pin(new, span);
            self.end_synchronising(span);
        }
        if prefix { new } else { old }
    }

    /// `pointer ± index` elements.
    pub fn move_pointer(
        &mut self,
        pointer: &Value,
        index: &Value,
        index_scalar: Scalar,
        element: &Expr,
        subtract: bool,
    ) -> Value {
        if let ExprKind::Int(size) = &element.kind {
            let pool = &mut self.cx.ir.pool;
            return self
                .cx
                .arith
                .pointer_add(pool, pointer, index, index_scalar, size, subtract);
        }
        // Elements of a variable array: their size is computed.
        let scalar = self.scalar(element.ty);
        let size = self.expr(element);
        let wide = Scalar::Int {
            bits: self.cx.c.types.machine.pointer_bits(),
            signed: true,
        };
        let pool = &mut self.cx.ir.pool;
        let size = self.cx.arith.convert(pool, scalar, wide, &size);
        let index = self.cx.arith.convert(pool, index_scalar, wide, index);
        let bytes = self
            .cx
            .arith
            .binary(pool, BinaryOp::Mul, wide, &index, &size, wide);
        self.cx
            .arith
            .pointer_add(pool, pointer, &bytes, wide, &BigInt::from(1), subtract)
    }
}

/// The type that integers narrower than `int` are promoted to; others stay.
fn promoted(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Bool => Scalar::Int {
            bits: 32,
            signed: true,
        },
        Scalar::Int { bits, .. } if bits < 32 => Scalar::Int {
            bits: 32,
            signed: true,
        },
        other => other,
    }
}
