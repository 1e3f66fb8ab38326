//! Which accesses to memory can never meet.
