//! The search on small programs: what it answers, what it inlines, and that it is deterministic.

use lariat_base::{Budget, SourceMap};
use lariat_engine::{ExpandPolicy, Outcome, Search, SearchEvent, SearchOptions};
use lariat_passes::{Goal, PrepareOptions, prepare};
use lariat_vc::Problem;

/// A program of which `main` is asked whether it can return.
fn problem(text: &str) -> Problem {
    let mut sources = SourceMap::new();
    let id = sources.add("test.bpl", text);
    let (syntax, _) = lariat_boogie::parser::parse(&sources, id);
    let (typed, diagnostics) = lariat_boogie::check_completing_modifies(&syntax);
    let errors: Vec<String> = diagnostics.iter().map(|d| d.render(&sources, false)).collect();
    let typed = typed.unwrap_or_else(|| panic!("{}", errors.join("\n")));
    let lowered = lariat_lower::lower(&typed).expect("it can be lowered").program;
    let entry = lowered.proc_by_name("main").expect("a main");
    let prepared = prepare(&lowered, entry, &Goal::EntryReturns, &PrepareOptions::default());
    Problem::new(
        prepared.program,
        prepared.entry,
        prepared.interfaces,
        prepared.error,
    )
}

fn options(expand: ExpandPolicy, max_bound: u32) -> SearchOptions {
    SearchOptions {
        expand,
        max_bound,
        stack_depth: None,
        in_place: true,
        unavoidable: false,
        small_size: 0,
        merge: lariat_engine::MergePolicy::Tree,
        solver_options: vec![("smt.mbqi".into(), "false".into())],
        seed: 0,
        log: true,
    }
}

/// The outcome in words, the steps of the search, and everything that the solver was told.
fn run(text: &str, options: SearchOptions) -> (String, Vec<String>, String) {
    let mut steps = Vec::new();
    let mut note = |event: SearchEvent| {
        if let SearchEvent::Log(text) = event {
            // The seconds differ from run to run.
            steps.push(text.split(" (").next().unwrap_or_default().to_owned());
        }
    };
    let mut search = Search::new(problem(text), options, Budget::unlimited(), &mut note).expect("a search");
    let outcome = match search.run() {
        Outcome::Reached(_) => "reached".into(),
        Outcome::Proved => "proved".into(),
        Outcome::Bounded { bound, cut } => format!("bounded({bound}) by {} procedures", cut.len()),
        Outcome::Unknown { reason, .. } => format!("unknown: {reason}"),
    };
    let told = search.unfolding.to_smtlib();
    drop(search);
    (outcome, steps, told)
}

/// Two branches of which each calls a procedure that itself chooses between two. Both chains must
/// be refuted, each only when its leaf is known.
const TWO_CHAINS: &str = "
    procedure main() {
        var x: int, y: int;
        assume x == 0 && y == 0;
        if (*) { call above(x, y); } else { call below(x, y); }
        assume y != 0;
    }
    procedure above(x: int, y: int) {
        var d: bool;
        if (d) { call one(x, y); } else { call two(x, y); }
    }
    procedure below(x: int, y: int) {
        var d: bool;
        if (d) { call one(x, y); } else { call two(x, y); }
    }
    procedure one(x: int, y: int) { if (*) { assume y == x + 1; } else { assume y == x + 2; } }
    procedure two(x: int, y: int) { if (*) { assume y == x - 1; } else { assume y == x - 2; } }
";

#[test]
fn both_policies_prove_and_find() {
    for expand in [ExpandPolicy::OverRefine, ExpandPolicy::Eager] {
        assert_eq!(run(TWO_CHAINS, options(expand, 1)).0, "proved", "{expand:?}");
        let feasible = TWO_CHAINS
            .replace("assume y != 0;", "")
            .replace("y == x - 2", "y == x");
        assert_eq!(run(&feasible, options(expand, 1)).0, "reached", "{expand:?}");
    }
}

#[test]
fn only_calls_on_counterexamples_are_inlined() {
    // `unneeded` cannot be on an execution that satisfies what is assumed before it.
    let text = "
        procedure main() {
            var x: int;
            if (x > 0) { assume x < 0; call unneeded(x); } else { call needed(x); }
        }
        procedure needed(x: int) { if (*) { assume x == 1; } else { assume x == 2; } }
        procedure unneeded(x: int) { if (*) { assume x == 1; } else { assume x == 2; } }
    ";
    let (outcome, steps, _) = run(text, options(ExpandPolicy::OverRefine, 1));
    assert_eq!(outcome, "proved");
    let inlined: Vec<&String> = steps.iter().filter(|step| step.starts_with("inline")).collect();
    assert_eq!(inlined, ["inline main/needed"]);
}

#[test]
fn the_bound_is_blamed_only_where_it_matters() {
    let recursive = "
        var g: int;
        procedure main() { g := 0; call count(); assume GOAL; }
        procedure count() { if (*) { g := g + 1; call count(); } }
    ";
    // Whatever `count` does, the goal is false.
    let unreachable = recursive.replace("GOAL", "g != g");
    assert_eq!(
        run(&unreachable, options(ExpandPolicy::OverRefine, 2)).0,
        "proved"
    );
    // Five activations are needed, one more than the bound.
    let deep = recursive.replace("GOAL", "g == 4");
    assert_eq!(
        run(&deep, options(ExpandPolicy::OverRefine, 4)).0,
        "bounded(4) by 1 procedures"
    );
    assert_eq!(run(&deep, options(ExpandPolicy::OverRefine, 5)).0, "reached");
    assert_eq!(
        run(&deep, options(ExpandPolicy::Eager, 4)).0,
        "bounded(4) by 1 procedures"
    );
    assert_eq!(run(&deep, options(ExpandPolicy::Eager, 5)).0, "reached");
}

#[test]
fn the_stack_depth_cuts_calls() {
    let chain = "
        var g: int;
        procedure main() { call a(); }
        procedure a() { call b(); }
        procedure b() { call c(); }
        procedure c() { if (*) { assume g == 1; } else { assume g == 2; } }
    ";
    let mut shallow = options(ExpandPolicy::OverRefine, 1);
    shallow.stack_depth = Some(3);
    assert_eq!(run(chain, shallow.clone()).0, "bounded(1) by 1 procedures");
    shallow.stack_depth = Some(4);
    assert_eq!(run(chain, shallow).0, "reached");
}

#[test]
fn the_same_input_gives_the_same_transcript() {
    for expand in [ExpandPolicy::OverRefine, ExpandPolicy::Eager] {
        let (_, steps, told) = run(TWO_CHAINS, options(expand, 3));
        for _ in 0..3 {
            let again = run(TWO_CHAINS, options(expand, 3));
            assert_eq!(again.1, steps);
            assert_eq!(again.2, told);
        }
    }
}
