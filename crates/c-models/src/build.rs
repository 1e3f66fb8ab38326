//! Making expressions and statements for one function.

use lariat_base::Span;
use lariat_c_program::{
    BinaryOp, CProgram, Callee, CompareOp, Expr, ExprKind, FunctionId, InitItem, InitValue, Initializer,
    IntKind, Local, LocalId, Node, Place, PlaceKind, Stmt, StmtKind, Type, TypeId, visit_expr,
};
use num_bigint::BigInt;

/// Everything that is made gets the span of what it stands for.
pub(crate) struct Build<'p> {
    pub program: &'p mut CProgram,
    pub function: FunctionId,
    pub span: Span,
}

impl Build<'_> {
    pub fn expr(&mut self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr {
            id: self.program.fresh_node(),
            kind,
            ty,
            span: self.span,
        }
    }

    pub fn place(&mut self, kind: PlaceKind, ty: TypeId) -> Place {
        Place {
            id: self.program.fresh_node(),
            kind,
            ty,
            span: self.span,
        }
    }

    pub fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            span: self.span,
        }
    }

    pub fn int_type(&mut self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }

    pub fn size_type(&mut self) -> TypeId {
        self.program.types.int(size_kind(self.program))
    }

    pub fn int(&mut self, value: impl Into<BigInt>, ty: TypeId) -> Expr {
        self.expr(ExprKind::Int(value.into()), ty)
    }

    /// Zero of a scalar type.
    pub fn zero(&mut self, ty: TypeId) -> Expr {
        match self.program.types.get(ty) {
            Type::Float(_) => self.expr(ExprKind::Float(0.0), ty),
            _ => self.int(0, ty),
        }
    }

    /// A conversion unless the type is the same.
    pub fn convert(&mut self, expr: Expr, ty: TypeId) -> Expr {
        if expr.ty == ty {
            return expr;
        }
        self.expr(ExprKind::Convert(Box::new(expr)), ty)
    }

    pub fn call(&mut self, function: FunctionId, args: Vec<Expr>, ty: TypeId) -> Expr {
        self.expr(
            ExprKind::Call {
                callee: Callee::Function(function),
                args,
            },
            ty,
        )
    }

    pub fn compare(&mut self, op: CompareOp, left: Expr, right: Expr) -> Expr {
        let ty = self.int_type();
        self.expr(
            ExprKind::Compare {
                op,
                left: Box::new(left),
                right: Box::new(right),
            },
            ty,
        )
    }

    /// A hidden local.
    pub fn local(&mut self, ty: TypeId) -> LocalId {
        let span = self.span;
        self.program.functions[self.function].locals.push(Local {
            name: "".into(),
            ty,
            is_const: false,
            span,
        })
    }

    /// A hidden local that is declared with this value.
    pub fn declare(&mut self, value: Expr) -> (LocalId, Stmt) {
        let local = self.local(value.ty);
        let init = Initializer {
            zero: false,
            items: vec![InitItem {
                path: Vec::new(),
                value: InitValue::Expr(value),
            }],
            span: self.span,
        };
        let stmt = self.stmt(StmtKind::Declare {
            local,
            init: Some(init),
            size: None,
        });
        (local, stmt)
    }

    pub fn local_place(&mut self, local: LocalId) -> Place {
        let ty = self.program.functions[self.function].locals[local].ty;
        self.place(PlaceKind::Local(local), ty)
    }

    pub fn load(&mut self, place: Place) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Load(Box::new(place)), ty)
    }

    pub fn load_local(&mut self, local: LocalId) -> Expr {
        let place = self.local_place(local);
        self.load(place)
    }

    /// `pointer[index]`, of the pointer's target type.
    pub fn element(&mut self, pointer: Expr, index: u64) -> Option<Place> {
        let target = self.program.types.pointee(pointer.ty)?;
        let pointer = if index == 0 {
            pointer
        } else {
            let size = self.program.types.size(target)?;
            let size_type = self.size_type();
            let ty = pointer.ty;
            let index = self.int(index, size_type);
            let element = self.int(size, size_type);
            self.expr(
                ExprKind::PointerAdd {
                    pointer: Box::new(pointer),
                    index: Box::new(index),
                    subtract: false,
                    element: Box::new(element),
                },
                ty,
            )
        };
        Some(self.place(PlaceKind::Deref(Box::new(pointer)), target))
    }

    pub fn assign(&mut self, place: Place, value: Expr) -> Stmt {
        let assign = self.assignment(place, value);
        self.stmt(StmtKind::Expr(assign))
    }

    pub fn assignment(&mut self, place: Place, value: Expr) -> Expr {
        let ty = place.ty;
        let kind = ExprKind::Assign {
            place: Box::new(place),
            value: Box::new(value),
        };
        self.expr(kind, ty)
    }

    /// `({ stmts; value; })`.
    pub fn statements(&mut self, mut stmts: Vec<Stmt>, value: Expr) -> Expr {
        let ty = value.ty;
        stmts.push(self.stmt(StmtKind::Expr(value)));
        self.expr(ExprKind::Statements(stmts), ty)
    }
}

/// Whether evaluating the expression may change something.
pub(crate) fn has_effect(expr: &Expr) -> bool {
    let mut found = false;
    visit_expr(expr, &mut |node| {
        found |= match node {
            Node::Stmt(_) => true,
            Node::Place(place) => matches!(place.kind, PlaceKind::CompoundLiteral { .. }),
            Node::Expr(expr) => matches!(
                expr.kind,
                ExprKind::Assign { .. }
                    | ExprKind::CompoundAssign { .. }
                    | ExprKind::Step { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::VaArg(_)
            ),
        };
    });
    found
}

/// `size_t`.
pub(crate) fn size_kind(program: &CProgram) -> IntKind {
    match program.types.machine {
        lariat_c_program::Machine::Lp64 => IntKind::ULong,
        lariat_c_program::Machine::Ilp32 => IntKind::UInt,
    }
}

/// The value of an integer expression without variables, if it is a small number: no operation on such numbers wraps.
pub(crate) fn constant(expr: &Expr) -> Option<BigInt> {
    let is_small = |value: &BigInt| *value >= BigInt::ZERO && value.bits() < 31;
    match &expr.kind {
        ExprKind::Int(value) => Some(value.clone()),
        ExprKind::Convert(inner) => constant(inner).filter(is_small),
        ExprKind::Binary { op, left, right } => {
            let left = constant(left).filter(is_small)?;
            let right = constant(right).filter(is_small)?;
            let value = match op {
                BinaryOp::Mul => left * right,
                BinaryOp::Add => left + right,
                BinaryOp::Sub => left - right,
                _ => return None,
            };
            Some(value).filter(is_small)
        }
        _ => None,
    }
}
