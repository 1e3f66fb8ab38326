//! Slices of effort: however small they are, the answer is the same.

mod support;

use lariat_base::Budget;
use lariat_engine::{ExpandPolicy, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_options::LogStage;

/// Which of the sums of subsets is wanted: a search through all ways.
const SUMS: &str = "
    procedure add(x: int, y: int) returns (r: int) { if (*) { r := x + y; } else { r := x; } }
    procedure pair(x: int, y: int) returns (r: int) { call r := add(x, y); call r := add(r, 3 * y); }
    procedure main()
    {
      var r: int;
      call r := pair(0, 10);
      call r := pair(r, 100);
      call r := pair(r, 1000);
      assume r == WANTED;
    }
";

fn options(expand: ExpandPolicy, slice: u32, halves: bool, restarts: bool) -> SearchOptions {
    let usual = SearchOptions::default();
    SearchOptions {
        expand,
        in_place: false,
        unavoidable: false,
        slices: Some(slice),
        halves,
        restart_options: restarts.then(|| usual.solver_options.clone()),
        log: true,
        ..usual
    }
}

/// Whether there is an execution, and how many queries were too hard.
fn search(wanted: i32, options: SearchOptions) -> (bool, usize) {
    let mut too_hard = 0;
    let mut count = |event: SearchEvent| {
        if matches!(&event, SearchEvent::Log(LogStage::Unfolding, text) if text.ends_with("is too hard")) {
            too_hard += 1;
        }
    };
    let problem = support::problem(&SUMS.replace("WANTED", &wanted.to_string()));
    let mut session = Session::new(problem, options, Budget::unlimited(), &mut count).expect("a session");
    let found = match session.run() {
        SearchOutcome::Reached(_) => true,
        SearchOutcome::Proved => false,
        SearchOutcome::Bounded { .. } => panic!("nothing is recursive"),
        SearchOutcome::Unknown { reason, .. } => panic!("{reason}"),
    };
    drop(session);
    (found, too_hard)
}

#[test]
fn slices_do_not_change_answers() {
    let mut too_hard = 0;
    for expand in [
        ExpandPolicy::OverRefine,
        ExpandPolicy::UnderWiden,
        ExpandPolicy::Adaptive,
    ] {
        for (wanted, expected) in [
            (3_010, true),
            (4_440, true),
            (0, true),
            (2_000, false),
            (4_441, false),
        ] {
            for (halves, restarts) in [(false, false), (true, false), (false, true), (true, true)] {
                for slice in [1, 100, 1_000_000] {
                    let (found, hard) = search(wanted, options(expand, slice, halves, restarts));
                    assert_eq!(
                        found, expected,
                        "{wanted}, {expand:?}, {slice}, {halves}, {restarts}"
                    );
                    too_hard += hard;
                }
            }
        }
    }
    assert!(too_hard > 100, "{too_hard} queries were too hard");
}
