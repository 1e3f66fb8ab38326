//! Contracts, calls and control flow.

mod common;

use common::{check_proc, lower, proc_text};
use lariat_ir::{AssertKind, EntryMark, Origin, StmtKind};

#[test]
fn a_body_assumes_its_preconditions_and_asserts_its_postconditions_at_each_return() {
    check_proc(
        "var g: int;
         procedure P(x: int where x != 7) returns (y: int)
           requires x > 0;
           free requires x < 9;
           modifies g;
           ensures y > old(g);
           free ensures g == 1;
         {
           var i: int where i < 5;
           if (*) { return; }
           g := y;
         }",
        "P",
        "proc P(x: Int) returns (y: Int) {
           var i: Int
           var old(g): Int
         block0:
           old(g) := g
           assume (not (= x 7))
           assume (< i 5)
           assume (< 0 x)
           assume (< x 9)
           goto block1, block2
         block2:
           goto block3
         block3:
           g := y
           assert1 (< |old(g)| y)
           return
         block1:
           assert0 (< |old(g)| y)
           return
         }",
    );
}

#[test]
fn a_call_asserts_preconditions_and_assumes_postconditions_over_the_state_before() {
    check_proc(
        "var g: int;
         procedure Q(a: int) returns (r: int)
           requires a > g;
           modifies g;
           ensures r == old(g) + a;
           free ensures g > 0;
         { r := g + a; g := 1; }
         procedure P()
           modifies g;
         {
           var x: int;
           call x := Q(x + 1);
         }",
        "P",
        "proc P() {
           var x: Int
           var a: Int
           var before(g): Int
         block0:
           a := (+ x 1)
           assert1 (< g a)
           before(g) := g
           call x := Q(a)
           assume (= x (+ |before(g)| a))
           assume (< 0 g)
           return
         }",
    );
}

#[test]
fn an_argument_that_the_call_cannot_change_is_not_copied() {
    check_proc(
        "procedure Q(a: int) returns (r: int) ensures r > a;
         { r := a + 1; }
         procedure P(x: int) { var y: int; call y := Q(x); }",
        "P",
        "proc P(x: Int) {
           var y: Int
         block0:
           call y := Q(x)
           assume (< x y)
           return
         }",
    );
}

#[test]
fn a_result_for_a_global_that_the_postcondition_mentions_comes_after_it() {
    check_proc(
        "var g: int;
         procedure Q() returns (r: int) ensures r > g;
         { r := g + 1; }
         procedure P() modifies g; { call g := Q(); }",
        "P",
        "proc P() {
           var r: Int
         block0:
           call r := Q()
           assume (< g r)
           g := r
           return
         }",
    );
}

#[test]
fn a_procedure_without_a_body_changes_what_it_modifies() {
    check_proc(
        "var g: int where g >= 0;
         var h: int;
         procedure Ext(a: int) returns (r: int where r != 5);
           requires a > 0;
           modifies g;
           ensures r == old(g) + old(h);
         procedure P() modifies g; { var x: int; call x := Ext(3); }",
        "P",
        "proc P() {
           var x: Int
           var before(g): Int
         block0:
           assert0 true
           before(g) := g
           havoc g, x
           assume (<= 0 g)
           assume (not (= x 5))
           assume (= x (+ |before(g)| h))
           return
         }",
    );
    let lowered = lower("procedure Ext(); procedure P() { call Ext(); }");
    let proc = &lowered.program.procs[lowered.program.proc_by_name("P").unwrap()];
    assert_eq!(
        proc.blocks[proc.entry].stmts[0].origin,
        Origin::External("Ext".into())
    );
}

#[test]
fn a_free_call_assumes_preconditions() {
    check_proc(
        "procedure Q(a: int) requires a > 0; { }
         procedure P(x: int) { free call Q(x); }",
        "P",
        "proc P(x: Int) {
         block0:
           assume (< 0 x)
           call Q(x)
           return
         }",
    );
}

#[test]
fn wildcards_in_calls_become_locals() {
    check_proc(
        "procedure Q(a: int) returns (r: int) { r := a; }
         procedure P() { call * := Q(*); }",
        "P",
        "proc P() {
           var r: Int
           var a: Int
         block0:
           havoc a
           call r := Q(a)
           return
         }",
    );
}

#[test]
fn loops_assert_invariants_on_entry_and_at_the_head() {
    check_proc(
        "procedure P(n: int) {
           var i: int;
           i := 0;
           while (i < n)
             invariant i >= 0;
             free invariant i < 100;
           { if (i == 3) { break; } i := i + 1; }
         }",
        "P",
        "proc P(n: Int) {
           var i: Int
         block0:
           i := 0
           assert0 (<= 0 i)
           assume (< i 100)
           goto block1
         block1:
           assert1 (<= 0 i)
           assume (< i 100)
           goto block2, block3
         block3:
           assume (<= n i)
           goto block4
         block2:
           assume (< i n)
           goto block5, block6
         block6:
           assume (not (= i 3))
           goto block7
         block7:
           i := (+ i 1)
           goto block1
         block5:
           assume (= i 3)
           goto block4
         block4:
           return
         }",
    );
}

#[test]
fn labels_gotos_and_labelled_breaks() {
    check_proc(
        "procedure P() {
           var i: int;
           start: i := 1; goto start, done;
           done:
           outer: while (*) { inner: while (*) { break outer; } i := 2; }
           choice: if (*) { break choice; } else { i := 3; }
           return;
           i := 4;
         }",
        "P",
        "proc P() {
           var i: Int
         block0:
           goto block1
         block1: // start
           i := 1
           goto block1, block2
         block2: // done
           goto block3
         block3: // outer
           goto block4
         block4:
           goto block5, block6
         block6:
           goto block7
         block5:
           goto block8
         block8: // inner
           goto block9
         block9:
           goto block10, block11
         block11:
           goto block12
         block12:
           i := 2
           goto block4
         block10:
           goto block7
         block7:
           goto block13
         block13: // choice
           goto block14, block15
         block15:
           i := 3
           goto block16
         block14:
           goto block16
         block16:
           return
         }",
    );
}

#[test]
fn the_entry_block_is_no_target_even_if_the_first_statement_is_a_loop() {
    let lowered = lower("procedure P() { while (*) { } } procedure Q() { a: goto a; }");
    for proc in lowered.program.procs.values() {
        assert!(proc.predecessors()[proc.entry].is_empty());
    }
}

#[test]
fn havoc_assumes_where_clauses_again() {
    check_proc(
        "var g: int where g > 0;
         procedure P() modifies g; { var x: int where x > g; havoc x, g; }",
        "P",
        "proc P() {
           var x: Int
         block0:
           assume (< g x)
           havoc x, g
           assume (< g x)
           assume (< 0 g)
           return
         }",
    );
    let lowered = lower("var g: int where g > 0;");
    assert!(lowered.program.text().contains("initially (< 0 g)"));
}

#[test]
fn several_implementations_are_chosen_from() {
    let program = "var g: int;
         procedure Q(x: int) returns (y: int); modifies g; ensures y == x + old(g);
         implementation Q(x: int) returns (y: int) { y := x; }
         implementation Q(u: int) returns (v: int) { v := u + old(g); }
         procedure P() modifies g; { var z: int; call z := Q(1); }";
    check_proc(
        program,
        "Q#2",
        "proc Q#2(x: Int) returns (y: Int) {
           var old(g): Int
         block0:
           old(g) := g
           y := (+ x |old(g)|)
           assert1 (= y (+ x |old(g)|))
           return
         }",
    );
    check_proc(
        program,
        "Q#any",
        "proc Q#any(x: Int) returns (y: Int) {
         block0:
           goto block1, block2
         block2:
           call y := Q#2(x)
           return
         block1:
           call y := Q(x)
           return
         }",
    );
    assert!(proc_text(&lower(program), "P").contains("call z := Q#any(1)"));
}

#[test]
fn entry_marks_and_extra_bounds() {
    let lowered = lower(
        "procedure {:entrypoint} A(); implementation A() { }
         procedure B(); implementation {:entrypoint} {:SIextraRecBound 4} B() { }
         procedure {:SIextraRecBound 2} C() { }",
    );
    let of = |name: &str| &lowered.program.procs[lowered.program.proc_by_name(name).unwrap()];
    assert_eq!(
        (of("A").entry_mark, of("A").extra_bound),
        (Some(EntryMark::Procedure), 0)
    );
    assert_eq!(
        (of("B").entry_mark, of("B").extra_bound),
        (Some(EntryMark::Implementation), 4)
    );
    assert_eq!((of("C").entry_mark, of("C").extra_bound), (None, 2));
}

#[test]
fn assertions_keep_their_names_messages_and_places() {
    let text = "procedure Q(x: int) requires {:msg \"positive\"} x > 0; { }
procedure P(y: int) { assert {:id \"a1\"} {:sourceloc \"f.c\", 3, 4} y > 0; call Q(y); assume {:sourcefile \"g.c\"} {:sourceline 7} true; }";
    let lowered = lower(text);
    let program = &lowered.program;
    let infos: Vec<_> = program.asserts.values().collect();
    assert_eq!(infos[0].kind, AssertKind::Assert);
    assert_eq!(infos[0].id.as_deref(), Some("a1"));
    assert_eq!(infos[1].kind, AssertKind::Requires("Q".into()));
    assert_eq!(infos[1].message.as_deref(), Some("positive"));
    let call = infos[1].span.unwrap();
    assert!(text[call.start as usize..call.end as usize].starts_with("call Q(y)"));
    let clause = infos[1].condition_span.unwrap();
    assert!(text[clause.start as usize..clause.end as usize].contains("x > 0"));
    let proc = &program.procs[program.proc_by_name("P").unwrap()];
    let stmts = &proc.blocks[proc.entry].stmts;
    let location = stmts[0].location.as_ref().unwrap();
    assert_eq!(
        (&*location.file, location.line, location.column),
        ("f.c", 3, Some(4))
    );
    let last = stmts.last().unwrap();
    assert!(matches!(last.kind, StmtKind::Assume(_)));
    let location = last.location.as_ref().unwrap();
    assert_eq!(
        (&*location.file, location.line, location.column),
        ("g.c", 7, None)
    );
}

#[test]
fn what_cannot_be_executed_is_an_unsupported_assertion() {
    let lowered = lower("procedure Q() { } procedure P() { async call Q(); }");
    assert!(proc_text(&lowered, "P").contains("call async Q()"));
    // Whoever does not know threads does not get past the start of one.
    assert!(proc_text(&lowered, "async Q").contains("unsupported \"async call of Q\""));
    let lowered = lower("procedure P() { assume |{ A: goto A; }|; }");
    assert!(proc_text(&lowered, "P").contains("unsupported \"a code expression with a loop\""));
}

#[test]
fn call_forall_assumes_the_lemma() {
    check_proc(
        "function f(x: int) returns (int);
         procedure Lemma(x: int, y: int); requires x > y; ensures f(x) > f(y);
         procedure P() { call forall Lemma(*, 3); }",
        "P",
        "proc P() {
         block0:
           assume (forall ((x Int)) (or (<= x 3) (< (f 3) (f x))))
           return
         }",
    );
}
