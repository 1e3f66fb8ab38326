//! What the verdict rests on besides the user's own code.

use std::sync::Arc;

use lariat_base::Span;
use lariat_c_program::FunctionId;

/// The library functions of a program after [`crate::instantiate`].
#[derive(Clone, Debug, Default)]
pub struct ModelReport {
    /// Models that the user's code calls or takes the address of, directly or through other models; by name.
    pub used: Vec<UsedModel>,
    /// Functions that are called and have neither a body nor a model, in the order of their first calls: they return
    /// anything and may write whatever they can reach.
    pub unknown: Vec<UnknownFunction>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsedModel {
    pub name: Arc<str>,
    /// How many functions of the program are this model now.
    pub copies: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFunction {
    pub name: Arc<str>,
    pub function: FunctionId,
    /// The first call, or the first place where its address is taken.
    pub span: Span,
    /// An argument is a pointer, so that it may write the caller's memory.
    pub takes_pointers: bool,
}
