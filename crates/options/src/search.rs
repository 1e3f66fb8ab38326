//! How a program is searched, and what is shown of it.

vocabulary! {
    /// How the call graph is unfolded.
    #[derive(Default)]
    pub enum Engine {
        /// Inline the calls on the path of each counterexample.
        Stratified,
        /// Like `stratified`, but calls that cannot both happen share one copy.
        Dag,
        /// Inline the calls that each unsat core names.
        Widen,
        /// Alternate between `dag` and `widen`, whichever makes more progress.
        Mix,
        /// Run several engines in parallel and take the first definite answer.
        #[default]
        Portfolio,
        /// Constrained Horn clauses: proves for every bound, but finds no bugs.
        Chc,
        /// Inline everything within the bound before the first query: the baseline.
        Static,
        /// Execute the program path by path over symbolic inputs: for small inputs.
        Paths,
    }
}

vocabulary! {
    /// Which inlined calls share what is inlined: the merging strategies of [Dag15] §3.4.
    #[derive(Default)]
    pub enum MergePolicy {
        /// No sharing: the tree of stratified inlining.
        Tree,
        /// The first compatible node.
        #[default]
        First,
        /// The compatible node with the most descendants.
        Maxc,
        /// A random compatible node, or sometimes a new one.
        Random,
        /// A random compatible node.
        Randompick,
        /// The node in an optimal graph that is computed beforehand, or the first if that graph is too large.
        Opt,
    }
}

vocabulary! {
    /// Whether an optional technique is used.
    #[derive(Default)]
    pub enum Switch {
        /// Only where it is likely to help.
        #[default]
        Auto,
        On,
        Off,
    }
}

vocabulary! {
    /// How the solver goes about a query.
    #[derive(Default)]
    pub enum SolverProfile {
        /// The one that suits the engine.
        #[default]
        Auto,
        /// What is relevant is decided first, in order: good where executions are easily found.
        Relevancy,
        /// What took part in conflicts is decided first: good where there is no execution, or hardly any.
        Activity,
    }
}

vocabulary! {
    /// Whether a technique is used that no rule chooses by itself.
    #[derive(Default)]
    pub enum OnOff {
        #[default]
        Off,
        On,
    }
}

vocabulary! {
    /// How globals that matter are found among those that are ignored: the refinements of [Corral12] §3.
    #[derive(Default)]
    pub enum RefinementAlgorithm {
        /// One global after the other, as in the Storm checker.
        Storm,
        /// Algorithm 1, by halves of the globals.
        #[strum(serialize = "1")]
        #[serde(rename = "1")]
        #[cfg_attr(feature = "clap", value(name = "1"))]
        HRefine,
        /// Algorithm 2, by halves of the globals in one condition.
        #[default]
        #[strum(serialize = "2")]
        #[serde(rename = "2")]
        #[cfg_attr(feature = "clap", value(name = "2"))]
        VcRefine,
        /// Algorithm 2 on the globals of an unsat core.
        Cores,
    }
}

vocabulary! {
    /// A stage whose result can be shown as text.
    pub enum LogStage {
        /// The Boogie program, pretty-printed.
        Boogie,
        /// The C program, with every conversion explicit.
        C,
        /// The regions that the memory of a C program is split into.
        Regions,
        /// The intermediate representation before any pass.
        Ir,
        /// The intermediate representation after each pass.
        Passes,
        /// The loop-free, passive procedures.
        Passive,
        /// The verification condition of each procedure.
        Vc,
        /// Everything the solver is given, as SMT-LIB.
        Smt,
        /// Each step of the unfolding of the call graph.
        Unfolding,
        /// The unfolding at the end, as a graph for Graphviz.
        Dag,
    }
}

vocabulary! {
    /// How much of a failing execution is shown.
    #[derive(Default)]
    pub enum TraceDetail {
        /// What matters for the failure.
        #[default]
        Brief,
        /// Every statement.
        Full,
        /// Calls, recorded values and places in the program that this one was compiled from.
        Source,
    }
}
