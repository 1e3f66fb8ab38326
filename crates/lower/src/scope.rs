//! What names mean where an expression is lowered.

use std::sync::Arc;

use indexmap::IndexMap;
use lariat_base::Span;
use lariat_boogie::typed::{Type, TypeParamId, VarId};
use lariat_term::{TermId, VarId as PoolVar};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Something that Lariat cannot execute. The statement that contains it becomes an assertion
/// of kind `Unsupported`.
#[derive(Clone, Debug)]
pub(crate) struct Unsupported {
    pub reason: Arc<str>,
    pub span: Span,
}

pub(crate) type Lowers<T> = Result<T, Unsupported>;

impl Unsupported {
    pub(crate) fn new(span: Span, reason: impl Into<Arc<str>>) -> Self {
        Unsupported {
            reason: reason.into(),
            span,
        }
    }
}

/// The meaning of type parameters and variables. Constants and globals are the same everywhere
/// and not in here.
#[derive(Default)]
pub(crate) struct Scope {
    /// Ground types. A parameter that is not here stands for an opaque type of its own.
    pub types: FxHashMap<TypeParamId, Type>,
    pub vars: FxHashMap<VarId, TermId>,
    /// Inside `old(…)`.
    pub in_old: bool,
    /// The variables that hold the globals' values at the start of the procedure.
    pub snapshots: FxHashMap<VarId, PoolVar>,
    /// Which snapshots were read.
    pub used_snapshots: IndexMap<VarId, PoolVar, FxBuildHasher>,
    /// Whether a formula may be asserted, so that `forall<a>` must also hold of a type of which
    /// nothing is known. Not so in axioms.
    pub may_be_asserted: bool,
}

impl Scope {
    pub(crate) fn with_types(params: &[TypeParamId], args: &[Type]) -> Self {
        let mut scope = Scope {
            may_be_asserted: true,
            ..Scope::default()
        };
        scope.bind_types(params, args);
        scope
    }

    pub(crate) fn bind_types(&mut self, params: &[TypeParamId], args: &[Type]) {
        self.types
            .extend(params.iter().copied().zip(args.iter().cloned()));
    }
}
