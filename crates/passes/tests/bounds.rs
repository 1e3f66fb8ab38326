//! Loops with a constant number of iterations.

mod support;

use std::fmt::Write as _;

use lariat_ir::{Proc, ProcId, ProcKind, Program, StmtKind};
use lariat_passes::{Goal, PrepareOptions, Prepared, prepare};
use lariat_testkit::Random;
use lariat_testkit::ir_text::read_program;
use support::oracle::behaviour;

fn prepared(text: &str) -> Prepared {
    let goal = Goal::AssertionFails { checked: None };
    prepare(
        &read_program(text),
        ProcId::from_u32(0),
        &goal,
        &PrepareOptions::default(),
    )
}

/// The extra bound of the only loop.
fn bound(text: &str) -> u32 {
    let prepared = prepared(text);
    let mut loops = prepared
        .program
        .procs
        .values()
        .filter(|proc| matches!(proc.kind, ProcKind::Loop { .. }));
    let found = loops
        .next()
        .unwrap_or_else(|| panic!("no loop\n{}", prepared.program.text()));
    assert!(loops.next().is_none(), "several loops");
    found.extra_bound
}

fn counting(start: &str, stay: &str, leave: &str, step: &str) -> String {
    let sort = if step.contains(":8") { "bv8" } else { "int" };
    format!(
        "proc main(n: int)
           var i: {sort}
           var x: int
          start:
           i := {start}
           goto head
          head:
           goto body done
          body:
           assume {stay}
           x := (+ x n)
           i := {step}
           goto head
          done:
           assume {leave}
           assert (< x 0)
           return"
    )
}

#[test]
fn counters_of_all_kinds() {
    for (start, stay, leave, step, activations) in [
        ("0", "(< i 27)", "(not (< i 27))", "(+ i 1)", 28),
        ("0", "(<= i 27)", "(not (<= i 27))", "(+ i 1)", 29),
        ("10", "(< 0 i)", "(<= i 0)", "(- i 3)", 5),
        ("0", "(not (= i 6))", "(= i 6)", "(+ i 2)", 4),
        ("1", "(< i 100)", "(<= 100 i)", "(* i 2)", 8),
        ("0:8", "(< i 200:8)", "(not (< i 200:8))", "(+ i 1:8)", 201),
        ("250:8", "(not (= i 2:8))", "(= i 2:8)", "(+ i 1:8)", 9),
        ("128:8", "(s< i 0:8)", "(not (s< i 0:8))", "(+ i 1:8)", 129),
    ] {
        let text = counting(start, stay, leave, step);
        assert_eq!(bound(&text), activations, "{stay} {step}");
    }
}

#[test]
fn a_loop_that_is_never_repeated_is_no_recursion() {
    let prepared = prepared(&counting("5", "(< i 3)", "(<= 3 i)", "(+ i 1)"));
    let calls = lariat_passes::CallGraph::new(&prepared.program);
    assert!(
        prepared
            .program
            .procs
            .keys()
            .all(|proc| !calls.is_recursive(proc))
    );
}

#[test]
fn loops_without_a_known_end_are_left() {
    for (start, stay, step) in [
        ("n", "(< i 27)", "(+ i 1)"),
        ("0", "(< i n)", "(+ i 1)"),
        ("0", "(< i 27)", "(+ i n)"),
        ("0", "(< i 27)", "(- i 1)"),
        ("0", "(not (= i 5))", "(+ i 2)"),
        ("0", "(< i 27)", "0"),
        ("0", "(< i 20000)", "(+ i 1)"),
        ("0:8", "(<= i 255:8)", "(+ i 1:8)"),
    ] {
        assert_eq!(bound(&counting(start, stay, "true", step)), 0, "{stay} {step}");
    }
}

#[test]
fn a_counter_that_a_callee_may_change_does_not_count() {
    let text = |callee: &str| {
        format!(
            "global g: int
             proc main()
              start:
               g := 0
               goto head
              head:
               goto body done
              body:
               assume (< g 5)
               g := (+ g 1)
               call f()
               goto head
              done:
               assert (< g 5)
               return
             proc f()
               var x: int
              start:
               {callee}
               assume (< 0 x)
               return"
        )
    };
    assert_eq!(bound(&text("x := 3")), 6);
    assert_eq!(bound(&text("havoc g")), 0);
}

#[test]
fn the_slowest_call_counts_and_an_unknown_one_spoils_it() {
    let text = |second: &str| {
        format!(
            "proc main(n: int)
              start:
               call f(3)
               call f({second})
               return
             proc f(from: int)
               var i: int
              start:
               i := from
               goto head
              head:
               goto body done
              body:
               assume (< i 10)
               i := (+ i 1)
               goto head
              done:
               assume (not (< i 10))
               assert (< i from)
               return"
        )
    };
    // `from` differs between the calls, so only the values at each call of `f` would tell.
    assert_eq!(bound(&text("4")), 0);
    assert_eq!(bound(&text("3")), 8);
    assert_eq!(bound(&text("n")), 0);
}

#[test]
fn a_step_on_one_path_only_does_not_count() {
    let text = "proc main(n: int)
           var i: int
          start:
           i := 0
           goto head
          head:
           goto body done
          body:
           assume (< i 5)
           goto step skip
          step:
           i := (+ i 1)
           goto head
          skip:
           goto head
          done:
           assert (< i 5)
           return";
    assert_eq!(bound(text), 0);
}

#[test]
fn literal_constants_are_known() {
    let mut program = read_program(&format!(
        "const size: int\n{}",
        counting("0", "(< i size)", "(<= size i)", "(+ i 1)")
    ));
    let size = program.constants[0];
    let (size, literal) = (program.pool.var(size), program.pool.int(12));
    let term = program.pool.eq(size, literal);
    program.axioms.push(lariat_ir::Axiom { term, span: None });
    let goal = Goal::AssertionFails { checked: None };
    let prepared = prepare(&program, ProcId::from_u32(0), &goal, &PrepareOptions::default());
    assert!(prepared.program.procs.values().any(|proc| proc.extra_bound == 13));
}

/// A loop over `bv2` variables with a counter, random in all its parts.
fn random_counting_loop(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text =
        String::from("global g: bv2\nproc main(a: bv2) -> (r: bv2)\nvar i: bv2\nvar x: bv2\nstart:\n");
    let counter = ["i", "g"][random.below(2)];
    let _ = writeln!(text, "{counter} := {}:2\ngoto head", random.below(4));
    let compare = |random: &mut Random| {
        let op = ["<", "<=", "=", "s<"][random.below(4)];
        let left = [counter.to_string(), format!("(+ {counter} 1:2)")][random.below(2)].clone();
        format!("({op} {left} {}:2)", random.below(4))
    };
    let stay = compare(&mut random);
    let _ = writeln!(text, "head:\ngoto body done\nbody:");
    if random.below(4) > 0 {
        let not = random.below(2) == 0;
        let _ = writeln!(
            text,
            "assume {}",
            if not {
                format!("(not {stay})")
            } else {
                stay.clone()
            }
        );
    }
    let step = format!("{counter} := (+ {counter} {}:2)\n", random.below(4));
    match random.below(4) {
        0 => {
            let _ = writeln!(
                text,
                "goto one two\none:\n{step}goto head\ntwo:\n{step}goto latch"
            );
        }
        1 => {
            let _ = writeln!(text, "goto one two\none:\n{step}goto head\ntwo:\ngoto latch");
        }
        2 => {
            let _ = writeln!(text, "{step}call x := f(x)\ngoto latch");
        }
        _ => {
            let _ = writeln!(text, "{step}goto latch");
        }
    }
    text.push_str("latch:\n");
    if random.below(3) == 0 {
        let _ = writeln!(text, "assume {}", compare(&mut random));
    }
    text.push_str("x := (+ x a)\ngoto head\ndone:\n");
    if random.below(2) == 0 {
        let _ = writeln!(text, "assume {}", compare(&mut random));
    }
    let _ = writeln!(text, "assert (not (= x {}:2))\nreturn", random.below(4));
    let effect = ["", "g := (+ g 1:2)", "havoc g"][random.below(3)];
    let _ = writeln!(text, "proc f(a: bv2) -> (r: bv2)\nb:\n{effect}\nr := a\nreturn");
    text
}

/// The loop unrolled to its extra bound, without any further call of itself.
fn unrolled(program: &Program, looped: ProcId) -> Program {
    let mut program = program.clone();
    let copies = program.procs[looped].extra_bound;
    let mut next: Option<ProcId> = None;
    for _ in 0..copies {
        let mut copy: Proc = program.procs[looped].clone();
        let mut renamed = lariat_term::Substitution::new();
        let mut vars = std::collections::HashMap::new();
        for var in [&mut copy.params, &mut copy.outs, &mut copy.locals]
            .into_iter()
            .flatten()
        {
            let data = program.pool.var_data(*var).clone();
            let new = program.pool.declare_var(data.name, data.sort);
            renamed.insert(*var, program.pool.var(new));
            vars.insert(*var, new);
            *var = new;
        }
        let rename = |var: &mut lariat_term::VarId| *var = vars.get(var).copied().unwrap_or(*var);
        for stmt in copy.blocks.values_mut().flat_map(|block| &mut block.stmts) {
            match &mut stmt.kind {
                StmtKind::Assume(term) => *term = renamed.apply(&mut program.pool, *term),
                StmtKind::Assign(list) => list.iter_mut().for_each(|(var, term)| {
                    rename(var);
                    *term = renamed.apply(&mut program.pool, *term);
                }),
                StmtKind::Havoc(list) => list.iter_mut().for_each(rename),
                StmtKind::Call(call) => {
                    call.ins
                        .iter_mut()
                        .for_each(|term| *term = renamed.apply(&mut program.pool, *term));
                    call.outs.iter_mut().for_each(rename);
                }
                StmtKind::Assert { .. } | StmtKind::Enter(_) => {}
            }
            if let StmtKind::Call(call) = &mut stmt.kind
                && call.callee == looped
            {
                match next {
                    Some(next) => call.callee = next,
                    None => stmt.kind = StmtKind::Assume(program.pool.bool(false)),
                }
            }
        }
        next = Some(program.procs.push(copy));
    }
    let first = next.expect("at least one activation");
    for (id, proc) in program.procs.iter_mut() {
        for stmt in proc.blocks.values_mut().flat_map(|block| &mut block.stmts) {
            if let StmtKind::Call(call) = &mut stmt.kind
                && call.callee == looped
                && id != looped
            {
                call.callee = first;
            }
        }
    }
    program
}

#[test]
fn no_execution_has_more_activations_than_the_bound() {
    let (mut bounded, mut left, mut longest) = (0, 0, 0);
    for seed in 0..3_000 {
        let prepared = prepared(&random_counting_loop(seed));
        let program = &prepared.program;
        let is_loop = |id: &ProcId| matches!(program.procs[*id].kind, ProcKind::Loop { .. });
        let Some(looped) = program.procs.keys().find(is_loop) else {
            continue;
        };
        if program.procs[looped].extra_bound == 0 {
            left += 1;
            continue;
        }
        bounded += 1;
        longest = longest.max(program.procs[looped].extra_bound);
        let cut = unrolled(program, looped);
        let (before, after) = (
            behaviour(program, prepared.entry, 100_000),
            behaviour(&cut, prepared.entry, 100_000),
        );
        assert_eq!(before, after, "seed {seed}\n{}", program.text());
    }
    assert!(
        bounded > 300 && left > 500 && longest > 3,
        "{bounded} {left} {longest}"
    );
}
