//! What `lariat bench --table` measures.

use clap::ValueEnum;

/// A measurement of one technique.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TableArgument {
    /// A chain of procedures: DAG inlining grows linearly, a tree exponentially
    Chain,
    /// How many copies each merging strategy makes when everything is inlined; takes manifests
    Merge,
    /// The algorithms of abstraction refinement, on generated programs; may take manifests instead
    Refinement,
    /// Where the time goes when globals are left out and brought back; takes manifests
    Abstraction,
    /// Stratified and DAG inlining, with and without summaries; takes manifests, `--report` writes the plots
    Inlining,
    /// Refinement, widening and both at once with the same total time; takes manifests, `--report` writes the plots with the
    /// recorded peers
    Budgets,
    /// Concrete runs of generated C programs: steps per second
    Run,
    /// Proofs for every bound; takes folders of programs
    Unbounded,
    /// Programs with their entry started twice, in 1 to 4 contexts; takes folders of programs
    Concurrent,
    /// Angelic verification of libraries with known bugs, under each configuration
    Angelic,
    /// Conformance with predicate abstraction only and with both abstractions; takes project files
    Handshake,
    /// Conformance with no, greedy and optimal minimisation of predicates; takes project files
    Minimise,
    /// Conformance with different limits of optimal minimisation; takes project files
    Optimality,
    /// Conformance with each level of abstraction, and without; takes project files
    Ablation,
    /// The search with each of its techniques switched off alone; takes manifests
    AblationSearch,
    /// Two-phase commit with more and more participants; takes the folder of its C files
    TwoPhaseCommit,
    /// How much 1 to 256 workers would help: a simulation with the times of earlier runs; takes their output folders
    Workers,
}
