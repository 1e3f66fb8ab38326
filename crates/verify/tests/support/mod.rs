//! What the tests of this crate share.

#![allow(dead_code, reason = "each test binary uses a part of this module")]

pub mod differential;
pub mod engines;
pub mod filetest;
