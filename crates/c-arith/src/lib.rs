//! C arithmetic as terms.
