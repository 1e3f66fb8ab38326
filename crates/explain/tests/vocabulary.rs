//! What may occur in a blocking formula.

mod support;

use lariat_report::Structure;
use support::case;

const NOTHING: &str = "not expressible: no condition of the trace is in the vocabulary";

#[test]
fn numbers_are_no_pointers() {
    let text = "const NULL: int; procedure main(x: int) { assert x != 1; }";
    assert_eq!(case(text, "main").inputs(&[("x", 1)]).text(), NOTHING);
    let mut zero = case("procedure main(x: int) { assert x != 0; }", "main").inputs(&[("x", 0)]);
    assert_eq!(zero.text(), NOTHING);
    let null = zero.program.pool.int(0);
    zero.open.null = Some(null);
    assert_eq!(zero.text(), "blocked (not (= x 0))");
}

#[test]
fn equalities_are_atoms_only_on_demand() {
    let text = "const NULL: int; procedure main(x: int, y: int) { assert x == y; }";
    let main = || case(text, "main").inputs(&[("x", 1), ("y", 2)]);
    assert_eq!(main().text(), NOTHING);
    assert_eq!(
        main().vocabulary(|v| v.alias_equal = true).text(),
        "blocked (= x y)"
    );
}

#[test]
fn results_of_the_environment_need_quantifiers() {
    let text = "
        const NULL: int;
        procedure lib() returns (r: int);
        procedure main() { var x: int; call x := lib(); assert x != NULL; }";
    let main = || case(text, "main").inputs(&[("NULL", 0)]).havocs(&[0]);
    let (pool, explained) = main().explain();
    let lariat_explain::Explanation::Blocked(blocking) = explained.explanation else {
        panic!("{explained:?}");
    };
    assert_eq!(pool.term_text(blocking.term), "(not (= NULL x))");
    assert_eq!(blocking.placeholders.len(), 1);
    assert_eq!(blocking.placeholders[0].occurrence, 0);
    assert_eq!(main().vocabulary(|v| v.quantifiers = false).text(), NOTHING);
}

#[test]
fn uninitialised_variables_cannot_be_constrained() {
    let text = "const NULL: int; procedure main() { var x: int; assert x != NULL; }";
    assert_eq!(case(text, "main").inputs(&[("NULL", 0)]).text(), NOTHING);
}

#[test]
fn difference_constraints() {
    let text = "
        const NULL: int;
        procedure main(i: int, n: int, k: int) {
          assert i + 3 < n || i * 2 + n + k < 0;
        }";
    let main = || case(text, "main").inputs(&[("i", 5), ("n", 5), ("k", 5)]);
    assert_eq!(main().text(), NOTHING);
    assert_eq!(
        main().vocabulary(|v| v.difference = true).text(),
        "blocked (< (+ i 3) n)"
    );
}

#[test]
fn patterns_of_the_user() {
    let text = "
        const NULL: int;
        var b: [int]int;
        procedure main(i: int) { assert b[i + 1] > 0; }";
    let with = |pattern: &str| {
        case(text, "main")
            .vocabulary(|v| v.patterns = vec![pattern.into()])
            .text()
    };
    let found = "blocked (< 0 (select b (+ i 1)))";
    for pattern in [
        "_ > 0",
        "_ >= 1",
        "0 < _",
        "_[_] > 0",
        "b[_] > 0",
        "b[_ + 1] > 0",
        "b[i + 1] > _",
        "_",
    ] {
        assert_eq!(with(pattern), found, "{pattern}");
    }
    for pattern in [
        "_ > 1",
        "_ < 0",
        "_ >= 0",
        "a[_] > 0",
        "_[_ + 2] > 0",
        "_[_[_]] > 0",
        "_ != 0",
    ] {
        assert_eq!(with(pattern), NOTHING, "{pattern}");
    }
    assert_eq!(
        with("_ >"),
        "not expressible: pattern `_ >`: an expression is missing; a pattern is a condition such as `_ > 0`, \
         `_[_] != NULL`, `_->count % 2 == 0` or `!valid(_)`, where `_` is any expression"
    );
}

#[test]
fn patterns_of_predicates_and_sums() {
    let text = "
        const NULL: int;
        var open: [int]bool;
        function valid(i: int, j: int) returns (bool);
        procedure element(i: int) { assert open[i + 1]; }
        procedure function_of(i: int, j: int) { assert valid(i, j + 1); }
        procedure sum(i: int, j: int, n: int) { assert i + j - n < 8; }";
    let with = |entry: &str, pattern: &str| {
        case(text, entry)
            .inputs(&[("i", 8)])
            .vocabulary(|v| v.patterns = vec![pattern.into()])
            .text()
    };
    for (entry, pattern) in [
        ("element", "open[_]"),
        ("element", "_[_ + 1]"),
        ("function_of", "valid(_, _)"),
        ("function_of", "valid(i, j + 1)"),
        ("function_of", "_"),
    ] {
        assert!(with(entry, pattern).starts_with("blocked"), "{entry}: {pattern}");
    }
    for (entry, pattern) in [
        ("element", "!open[_]"),
        ("element", "open[_ + 2]"),
        ("function_of", "!valid(_, _)"),
        ("function_of", "valid(j, _)"),
        ("function_of", "valid(_)"),
        ("function_of", "other(_, _)"),
        ("sum", "i + n < _"),
    ] {
        assert_eq!(with(entry, pattern), NOTHING, "{entry}: {pattern}");
    }
    assert!(
        with("sum", "i + j - n < 8").starts_with("blocked"),
        "the whole sum"
    );
    assert!(
        with("sum", "_ - n < 8").starts_with("blocked"),
        "a part of the sum"
    );
}

#[test]
fn conjunctions_need_a_vocabulary_with_them() {
    let text = "
        const NULL: int;
        procedure main(x: int, y: int) { assert x != NULL && y != NULL; }";
    let main = || case(text, "main").inputs(&[("NULL", 0), ("x", 0), ("y", 1)]);
    assert_eq!(main().text(), "blocked (and (not (= NULL x)) (not (= NULL y)))");
    assert_eq!(
        main().vocabulary(|v| v.structure = Structure::Monomial).text(),
        "not expressible: no atom of the vocabulary alone excludes the failure"
    );
}

#[test]
fn cubes_have_no_disjunctions() {
    let text = "
        const NULL: int;
        procedure main(x: int, y: int, z: int) { assert x != NULL && (y != NULL || z != NULL); }
        procedure one(x: int, y: int) { assert x != NULL || y != NULL; }";
    let inputs = [("NULL", 0), ("x", 0), ("y", 0)];
    let explained = |entry: &str, structure| {
        let found = case(text, entry).inputs(&inputs);
        found.vocabulary(|v| v.structure = structure).text()
    };
    assert_eq!(
        explained("main", Structure::Cube),
        "blocked (and (not (= NULL x)) (not (= NULL y)))"
    );
    assert_eq!(
        explained("main", Structure::Cnf),
        "blocked (and (not (= NULL x)) (or (not (= NULL y)) (not (= NULL z))))"
    );
    assert_eq!(explained("one", Structure::Cube), "blocked (not (= NULL x))");
}

#[test]
fn part_of_a_formula_may_be_out_of_reach() {
    let text = "
        const NULL: int;
        procedure main(x: int, n: int) { assert x != NULL && n > 7; }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("x", 0), ("n", 8)]);
    assert_eq!(
        main.text(),
        "not expressible: part of what is needed is not in the vocabulary"
    );
}

#[test]
fn an_empty_vocabulary_explains_nothing() {
    let text = "const NULL: int; procedure main(x: int) { assert x != NULL; }";
    let main = case(text, "main").inputs(&[("NULL", 0), ("x", 0)]);
    assert_eq!(
        main.vocabulary(|v| v.empty = true).text(),
        "not expressible: the vocabulary is empty"
    );
}
