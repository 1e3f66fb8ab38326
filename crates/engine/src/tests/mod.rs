//! The unfolding as a graph, checked against explicit configurations ([Dag15] §3.2).

mod configurations;
mod consistency;
mod inconsistent;
mod merging;
mod programs;
