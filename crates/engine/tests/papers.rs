//! The papers' own examples, with the papers' numbers.

mod support;

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_engine::{
    EngineStats, ExpandPolicy, MergePolicy, SearchEvent, SearchOptions, SearchOutcome, Session,
};
use lariat_options::LogStage;

/// As the papers have it: every procedure is a call site's, and is inlined when it is asked for.
fn options(expand: ExpandPolicy, merge: MergePolicy) -> SearchOptions {
    SearchOptions {
        expand,
        merge,
        in_place: false,
        unavoidable: false,
        check_dag: true,
        log: true,
        ..SearchOptions::default()
    }
}

struct Run {
    outcome: &'static str,
    /// Each step with the open call sites at that time.
    steps: Vec<(String, u64)>,
    stats: EngineStats,
    /// For each node of the graph its procedure and the number of calls that share it.
    nodes: Vec<(String, usize)>,
}

fn run(text: &str, options: SearchOptions) -> Run {
    let mut events = Vec::new();
    let mut note = |event: SearchEvent| match event {
        SearchEvent::Log(LogStage::Unfolding, text) => events.push(Ok(text)),
        SearchEvent::Log(..) => {}
        SearchEvent::Progress(progress) => events.push(Err(progress.stats.open_call_sites)),
    };
    let problem = support::problem(text);
    let mut search = Session::new(problem, options, Budget::unlimited(), &mut note).expect("a search");
    let outcome = match search.run() {
        SearchOutcome::Reached(_) => "reached",
        SearchOutcome::Proved => "proved",
        SearchOutcome::Bounded { .. } => "bounded",
        SearchOutcome::Unknown { reason, .. } => panic!("{reason}"),
    };
    let stats = search.stats();
    let name = |proc| search.problem().program.procs[proc].name.to_string();
    let nodes = search
        .instances()
        .map(|(proc, calls)| (name(proc), calls))
        .collect();
    drop(search);
    // The open call sites are told after the inlining.
    let mut steps: Vec<(String, u64)> = Vec::new();
    for event in events {
        match (event, steps.last_mut()) {
            (Ok(text), _) => steps.push((text, 0)),
            (Err(open), Some(step)) => step.1 = open,
            (Err(_), None) => {}
        }
    }
    Run {
        outcome,
        steps,
        stats,
        nodes,
    }
}

const SHARING: [MergePolicy; 4] = [
    MergePolicy::First,
    MergePolicy::Maxc,
    MergePolicy::Randompick,
    MergePolicy::Opt,
];

const EXPANSIONS: [ExpandPolicy; 5] = [
    ExpandPolicy::OverRefine,
    ExpandPolicy::UnderWiden,
    ExpandPolicy::Interleave(0.5),
    ExpandPolicy::Adaptive,
    ExpandPolicy::Eager,
];

/// [Dag15] Fig. 2 for some N; the assertion fails if `main` returns.
fn figure_2(n: usize) -> String {
    let mut text = String::from(
        "var g: int;
         procedure main() { g := 0; if (*) { call P0(); } else { call P0(); } }\n",
    );
    for i in 0..n {
        let next = i + 1;
        text += &format!(
            "procedure P{i}() {{ g := g + 1; if (*) {{ call P{next}(); }} else {{ call P{next}(); }} }}\n"
        );
    }
    text + &format!("procedure P{n}() {{ assume g != {n}; }}\n")
}

#[test]
fn figure_2_of_dag_inlining_needs_one_node_for_each_procedure() {
    for n in [0, 1, 2, 3, 8, 40] {
        for merge in SHARING {
            for expand in EXPANSIONS {
                let run = run(&figure_2(n), options(expand, merge));
                assert_eq!(run.outcome, "proved");
                assert_eq!(run.stats.inlined, n as u64 + 2, "N = {n}, {merge:?}, {expand:?}");
                // All but `main` are called from both branches.
                assert!(
                    run.nodes[1..].iter().all(|(_, calls)| *calls == 2),
                    "{:?}",
                    run.nodes
                );
            }
        }
    }
}

#[test]
fn figure_2_of_dag_inlining_needs_a_node_for_each_path_without_sharing() {
    for n in 0..5 {
        for expand in EXPANSIONS {
            let run = run(&figure_2(n), options(expand, MergePolicy::Tree));
            assert_eq!(run.outcome, "proved");
            assert_eq!(run.stats.inlined, (1 << (n + 2)) - 1, "N = {n}, {expand:?}");
            assert!(
                run.nodes[1..].iter().all(|(_, calls)| *calls == 1),
                "{:?}",
                run.nodes
            );
        }
    }
}

/// [Dag15] Fig. 6, and what is asked of its result.
fn figure_6(question: &str) -> String {
    format!(
        "procedure main(v1: int, v2: int) returns (r: int) {{
             var c: bool;
             if (c) {{ call r := foo(v1); }} else {{ call r := foo(v2); }}
             assume {question};
         }}
         procedure foo(a: int) returns (b: int) {{ b := a + 1; }}"
    )
}

#[test]
fn figure_9_of_dag_inlining_merges_both_calls() {
    for expand in EXPANSIONS {
        for merge in SHARING {
            let run = run(&figure_6("r != v2 + 1 && r != v1 + 1"), options(expand, merge));
            assert_eq!(run.outcome, "proved");
            assert_eq!(
                run.nodes,
                [("main".into(), 0), ("foo".into(), 2)],
                "{merge:?}, {expand:?}"
            );
        }
    }
    // All policies: with the calls shared or not, the result is that of one of them.
    for merge in MergePolicy::ALL {
        for expand in EXPANSIONS {
            let outcome = |question| run(&figure_6(question), options(expand, merge)).outcome;
            assert_eq!(
                outcome("r == v1 + 1 && r != v2 + 1"),
                "reached",
                "{merge:?}, {expand:?}"
            );
            assert_eq!(
                outcome("r == v2 + 1 && r != v1 + 1"),
                "reached",
                "{merge:?}, {expand:?}"
            );
            assert_eq!(
                outcome("r != v2 + 1 && r != v1 + 1"),
                "proved",
                "{merge:?}, {expand:?}"
            );
        }
    }
    let tree = run(
        &figure_6("r != v2 + 1 && r != v1 + 1"),
        options(ExpandPolicy::OverRefine, MergePolicy::Tree),
    );
    assert_eq!(tree.nodes.len(), 3);
}

/// [Legion22] Fig. 1 as it is printed. Since `y` is a constant of `main` its first and last block
/// contradict each other, whatever the callees do.
const FIGURE_1: &str = "
    procedure main() {
        var x: int, y: int, z: int;
        var c: bool;
        L0: assume x == 0; assume y == 0; goto L1, L2;
        L1: assume c; call foo(x, y); goto L3;
        L2: assume !c; call bar(x, y); goto L3;
        L3: assume y != 0; return;
    }
    procedure foo(x: int, y: int) {
        var d: bool;
        L5: goto L6, L7;
        L6: assume d; call foo1(x, y); goto L8;
        L7: assume !d; call foo2(x, y); goto L8;
        L8: return;
    }
    procedure foo1(x: int, y: int) { L9: assume y == x + 1; return; }
    procedure foo2(x: int, y: int) { L10: assume y == x - 1; return; }
    procedure bar(x: int, y: int) {
        var e: bool;
        L11: goto L12, L13;
        L12: assume e; call bar1(x, y); goto L14;
        L13: assume !e; call bar2(x, y); goto L14;
        L14: return;
    }
    procedure bar1(x: int, y: int) { L15: assume y == x + 10; return; }
    procedure bar2(x: int, y: int) { L16: assume y == x - 10; return; }
";

/// Without the last assumption each of the four leaves has to be looked at, as in Tables 1 and 2.
fn figure_1() -> String {
    FIGURE_1.replace("L3: assume y != 0;", "L3:")
}

#[test]
fn figure_1_of_widening_as_printed_needs_no_callee() {
    for expand in [ExpandPolicy::OverRefine, ExpandPolicy::UnderWiden] {
        let run = run(FIGURE_1, options(expand, MergePolicy::Tree));
        assert_eq!((run.outcome, run.stats.inlined), ("proved", 1), "{expand:?}");
    }
}

/// The open call sites, as the tables show them.
struct Open(BTreeSet<String>);

impl Open {
    fn new() -> Self {
        Open(["main/foo", "main/bar"].map(str::to_owned).into())
    }

    /// Inlines what a step says, and checks that it was open.
    fn inline(&mut self, step: &str) -> Vec<String> {
        let names = step.strip_prefix("inline ").expect("a step of inlining");
        let names: Vec<String> = names.split(", ").map(str::to_owned).collect();
        for name in &names {
            assert!(self.0.remove(name), "{name} is not open");
            for callee in ["foo", "bar"] {
                if *name == format!("main/{callee}") {
                    self.0.insert(format!("{name}/{callee}1"));
                    self.0.insert(format!("{name}/{callee}2"));
                }
            }
        }
        names
    }
}

/// Table 1: the check is satisfiable and one callee is asserted, six times; then it is not.
#[test]
fn table_1_of_widening() {
    let run = run(&figure_1(), options(ExpandPolicy::OverRefine, MergePolicy::Tree));
    assert_eq!((run.outcome, run.stats.inlined), ("proved", 7));
    // The executions without open calls, which are looked at first, are not in the table.
    let steps: Vec<&(String, u64)> = run
        .steps
        .iter()
        .filter(|(step, _)| !step.starts_with("all "))
        .collect();
    let mut open = Open::new();
    let mut rounds = 0;
    let mut left = &steps[..];
    while let [(check, _), (inlining, open_sites), rest @ ..] = left {
        assert!(
            check.starts_with("bound 1, 0 calls beyond it: an execution"),
            "{check}"
        );
        assert_eq!(open.inline(inlining).len(), 1, "{inlining}");
        assert_eq!(open.0.len() as u64, *open_sites);
        rounds += 1;
        left = rest;
    }
    assert_eq!(rounds, 6);
    // No call is open any more, so the last check of the table is the one without open calls.
    assert!(left.is_empty() && open.0.is_empty(), "{left:?}");
    let last = run.steps.last().map_or("", |(step, _)| step.as_str());
    assert!(
        last.starts_with("all 0 open calls blocked: no execution"),
        "{last}"
    );
}

/// Table 2, with minimal cores: each open call would let an execution through, so all are blamed.
/// (The paper blames `bar` alone at first, which would be a core only if no execution went through `foo`.)
#[test]
fn table_2_of_widening() {
    let run = run(&figure_1(), options(ExpandPolicy::UnderWiden, MergePolicy::Tree));
    assert_eq!((run.outcome, run.stats.inlined), ("proved", 7));
    let mut open = Open::new();
    let mut checks = 0;
    for (step, open_sites) in &run.steps {
        if step.starts_with("inline ") {
            let before: Vec<String> = open.0.iter().cloned().collect();
            let mut blamed = open.inline(step);
            blamed.sort();
            assert_eq!(blamed, before);
            assert_eq!(open.0.len() as u64, *open_sites);
        } else {
            checks += 1;
            let count = open.0.len();
            let expected = format!("all {count} open calls blocked: no execution, because of {count} within");
            assert!(step.starts_with(&expected), "{step}");
        }
    }
    assert!(open.0.is_empty());
    assert_eq!(checks, 3);
    assert_eq!(run.stats.solver_calls, 3);
}

/// What the proof does not need stays open.
#[test]
fn widening_leaves_open_what_no_core_names() {
    let text = figure_1().replace("L2: assume !c;", "L2: assume !c; assume y != x;");
    let run = run(&text, options(ExpandPolicy::UnderWiden, MergePolicy::Tree));
    let inlined: BTreeSet<&str> = run.nodes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        (run.outcome, inlined),
        ("proved", ["main", "foo", "foo1", "foo2"].into())
    );
}

#[test]
fn figure_1_of_widening_with_a_way_to_the_end() {
    for leaf in ["y == x + 1;", "y == x - 1;", "y == x + 10;", "y == x - 10;"] {
        let text = figure_1().replace(leaf, "y == x;");
        for expand in EXPANSIONS {
            for merge in MergePolicy::ALL {
                let run = run(&text, options(expand, merge));
                assert_eq!(run.outcome, "reached", "{leaf}, {expand:?}, {merge:?}");
            }
        }
    }
}
