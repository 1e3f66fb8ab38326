//! What loops look like after `extract_loops`.

mod support;

use lariat_ir::{ProcKind, Program, Stage, StmtKind, validate};
use lariat_passes::{extract_loops, mark_blocks};
use lariat_testkit::ir_text::read_program;

fn extracted(text: &str) -> Program {
    let mut program = read_program(text);
    extract_loops(&mut program);
    validate(&program, Stage::LoopFree).unwrap_or_else(|violation| panic!("{violation}"));
    program
}

#[test]
fn a_loop_takes_what_it_reads_and_gives_back_what_it_changes() {
    let program = extracted(
        "proc main(n: int) -> (r: int)
           var i: int
           var s: int
           var t: int
          start:
           i := 0
           s := 0
           goto head
          head:
           goto body done
          body:
           assume (< i n)
           t := (+ i i)
           s := (+ s t)
           i := (+ i 1)
           goto head
          done:
           assume (<= n i)
           r := s
           return",
    );
    let expected = "\
proc main(n: Int) returns (r: Int) {
  var i: Int
  var s: Int
block0: // start
  i := 0
  s := 0
  goto block1
block1: // head
  call i, s := main_loop_head(n, i, s)
  goto block2
block2: // done
  assume (<= n i)
  r := s
  return
}
loop main_loop_head(n: Int, i_in: Int, s_in: Int) returns (i: Int, s: Int) {
  var t: Int
block0: // head
  i, s := i_in, s_in
  goto block1, block2
block2:
  return
block1: // body
  assume (< i n)
  t := (+ i i)
  s := (+ s t)
  i := (+ i 1)
  goto block3
block3:
  call i, s := main_loop_head(n, i, s)
  return
}
";
    assert_eq!(program.text(), expected);
}

#[test]
fn several_exits_are_told_apart() {
    let program = extracted(
        "proc main(n: int) -> (r: int)
           var i: int
          start:
           i := n
           goto head
          head:
           goto body left right out
          body:
           i := (- i 1)
           goto head
          left:
           assert (< i 0)
           return
          right:
           assert (< 0 i)
           return
          out:
           r := i
           goto body2 head
          body2:
           r := 7
           return",
    );
    let expected = "\
proc main(n: Int) returns (r: Int) {
  var i: Int
  var loop_exit: Int
block0: // start
  i := n
  goto block1
block1: // head
  call r, i, loop_exit := main_loop_head(r, i)
  goto block5, block6, block7
block7:
  assume (= 2 loop_exit)
  goto block4
block4: // body2
  r := 7
  return
block6:
  assume (= 1 loop_exit)
  goto block3
block3: // right
  assert1 (< 0 i)
  return
block5:
  assume (= 0 loop_exit)
  goto block2
block2: // left
  assert0 (< i 0)
  return
}
";
    let text = program.text();
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn an_endless_loop_has_no_way_out() {
    let program = extracted(
        "global g: int
         proc main()
          start:
           goto head
          head:
           assert (< g 5)
           g := (+ g 1)
           goto head",
    );
    let text = program.text();
    assert!(text.contains("  call main_loop_head()\n  stop\n"), "{text}");
}

#[test]
fn inner_loops_belong_to_their_source_procedure_and_are_called_by_the_outer_loop() {
    let program = extracted(
        "proc main(n: int)
           var i: int
           var j: int
          start:
           i := 0
           goto outer
          outer:
           goto more done
          more:
           assume (< i n)
           i := (+ i 1)
           j := 0
           goto inner
          inner:
           goto step next
          step:
           assume (< j i)
           j := (+ j 1)
           goto inner
          next:
           assume (<= i j)
           goto outer
          done:
           return",
    );
    let main = program.proc_by_name("main").expect("main");
    let outer = program.proc_by_name("main_loop_outer").expect("the outer loop");
    let inner = program.proc_by_name("main_loop_inner").expect("the inner loop");
    for id in [outer, inner] {
        assert!(matches!(program.procs[id].kind, ProcKind::Loop { parent, .. } if parent == main));
    }
    // The counter of the inner loop starts anew each time, so the outer loop does not pass it.
    let names = |id| {
        program.procs[id]
            .params
            .iter()
            .map(|&var| program.pool.var_name(var).to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(outer), ["n", "i_in"]);
    assert_eq!(names(inner), ["i", "j_in"]);
    assert!(
        program
            .proc_text(outer)
            .contains("call j := main_loop_inner(i, j)")
    );
    assert!(
        program.procs[outer].outs.is_empty(),
        "nothing is read after the loop"
    );
}

#[test]
fn an_irreducible_region_gets_a_dispatch() {
    let program = extracted(
        "proc main(n: int)
           var i: int
          start:
           i := n
           goto a b
          a:
           i := (+ i 1)
           goto b end
          b:
           i := (+ i 2)
           goto a
          end:
           assert (< i 0)
           return",
    );
    let text = program.text();
    assert_eq!(program.procs.len(), 2, "{text}");
    let (_, looped) = program.procs.iter().nth(1).expect("the loop");
    let params: Vec<&str> = looped
        .params
        .iter()
        .map(|&var| &**program.pool.var_name(var))
        .collect();
    assert_eq!(params, ["i_in", "loop_entry_in"], "{text}");
    assert!(
        text.contains("loop_entry := 0") && text.contains("loop_entry := 1"),
        "{text}"
    );
}

#[test]
fn marks_go_with_their_blocks() {
    let mut program = read_program(
        "proc main(n: int)
          start:
           goto head
          head:
           goto head done
          done:
           return",
    );
    mark_blocks(&mut program);
    extract_loops(&mut program);
    let marks_of = |name: &str| -> Vec<u32> {
        let id = program.proc_by_name(name).expect("a procedure");
        let stmts = program.procs[id].blocks.values().flat_map(|block| &block.stmts);
        let marks = stmts.filter_map(|stmt| match stmt.kind {
            StmtKind::Enter(block) => Some(block.as_u32()),
            _ => None,
        });
        marks.collect()
    };
    assert_eq!(marks_of("main_loop_head"), [1]);
    assert_eq!(marks_of("main"), [2]);
}

#[test]
fn two_loops_of_one_label_have_two_names() {
    let program = extracted(
        "proc main_loop_head()
          start:
           return
         proc main()
          start:
           goto head
          head:
           goto head done
          done:
           return",
    );
    assert!(program.proc_by_name("main_loop_head_2").is_some());
}
