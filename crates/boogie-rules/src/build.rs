//! Pieces of syntax trees.

use lariat_base::Span;
use lariat_boogie::ast::{
    Access, AssignTarget, Attribute, AttributeParam, BinaryOp, Expr, ExprKind, Ident, Stmt, StmtKind, UnaryOp,
};

/// Makes nodes that all have one place.
#[derive(Clone, Copy)]
pub struct Build(pub Span);

impl Build {
    pub fn ident(self, name: &str) -> Ident {
        Ident {
            name: name.into(),
            span: self.0,
        }
    }

    pub fn expr(self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.0 }
    }

    pub fn var(self, name: &str) -> Expr {
        self.expr(ExprKind::Var(self.ident(name)))
    }

    pub fn int(self, value: i64) -> Expr {
        let digits = self.expr(ExprKind::Int(value.unsigned_abs().into()));
        match value < 0 {
            true => self.expr(ExprKind::Unary(UnaryOp::Neg, Box::new(digits))),
            false => digits,
        }
    }

    pub fn select(self, map: &str, index: Expr) -> Expr {
        self.expr(ExprKind::Select(Box::new(self.var(map)), vec![index]))
    }

    pub fn binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    pub fn not(self, expr: Expr) -> Expr {
        self.expr(ExprKind::Unary(UnaryOp::Not, Box::new(expr)))
    }

    /// All of them; nothing to say is true.
    pub fn all(self, op: BinaryOp, parts: Vec<Expr>) -> Expr {
        let joined = parts
            .into_iter()
            .reduce(|left, right| self.binary(op, left, right));
        joined.unwrap_or_else(|| self.expr(ExprKind::Bool(true)))
    }

    pub fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            attributes: Vec::new(),
            span: self.0,
        }
    }

    pub fn assume(self, expr: Expr) -> Stmt {
        let attributes = Vec::new();
        self.stmt(StmtKind::Assume { attributes, expr })
    }

    pub fn assert(self, attributes: Vec<Attribute>, expr: Expr) -> Stmt {
        self.stmt(StmtKind::Assert { attributes, expr })
    }

    /// `name := value` or `name[index] := value`
    pub fn assign(self, name: &str, index: Option<Expr>, value: Expr) -> Stmt {
        let accesses = index.map(|index| Access::Index(vec![index]));
        self.stmt(StmtKind::Assign {
            attributes: Vec::new(),
            targets: vec![AssignTarget {
                name: self.ident(name),
                accesses: accesses.into_iter().collect(),
                span: self.0,
            }],
            values: vec![value],
        })
    }

    /// `{:name "text"}`
    pub fn attribute(self, name: &str, text: Option<&str>) -> Attribute {
        let param = text.map(|text| AttributeParam::String(text.replace('"', "'").into(), self.0));
        Attribute {
            name: self.ident(name),
            params: param.into_iter().collect(),
            span: self.0,
        }
    }
}
