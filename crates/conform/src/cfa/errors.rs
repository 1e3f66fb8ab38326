//! One way into an error at a time.
//!
//! A program with n checks of independent data needs the predicates of all of them at once, so that its abstraction has 2ⁿ
//! states. Each check alone needs its own only.

use super::{Cfa, EdgeId, Failure, Label, Location};

impl Cfa {
    /// The edges that lead to an error of the program; `None` if it starts with one.
    pub fn ways_to_errors(&self) -> Option<Vec<EdgeId>> {
        let is_error = |location| matches!(&self.locations[location].label, Label::Fail(Failure::Error(_)));
        if is_error(self.initial) {
            return None;
        }
        let edges = self.edges.iter().filter(|(_, edge)| is_error(edge.target));
        Some(edges.map(|(id, _)| id).collect())
    }

    /// The same automaton in which only this way leads to an error: where another one would, the execution ends.
    pub fn with_one_way_to_errors(&self, only: EdgeId) -> Cfa {
        let mut cfa = self.clone();
        for edge in self.ways_to_errors().unwrap_or_default() {
            if edge != only {
                let depth = cfa.locations[cfa.edges[edge].target].depth;
                // Between two states there is at most one edge.
                let end = cfa.locations.push(Location {
                    label: Label::Halt,
                    span: None,
                    parts: Vec::new(),
                    depth,
                });
                cfa.edges[edge].target = end;
            }
        }
        cfa
    }
}
