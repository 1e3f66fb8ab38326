//! Expressions of specifications, as data.
//!
//! Invariants:
//! - names are those of the source, unqualified; a name with dots is a chain of [`SpecExpr::Field`]s over its first
//!   part, since its text looks like a field access (see [`SpecExpr::name`] and [`SpecExpr::dotted_name`]);
//! - expressions are small: their constructors keep them below [`MAX_DEPTH`] (a term is a graph, an expression a tree);
//!   the parser refuses deeper ones. Functions over expressions may recurse.

use std::sync::Arc;

use num_bigint::BigInt;

/// No expression is nested more deeply.
pub const MAX_DEPTH: usize = 200;

/// A value or a condition over the inputs of an entry and what the environment gives while it runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SpecExpr {
    /// A variable, a constant or a bound variable: `x`.
    Name(Arc<str>),
    Int(BigInt),
    Bool(bool),
    /// `NULL`.
    Null,
    /// The result of a procedure without body (the site has a callee): `f()`, `f()@12`. One of several results is a
    /// field of it: `f().r`, `f()@12.r`.
    Result(UnknownSite),
    /// What the environment wrote: `*out after get()`, `x after havoc@12`. The target is an expression in the words of
    /// whoever describes it.
    After(Box<SpecExpr>, UnknownSite),
    /// A function of the program: `f(x, y)`. At least one argument; without any it is a [`SpecExpr::Result`].
    Apply(Arc<str>, Vec<SpecExpr>),
    /// `e.f`.
    Field(Box<SpecExpr>, Arc<str>),
    /// `e->f`.
    Arrow(Box<SpecExpr>, Arc<str>),
    /// `e[i]`, `e[i, j]`. At least one index.
    Index(Box<SpecExpr>, Vec<SpecExpr>),
    /// `(int *)e`.
    Cast(PointerType, Box<SpecExpr>),
    Unary(UnaryOp, Box<SpecExpr>),
    Binary(BinaryOp, Box<SpecExpr>, Box<SpecExpr>),
    /// `forall x :: e`. At least one variable.
    Forall(Vec<Arc<str>>, Box<SpecExpr>),
    /// `f does not return`: no call of the procedure without body does. Only as a whole.
    NeverReturns(Arc<str>),
    /// What the language has no words for: `"text"`, with a meaning only for the front end that made it.
    Raw(Arc<str>),
}

/// Where a value of the environment comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnknownSite {
    /// The procedure without body that gives the value; `None` for a `havoc` that the user wrote.
    pub callee: Option<Arc<str>>,
    /// `None`: any call of the callee.
    pub place: Option<CallPlace>,
}

/// A place in the program: `@12`, `@12:5`, `@util.c:12:5`. Numbers start at 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallPlace {
    /// Needed only if the program has several files; the name without its directory will do.
    pub file: Option<Arc<str>>,
    pub line: u32,
    /// Needed only if there are several in one line.
    pub column: Option<u32>,
}

/// The type in a cast: words, then stars. Only pointer types: what ends in `*)` is a cast, everything else in
/// parentheses is an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointerType {
    words: Arc<str>,
    stars: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// `!e`
    Not,
    /// `-e`. A negative number is an [`SpecExpr::Int`].
    Neg,
    /// `*e`
    Deref,
    /// `&e`
    AddressOf,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// `/`, rounded as the language of the program does it.
    Div,
    /// `%`, likewise.
    Mod,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    /// `==>`
    Implies,
    /// `<==>`
    Iff,
}

impl BinaryOp {
    pub const ALL: [BinaryOp; 15] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Mod,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Implies,
        BinaryOp::Iff,
    ];
}

impl UnknownSite {
    /// Any call of a procedure without body: `f()`.
    pub fn call(callee: impl Into<Arc<str>>) -> Self {
        UnknownSite {
            callee: Some(callee.into()),
            place: None,
        }
    }

    /// A `havoc` that the user wrote.
    pub fn havoc() -> Self {
        UnknownSite {
            callee: None,
            place: None,
        }
    }

    pub fn at(self, place: CallPlace) -> Self {
        UnknownSite {
            place: Some(place),
            ..self
        }
    }
}

impl CallPlace {
    pub fn line(line: u32) -> Self {
        CallPlace {
            file: None,
            line,
            column: None,
        }
    }
}

impl PointerType {
    /// `None` unless `words` is one or more words separated by single spaces and there is a star.
    pub fn new(words: &str, stars: u32) -> Option<Self> {
        let is_word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        (stars > 0 && words.split(' ').all(is_word)).then(|| PointerType {
            words: words.into(),
            stars,
        })
    }

    /// What is pointed to, without stars: `unsigned char`.
    pub fn words(&self) -> &str {
        &self.words
    }

    pub fn stars(&self) -> u32 {
        self.stars
    }
}

impl SpecExpr {
    /// A name of the source. One with dots (`Mem_T.INT4`) is a chain of fields, as its text says.
    pub fn name(name: &str) -> Self {
        if name.split('.').any(str::is_empty) {
            return SpecExpr::Name(name.into());
        }
        let mut parts = name.split('.');
        let first = parts.next().unwrap_or_default();
        parts.fold(SpecExpr::Name(first.into()), |base, part| base.field(part))
    }

    /// The name that [`SpecExpr::name`] would have been given, if this is a name or a chain of fields over one.
    pub fn dotted_name(&self) -> Option<String> {
        let mut parts = Vec::new();
        let mut expr = self;
        loop {
            match expr {
                SpecExpr::Field(base, part) => {
                    parts.push(&**part);
                    expr = base;
                }
                SpecExpr::Name(first) => {
                    parts.push(first);
                    parts.reverse();
                    return Some(parts.join("."));
                }
                _ => return None,
            }
        }
    }

    pub fn int(value: impl Into<BigInt>) -> Self {
        SpecExpr::Int(value.into())
    }

    pub fn field(self, name: impl Into<Arc<str>>) -> Self {
        SpecExpr::Field(Box::new(self), name.into())
    }

    pub fn arrow(self, name: impl Into<Arc<str>>) -> Self {
        SpecExpr::Arrow(Box::new(self), name.into())
    }

    pub fn index(self, index: SpecExpr) -> Self {
        SpecExpr::Index(Box::new(self), vec![index])
    }

    pub fn deref(self) -> Self {
        SpecExpr::unary(UnaryOp::Deref, self)
    }

    pub fn unary(op: UnaryOp, operand: SpecExpr) -> Self {
        SpecExpr::Unary(op, Box::new(operand))
    }

    pub fn binary(op: BinaryOp, left: SpecExpr, right: SpecExpr) -> Self {
        SpecExpr::Binary(op, Box::new(left), Box::new(right))
    }

    pub fn after(self, site: UnknownSite) -> Self {
        SpecExpr::After(Box::new(self), site)
    }

    /// `a && b && …`; `true` if there are none.
    pub fn conjunction(conditions: impl IntoIterator<Item = SpecExpr>) -> Self {
        Self::chain(BinaryOp::And, conditions).unwrap_or(SpecExpr::Bool(true))
    }

    /// `a || b || …`; `false` if there are none.
    pub fn disjunction(conditions: impl IntoIterator<Item = SpecExpr>) -> Self {
        Self::chain(BinaryOp::Or, conditions).unwrap_or(SpecExpr::Bool(false))
    }

    fn chain(op: BinaryOp, operands: impl IntoIterator<Item = SpecExpr>) -> Option<Self> {
        operands
            .into_iter()
            .reduce(|left, right| SpecExpr::binary(op, left, right))
    }

    /// The expressions that this one is made of, in the order of the text.
    pub fn children(&self) -> impl Iterator<Item = &SpecExpr> {
        let (list, first, second): (&[SpecExpr], _, _) = match self {
            SpecExpr::Name(_)
            | SpecExpr::Int(_)
            | SpecExpr::Bool(_)
            | SpecExpr::Null
            | SpecExpr::Result(_)
            | SpecExpr::NeverReturns(_)
            | SpecExpr::Raw(_) => (&[], None, None),
            SpecExpr::After(base, _)
            | SpecExpr::Field(base, _)
            | SpecExpr::Arrow(base, _)
            | SpecExpr::Cast(_, base)
            | SpecExpr::Unary(_, base)
            | SpecExpr::Forall(_, base) => (&[], Some(&**base), None),
            SpecExpr::Binary(_, left, right) => (&[], Some(&**left), Some(&**right)),
            SpecExpr::Apply(_, arguments) => (arguments, None, None),
            SpecExpr::Index(base, indices) => (indices, Some(&**base), None),
        };
        first.into_iter().chain(second).chain(list)
    }

    /// The places of the environment's values in it.
    pub fn places_mut(&mut self, visit: &mut dyn FnMut(&mut CallPlace)) {
        let (list, first, second): (&mut [SpecExpr], _, _) = match self {
            SpecExpr::Name(_)
            | SpecExpr::Int(_)
            | SpecExpr::Bool(_)
            | SpecExpr::Null
            | SpecExpr::NeverReturns(_)
            | SpecExpr::Raw(_) => return,
            SpecExpr::Result(site) => return site.place.iter_mut().for_each(visit),
            SpecExpr::After(base, site) => {
                site.place.iter_mut().for_each(&mut *visit);
                (&mut [], Some(&mut **base), None)
            }
            SpecExpr::Field(base, _)
            | SpecExpr::Arrow(base, _)
            | SpecExpr::Cast(_, base)
            | SpecExpr::Unary(_, base)
            | SpecExpr::Forall(_, base) => (&mut [], Some(&mut **base), None),
            SpecExpr::Binary(_, left, right) => (&mut [], Some(&mut **left), Some(&mut **right)),
            SpecExpr::Apply(_, arguments) => (arguments, None, None),
            SpecExpr::Index(base, indices) => (indices, Some(&mut **base), None),
        };
        let parts = first.into_iter().chain(second).chain(list);
        parts.for_each(|part| part.places_mut(visit));
    }

    /// How deeply it is nested; a name has depth 1.
    pub fn depth(&self) -> usize {
        1 + self.children().map(SpecExpr::depth).max().unwrap_or(0)
    }
}
