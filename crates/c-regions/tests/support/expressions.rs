//! Random expressions of the generated programs.

use lariat_c_program::*;

use super::generate::Generator;

impl Generator {
    pub fn pointer_expr(&mut self, ty: TypeId, depth: usize) -> Expr {
        let pointee = self.b.c.types.pointee(ty).expect("a pointer");
        if pointee == self.b.void {
            let other = self.random.pick(&self.pointees);
            let pointer = self.b.pointer(other);
            let value = self.pointer_expr(pointer, depth);
            return self.b.convert(value, ty);
        }
        if depth == 0 || self.random.one_in(3) {
            if self.random.one_in(2) {
                for _ in 0..10 {
                    let start = self.variable();
                    if let Some(place) = self.descend(start, pointee)
                        && !self.is_bit_field(&place)
                    {
                        return self.b.address(place);
                    }
                }
            }
            for _ in 0..10 {
                let start = self.variable();
                if let Some(place) = self.descend(start, ty) {
                    return self.b.load(place);
                }
            }
            return self.address_of_some_kind(ty);
        }
        match self.random.below(16) {
            0..=4 => {
                let place = self.any_place(pointee, depth - 1);
                if self.is_bit_field(&place) {
                    return self.pointer_expr(ty, depth - 1);
                }
                self.b.address(place)
            }
            5..=8 => {
                let place = self.any_place(ty, depth - 1);
                self.b.load(place)
            }
            9 => {
                // An array that decays.
                let length = 1 + self.random.below(4) as u64;
                let array = self.b.array(pointee, length);
                let place = self.any_place(array, depth - 1);
                self.b.decayed(place, pointee)
            }
            10 if self.features.casts => {
                let other = self.random.pick(&self.pointees);
                let pointer = self.b.pointer(other);
                let value = self.pointer_expr(pointer, depth - 1);
                self.b.convert(value, ty)
            }
            11 => {
                let base = self.pointer_expr(ty, depth - 1);
                let index = self.index(3);
                self.b.add(base, index, self.random.one_in(3))
            }
            12 if self.features.casts => {
                // Bytes further or back, as `container_of` does it.
                let bytes = self.b.pointer(self.b.char);
                let other = self.random.pick(&self.pointees);
                let pointer = self.b.pointer(other);
                let base = self.pointer_expr(pointer, depth - 1);
                let base = self.b.convert(base, bytes);
                let index = self.b.number(4 * self.random.below(6) as i64, self.b.long);
                let moved = self.b.add(base, index, self.random.one_in(2));
                self.b.convert(moved, ty)
            }
            13 if self.features.numbers => {
                let number = self.address_number(ty, depth - 1);
                self.b.convert(number, ty)
            }
            14 => {
                let condition = self.number_expr(self.b.int, 1);
                let [then, otherwise] = [(); 2].map(|()| self.pointer_expr(ty, depth - 1));
                self.b.expr(
                    ExprKind::Conditional {
                        condition: Box::new(condition),
                        then: Some(Box::new(then)),
                        otherwise: Box::new(otherwise),
                    },
                    ty,
                )
            }
            _ => {
                let size = self.b.c.types.size(pointee).expect("a size");
                let count = 1 + self.random.below(3) as u64;
                let size = self.b.number((size * count) as i64, self.b.long);
                let call = self.b.call(self.malloc, vec![size]);
                self.b.convert(call, ty)
            }
        }
    }

    /// Of an object that is large enough, or null.
    fn address_of_some_kind(&mut self, ty: TypeId) -> Expr {
        if self.random.one_in(6) {
            return self.b.number(0, ty);
        }
        if self.features.casts && self.random.one_in(2) {
            let place = self.variable();
            let address = self.b.address(place);
            return self.b.convert(address, ty);
        }
        let size = self.b.number(64, self.b.long);
        let call = self.b.call(self.malloc, vec![size]);
        self.b.convert(call, ty)
    }

    /// An address as a number, perhaps kept in a variable.
    fn address_number(&mut self, ty: TypeId, depth: usize) -> Expr {
        let long = self.b.long;
        let pointer = self.pointer_expr(ty, depth);
        let number = self.b.convert(pointer, long);
        match self.random.below(4) {
            0 => {
                let place = self.any_place(long, 1);
                self.b.load(place)
            }
            1 => {
                let place = self.any_place(long, 1);
                self.b.assign(place, number)
            }
            2 => {
                let other = self.b.number(8, long);
                let op = if self.random.one_in(2) {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                self.b.binary(op, number, other)
            }
            _ => {
                // There and back: `(x ^ y) ^ y`.
                let place = self.any_place(long, 0);
                let Some(again) = self.fresh_copy(&place) else {
                    return number;
                };
                let (left, right) = (self.b.load(place), self.b.load(again));
                let mixed = self.b.binary(BinaryOp::BitXor, number, left);
                self.b.binary(BinaryOp::BitXor, mixed, right)
            }
        }
    }

    pub fn number_expr(&mut self, ty: TypeId, depth: usize) -> Expr {
        if depth == 0 || self.random.one_in(3) {
            return self.b.number(self.random.below(4) as i64, ty);
        }
        match self.random.below(5) {
            0 | 1 => {
                let place = self.any_place(ty, 1);
                self.b.load(place)
            }
            2 => {
                let other = self.random.pick(&self.scalars);
                let value = self.number_expr(other, depth - 1);
                self.b.convert(value, ty)
            }
            3 if self.features.numbers && ty == self.b.long => {
                let pointee = self.random.pick(&self.pointees);
                let pointer = self.b.pointer(pointee);
                self.address_number(pointer, depth - 1)
            }
            _ => {
                let left = self.number_expr(ty, depth - 1);
                let right = self.b.number(self.random.below(3) as i64, ty);
                let op =
                    self.random
                        .pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::BitAnd, BinaryOp::BitXor]);
                self.b.binary(op, left, right)
            }
        }
    }
}
