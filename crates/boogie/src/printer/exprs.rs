//! Expressions, with the parentheses that the binding strengths of `parser/exprs.rs` need.

use super::Printer;
use super::types::is_closed;
use crate::ast::{
    BinaryOp, Conversion, Expr, ExprKind, Quantifier, QuantifierKind, RoundingMode, Trigger, UnaryOp,
};

const LOOSEST: u8 = 0;
const IMPLICATION: u8 = 2;
const LOGICAL: u8 = 3;
const UNARY: u8 = 10;
const COERCION: u8 = 11;
const POSTFIX: u8 = 12;
const ATOM: u8 = 13;

fn strength(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Iff => 1,
        BinaryOp::Implies | BinaryOp::ImpliedBy => IMPLICATION,
        BinaryOp::And | BinaryOp::Or => LOGICAL,
        BinaryOp::Eq | BinaryOp::Neq | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 4,
        BinaryOp::Concat => 5,
        BinaryOp::Add | BinaryOp::Sub => 6,
        BinaryOp::Mul | BinaryOp::IntDiv | BinaryOp::Mod | BinaryOp::RealDiv => 7,
        BinaryOp::Pow => 8,
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iff => " <==> ",
        BinaryOp::Implies => " ==> ",
        BinaryOp::ImpliedBy => " <== ",
        BinaryOp::And => " && ",
        BinaryOp::Or => " || ",
        BinaryOp::Eq => " == ",
        BinaryOp::Neq => " != ",
        BinaryOp::Lt => " < ",
        BinaryOp::Le => " <= ",
        BinaryOp::Gt => " > ",
        BinaryOp::Ge => " >= ",
        BinaryOp::Concat => " ++ ",
        BinaryOp::Add => " + ",
        BinaryOp::Sub => " - ",
        BinaryOp::Mul => " * ",
        BinaryOp::IntDiv => " div ",
        BinaryOp::Mod => " mod ",
        BinaryOp::RealDiv => " / ",
        BinaryOp::Pow => " ** ",
    }
}

/// The strengths that the operands need to stand without parentheses: an operand that is the
/// same operator again may go on with it on the side to which it associates.
fn operand_strengths(op: BinaryOp, left: &Expr, right: &Expr) -> (u8, u8) {
    let own = strength(op);
    let is_same = |operand: &Expr| matches!(&operand.kind, ExprKind::Binary(inner, ..) if *inner == op);
    match op {
        BinaryOp::Implies | BinaryOp::Pow => (own + 1, if is_same(right) { own } else { own + 1 }),
        BinaryOp::ImpliedBy | BinaryOp::And | BinaryOp::Or => {
            (if is_same(left) { own } else { own + 1 }, own + 1)
        }
        BinaryOp::Eq | BinaryOp::Neq | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            (own + 1, own + 1)
        }
        _ => (own, own + 1),
    }
}

/// How tightly an expression holds together. An `if` takes up all that follows it, and so
/// does a coercion to a type that could go on.
fn expr_strength(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::IfThenElse(..) => LOOSEST,
        ExprKind::Coerce(_, ty) if !is_closed(ty) => LOOSEST,
        ExprKind::Coerce(..) => COERCION,
        ExprKind::Binary(op, ..) => strength(*op),
        ExprKind::Is(..) => 9,
        ExprKind::Unary(..) => UNARY,
        ExprKind::Select(..)
        | ExprKind::Store(..)
        | ExprKind::Extract { .. }
        | ExprKind::Field(..)
        | ExprKind::FieldUpdate(..) => POSTFIX,
        _ => ATOM,
    }
}

impl Printer {
    /// An expression where every expression may stand.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.operand(expr, LOOSEST);
    }

    /// An expression where only one of the given strength may stand without parentheses.
    fn operand(&mut self, expr: &Expr, needed: u8) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            if expr_strength(expr) < needed {
                self.text("(");
                self.bare(expr);
                self.text(")");
            } else {
                self.bare(expr);
            }
        });
    }

    fn bare(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Bool(value) => self.text(if *value { "true" } else { "false" }),
            ExprKind::Int(value) => self.text(&value.to_string()),
            ExprKind::Real(text) | ExprKind::Float(text) => self.text(text),
            ExprKind::Bv { value, width } => self.text(&format!("{value}bv{width}")),
            ExprKind::RoundingMode(mode) => self.text(match mode {
                RoundingMode::NearestEven => "RNE",
                RoundingMode::NearestAway => "RNA",
                RoundingMode::TowardPositive => "RTP",
                RoundingMode::TowardNegative => "RTN",
                RoundingMode::TowardZero => "RTZ",
            }),
            ExprKind::String(contents) => self.string(contents),
            ExprKind::Var(name) => self.name(name),
            ExprKind::Call(name, args) => {
                self.name(name);
                self.text("(");
                self.separated(args, Self::expr);
                self.text(")");
            }
            ExprKind::Convert(Conversion::ToInt, arg) => self.applied("int", arg),
            ExprKind::Convert(Conversion::ToReal, arg) => self.applied("real", arg),
            ExprKind::Old(arg) => self.applied("old", arg),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => {
                let (left_needs, right_needs) = operand_strengths(*op, left, right);
                self.operand(left, left_needs);
                self.text(symbol(*op));
                self.operand(right, right_needs);
            }
            ExprKind::IfThenElse(condition, then_value, else_value) => {
                self.text("if ");
                self.expr(condition);
                self.text(" then ");
                self.expr(then_value);
                self.text(" else ");
                self.expr(else_value);
            }
            ExprKind::Select(map, indices) => {
                self.operand(map, POSTFIX);
                self.text("[");
                self.separated(indices, Self::expr);
                self.text("]");
            }
            ExprKind::Store(map, indices, value) => {
                self.operand(map, POSTFIX);
                self.text("[");
                self.separated(indices, Self::expr);
                self.text(if indices.is_empty() { ":= " } else { " := " });
                self.expr(value);
                self.text("]");
            }
            ExprKind::Extract { value, hi, lo } => {
                self.operand(value, POSTFIX);
                self.text(&format!("[{hi}:{lo}]"));
            }
            ExprKind::Field(base, field) => {
                self.operand(base, POSTFIX);
                self.text("->");
                self.name(field);
            }
            ExprKind::FieldUpdate(base, field, value) => {
                self.operand(base, POSTFIX);
                self.text("->(");
                self.name(field);
                self.text(" := ");
                self.expr(value);
                self.text(")");
            }
            ExprKind::Is(operand, constructor) => {
                self.operand(operand, UNARY);
                self.text(" is ");
                self.name(constructor);
            }
            ExprKind::Coerce(operand, ty) => {
                self.operand(operand, COERCION);
                self.text(": ");
                self.type_(ty);
            }
            ExprKind::Quantifier(quantifier) => self.quantifier(quantifier),
            ExprKind::Let {
                vars,
                values,
                attributes,
                body,
            } => {
                self.text("(var ");
                self.separated(vars, |printer, var| {
                    printer.attributes(&var.attributes);
                    printer.name(&var.name);
                });
                self.text(" := ");
                self.separated(values, Self::expr);
                self.text("; ");
                self.attributes(attributes);
                self.expr(body);
                self.text(")");
            }
            ExprKind::Code(body) => {
                self.text("|{\n");
                self.indentation += 1;
                self.local_decls(&body.locals);
                self.statements(&body.stmts);
                self.indentation -= 1;
                self.line_start();
                self.text("}|");
            }
        }
    }

    fn applied(&mut self, function: &str, arg: &Expr) {
        self.text(function);
        self.text("(");
        self.expr(arg);
        self.text(")");
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        self.text(match op {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
        });
        let start = self.output.len();
        self.operand(operand, UNARY);
        // `-0x…` would be read as one literal.
        if op == UnaryOp::Neg && self.output[start..].starts_with("0x") {
            self.output.insert(start, '(');
            self.text(")");
        }
    }

    fn quantifier(&mut self, quantifier: &Quantifier) {
        self.text(match quantifier.kind {
            QuantifierKind::Forall => "(forall",
            QuantifierKind::Exists => "(exists",
            QuantifierKind::Lambda => "(lambda",
        });
        if !quantifier.type_params.is_empty() {
            self.text(" ");
            self.type_params(&quantifier.type_params);
        }
        if !quantifier.bound.is_empty() {
            self.text(" ");
            self.separated(&quantifier.bound, Self::typed_identifier);
        }
        self.text(" :: ");
        self.attributes(&quantifier.attributes);
        for trigger in &quantifier.triggers {
            self.trigger(trigger);
        }
        self.expr(&quantifier.body);
        self.text(")");
    }

    fn trigger(&mut self, trigger: &Trigger) {
        self.text(if trigger.negative { "{:nopats " } else { "{ " });
        self.separated(&trigger.exprs, Self::expr);
        self.text(if trigger.negative { "} " } else { " } " });
    }
}
