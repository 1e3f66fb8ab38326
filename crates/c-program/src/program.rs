//! Declarations.

use std::sync::Arc;

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use lariat_base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::NodeId;
use crate::stmt::{Initializer, LabelId, Stmt};
use crate::types::{Machine, TypeId, Types};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "function");

/// An object with static storage: a global variable, a `static` local, a string literal, a compound literal at file scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A parameter or variable of a function, by function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(u32);
entity_impl!(LocalId, "local");

#[derive(Clone, Debug)]
pub struct CProgram {
    pub types: Types,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FunctionId, Function>,
    /// What happens before or after `main` and is not modelled: no program with one can be judged.
    pub refusals: Vec<(Span, String)>,
    /// Weak symbols that no file defines, and constants that say whether they are there: zero unless somebody knows better.
    pub weak_symbols: Vec<(Arc<str>, GlobalId)>,
    /// What the program defines as weak: a definition in a file that was not read would take its place.
    pub weak_definitions: Vec<Arc<str>>,
    /// Places whose type is `volatile`, which types here do not say.
    pub volatile_places: FxHashSet<NodeId>,
    /// Places whose type is atomic, which types here do not say.
    pub atomic_places: FxHashSet<NodeId>,
    next_node: u32,
}

/// Which part of the program a declaration belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// The user's files.
    User,
    /// Models of library functions.
    Model,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Linkage {
    External,
    Internal,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: Arc<str>,
    pub ty: TypeId,
    pub linkage: Linkage,
    /// Declared `extern` everywhere and defined nowhere: it may hold anything at the start.
    pub defined: bool,
    /// `None` for a tentative definition, which is zero.
    pub init: Option<Initializer>,
    /// A string literal: an array of characters that must not be written.
    pub is_string: bool,
    pub is_const: bool,
    pub is_thread_local: bool,
    pub purpose: Purpose,
    /// The function that a `static` local stands in.
    pub function: Option<FunctionId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Arc<str>,
    /// Always a function type.
    pub ty: TypeId,
    pub linkage: Linkage,
    /// The first locals; as many as the type has parameters if it is prototyped and there is a body.
    pub params: Vec<LocalId>,
    pub locals: PrimaryMap<LocalId, Local>,
    pub labels: PrimaryMap<LabelId, Arc<str>>,
    pub body: Option<Stmt>,
    /// Declared `_Noreturn` or with the attribute.
    pub noreturn: bool,
    /// Declared by a header of the system, or known to the compiler.
    pub is_library: bool,
    /// It runs before `main`, those of a lower priority first.
    pub constructor: Option<u32>,
    /// It runs when the program ends, those of a higher priority first.
    pub destructor: Option<u32>,
    pub purpose: Purpose,
    /// Of the name at the definition, or at the first declaration.
    pub span: Span,
    /// Of the closing brace of the body.
    pub end: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// Empty for hidden ones (compound literals).
    pub name: Arc<str>,
    pub ty: TypeId,
    /// The object is `const`: only its initialiser writes it.
    pub is_const: bool,
    pub span: Span,
}

impl CProgram {
    pub fn new(machine: Machine) -> Self {
        CProgram {
            types: Types::new(machine),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            refusals: Vec::new(),
            weak_symbols: Vec::new(),
            weak_definitions: Vec::new(),
            volatile_places: FxHashSet::default(),
            atomic_places: FxHashSet::default(),
            next_node: 0,
        }
    }

    pub fn fresh_node(&mut self) -> NodeId {
        let id = NodeId::new(self.next_node as usize);
        self.next_node += 1;
        id
    }

    /// Nodes are numbered from 0 to this, exclusively.
    pub fn node_count(&self) -> usize {
        self.next_node as usize
    }

    /// The functions that run before `main`, in their order.
    pub fn constructors(&self) -> Vec<FunctionId> {
        let mut found: Vec<(u32, FunctionId)> = self
            .functions
            .iter()
            .filter_map(|(id, function)| Some((function.constructor?, id)))
            .collect();
        found.sort();
        found.into_iter().map(|(_, id)| id).collect()
    }

    /// The functions that run when the program ends, in their order.
    pub fn destructors(&self) -> Vec<FunctionId> {
        let mut found: Vec<(u32, FunctionId)> = self
            .functions
            .iter()
            .filter_map(|(id, function)| Some((function.destructor?, id)))
            .collect();
        found.sort();
        found.into_iter().rev().map(|(_, id)| id).collect()
    }

    /// Functions with external linkage by name; what has a body wins.
    pub fn functions_by_name(&self) -> FxHashMap<Arc<str>, FunctionId> {
        let mut by_name = FxHashMap::default();
        for (id, function) in self.functions.iter() {
            let is_better = match by_name.get(&function.name) {
                None => true,
                Some(&other) => {
                    let other: &Function = &self.functions[other];
                    (function.body.is_some(), function.linkage == Linkage::External)
                        > (other.body.is_some(), other.linkage == Linkage::External)
                }
            };
            if is_better {
                by_name.insert(function.name.clone(), id);
            }
        }
        by_name
    }
}
