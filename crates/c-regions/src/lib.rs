//! C text ─ c-reader ─> c-program ─ **c-regions**, c-lower ─> IR
//!
//! Which accesses to memory can never meet: a points-to analysis of a whole program that splits memory into regions,
//! each of which becomes a map of its own.
//!
//! The analysis unifies (as those of Steensgaard and of Lattner's data structure analysis do) and knows the fields of
//! objects by their byte offsets; it does not look at the order of statements nor at who calls. `graph` holds abstract
//! memory, `values`, `accesses` and `statements` walk the program, `calls` says what calls do, `solve` iterates what
//! depends on the whole (function pointers, unknown functions, addresses in narrow integers), `grouping` makes regions.
//!
//! What the result promises, for every execution without undefined behaviour up to the access in question:
//! - two accesses that touch a common byte of an object get the same region;
//! - all accesses to a [`Access::Word`] region that touch a common byte have the same address and size;
//! - addresses are those of the program in every region: nothing is renumbered.
//!
//! What it takes for granted:
//! - an access through a pointer stays inside the object that the pointer was made from. What else it would hit is
//!   undefined in C; a check of bounds finds it. An address in a number keeps its object through loads, stores,
//!   conversions and arithmetic in integers at least as wide as a pointer and through copies of its bytes. An address that
//!   takes another way (narrower integers, bit-fields, floating-point numbers, text, bits that are tested) is *exposed*;
//!   a pointer made of a number that came such a way, or of nothing that is known, is *forged*. Forged pointers and
//!   pointers of unknown code may point to everything that is exposed: also to the objects that were given to unknown
//!   functions, that other files can name and whose address is taken, or that are compared with such pointers. An index
//!   added to a pointer is no address;
//! - nothing lies within 4096 bytes of address 0 on either side;
//! - a function without body that the table in `c-library` does not know returns any value and may write, during the call,
//!   whatever it can reach through its pointer arguments: also pointers to anything so reached and to external memory
//!   (string literals given as arguments are not written and not stored). Through a pointer to numbers wider than a byte
//!   (`int *`) it reaches numbers only, through `&place.member` that member and what is reached from it; through any
//!   other pointer the whole object. It stores pointers only where the program itself keeps pointers. What it does with
//!   functions that it is given is not modelled: `c-lower` refuses such calls;
//! - the extra arguments of a variadic call are read with the types they were given with;
//! - the parameters of functions that nothing calls and that other files could call point to external memory.

mod accesses;
mod calls;
mod graph;
mod grouping;
mod layout;
mod queries;
mod reach;
mod references;
mod solve;
mod statements;
mod text;
mod typed;
mod values;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use lariat_c_program::{CProgram, FunctionId, GlobalId, LocalId, NodeId, RecordId, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};

pub use graph::Cell;
use graph::{Graph, MemoryId};

/// Something declared that holds values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    Local(FunctionId, LocalId),
    Global(GlobalId),
}

/// A part of memory that is a map of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);
entity_impl!(RegionId, "region");

#[derive(Clone, Debug)]
pub struct Region {
    /// For people; unique.
    pub name: String,
    /// What one element of the map holds.
    pub element: Scalar,
    /// The size of an element in memory; for a bit-field, of its declared type.
    pub bytes: u64,
    /// Objects with static storage that have bytes here.
    pub globals: Vec<GlobalId>,
    /// There are also stack or heap objects, whose content is arbitrary at first.
    pub has_other_objects: bool,
    /// Unknown code may have put objects here.
    pub external: bool,
    /// The member that all its elements are, where memory is told apart by types.
    pub member: Option<(RecordId, u32)>,
}

/// How a scalar is found in a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// It is the element at its address. If its type is not the region's, it is converted.
    Word(RegionId),
    /// The elements are single unsigned bytes, of which it is composed, the lowest first.
    Bytes(RegionId),
}

/// What a pointer to a function may be.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// By their ids.
    pub functions: Vec<FunctionId>,
    /// Those whose number of parameters makes the call undefined.
    pub refused: Vec<FunctionId>,
    /// It may be something else too: a function of unknown code.
    pub unknown: bool,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Regions {
    graph: Graph,
    split: FxHashSet<Variable>,
    locals: SecondaryMap<FunctionId, Vec<Cell>>,
    globals: SecondaryMap<GlobalId, Option<Cell>>,
    values: SecondaryMap<NodeId, Option<Cell>>,
    varargs: Cell,
    callees: FxHashMap<NodeId, Targets>,
    /// The functions that arguments of unknown functions lead to.
    callbacks: FxHashMap<NodeId, Vec<FunctionId>>,
    regions: PrimaryMap<RegionId, Region>,
    layouts: FxHashMap<MemoryId, grouping::Layout>,
    /// For accesses that nothing registered can meet.
    elsewhere: RegionId,
    /// Memory is told apart by types instead.
    typed: Option<typed::Typed>,
}

/// Analyses a program of which any function may be where it starts.
pub fn analyze(program: &CProgram) -> Regions {
    solve::run(program, false)
}

/// The same, where functions without body may also write variables that other files can see.
pub fn analyze_with_external_writes(program: &CProgram) -> Regions {
    solve::run(program, true)
}

/// Analyses a program of which every function is called by unknown code with memory of its own: see `typed` for what is
/// taken for granted.
pub fn analyze_open(program: &CProgram) -> Regions {
    typed::run(program)
}
