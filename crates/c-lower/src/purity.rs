//! Which expressions can be evaluated at any time and in any order: as terms.
//!
//! The answer for a node is computed once.

use lariat_c_program::{
    BinaryOp, CProgram, Expr, ExprKind, Node, NodeId, PlaceKind, Scalar, TypeId, visit_expr,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::{Check, LowerOptions};
use crate::scopes::root_local;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    /// Neither changes anything nor can fail.
    Pure,
    /// Changes nothing, but a check inside can fail.
    MayFail,
    /// Changes something.
    Effect,
}

#[derive(Debug)]
pub struct Purity {
    known: FxHashMap<NodeId, Level>,
    /// Whether an expression reads what other threads may change.
    shared: FxHashMap<NodeId, bool>,
    overflow: bool,
    division: bool,
    shift: bool,
    access: bool,
    /// Of all loads, and of those of atomic objects: when they happen can be seen.
    loads: bool,
    atomic: FxHashSet<NodeId>,
    /// Floating-point types, whose values may be too large for an integer.
    floats: FxHashSet<TypeId>,
}

impl Purity {
    pub fn new(c: &CProgram, options: &LowerOptions) -> Self {
        let types = &c.types;
        let is_float = |&ty: &TypeId| matches!(types.scalar(ty), Some(Scalar::Float(_)));
        Purity {
            known: FxHashMap::default(),
            shared: FxHashMap::default(),
            overflow: options.checks(Check::Overflow),
            division: options.checks(Check::DivByZero),
            shift: options.checks(Check::Shift),
            access: options.tracks_objects() || options.checks(Check::Null),
            loads: options.checks(Check::Uninit) || options.checks(Check::Race),
            atomic: c.atomic_places.clone(),
            floats: types.ids().filter(is_float).collect(),
        }
    }

    /// Evaluating it changes nothing and no check inside can fail.
    pub fn is_pure(&mut self, expr: &Expr) -> bool {
        self.level(expr) == Level::Pure
    }

    /// Evaluating it may change a variable or memory.
    pub fn has_effect(&mut self, expr: &Expr) -> bool {
        self.level(expr) == Level::Effect
    }

    /// Evaluating it reads an object that is no variable of the function.
    pub fn reads_objects(&mut self, expr: &Expr) -> bool {
        if let Some(&known) = self.shared.get(&expr.id) {
            return known;
        }
        let mut reads = false;
        visit_expr(expr, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Load(place) = &expr.kind
            {
                reads |= root_local(place).is_none();
            }
        });
        self.shared.insert(expr.id, reads);
        reads
    }

    fn level(&mut self, expr: &Expr) -> Level {
        if let Some(&level) = self.known.get(&expr.id) {
            return level;
        }
        let mut level = Level::Pure;
        visit_expr(expr, &mut |node| level = level.max(self.own_level(node)));
        self.known.insert(expr.id, level);
        level
    }

    fn own_level(&self, node: Node<'_>) -> Level {
        match node {
            Node::Stmt(_) => Level::Effect,
            Node::Place(place) => match &place.kind {
                PlaceKind::CompoundLiteral { .. } => Level::Effect,
                PlaceKind::Deref(_) | PlaceKind::Index { .. } if self.access => Level::MayFail,
                _ => Level::Pure,
            },
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Assign { .. }
                | ExprKind::CompoundAssign { .. }
                | ExprKind::Step { .. }
                | ExprKind::Call { .. }
                | ExprKind::Statements(_)
                | ExprKind::VaArg(_)
                | ExprKind::Unsupported(_) => Level::Effect,
                ExprKind::Load(place) if self.loads || self.atomic.contains(&place.id) => Level::MayFail,
                ExprKind::Convert(operand) if self.overflow && self.floats.contains(&operand.ty) => {
                    Level::MayFail
                }
                ExprKind::Unary { .. } if self.overflow => Level::MayFail,
                ExprKind::Binary { op, .. } => {
                    let can_fail = match op {
                        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.overflow,
                        BinaryOp::Div | BinaryOp::Rem => self.overflow || self.division,
                        BinaryOp::Shl | BinaryOp::Shr => self.overflow || self.shift,
                        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => false,
                    };
                    if can_fail { Level::MayFail } else { Level::Pure }
                }
                _ => Level::Pure,
            },
        }
    }
}
