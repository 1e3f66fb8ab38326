//! text ─> tokens ─> ast ─> **typed**
//!
//! A resolved and type-checked program: names are ids, type synonyms are expanded, type
//! arguments of functions, procedures, constructors and polymorphic maps are explicit.
//!
//! Invariants, which the type checker guarantees:
//! - every id is defined in its arena; every [`Expr::ty`] is the type of the expression;
//! - argument lists have the length of the parameter lists, after type arguments are
//!   substituted they have the same types;
//! - `old` occurs only where Boogie allows it; assigned variables are mutable and, if
//!   global, in the `modifies` clause;
//! - labels of `goto` and `break` resolve; every implementation has its procedure;
//! - equality of [`Type`] is equality up to renaming of bound parameters: the binders of
//!   polymorphic map types are canonical (a binder's parameters are bound in the order of
//!   their first occurrence, and none of them is bound or free inside of it otherwise);
//! - polymorphic declarations have finitely many instances.

use std::sync::Arc;

use cranelift_entity::{PrimaryMap, entity_impl};
use lariat_base::Span;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

pub use crate::ast::{BinaryOp, Conversion, Name, QuantifierKind, RoundingMode, UnaryOp};

/// A type variable of a function, procedure, quantifier, map type or declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeParamId(u32);
entity_impl!(TypeParamId, "tp");

/// A type constructor declared by `type T a b;`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeConId(u32);
entity_impl!(TypeConId, "tc");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DatatypeId(u32);
entity_impl!(DatatypeId, "dt");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "fn");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcedureId(u32);
entity_impl!(ProcedureId, "proc");

/// Any variable of the program: globals, constants, parameters, locals, bound variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);
entity_impl!(VarId, "var");

#[derive(Debug, Default)]
pub struct Program {
    pub type_params: PrimaryMap<TypeParamId, Name>,
    pub type_cons: PrimaryMap<TypeConId, TypeCon>,
    pub datatypes: PrimaryMap<DatatypeId, Datatype>,
    pub functions: PrimaryMap<FunctionId, Function>,
    pub procedures: PrimaryMap<ProcedureId, Procedure>,
    pub vars: PrimaryMap<VarId, Var>,
    /// Constants and globals in the order of their declaration.
    pub constants: Vec<VarId>,
    pub globals: Vec<VarId>,
    /// Axioms, those of `uses` clauses too.
    pub axioms: Vec<Axiom>,
    /// In the order of the text; a procedure may have several.
    pub implementations: Vec<Implementation>,
    /// Constructs that were read and type-checked, and have an effect on modular verification only (`hide`, `measure`, …).
    pub ignored: Vec<(&'static str, Span)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Bool,
    Int,
    Real,
    RoundingMode,
    String,
    Regex,
    Bv(u32),
    Float { significand: u32, exponent: u32 },
    Con(TypeConId, Arc<[Type]>),
    Datatype(DatatypeId, Arc<[Type]>),
    Map(Arc<MapType>),
    Param(TypeParamId),
}

/// `<type_params>[indices]result`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MapType {
    pub type_params: Vec<TypeParamId>,
    pub indices: Vec<Type>,
    pub result: Type,
}

#[derive(Debug)]
pub struct TypeCon {
    pub name: Name,
    pub arity: usize,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Debug)]
pub struct Datatype {
    pub name: Name,
    pub params: Vec<TypeParamId>,
    pub constructors: Vec<Constructor>,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Debug)]
pub struct Constructor {
    pub name: Name,
    pub fields: Vec<Field>,
}

#[derive(Debug)]
pub struct Field {
    pub name: Name,
    pub ty: Type,
}

/// A constructor of a datatype, by its index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstructorRef {
    pub datatype: DatatypeId,
    pub constructor: u32,
}

#[derive(Debug)]
pub struct Function {
    pub name: Name,
    pub type_params: Vec<TypeParamId>,
    /// One variable per parameter, also for those without a name.
    pub params: Vec<VarId>,
    pub result: Type,
    pub body: Option<Expr>,
    /// `hide` does not apply to it.
    pub revealed: bool,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Debug)]
pub struct Axiom {
    pub expr: Expr,
    pub attributes: Attributes,
    pub span: Span,
    /// In whose `uses` clause it is.
    pub user: Option<AxiomUser>,
    /// `hideable`: not known where its function is hidden.
    pub hideable: bool,
}

/// What an axiom of a `uses` clause belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AxiomUser {
    Function(FunctionId),
    Const(VarId),
}

#[derive(Debug)]
pub struct Var {
    pub name: Name,
    pub ty: Type,
    pub kind: VarKind,
    pub where_clause: Option<Expr>,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    Const {
        unique: bool,
    },
    Global,
    In,
    Out,
    Local,
    /// Of a quantifier, lambda, `let` or function.
    Bound,
}

#[derive(Debug)]
pub struct Procedure {
    pub name: Name,
    pub type_params: Vec<TypeParamId>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub requires: Vec<Contract>,
    pub ensures: Vec<Contract>,
    /// What decreases with every recursive call.
    pub measure: Option<Measure>,
    pub modifies: Vec<VarId>,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Debug)]
pub struct Contract {
    pub free: bool,
    pub expr: Expr,
    pub attributes: Attributes,
    pub span: Span,
}

/// A body of a procedure. Its parameters are variables of its own (their names may differ
/// from the procedure's), in the same order; so are its type parameters.
#[derive(Debug)]
pub struct Implementation {
    pub procedure: ProcedureId,
    pub type_params: Vec<TypeParamId>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub body: Body,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Vec<VarId>,
    pub stmts: Vec<Stmt>,
    /// The closing brace, where an implicit `return` happens.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A target of `goto` and the name of the loop or `if` after it for `break`.
    Label(Name),
    Assert {
        expr: Expr,
        attributes: Attributes,
    },
    Assume {
        expr: Expr,
        attributes: Attributes,
    },
    Havoc(Vec<VarId>),
    /// Simultaneous assignment. `m[i] := e` is `m := m[i := e]` already; field assignment likewise.
    Assign(Vec<(VarId, Expr)>),
    /// `C(x, y) := e`: `assert e is C`, then the fields are assigned.
    Unpack {
        constructor: ConstructorRef,
        type_args: Arc<[Type]>,
        vars: Vec<VarId>,
        value: Expr,
        /// Of `:=`.
        assign: Span,
    },
    Call(Call),
    /// For each in parameter its argument, or `None` for `*`.
    CallForall {
        procedure: ProcedureId,
        type_args: Arc<[Type]>,
        args: Vec<Option<Expr>>,
        attributes: Attributes,
    },
    If {
        guard: Option<Expr>,
        then_branch: Vec<Stmt>,
        else_branch: Vec<Stmt>,
        /// The brace that closes the first branch.
        then_end: Span,
        /// The brace that closes `else { … }`.
        else_end: Option<Span>,
    },
    /// A guard of `None` is `*`.
    While {
        guard: Option<Expr>,
        invariants: Vec<Invariant>,
        /// What decreases with every round.
        measure: Option<Measure>,
        body: Vec<Stmt>,
    },
    /// `None`: out of the innermost loop; else out of the statement with that label.
    Break(Option<Name>),
    Goto(Vec<Name>),
    Return,
    /// Only in code expressions.
    ReturnExpr(Expr),
    /// Another thread may run here.
    Yield,
    Visibility(Visibility),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub procedure: ProcedureId,
    pub type_args: Arc<[Type]>,
    /// `None` for `*`: any value.
    pub args: Vec<Option<Expr>>,
    /// `None` for `*`: the value is dropped. Of an asynchronous call it is the id of the thread, if given.
    pub outs: Vec<Option<VarId>>,
    pub is_async: bool,
    /// `free call`: preconditions are assumed, not asserted.
    pub is_free: bool,
    pub attributes: Attributes,
}

/// `measure e, …`: integers and Booleans, compared one after the other.
#[derive(Clone, Debug)]
pub struct Measure {
    pub exprs: Vec<Expr>,
    /// How many clauses they come from.
    pub clauses: usize,
    pub span: Span,
}

/// What `hide`, `reveal`, `push` and `pop` do to the axioms that are known from there on, where some are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// `None`: all functions.
    Hide(Option<FunctionId>),
    Reveal(Option<FunctionId>),
    Push,
    Pop,
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub free: bool,
    pub expr: Expr,
    pub attributes: Attributes,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Int(BigInt),
    Real(BigRational),
    /// The width is in the type.
    Bv(BigUint),
    /// The IEEE bits, `sign ++ exponent ++ significand`; the format is in the type.
    Float(BigUint),
    RoundingMode(RoundingMode),
    String(Arc<str>),
    Var(VarId),
    Apply(FunctionId, Arc<[Type]>, Vec<Expr>),
    Construct(ConstructorRef, Arc<[Type]>, Vec<Expr>),
    /// A field of a datatype value. Several constructors may have the field; `constructors`
    /// lists each with the index of the field in it. Any other constructor gives any value.
    Field {
        value: Box<Expr>,
        name: Name,
        constructors: Vec<(ConstructorRef, u32)>,
    },
    FieldUpdate {
        value: Box<Expr>,
        name: Name,
        constructors: Vec<(ConstructorRef, u32)>,
        new: Box<Expr>,
    },
    Is(Box<Expr>, ConstructorRef),
    Old(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// `ImpliedBy` never occurs: the type checker turns it round. The operands of `RealDiv` are
    /// both real or both floating-point. `Eq` and `Neq` are of the same type, except that in
    /// polymorphic contexts the two types need only have a common instance: where the
    /// instances differ, the values do.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `int(r)` of a real (floor), `real(i)` of an int.
    Convert(Conversion, Box<Expr>),
    IfThenElse(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The type arguments instantiate a polymorphic map's own parameters.
    Select {
        map: Box<Expr>,
        indices: Vec<Expr>,
        type_args: Arc<[Type]>,
    },
    Store {
        map: Box<Expr>,
        indices: Vec<Expr>,
        value: Box<Expr>,
        type_args: Arc<[Type]>,
    },
    /// Bits `lo` (inclusive) to `hi` (exclusive).
    Extract {
        value: Box<Expr>,
        hi: u32,
        lo: u32,
    },
    Quantifier(Box<Quantifier>),
    Let {
        bindings: Vec<(VarId, Expr)>,
        body: Box<Expr>,
    },
    /// True if every execution of the body returns true without failing an assertion.
    Code(Box<Body>),
}

#[derive(Clone, Debug)]
pub struct Quantifier {
    pub kind: QuantifierKind,
    pub type_params: Vec<TypeParamId>,
    pub bound: Vec<VarId>,
    pub triggers: Vec<Vec<Expr>>,
    /// Terms that must not be patterns.
    pub no_patterns: Vec<Expr>,
    pub attributes: Attributes,
    pub body: Expr,
}

/// Attributes with their arguments resolved.
#[derive(Clone, Default, Debug)]
pub struct Attributes(pub Vec<Attribute>);

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: Name,
    pub params: Vec<AttributeParam>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttributeParam {
    String(Arc<str>),
    Expr(Expr),
}

impl Attributes {
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.0.iter().find(|attribute| &*attribute.name == name)
    }

    /// Present and not switched off by `false`: `{:inline}` and `{:inline true}`, not `{:inline false}`.
    pub fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some_and(|attribute| {
            !matches!(
                attribute.params.first(),
                Some(AttributeParam::Expr(Expr {
                    kind: ExprKind::Bool(false),
                    ..
                }))
            )
        })
    }

    pub fn string(&self, name: &str) -> Option<&str> {
        match self.get(name)?.params.first()? {
            AttributeParam::String(text) => Some(text),
            AttributeParam::Expr(_) => None,
        }
    }

    pub fn int(&self, name: &str) -> Option<&BigInt> {
        match self.get(name)?.params.first()? {
            AttributeParam::Expr(Expr {
                kind: ExprKind::Int(value),
                ..
            }) => Some(value),
            _ => None,
        }
    }
}
