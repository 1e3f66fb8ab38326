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
        /// Every predicate that was ever needed is kept.
        None,
        /// Predicates are dropped one by one while all counterexamples stay eliminated ([Magic04] Fig. 10).
        Greedy,
        /// As few branches as possible eliminate all counterexamples so far.
        #[default]
        Optimal,
    }
}
