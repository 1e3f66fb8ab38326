//! Compiler builtins that are operators in the form of functions.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{BinaryOp, CompareOp, Expr, FloatKind, Scalar};
use lariat_term::Sort;
use num_bigint::BigInt;

use crate::function::FunctionLowering;

impl FunctionLowering<'_, '_> {
    /// The result, if the name is that of a builtin we know.
    pub fn builtin_call(&mut self, expr: &Expr, name: &str, args: &[Expr]) -> Option<Vec<Value>> {
        let span = expr.span;
        let value = match (name, args) {
            (
                "__builtin_expect" | "__builtin_expect_with_probability" | "__builtin_assume_aligned",
                [first, rest @ ..],
            ) => {
                let value = self.expr(first);
                rest.iter().for_each(|arg| self.discard(arg));
                value
            }
            (
                "__builtin_prefetch"
                | "__sync_synchronize"
                | "__builtin_va_end"
                | "va_end"
                | "__builtin_ia32_pause",
                _,
            ) => {
                args.iter().for_each(|arg| self.discard(arg));
                return Some(Vec::new());
            }
            ("__builtin_va_start" | "__builtin_c23_va_start", [list, ..]) => {
                self.start_arguments(list, span);
                return Some(Vec::new());
            }
            ("__builtin_va_copy" | "va_copy", [to, from]) => {
                self.copy_arguments(to, from, span);
                return Some(Vec::new());
            }
            ("__builtin_object_size" | "__builtin_dynamic_object_size", [_, kind]) => {
                let scalar = self.scalar(expr.ty);
                let unknown = match &crate::special::strip(kind).kind {
                    lariat_c_program::ExprKind::Int(kind) if *kind >= BigInt::from(2) => 0,
                    _ => -1,
                };
                self.cx
                    .arith
                    .int(&mut self.cx.ir.pool, scalar, &BigInt::from(unknown))
            }
            ("__builtin_constant_p", [_]) => {
                let scalar = self.scalar(expr.ty);
                self.zero(scalar)
            }
            ("__builtin_bswap16" | "__builtin_bswap32" | "__builtin_bswap64", [arg]) => {
                self.swap_bytes(expr, arg)
            }
            ("__builtin_popcount" | "__builtin_popcountl" | "__builtin_popcountll", [arg]) => {
                self.count_bits(expr, arg, BitCount::Ones)
            }
            ("__builtin_parity" | "__builtin_parityl" | "__builtin_parityll", [arg]) => {
                self.count_bits(expr, arg, BitCount::Parity)
            }
            ("__builtin_clz" | "__builtin_clzl" | "__builtin_clzll", [arg]) => {
                self.count_bits(expr, arg, BitCount::LeadingZeros)
            }
            ("__builtin_ctz" | "__builtin_ctzl" | "__builtin_ctzll", [arg]) => {
                self.count_bits(expr, arg, BitCount::TrailingZeros)
            }
            ("__builtin_ffs" | "__builtin_ffsl" | "__builtin_ffsll" | "ffs", [arg]) => {
                self.count_bits(expr, arg, BitCount::FirstSet)
            }
            _ => {
                if let Some(value) = self.overflow_builtin(name, args, expr) {
                    return Some(vec![value]);
                }
                if let Some(values) = self.atomic_step(name, args, expr) {
                    return Some(values);
                }
                return self.float_builtin(name, args, expr).map(|value| vec![value]);
            }
        };
        Some(vec![value])
    }

    fn swap_bytes(&mut self, expr: &Expr, arg: &Expr) -> Value {
        let scalar = self.scalar(expr.ty);
        let from = self.scalar(arg.ty);
        let value = self.expr(arg);
        let pool = &mut self.cx.ir.pool;
        let value = self.cx.arith.convert(pool, from, scalar, &value);
        let mut bytes = self.cx.arith.to_bytes(pool, scalar, &value);
        bytes.reverse();
        self.cx.arith.from_bytes(pool, scalar, &bytes)
    }

    /// The zeros before the first bit of zero: each processor counts them its own way.
    fn refuse_zero(&mut self, value: &Value, scalar: Scalar, span: Span) {
        let zero = self.zero(scalar);
        let is_zero = self.cx.ir.pool.eq(value.term, zero.term);
        let [refused, after] = [self.new_block(), self.new_block()];
        self.guard_silently(is_zero, refused, after, span);
        self.at(refused);
        self.unsupported("the number of zeros at an end of zero, which is undefined,", span);
        self.at(after);
    }

    /// Bit by bit: a sum or a chain of choices.
    fn count_bits(&mut self, expr: &Expr, arg: &Expr, count: BitCount) -> Value {
        let result = self.scalar(expr.ty);
        let from = self.scalar(arg.ty);
        let Scalar::Int { bits, .. } = from else {
            return self.any_scalar(result, expr.span);
        };
        let unsigned = Scalar::Int { bits, signed: false };
        let value = self.expr(arg);
        let pool = &mut self.cx.ir.pool;
        let value = self.cx.arith.convert(pool, from, unsigned, &value);
        let value = self.pin(value, expr.span);
        if matches!(count, BitCount::LeadingZeros | BitCount::TrailingZeros) {
            self.refuse_zero(&value, unsigned, expr.span);
        }
        let pool = &mut self.cx.ir.pool;
        let mut is_set = Vec::new();
        for bit in 0..bits {
            let field = self.cx.arith.extract_bits(pool, unsigned, &value, bits, bit, 1);
            is_set.push(self.cx.arith.truth(pool, unsigned, &field));
        }
        let int =
            |this: &mut Self, value: u32| this.cx.arith.int(&mut this.cx.ir.pool, result, &value.into());
        match count {
            BitCount::Ones | BitCount::Parity => {
                let mut sum = int(self, 0);
                for bit in is_set {
                    let pool = &mut self.cx.ir.pool;
                    let one = self.cx.arith.of_truth(pool, result, bit);
                    let op = match count {
                        BitCount::Parity => BinaryOp::BitXor,
                        _ => BinaryOp::Add,
                    };
                    sum = self.cx.arith.binary(pool, op, result, &sum, &one, result);
                }
                sum
            }
            BitCount::TrailingZeros | BitCount::FirstSet => {
                let first = u32::from(matches!(count, BitCount::FirstSet));
                // Of zero: undefined, or 0 for `ffs`.
                let mut chosen = int(self, 0);
                for (index, bit) in is_set.into_iter().enumerate().rev() {
                    let here = int(self, index as u32 + first);
                    chosen = self.choose(bit, here, chosen);
                }
                chosen
            }
            BitCount::LeadingZeros => {
                let mut chosen = int(self, 0);
                for (index, bit) in is_set.into_iter().enumerate() {
                    let here = int(self, bits - 1 - index as u32);
                    chosen = self.choose(bit, here, chosen);
                }
                chosen
            }
        }
    }

    /// `__builtin_add_overflow(a, b, &r)` and its kin: exact, then converted; the result tells whether it did not fit.
    fn overflow_builtin(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Option<Value> {
        let [left, right, target] = args else { return None };
        let op = if name.contains("add_overflow") || name.contains("addl_overflow") {
            BinaryOp::Add
        } else if name.contains("sub_overflow") || name.contains("subl_overflow") {
            BinaryOp::Sub
        } else if name.contains("mul_overflow") || name.contains("mull_overflow") {
            BinaryOp::Mul
        } else {
            return None;
        };
        if !name.starts_with("__builtin_") {
            return None;
        }
        let pointee = self.cx.c.types.pointee(target.ty)?;
        let scalar = self.cx.c.types.scalar(pointee)?;
        let (from_left, from_right) = (self.scalar(left.ty), self.scalar(right.ty));
        let (a, b) = self.operands(left, right);
        // Wide enough for every exact result of 64-bit operands.
        let wide = Scalar::Int {
            bits: 130,
            signed: true,
        };
        let pool = &mut self.cx.ir.pool;
        let a = self.cx.arith.convert(pool, from_left, wide, &a);
        let b = self.cx.arith.convert(pool, from_right, wide, &b);
        let exact = self.cx.arith.binary(pool, op, wide, &a, &b, wide);
        let exact = self.pin(exact, expr.span);
        let pool = &mut self.cx.ir.pool;
        let result = self.cx.arith.convert(pool, wide, scalar, &exact);
        let back = self.cx.arith.convert(pool, scalar, wide, &result);
        let lost = self.cx.arith.compare(pool, CompareOp::Ne, wide, &back, &exact);
        let lost = self.pin_term(lost, expr.span);
        self.store_through(target, pointee, &result, expr.span);
        let own = self.scalar(expr.ty);
        Some(self.cx.arith.of_truth(&mut self.cx.ir.pool, own, lost))
    }

    /// `*pointer = value`.
    fn store_through(
        &mut self,
        pointer: &Expr,
        pointee: lariat_c_program::TypeId,
        value: &Value,
        span: Span,
    ) {
        let value = self.pin(value.clone(), span);
        let located = self.target_of(pointer, pointee);
        self.write(&located, &value, span);
    }

    fn target_of(&mut self, pointer: &Expr, pointee: lariat_c_program::TypeId) -> crate::place::Located {
        let (address, base) = self.pointer(pointer);
        let address = self.pin(address, pointer.span);
        crate::place::Located {
            at: crate::place::Where::Memory {
                address,
                cell: self.cx.regions.target(pointer.id),
            },
            ty: pointee,
            bits: None,
            span: Some(pointer.span),
            is_safe: false,
            base,
        }
    }

    /// An operation on an atomic object is one step, after its operands.
    fn atomic_step(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Option<Vec<Value>> {
        if !name.starts_with("__sync_") && !name.starts_with("__atomic_") {
            return None;
        }
        self.begin_synchronising(expr.span);
        let values = self.atomic_builtin(name, args, expr).unwrap_or_else(|| {
            self.unsupported(&format!("`{name}` is not modelled"), expr.span);
            self.zeros(expr.ty)
        });
        let values = self.pin_all(values, expr.span);
        self.end_synchronising(expr.span);
        Some(values)
    }

    /// The old `__sync_` and the new `__atomic_` builtins in their sequential meaning.
    fn atomic_builtin(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Option<Vec<Value>> {
        let operation = name
            .strip_prefix("__sync_")
            .or_else(|| name.strip_prefix("__atomic_"))?;
        let operation = operation.strip_suffix("_n").unwrap_or(operation);
        let (pointer, rest) = args.split_first()?;
        let pointee = self.cx.c.types.pointee(pointer.ty)?;
        let scalar = self.cx.c.types.scalar(pointee)?;
        let span = expr.span;
        let is_sync = name.starts_with("__sync_");
        let op = |word: &str| {
            Some(match word {
                "add" => BinaryOp::Add,
                "sub" => BinaryOp::Sub,
                "or" => BinaryOp::BitOr,
                "and" => BinaryOp::BitAnd,
                "xor" => BinaryOp::BitXor,
                _ => return None,
            })
        };
        let located = self.target_of(pointer, pointee);
        let modify = match operation
            .split_once("_and_")
            .or_else(|| operation.split_once('_'))
        {
            Some(("fetch", word)) => op(word).map(|op| (op, true)),
            Some((word, "fetch")) => op(word).map(|op| (op, false)),
            _ => None,
        };
        if let (Some((op, wants_old)), Some(operand)) = (modify, rest.first()) {
            let from = self.scalar(operand.ty);
            let operand = self.expr(operand);
            let pool = &mut self.cx.ir.pool;
            let operand = self.cx.arith.convert(pool, from, scalar, &operand);
            let old = self.read(&located, span);
            let old = self.pin(old, span);
            let pool = &mut self.cx.ir.pool;
            let new = self.cx.arith.binary(pool, op, scalar, &old, &operand, scalar);
            let new = self.pin(new, span);
            self.write(&located, &new, span);
            return Some(vec![if wants_old { old } else { new }]);
        }
        match (operation, rest) {
            ("lock_test_and_set" | "exchange", [value, ..]) => {
                let from = self.scalar(value.ty);
                let value = self.expr(value);
                let pool = &mut self.cx.ir.pool;
                let value = self.cx.arith.convert(pool, from, scalar, &value);
                let old = self.read(&located, span);
                let old = self.pin(old, span);
                self.write(&located, &value, span);
                Some(vec![old])
            }
            ("lock_release", _) => {
                let zero = self.zero(scalar);
                self.write(&located, &zero, span);
                Some(Vec::new())
            }
            ("load", [_]) => {
                let value = self.read(&located, span);
                Some(vec![self.pin(value, span)])
            }
            ("store", [value, _]) => {
                let from = self.scalar(value.ty);
                let value = self.expr(value);
                let pool = &mut self.cx.ir.pool;
                let value = self.cx.arith.convert(pool, from, scalar, &value);
                self.write(&located, &value, span);
                Some(Vec::new())
            }
            ("val_compare_and_swap" | "bool_compare_and_swap", [expected, desired, ..]) if is_sync => {
                let (from_expected, from_desired) = (self.scalar(expected.ty), self.scalar(desired.ty));
                let (expected, desired) = self.operands(expected, desired);
                let pool = &mut self.cx.ir.pool;
                let expected = self.cx.arith.convert(pool, from_expected, scalar, &expected);
                let desired = self.cx.arith.convert(pool, from_desired, scalar, &desired);
                let old = self.read(&located, span);
                let old = self.pin(old, span);
                let pool = &mut self.cx.ir.pool;
                let same = self
                    .cx
                    .arith
                    .compare(pool, CompareOp::Eq, scalar, &old, &expected);
                let same = self.pin_term(same, span);
                let new = self.choose(same, desired, old.clone());
                let new = self.pin(new, span);
                self.write(&located, &new, span);
                let own = self.scalar(expr.ty);
                let result = match operation {
                    "bool_compare_and_swap" => self.cx.arith.of_truth(&mut self.cx.ir.pool, own, same),
                    _ => old,
                };
                Some(vec![result])
            }
            _ => {
                self.unsupported(&format!("`{name}` is not modelled"), span);
                Some(self.zeros(expr.ty))
            }
        }
    }

    fn float_builtin(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Option<Value> {
        let name = name.strip_prefix("__builtin_")?;
        match (name, args) {
            ("inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall", []) => {
                Some(self.float_constant(expr, f64::INFINITY))
            }
            ("nan" | "nanf" | "nanl", [_]) => Some(self.float_constant(expr, f64::NAN)),
            (_, [arg]) => {
                let (theory, is_test) = match name {
                    "fabs" | "fabsf" | "fabsl" => ("fp.abs", false),
                    "sqrt" | "sqrtf" | "sqrtl" => ("fp.sqrt", false),
                    "isnan" | "isnanf" | "isnanl" => ("fp.isNaN", true),
                    "isinf" | "isinff" | "isinfl" => ("fp.isInfinite", true),
                    "isnormal" => ("fp.isNormal", true),
                    "signbit" | "signbitf" | "signbitl" => return self.sign_builtin(arg, expr),
                    _ => return self.rounding_builtin(name, arg, expr),
                };
                let value = self.expr(arg);
                if !matches!(self.scalar(arg.ty), Scalar::Float(_)) {
                    return None;
                }
                let pool = &mut self.cx.ir.pool;
                let sort = pool.sort_of(value.term);
                if is_test {
                    let bool = pool.bool_sort();
                    let test = pool.theory(theory, &[value.term], bool);
                    let scalar = self.scalar(expr.ty);
                    return Some(self.cx.arith.of_truth(&mut self.cx.ir.pool, scalar, test));
                }
                let term = match theory {
                    "fp.sqrt" => {
                        let mode = pool.rounding_mode(lariat_term::RoundingMode::NearestEven);
                        pool.theory(theory, &[mode, value.term], sort)
                    }
                    _ => pool.theory(theory, &[value.term], sort),
                };
                Some(Value { term, range: None })
            }
            ("fma" | "fmaf" | "fmal", [x, y, z]) => {
                if !matches!(self.scalar(expr.ty), Scalar::Float(_)) {
                    return None;
                }
                let args = [x, y, z].map(|arg| {
                    let value = self.expr(arg);
                    self.pin(value, arg.span).term
                });
                let pool = &mut self.cx.ir.pool;
                let sort = pool.sort_of(args[0]);
                let mode = pool.rounding_mode(lariat_term::RoundingMode::NearestEven);
                let term = pool.theory("fp.fma", &[mode, args[0], args[1], args[2]], sort);
                Some(Value { term, range: None })
            }
            ("isgreater" | "isgreaterequal" | "isless" | "islessequal", [left, right]) => {
                let op = match name {
                    "isgreater" => CompareOp::Gt,
                    "isgreaterequal" => CompareOp::Ge,
                    "isless" => CompareOp::Lt,
                    _ => CompareOp::Le,
                };
                let scalar = self.scalar(left.ty);
                let (left, right) = self.operands(left, right);
                let pool = &mut self.cx.ir.pool;
                let test = self.cx.arith.compare(pool, op, scalar, &left, &right);
                let own = self.scalar(expr.ty);
                Some(self.cx.arith.of_truth(&mut self.cx.ir.pool, own, test))
            }
            _ => None,
        }
    }

    /// `floor` and its kin: rounding to an integral value.
    fn rounding_builtin(&mut self, name: &str, arg: &Expr, expr: &Expr) -> Option<Value> {
        use lariat_term::RoundingMode::{
            NearestAway, NearestEven, TowardNegative, TowardPositive, TowardZero,
        };
        let mode = match name.trim_end_matches(['f', 'l']) {
            "floor" | "oor" => TowardNegative,
            "cei" => TowardPositive,
            "trunc" => TowardZero,
            "round" => NearestAway,
            "rint" | "nearbyint" => NearestEven,
            _ => return None,
        };
        if !matches!(self.scalar(expr.ty), Scalar::Float(_)) {
            return None;
        }
        let value = self.expr(arg);
        let pool = &mut self.cx.ir.pool;
        let sort = pool.sort_of(value.term);
        if !matches!(pool.sort(sort), Sort::Float { .. }) {
            return None;
        }
        let mode = pool.rounding_mode(mode);
        let term = pool.theory("fp.roundToIntegral", &[mode, value.term], sort);
        Some(Value { term, range: None })
    }

    fn float_constant(&mut self, expr: &Expr, value: f64) -> Value {
        let kind = match self.scalar(expr.ty) {
            Scalar::Float(kind) => kind,
            _ => FloatKind::Double,
        };
        self.cx.arith.float(&mut self.cx.ir.pool, kind, value)
    }
}

enum BitCount {
    Ones,
    Parity,
    LeadingZeros,
    TrailingZeros,
    FirstSet,
}
