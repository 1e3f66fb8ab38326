//! Models of the C library.
