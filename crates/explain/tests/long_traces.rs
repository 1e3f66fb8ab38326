//! Long traces: the work stays in proportion.

mod support;

use std::fmt::Write as _;

use lariat_explain::Explanation;
use support::case;

/// Writes to memory at addresses of every kind, then a dereference.
fn many_writes(count: usize) -> String {
    let mut text = String::from(
        "const NULL: int;
         axiom NULL == 0;
         var m, next: [int]int;
         procedure lib() returns (r: int);
         procedure malloc() returns (r: int);
         procedure main(p: int, q: int) modifies m; {
           var a, b, x: int;
           call a := malloc();
           call b := lib();
           assert b != NULL;\n",
    );
    for i in 0..count {
        let address = match i % 4 {
            0 => format!("p + {}", 8 * (i + 1)),
            1 => format!("a + {}", 8 * i),
            2 => format!("b + {}", 8 * i),
            _ => format!("next[q + {i}]"),
        };
        let _ = writeln!(
            text,
            "if (x == {i}) {{ x := x + 1; }} m[{address}] := m[{address}] + x;"
        );
    }
    text.push_str("assert m[p] != NULL; }");
    text
}

#[test]
fn reads_after_many_writes() {
    // A few cases of aliasing are all in the formula.
    let few = many_writes(6);
    let few = case(&few, "main")
        .inputs(&[("NULL", 0), ("p", 5)])
        .havocs(&[1_000_000, 2_000_000]);
    assert_eq!(
        few.text(),
        "blocked (and (not (= NULL (select m p))) (not (= p (select next (+ q 3)))) (not (= p (+ b 16))))"
    );
    // Of many only the one at hand is.
    for count in [100, 400] {
        let text = many_writes(count);
        let main = case(&text, "main")
            .inputs(&[("NULL", 0), ("p", 5)])
            .havocs(&[1_000_000, 2_000_000]);
        let (pool, explained) = main.explain();
        let Explanation::Blocked(blocking) = &explained.explanation else {
            panic!("{explained:?}");
        };
        assert_eq!(pool.term_text(blocking.term), "(not (= NULL (select m p)))");
        assert!(
            explained.solver_calls < 150,
            "{} questions",
            explained.solver_calls
        );
    }
}

#[test]
fn without_time_nothing_is_claimed() {
    let mut main = case(&many_writes(6), "main")
        .inputs(&[("NULL", 0), ("p", 5)])
        .havocs(&[1_000_000, 2_000_000]);
    main.time = std::time::Duration::ZERO;
    assert_eq!(main.text(), "out of time");
}
