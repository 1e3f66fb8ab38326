//! front end ─> ir ─ **passes** ─> ir ─> passive procedures ─> ProcVc
//!
//! Passes map IR to IR, one file and one verb each; analyses are values that passes and later
//! stages ask for. After [`prepare`] a program has one question left: can its entry return?
//!
//! Architecture invariants:
//! - a pass never reorders statements; copies keep their [`lariat_ir::StmtId`], and a statement
//!   that is dropped cannot influence whether the entry returns;
//! - everything is deterministic, and nothing recurses over blocks, calls or terms;
//! - in debug builds the validator runs after each pass.

mod bit_set;
mod bound_constant_loops;
mod call_graph;
mod clone_procedure;
mod compact_blocks;
mod constant_facts;
mod cut_every_loop;
mod cut_loops;
mod extract_loops;
mod free_vars;
mod instrument_errors;
mod interfaces;
mod known_objects;
mod liveness;
mod lookup_tables;
mod loop_forest;
mod map_entries;
mod mark_blocks;
mod mark_completions;
mod merge_blocks;
mod mod_ref;
mod nonnull;
mod persistent_map;
mod post_dominators;
mod prepare;
mod propagate_constants;
mod prune_procedures;
mod remove_dead_ends;
mod sequentialise;
mod slice;
mod specialise_candidates;
mod split_accesses;
mod split_maps;
mod thread_analysis;
mod total_procedures;
mod unroll_loops;
mod watch_races;

pub use bound_constant_loops::bound_constant_loops;
pub use call_graph::CallGraph;
pub use cut_every_loop::{CutOptions, cut_every_loop};
pub use cut_loops::{CutLoop, cut_loops};
pub use extract_loops::extract_loops;
pub use instrument_errors::{Goal, Instrumented, instrument_errors};
pub use interfaces::compute_interfaces;
pub use lookup_tables::decide_lookups;
pub use mark_blocks::mark_blocks;
pub use mark_completions::{Completion, mark_completions};
pub use merge_blocks::merge_blocks;
pub use mod_ref::ModRef;
pub use nonnull::proved_nonnull;
pub use post_dominators::PostDominators;
pub use prepare::{PrepareOptions, Prepared, prepare, prepare_owned};
pub use propagate_constants::propagate_constants;
pub use prune_procedures::{Pruned, prune_procedures};
pub use remove_dead_ends::remove_dead_ends;
pub use sequentialise::{ContextOptions, Mark, Schedule, Sequentialised, sequentialise};
pub use slice::slice;
pub use split_accesses::split_accesses;
pub use split_maps::MapEntryVars;
pub use thread_analysis::{SharedContract, ThreadAnalysis, starts_threads, switch_points};
pub use unroll_loops::{TooLarge, unroll_loops};
pub use watch_races::watch_races;
