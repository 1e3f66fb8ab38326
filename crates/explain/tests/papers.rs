//! The examples of seed 003.

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
