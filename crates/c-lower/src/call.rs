//! Calls: direct, through pointers ([Magic04] §3.3), of functions with and without a body.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Callee, Expr, ExprKind, FunctionId, Scalar, TypeId};
use lariat_ir::{Call, Origin, ProcId, StmtKind, ThreadPrimitive};
use lariat_term::TermId;

use crate::function::FunctionLowering;
use crate::special::strip;

/// An argument: its leaves and its type.
pub struct Argument<'e> {
    pub expr: &'e Expr,
    pub values: Vec<Value>,
}

impl FunctionLowering<'_, '_> {
    /// The leaves of the result.
    pub fn call(&mut self, expr: &Expr, callee: &Callee, args: &[Expr]) -> Vec<Value> {
        let function = match callee {
            Callee::Function(function) => *function,
            Callee::Pointer(pointer) => match strip(pointer).kind {
                // Called as another type than it has: an implicit declaration.
                ExprKind::FunctionAddress(function) => function,
                _ => return self.call_pointer(expr, pointer, args),
            },
        };
        self.expect_result(expr.span);
        let events = self.events_of(function);
        if events.is_empty() {
            return self.call_quietly(expr, function, args);
        }
        let held = self.hold_arguments(args);
        let kept = self.before_call(&events, &held, expr.span);
        let values = self.call_quietly(expr, function, args);
        let values = self.pin_all(values, expr.span);
        self.after_call(&events, kept, &held, &values, expr);
        self.release_arguments(args);
        values
    }

    /// Without the events of typestate rules.
    fn call_quietly(&mut self, expr: &Expr, function: FunctionId, args: &[Expr]) -> Vec<Value> {
        if !self.is_stub(function)
            && let Some(values) = self.special_call(expr, function, args)
        {
            return values;
        }
        let args = self.arguments(args);
        self.call_function(expr, function, &args)
    }

    /// Evaluates all arguments.
    pub fn arguments<'e>(&mut self, args: &'e [Expr]) -> Vec<Argument<'e>> {
        let values = self.operand_list(&args.iter().collect::<Vec<_>>());
        let pairs = args.iter().zip(values);
        pairs.map(|(expr, values)| Argument { expr, values }).collect()
    }

    fn is_stub(&self, function: FunctionId) -> bool {
        self.cx.options.is_stub(&self.cx.c.functions[function].name)
    }

    fn call_function(&mut self, expr: &Expr, function: FunctionId, args: &[Argument<'_>]) -> Vec<Value> {
        if self.is_stub(function) {
            return self.call_stub(expr, function, args);
        }
        if self.cx.c.functions[function].body.is_none() {
            return self.call_external(expr, function, args);
        }
        let proc = self.cx.called_proc(self.proc, function);
        let data = &self.cx.c.functions[function];
        let mut ins = Vec::new();
        for (index, &param) in data.params.iter().enumerate() {
            let ty = data.locals[param].ty;
            let values = match args.get(index) {
                Some(argument) => self.passed(argument, ty),
                // Fewer arguments than parameters: undefined, any value.
                None => self.any_values(ty, expr.span),
            };
            ins.extend(values.into_iter().map(|value| value.term));
        }
        if self.cx.function_type(function).variadic {
            let extra = args.get(data.params.len()..).unwrap_or_default();
            ins.push(self.pack_arguments(extra, expr.span).term);
        }
        if ins.len() != self.cx.ir.procs[proc].params.len() {
            self.unsupported(
                "a call with arguments of other types than the parameters",
                expr.span,
            );
            return self.zeros(expr.ty);
        }
        if self.ends_thread(function) {
            self.end_locals(expr.span);
        }
        self.note_atomic_block(function);
        let proc = self.thread_of(function, proc, expr.span);
        if !self.is_atomic(function) {
            return self.call_proc(expr, function, proc, ins);
        }
        self.call_primitive(ThreadPrimitive::AtomicBegin, expr.span);
        let values = self.call_proc(expr, function, proc, ins);
        self.call_primitive(ThreadPrimitive::AtomicEnd, expr.span);
        values
    }

    /// A call of a procedure that is not looked into. Arguments without parameter are only evaluated.
    fn call_stub(&mut self, expr: &Expr, function: FunctionId, args: &[Argument<'_>]) -> Vec<Value> {
        let proc = self.cx.stub_of(function);
        let params = self.cx.function_type(function).params.clone();
        let mut ins = Vec::new();
        for (index, ty) in params.into_iter().enumerate() {
            let values = match args.get(index) {
                Some(argument) => self.passed(argument, ty),
                None => self.any_values(ty, expr.span),
            };
            ins.extend(values.into_iter().map(|value| value.term));
        }
        self.call_proc(expr, function, proc, ins)
    }

    fn call_proc(&mut self, expr: &Expr, function: FunctionId, proc: ProcId, ins: Vec<TermId>) -> Vec<Value> {
        let result = self.cx.function_type(function).result;
        let leaves = self.cx.leaves(result).unwrap_or_default();
        let outs: Vec<_> = leaves
            .iter()
            .map(|leaf| self.scalar_temporary(leaf.scalar))
            .collect();
        let call = Call {
            callee: proc,
            ins,
            outs: outs.clone(),
        };
        self.expect_result(expr.span);
        self.push(StmtKind::Call(call), expr.span, Origin::Source);
        if self.cx.c.functions[function].noreturn {
            self.stop();
        }
        let mut values = Vec::new();
        for (&out, leaf) in outs.iter().zip(leaves.iter()) {
            let value = self.value_of(out, leaf.scalar);
            self.assume_in_type(value.term, leaf.scalar, expr.span);
            values.push(value);
        }
        self.as_type(values, result, expr.ty)
    }

    /// A result as the caller sees it, whose declaration may differ.
    fn as_type(&mut self, values: Vec<Value>, from: TypeId, to: TypeId) -> Vec<Value> {
        let types = &self.cx.c.types;
        match (types.scalar(from), types.scalar(to), values.as_slice()) {
            (Some(from), Some(to), [value]) => {
                vec![self.cx.arith.convert(&mut self.cx.ir.pool, from, to, value)]
            }
            _ if from == to || values.len() == self.cx.leaves(to).unwrap_or_default().len() => values,
            _ => self.zeros(to),
        }
    }

    /// An argument as the parameter takes it.
    fn passed(&mut self, argument: &Argument<'_>, ty: TypeId) -> Vec<Value> {
        let types = &self.cx.c.types;
        match (types.scalar(argument.expr.ty), types.scalar(ty)) {
            (Some(from), Some(to)) => argument
                .values
                .iter()
                .map(|value| self.cx.arith.convert(&mut self.cx.ir.pool, from, to, value))
                .collect(),
            _ => argument.values.clone(),
        }
    }

    pub fn any_values(&mut self, ty: TypeId, span: Span) -> Vec<Value> {
        let leaves = self.known_leaves(ty, span);
        leaves
            .iter()
            .map(|leaf| self.any_scalar(leaf.scalar, span))
            .collect()
    }

    pub fn any_scalar(&mut self, scalar: Scalar, span: Span) -> Value {
        let var = self.scalar_temporary(scalar);
        self.havoc(var, scalar, span, Origin::Internal);
        self.value_of(var, scalar)
    }

    /// Goes to whichever function the pointer is the address of.
    fn call_pointer(&mut self, expr: &Expr, pointer: &Expr, args: &[Expr]) -> Vec<Value> {
        let operands: Vec<&Expr> = std::iter::once(pointer).chain(args).collect();
        let mut values = self.operand_list(&operands).into_iter();
        let address = self.only(values.next().unwrap_or_default(), pointer);
        let address = self.pin(address, pointer.span);
        let args: Vec<Argument<'_>> = args
            .iter()
            .zip(values)
            .map(|(expr, values)| Argument {
                expr,
                values: self.pin_all(values, expr.span),
            })
            .collect();
        let targets = self.cx.regions.targets(pointer.id);
        let leaves = self.cx.leaves(expr.ty).unwrap_or_default();
        let results: Vec<_> = leaves
            .iter()
            .map(|leaf| self.scalar_temporary(leaf.scalar))
            .collect();
        let after = self.new_block();
        for target in targets.functions {
            let [call, next] = [self.new_block(), self.new_block()];
            let own = self.cx.storage.function_address(target);
            let own = self.address(&own);
            let is_it = self.cx.ir.pool.eq(address.term, own.term);
            self.guard_silently(is_it, call, next, pointer.span);
            self.at(call);
            let events = self.events_of(target);
            let kept = self.before_call(&events, &args, expr.span);
            if !self.takes(target, &args, expr.ty) {
                let name = &self.cx.c.functions[target].name;
                let reason = format!("a call of `{name}` through a pointer of another type");
                self.unsupported(&reason, expr.span);
            }
            let mut values = self.call_function(expr, target, &args);
            if !events.is_empty() {
                values = self.pin_all(values, expr.span);
            }
            self.after_call(&events, kept, &args, &values, expr);
            for (&result, value) in results.iter().zip(values) {
                self.set_silently(result, value.term, expr.span);
            }
            self.jump(after);
            self.at(next);
        }
        self.check_callee(&address, pointer.span);
        for target in targets.refused {
            let [other, next] = [self.new_block(), self.new_block()];
            let own = self.cx.storage.function_address(target);
            let own = self.address(&own);
            let is_it = self.cx.ir.pool.eq(address.term, own.term);
            self.guard_silently(is_it, other, next, pointer.span);
            self.at(other);
            let data = &self.cx.c.functions[target];
            if self.is_open() && !self.cx.converted_functions.contains(&data.ty) {
                // Only the environment could have put it there.
                self.stop();
            } else {
                let reason = format!("a call of `{}` through a pointer of another type", data.name);
                self.unsupported(&reason, expr.span);
            }
            self.at(next);
        }
        if targets.unknown {
            let name = self.callee_name(pointer);
            let values = self.call_unknown(expr, &name, &args);
            for (&result, value) in results.iter().zip(values) {
                self.set_silently(result, value.term, expr.span);
            }
            self.jump(after);
        } else if self.is_open() {
            // No function is there: undefined.
            self.stop();
        } else {
            self.unsupported(
                "a call through a pointer that is no function of its type",
                expr.span,
            );
        }
        self.at(after);
        results
            .iter()
            .zip(leaves.iter())
            .map(|(&var, leaf)| self.value_of(var, leaf.scalar))
            .collect()
    }

    /// A call through null.
    fn check_callee(&mut self, address: &Value, span: Span) {
        self.check_base(Some(address.term), span);
    }

    /// Whether a function can be called with these arguments and this result, as a caller that sees another declaration
    /// would: as many arguments as parameters, each of the same size and kind.
    fn takes(&self, function: FunctionId, args: &[Argument<'_>], result: TypeId) -> bool {
        let types = &self.cx.c.types;
        let is_same = |left: TypeId, right: TypeId| match (types.scalar(left), types.scalar(right)) {
            (Some(Scalar::Float(left)), Some(Scalar::Float(right))) => left == right,
            (Some(Scalar::Float(_)), Some(_)) | (Some(_), Some(Scalar::Float(_))) => false,
            (Some(_), Some(_)) => types.size(left) == types.size(right),
            _ => left == right,
        };
        let ty = self.cx.function_type(function);
        let given = match self.cx.is_open() || !ty.prototyped {
            true => return true,
            false => args.len(),
        };
        let count = match ty.variadic {
            true => given >= ty.params.len(),
            false => given == ty.params.len(),
        };
        let is_ignored = matches!(types.get(result), lariat_c_program::Type::Void);
        count
            && (is_ignored || is_same(ty.result, result))
            && ty
                .params
                .iter()
                .zip(args)
                .all(|(&param, arg)| is_same(param, arg.expr.ty))
    }
}
