//! text ─> tokens ─> **ast** ─> typed
//!
//! The syntax tree as it was written: names are not resolved, nothing is desugared, so
//! that the printer can give the program back.
//!
//! Invariants: every node has a span; the depth of an expression or of a statement is at
//! most [`MAX_DEPTH`], which the parser enforces, so recursion over the tree is safe on
//! a stack of the size that the front end runs on.

use std::sync::Arc;

use lariat_base::Span;
use num_bigint::{BigInt, BigUint};

/// The deepest nesting of expressions and statements that the parser accepts. A chain of
/// left-associative operators counts one level for each operator.
pub const MAX_DEPTH: usize = 10_000;

/// An interned name; the text is without quoting (`\\int` is the name `int`).
pub type Name = Arc<str>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

#[derive(Debug, Default)]
pub struct Program {
    pub decls: Vec<Decl>,
}

#[derive(Debug)]
pub enum Decl {
    Type(TypeDecl),
    Datatype(DatatypeDecl),
    Const(ConstDecl),
    Function(FunctionDecl),
    Axiom(AxiomDecl),
    Var(VarDecl),
    Procedure(ProcedureDecl),
    Implementation(ImplementationDecl),
}

/// `{:name p, …}`
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Ident,
    pub params: Vec<AttributeParam>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttributeParam {
    /// The text between the quotes as written: `\"` stays `\"`, as in Boogie.
    String(Arc<str>, Span),
    Expr(Expr),
}

/// `type {:attr} T a b;` or `type T a b = t;`
#[derive(Debug)]
pub struct TypeDecl {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub params: Vec<Ident>,
    /// The right side of a synonym.
    pub synonym: Option<Type>,
    pub span: Span,
}

/// `datatype D<a> { C1(f: t, …), … }`
#[derive(Debug)]
pub struct DatatypeDecl {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub params: Vec<Ident>,
    pub constructors: Vec<ConstructorDecl>,
    pub span: Span,
}

#[derive(Debug)]
pub struct ConstructorDecl {
    pub name: Ident,
    pub fields: Vec<TypedIdent>,
    pub span: Span,
}

/// `const unique a, b: t uses { axiom … };` The old order specification (`extends`) is read
/// and refused by the parser.
#[derive(Debug)]
pub struct ConstDecl {
    pub attributes: Vec<Attribute>,
    pub unique: bool,
    pub names: Vec<Ident>,
    pub ty: Type,
    /// The axioms of a `uses` clause.
    pub uses: Vec<AxiomDecl>,
    pub span: Span,
}

/// `function {:attr} f<a>(x: t, u) returns (r: t);` with an optional body.
#[derive(Debug)]
pub struct FunctionDecl {
    pub attributes: Vec<Attribute>,
    /// `revealed function`: `hide` does not apply to it.
    pub revealed: bool,
    pub name: Ident,
    pub type_params: Vec<Ident>,
    /// Parameters may be without a name.
    pub params: Vec<FunctionParam>,
    pub result: FunctionParam,
    pub body: Option<Expr>,
    pub uses: Vec<AxiomDecl>,
    pub span: Span,
}

#[derive(Debug)]
pub struct FunctionParam {
    pub attributes: Vec<Attribute>,
    pub name: Option<Ident>,
    pub ty: Type,
}

#[derive(Debug)]
pub struct AxiomDecl {
    /// `hideable axiom`
    pub hideable: bool,
    pub attributes: Vec<Attribute>,
    pub body: Expr,
    pub span: Span,
}

/// `var a, b: t where e, c: u;`: also for locals, where it appears once for each type.
#[derive(Debug)]
pub struct VarDecl {
    pub attributes: Vec<Attribute>,
    pub vars: Vec<TypedIdent>,
    pub span: Span,
}

/// `x: t where e`, with its attributes where a list allows them.
#[derive(Clone, Debug)]
pub struct TypedIdent {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub ty: Type,
    pub where_clause: Option<Expr>,
}

#[derive(Debug)]
pub struct Signature {
    pub type_params: Vec<Ident>,
    pub ins: Vec<TypedIdent>,
    pub outs: Vec<TypedIdent>,
}

#[derive(Debug)]
pub struct ProcedureDecl {
    pub attributes: Vec<Attribute>,
    /// `pure procedure`
    pub pure: bool,
    pub name: Ident,
    pub signature: Signature,
    pub specs: Vec<Spec>,
    /// The body of a procedure with its implementation in place.
    pub body: Option<Body>,
    pub span: Span,
}

#[derive(Debug)]
pub struct ImplementationDecl {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub signature: Signature,
    pub body: Body,
    pub span: Span,
}

#[derive(Debug)]
pub enum Spec {
    Requires(Contract),
    Ensures(Contract),
    Modifies {
        names: Vec<Ident>,
        free: bool,
        span: Span,
    },
    /// `measure e, …;`: a termination measure.
    Measure {
        attributes: Vec<Attribute>,
        exprs: Vec<Expr>,
        span: Span,
    },
}

#[derive(Debug)]
pub struct Contract {
    pub free: bool,
    pub attributes: Vec<Attribute>,
    pub expr: Expr,
    pub span: Span,
}

/// `{ var …; statements }`
#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Vec<LocalDecl>,
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

/// One `var …;` at the head of a body.
#[derive(Clone, Debug)]
pub struct LocalDecl {
    pub attributes: Vec<Attribute>,
    pub vars: Vec<TypedIdent>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// The attributes of a `goto`, a `return` and an unpacking assignment; the other kinds
    /// keep theirs in the kind.
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `l:` as a statement of its own; the statements after it belong to it.
    Label(Ident),
    Assert {
        attributes: Vec<Attribute>,
        expr: Expr,
    },
    Assume {
        attributes: Vec<Attribute>,
        expr: Expr,
    },
    Havoc(Vec<Ident>),
    /// Parallel assignment; as many sides left as right (checked by the type checker).
    Assign {
        attributes: Vec<Attribute>,
        targets: Vec<AssignTarget>,
        values: Vec<Expr>,
    },
    /// `C(x, y) := e;`: takes a datatype value apart.
    Unpack {
        constructor: Ident,
        vars: Vec<Ident>,
        value: Expr,
        /// Of `:=`.
        assign: Span,
    },
    Call(Call),
    CallForall {
        attributes: Vec<Attribute>,
        procedure: Ident,
        args: Vec<Option<Expr>>,
    },
    If {
        guard: Guard,
        then_branch: Vec<Stmt>,
        else_branch: Option<Else>,
        /// The brace that closes the first branch.
        then_end: Span,
        /// The brace that closes `else { … }`.
        else_end: Option<Span>,
        attributes: Vec<Attribute>,
    },
    While {
        guard: Guard,
        invariants: Vec<Invariant>,
        body: Vec<Stmt>,
        attributes: Vec<Attribute>,
    },
    Break(Option<Ident>),
    Goto(Vec<Ident>),
    Return,
    /// `return e;`: only in code expressions.
    ReturnExpr(Expr),
    /// `hide f;`, `hide *;`, `reveal f;`, `reveal *;`
    HideReveal {
        hide: bool,
        name: Option<Ident>,
    },
    Push,
    Pop,
    /// Another thread may run here.
    Yield,
}

/// `x`, `x[i][j]`, `x->f` or a mix on the left side of an assignment.
#[derive(Clone, Debug)]
pub struct AssignTarget {
    pub name: Ident,
    pub accesses: Vec<Access>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Access {
    Index(Vec<Expr>),
    Field(Ident),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub attributes: Vec<Attribute>,
    pub is_async: bool,
    /// `free call`
    pub is_free: bool,
    /// `call x, y := p(…)`; `None` for the wildcard `*`.
    pub outs: Vec<Option<Ident>>,
    pub procedure: Ident,
    /// `None` for the wildcard `*`.
    pub args: Vec<Option<Expr>>,
}

#[derive(Clone, Debug)]
pub enum Else {
    Block(Vec<Stmt>),
    /// `else if`: the statement is an [`StmtKind::If`].
    If(Box<Stmt>),
}

#[derive(Clone, Debug)]
pub enum Guard {
    /// `*`
    Any,
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum InvariantKind {
    Invariant {
        free: bool,
        expr: Expr,
    },
    /// `measure e, …;` on a loop.
    Measure(Vec<Expr>),
}

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Bool,
    Int,
    Real,
    RoundingMode,
    String,
    Regex,
    /// `bvN`
    Bv(u32),
    /// `floatSeEe`: bits of the significand (with the hidden one) and of the exponent.
    Float {
        significand: u32,
        exponent: u32,
    },
    /// A type parameter, constructor, datatype or synonym with its arguments.
    Named(Ident, Vec<Type>),
    Map(Box<MapType>),
}

/// `<a>[t1, t2]t`
#[derive(Clone, Debug)]
pub struct MapType {
    pub type_params: Vec<Ident>,
    pub indices: Vec<Type>,
    pub result: Type,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Int(BigInt),
    /// The text as written, for example `1.5e-3`: exact decimal.
    Real(Arc<str>),
    Bv {
        value: BigUint,
        width: u32,
    },
    /// The text as written, for example `0x1.8e3f24e8` or `0NaN24e8`.
    Float(Arc<str>),
    /// `RNE`, `RTZ`, … and the long names.
    RoundingMode(RoundingMode),
    /// The text between the quotes as written: `\"` stays `\"`, as in Boogie.
    String(Arc<str>),
    Var(Ident),
    /// `f(e, …)`: a function, a constructor, or `int(e)`, `real(e)` as [`ExprKind::Convert`].
    Call(Ident, Vec<Expr>),
    Convert(Conversion, Box<Expr>),
    Old(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    IfThenElse(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `m[i, …]`
    Select(Box<Expr>, Vec<Expr>),
    /// `m[i, … := v]`
    Store(Box<Expr>, Vec<Expr>, Box<Expr>),
    /// `e[hi:lo]`: bits `lo` (inclusive) to `hi` (exclusive).
    Extract {
        value: Box<Expr>,
        hi: u32,
        lo: u32,
    },
    /// `e->f`
    Field(Box<Expr>, Ident),
    /// `e->(f := v)`
    FieldUpdate(Box<Expr>, Ident, Box<Expr>),
    /// `e is C`
    Is(Box<Expr>, Ident),
    /// `e: t`: a type coercion.
    Coerce(Box<Expr>, Type),
    Quantifier(Box<Quantifier>),
    /// `(var x, y := e, f; body)`
    Let {
        vars: Vec<LetVar>,
        values: Vec<Expr>,
        attributes: Vec<Attribute>,
        body: Box<Expr>,
    },
    /// `|{ … }|`
    Code(Box<Body>),
}

#[derive(Clone, Debug)]
pub struct LetVar {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    ToInt,
    ToReal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Iff,
    Implies,
    /// `<==`, kept apart from `==>` for the printer.
    ImpliedBy,
    And,
    Or,
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
    /// `++` on bit-vectors.
    Concat,
    Add,
    Sub,
    Mul,
    /// `div`
    IntDiv,
    /// `mod`
    Mod,
    /// `/`
    RealDiv,
    /// `**`
    Pow,
}

#[derive(Clone, Debug)]
pub struct Quantifier {
    pub kind: QuantifierKind,
    pub type_params: Vec<Ident>,
    pub bound: Vec<TypedIdent>,
    pub attributes: Vec<Attribute>,
    pub triggers: Vec<Trigger>,
    pub body: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuantifierKind {
    Forall,
    Exists,
    Lambda,
}

/// `{ e, … }`, or `{:nopats e}`, which must not be used as a pattern.
#[derive(Clone, Debug)]
pub struct Trigger {
    pub exprs: Vec<Expr>,
    pub negative: bool,
    pub span: Span,
}
