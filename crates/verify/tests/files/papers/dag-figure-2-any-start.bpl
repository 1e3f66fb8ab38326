// lariat verify
// expect: bug 10:24 assertion
// expect: warning 6:11 completed-modifies
// [Dag15] Fig. 2 for N = 3 with any value at the start, so that no constant decides it; and a way out.
var g: int;
procedure main(k: int) { g := k; if (*) { call P0(k); } else { call P0(k); } }
procedure P0(k: int) { g := g + 1; if (*) { call P1(k); } else { call P1(k); } }
procedure P1(k: int) { g := g + 1; if (*) { call P2(k); } else { call P2(k); } }
procedure P2(k: int) { if (*) { g := g + 1; } if (*) { call P3(k); } else { call P3(k); } }
procedure P3(k: int) { assert g == k + 3; }
