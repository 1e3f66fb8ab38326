//! [Corral12] Fig. 3, statement by statement, and that it over-approximates.

mod support;

use std::collections::BTreeSet;

use lariat_abstraction::{Feasibility, Found, PathProgram, RefineOptions, abstract_globals};
use lariat_base::Budget;
use lariat_ir::{Stage, StmtKind, validate};
use lariat_passes::PrepareOptions;
use lariat_term::VarId;
use lariat_testkit::Random;
use lariat_vc::{Problem, Summary};
use support::random::random_program;
use support::{plain, problem, search, solver_options};

fn globals(problem: &Problem, names: &[&str]) -> BTreeSet<VarId> {
    let named = |var: &VarId| names.contains(&&**problem.program.pool.var_name(*var));
    problem.program.globals.iter().copied().filter(named).collect()
}

/// The statements of `main` before and after, one for one.
fn pairs(body: &str, tracked: &[&str]) -> Vec<(String, String)> {
    let text = format!(
        "var g, h, t: int; var m: [int]int;
         procedure main() {{ var x, y: int; {body} assert x == 0; }}
         procedure p(a: int) returns (r: int) {{ if (*) {{ r := a; }} else {{ r := t; }} }}"
    );
    let concrete = problem(&text, &plain());
    let result = abstract_globals(&concrete, &globals(&concrete, tracked));
    validate(&result.program, Stage::Instrumented).unwrap_or_else(|violation| panic!("{violation}"));
    let mut pairs = Vec::new();
    let main = |problem: &Problem| problem.program.procs[problem.entry].clone();
    for (before, after) in main(&concrete).blocks.values().zip(main(&result).blocks.values()) {
        assert_eq!(before.stmts.len(), after.stmts.len());
        assert_eq!(before.terminator, after.terminator);
        for (before, after) in before.stmts.iter().zip(&after.stmts) {
            assert_eq!(before.id, after.id);
            if !matches!(before.kind, StmtKind::Enter(_)) {
                pairs.push((
                    concrete.program.stmt_text(before),
                    result.program.stmt_text(after),
                ));
            }
        }
    }
    pairs
}

/// What becomes of the first statement that is no book-keeping, with `t` tracked.
fn becomes(stmt: &str) -> String {
    let pairs = pairs(stmt, &["t"]);
    let is_own = |(before, _): &&(String, String)| !before.contains("error");
    pairs.iter().find(is_own).expect("a statement").1.clone()
}

#[test]
fn fig_3_statement_by_statement() {
    let table = [
        // v := e
        ("g := t + 1;", "assume true"),
        ("t := g + 1;", "havoc t"),
        ("x := g + 1;", "havoc x"),
        ("t := t + x;", "t := (+ t x)"),
        ("x := t;", "x := t"),
        ("t := m[x];", "havoc t"),
        ("m[t] := x;", "assume true"),
        // assume e
        ("assume g < t;", "assume true"),
        ("assume x < t;", "assume (< x t)"),
        // havoc v
        ("havoc g;", "assume true"),
        ("havoc g, h;", "assume true"),
        ("havoc g, t, x;", "havoc t, x"),
        // Parallel assignments
        ("g, h := t, x;", "assume true"),
        ("g, x := x, t;", "x := t"),
        ("t, x := g, h;", "havoc t, x"),
        ("t, x := x, h;", "t, x := x, any"),
        ("g, t := t, g;", "havoc t"),
        // Calls
        ("call x := p(t);", "call x := p(t)"),
        ("call x := p(g);", "call x := p(any)"),
        ("call g := p(x);", "call any := p(x)"),
        ("call t := p(x + h);", "call t := p(any)"),
        ("call g := p(h);", "call any := p(any)"),
    ];
    let found: Vec<(&str, String)> = table
        .iter()
        .map(|&(before, _)| (before, becomes(before)))
        .collect();
    let expected: Vec<(&str, String)> = table
        .iter()
        .map(|&(before, after)| (before, after.into()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn each_unknown_value_is_its_own() {
    let text = "
        var g: int;
        procedure main() { var x, y: int; call x, y := p(g, g); assert x == y; }
        procedure p(a: int, b: int) returns (r: int, s: int) { if (*) { r, s := a, b; } else { r, s := b, a; } }";
    let concrete = problem(text, &plain());
    assert!(
        matches!(search(concrete.clone(), 1), Found::NoPath(_)),
        "they are the same"
    );
    let result = abstract_globals(&concrete, &BTreeSet::new());
    assert!(
        matches!(search(result, 1), Found::Path { .. }),
        "the arguments are told apart"
    );
}

#[test]
fn the_error_flag_is_always_tracked() {
    let text = "var g: int; procedure main() { call p(); g := 1; }
                procedure p() { if (*) { assert g == 0; } }";
    let concrete = problem(text, &plain());
    let error = concrete.error.expect("something can fail");
    let result = abstract_globals(&concrete, &BTreeSet::new());
    let p = result.program.proc_by_name("p").expect("p");
    assert_eq!(result.interfaces[p].outs, [error]);
    assert!(result.interfaces[p].ins.is_empty());
}

#[test]
fn summaries_keep_what_is_about_tracked_globals() {
    let text = "
        var g, h: int;
        procedure main() {
            var x: int;
            g, h := 0, 0; call x := p(1); assume g <= 7; assert x == g + h;
        }
        procedure p(a: int) returns (r: int) { r := a; if (*) { g := g + 1; } else { h := h + g; } }";
    let mut concrete = problem(text, &plain());
    let p = concrete.program.proc_by_name("p").expect("p");
    let own = |problem: &mut Problem, vars: Vec<VarId>| -> Vec<(String, VarId)> {
        let pool = &mut problem.program.pool;
        let mut fresh = |var| {
            (
                pool.var_name(var).to_string(),
                pool.declare_var("own", pool.var_sort(var)),
            )
        };
        vars.into_iter().map(&mut fresh).collect()
    };
    let (ins, outs) = (concrete.ins(p).collect(), concrete.outs(p).collect());
    let ins = own(&mut concrete, ins);
    let outs = own(&mut concrete, outs);
    let pool = &mut concrete.program.pool;
    let mut term = |vars: &[(String, VarId)], name: &str| {
        let named = vars.iter().find(|(other, _)| other == name).expect("a variable");
        pool.var(named.1)
    };
    let (a, g, h) = (term(&ins, "a"), term(&ins, "g"), term(&ins, "h"));
    let (r, new_g, new_h) = (term(&outs, "r"), term(&outs, "g"), term(&outs, "h"));
    let facts = vec![
        pool.eq(r, a),
        pool.le(g, new_g),
        pool.le(h, new_h),
        pool.le(new_g, h),
    ];
    let vars = |vars: &[(String, VarId)]| vars.iter().map(|&(_, var)| var).collect();
    concrete.summaries[p] = Some(Summary {
        ins: vars(&ins),
        outs: vars(&outs),
        facts,
    });
    let mut result = abstract_globals(&concrete, &globals(&concrete, &["g"]));
    let summary = result.summaries[p].clone().expect("a summary");
    let names = |vars: Vec<VarId>| -> Vec<String> {
        vars.iter()
            .map(|&var| result.program.pool.var_name(var).to_string())
            .collect()
    };
    assert_eq!(names(summary.ins.clone()), names(result.ins(p).collect()));
    assert_eq!(names(summary.outs.clone()), names(result.outs(p).collect()));
    let position =
        |names: Vec<String>, name: &str| names.iter().position(|other| other == name).expect("a place");
    let (a, g) = (
        summary.ins[position(names(summary.ins.clone()), "a")],
        summary.ins[position(names(summary.ins.clone()), "g")],
    );
    let (r, new_g) = (
        summary.outs[position(names(summary.outs.clone()), "r")],
        summary.outs[position(names(summary.outs.clone()), "g")],
    );
    let pool = &mut result.program.pool;
    let [a, g, r, new_g] = [a, g, r, new_g].map(|var| pool.var(var));
    let expected = [pool.eq(r, a), pool.le(g, new_g)];
    assert_eq!(summary.facts, expected);
}

#[test]
fn random_programs_are_over_approximated() {
    let budget = Budget::unlimited();
    let options = RefineOptions {
        solver_options: solver_options(),
    };
    let (mut reached, mut spurious) = (0, 0);
    for seed in 0..250 {
        let mut random = Random::new(seed ^ 0xABCD);
        let passes = if seed % 2 == 0 {
            plain()
        } else {
            PrepareOptions::default()
        };
        let concrete = problem(&random_program(seed), &passes);
        let tracked: BTreeSet<VarId> = concrete
            .program
            .globals
            .iter()
            .copied()
            .filter(|_| random.below(2) == 0)
            .collect();
        let result = abstract_globals(&concrete, &tracked);
        validate(&result.program, Stage::Instrumented).unwrap_or_else(|v| panic!("seed {seed}: {v}"));
        let answer = search(result.clone(), 2);
        match (search(concrete.clone(), 2), answer) {
            (Found::Path { blocks, .. }, answer) => {
                reached += 1;
                assert!(matches!(answer, Found::Path { .. }), "seed {seed}");
                // The very path of the concrete program is one of the abstract program.
                let mut path = PathProgram::new(&result, &blocks, true).expect("a path");
                let answer = path.feasibility(&options, &budget).expect("an answer");
                assert_eq!(answer, Feasibility::Feasible, "seed {seed}");
            }
            (Found::NoPath(_), Found::Path { blocks, .. }) => {
                spurious += 1;
                // To abstract the path is to take the path of the abstract program.
                let mut path = PathProgram::new(&concrete, &blocks, true).expect("a path");
                let answer = path
                    .abstract_feasibility(&tracked, &options, &budget)
                    .expect("an answer");
                assert_eq!(answer, Feasibility::Feasible, "seed {seed}");
                let answer = path.feasibility(&options, &budget).expect("an answer");
                assert_eq!(answer, Feasibility::Infeasible, "seed {seed}");
            }
            (Found::NoPath(_), Found::NoPath(_)) => {}
        }
    }
    assert!(reached > 60 && spurious > 10, "{reached} {spurious}");
}
