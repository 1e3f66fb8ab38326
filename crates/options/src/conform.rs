//! How conformance is decided.

vocabulary! {
    /// Which abstractions are used.
    #[derive(Default)]
    pub enum Levels {
        /// Predicate abstraction only.
        Predicates,
        /// Components reduced to what others and the specification see of them.
        Reduced,
        /// Action-guided abstraction without that reduction, as [Magic04] has it.
        Actions,
        /// Action-guided abstraction of the reduced components.
        #[default]
        Both,
    }
}

vocabulary! {
    /// How the predicates are kept few.
    #[derive(Default)]
    pub enum Minimise {
        /// Keep the conditions of all branches of every counterexample ([Magic04] without minimisation).
        Path,
        /// Keep every predicate that was ever needed.
        #[default]
        None,
        /// Drop predicates one by one while all counterexamples stay eliminated ([Magic04] Fig. 10).
        Greedy,
        /// Find branches with the fewest expressions that eliminate all counterexamples so far.
        Optimal,
    }
}
