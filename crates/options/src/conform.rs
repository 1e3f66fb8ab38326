//! How conformance is decided.

vocabulary! {
    /// Which abstractions are used.
    #[derive(Default)]
    pub enum Levels {
        /// Predicate abstraction only.
        Predicates,
        /// Action-guided abstraction on top of it.
        #[default]
        Both,
    }
}

vocabulary! {
    /// How the predicates are kept few.
    #[derive(Default)]
    pub enum Minimise {
        /// Keep every predicate that was ever needed.
        None,
        /// Drop predicates one by one while all counterexamples stay eliminated ([Magic04] Fig. 10).
        Greedy,
        /// Find the fewest branches that eliminate all counterexamples so far.
        #[default]
        Optimal,
    }
}
