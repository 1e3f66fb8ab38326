//! Expressions of scalar type.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Expr, ExprKind, Place, Scalar, Type};
use num_bigint::BigInt;

use crate::function::{FunctionLowering, LocalStorage};
use crate::place::{Located, Where};

impl FunctionLowering<'_, '_> {
    /// Evaluates for the effects only.
    pub fn discard(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Convert(operand) => self.discard(operand),
            ExprKind::Comma(left, right) => {
                self.discard(left);
                self.discard(right);
            }
            ExprKind::Conditional {
                condition,
                then: Some(then),
                otherwise,
            } if self.cx.purity.has_effect(expr) => {
                let [yes, no, after] = [self.new_block(), self.new_block(), self.new_block()];
                self.branch(condition, yes, no);
                for (block, side) in [(yes, then), (no, otherwise)] {
                    self.at(block);
                    self.discard(side);
                    self.jump(after);
                }
                self.at(after);
            }
            ExprKind::And(..) | ExprKind::Or(..) if self.cx.purity.has_effect(expr) => {
                let after = self.new_block();
                self.branch(expr, after, after);
                self.at(after);
            }
            ExprKind::Statements(stmts) => {
                if let Some(first) = stmts.first() {
                    self.open_scope(std::ptr::from_ref(first) as usize);
                    stmts.iter().for_each(|stmt| self.stmt(stmt));
                    self.close_scope(expr.span);
                }
            }
            ExprKind::Call { callee, args } => {
                self.call(expr, callee, args);
            }
            // `*p;` reads nothing that matters but may fail.
            _ if self.cx.purity.is_pure(expr) => {}
            _ if self.cx.c.types.scalar(expr.ty).is_some() => {
                self.expr(expr);
            }
            _ => {
                self.record(expr);
            }
        }
    }

    /// The value of an expression of scalar type.
    pub fn expr(&mut self, expr: &Expr) -> Value {
        if let Some(value) = self.held.get(&expr.id) {
            return value.clone();
        }
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.expr_inner(expr))
    }

    fn expr_inner(&mut self, expr: &Expr) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => {
                let scalar = self.scalar(expr.ty);
                self.cx.arith.int(&mut self.cx.ir.pool, scalar, value)
            }
            ExprKind::Float(value) => match self.scalar(expr.ty) {
                Scalar::Float(kind) => self.cx.arith.float(&mut self.cx.ir.pool, kind, *value),
                other => self.zero(other),
            },
            ExprKind::Load(place) => {
                let located = self.place(place);
                if !self.is_atomic_place(place) {
                    // Only this byte: what its address is made of is used.
                    self.copying = self.moved_byte == Some(expr.id);
                    let value = self.read_place(place, &located, span);
                    self.copying = false;
                    return match self.others_may_change(&located) {
                        true => self.pin(value, span),
                        false => value,
                    };
                }
                let located = self.pin_place(located, span);
                self.begin_synchronising(span);
                let value = self.read_place(place, &located, span);
                let value = self.pin(value, span);
                self.end_synchronising(span);
                value
            }
            ExprKind::AddressOf(place) => {
                let located = self.place_for_address(place);
                self.address_of(&located, span)
            }
            ExprKind::FunctionAddress(function) => {
                let address = self.cx.storage.function_address(*function);
                self.address(&address)
            }
            ExprKind::LabelAddress(label) => {
                let address = BigInt::from(label.as_u32() + 1);
                self.address(&address)
            }
            ExprKind::Unary { op, operand } => {
                let value = self.expr(operand);
                self.unary(*op, expr.ty, &value, span)
            }
            ExprKind::Binary { op, left, right } => {
                let (scalar, right_scalar) = (self.scalar(expr.ty), self.scalar(right.ty));
                let (left, right) = self.operands(left, right);
                self.binary(*op, scalar, &left, &right, right_scalar, span)
            }
            ExprKind::PointerAdd {
                pointer,
                index,
                subtract,
                element,
            } => {
                let scalar = self.scalar(index.ty);
                let (pointer, index) = self.operands(pointer, index);
                let moved = self.move_pointer(&pointer, &index, scalar, element, *subtract);
                self.stays_in_its_object(&pointer, &moved, span);
                moved
            }
            ExprKind::PointerDifference { left, right, element } => {
                let scalar = self.scalar(expr.ty);
                let sides = [&**left, &**right];
                let (left, right) = self.operands(left, right);
                self.check_difference(sides, [&left, &right], span);
                match &element.kind {
                    ExprKind::Int(size) => {
                        let pool = &mut self.cx.ir.pool;
                        self.cx
                            .arith
                            .pointer_difference(pool, &left, &right, size, scalar)
                    }
                    _ => {
                        self.unsupported("the difference of pointers to variable arrays", span);
                        self.zero(scalar)
                    }
                }
            }
            ExprKind::Compare { .. } | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Not(_) => {
                let condition = self.condition(expr);
                let scalar = self.scalar(expr.ty);
                self.cx.arith.of_truth(&mut self.cx.ir.pool, scalar, condition)
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => self.conditional(expr, condition, then.as_deref(), otherwise),
            ExprKind::Convert(operand) => self.convert(operand, expr),
            ExprKind::Assign { place, value } => {
                self.check_constant(place, span);
                self.moves_scalar = self.is_move(value);
                self.moved_byte = self.is_move_of_byte(place, value).then_some(value.id);
                let is_move = self.moves_scalar || self.moved_byte.is_some();
                let (located, _, values) = self.place_and_value(place, value, false, span);
                self.moves_scalar = false;
                self.moved_byte = None;
                let flag = if is_move { self.copied_flag(value) } else { None };
                let value = self.only(values, value);
                if self.is_atomic_place(place) {
                    let value = self.pin(value, span);
                    let located = self.pin_place(located, span);
                    self.begin_synchronising(span);
                    self.assign(&located, value.clone(), span);
                    self.end_synchronising(span);
                    return value;
                }
                self.store_flag = flag;
                let value = self.assign(&located, value, span);
                self.store_flag = None;
                value
            }
            ExprKind::CompoundAssign {
                place,
                op,
                operand,
                computation,
            } => {
                self.check_constant(place, span);
                self.compound_assign(place, op, operand, *computation, span)
            }
            ExprKind::Step {
                place,
                increment,
                prefix,
            } => {
                self.check_constant(place, span);
                self.step(place, *increment, *prefix, span)
            }
            ExprKind::Call { callee, args } => {
                let values = self.call(expr, callee, args);
                self.check_result(span);
                self.only(values, expr)
            }
            ExprKind::Comma(left, right) => {
                self.discard(left);
                self.expr(right)
            }
            ExprKind::Statements(stmts) => {
                let values = self.statement_expression(stmts, span);
                self.only(values, expr)
            }
            ExprKind::VaArg(list) => {
                let values = self.next_argument(list, expr.ty, span);
                self.only(values, expr)
            }
            ExprKind::SizeOfLocal(local) => {
                let scalar = self.scalar(expr.ty);
                match self.locals[*local] {
                    Some(LocalStorage::Memory { size: Some(size), .. }) => {
                        let value = self.value_of(size, Scalar::Pointer);
                        let pool = &mut self.cx.ir.pool;
                        self.cx.arith.convert(pool, Scalar::Pointer, scalar, &value)
                    }
                    _ => {
                        self.unsupported("the size of a variable array that was not declared", span);
                        self.zero(scalar)
                    }
                }
            }
            ExprKind::Unsupported(reason) => {
                self.unsupported(reason, span);
                let scalar = self.scalar(expr.ty);
                self.zero(scalar)
            }
        }
    }

    /// The value in a place, unless the environment has changed it.
    pub fn read_place(&mut self, place: &Place, located: &Located, span: Span) -> Value {
        let value = self.read(located, span);
        match self.is_environment(place, located) {
            true => {
                let scalar = self.scalar(place.ty);
                self.volatile_value(place, scalar, span)
            }
            false => value,
        }
    }

    /// The only leaf of a scalar.
    pub fn only(&mut self, values: Vec<Value>, expr: &Expr) -> Value {
        match values.into_iter().next() {
            Some(value) => value,
            None => {
                let scalar = self.scalar(expr.ty);
                self.zero(scalar)
            }
        }
    }

    /// Writes the value; the result is the new value of the place.
    pub fn assign(&mut self, located: &Located, value: Value, span: Span) -> Value {
        let in_memory = matches!(located.at, Where::Memory { .. });
        match in_memory || self.others_may_change(located) {
            true => {
                let value = self.pin(value, span);
                self.write(located, &value, span);
                match located.bits {
                    Some(bits) => {
                        let scalar = self.scalar(located.ty);
                        let pool = &mut self.cx.ir.pool;
                        self.cx.arith.truncate_to_bits(pool, scalar, &value, bits.width)
                    }
                    None => value,
                }
            }
            false => {
                self.write(located, &value, span);
                // What was just written is no use of an uninitialised value.
                let read = self.read(located, span);
                match value.range {
                    Some(range) if located.bits.is_none() => Value {
                        range: Some(range),
                        ..read
                    },
                    _ => read,
                }
            }
        }
    }

    fn conditional(&mut self, expr: &Expr, condition: &Expr, then: Option<&Expr>, otherwise: &Expr) -> Value {
        let scalar = self.scalar(expr.ty);
        let Some(then) = then else {
            return self.elvis(expr, condition, otherwise);
        };
        // A test of a pointer is a branch: what the program does with null is there to be found.
        let is_test = self.tests_pointers(condition);
        if !is_test && self.needs_no_order(then) && self.needs_no_order(otherwise) {
            let condition = self.condition(condition);
            let yes = self.expr(then);
            let no = self.expr(otherwise);
            return self.choose(condition, yes, no);
        }
        let result = self.scalar_temporary(scalar);
        let [yes, no, after] = [self.new_block(), self.new_block(), self.new_block()];
        self.branch(condition, yes, no);
        for (block, side) in [(yes, then), (no, otherwise)] {
            self.at(block);
            let value = self.expr(side);
            self.set_silently(result, value.term, expr.span);
            self.jump(after);
        }
        self.at(after);
        self.value_of(result, scalar)
    }

    /// `c ?: b`.
    fn elvis(&mut self, expr: &Expr, condition: &Expr, otherwise: &Expr) -> Value {
        let scalar = self.scalar(expr.ty);
        let from = self.scalar(condition.ty);
        let value = self.expr(condition);
        let value = self.pin(value, expr.span);
        let pool = &mut self.cx.ir.pool;
        let truth = self.cx.arith.truth(pool, from, &value);
        let kept = self.cx.arith.convert(pool, from, scalar, &value);
        let result = self.scalar_temporary(scalar);
        let [yes, no, after] = [self.new_block(), self.new_block(), self.new_block()];
        self.guard(truth, yes, no, expr.span);
        self.at(yes);
        self.set_silently(result, kept.term, expr.span);
        self.jump(after);
        self.at(no);
        let value = self.expr(otherwise);
        self.set_silently(result, value.term, expr.span);
        self.jump(after);
        self.at(after);
        self.value_of(result, scalar)
    }

    pub fn choose(&mut self, condition: lariat_term::TermId, yes: Value, no: Value) -> Value {
        let term = self.cx.ir.pool.ite(condition, yes.term, no.term);
        let range = match (yes.range, no.range) {
            (Some(a), Some(b)) => Some(lariat_c_arith::Range {
                lo: a.lo.min(b.lo),
                hi: a.hi.max(b.hi),
            }),
            _ => None,
        };
        Value { term, range }
    }

    fn convert(&mut self, operand: &Expr, expr: &Expr) -> Value {
        let types = &self.cx.c.types;
        let (from, to) = (types.scalar(operand.ty), types.scalar(expr.ty));
        match (from, to) {
            // Truth values stay conditions as long as possible.
            (Some(from), Some(Scalar::Bool)) if from != Scalar::Bool => {
                let condition = self.condition(operand);
                self.cx
                    .arith
                    .of_truth(&mut self.cx.ir.pool, Scalar::Bool, condition)
            }
            (Some(from), Some(to)) => {
                let value = self.expr(operand);
                let value = self.cleared_if_fresh(operand, expr, value);
                self.convert_number(from, to, &value, expr.span)
            }
            (_, None) if matches!(types.get(expr.ty), Type::Void) => {
                self.discard(operand);
                self.zero(Scalar::Pointer)
            }
            _ => {
                let (from, to) = (types.name(operand.ty), types.name(expr.ty));
                self.unsupported(&format!("a conversion from `{from}` to `{to}`"), expr.span);
                let scalar = self.scalar(expr.ty);
                self.zero(scalar)
            }
        }
    }
}
