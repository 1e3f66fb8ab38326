//! text ─> tokens ─> **ast** ─> systems
//!
//! An FSP file as it was written. Names are not resolved: whether `N` in an index is a constant,
//! a parameter, a range or a set is decided when the model is compiled.

use lariat_base::Span;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// The definitions of a file, in its order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    pub constants: Vec<(Name, Expression)>,
    pub ranges: Vec<(Name, Expression, Expression)>,
    pub sets: Vec<(Name, LabelSet)>,
    pub processes: Vec<Process>,
    pub composites: Vec<Composite>,
    pub fluents: Vec<Fluent>,
    pub assertions: Vec<Assertion>,
    pub progress: Vec<Progress>,
}

/// `fluent F[i:R] = <{a,b}, c[i]> initially True`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fluent {
    pub name: Name,
    pub indices: Vec<Index>,
    pub initiating: Label,
    pub terminating: Label,
    /// It does not hold at the start if there is none.
    pub initially: Option<Expression>,
}

/// `assert A = [] (a -> <> b)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    pub name: Name,
    pub indices: Vec<Index>,
    pub formula: Temporal,
}

/// `progress P[i:R] = if {a} then {b[i]}`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    pub name: Name,
    pub indices: Vec<Index>,
    pub condition: Option<LabelSet>,
    pub actions: LabelSet,
}

/// A formula of temporal logic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Temporal {
    /// One of these actions happens.
    Actions(Label),
    /// A fluent, an assertion, a set of actions or a constant.
    Named(Reference),
    Unary(TemporalUnary, Box<Temporal>),
    Binary(TemporalBinary, Box<Temporal>, Box<Temporal>),
    Quantified {
        is_universal: bool,
        indices: Vec<Index>,
        body: Box<Temporal>,
        span: Span,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalUnary {
    Not,
    Next,
    Always,
    Eventually,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TemporalBinary {
    Equivalent,
    Implies,
    Or,
    And,
    Until,
    WeakUntil,
}

impl Model {
    /// The names of all processes and composites, in the order of the text.
    pub fn process_names(&self) -> Vec<&Name> {
        let mut names: Vec<&Name> = self
            .processes
            .iter()
            .map(|process| &process.name)
            .chain(self.composites.iter().map(|composite| &composite.name))
            .collect();
        names.sort_by_key(|name| name.span.start);
        names
    }
}

/// Words before a definition that change what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Modifiers {
    pub property: bool,
    pub deterministic: bool,
    pub minimal: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub name: Name,
    pub default: Expression,
}

/// `P(N=1) = Q[0], Q[i:R] = (…) + {…} / {…} \ {…}.`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    pub name: Name,
    pub modifiers: Modifiers,
    pub parameters: Vec<Parameter>,
    /// The first is the process itself.
    pub locals: Vec<Local>,
    pub extension: Option<LabelSet>,
    pub relabellings: Vec<Relabelling>,
    pub visibility: Option<Visibility>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    pub name: Name,
    pub indices: Vec<Index>,
    pub body: Body,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    Stop,
    End,
    Error,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    Ending(Ending),
    Choice(Vec<Alternative>),
    Reference(Reference),
    Sequence(Box<Sequence>),
    If(Box<If<Body>>),
}

/// `Q[i+1]`, a local process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    pub name: Name,
    pub indices: Vec<Expression>,
    pub span: Span,
}

/// `P(2);Q`: other processes one after the other, and then a local one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    pub processes: Vec<Instance>,
    pub rest: Body,
}

/// A missing `else` is `STOP`, or no process at all in a composite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct If<T> {
    pub condition: Expression,
    pub then: T,
    pub otherwise: Option<T>,
}

/// `when (g) a -> b -> P`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    pub guard: Option<Expression>,
    /// At least one.
    pub actions: Vec<Label>,
    pub target: Body,
}

/// `a.b[i:R].{x,y}`: one label, or several at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub parts: Vec<LabelPart>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabelPart {
    Name(Name),
    Set(LabelSet),
    Index(Index),
    /// `return{v}`
    Return(Option<Index>),
}

/// `[i:R]`, `[0..N]`, `[i+1]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    /// What the value is called in the rest of the process.
    pub variable: Option<Name>,
    pub values: Values,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// One value, or the name of a range or set.
    Expression(Expression),
    Range(Expression, Expression),
    Set(LabelSet),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabelSet {
    Labels(Vec<Label>),
    Named(Name),
}

/// `new/old`, for all values of the indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relabelling {
    pub indices: Vec<Index>,
    pub new: Label,
    pub old: Label,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// `\{…}`
    Hide(LabelSet),
    /// `@{…}`
    Expose(LabelSet),
}

/// `||C(N=1) = (…) / {…} \ {…}.`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composite {
    pub name: Name,
    pub modifiers: Modifiers,
    pub parameters: Vec<Parameter>,
    pub body: CompositeBody,
    pub priority: Option<Priority>,
    pub relabellings: Vec<Relabelling>,
    pub visibility: Option<Visibility>,
}

/// `<< {…}` or `>> {…}`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Priority {
    /// The actions come before all others, not after them.
    pub is_high: bool,
    pub actions: LabelSet,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompositeBody {
    Parallel(Vec<CompositeBody>),
    Forall(Vec<Index>, Box<CompositeBody>),
    If(Box<If<CompositeBody>>),
    /// `{a,b}::c:P / {…}`
    Labelled(Box<Labelled>),
    Instance(Instance),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labelled {
    pub shared: Option<Label>,
    pub prefix: Option<Label>,
    pub body: CompositeBody,
    pub relabellings: Vec<Relabelling>,
}

/// `P(2)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    pub name: Name,
    pub arguments: Vec<Expression>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpressionKind {
    Number(i64),
    Name(String),
    /// `'a.b`: a label as a value.
    Label(Label),
    /// `#S`: how many labels a set has.
    Cardinality(LabelSet),
    Unary(UnaryOperator, Box<Expression>),
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    Minus,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOperator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
