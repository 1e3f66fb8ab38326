//! `hide` and `reveal`: which functions' hideable axioms an assertion may use, with `-prune`.
//!
//! Statements change what is revealed from there on; where ways meet, what one of them reveals is revealed. `push` and
//! `pop` keep a state and come back to it. Assertions that are asked about together may use what one of them may use.

use std::collections::BTreeSet;

use lariat_boogie::typed::{FunctionId, Visibility};
use lariat_ir::{BlockId, ProcId, Program, Stmt};
use lariat_lower::ModularInfo;
use rustc_hash::FxHashMap;

/// Which functions are revealed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Revealed {
    AllBut(BTreeSet<FunctionId>),
    Only(BTreeSet<FunctionId>),
}

impl Default for Revealed {
    fn default() -> Self {
        Revealed::AllBut(BTreeSet::new())
    }
}

impl Revealed {
    pub fn nothing() -> Self {
        Revealed::Only(BTreeSet::new())
    }

    pub fn contains(&self, function: FunctionId) -> bool {
        match self {
            Revealed::AllBut(hidden) => !hidden.contains(&function),
            Revealed::Only(revealed) => revealed.contains(&function),
        }
    }

    /// What one of both reveals. Where one reveals all but some functions Boogie forgets what the other reveals.
    pub fn or(self, other: &Revealed) -> Self {
        match (self, other) {
            (Revealed::AllBut(hidden), Revealed::AllBut(also)) => {
                Revealed::AllBut(hidden.intersection(also).copied().collect())
            }
            (Revealed::Only(revealed), Revealed::Only(also)) => {
                Revealed::Only(revealed.union(also).copied().collect())
            }
            (all @ Revealed::AllBut(_), Revealed::Only(_)) => all,
            (Revealed::Only(_), all) => all.clone(),
        }
    }

    fn set(&mut self, function: FunctionId, is_revealed: bool) {
        match self {
            Revealed::AllBut(set) if is_revealed => set.remove(&function),
            Revealed::AllBut(set) => set.insert(function),
            Revealed::Only(set) if is_revealed => set.insert(function),
            Revealed::Only(set) => set.remove(&function),
        };
    }
}

/// What is revealed at some place, and the states to come back to.
#[derive(Clone, Default, Debug)]
pub struct Scopes {
    now: Revealed,
    outer: Vec<Revealed>,
}

impl Scopes {
    pub fn now(&self) -> &Revealed {
        &self.now
    }

    pub fn execute(&mut self, stmt: &Stmt, info: &ModularInfo) {
        match info.notes.get(&stmt.id).and_then(|note| note.visibility) {
            None => {}
            Some(Visibility::Hide(None)) => self.now = Revealed::nothing(),
            Some(Visibility::Reveal(None)) => self.now = Revealed::default(),
            Some(Visibility::Hide(Some(function))) => self.now.set(function, false),
            Some(Visibility::Reveal(Some(function))) => self.now.set(function, true),
            Some(Visibility::Push) => self.outer.push(self.now.clone()),
            Some(Visibility::Pop) => {
                if let Some(outer) = self.outer.pop() {
                    self.now = outer;
                }
            }
        }
    }

    fn join(self, other: &Scopes) -> Self {
        let outer = self.outer.into_iter().zip(&other.outer);
        Scopes {
            now: self.now.or(&other.now),
            outer: outer.map(|(one, other)| one.or(other)).collect(),
        }
    }
}

/// What is revealed where the blocks of a procedure without loops start; nothing if no statement hides anything.
pub fn at_starts(program: &Program, proc: ProcId, info: &ModularInfo) -> FxHashMap<BlockId, Scopes> {
    let mut starts: FxHashMap<BlockId, Scopes> = FxHashMap::default();
    if !info.hides {
        return starts;
    }
    let proc = &program.procs[proc];
    for block in proc.reverse_postorder() {
        let mut scopes = starts.entry(block).or_default().clone();
        for stmt in &proc.blocks[block].stmts {
            scopes.execute(stmt, info);
        }
        for &next in proc.blocks[block].successors() {
            let joined = match starts.remove(&next) {
                Some(known) => known.join(&scopes),
                None => scopes.clone(),
            };
            starts.insert(next, joined);
        }
    }
    starts
}
