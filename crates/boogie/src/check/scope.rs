//! Which variable a name means: one hash map with a log to undo what an inner scope did.

use rustc_hash::FxHashMap;

use crate::typed::{Name, VarId};

#[derive(Default)]
pub(super) struct Scope {
    visible: FxHashMap<Name, Entry>,
    undo: Vec<(Name, Option<Entry>)>,
    /// The length of the undo log where each open scope began.
    marks: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Entry {
    var: VarId,
    depth: usize,
}

impl Scope {
    pub fn open(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub fn close(&mut self) {
        let mark = self.marks.pop().expect("a scope is closed that was opened");
        for (name, previous) in self.undo.drain(mark..).rev() {
            match previous {
                Some(entry) => self.visible.insert(name, entry),
                None => self.visible.remove(&name),
            };
        }
    }

    /// Declares a variable in the innermost scope; the variable of the same scope that has
    /// the name already is the error.
    pub fn declare(&mut self, name: &Name, var: VarId) -> Result<(), VarId> {
        let entry = Entry {
            var,
            depth: self.marks.len(),
        };
        match self.visible.get_mut(name) {
            Some(existing) if existing.depth == entry.depth => return Err(existing.var),
            Some(existing) => {
                let previous = std::mem::replace(existing, entry);
                self.undo.push((name.clone(), Some(previous)));
            }
            None => {
                self.visible.insert(name.clone(), entry);
                if entry.depth > 0 {
                    self.undo.push((name.clone(), None));
                }
            }
        }
        Ok(())
    }

    pub fn get(&self, name: &str) -> Option<VarId> {
        self.visible.get(name).map(|entry| entry.var)
    }

    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.visible.keys()
    }
}
