//! What is known of entries of maps, maps that become variables, and lookups in tables.

use lariat_ir::{ProcId, Program, Stage, validate};
use lariat_passes::{Goal, PrepareOptions, decide_lookups, prepare, propagate_constants};
use lariat_testkit::ir_text::read_program;

fn entry() -> ProcId {
    ProcId::from_u32(0)
}

fn after(text: &str, pass: impl FnOnce(&mut Program, ProcId)) -> String {
    let mut program = read_program(text);
    pass(&mut program, entry());
    validate(&program, Stage::Lowered)
        .or_else(|_| validate(&program, Stage::Instrumented))
        .unwrap_or_else(|violation| panic!("{violation}"));
    program.text()
}

fn prepared(text: &str) -> String {
    let program = read_program(text);
    let options = PrepareOptions {
        split_maps: true,
        ..PrepareOptions::default()
    };
    let goal = Goal::EntryReturns;
    prepare(&program, entry(), &goal, &options).program.text()
}

/// A program that sets the entry 1 of a map to 3, writes the map in another way, and looks at the entry.
fn written(statements: &str) -> String {
    after(
        &format!(
            "global m: map
             global k: int
             proc main()
              start:
               m := (store m 1 3)
               call other()
               assume (= (select m 1) 3)
               return
             proc other()
              start:
               {statements}
               return"
        ),
        propagate_constants,
    )
}

#[test]
fn an_entry_is_known_until_something_may_write_it() {
    let known = "assume (= (select m 1) 3)";
    let lines = |text: &str| text.lines().filter(|line| line.contains("(select m 1)")).count();
    // Another key, a key that is not below 2, and a key at which the map holds something else.
    for spared in [
        "m := (store m 2 0)",
        "assume (<= 2 k)\nm := (store m k 0)",
        "assume (or (= k 0) (<= 2 k))\nm := (store m k 0)",
        "assume (= (select m k) 1)\nm := (store m k 0)",
    ] {
        assert_eq!(
            lines(&written(spared)),
            0,
            "{spared} {known}\n{}",
            written(spared)
        );
    }
    // Any key, a key that may be 1, the same value, a key that has changed since, and another map.
    for lost in [
        "m := (store m k 0)",
        "assume (<= 1 k)\nm := (store m k 0)",
        "assume (= (select m k) 3)\nm := (store m k 0)",
        "assume (<= 2 k)\nk := (+ k -5)\nm := (store m k 0)",
        "assume (= (select m k) 1)\nm := (store m 4 4)\nm := (store m k 0)",
        "havoc m",
        "m := (const 0)",
    ] {
        assert!(lines(&written(lost)) > 0, "{lost}\n{}", written(lost));
    }
}

#[test]
fn a_map_with_literal_keys_becomes_variables() {
    let text = prepared(
        "global m: map
         global n: int
         proc main()
          start:
           m := (store (const 0) 4 n)
           call next()
           assume (< (select m 4) (select m 9))
           return
         proc next()
          start:
           m := (store m 9 (+ (select m 4) n))
           return",
    );
    assert!(!text.contains("select") && !text.contains("store"), "{text}");
    assert!(text.contains("m[4]") && text.contains("m[9]"), "{text}");
}

#[test]
fn a_map_with_an_unknown_key_stays() {
    let text = prepared(
        "global m: map
         global n: int
         proc main()
          start:
           assume (< (select m 4) (select m n))
           return",
    );
    assert!(text.contains("(select m n)"), "{text}");
}

#[test]
fn a_lookup_by_object_is_decided_over_the_address() {
    let text = prepared(
        "global sizes: map
         global a: int
         proc main()
          start:
           sizes := (store (const 0) 1 8)
           sizes := (store sizes 2 a)
           goto go
          go:
           assume (< 3 (select sizes (div a 100)))
           return",
    );
    assert!(!text.contains("div"), "{text}");
    // Where the object is 1, its size is known; elsewhere it is 0.
    assert!(text.contains("(<= 100 a)"), "{text}");
}

#[test]
fn a_lookup_in_a_table_is_a_search() {
    let entries: String = (0..20)
        .map(|key| format!("table := (store table {key} {})\n", key * key))
        .collect();
    let program = |more: &str| {
        format!(
            "global table: map
             global i: int
             proc main()
              start:
               table := (const 0)
               {entries}
               call look()
               return
             proc look()
              start:
               {more}
               assume (= (select table i) 49)
               return"
        )
    };
    let decided = after(&program("i := i"), decide_lookups);
    assert!(
        !decided.contains("(select table i)") && decided.contains("ite"),
        "{decided}"
    );
    // It is no table if it changes.
    let changed = after(&program("table := (store table i 7)"), decide_lookups);
    assert!(changed.contains("(select table i)"), "{changed}");
}

#[test]
fn maps_that_are_copied_or_assumed_to_be_equal_are_split_together() {
    let program = |statement: &str| {
        prepared(&format!(
            "global m: map
             global n: map
             global o: map
             global k: int
             proc main()
              start:
               n := m
               m := (store m 1 3)
               {statement}
               assume (= (select n 2) 5)
               assume (= m o)
               assume (= (select o 1) (select n 1))
               return"
        ))
    };
    let split = program("n := (store n 2 k)");
    assert!(!split.contains("select") && !split.contains("map"), "{split}");
    // The keys are those of all: the copy takes the element that only it is asked for.
    assert!(split.contains("n[2]"), "{split}");
    // A key that is not known keeps all three.
    let kept = program("n := (store n k 7)");
    for map in ["(select n 1)", "(= m o)", "(store m 1 3)"] {
        assert!(kept.contains(map), "{map}\n{kept}");
    }
}
