//! Expressions to terms.

use lariat_boogie::typed::{BinaryOp, Conversion, Expr, ExprKind, RoundingMode, Type, VarId};
use lariat_term::{BvOp, RoundingMode as PoolRoundingMode, TermId, VarId as PoolVar};
use num_bigint::BigInt;
use smallvec::SmallVec;

use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope, Unsupported};

/// Wider literals would take more memory than any program needs.
const MAX_LITERAL_WIDTH: u32 = 1 << 20;

pub(crate) type Terms = SmallVec<[TermId; 4]>;

impl Lowering<'_> {
    /// The term of an expression. Recursion is over the depth of the syntax tree, which the
    /// parser bounds, on a stack that grows.
    pub(crate) fn lower_expr(&mut self, expr: &Expr, scope: &mut Scope) -> Lowers<TermId> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.lower_expr_here(expr, scope))
    }

    pub(crate) fn lower_exprs(&mut self, exprs: &[Expr], scope: &mut Scope) -> Lowers<Terms> {
        exprs.iter().map(|expr| self.lower_expr(expr, scope)).collect()
    }

    fn lower_expr_here(&mut self, expr: &Expr, scope: &mut Scope) -> Lowers<TermId> {
        let pool = &mut self.ir.pool;
        Ok(match &expr.kind {
            ExprKind::Bool(value) => pool.bool(*value),
            ExprKind::Int(value) => pool.int(value.clone()),
            ExprKind::Real(value) => pool.real(value.clone()),
            ExprKind::Bv(value) => match expr.ty {
                Type::Bv(0) => self.empty_bv(),
                Type::Bv(width) if width <= MAX_LITERAL_WIDTH => pool.bv(BigInt::from(value.clone()), width),
                Type::Bv(width) => {
                    return Err(Unsupported::new(
                        expr.span,
                        format!("a bit-vector literal of {width} bits"),
                    ));
                }
                _ => {
                    return Err(Unsupported::new(
                        expr.span,
                        "a bit-vector literal of another type",
                    ));
                }
            },
            ExprKind::Float(bits) => match expr.ty {
                Type::Float {
                    significand,
                    exponent,
                } => pool.float(BigInt::from(bits.clone()), significand, exponent),
                _ => {
                    return Err(Unsupported::new(
                        expr.span,
                        "a floating-point literal of another type",
                    ));
                }
            },
            ExprKind::RoundingMode(mode) => pool.rounding_mode(rounding_mode(*mode)),
            ExprKind::String(text) => pool.string(text.clone()),
            ExprKind::Var(var) => self.lower_var(*var, scope),
            ExprKind::Apply(function, type_args, args) => {
                let type_args = self.ground_all(type_args, scope);
                let args = self.lower_exprs(args, scope)?;
                self.apply_function(*function, type_args, &args, expr.span)?
            }
            ExprKind::Construct(constructor, type_args, args) => {
                let type_args = self.ground_all(type_args, scope);
                let args = self.lower_exprs(args, scope)?;
                let datatype = self.pool_datatype(&Type::Datatype(constructor.datatype, type_args));
                self.ir.pool.construct(datatype, constructor.constructor, &args)
            }
            ExprKind::Field {
                value, constructors, ..
            } => self.lower_field(value, constructors, scope)?,
            ExprKind::FieldUpdate {
                value,
                constructors,
                new,
                ..
            } => self.lower_field_update(value, constructors, new, scope)?,
            ExprKind::Is(value, constructor) => {
                let ground = self.ground(&value.ty, scope);
                let datatype = self.pool_datatype(&ground);
                let value = self.lower_expr(value, scope)?;
                self.ir
                    .pool
                    .is_constructor(datatype, constructor.constructor, value)
            }
            ExprKind::Old(inner) => {
                let outer = std::mem::replace(&mut scope.in_old, true);
                let result = self.lower_expr(inner, scope);
                scope.in_old = outer;
                result?
            }
            ExprKind::Unary(op, operand) => self.lower_unary(*op, operand, scope)?,
            ExprKind::Binary(BinaryOp::Concat, left, right) if is_too_wide(expr, left, right) => {
                return self.unsupported(expr.span, "a concatenation that is wider than its operands");
            }
            ExprKind::Binary(op, left, right) => self.lower_binary(*op, left, right, scope)?,
            ExprKind::Convert(Conversion::ToInt, value) => {
                let value = self.lower_expr(value, scope)?;
                self.ir.pool.to_int(value)
            }
            ExprKind::Convert(Conversion::ToReal, value) => {
                let value = self.lower_expr(value, scope)?;
                self.ir.pool.to_real(value)
            }
            ExprKind::IfThenElse(condition, then, otherwise) => {
                let condition = self.lower_expr(condition, scope)?;
                let then = self.lower_expr(then, scope)?;
                let otherwise = self.lower_expr(otherwise, scope)?;
                self.ir.pool.ite(condition, then, otherwise)
            }
            ExprKind::Select {
                map,
                indices,
                type_args,
            } => self.lower_select(map, indices, type_args, scope)?,
            ExprKind::Store {
                map,
                indices,
                value,
                type_args,
            } => self.lower_store(map, indices, value, type_args, scope)?,
            ExprKind::Extract { value, hi, lo } => {
                let value = self.lower_expr(value, scope)?;
                match hi.checked_sub(1).filter(|hi| hi >= lo) {
                    Some(hi) => self.ir.pool.bv_op(BvOp::Extract { hi, lo: *lo }, &[value]),
                    None => self.empty_bv(),
                }
            }
            ExprKind::Quantifier(quantifier) => self.lower_quantifier(quantifier, expr, scope)?,
            ExprKind::Let { bindings, body } => {
                let mut values = Vec::with_capacity(bindings.len());
                for (var, value) in bindings {
                    values.push((*var, self.lower_expr(value, scope)?));
                }
                scope.vars.extend(values);
                self.lower_expr(body, scope)?
            }
            ExprKind::Code(body) => self.lower_code_expr(body, expr.span, scope)?,
        })
    }

    fn lower_var(&mut self, var: VarId, scope: &mut Scope) -> TermId {
        if let Some(&term) = scope.vars.get(&var) {
            return term;
        }
        let Some(term) = self.shared_vars[var] else {
            unreachable!(
                "the type checker resolves every variable: {}",
                self.source.vars[var].name
            )
        };
        if !scope.in_old || !matches!(self.source.vars[var].kind, lariat_boogie::typed::VarKind::Global) {
            return term;
        }
        let snapshot = match scope.snapshots.get(&var) {
            Some(&snapshot) => snapshot,
            None => {
                let snapshot = self.declare_snapshot(var);
                scope.snapshots.insert(var, snapshot);
                snapshot
            }
        };
        scope.used_snapshots.insert(var, snapshot);
        self.ir.pool.var(snapshot)
    }

    /// A variable for the value of a global at the start of a procedure.
    pub(crate) fn declare_snapshot(&mut self, global: VarId) -> PoolVar {
        let declaration = &self.source.vars[global];
        let sort = self.sort_in(&declaration.ty, &Scope::default());
        self.ir
            .pool
            .declare_var(format!("old({})", declaration.name), sort)
    }

    /// Declares a variable of the scope's own and binds its name to it.
    pub(crate) fn declare_in(&mut self, var: VarId, scope: &mut Scope) -> PoolVar {
        let declaration = &self.source.vars[var];
        let sort = self.sort_in(&declaration.ty, scope);
        let declared = self.ir.pool.declare_var(declaration.name.clone(), sort);
        let term = self.ir.pool.var(declared);
        scope.vars.insert(var, term);
        declared
    }
}

/// Whether the context wants more bits of a concatenation than there are.
fn is_too_wide(expr: &Expr, left: &Expr, right: &Expr) -> bool {
    match (&expr.ty, &left.ty, &right.ty) {
        (Type::Bv(width), Type::Bv(left), Type::Bv(right)) => left.saturating_add(*right) < *width,
        _ => false,
    }
}

fn rounding_mode(mode: RoundingMode) -> PoolRoundingMode {
    match mode {
        RoundingMode::NearestEven => PoolRoundingMode::NearestEven,
        RoundingMode::NearestAway => PoolRoundingMode::NearestAway,
        RoundingMode::TowardPositive => PoolRoundingMode::TowardPositive,
        RoundingMode::TowardNegative => PoolRoundingMode::TowardNegative,
        RoundingMode::TowardZero => PoolRoundingMode::TowardZero,
    }
}
