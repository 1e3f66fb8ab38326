//! `malloc` and its kin: fresh memory, which is not null unless allocation may fail.
//!
//! How large an object is matters only in that no two overlap: a size that is computed counts as larger than any.
//! Where cleared memory is converted to a pointer to some type, its first elements of that type are zero. What is
//! enlarged stays where it is.

use lariat_c_arith::Value;
use lariat_c_library::Allocator;
use lariat_c_program::{Callee, Expr, ExprKind, FunctionId, Purpose, Scalar, Type};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::function::FunctionLowering;
use crate::place::{Located, Where};
use crate::special::strip;
use crate::storage::HEAP;

/// So many elements of cleared memory are known to be zero.
const MOST_CLEARED: u64 = 16;

fn allocator(name: &str) -> Option<Allocator> {
    lariat_c_library::find(name)?.row.allocator
}

impl FunctionLowering<'_, '_> {
    /// The result, if this is a call of an allocator that the user does not define.
    pub fn open_allocation(&mut self, expr: &Expr, callee: FunctionId, args: &[Expr]) -> Option<Vec<Value>> {
        let is_pointer = self.cx.c.types.pointee(expr.ty).is_some();
        let callee = &self.cx.c.functions[callee];
        let is_users = callee.purpose == Purpose::User && callee.body.is_some();
        if !self.is_open() || !is_pointer || is_users {
            return None;
        }
        let allocator = allocator(&callee.name)?;
        let span = expr.span;
        let values: Vec<Value> = args.iter().map(|arg| self.expr(arg)).collect();
        let size = self.fixed_size(&values, allocator.size);
        let old = allocator.old.and_then(|index| values.get(index)).cloned();
        let old = old.map(|old| self.pin(old, span));
        let mut address = self.allocate(&size, HEAP, span);
        if let Some(old) = old {
            let pool = &mut self.cx.ir.pool;
            let is_null = self.cx.arith.is_zero(pool, Scalar::Pointer, &old);
            address = self.choose(is_null, address, old);
        }
        if self.cx.options.c.malloc_may_fail {
            let failed = self.any_scalar(Scalar::Bool, span);
            let pool = &mut self.cx.ir.pool;
            let failed = self.cx.arith.truth(pool, Scalar::Bool, &failed);
            let null = self.zero(Scalar::Pointer);
            address = self.choose(failed, null, address);
        }
        Some(vec![self.pin(address, span)])
    }

    fn fixed_size(&mut self, args: &[Value], indices: &[usize]) -> Value {
        let known = indices.iter().map(|&index| args.get(index).and_then(constant));
        let size = known.product::<Option<BigInt>>();
        let most = BigInt::from(1) << (self.cx.c.types.machine.pointer_bits() / 2);
        let size = size.filter(|size| *size < most).unwrap_or(most);
        self.address(&size)
    }

    /// Cleared memory, seen as elements of the type that it is converted to.
    pub fn cleared_if_fresh(&mut self, operand: &Expr, converted: &Expr, address: Value) -> Value {
        let Some(pointee) = self.cx.c.types.pointee(converted.ty).filter(|_| self.is_open()) else {
            return address;
        };
        let ExprKind::Call {
            callee: Callee::Function(callee),
            args,
        } = &strip(operand).kind
        else {
            return address;
        };
        let name = &self.cx.c.functions[*callee].name;
        let Some(allocator) = allocator(name).filter(|allocator| allocator.cleared) else {
            return address;
        };
        let is_sized = !matches!(self.cx.c.types.get(pointee), Type::Void | Type::Function(_));
        let Some(size) = self.cx.c.types.size(pointee).filter(|&size| is_sized && size > 0) else {
            return address;
        };
        let known = allocator
            .size
            .iter()
            .map(|&index| match &strip(args.get(index)?).kind {
                ExprKind::Int(value) => Some(value.clone()),
                _ => None,
            });
        let bytes = known.product::<Option<BigInt>>().and_then(|bytes| bytes.to_u64());
        let count = bytes.map_or(MOST_CLEARED, |bytes| (bytes / size).clamp(1, MOST_CLEARED));
        let span = converted.span;
        let address = self.pin(address, span);
        let cell = self.cx.regions.target(converted.id);
        for index in 0..count {
            let place = Located {
                at: Where::Memory {
                    address: self.add_bytes(&address, index * size),
                    cell,
                },
                ty: pointee,
                bits: None,
                span: None,
                is_safe: true,
                base: None,
            };
            let zeros = self.zeros(pointee);
            self.write_leaves(&place, &zeros, span, false);
        }
        address
    }
}

fn constant(value: &Value) -> Option<BigInt> {
    let range = value.range.as_ref()?;
    (range.lo == range.hi).then(|| range.lo.clone())
}
