//! One component C with what is known about it: its automaton, the prover, and the memory of both.
//!
//! Nothing here depends on which predicates an abstraction uses, so it is kept through all iterations.

use cranelift_entity::SecondaryMap;
use lariat_base::Budget;
use lariat_lts::{Action, ActionId, ActionTable, Alphabet, ReturnValue, Stopped};
use lariat_term::{Substitution, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::rc::Rc;

use crate::cfa::{Cfa, EdgeId, Failure, Label, LocationId};
use crate::eliminate::Alone;
use crate::infer::{Candidate, Inferred, cases, comparisons};
use crate::predicates::{Formula, Literal, PredicateId, Predicates};
use crate::prover::Prover;

/// The actions of a component that are not those of a routine: how it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnActions {
    /// Act_S ∩ IntRet, with their values.
    pub values: Vec<(i128, ActionId)>,
    /// For a return without a value.
    pub void: ActionId,
    /// For a value that the specification does not mention: an action that it never allows (footnote 2).
    pub other: ActionId,
    /// Whether the specification mentions returned values at all. If not, `void` stands for all of them.
    pub observed: bool,
    /// Whether the specification mentions a return without a value.
    pub observes_void: bool,
    /// An error of the program was reached.
    pub error: ActionId,
    /// An unsupported construct was reached.
    pub unsupported: ActionId,
}

impl OwnActions {
    /// The actions of a component under a specification. With a prefix they are those of one component of several, such
    /// as `server.return{0}`.
    pub fn new(actions: &mut ActionTable, specification: &Alphabet, prefix: Option<&str>) -> Self {
        let named = |text: &str| match prefix {
            None => text.to_owned(),
            Some(prefix) => format!("{prefix}.{text}"),
        };
        let start = prefix.map(|prefix| format!("{prefix}."));
        let mut values = Vec::new();
        for action in specification.iter() {
            let value = match (&start, &actions[action]) {
                (None, Action::Return(ReturnValue::Int(value))) => Some(*value),
                (Some(start), Action::Basic(name)) => name
                    .strip_prefix(start.as_str())
                    .and_then(|rest| rest.strip_prefix("return{"))
                    .and_then(|rest| rest.strip_suffix('}'))
                    .and_then(|digits| digits.trim().parse().ok()),
                _ => None,
            };
            values.extend(value.map(|value| (value, action)));
        }
        values.sort_unstable();
        let void = actions.named(&named("return{}"));
        OwnActions {
            observed: !values.is_empty(),
            observes_void: specification.contains(void),
            values,
            void,
            other: actions.named(&named("return{other}")),
            error: actions.named(&named("error")),
            // Not an action that a process can be given.
            unsupported: actions.named(&named("unsupported{}")),
        }
    }

    /// What a specification forbids.
    pub fn forbidden(&self) -> [ActionId; 3] {
        [self.other, self.error, self.unsupported]
    }
}

/// WP of a predicate along an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precondition {
    Constant(bool),
    Literal(Literal),
    /// A formula over inputs of the edge, or one that is too large to be a predicate.
    Open(TermId),
}

/// Limits on predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many predicates one candidate may yield at one state.
    pub predicates: usize,
    /// How many distinct subterms a predicate may have.
    pub size: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            predicates: 24,
            size: 120,
        }
    }
}

pub struct Component {
    pub name: String,
    pub cfa: Cfa,
    pub prover: Prover,
    pub predicates: Predicates,
    pub own: OwnActions,
    pub alphabet: Alphabet,
    pub limits: Limits,
    /// It may wait for ever: that alone is no deadlock.
    pub is_daemon: bool,
    /// Components with the same number are copies: the same text, which does the same under other names.
    pub copy_of: Option<usize>,
    pub(crate) incoming: SecondaryMap<LocationId, Vec<EdgeId>>,
    preconditions: FxHashMap<(EdgeId, PredicateId), Precondition>,
    transformers: FxHashMap<EdgeId, Substitution>,
    pub(crate) inferred: FxHashMap<Candidate, Rc<Inferred>>,
    pub(crate) expressions: FxHashMap<Candidate, Rc<[PredicateId]>>,
    pub(crate) found: Vec<Vec<(LocationId, TermId)>>,
    pub(crate) comparisons: FxHashMap<LocationId, Rc<[LocationId]>>,
    pub(crate) cases: FxHashSet<LocationId>,
    pub(crate) candidates: OnceCell<Rc<[Candidate]>>,
    /// By the variables of their conditions.
    pub(crate) by_variable: FxHashMap<VarId, Vec<Candidate>>,
    /// MP of single candidates.
    pub(crate) alone: FxHashMap<Candidate, Alone>,
}

impl Component {
    pub fn new(
        name: impl Into<String>,
        cfa: Cfa,
        own: OwnActions,
        limits: Limits,
        budget: &Budget,
    ) -> Result<Self, Stopped> {
        let mut incoming: SecondaryMap<LocationId, Vec<EdgeId>> = SecondaryMap::new();
        for (id, edge) in cfa.edges.iter() {
            incoming[edge.target].push(id);
        }
        Ok(Component {
            name: name.into(),
            prover: Prover::new(budget)?,
            predicates: Predicates::default(),
            alphabet: alphabet(&cfa, &own),
            own,
            limits,
            is_daemon: false,
            copy_of: None,
            incoming,
            preconditions: FxHashMap::default(),
            transformers: FxHashMap::default(),
            inferred: FxHashMap::default(),
            expressions: FxHashMap::default(),
            found: Vec::new(),
            comparisons: comparisons(&cfa),
            cases: cases(&cfa),
            candidates: OnceCell::new(),
            by_variable: FxHashMap::default(),
            alone: FxHashMap::default(),
            cfa,
        })
    }

    /// The same component with more actions in its alphabet: it takes part in them, and never does them.
    pub fn with_alphabet(mut self, more: &Alphabet) -> Self {
        self.alphabet = self.alphabet.union(more);
        self
    }

    /// What a specification forbids of this component: the special actions that its statements can do. An action of a
    /// routine that happens to have the same name is not forbidden.
    pub fn forbidden(&self) -> Alphabet {
        let labels = self.cfa.locations.values().map(|location| &location.label);
        labels
            .filter_map(|label| match label {
                Label::Return(_) => Some(self.own.other),
                Label::Fail(Failure::Error(_)) => Some(self.own.error),
                Label::Fail(Failure::Unsupported(_)) => Some(self.own.unsupported),
                _ => None,
            })
            .collect()
    }

    /// Whether candidates of the one are candidates of the other.
    pub fn is_copy_of(&self, other: &Component) -> bool {
        self.copy_of.is_some()
            && self.copy_of == other.copy_of
            && self.cfa.locations.len() == other.cfa.locations.len()
            && self.candidates() == other.candidates()
    }

    pub fn formula(&mut self, term: TermId) -> Result<Formula, Stopped> {
        self.predicates.formula(&mut self.cfa, &mut self.prover, term)
    }

    /// WP[L(s)]{p} for the edge of a statement.
    pub fn precondition(&mut self, edge: EdgeId, predicate: PredicateId) -> Result<Precondition, Stopped> {
        if let Some(&known) = self.preconditions.get(&(edge, predicate)) {
            return Ok(known);
        }
        let term = self.predicates.term(predicate);
        let before = self.before(edge, term);
        let precondition = if before == term {
            let positive = true;
            Precondition::Literal(Literal { predicate, positive })
        } else if self.mentions_inputs(edge, before) || self.is_large(before) {
            match self.cfa.pool.as_bool(before) {
                Some(value) => Precondition::Constant(value),
                None => Precondition::Open(before),
            }
        } else {
            match self.formula(before)? {
                Formula::Constant(value) => Precondition::Constant(value),
                Formula::Literal(literal) => Precondition::Literal(literal),
            }
        };
        self.preconditions.insert((edge, predicate), precondition);
        Ok(precondition)
    }

    /// The term in the state before the edge.
    pub fn before(&mut self, edge: EdgeId, term: TermId) -> TermId {
        let transformer = &self.cfa.edges[edge].transformer;
        if transformer.assignments.is_empty() {
            return term;
        }
        let substitution = self
            .transformers
            .entry(edge)
            .or_insert_with(|| transformer.assignments.iter().copied().collect());
        substitution.apply(&mut self.cfa.pool, term)
    }

    fn mentions_inputs(&mut self, edge: EdgeId, term: TermId) -> bool {
        let inputs = &self.cfa.edges[edge].transformer.inputs;
        if inputs.is_empty() {
            return false;
        }
        let vars = self.prover.variables(&self.cfa.pool, term);
        inputs.iter().any(|input| vars.contains(input))
    }

    fn is_large(&self, term: TermId) -> bool {
        self.size(term) > self.limits.size
    }

    /// The number of distinct subterms of a term.
    pub(crate) fn size(&self, term: TermId) -> usize {
        let mut size = 0;
        self.cfa.pool.visit_subterms(&[term], |_| size += 1);
        size
    }
}

/// Act_I: what the inlined systems and the returns can be seen to do.
fn alphabet(cfa: &Cfa, own: &OwnActions) -> Alphabet {
    let mut actions: Vec<ActionId> = Vec::new();
    let mut can_return = false;
    for location in cfa.locations.values() {
        match &location.label {
            Label::Call(site) => {
                for alternative in &cfa.routines[site.routine].alternatives {
                    let process = &alternative.process;
                    let is_return = |action| alternative.returns.iter().any(|&(own, _)| own == action);
                    actions.extend(process.alphabet().iter().filter(|&action| !is_return(action)));
                }
            }
            Label::Return(_) => can_return = true,
            Label::Fail(Failure::Error(_)) => actions.push(own.error),
            Label::Fail(Failure::Unsupported(_)) => actions.push(own.unsupported),
            _ => {}
        }
    }
    if can_return {
        actions.extend(own.values.iter().map(|&(_, action)| action));
        actions.extend([own.void, own.other]);
    }
    actions.into_iter().collect()
}
