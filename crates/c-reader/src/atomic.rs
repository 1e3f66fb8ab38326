//! Atomic operations, in their sequential meaning.

use crate::clang::Cursor;
use crate::node::Node;
use crate::session::Session;

impl<'u> Session<'u, '_> {
    pub fn atomic(&mut self, cursor: Cursor<'u>, word: &str, _operands: &[Cursor<'u>]) -> Node {
        self.unknown(cursor, &format!("the atomic operation `{word}`"))
    }
}
