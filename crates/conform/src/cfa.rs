//! C ─> IR ─ **control flow automaton** ─> predicate abstraction MP ─> action-guided abstraction MA
//!
//! The control flow automaton of a component ([Magic04] §5.1). Everything but library routines has been inlined, so it is
//! one procedure without recursion.
//!
//! Where the paper has one state per statement, a run of assignments is one state here: its statement is a simultaneous
//! assignment. So the example of Fig. 2 has the states of Fig. 4.
//!
//! Invariants:
//! - Every edge is a [`Transformer`]: what must hold before the step, and what variables hold after it in terms of what
//!   they held before. The inputs of a transformer are fresh variables, with any values, chosen anew each time.
//! - Between two states there is at most one edge, but from a call-site there is one for each value that the routine may
//!   return.
//! - A state without edges that is neither a return nor a failure ends the execution silently (`exit`).

mod compact;
mod errors;
mod inline;
mod specialise;
mod unroll;

use std::rc::Rc;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use lariat_base::Span;
use lariat_ir::StmtId;
use lariat_lts::{ActionId, ActionTable, Lts, ReturnValue};
use lariat_term::{Op, Sort, Substitution, TermId, TermPool, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub use inline::{InlineError, MAX_STATEMENTS};

/// A state of the automaton: a control point of the component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(u32);
entity_impl!(LocationId, "L");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);
entity_impl!(EdgeId, "E");

/// A library routine with its procedure abstraction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoutineId(u32);
entity_impl!(RoutineId, "R");

/// What one step does to the data.
#[derive(Clone, Debug)]
pub struct Transformer {
    /// Values that come from outside during the step.
    pub inputs: Vec<VarId>,
    /// Over variables before the step and inputs.
    pub assumption: TermId,
    /// Simultaneous; terms over variables before the step and inputs.
    pub assignments: Vec<(VarId, TermId)>,
}

/// L(s): the statement of a state.
#[derive(Clone, Debug)]
pub enum Label {
    /// A run of assignments, unknown values and assumptions.
    Assign(Transformer),
    Branch {
        condition: TermId,
    },
    /// To any of its successors.
    Goto,
    Call(CallSite),
    Return(Option<TermId>),
    /// The execution ends, without a return.
    Halt,
    Fail(Failure),
}

/// A call of a library routine.
#[derive(Clone, Debug)]
pub struct CallSite {
    pub routine: RoutineId,
    pub arguments: Vec<TermId>,
    /// Where the result goes.
    pub result: Option<VarId>,
}

/// What no execution should reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The program says that this is an error.
    Error(String),
    /// An unsupported construct: an execution that reaches it makes the verdict unknown.
    Unsupported(String),
}

/// A statement of the program.
#[derive(Clone, Debug)]
pub struct Part {
    pub stmt: StmtId,
    pub span: Option<Span>,
    /// Whether the user wrote it.
    pub is_shown: bool,
    pub assigned: Vec<VarId>,
}

#[derive(Clone, Debug)]
pub struct Location {
    pub label: Label,
    pub span: Option<Span>,
    /// The statements of the program that it was made of, in their order.
    pub parts: Vec<Part>,
    /// How many calls had been inlined around it.
    pub depth: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    Step,
    Then,
    Else,
    /// The routine has returned this value.
    Returned(ReturnValue),
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub source: LocationId,
    pub target: LocationId,
    pub kind: EdgeKind,
    pub transformer: Transformer,
}

impl Alternative {
    pub fn new(guard: TermId, process: Rc<Lts>, actions: &ActionTable) -> Self {
        let returns = process
            .alphabet()
            .iter()
            .filter_map(|action| actions[action].return_value().map(|value| (action, value)))
            .collect();
        Alternative {
            guard,
            process,
            returns,
        }
    }
}

impl Routine {
    pub fn new(name: String, parameters: Vec<VarId>, alternatives: Vec<Alternative>) -> Self {
        let mut returns: Vec<ReturnValue> = alternatives
            .iter()
            .flat_map(|alternative| alternative.returns.iter().map(|&(_, value)| value))
            .collect();
        returns.sort_unstable();
        returns.dedup();
        Routine {
            name,
            parameters,
            alternatives,
            returns,
        }
    }
}

/// One guarded system of a procedure abstraction.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Over the parameters of the routine and globals.
    pub guard: TermId,
    pub process: Rc<Lts>,
    /// The return actions in its alphabet, with their values.
    pub returns: Vec<(ActionId, ReturnValue)>,
}

/// A procedure abstraction ⟨d, l⟩ (§3.4).
#[derive(Clone, Debug)]
pub struct Routine {
    pub name: String,
    /// What the guards call the arguments.
    pub parameters: Vec<VarId>,
    pub alternatives: Vec<Alternative>,
    /// The values that any of the systems may return.
    pub returns: Vec<ReturnValue>,
}

/// The automaton of one component, with what is needed to reason about it.
#[derive(Clone, Debug)]
pub struct Cfa {
    pub pool: TermPool,
    pub locations: PrimaryMap<LocationId, Location>,
    pub edges: PrimaryMap<EdgeId, Edge>,
    pub outgoing: SecondaryMap<LocationId, SmallVec<[EdgeId; 2]>>,
    pub initial: LocationId,
    /// What holds before the first statement; a separate statement assumes the component's guard.
    pub guard: TermId,
    pub axioms: Vec<TermId>,
    /// For each variable, that its value is one of its type.
    pub ranges: FxHashMap<VarId, TermId>,
    pub routines: PrimaryMap<RoutineId, Routine>,
    /// Variables of inlined bodies, and what they are copies of.
    pub originals: FxHashMap<VarId, VarId>,
    /// All copies of a state that was copied, itself among them.
    copies: FxHashMap<LocationId, Rc<[LocationId]>>,
}

impl Transformer {
    /// Changes nothing.
    pub fn identity(pool: &mut TermPool) -> Self {
        Transformer::assume(pool.bool(true))
    }

    pub fn assume(assumption: TermId) -> Self {
        Transformer {
            inputs: Vec::new(),
            assumption,
            assignments: Vec::new(),
        }
    }
}

impl Cfa {
    pub fn edges_of(&self, location: LocationId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.outgoing[location]
            .iter()
            .map(|&edge| (edge, &self.edges[edge]))
    }

    /// The edge from a state to another; from a call-site the one for a value.
    pub fn edge_between(&self, source: LocationId, target: LocationId) -> Option<EdgeId> {
        self.edges_of(source)
            .find(|(_, edge)| edge.target == target)
            .map(|(id, _)| id)
    }

    pub fn edge_returning(&self, source: LocationId, value: ReturnValue) -> Option<EdgeId> {
        self.edges_of(source)
            .find(|(_, edge)| edge.kind == EdgeKind::Returned(value))
            .map(|(id, _)| id)
    }

    /// The guard g′ of an alternative at a call-site: parameters are replaced by arguments.
    pub fn guard_at(&mut self, site: &CallSite, alternative: usize) -> TermId {
        let routine = &self.routines[site.routine];
        let guard = routine.alternatives[alternative].guard;
        let mut actual: Substitution = routine
            .parameters
            .iter()
            .copied()
            .zip(site.arguments.iter().copied())
            .collect();
        actual.apply(&mut self.pool, guard)
    }

    /// A new variable with the sort and the range of another.
    pub fn fresh_input(&mut self, var: VarId) -> VarId {
        let (name, sort) = (self.pool.var_name(var).clone(), self.pool.var_sort(var));
        let input = self.pool.declare_var(name, sort);
        if let Some(&range) = self.ranges.get(&var) {
            let term = self.pool.var(input);
            let range = Substitution::from_iter([(var, term)]).apply(&mut self.pool, range);
            self.ranges.insert(input, range);
        }
        input
    }

    /// The formulas that a conjunction consists of; none for `true`.
    pub fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        match self.pool.op(term) {
            Op::And => self.pool.args(term).to_vec(),
            Op::Bool(true) => Vec::new(),
            _ => vec![term],
        }
    }

    /// A literal of an integer or bit-vector sort; `None` for any other.
    pub fn literal_like(&mut self, term: TermId, value: i128) -> Option<TermId> {
        match self.pool.sort(self.pool.sort_of(term)) {
            Sort::Int => Some(self.pool.int(value)),
            &Sort::Bv(width) => Some(self.pool.bv(value, width)),
            Sort::Bool if (0..=1).contains(&value) => Some(self.pool.bool(value == 1)),
            _ => None,
        }
    }

    /// The formula that a term equals the value of a return action; `None` if its sort lacks that value.
    pub fn equals_return(&mut self, term: TermId, value: i128) -> Option<TermId> {
        let literal = self.literal_like(term, value)?;
        Some(self.pool.eq(term, literal))
    }
}
