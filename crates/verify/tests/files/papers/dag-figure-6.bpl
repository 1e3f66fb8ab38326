// lariat verify --all
// expect: bug 10:3 assertion second
// expect: bug 9:3 assertion first
// [Dag15] Fig. 6.
procedure main(v1: int, v2: int) returns (r: int) {
  var c: bool;
  if (c) { call r := foo(v1); } else { call r := foo(v2); }
  assert {:id "one of them"} r == v1 + 1 || r == v2 + 1;
  assert {:id "first"} r == v1 + 1;
  assert {:id "second"} r == v2 + 1;
}
procedure foo(a: int) returns (b: int) { b := a + 1; }
