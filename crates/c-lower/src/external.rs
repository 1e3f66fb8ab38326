//! Functions without body or model: any result, and any change of what their pointer arguments reach.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Expr, FunctionId, IntKind, Scalar, Type, TypeId};
use lariat_c_regions::RegionId;
use lariat_ir::{Origin, StmtKind};

use crate::call::Argument;
use crate::function::FunctionLowering;
use crate::names::InputSource;
use crate::place::{Located, Where};
use crate::special;

/// Objects of at most this many scalars are written one by one.
const FEW: usize = 64;

impl FunctionLowering<'_, '_> {
    pub fn call_external(&mut self, expr: &Expr, function: FunctionId, args: &[Argument<'_>]) -> Vec<Value> {
        let data = &self.cx.c.functions[function];
        let name = data.name.to_string();
        let noreturn = data.noreturn;
        let values = self.call_unknown(expr, &name, args);
        if noreturn {
            self.stop();
        }
        values
    }

    /// A call of something that nothing is known about.
    pub fn call_unknown(&mut self, expr: &Expr, name: &str, args: &[Argument<'_>]) -> Vec<Value> {
        let mut written = Vec::new();
        if !special::leaves_memory_alone(name) {
            for argument in args {
                if let Some(pointee) = self.cx.c.types.pointee(argument.expr.ty)
                    && let Some(value) = argument.values.first()
                    && !matches!(argument.expr.kind, lariat_c_program::ExprKind::Int(_))
                {
                    self.write_anything(argument.expr, pointee, &value.clone(), expr.span, name);
                    written.push(self.cx.sources.snippet(argument.expr.span).to_owned());
                }
            }
        }
        let returns = !matches!(self.cx.c.types.get(expr.ty), Type::Void);
        let effect = match (returns, written.as_slice()) {
            (true, []) => "returns any value and changes nothing".to_owned(),
            (false, []) => "changes nothing".to_owned(),
            (true, written) => format!("returns any value and may write through {}", written.join(", ")),
            (false, written) => format!("may write through {}", written.join(", ")),
        };
        self.cx.use_external(name, expr.span, effect);
        self.input(name, expr.ty, expr.span)
    }

    /// Any value of the type, remembered as an input of the program.
    pub fn input(&mut self, name: &str, ty: TypeId, span: Span) -> Vec<Value> {
        let leaves = self.known_leaves(ty, span);
        let mut values = Vec::new();
        for leaf in leaves.iter() {
            let var = self.scalar_temporary(leaf.scalar);
            let stmt = self.havoc(var, leaf.scalar, span, Origin::External(name.into()));
            let source = InputSource {
                function: name.to_owned(),
                ty: leaf.ty,
                var,
            };
            self.cx.names.inputs.insert(stmt, source);
            self.cx.names.vars.insert(
                var,
                crate::names::Shown {
                    text: format!("{name}(){}", leaf.path),
                    ty: leaf.ty,
                },
            );
            values.push(self.value_of(var, leaf.scalar));
        }
        values
    }

    fn write_anything(&mut self, pointer: &Expr, pointee: TypeId, address: &Value, span: Span, name: &str) {
        let mut target = pointer;
        let mut pointee = pointee;
        // `void *` parameters are given what was converted to them.
        while let lariat_c_program::ExprKind::Convert(inner) = &target.kind {
            let Some(inner_pointee) = self.cx.c.types.pointee(inner.ty) else {
                break;
            };
            if !is_untyped(&self.cx.c.types, pointee) {
                break;
            }
            (target, pointee) = (inner, inner_pointee);
        }
        if matches!(self.cx.c.types.get(pointee), Type::Function(_)) {
            return;
        }
        let cell = self.cx.regions.target(pointer.id);
        let reachable = self.cx.regions.reachable(cell);
        let leaves = self.cx.leaves(pointee).unwrap_or_default();
        let is_one_object = !is_untyped(&self.cx.c.types, pointee)
            && (1..=FEW).contains(&leaves.len())
            && leaves.iter().all(|leaf| leaf.scalar != Scalar::Pointer);
        if !is_one_object {
            return self.havoc_regions(&reachable, span, name);
        }
        let object = Located {
            at: Where::Memory {
                address: address.clone(),
                cell,
            },
            ty: pointee,
            bits: None,
            span: None,
            is_safe: true,
        };
        for leaf in leaves.iter() {
            let part = self.leaf_place(&object, leaf);
            let any = self.any_scalar(leaf.scalar, span);
            if let Where::Memory { address, cell } = part.at {
                self.store(
                    &address,
                    cell,
                    leaf.scalar,
                    leaf.bytes,
                    leaf.bits,
                    &any,
                    span,
                    None,
                );
            }
        }
    }

    pub fn havoc_regions(&mut self, regions: &[RegionId], span: Span, name: &str) {
        if regions.is_empty() {
            return;
        }
        let vars = regions.iter().map(|&region| self.memory(region)).collect();
        self.push(StmtKind::Havoc(vars), span, Origin::External(name.into()));
        for &region in regions {
            if let Some(written) = self.cx.storage.written[region] {
                let pool = &mut self.cx.ir.pool;
                let sort = pool.var_sort(written);
                let yes = pool.bool(true);
                let all = pool.const_array(sort, yes);
                self.set_silently(written, all, span);
            }
        }
    }
}

/// `char` and `void`: the pointer may be to a buffer of any length.
fn is_untyped(types: &lariat_c_program::Types, pointee: TypeId) -> bool {
    matches!(
        types.get(pointee),
        Type::Void | Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
    )
}
