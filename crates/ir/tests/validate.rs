//! The validator accepts a good program, and finds each kind of mistake in it.

use lariat_ir::{
    Block, BlockId, Call, CandidateClause, CandidateKind, Origin, ProcId, Program, Stage, StmtKind,
    Terminator, validate,
};
use lariat_term::VarId;
use lariat_testkit::ir_text::{random_program, read_program};

const GOOD: &str = "
    const k: int
    global g: int
    global flag: bool
    proc main(a: int) -> (r: int)
      var x: int
      var b: bool
     start:
      x := (+ a 1)
      havoc g b
      assume (< x k)
      goto loop
     loop:
      call x := step(x, b)
      assert (<= x g)
      goto loop done
     done:
      r := x
      return
    proc step(p: int, q: bool) -> (s: int)
     start:
      s := (ite q p g)
      return";

fn proc(program: &Program, name: &str) -> ProcId {
    program.proc_by_name(name).expect("the procedure is there")
}

fn var(program: &Program, proc_name: &str, name: &str) -> VarId {
    let own: Vec<VarId> = program.procs[proc(program, proc_name)].vars().collect();
    own.into_iter()
        .chain(program.globals.iter().copied())
        .chain(program.constants.iter().copied())
        .find(|&var| &**program.pool.var_name(var) == name)
        .expect("the variable is there")
}

/// Puts a statement at the start of the loop of `main`.
fn insert(program: &mut Program, kind: StmtKind) {
    let stmt = program.stmt(kind, None, Origin::Source);
    let main = proc(program, "main");
    program.procs[main].blocks[BlockId::from_u32(1)]
        .stmts
        .insert(0, stmt);
}

/// The message for the good program after a change.
#[track_caller]
fn rejected_at(stage: Stage, change: impl FnOnce(&mut Program), expected: &str) {
    let mut program = read_program(GOOD);
    change(&mut program);
    let violation = validate(&program, stage).expect_err("the mistake is found");
    assert!(violation.to_string().contains(expected), "{violation}");
}

#[track_caller]
fn rejected(change: impl FnOnce(&mut Program), expected: &str) {
    rejected_at(Stage::Lowered, change, expected);
}

#[test]
fn good_programs_are_accepted() {
    assert_eq!(validate(&read_program(GOOD), Stage::Lowered), Ok(()));
    for seed in 0..100 {
        assert_eq!(
            validate(&read_program(&random_program(seed)), Stage::Lowered),
            Ok(()),
            "seed {seed}"
        );
    }
}

#[test]
fn the_graph_of_blocks() {
    rejected(
        |program| {
            let main = proc(program, "main");
            program.procs[main].entry = BlockId::from_u32(17);
        },
        "the entry block does not exist",
    );
    rejected(
        |program| {
            let main = proc(program, "main");
            let block = BlockId::from_u32(2);
            program.procs[main].blocks[block].terminator = Terminator::goto(BlockId::from_u32(17));
        },
        "which does not exist",
    );
    rejected(
        |program| {
            let main = proc(program, "main");
            let entry = program.procs[main].entry;
            program.procs[main]
                .blocks
                .push(Block::new(Terminator::goto(entry)));
        },
        "goes to the entry block",
    );
}

#[test]
fn sorts() {
    rejected(
        |program| {
            let one = program.pool.int(1);
            insert(program, StmtKind::Assume(one));
        },
        "the condition is not Bool",
    );
    rejected(
        |program| {
            let (x, yes) = (var(program, "main", "x"), program.pool.bool(true));
            insert(program, StmtKind::Assign([(x, yes)].into_iter().collect()));
        },
        "x has another sort than what it is given",
    );
}

#[test]
fn scopes() {
    rejected(
        |program| {
            let foreign = var(program, "step", "q");
            let foreign = program.pool.var(foreign);
            insert(program, StmtKind::Assume(foreign));
        },
        "variable q is not in scope",
    );
    rejected(
        |program| {
            let x = var(program, "main", "x");
            let step = proc(program, "step");
            program.procs[step].locals.push(x);
        },
        "variable x has two owners",
    );
    rejected(
        |program| {
            let x = var(program, "main", "x");
            let main = proc(program, "main");
            program.procs[main].locals.push(x);
        },
        "variable x has two owners",
    );
}

#[test]
fn what_may_change() {
    for (owner, name) in [("main", "a"), ("main", "k"), ("step", "s")] {
        rejected(
            |program| {
                let var = var(program, owner, name);
                insert(program, StmtKind::Havoc([var].into_iter().collect()));
            },
            &format!("{name} must not change here"),
        );
    }
    rejected(
        |program| {
            let (x, one, two) = (
                var(program, "main", "x"),
                program.pool.int(1),
                program.pool.int(2),
            );
            insert(
                program,
                StmtKind::Assign([(x, one), (x, two)].into_iter().collect()),
            );
        },
        "x is assigned twice",
    );
}

#[test]
fn calls() {
    let call = |program: &mut Program, ins: usize, out: &str| {
        let (one, yes) = (program.pool.int(1), program.pool.bool(true));
        let call = Call {
            callee: proc(program, "step"),
            ins: [one, yes, one][..ins].to_vec(),
            outs: vec![var(program, "main", out)],
        };
        insert(program, StmtKind::Call(call));
    };
    rejected(
        |program| call(program, 1, "x"),
        "the number of arguments is wrong",
    );
    rejected(
        |program| call(program, 3, "x"),
        "the number of arguments is wrong",
    );
    rejected(
        |program| call(program, 2, "b"),
        "b has another sort than the out parameter",
    );
    rejected(
        |program| {
            let one = program.pool.int(1);
            let call = Call {
                callee: proc(program, "step"),
                ins: vec![one, one],
                outs: vec![var(program, "main", "x")],
            };
            insert(program, StmtKind::Call(call));
        },
        "q has another sort than what it is given",
    );
    rejected(
        |program| {
            let call = Call {
                callee: ProcId::from_u32(17),
                ins: Vec::new(),
                outs: Vec::new(),
            };
            insert(program, StmtKind::Call(call));
        },
        "the callee does not exist",
    );
}

#[test]
fn candidates() {
    let candidate = |program: &Program, term| CandidateClause {
        proc: Some(proc(program, "step")),
        kind: CandidateKind::Ensures,
        term,
        old: Vec::new(),
        span: None,
    };
    rejected(
        |program| {
            let one = program.pool.int(1);
            let clause = candidate(program, one);
            program.candidates.push(clause);
        },
        "it is not Bool",
    );
    rejected(
        |program| {
            let foreign = var(program, "main", "b");
            let foreign = program.pool.var(foreign);
            let clause = candidate(program, foreign);
            program.candidates.push(clause);
        },
        "variable b is not in scope",
    );
    rejected(
        |program| {
            let yes = program.pool.bool(true);
            let mut clause = candidate(program, yes);
            clause.proc = Some(ProcId::from_u32(17));
            program.candidates.push(clause);
        },
        "its procedure does not exist",
    );
    rejected(
        |program| {
            let yes = program.pool.bool(true);
            let mut clause = candidate(program, yes);
            clause.old = vec![(var(program, "step", "p"), var(program, "step", "s"))];
            program.candidates.push(clause);
        },
        "s is not a global and has no old value",
    );
    rejected(
        |program| {
            let yes = program.pool.bool(true);
            let mut clause = candidate(program, yes);
            clause.old = vec![(var(program, "step", "q"), var(program, "step", "g"))];
            program.candidates.push(clause);
        },
        "g has another sort than its old value",
    );
}

#[test]
fn later_stages_ask_for_more() {
    rejected_at(Stage::LoopFree, |_| {}, "a loop goes from");
    let without_loop = |program: &mut Program| {
        let main = proc(program, "main");
        let (block, done) = (BlockId::from_u32(1), BlockId::from_u32(2));
        program.procs[main].blocks[block].terminator = Terminator::goto(done);
    };
    let mut program = read_program(GOOD);
    without_loop(&mut program);
    assert_eq!(validate(&program, Stage::LoopFree), Ok(()));
    rejected_at(
        Stage::Instrumented,
        without_loop,
        "an assertion is left after instrumentation",
    );
}
