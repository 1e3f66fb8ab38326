//! Functions without body or model: any result, and any change of what their pointer arguments reach.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_library::Pointers;
use lariat_c_program::{Expr, ExprKind, FunctionId, IntKind, PlaceKind, Scalar, Type, TypeId, Types};
use lariat_c_regions::RegionId;
use lariat_ir::{Origin, StmtId, StmtKind};
use lariat_options::Externals;

use crate::call::Argument;
use crate::function::FunctionLowering;
use crate::names::InputSource;
use crate::options::Check;
use crate::special;

impl FunctionLowering<'_, '_> {
    pub fn call_external(&mut self, expr: &Expr, function: FunctionId, args: &[Argument<'_>]) -> Vec<Value> {
        let data = &self.cx.c.functions[function];
        let name = data.name.to_string();
        let noreturn = data.noreturn;
        if data.is_library && self.cx.options.checks(Check::Bounds) && !self.is_open() {
            self.refuse_buffers(&name, args);
        }
        let values = self.call_unknown(expr, &name, args);
        if noreturn {
            self.stop();
        }
        values
    }

    /// A function of the library without a model may access its buffers out of bounds. Records are buffers where a number may say
    /// how many there are.
    fn refuse_buffers(&mut self, name: &str, args: &[Argument<'_>]) {
        let types = &self.cx.c.types;
        let is_number = |argument: &Argument<'_>| matches!(types.get(argument.expr.ty), Type::Int(_));
        let may_count = args.iter().any(is_number);
        for argument in args {
            let types = &self.cx.c.types;
            let pointee = types.pointee(argument.expr.ty);
            let is_buffer = pointee.is_some_and(|pointee| match types.get(pointee) {
                // Nobody but the library knows what is in a record without members.
                Type::Record(_) => may_count && types.size(pointee).is_some(),
                Type::Function(_) | Type::VaList => false,
                _ => true,
            });
            if is_buffer && !self.is_literal(argument.expr) {
                let reason = format!("an access of `{name}`, which has no model, to a buffer");
                return self.unsupported(&reason, argument.expr.span);
            }
        }
    }

    /// Null, or a string literal.
    fn is_literal(&self, expr: &Expr) -> bool {
        match &special::strip(expr).kind {
            ExprKind::Int(_) => true,
            ExprKind::AddressOf(place) => {
                let mut place = place;
                while let PlaceKind::Index { base, .. } = &place.kind {
                    place = base;
                }
                matches!(place.kind, PlaceKind::Global(global) if self.cx.c.globals[global].is_string)
            }
            _ => false,
        }
    }

    /// A call of something that nothing is known about.
    pub fn call_unknown(&mut self, expr: &Expr, name: &str, args: &[Argument<'_>]) -> Vec<Value> {
        if self.is_open() {
            return self.call_unknown_open(expr, name, args);
        }
        let mut written = Vec::new();
        let writes = lariat_c_library::effect(name).writes;
        let takes_pointers = args
            .iter()
            .any(|arg| self.cx.c.types.pointee(arg.expr.ty).is_some());
        if writes
            && takes_pointers
            && lariat_c_library::find(name).is_some()
            && self.cx.options.tracks_objects()
        {
            let reason = format!("a call of `{name}`, whose accesses to memory are not modelled,");
            self.unsupported(&reason, expr.span);
            return self.zeros(expr.ty);
        }
        if writes {
            for argument in args {
                self.refuse_callback(name, argument.expr);
                if let Some(pointee) = self.cx.c.types.pointee(argument.expr.ty)
                    && let Some(value) = argument.values.first()
                    && !matches!(argument.expr.kind, lariat_c_program::ExprKind::Int(_))
                {
                    self.write_anything(argument.expr, pointee, &value.clone(), expr.span, name);
                    written.push(self.cx.sources.snippet(argument.expr.span).to_owned());
                } else if self.cx.c.types.pointee(argument.expr.ty).is_none() {
                    // A number may be an address.
                    let regions = self.cx.regions.written_by_unknown(self.cx.c, argument.expr);
                    if !regions.is_empty() {
                        self.havoc_regions(&regions, expr.span, name, true);
                        written.push(self.cx.sources.snippet(argument.expr.span).to_owned());
                    }
                }
            }
        }
        if writes {
            self.forget_variables(expr.span, name, self.is_library(name));
        }
        let mut effects = Vec::new();
        if !matches!(self.cx.c.types.get(expr.ty), Type::Void) {
            effects.push("returns any value".to_owned());
        }
        if !written.is_empty() {
            effects.push(format!("may write through {}", written.join(", ")));
        }
        if writes && self.cx.options.c.externals == Externals::Havoc {
            effects.push("may change variables that other files can name".to_owned());
        } else if written.is_empty() {
            effects.push("changes nothing".to_owned());
        }
        let effect = effects.join(" and ");
        self.cx.use_external(name, expr.span, effect);
        self.input(name, expr.ty, expr.span)
    }

    /// An unknown function may call the functions that it is given, themselves or in objects: any number of times, with any
    /// arguments. That is not modelled.
    fn refuse_callback(&mut self, name: &str, argument: &Expr) {
        let is_known = lariat_c_library::effect(name).pointers != Pointers::Unknown;
        let is_null = matches!(argument.kind, lariat_c_program::ExprKind::Int(_));
        if is_known || is_null {
            return;
        }
        let c = self.cx.c;
        let mut given = self.cx.regions.functions_given(argument).iter().copied();
        let options = self.cx.options;
        let matters = |&function: &FunctionId| {
            let function = &c.functions[function];
            function.body.is_some()
                || options.is_stub(&function.name)
                || options.c.is_error_function(&function.name)
        };
        if let Some(function) = given.find(matters) {
            let function = &c.functions[function].name;
            let reason = format!("`{function}` is given to `{name}`, which has no body and may call it,");
            self.unsupported(&reason, argument.span);
        }
    }

    /// Whether a function is one of the system's that has no model: it gives particular values, which are not known.
    pub fn is_library(&self, name: &str) -> bool {
        !self.is_open() && !special::is_input(name) && self.cx.library_names.contains(name)
    }

    /// Any value of the type, remembered as an input of the program.
    pub fn input(&mut self, name: &str, ty: TypeId, span: Span) -> Vec<Value> {
        let leaves = self.known_leaves(ty, span);
        let mut values = Vec::new();
        for leaf in leaves.iter() {
            let text = format!("{name}(){}", leaf.path);
            let var = self.environment_value(&text, leaf.scalar);
            let stmt = self.havoc(var, leaf.scalar, span, Origin::External(name.into()));
            if leaf.scalar == Scalar::Pointer {
                let term = self.cx.ir.pool.var(var);
                self.assume_unknown_pointer(term, span);
            }
            if self.is_library(name) {
                self.cx.names.imprecise.insert(stmt, name.into());
            }
            self.note_unknown(stmt, var, Some(name), text.clone(), span);
            // What a model asks for, the real library knows by itself.
            if !self.is_model() {
                let source = InputSource {
                    function: name.to_owned(),
                    ty: leaf.ty,
                    var,
                    span,
                };
                self.cx.names.inputs.insert(stmt, source);
            }
            self.cx
                .names
                .vars
                .insert(var, crate::names::Shown { text, ty: leaf.ty });
            values.push(self.value_of(var, leaf.scalar));
        }
        values
    }

    /// Any change of what the function may write through this argument. A variable or member that is a single number is written
    /// at its address; of everything else whole regions change: a pointer to a number may be one into an array.
    fn write_anything(&mut self, pointer: &Expr, pointee: TypeId, address: &Value, span: Span, name: &str) {
        let regions = self.cx.regions.written_by_unknown(self.cx.c, pointer);
        let cell = self.cx.regions.target(pointer.id);
        let is_number =
            !is_untyped(&self.cx.c.types, pointee) && is_address_of_one(&self.cx.c.types, pointer);
        if let ([region], Some(scalar), true) =
            (regions.as_slice(), self.cx.c.types.scalar(pointee), is_number)
            && self.cx.regions.regions()[*region].bytes == self.cx.c.types.size(pointee).unwrap_or(0)
        {
            let any = self.any_scalar(scalar, span);
            let bytes = self.cx.regions.regions()[*region].bytes;
            return self.store(address, cell, scalar, bytes, None, &any, span, None);
        }
        let is_imprecise = self.is_library(name) || self.cx.regions.objects_at(cell) > 1;
        self.havoc_regions(&regions, span, name, is_imprecise);
    }

    /// `is_imprecise`: the real function would write particular values, or less than all of that.
    pub fn havoc_regions(
        &mut self,
        regions: &[RegionId],
        span: Span,
        name: &str,
        is_imprecise: bool,
    ) -> Option<StmtId> {
        if regions.is_empty() {
            return None;
        }
        let vars = regions.iter().map(|&region| self.memory(region)).collect();
        let stmt = self.push(StmtKind::Havoc(vars), span, Origin::External(name.into()));
        if is_imprecise {
            self.cx.names.imprecise.insert(stmt, name.into());
        }
        for &region in regions {
            if let Some(written) = self.cx.storage.maps.written[region] {
                let pool = &mut self.cx.ir.pool;
                let sort = pool.var_sort(written);
                let yes = pool.bool(true);
                let all = pool.const_array(sort, yes);
                self.set_silently(written, all, span);
            }
        }
        Some(stmt)
    }
}

/// Whether a pointer is to one variable or member, not to an element of an array.
fn is_address_of_one(types: &Types, pointer: &Expr) -> bool {
    match &special::strip(pointer).kind {
        ExprKind::AddressOf(place) => match &place.kind {
            PlaceKind::Deref(pointer) => is_address_of_one(types, pointer),
            PlaceKind::Index { .. } => false,
            _ => !matches!(
                types.get(place.ty),
                Type::Array { .. } | Type::VariableArray { .. }
            ),
        },
        _ => false,
    }
}

/// `char` and `void`: the pointer may be to a buffer of any length.
fn is_untyped(types: &Types, pointee: TypeId) -> bool {
    matches!(
        types.get(pointee),
        Type::Void | Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
    )
}
