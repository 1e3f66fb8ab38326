//! The parser and the printer, on the repository's own programs and on bad input.

mod parsing;
mod printing;
mod support;
