// lariat verify
// expect: proved
// expect: warning 6:11 completed-modifies
// [Dag15] Fig. 2 for N = 4.
var g: int;
procedure main() { g := 0; if (*) { call P0(); } else { call P0(); } }
procedure P0() { g := g + 1; if (*) { call P1(); } else { call P1(); } }
procedure P1() { g := g + 1; if (*) { call P2(); } else { call P2(); } }
procedure P2() { g := g + 1; if (*) { call P3(); } else { call P3(); } }
procedure P3() { g := g + 1; if (*) { call P4(); } else { call P4(); } }
procedure P4() { assert g == 4; }
