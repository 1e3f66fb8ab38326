//! What a trace shows: IR variables and statements in terms of C.

use std::collections::BTreeMap;
use std::sync::Arc;

use lariat_base::Span;
use lariat_c_program::{FunctionId, GlobalId, RecordId, Scalar, TypeId};
use lariat_c_regions::RegionId;
use lariat_ir::StmtId;
use lariat_term::VarId;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a comparison of pointers depends on (see [`Names::imprecise`]).
pub(crate) const ADDRESSES: &str = "addresses";

/// In the place of a function, where the sign or the payload of a float that is not a number matters.
pub(crate) const NAN_BITS: &str = "not a number";

/// The C side of a lowered program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Variables of the program, or scalar parts of them. What is not here is internal.
    pub vars: FxHashMap<VarId, Shown>,
    /// Stores to memory: the place as it is written.
    pub stores: FxHashMap<StmtId, Shown>,
    /// Havocs that are inputs: which function gave the value.
    pub inputs: FxHashMap<StmtId, InputSource>,
    /// Guards whose text is the negation of their condition.
    pub negated: FxHashSet<StmtId>,
    /// Guards of a `switch`: where they go.
    pub cases: FxHashMap<StmtId, CaseLabel>,
    /// Havocs of values that the real library computes, with the function that does: not every value is one of its results.
    /// And those of results that depend on where objects are ([`ADDRESSES`]) or on the bits of what is not a number ([`NAN_BITS`]).
    pub imprecise: FxHashMap<StmtId, Arc<str>>,
    /// Havocs of whole maps of which the function changes only some elements.
    pub partial: FxHashMap<StmtId, PartialHavoc>,
    /// Functions occur whose values the solver does not know, but the interpreter does.
    pub has_real_functions: bool,
    /// Assignments of the address of a fresh object whose content is not set: the variable, or `None` for what `malloc` made.
    pub objects: FxHashMap<StmtId, Option<(String, Span)>>,
    /// The maps that hold memory, and what an element is.
    pub memory: FxHashMap<VarId, Scalar>,
    /// Constants that are what the environment has left in memory: of open programs only.
    pub initial: FxHashMap<VarId, InitialMemory>,
    /// Variables of typestate rules, and the constants that are what the environment has left in them.
    pub monitors: FxHashMap<VarId, MonitorName>,
    /// Addresses of objects with static storage that are in memory.
    pub addresses: BTreeMap<BigInt, GlobalId>,
    /// Addresses of functions.
    pub functions: BTreeMap<BigInt, FunctionId>,
}

impl Names {
    /// Why a failure that depends on an imprecise value of this function is not confirmed.
    pub fn reason(&self, name: &str) -> String {
        let name = match name {
            ADDRESSES => {
                return "it depends on where objects are in memory, which C leaves open; run the program of `--harness`"
                    .to_owned();
            }
            NAN_BITS => {
                return "it depends on the sign or the bits of a value that is not a number, which the machine chooses; run the \
                        program of `--harness`"
                    .to_owned();
            }
            name if name.starts_with("__lariat_") => "a function of the library".to_owned(),
            name => format!("`{name}`"),
        };
        format!(
            "it depends on a value of {name} that the real function may not return; run the program of `--harness`"
        )
    }
}

/// What a function writes: so many bytes from an address on. The variables are of the procedure that havocs.
#[derive(Clone, Debug)]
pub struct PartialHavoc {
    pub function: Arc<str>,
    pub from: VarId,
    pub size: VarId,
}

/// Where a `switch` goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseLabel {
    /// To this labelled statement.
    Case(Span),
    Default,
    /// Past its body: no label fits.
    Missing,
}

/// A name or place with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub text: String,
    pub ty: TypeId,
}

/// What the environment has left in a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitialMemory {
    pub region: RegionId,
    pub element: Scalar,
    /// The member that all its elements are.
    pub member: Option<(RecordId, u32)>,
}

/// How specifications call a monitor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonitorName {
    pub rule: String,
    /// Names of the states from 0 on.
    pub states: Vec<String>,
}

/// A value that comes from outside: the result of a function, or of a variable what it holds before it is set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputSource {
    pub function: String,
    pub ty: TypeId,
    /// The variable that holds it.
    pub var: VarId,
    /// The call, or the name in the declaration of a variable without initialiser.
    pub span: Span,
}
