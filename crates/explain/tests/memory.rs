//! Map updates, fresh memory, and where values come from.

mod support;

use lariat_explain::{Explanation, Source};
use support::case;

#[test]
fn writes_at_other_offsets_do_not_matter() {
    let text = "
        const NULL: int;
        var m: [int]int;
        procedure main(p: int) modifies m; {
          m[p + 8] := NULL;
          m[p + 16] := NULL;
          m[8 + p] := p + 1;
          assert m[p] != NULL;
        }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("p", 1)]);
    assert_eq!(main.text(), "blocked (not (= NULL (select m p)))");
}

#[test]
fn fresh_memory_differs_from_everything() {
    let text = "
        const NULL: int;
        axiom NULL == 0;
        var m: [int]int;
        procedure malloc() returns (r: int);
        procedure main(p: int) modifies m; {
          var a, b: int;
          call a := malloc();
          call b := malloc();
          m[p] := 1;
          m[a] := NULL;
          m[b + 8] := NULL;
          assert m[p] != NULL;
          assert a != NULL;
        }";
    // The engine thinks that `a` is where `p` is.
    let (pool, explained) = case(text, "main")
        .inputs(&[("NULL", 0), ("p", 3)])
        .havocs(&[3, 9])
        .explain();
    let Explanation::Infeasible(lemma) = explained.explanation else {
        panic!("{explained:?}");
    };
    assert_eq!(
        pool.term_text(lemma.term),
        "(and (not (= p (+ b 8))) (not (= p a)))"
    );
    assert_eq!(lemma.placeholders.len(), 2);
    let null = case(text, "main")
        .inputs(&[("NULL", 0), ("p", 3)])
        .havocs(&[0, 9]);
    assert_eq!(null.text(), "infeasible (not (= NULL a))");
}

#[test]
fn a_formula_comes_with_the_freshness_that_it_needs() {
    let text = "
        const NULL: int;
        var m: [int]int;
        procedure malloc() returns (r: int);
        procedure main(p: int) modifies m; {
          var a: int;
          call a := malloc();
          m[a] := NULL;
          assert m[p] != NULL;
        }";
    let (pool, explained) = case(text, "main")
        .inputs(&[("NULL", 0), ("p", 3)])
        .havocs(&[5])
        .explain();
    let Explanation::Blocked(blocking) = &explained.explanation else {
        panic!("{explained:?}");
    };
    assert_eq!(pool.term_text(blocking.term), "(not (= NULL (select m p)))");
    assert_eq!(blocking.placeholders, []);
    let lemmas: Vec<String> = explained
        .lemmas
        .iter()
        .map(|lemma| pool.term_text(lemma.term))
        .collect();
    assert_eq!(lemmas, ["(not (= p a))"]);
}

#[test]
fn a_loop_gives_each_visit_of_a_site_its_own_value() {
    let text = "
        const NULL: int;
        procedure lib() returns (r: int);
        procedure main() {
          var i, x, y: int;
          i := 0; y := 1;
          while (i < 2) { x := y; call y := lib(); i := i + 1; }
          assert x != NULL;
        }";
    let (pool, explained) = case(text, "main").inputs(&[("NULL", 0)]).explain();
    let Explanation::Blocked(blocking) = &explained.explanation else {
        panic!("{explained:?}");
    };
    assert_eq!(pool.term_text(blocking.term), "(not (= NULL y))");
    assert_eq!(blocking.placeholders.len(), 1);
    assert_eq!(blocking.placeholders[0].occurrence, 0);
    assert!(
        matches!(explained.origin.sources[..], [Source::Unknown { .. }]),
        "{:?}",
        explained.origin
    );
}

#[test]
fn origins() {
    let text = "
        const NULL: int;
        var m, n: [int]int;
        var g: int;
        procedure lib() returns (r: int);
        procedure id(x: int) returns (r: int) { r := x; }
        procedure made(p: int) modifies m, n; {
          var a: int;
          m[p] := NULL;
          n := m;
          call a := id(n[p]);
          assert a != NULL;
        }
        procedure argument() { call callee(NULL); }
        procedure callee(x: int) { assert x != NULL; }
        procedure input(p: int) { var a: int; call a := id(p + 0); assert a != NULL; }
        procedure memory(p: int) { var a: int; call a := id(m[p]); assert a != NULL; }
        procedure global() { assert g != NULL; }
        procedure unknown() { var a: int; call a := lib(); call a := id(a); assert a != NULL; }
        procedure open() { var a: int; assert a != NULL; }";
    let program = text;
    let source = |entry: &str| {
        let case = case(program, entry).inputs(&[("NULL", 0)]);
        let (pool, explained) = case.explain();
        let text = |source: &Source| match source {
            Source::Input(var) => format!("input {}", pool.var_name(*var)),
            Source::Memory(var) => format!("memory {}", pool.var_name(*var)),
            Source::Uninitialised(var) => format!("uninitialised {}", pool.var_name(*var)),
            Source::Unknown { .. } => "unknown".into(),
            Source::Fresh { .. } => "fresh".into(),
            Source::Made { span, .. } => {
                let span = span.expect("statements of the text have spans");
                let (start, end) = (span.start as usize, span.end as usize);
                format!("made `{}`", &program[start..end])
            }
        };
        explained.origin.sources.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(source("made"), ["made `m[p] := NULL;`"]);
    assert_eq!(source("argument"), ["made `call callee(NULL);`"]);
    assert_eq!(source("callee"), ["input x"]);
    assert_eq!(source("input"), ["input p"]);
    assert_eq!(source("memory"), ["memory m"]);
    assert_eq!(source("global"), ["input g"]);
    assert_eq!(source("unknown"), ["unknown"]);
    assert_eq!(source("open"), ["uninitialised a"]);
}
