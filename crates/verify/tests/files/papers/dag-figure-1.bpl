// lariat verify
// expect: bug 9:3 assertion
// expect: warning 6:11 completed-modifies
// [Dag15] Fig. 1: `foo` is called in two branches and inlined once.
var g: int;
procedure main() {
  g := 0;
  if (*) { call bar(); } else { call baz(); }
  assert g < 3;
}
procedure bar() { call foo(); }
procedure baz() { g := 1; call foo(); }
procedure foo() { if (*) { g := g + 1; } else { g := g + 2; } }
