//! Size and depth.

mod common;

use std::fmt::Write as _;
use std::time::Instant;

use lariat_testkit::boogie;

const STATEMENTS: usize = 200_000;

#[test]
fn a_long_procedure_is_lowered_in_linear_time() {
    let mut text = String::from("var g: int;\nprocedure main() modifies g; {\n");
    for i in 0..STATEMENTS {
        let _ = writeln!(text, "g := g + {};", i % 100);
    }
    text.push_str("}\n");
    let typed = boogie::check(&text).program;
    let started = Instant::now();
    let lowered = lariat_lower::lower(&typed).expect("a program that can be lowered");
    assert!(
        started.elapsed().as_secs() < 10,
        "lowering took {:?}",
        started.elapsed()
    );
    let main = lowered.program.procs.values().next().expect("main");
    assert_eq!(main.blocks[main.entry].stmts.len(), STATEMENTS);
}

/// Runs on a small stack: recursion must bring its own.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(test)
        .expect("a thread")
        .join()
        .expect("no panic");
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
    let depth = 4_000;
    let nested = format!("{}x{}", "f(".repeat(depth), ")".repeat(depth));
    let sum = vec!["x"; depth].join(" + ");
    let negations = format!("{}x > 0{}", "!(".repeat(depth), ")".repeat(depth));
    let text = format!(
        "function f(int) returns (int);
         procedure main(x: int) {{ assert {nested} == {sum}; assert {negations}; }}"
    );
    on_a_small_stack(move || {
        common::lower(&text);
    });
}

#[test]
fn deep_statements_and_long_chains_of_functions() {
    let depth = 2_000;
    let mut text = String::from("procedure main(x: int) { ");
    for i in 0..depth {
        let _ = write!(text, "if (x == {i}) {{ assert x > 0; }} else ");
    }
    text.push_str("{ } }\nfunction {:inline} f0(x: int) returns (int) { x }\n");
    for i in 1..depth {
        let _ = writeln!(
            text,
            "function {{:inline}} f{i}(x: int) returns (int) {{ f{}(x) + f{}(x + 1) }}",
            i - 1,
            i - 1
        );
    }
    let _ = writeln!(text, "procedure use() {{ assert f20(1) > 0; }}");
    on_a_small_stack(move || {
        common::lower(&text);
    });
}
