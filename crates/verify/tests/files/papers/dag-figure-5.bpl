// lariat verify --all
// expect: bug 15:3 assertion bd
// expect: warning 6:11 completed-modifies
// [Dag15] Fig. 5 (a): the calls A and B exclude each other, so do C and D, and B and C; A and D do not.
var g: int;
procedure main(x: int) {
  g := x;
  goto A, B;
  A: call leaf(1); goto C, D;
  B: call leaf(2); goto D;
  C: call leaf(3); goto End;
  D: call leaf(4); goto End;
  End:
  assert {:id "all"} g > x;
  assert {:id "bd"} g != x + 6;
  assert {:id "no"} g != x + 7;
}
procedure leaf(a: int) { if (*) { g := g + a; } else { assume a < 0; } }
