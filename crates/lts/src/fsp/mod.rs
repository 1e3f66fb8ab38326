//! FSP.
