//! The examples of [Angelic15].

mod support;

use support::case;

/// Fig. 1, with the lines of FooBar that matter.
const RUNNING_EXAMPLE: &str = "
const NULL: int;
var gs: int;
var m: [int]int;
procedure Bar(x: int) modifies gs, m; {
  if (x != NULL) { gs := 1; } else { gs := 2; }
  assert x != NULL;
  m[x] := 5;
}
procedure Baz(y: int) modifies m; {
  assert y != NULL;
  m[y] := 4;
}
procedure Foo(z: int) modifies gs, m; {
  call Bar(z);
  call Baz(NULL);
  call FooBar();
}
procedure FooBar() modifies m; {
  var x, w, z: int;
  call z := Lib1();
  assert z != NULL;
  m[z] := NULL;
  call x := Lib2();
  assert x != NULL;
  w := m[x];
  assert w != NULL;
  m[w] := 4;
}
procedure Lib1() returns (r: int);
procedure Lib2() returns (r: int);
";

#[test]
fn the_running_example_gives_the_specifications_of_figure_3() {
    let text = |entry: &str, inputs: &[(&str, i64)], havocs: &[i64]| {
        case(RUNNING_EXAMPLE, entry).inputs(inputs).havocs(havocs).text()
    };
    assert_eq!(
        text("Bar", &[("NULL", 0), ("x", 0)], &[]),
        "blocked (not (= NULL x))"
    );
    assert_eq!(
        text("Baz", &[("NULL", 0), ("y", 0)], &[]),
        "blocked (not (= NULL y))"
    );
    assert_eq!(text("Foo", &[("NULL", 0), ("z", 3)], &[]), "always fails");
    assert_eq!(text("FooBar", &[("NULL", 0)], &[0]), "blocked (not (= NULL z))");
    assert_eq!(
        text("FooBar", &[("NULL", 0)], &[1, 0]),
        "blocked (not (= NULL x))"
    );
    // Line 32, whether the two are the same or not.
    let both = "blocked (and (not (= z x)) (not (= NULL (select m x))))";
    assert_eq!(text("FooBar", &[("NULL", 0)], &[1, 1]), both);
    assert_eq!(text("FooBar", &[("NULL", 0)], &[1, 2]), both);
}

/// Fig. 6(a).
const LOCK_DEPTH: &str = "
const NULL: int;
var LockDepth: int;
procedure IoCancelSpinLock() modifies LockDepth; {
  call KeReleaseSpinLock();
  call KeReleaseSpinLock();
  call KeAcquireSpinLock();
  call KeCheckSpinLock();
}
procedure Harness() modifies LockDepth; {
  LockDepth := 0;
  call IoCancelSpinLock();
}
procedure KeAcquireSpinLock() modifies LockDepth; { LockDepth := LockDepth + 1; }
procedure KeReleaseSpinLock() modifies LockDepth; { LockDepth := LockDepth - 1; }
procedure KeCheckSpinLock() { assert LockDepth > 0; }
";

#[test]
fn figure_6a_needs_the_monitor_variable() {
    let cancel = || {
        case(LOCK_DEPTH, "IoCancelSpinLock")
            .typestate("LockDepth")
            .inputs(&[("LockDepth", 1)])
    };
    assert_eq!(cancel().text(), "blocked (< 1 LockDepth)");
    let without = cancel().vocabulary(|vocabulary| vocabulary.typestate = false);
    assert_eq!(
        without.text(),
        "not expressible: no condition of the trace is in the vocabulary"
    );
    let harness = case(LOCK_DEPTH, "Harness").typestate("LockDepth");
    assert_eq!(harness.text(), "always fails");
}

/// Fig. 6(b).
const IRQL: &str = "
const NULL: int;
const PASSIVE: int;
const DISPATCH: int;
axiom PASSIVE == 0 && DISPATCH == 2;
var irqlVal: int;
procedure KeRaiseIrql() modifies irqlVal; {
  irqlVal := DISPATCH;
  call KeReleaseIrql();
}
procedure KeReleaseIrql() modifies irqlVal; {
  assert irqlVal == PASSIVE;
  irqlVal := DISPATCH;
}
";

#[test]
fn figure_6b_is_a_bug_of_the_program_itself() {
    let raise = case(IRQL, "KeRaiseIrql").typestate("irqlVal");
    assert_eq!(
        raise.inputs(&[("PASSIVE", 0), ("DISPATCH", 2)]).text(),
        "always fails"
    );
    let release = case(IRQL, "KeReleaseIrql").typestate("irqlVal");
    let release = release.inputs(&[("PASSIVE", 0), ("DISPATCH", 2), ("irqlVal", 2)]);
    assert_eq!(release.text(), "blocked (= PASSIVE irqlVal)");
}

/// Fig. 6(c), with one memory for each field.
const COMPLETE: &str = "
const NULL: int;
var completed: int;
var global_irp: int;
var DeviceExtension, FlushIrp, BlockIrp, LockIrp: [int]int;
procedure DispatchRoutine(devobj: int, irp: int) modifies completed, global_irp; {
  var de: int;
  completed := 0;
  global_irp := irp;
  de := DeviceExtension[devobj];
  call IoCompleteRequest(FlushIrp[de]);
  call IoCompleteRequest(BlockIrp[de]);
  call IoCompleteRequest(LockIrp[de]);
}
procedure IoCompleteRequest(p: int) modifies completed; {
  if (p == global_irp) {
    assert completed != 1;
    completed := 1;
  }
}
";

#[test]
fn figure_6c_is_blocked_by_aliasing() {
    let dispatch = |maps: &str, irp: i64| {
        // Memory is zero but for what the text fixes by an assumption.
        let text = COMPLETE.replace("completed := 0;", &format!("assume {maps}; completed := 0;"));
        case(&text, "DispatchRoutine").inputs(&[("irp", irp), ("devobj", 5)])
    };
    let (x, y, z) = (
        "(select FlushIrp (select DeviceExtension devobj))",
        "(select LockIrp (select DeviceExtension devobj))",
        "(select BlockIrp (select DeviceExtension devobj))",
    );
    let differ = |a: &str, b: &str| format!("blocked (or (not (= irp {a})) (not (= irp {b})))");
    assert_eq!(dispatch("true", 0).text(), differ(x, z));
    // The second request is another one.
    let text = COMPLETE.replace("BlockIrp[de]", "BlockIrp[de] + 7");
    let third = case(&text, "DispatchRoutine").inputs(&[("irp", 0), ("devobj", 5)]);
    assert_eq!(third.text(), differ(x, y));
    let no_alias = dispatch("true", 0).vocabulary(|vocabulary| vocabulary.alias = false);
    assert_eq!(
        no_alias.text(),
        "not expressible: no condition of the trace is in the vocabulary"
    );
}
