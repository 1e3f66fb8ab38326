//! Harnesses and witnesses of C bugs.
