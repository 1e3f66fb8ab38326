//! Constrained Horn clauses as data.
//!
//! Invariants: atoms in bodies are positive by construction; a clause is closed by universal
//! quantification over all its variables, so nothing is shared between clauses but predicates.

use cranelift_entity::{EntitySet, PrimaryMap, entity_impl};
use lariat_term::{SortId, TermId, TermPool};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(u32);
entity_impl!(PredicateId, "predicate");

#[derive(Clone, Debug)]
pub struct PredicateData {
    pub name: String,
    pub sorts: Vec<SortId>,
}

/// A predicate applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    pub predicate: PredicateId,
    pub args: Vec<TermId>,
}

/// `constraint ∧ ⋀ atoms ⇒ head`.
#[derive(Clone, Debug)]
pub struct Clause {
    pub constraint: TermId,
    pub atoms: Vec<Atom>,
    pub head: Atom,
}

/// A set of clauses with the predicate that must not be derivable.
#[derive(Clone, Debug)]
pub struct ClauseSystem {
    pub predicates: PrimaryMap<PredicateId, PredicateData>,
    pub clauses: Vec<Clause>,
    /// Has no parameters.
    pub goal: PredicateId,
}

impl ClauseSystem {
    pub fn new() -> Self {
        let mut predicates = PrimaryMap::new();
        let goal = predicates.push(PredicateData {
            name: "goal".into(),
            sorts: Vec::new(),
        });
        ClauseSystem {
            predicates,
            clauses: Vec::new(),
            goal,
        }
    }

    pub fn declare(&mut self, name: String, sorts: Vec<SortId>) -> PredicateId {
        self.predicates.push(PredicateData { name, sorts })
    }

    pub fn goal_atom(&self) -> Atom {
        Atom {
            predicate: self.goal,
            args: Vec::new(),
        }
    }

    /// Adds a clause unless its body is plainly false.
    pub fn add(&mut self, pool: &mut TermPool, constraint: &[TermId], atoms: Vec<Atom>, head: Atom) {
        debug_assert_eq!(head.args.len(), self.predicates[head.predicate].sorts.len());
        let constraint = pool.and(constraint);
        if pool.as_bool(constraint) != Some(false) {
            self.clauses.push(Clause {
                constraint,
                atoms,
                head,
            });
        }
    }

    /// The predicates that may hold of something, whatever the constraints say: those that are not
    /// have the interpretation `false`.
    pub fn productive(&self) -> EntitySet<PredicateId> {
        let mut productive = EntitySet::new();
        self.until_stable(|clause| {
            clause
                .atoms
                .iter()
                .all(|atom| productive.contains(atom.predicate))
                && productive.insert(clause.head.predicate)
        });
        productive
    }

    /// The predicates on which the goal depends, given those that are productive: all others may
    /// have the interpretation `true`.
    pub fn relevant(&self, productive: &EntitySet<PredicateId>) -> EntitySet<PredicateId> {
        let mut relevant = EntitySet::new();
        relevant.insert(self.goal);
        self.until_stable(|clause| {
            let atoms = &clause.atoms;
            let used = relevant.contains(clause.head.predicate)
                && atoms.iter().all(|atom| productive.contains(atom.predicate));
            let mut changed = false;
            for atom in atoms.iter().filter(|_| used) {
                changed |= relevant.insert(atom.predicate);
            }
            changed
        });
        relevant
    }

    fn until_stable(&self, mut visit: impl FnMut(&Clause) -> bool) {
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                changed |= visit(clause);
            }
            if !changed {
                return;
            }
        }
    }
}
