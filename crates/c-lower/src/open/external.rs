//! Calls of functions that nothing is known about.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Expr, ExprKind, IntKind, Type, TypeId};
use lariat_ir::{Origin, StmtKind, Unknown, sounds_like_an_end};

use crate::call::Argument;
use crate::function::FunctionLowering;
use crate::special::strip;

/// Functions that do not return, even if their declarations do not say so.
pub fn never_returns(name: &str) -> bool {
    lariat_c_library::find(name).is_some_and(|known| known.row.never_returns)
}

impl FunctionLowering<'_, '_> {
    /// Any result; a scalar that is given by a pointer is any other afterwards.
    pub fn call_unknown_open(&mut self, expr: &Expr, name: &str, args: &[Argument<'_>]) -> Vec<Value> {
        let mut written = Vec::new();
        if lariat_c_library::effect(name).writes {
            for argument in args {
                if let Some(pointee) = self.written_type(argument.expr)
                    && let Some(address) = argument.values.first()
                {
                    let address = self.pin(address.clone(), expr.span);
                    self.write_unknown(argument.expr, pointee, &address, expr.span, name);
                    written.push(self.cx.sources.snippet(argument.expr.span).to_owned());
                }
            }
        }
        let returns = !matches!(self.cx.c.types.get(expr.ty), Type::Void);
        let effect = match (returns, written.as_slice()) {
            (true, []) => "returns any value and changes nothing".to_owned(),
            (false, []) => "changes nothing".to_owned(),
            (true, written) => format!("returns any value and sets what {} points to", written.join(", ")),
            (false, written) => format!("sets what {} points to", written.join(", ")),
        };
        self.cx.use_external(name, expr.span, effect);
        let values = self.input(name, expr.ty, expr.span);
        if never_returns(name) {
            self.stop();
        } else if !returns && sounds_like_an_end(name) {
            self.note_ending(name, expr.span);
        } else if !returns && written.is_empty() {
            // A call that does nothing still follows what stands before it: see the endings.
            let nothing = StmtKind::Havoc(Default::default());
            self.push(nothing, expr.span, Origin::External(name.into()));
        }
        values
    }

    /// The call may be the end of the path.
    fn note_ending(&mut self, name: &str, span: Span) {
        if self.is_model() {
            return;
        }
        let text = format!("{name}() returns");
        let sort = self.cx.ir.pool.bool_sort();
        let var = self.declare(&text, sort);
        let stmt = self.push(
            StmtKind::Havoc([var].into_iter().collect()),
            span,
            Origin::Internal,
        );
        let returns = self.cx.ir.pool.var(var);
        self.assume(returns, span);
        self.cx.open.endings.push(Unknown {
            stmt,
            var,
            callee: Some(name.into()),
            text: text.into(),
            span: Some(span),
        });
    }

    /// The scalar that the function sets through this argument, if there is one.
    fn written_type(&self, argument: &Expr) -> Option<TypeId> {
        let types = &self.cx.c.types;
        let argument = match strip(argument) {
            // The type before the parameter's.
            inner if types.pointee(inner.ty).is_some() => inner,
            _ => argument,
        };
        let pointee = types.pointee(argument.ty)?;
        let is_buffer = matches!(
            types.get(pointee),
            Type::Void | Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
        );
        let is_literal = matches!(argument.kind, ExprKind::Int(_));
        types
            .scalar(pointee)
            .filter(|_| !is_buffer && !is_literal)
            .map(|_| pointee)
    }

    fn write_unknown(&mut self, argument: &Expr, pointee: TypeId, address: &Value, span: Span, name: &str) {
        let argument = strip(argument);
        let cell = self.cx.regions.target(argument.id);
        let scalar = self.scalar(pointee);
        let bytes = crate::layout::scalar_bytes(&self.cx.c.types, pointee);
        let target = match &argument.kind {
            ExprKind::AddressOf(place) => self.cx.sources.snippet(place.span).to_owned(),
            ExprKind::Load(_) => format!("*{}", self.cx.sources.snippet(argument.span)),
            _ => format!("*({})", self.cx.sources.snippet(argument.span)),
        };
        let text = format!("{target} after {name}()");
        let var = self.environment_value(&text, scalar);
        let stmt = self.havoc(var, scalar, span, Origin::External(name.into()));
        if scalar == lariat_c_program::Scalar::Pointer {
            let term = self.cx.ir.pool.var(var);
            self.assume_unknown_pointer(term, span);
        }
        self.note_unknown(stmt, var, Some(name), text.clone(), span);
        self.cx
            .names
            .vars
            .insert(var, crate::names::Shown { text, ty: pointee });
        let value = self.value_of(var, scalar);
        self.store(address, cell, scalar, bytes, None, &value, span, None);
    }
}
