//! Loops with a known number of rounds.

use lariat_base::Budget;
use lariat_engine::{ExpandPolicy, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_testkit::boogie::problem;

const ROUNDS: u64 = 100;

/// Twice as many rounds each time, not one more: the solver is asked a few dozen times at most.
#[test]
fn rounds_are_inlined_in_growing_numbers() {
    let text = format!(
        "procedure main() {{
            var i, sum, x: int;
            i := 0;
            sum := 0;
            while (i < {ROUNDS}) {{
                havoc x;
                if (x == i) {{ sum := sum + 1; }}
                i := i + 1;
            }}
            assume sum == {ROUNDS};
        }}"
    );
    for expand in [ExpandPolicy::OverRefine, ExpandPolicy::UnderWiden] {
        let options = SearchOptions {
            expand,
            ..SearchOptions::default()
        };
        let mut ignore = |_: SearchEvent| {};
        let problem = problem(&text);
        let mut session =
            Session::new(problem, options, Budget::unlimited(), &mut ignore).expect("a session");
        assert!(matches!(session.run(), SearchOutcome::Reached(_)), "{expand:?}");
        let stats = session.stats();
        assert!(stats.inlined > ROUNDS, "{} inlined", stats.inlined);
        assert!(stats.solver_calls < 40, "{} questions", stats.solver_calls);
    }
}
