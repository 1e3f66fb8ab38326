//! Binding the calls of a program to models.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;
use lariat_base::{SourceId, Span};
use lariat_c_library::{find, is_intrinsic};
use lariat_c_program::{
    CProgram, Callee, Edited, Expr, ExprKind, Function, FunctionId, FunctionType, GlobalId, InitItem,
    InitValue, Initializer, IntKind, Linkage, LocalId, Node, NodeId, Purpose, Scalar, Stmt, StmtKind, Type,
    TypeId, edit_expr, edit_stmt, visit_expr, visit_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::{Build, has_effect};
use crate::copies::Copies;
use crate::{block, builtins, entry, format, padding};

/// Binds every call of a library function to its model. Functions of the user stay what they are, except for their calls;
/// models that nothing uses lose their bodies.
pub fn instantiate(program: &mut CProgram) {
    find_weak_symbols(program);
    let mut binder = Binder::new(program);
    let users: Vec<FunctionId> = binder.program.functions.keys().collect();
    for function in users {
        if binder.is_defined(function) && binder.program.functions[function].purpose == Purpose::User {
            binder.bind_function(function);
        }
    }
    entry::give_arguments(&mut binder);
    entry::run_handlers(&mut binder);
    binder.bind_global_addresses();
    while let Some(function) = binder.copies.next() {
        binder.bind_function(function);
    }
    binder.drop_unused();
}

/// A weak symbol that the C library has is there.
fn find_weak_symbols(program: &mut CProgram) {
    let is_known = |(name, _): &(Arc<str>, GlobalId)| find(name).is_some();
    let (known, absent) = std::mem::take(&mut program.weak_symbols)
        .into_iter()
        .partition::<Vec<_>, _>(is_known);
    program.weak_symbols = absent;
    for (_, presence) in known {
        let (ty, span) = (program.globals[presence].ty, program.globals[presence].span);
        let value = Expr {
            id: program.fresh_node(),
            kind: ExprKind::Int(1.into()),
            ty,
            span,
        };
        program.globals[presence].init = Some(Initializer {
            zero: false,
            items: vec![InitItem {
                path: Vec::new(),
                value: InitValue::Expr(value),
            }],
            span,
        });
    }
}

pub(crate) struct Binder<'p> {
    pub program: &'p mut CProgram,
    pub copies: Copies,
    /// Functions that have a body when all are read.
    defined: FxHashSet<FunctionId>,
    /// Models by name.
    models: FxHashMap<Arc<str>, FunctionId>,
    /// Functions that have their meaning from the lowering, by name.
    intrinsics: FxHashMap<Arc<str>, FunctionId>,
    /// Files whose models the transformations of calls stand for.
    own: FxHashSet<SourceId>,
    /// Calls that go where they should.
    bound: FxHashSet<NodeId>,
}

/// A function of each file whose functions are also bound in other ways than by a call: the file is ours and not a
/// user's if this function is in it.
pub(crate) const SENTINELS: &[&str] = &["__lariat_string_c", "__lariat_stdlib_c", "__lariat_stdio_c"];

impl<'p> Binder<'p> {
    fn new(program: &'p mut CProgram) -> Self {
        let mut models = FxHashMap::default();
        let mut intrinsics = FxHashMap::default();
        let mut defined = FxHashSet::default();
        let mut own = FxHashSet::default();
        for (id, function) in program.functions.iter() {
            if function.body.is_some() {
                defined.insert(id);
                if function.purpose == Purpose::Model {
                    models.entry(function.name.clone()).or_insert(id);
                }
                if SENTINELS.contains(&&*function.name) {
                    own.insert(function.span.source);
                }
            } else if is_intrinsic(&function.name) {
                intrinsics.entry(function.name.clone()).or_insert(id);
            }
        }
        let addressed = addressed_functions(program);
        let addressed = addressed
            .into_iter()
            .filter_map(|id| match models.get(&program.functions[id].name) {
                _ if defined.contains(&id) => Some(id),
                Some(&model) => Some(model),
                None => find(&program.functions[id].name)
                    .filter(|known| known.dropped.is_empty())
                    .and_then(|known| models.get(&*known.name).copied()),
            })
            .collect();
        let copies = Copies::new(program, addressed);
        Binder {
            program,
            copies,
            defined,
            models,
            intrinsics,
            own,
            bound: FxHashSet::default(),
        }
    }

    fn is_defined(&self, function: FunctionId) -> bool {
        self.defined.contains(&function)
    }

    pub fn model(&self, name: &str) -> Option<FunctionId> {
        self.models.get(name).copied()
    }

    /// A function that has its meaning from the lowering; it is declared if it is not yet.
    pub fn intrinsic(
        &mut self,
        name: &'static str,
        result: TypeId,
        params: Vec<TypeId>,
        span: Span,
    ) -> FunctionId {
        if let Some(&intrinsic) = self.intrinsics.get(name) {
            return intrinsic;
        }
        let ty = self.program.types.intern(Type::Function(FunctionType {
            result,
            params,
            variadic: false,
            prototyped: true,
        }));
        let intrinsic = self.program.functions.push(Function {
            name: name.into(),
            ty,
            linkage: Linkage::External,
            params: Vec::new(),
            locals: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            body: None,
            noreturn: false,
            is_library: false,
            constructor: None,
            destructor: None,
            purpose: Purpose::Model,
            span,
            end: None,
        });
        self.intrinsics.insert(name.into(), intrinsic);
        intrinsic
    }

    /// Hidden locals with the values of a call's arguments, which are evaluated in whatever order the call may choose.
    pub fn declare_arguments(&mut self, call: &LibraryCall, values: Vec<Expr>) -> (Vec<LocalId>, Vec<Stmt>) {
        let mut build = self.build(call.function, call.span);
        if values.len() < 2 || !values.iter().any(has_effect) {
            return values.into_iter().map(|value| build.declare(value)).unzip();
        }
        let (mut locals, mut stmts, mut assigned) = (Vec::new(), Vec::new(), Vec::new());
        for value in values {
            let local = build.local(value.ty);
            stmts.push(build.stmt(StmtKind::Declare {
                local,
                init: None,
                size: None,
            }));
            let place = build.local_place(local);
            assigned.push(build.assignment(place, value));
            locals.push(local);
        }
        let void = self.program.types.void();
        let evaluate = self.intrinsic("__lariat_evaluate", void, Vec::new(), call.span);
        let mut build = self.build(call.function, call.span);
        let all = build.call(evaluate, assigned, void);
        stmts.push(build.stmt(StmtKind::Expr(all)));
        (locals, stmts)
    }

    /// Whether the user has put another model in place of ours.
    pub fn is_replaced(&self, name: &str) -> bool {
        self.model(name)
            .is_some_and(|model| !self.own.contains(&self.program.functions[model].span.source))
    }

    pub fn build(&mut self, function: FunctionId, span: Span) -> Build<'_> {
        Build {
            program: self.program,
            function,
            span,
        }
    }

    fn bind_function(&mut self, function: FunctionId) {
        let Some(mut body) = self.program.functions[function].body.take() else {
            return;
        };
        // An allocation gets its type from the conversion around it, and a character its class from the mask: first.
        edit_stmt(&mut body, &mut |node| {
            if let Edited::Expr(expr) = node {
                block::bind_allocation(self, function, expr);
                builtins::bind_character_class(self, function, expr);
            }
        });
        edit_stmt(&mut body, &mut |node| {
            if let Edited::Expr(expr) = node {
                self.bind_expr(function, expr);
            }
        });
        self.program.functions[function].body = Some(body);
    }

    /// Function pointers in the initialisers of globals.
    fn bind_global_addresses(&mut self) {
        let globals: Vec<_> = self.program.globals.keys().collect();
        for global in globals {
            let Some(mut init) = self.program.globals[global].init.take() else {
                continue;
            };
            for item in &mut init.items {
                if let InitValue::Expr(expr) = &mut item.value {
                    edit_expr(expr, &mut |node| {
                        if let Edited::Expr(expr) = node {
                            self.bind_address(expr);
                        }
                    });
                }
            }
            self.program.globals[global].init = Some(init);
        }
    }

    fn bind_expr(&mut self, function: FunctionId, expr: &mut Expr) {
        if self.bound.contains(&expr.id) {
            return;
        }
        match &expr.kind {
            ExprKind::FunctionAddress(_) => self.bind_address(expr),
            ExprKind::Load(_) => builtins::bind_character_table(self, function, expr),
            ExprKind::Call {
                callee: Callee::Function(callee),
                ..
            } => {
                let callee = *callee;
                self.bind_call(function, expr, callee);
            }
            _ => {}
        }
    }

    fn bind_address(&mut self, expr: &mut Expr) {
        let ExprKind::FunctionAddress(function) = &mut expr.kind else {
            return;
        };
        let Some((name, _)) = self.library_name(*function) else {
            return;
        };
        if let Some(model) = self.model(&name) {
            *function = self.copies.original(self.program, model);
        }
    }

    /// The name of the library function that a function is, with the arguments that it does not have; `None` for the
    /// user's own functions, for intrinsics and for functions that nothing is known about.
    pub fn library_name(&self, function: FunctionId) -> Option<(String, &'static [usize])> {
        let declared = &self.program.functions[function];
        let name = &*declared.name;
        if self.is_defined(function) {
            return (declared.purpose == Purpose::Model).then(|| (name.to_owned(), &[][..]));
        }
        if self.intrinsics.contains_key(name) && !padding::is_transformed(name) {
            return None;
        }
        let is_known = |name: &str| self.models.contains_key(name) || is_transformed(name);
        if is_known(name) {
            return Some((name.to_owned(), &[]));
        }
        find(name)
            .filter(|known| is_known(&known.name))
            .map(|known| (known.name, known.dropped))
    }

    fn bind_call(&mut self, function: FunctionId, expr: &mut Expr, callee: FunctionId) {
        let Some((name, dropped)) = self.library_name(callee) else {
            return;
        };
        let ExprKind::Call { args, .. } = &mut expr.kind else {
            return;
        };
        let mut args = std::mem::take(args);
        for &index in dropped.iter().rev() {
            if index < args.len() {
                args.remove(index);
            }
        }
        let (span, ty) = (expr.span, expr.ty);
        let name = self.with_handlers(name);
        let mut call = LibraryCall {
            function,
            span,
            ty,
            name,
            args,
        };
        let bound = padding::bind(self, &mut call)
            .or_else(|| builtins::bind(self, &mut call))
            .or_else(|| block::bind(self, &mut call))
            .or_else(|| format::bind(self, &mut call))
            .or_else(|| self.bind_to_model(&mut call));
        match bound {
            Some(bound) => {
                self.bound.insert(bound.id);
                *expr = bound;
            }
            // Still unknown, with all its arguments but those that say how large objects are.
            None => {
                if let ExprKind::Call { args, .. } = &mut expr.kind {
                    *args = call.args;
                }
            }
        }
    }

    /// How a program with exit handlers ends; the models are only there if it registers some.
    fn with_handlers(&self, name: String) -> String {
        let other = match &*name {
            "exit" => "__lariat_exit",
            "quick_exit" => "__lariat_quick_exit",
            _ => return name,
        };
        match self.is_replaced(&name) || self.model(other).is_none() {
            true => name,
            false => other.to_owned(),
        }
    }

    fn bind_to_model(&mut self, call: &mut LibraryCall) -> Option<Expr> {
        let model = self.model(&call.name)?;
        let args = std::mem::take(&mut call.args);
        Some(self.call_function_as(call, model, args))
    }

    /// A call of one more copy of a model of ours; `None` if it is not there.
    pub fn call_model(&mut self, call: &LibraryCall, name: &str, args: Vec<Expr>) -> Option<Expr> {
        let model = self.model(name)?;
        let copy = self.copies.for_call(self.program, model);
        Some(self.call_function(call, copy, args))
    }

    /// A call of this function, with arguments converted; of the function's result type.
    pub fn call_function(&mut self, call: &LibraryCall, function: FunctionId, args: Vec<Expr>) -> Expr {
        let callee = &self.program.functions[function];
        let result = match self.program.types.get(callee.ty) {
            Type::Function(ty) => ty.result,
            _ => call.ty,
        };
        let params: Vec<TypeId> = callee
            .params
            .iter()
            .map(|&param| callee.locals[param].ty)
            .collect();
        let variadic = matches!(self.program.types.get(callee.ty), Type::Function(ty) if ty.variadic);
        let int = self.program.types.int(IntKind::Int);
        let any = (args.len() < params.len())
            .then(|| self.intrinsic("__VERIFIER_nondet_int", int, Vec::new(), call.span));
        let mut converted = Vec::new();
        let mut superfluous = Vec::new();
        let mut args = args.into_iter();
        for &param in &params {
            let is_scalar = self.program.types.scalar(param).is_some();
            let mut build = self.build(call.function, call.span);
            let arg = match (args.next(), any) {
                (Some(arg), _) => arg,
                // Too few arguments, which is undefined in C: what the function finds is anything.
                (None, Some(any)) => build.call(any, Vec::new(), int),
                (None, None) => build.expr(
                    ExprKind::Unsupported("a call with too few arguments".into()),
                    param,
                ),
            };
            let is_convertible = is_scalar && build.program.types.scalar(arg.ty).is_some();
            converted.push(if is_convertible {
                build.convert(arg, param)
            } else {
                arg
            });
        }
        if variadic {
            converted.extend(args);
        } else {
            superfluous.extend(args);
        }
        let mut build = self.build(call.function, call.span);
        let mut made = build.call(function, converted, result);
        for arg in superfluous {
            let ty = made.ty;
            made = build.expr(ExprKind::Comma(Box::new(arg), Box::new(made)), ty);
        }
        self.mark_bound(&made);
        made
    }

    /// A call of one more copy of a model, of the type that the program expects.
    fn call_function_as(&mut self, call: &LibraryCall, model: FunctionId, args: Vec<Expr>) -> Expr {
        let result = match self.program.types.get(self.program.functions[model].ty) {
            Type::Function(ty) => ty.result,
            _ => call.ty,
        };
        let types = &self.program.types;
        let records = (types.record_of(result), types.record_of(call.ty));
        let copy = match records {
            (Some(from), Some(to)) if from != to => {
                if !same_layout(self.program, from, to) {
                    let name = &call.name;
                    let reason = format!("the result type of `{name}` is not that of its model");
                    let mut build = self.build(call.function, call.span);
                    return build.expr(ExprKind::Unsupported(reason), call.ty);
                }
                self.copies.for_call_with(self.program, model, (from, call.ty))
            }
            _ => self.copies.for_call(self.program, model),
        };
        let made = self.call_function(call, copy, args);
        self.result_as(call, made)
    }

    /// A value as the type that the program expects of the call.
    pub fn result_as(&mut self, call: &LibraryCall, value: Expr) -> Expr {
        let types = &self.program.types;
        let is_convertible = types.scalar(value.ty).is_some()
            && (types.scalar(call.ty).is_some() || matches!(types.get(call.ty), Type::Void));
        if !is_convertible {
            return value;
        }
        self.build(call.function, call.span).convert(value, call.ty)
    }

    /// All calls in here go where they should.
    fn mark_bound(&mut self, expr: &Expr) {
        let bound = &mut self.bound;
        match &expr.kind {
            ExprKind::Comma(_, call) => {
                bound.insert(call.id);
            }
            _ => {
                bound.insert(expr.id);
            }
        }
    }

    /// Models that nothing uses lose their bodies.
    fn drop_unused(self) {
        for &function in &self.defined {
            let is_model = self.program.functions[function].purpose == Purpose::Model;
            if is_model && !self.copies.is_used(function) {
                self.program.functions[function].body = None;
            }
        }
    }
}

/// A call of a library function that is being bound.
pub(crate) struct LibraryCall {
    /// Where it stands.
    pub function: FunctionId,
    pub span: Span,
    /// What the program expects of it.
    pub ty: TypeId,
    /// The plain name.
    pub name: String,
    pub args: Vec<Expr>,
}

/// Whether calls of this function are bound although there may be no model of that name.
fn is_transformed(name: &str) -> bool {
    padding::is_transformed(name) || builtins::is_transformed(name) || format::is_transformed(name)
}

/// Whether two records have the same parts at the same places.
fn same_layout(
    program: &CProgram,
    left: lariat_c_program::RecordId,
    right: lariat_c_program::RecordId,
) -> bool {
    let (left, right) = (&program.types.records[left], &program.types.records[right]);
    let parts = |record: &lariat_c_program::Record| -> Vec<(Option<Scalar>, u64, bool)> {
        let fields = record.fields.iter();
        fields
            .map(|field| (program.types.scalar(field.ty), field.offset, field.bits.is_none()))
            .collect()
    };
    left.size == right.size && left.is_union == right.is_union && parts(left) == parts(right)
}

/// Functions whose address is taken somewhere.
fn addressed_functions(program: &CProgram) -> FxHashSet<FunctionId> {
    let mut addressed = FxHashSet::default();
    let mut visit = |node: Node<'_>| {
        if let Node::Expr(expr) = node
            && let ExprKind::FunctionAddress(function) = expr.kind
        {
            addressed.insert(function);
        }
    };
    for function in program.functions.values() {
        function.body.iter().for_each(|body| visit_stmt(body, &mut visit));
    }
    for item in program
        .globals
        .values()
        .filter_map(|global| global.init.as_ref())
        .flat_map(|init| &init.items)
    {
        if let InitValue::Expr(expr) = &item.value {
            visit_expr(expr, &mut visit);
        }
    }
    addressed
}
