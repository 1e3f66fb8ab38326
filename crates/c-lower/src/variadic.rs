//! Variable arguments: the caller stores them in slots of 8 bytes, one after the other, and passes their address.
//!
//! A map says of each slot what kind of value it holds, and that of the one behind the last argument is [`NOTHING`]: `va_arg`
//! reads what is there, as what it is, or the execution is not modelled.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Expr, ExprKind, Scalar, TypeId};
use num_bigint::BigInt;

use crate::call::Argument;
use crate::function::FunctionLowering;
use crate::options::Check;
use crate::place::{Located, Where};
use crate::storage::VARIABLE;

const SLOT: u64 = 8;
/// The kind of what lies behind the last argument.
const NOTHING: u32 = 0;

impl FunctionLowering<'_, '_> {
    /// Stores further arguments; the address of the first.
    pub fn pack_arguments(&mut self, args: &[Argument<'_>], span: Span) -> Value {
        let mut packed = Vec::new();
        for argument in args {
            packed.push((argument.expr.ty, self.pin_all(argument.values.clone(), span)));
        }
        let bytes: u64 = packed.iter().map(|(ty, _)| self.slot_bytes(*ty)).sum();
        let size = self.address(&BigInt::from(bytes + SLOT));
        let base = self.allocate(&size, VARIABLE, span);
        let mut offset = 0;
        for (ty, values) in packed {
            let at = self.add_bytes(&base, offset);
            let kind = self.kind(ty);
            self.set_kind(&at, kind, span);
            let place = self.slot_place(at, ty);
            match self.cx.c.types.scalar(ty) {
                Some(_) => values.iter().for_each(|value| self.write(&place, value, span)),
                None => self.write_leaves(&place, &values, span, false),
            }
            offset += self.slot_bytes(ty);
        }
        let end = self.add_bytes(&base, offset);
        self.set_kind(&end, NOTHING, span);
        base
    }

    fn slot_bytes(&self, ty: TypeId) -> u64 {
        self.cx.c.types.size(ty).unwrap_or(SLOT).div_ceil(SLOT).max(1) * SLOT
    }

    /// Values of different kinds are not read as each other; integers of either sign are, and pointers as integers.
    fn kind(&self, ty: TypeId) -> u32 {
        let types = &self.cx.c.types;
        match (types.scalar(ty), types.record_of(ty)) {
            (Some(Scalar::Bool), _) => 1,
            (Some(Scalar::Int { bits, .. }), _) => bits,
            (Some(Scalar::Pointer), _) => types.machine.pointer_bits(),
            (Some(Scalar::Float(kind)), _) => 1000 + kind as u32,
            (None, Some(record)) => 2000 + record.as_u32(),
            (None, None) => 1999,
        }
    }

    fn set_kind(&mut self, at: &Value, kind: u32, span: Span) {
        let arguments = self.cx.storage.arguments;
        let pool = &mut self.cx.ir.pool;
        let (map, kind) = (pool.var(arguments), pool.int(kind));
        let map = pool.store(map, &[at.term], kind);
        self.set_silently(arguments, map, span);
    }

    /// There is an argument, and it is of this type.
    fn check_kind(&mut self, at: &Value, ty: TypeId, span: Span) {
        let kind = self.kind(ty);
        let arguments = self.cx.storage.arguments;
        let pool = &mut self.cx.ir.pool;
        let map = pool.var(arguments);
        let found = pool.select(map, &[at.term]);
        let (nothing, kind) = (pool.int(NOTHING), pool.int(kind));
        let is_behind = pool.eq(found, nothing);
        let is_there = pool.not(is_behind);
        let is_right = pool.eq(found, kind);
        let message = "`va_arg` can read behind the last argument".to_owned();
        self.check(Check::Bounds, is_there, span, Some(message));
        self.supported_if(
            is_right,
            "`va_arg` behind the last argument, or of a type that it does not have,",
            span,
        );
    }

    fn slot_place(&mut self, address: Value, ty: TypeId) -> Located {
        Located {
            at: Where::Memory {
                address,
                cell: self.cx.regions.varargs(),
            },
            ty,
            bits: None,
            span: None,
            is_safe: true,
            base: None,
        }
    }

    /// `va_start(list, …)`: the list is a pointer to it.
    pub fn start_arguments(&mut self, list: &Expr, span: Span) {
        let params = &self.cx.ir.procs[self.proc].params;
        let variadic = self.cx.function_type(self.function).variadic;
        let Some(&arguments) = params.last().filter(|_| variadic) else {
            return self.unsupported("va_start in a function without variable arguments", span);
        };
        let first = self.value_of(arguments, Scalar::Pointer);
        let place = self.list_place(list);
        self.write_pointer(&place, &first, span);
    }

    /// `va_copy(to, from)`.
    pub fn copy_arguments(&mut self, to: &Expr, from: &Expr, span: Span) {
        let source = self.list_place(from);
        let value = self.read_pointer(&source, span);
        let value = self.pin(value, span);
        let place = self.list_place(to);
        self.write_pointer(&place, &value, span);
    }

    /// `va_arg(list, type)`: the leaves of the next argument.
    pub fn next_argument(&mut self, list: &Expr, ty: TypeId, span: Span) -> Vec<Value> {
        let place = self.list_place(list);
        let current = self.read_pointer(&place, span);
        let current = self.pin(current, span);
        if !self.is_open() {
            self.check_kind(&current, ty, span);
        }
        let next = self.add_bytes(&current, self.slot_bytes(ty));
        self.write_pointer(&place, &next, span);
        let slot = self.slot_place(current, ty);
        let values = match self.cx.c.types.scalar(ty) {
            Some(_) => vec![self.read(&slot, span)],
            None => self.read_leaves(&slot, span),
        };
        self.pin_all(values, span)
    }

    /// The `va_list` that an expression denotes: a pointer to it.
    fn list_place(&mut self, list: &Expr) -> (Value, lariat_c_regions::Cell) {
        let mut list = list;
        while let ExprKind::Convert(inner) = &list.kind {
            list = inner;
        }
        let address = self.expr(list);
        (address, self.cx.regions.target(list.id))
    }

    fn read_pointer(&mut self, place: &(Value, lariat_c_regions::Cell), span: Span) -> Value {
        let bytes = self.cx.c.types.machine.pointer_bytes();
        self.load(&place.0, place.1, Scalar::Pointer, bytes, None, span)
    }

    fn write_pointer(&mut self, place: &(Value, lariat_c_regions::Cell), value: &Value, span: Span) {
        let bytes = self.cx.c.types.machine.pointer_bytes();
        self.store(&place.0, place.1, Scalar::Pointer, bytes, None, value, span, None);
    }
}
