// lariat verify
// expect: bug 8:3 assertion
// Two instances of `M` that exclude each other but are not shared, because `e` is called before one of them:
// the `d` of one is written in terms of its caller and must not be shared by the other.
procedure main() {
  var b: bool;
  if (*) { call X(); call M(2); b := false; } else { call W(); b := true; }
  assert b;
}
procedure W() { call M(1); }
procedure M(p: int) { call d(p); call e(7); }
procedure X() { call e(5); }
procedure d(a: int) { if (*) { assume a > 0; } else { assume a > 1; } }
procedure e(a: int) { if (*) { assume a > 3; } else { assume a > 4; } }
