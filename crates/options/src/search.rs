//! How a program is searched, and what is shown of it.

vocabulary! {
    /// How the call graph is unfolded.
    #[derive(Default)]
    pub enum Engine {
        /// Inline the calls that counterexamples ask for.
        Stratified,
        /// The same, sharing what calls that exclude each other inline.
        Dag,
        /// Inline the calls that unsat cores ask for.
        Widen,
        /// Both, in turn, as it pays.
        Mix,
        /// Several of the others at once; the first sure answer counts.
        #[default]
        Portfolio,
        /// Constrained Horn clauses: proofs without a bound, no bugs.
        Chc,
        /// Inline everything within the bound first: the baseline.
        Static,
    }
}

vocabulary! {
    /// Which inlined calls share what is inlined: the merging strategies of [Dag15] §3.4.
    #[derive(Default)]
    pub enum MergePolicy {
        /// None: stratified inlining's tree.
        Tree,
        /// The compatible node that came up first.
        #[default]
        First,
        /// The compatible node with the most descendants.
        Maxc,
        /// Any compatible node, and now and then none.
        Random,
        /// Any compatible node.
        Randompick,
        /// That of the optimal graph, computed beforehand; where that is too large, the first.
        Opt,
    }
}

vocabulary! {
    /// Whether an optional technique is used.
    #[derive(Default)]
    pub enum Switch {
        /// Where it pays.
        #[default]
        Auto,
        On,
        Off,
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
