//! Functions whose calls have a meaning of their own: those of the competition, those that our models are written in, and
//! the few of the library that the verifier must know.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_library::Meaning;
use lariat_c_program::{
    CProgram, Callee, Expr, ExprKind, FloatKind, FunctionId, InitValue, Initializer, Node, Place, PlaceKind,
    Purpose, Scalar, Stmt, StmtKind, visit_stmt,
};
use lariat_term::{LIBRARY_FUNCTION, LibraryFunction};
use num_bigint::BigInt;

use crate::function::FunctionLowering;
use crate::names::PartialHavoc;
use crate::options::Check;
use crate::storage::HEAP;
use crate::storage::VARIABLE;

/// What `assert` expands to when it fails, and the competition's own.
pub fn is_assertion(name: &str) -> bool {
    is_failed_assertion(name) || name == "__VERIFIER_assert"
}

fn is_failed_assertion(name: &str) -> bool {
    matches!(
        name,
        "__assert_fail"
            | "__assert"
            | "__assert_rtn"
            | "__assert_perror_fail"
            | "__assert13"
            | "__assert_func"
    )
}

/// Returns any value.
pub fn is_input(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_")
}

impl FunctionLowering<'_, '_> {
    /// The leaves of the result, if the call has a meaning of its own.
    pub fn special_call(&mut self, expr: &Expr, function: FunctionId, args: &[Expr]) -> Option<Vec<Value>> {
        let data = &self.cx.c.functions[function];
        let name = data.name.clone();
        let span = expr.span;
        if self.cx.options.c.is_error_function(&name) && self.cx.options.checks(Check::Reach) {
            args.iter().for_each(|arg| self.discard(arg));
            let message = format!("`{name}` can be reached");
            self.fail(Check::Reach, span, message);
            return Some(self.zeros(expr.ty));
        }
        // The competition's assertion: its failure is the error where only that is asked about.
        if let ("__VERIFIER_assert", [condition]) = (&*name, args)
            && (data.body.is_none() || data.purpose == Purpose::Model)
        {
            let condition = self.condition(condition);
            let check = match self.cx.options.checks(Check::Assert) {
                true => Check::Assert,
                false => Check::Reach,
            };
            self.check(check, condition, span, Some(Check::Assert.message().to_owned()));
            return Some(self.zeros(expr.ty));
        }
        if let Some(values) = self.open_allocation(expr, function, args) {
            return Some(values);
        }
        if self.is_open() && data.purpose == Purpose::Model && is_failed_assertion(&name) {
            self.fail(Check::Assert, span, Check::Assert.message().to_owned());
            return Some(Vec::new());
        }
        if data.body.is_some() {
            return None;
        }
        let known = lariat_c_library::find(&name)?;
        if let Meaning::Refused(reason) = known.row.meaning {
            self.unsupported(reason, span);
            return Some(self.zeros(expr.ty));
        }
        if is_failed_assertion(&name) {
            self.fail(Check::Assert, span, Check::Assert.message().to_owned());
            return Some(Vec::new());
        }
        if known.row.meaning == Meaning::Intrinsic && is_input(&name) {
            args.iter().for_each(|arg| self.discard(arg));
            return Some(self.input(&name, expr.ty, span));
        }
        match (&*known.name, args) {
            ("__VERIFIER_error" | "reach_error", _) => self.stop(),
            ("__VERIFIER_assume" | "__lariat_assume", [condition]) => {
                self.assumes = true;
                let condition = self.condition(condition);
                self.assumes = false;
                self.push(
                    lariat_ir::StmtKind::Assume(condition),
                    span,
                    lariat_ir::Origin::Source,
                );
            }
            ("__lariat_atomic_begin", []) => self.begin_synchronising(span),
            ("__lariat_atomic_end", []) => self.end_synchronising(span),
            ("__lariat_thread_id", []) => return Some(vec![self.thread_id(expr)]),
            ("__lariat_end_thread_objects", []) => self.end_thread_objects(span),
            ("__lariat_thread_stop", []) => self.stop(),
            ("abort" | "__builtin_trap", []) => {
                self.fail(Check::Abort, span, Check::Abort.message().to_owned());
            }
            ("exit" | "_exit" | "_Exit" | "__lariat_stop", _) => {
                args.iter().for_each(|arg| self.discard(arg));
                let is_exit = |name: &str| name == "exit";
                if is_exit(&name) || (self.is_model() && is_exit(&self.cx.c.functions[self.function].name)) {
                    self.run_destructors(span);
                }
                self.check_leaks(span);
                self.stop();
            }
            // What the program says of its callers is an assumption about the environment.
            ("__builtin_unreachable", []) if self.is_open() => self.stop(),
            ("__builtin_unreachable", []) => {
                self.unsupported(
                    "`__builtin_unreachable`, of which the program says that it is not reached,",
                    span,
                );
            }
            ("malloc", [size]) => return Some(vec![self.malloc(size, span)]),
            ("alloca" | "__builtin_alloca", [size]) => {
                let size = self.size_value(size);
                return Some(vec![self.allocate_in_frame(&size, span)]);
            }
            ("__lariat_allocate", [size, kind]) => {
                let is_stack = matches!(&strip(kind).kind, ExprKind::Int(kind) if *kind == BigInt::from(1));
                let size = self.size_value(size);
                let state = if is_stack { VARIABLE } else { HEAP };
                return Some(vec![self.allocate(&size, state, span)]);
            }
            ("free" | "__lariat_free", [pointer]) => {
                let pointer = self.expr(pointer);
                self.free(&pointer, span);
            }
            ("__lariat_unsupported", [reason]) => {
                let reason = self.string_of(reason);
                self.unsupported(reason.as_deref().unwrap_or("what a model does"), span);
            }
            ("__lariat_expose", [pointer]) => self.discard(pointer),
            ("__lariat_change_variables", []) => {
                let name = self.cx.c.functions[self.function].name.clone();
                self.forget_variables(span, &name, true);
            }
            ("__lariat_evaluate", _) => {
                self.operand_list(&args.iter().collect::<Vec<_>>());
            }
            ("__lariat_point_into", [array, count, text, size]) => {
                self.point_into([array, count, text, size], span);
            }
            ("__lariat_any_int" | "__lariat_any_number", []) => {
                return Some(vec![self.imprecise(expr)]);
            }
            ("__lariat_real_float" | "__lariat_real_double" | "__lariat_real_long_double", [name, x, y]) => {
                return Some(vec![self.real_function(expr, name, [x, y])]);
            }
            ("__lariat_check", [condition, check, message]) => {
                self.model_check(condition, check, message, span)
            }
            ("__lariat_uses", [function]) => {
                let condition = self.uses(function);
                let condition = self.cx.ir.pool.bool(condition);
                let scalar = self.scalar(expr.ty);
                let value = self.cx.arith.of_truth(&mut self.cx.ir.pool, scalar, condition);
                return Some(vec![value]);
            }
            ("__lariat_checks", [check]) => {
                let check: Option<Check> = self.string_of(check).and_then(|name| name.parse().ok());
                let is_checked = check.is_some_and(|check| self.cx.options.checks(check));
                let condition = self.cx.ir.pool.bool(is_checked);
                let scalar = self.scalar(expr.ty);
                let value = self.cx.arith.of_truth(&mut self.cx.ir.pool, scalar, condition);
                return Some(vec![value]);
            }
            ("__lariat_has_count_format", []) => {
                let known = self.cx.has_count_format;
                let found = known.unwrap_or_else(|| has_count_format(self.cx.c));
                self.cx.has_count_format = Some(found);
                let condition = self.cx.ir.pool.bool(found);
                let scalar = self.scalar(expr.ty);
                let value = self.cx.arith.of_truth(&mut self.cx.ir.pool, scalar, condition);
                return Some(vec![value]);
            }
            ("__lariat_malloc_may_fail", []) => {
                let value = match self.cx.options.c.malloc_may_fail {
                    true => self.any_scalar(Scalar::Bool, span),
                    false => self.zero(Scalar::Bool),
                };
                let scalar = self.scalar(expr.ty);
                let pool = &mut self.cx.ir.pool;
                return Some(vec![self.cx.arith.convert(pool, Scalar::Bool, scalar, &value)]);
            }
            ("__lariat_object_size", [pointer]) => return Some(vec![self.object_size(pointer, expr)]),
            ("__lariat_valid", [pointer, size]) => return Some(vec![self.is_valid(pointer, size, expr)]),
            ("__lariat_angelic", [condition]) => self.angelic(condition, span),
            ("__lariat_havoc", [pointer, size]) => self.havoc_bytes(pointer, size, false, span),
            ("__lariat_any_bytes", [pointer, size]) => self.havoc_bytes(pointer, size, true, span),
            _ => return self.builtin_call(expr, &known.name, args),
        }
        Some(self.zeros(expr.ty))
    }

    /// Whether the program has the function that the expression names.
    fn uses(&self, name: &Expr) -> bool {
        let name = self.string_of(name);
        let mut functions = self.cx.c.functions.values();
        name.is_some_and(|name| functions.any(|function| *function.name == *name))
    }

    /// Whether a model asks for a function that the program does not have.
    pub fn asks_in_vain(&self, condition: &Expr) -> bool {
        let ExprKind::Call {
            callee: Callee::Function(function),
            args,
        } = &strip(condition).kind
        else {
            return false;
        };
        let is_question = self.is_model() && *self.cx.c.functions[*function].name == *"__lariat_uses";
        is_question && args.first().is_some_and(|name| !self.uses(name))
    }

    /// A failure for whoever gets here, if it is asked for; the path ends.
    fn fail(&mut self, check: Check, span: Span, message: String) {
        let never = self.cx.ir.pool.bool(false);
        self.check(check, never, span, Some(message));
        self.stop();
    }

    /// Any value, where the real library gives a particular one.
    fn imprecise(&mut self, expr: &Expr) -> Value {
        let scalar = self.scalar(expr.ty);
        let var = self.scalar_temporary(scalar);
        // A call that was taken apart is in the user's function.
        let name = match self.is_model() {
            true => self.cx.c.functions[self.function].name.clone(),
            false => "__lariat_any".into(),
        };
        let stmt = self.havoc(var, scalar, expr.span, lariat_ir::Origin::External(name.clone()));
        self.cx.names.imprecise.insert(stmt, name);
        self.value_of(var, scalar)
    }

    /// The value of a function of `math.h`.
    fn real_function(&mut self, expr: &Expr, name: &Expr, args: [&Expr; 2]) -> Value {
        let scalar = self.scalar(expr.ty);
        let (suffix, is_computed) = match scalar {
            Scalar::Float(FloatKind::Float) => ("f", true),
            Scalar::Float(FloatKind::Double) => ("", true),
            _ => ("l", false),
        };
        let name = self.string_of(name).unwrap_or_default();
        let name = name.strip_suffix(suffix).unwrap_or(&name);
        if !is_computed || LibraryFunction::of(name).is_none() {
            args.into_iter().for_each(|arg| self.discard(arg));
            return self.imprecise(expr);
        }
        self.cx.names.has_real_functions = true;
        let args = args.map(|arg| self.expr(arg).term);
        let sort = self.cx.arith.sort(&mut self.cx.ir.pool, scalar);
        let key = format!("{LIBRARY_FUNCTION}{name}{suffix}");
        let pool = &mut self.cx.ir.pool;
        let functions = &mut self.cx.real_functions;
        let function = *functions
            .entry(key)
            .or_insert_with_key(|key| pool.declare_function(key.as_str(), vec![sort, sort], sort));
        let term = pool.apply(function, &args);
        self.cx.arith.value(term, scalar)
    }

    /// A number of bytes, as an address is one.
    pub fn size_value(&mut self, size: &Expr) -> Value {
        let scalar = self.scalar(size.ty);
        let value = self.expr(size);
        let pool = &mut self.cx.ir.pool;
        let value = self.cx.arith.convert(pool, scalar, Scalar::Pointer, &value);
        self.pin(value, size.span)
    }

    fn malloc(&mut self, size: &Expr, span: Span) -> Value {
        let size = self.size_value(size);
        let address = self.allocate(&size, HEAP, span);
        if !self.cx.options.c.malloc_may_fail {
            return address;
        }
        let failed = self.any_scalar(Scalar::Bool, span);
        let pool = &mut self.cx.ir.pool;
        let failed = self.cx.arith.truth(pool, Scalar::Bool, &failed);
        let null = self.zero(Scalar::Pointer);
        let chosen = self.choose(failed, null, address);
        self.pin(chosen, span)
    }

    fn model_check(&mut self, condition: &Expr, check: &Expr, message: &Expr, span: Span) {
        let condition = self.condition(condition);
        let name = self.string_of(check);
        let message = self.string_of(message);
        match name.as_deref().and_then(|name| name.parse().ok()) {
            Some(check) => self.check_everywhere(check, condition, span, message),
            None => self.unsupported("a check without a known name in a model", span),
        }
    }

    /// The text of a string literal.
    fn string_of(&self, expr: &Expr) -> Option<String> {
        let ExprKind::AddressOf(place) = &strip(expr).kind else {
            return None;
        };
        let mut place: &Place = place;
        while let PlaceKind::Index { base, .. } = &place.kind {
            place = base;
        }
        let PlaceKind::Global(global) = place.kind else {
            return None;
        };
        let item = self.cx.c.globals[global].init.as_ref()?.items.first()?;
        let InitValue::String(characters) = &item.value else {
            return None;
        };
        let text = characters.iter().take_while(|&&character| character != 0);
        text.map(|&character| char::from_u32(character)).collect()
    }

    fn object_size(&mut self, pointer: &Expr, expr: &Expr) -> Value {
        let scalar = self.scalar(expr.ty);
        let address = self.expr(pointer);
        if !self.cx.options.tracks_objects() {
            return self.any_scalar(scalar, expr.span);
        }
        let slot = self.slot_of(&address);
        let left = self.bytes_left(&address, slot);
        let value = self.cx.arith.value(left, Scalar::Pointer);
        self.cx
            .arith
            .convert(&mut self.cx.ir.pool, Scalar::Pointer, scalar, &value)
    }

    fn is_valid(&mut self, pointer: &Expr, size: &Expr, expr: &Expr) -> Value {
        let scalar = self.scalar(expr.ty);
        let address = self.expr(pointer);
        let size = self.size_value(size);
        let condition = match self.cx.options.tracks_objects() {
            true => {
                let slot = self.slot_of(&address);
                self.are_within(&address, slot, size.term)
            }
            false => self.cx.ir.pool.bool(true),
        };
        self.cx.arith.of_truth(&mut self.cx.ir.pool, scalar, condition)
    }

    /// Any bytes from the pointer on. All of what it may point to changes, which is more than asked for: an execution that
    /// depends on more is none of the real program.
    fn havoc_bytes(&mut self, pointer: &Expr, size: &Expr, is_imprecise: bool, span: Span) {
        let size = self.size_value(size);
        let cell = self.cx.regions.target(strip(pointer).id);
        let pointer = self.expr(pointer);
        if self.is_open() {
            // A buffer of characters, which unknown functions leave alone.
            return;
        }
        let [from, size] = [pointer, size].map(|value| {
            let var = self.scalar_temporary(Scalar::Pointer);
            self.set_silently(var, value.term, span);
            var
        });
        let regions = self.cx.regions.reachable(cell);
        let function = self.cx.c.functions[self.function].name.clone();
        let stmt = self.havoc_regions(&regions, span, &function, is_imprecise);
        if let Some(stmt) = stmt {
            let partial = PartialHavoc { function, from, size };
            self.cx.names.partial.insert(stmt, partial);
        }
    }
}

/// Whether a text of the program, a literal or the start of an array, has a conversion that ends with `n`.
fn has_count_format(c: &CProgram) -> bool {
    let mut found = false;
    let mut look = |init: &Initializer| {
        found |= init.items.iter().any(|item| match &item.value {
            InitValue::String(text) => text.split(|&c| c == u32::from(b'%')).skip(1).any(|rest| {
                let is_letter = |c: &&u32| char::from_u32(**c).is_some_and(char::is_alphabetic);
                let lengths = [b'h', b'l', b'j', b'z', b't', b'L', b'q'].map(u32::from);
                let letter = rest.iter().filter(is_letter).find(|&c| !lengths.contains(c));
                letter == Some(&u32::from(b'n'))
            }),
            InitValue::Expr(_) => false,
        });
    };
    c.globals
        .values()
        .filter_map(|global| global.init.as_ref())
        .for_each(&mut look);
    for body in c.functions.values().filter_map(|function| function.body.as_ref()) {
        visit_stmt(body, &mut |node| {
            if let Node::Stmt(Stmt {
                kind: StmtKind::Declare { init: Some(init), .. },
                ..
            }) = node
            {
                look(init);
            }
        });
    }
    found
}

/// Without conversions.
pub fn strip(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    expr
}
