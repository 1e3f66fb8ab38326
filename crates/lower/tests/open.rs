//! Open programs: entries, unknowns, allocators, null.

mod common;

use common::{open_proc_text, try_lower_open};
use lariat_ir::{OpenInfo, Program, StmtId, StmtKind};
use lariat_lower::Lowered;

const NULL: &str = "const NULL: int;\n";

fn open(text: &str) -> (Program, OpenInfo) {
    let lowered = match try_lower_open(&format!("{NULL}{text}"), &[]) {
        Ok(lowered) => lowered,
        Err(message) => panic!("{message}"),
    };
    let Lowered { program, open, .. } = lowered;
    (program, open.expect("it was lowered as an open program"))
}

/// `procedure: text` of all unknowns.
fn unknowns(program: &Program, info: &OpenInfo) -> Vec<String> {
    info.unknowns
        .iter()
        .map(|unknown| {
            let proc = proc_of(program, unknown.stmt);
            let callee = unknown.callee.as_deref().unwrap_or("-");
            format!("{proc} {callee}: {}", unknown.text)
        })
        .collect()
}

fn proc_of(program: &Program, id: StmtId) -> &str {
    let has = |proc: &&lariat_ir::Proc| {
        let mut stmts = proc.blocks.values().flat_map(|block| &block.stmts);
        stmts.any(|stmt| stmt.id == id)
    };
    &program
        .procs
        .values()
        .find(has)
        .expect("the statement is in a procedure")
        .name
}

fn condition(program: &Program, id: StmtId) -> String {
    let stmts = program.procs.values().flat_map(|proc| proc.blocks.values());
    let stmt = stmts
        .flat_map(|block| &block.stmts)
        .find(|stmt| stmt.id == id)
        .expect("the statement exists");
    match stmt.kind {
        StmtKind::Assume(condition) => program.pool.term_text(condition),
        _ => panic!("no assumption"),
    }
}

fn tests(program: &Program, info: &OpenInfo) -> Vec<String> {
    info.null_tests.iter().map(|&id| condition(program, id)).collect()
}

#[test]
fn every_procedure_with_a_body_is_an_entry() {
    let (program, info) = open(
        "procedure Q();
         procedure {:entrypoint} P(x: int) { }
         procedure R(y: int);
         implementation {:entrypoint} R(z: int) { }
         procedure S<a>(x: a) { }
         procedure T() { call S(1); call Q(); }",
    );
    let entries: Vec<(&str, &str, bool)> = info
        .entries
        .iter()
        .map(|entry| (&*entry.name, &*program.procs[entry.proc].name, entry.marked))
        .collect();
    assert_eq!(
        entries,
        [
            ("P", "P", true),
            ("R", "R", true),
            ("S", "S", false),
            ("T", "T", false)
        ]
    );
    assert_eq!(
        info.null.map(|null| program.pool.term_text(null)).as_deref(),
        Some("NULL")
    );
}

#[test]
fn initialisation_runs_before_every_entry() {
    let (program, info) = open(
        "var g: int;
         procedure {:ProgramInitialization} Init() modifies g; { g := NULL; }
         procedure P(x: int) returns (y: int) { y := x; }",
    );
    let [entry] = info.entries.as_slice() else {
        panic!("one entry, not {}", info.entries.len());
    };
    assert_eq!(&*entry.name, "P");
    common::assert_text(
        &program.proc_text(entry.proc),
        "proc P(x: Int) returns (y: Int) {
         block0:
           call Init()
           call y := P(x)
           return
         }",
    );
}

#[test]
fn what_the_environment_chooses_is_named() {
    let (program, info) = open(
        "var g: int;
         procedure One(x: int) returns (r: int);
         procedure Two() returns (r: int, s: bool); modifies g;
         procedure P(x: int)
           modifies g;
         {
           var a: int; var b: bool;
           call a := One(x);
           call a, b := Two();
           havoc a, g;
           call a := One(*);
         }",
    );
    assert_eq!(
        unknowns(&program, &info),
        [
            "P One: One()",
            "P Two: Two().r",
            "P Two: Two().s",
            "P Two: g after Two()",
            "P -: a",
            "P -: g",
            "P -: x",
            "P One: One()",
        ]
    );
}

#[test]
fn what_is_read_before_it_is_assigned_is_unknown() {
    let text = "procedure P(x: int) returns (y: int, z: int)
         {
           var a: int; var b: int; var c: int; var i: int;
           a := x;
           b := c;
           i := 0;
           while (i < x) { i := i + a; }
           y := b;
         }";
    let (program, info) = open(text);
    assert_eq!(unknowns(&program, &info), ["P -: z", "P -: c"]);
    let first = open_proc_text(&format!("{NULL}{text}"), "P");
    assert!(first.contains("block0:\n  havoc z, c\n"), "{first}");
}

#[test]
fn allocated_memory_is_fresh() {
    let text = "var count: int;
         procedure {:allocator} New(size: int) returns (r: int);
         procedure {:allocator \"full\"} Maybe(size: int) returns (r: int, ok: bool);
         procedure {:allocator} Counted(size: int) returns (r: int);
           modifies count;
           ensures r == old(count);
         procedure P() modifies count; {
           var a: int; var b: int; var c: int; var ok: bool;
           call a := New(1);
           call b, ok := Maybe(1);
           call c := Counted(1);
         }";
    let (program, info) = open(text);
    assert_eq!(info.fresh.len(), 2);
    assert_eq!(
        unknowns(&program, &info),
        [
            "P Maybe: Maybe().ok",
            "P Counted: Counted()",
            "P Counted: count after Counted()"
        ]
    );
    common::assert_text(
        &open_proc_text(&format!("{NULL}{text}"), "P"),
        "proc P() {
           var a: Int
           var b: Int
           var c: Int
           var ok: Bool
           var before(count): Int
         block0:
           havoc a
           assume (not (= NULL a))
           havoc b, ok
           assume (not (= NULL b))
           goto block2, block1
         block1:
           b := NULL
           goto block2
         block2:
           before(count) := count
           havoc count, c
           assume (not (= NULL c))
           assume (= c |before(count)|)
           return
         }",
    );
}

#[test]
fn tests_for_null_are_those_of_branches() {
    let (program, info) = open(
        "procedure P(x: int, y: int, z: int) {
           assume x == NULL;
           if (x == NULL) { return; }
           if (y != NULL && z > 0) { return; }
           if (x != NULL || z != NULL) { return; }
           if (x == NULL || y == NULL) { return; }
           goto A, B;
         A: assume z > 0; assume NULL == z; return;
         B: assume z != NULL; assume NULL == x + 1; return;
         }",
    );
    assert_eq!(
        tests(&program, &info),
        [
            "(= NULL x)",
            "(not (or (not (= NULL x)) (not (= NULL z))))",
            "(or (= NULL x) (= NULL y))",
            "(= NULL z)",
            "(= NULL (+ x 1))",
        ]
    );
}

#[test]
fn assertions_are_told_apart() {
    let (program, info) = open(
        "procedure P(x: int, m: [int]int) {
           assert true;
           assert x != NULL;
           assert !(NULL == m[x]);
           assert {:nonnull} x > 0;
           assert {:angelic} x == 3;
           assert x < 9;
         }",
    );
    assert_eq!(program.asserts.len(), 5);
    let number = |id: &lariat_ir::AssertId| cranelift_entity::EntityRef::index(*id);
    assert_eq!(
        info.dereferences.iter().map(number).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    assert_eq!(info.angelic.iter().map(number).collect::<Vec<_>>(), [3]);
}

#[test]
fn monitor_variables_are_marked_or_named() {
    let text = "const null: int;
         var {:typestatevar} a: int; var b: int; var c: int;
         procedure P() { }";
    let lowered = try_lower_open(text, &["c"]).expect("it can be lowered");
    let info = lowered.open.expect("it was lowered as an open program");
    let names: Vec<&str> = info
        .typestate
        .iter()
        .map(|&var| &**lowered.program.pool.var_name(var))
        .collect();
    assert_eq!(names, ["a", "c"]);
    let error = try_lower_open(text, &["d"]).expect_err("there is no such global");
    assert!(error.contains("no global variable `d`"), "{error}");
}

#[test]
fn a_program_without_null_is_refused() {
    let error = try_lower_open("var NULL: int; procedure P() { }", &[]).expect_err("there is no null");
    assert!(error.contains("no-null-constant"), "{error}");
    assert!(error.contains("const NULL: int;"), "{error}");
}
