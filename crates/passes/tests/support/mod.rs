//! What the tests of passes share: a small textual form of programs, an exact oracle for
//! programs over finite sorts, and a generator of such programs.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod oracle;
