//! What holds pointers, for the vocabulary of specifications.

use lariat_c_program::{Scalar, Type};
use lariat_term::VarId;

use super::CSide;

impl CSide {
    /// The variables that hold pointers, and the maps whose elements are pointers, in ascending order.
    pub fn pointers(&self) -> Vec<VarId> {
        let names = &self.names;
        let is_pointer = |ty| matches!(self.program.types.get(ty), Type::Pointer(_));
        let vars = names
            .vars
            .iter()
            .filter(|(_, shown)| is_pointer(shown.ty))
            .map(|(&var, _)| var);
        let memory = names
            .memory
            .iter()
            .filter(|&(_, &scalar)| scalar == Scalar::Pointer)
            .map(|(&var, _)| var);
        let initial = names
            .initial
            .iter()
            .filter(|(_, map)| map.element == Scalar::Pointer)
            .map(|(&var, _)| var);
        let mut pointers: Vec<VarId> = vars.chain(memory).chain(initial).collect();
        pointers.sort_unstable();
        pointers
    }
}
