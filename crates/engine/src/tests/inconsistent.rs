//! [`SearchOptions::check_dag`] notices a graph that it should never see.

use lariat_base::Budget;
use lariat_passes::PrepareOptions;
use lariat_testkit::boogie::return_problem;

use crate::dag::Dag;
use crate::observer::SearchEvent;
use crate::options::SearchOptions;
use crate::outcome::SearchOutcome;
use crate::search::Search;

#[test]
fn an_inconsistent_graph_is_noticed() {
    let text = "
        procedure main() { call twice(1); call twice(2); call never(0); }
        procedure twice(a: int) { if (*) { assume a > 0; } else { assume a > 1; } }
        procedure never(a: int) { if (*) { assume a > 0; } else { assume a < 0; } }
    ";
    for check_dag in [true, false] {
        let options = SearchOptions {
            check_dag,
            unavoidable: false,
            ..SearchOptions::default()
        };
        let mut ignore = |_: SearchEvent| {};
        // All calls stay: the passes would decide the program by themselves.
        let passes = PrepareOptions {
            propagate_constants: false,
            slice: false,
            ..PrepareOptions::default()
        };
        let problem = return_problem(text, &passes);
        let mut search = Search::new(problem, options, Budget::unlimited(), &mut ignore).expect("a search");
        let sites = search.unfolding.dag.nodes[Dag::root()].sites.clone();
        // Both calls are on every execution, and must not share.
        let shared = search.unfolding.inline(sites[0]).expect("a solver");
        let shared = shared.expect("a new instance");
        search.unfolding.dag.bind(sites[1], shared);
        search.unfolding.close_inlined().expect("nothing is decided");
        match search.run() {
            SearchOutcome::Unknown { reason, .. } if check_dag => {
                assert_eq!(reason, "internal error: the unfolding is not consistent");
            }
            SearchOutcome::Proved if !check_dag => {}
            _ => panic!("the graph is inconsistent, and the check is {check_dag}"),
        }
    }
}
