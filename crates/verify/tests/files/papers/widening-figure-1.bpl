// lariat verify
// expect: unknown: nothing-checked: nothing was checked: `main` can never be completed, because its assumptions contradict each other or every execution misuses memory in a way that is not checked
// [Legion22] Fig. 1 without the last assumption: each of the four leaves must be looked at, as in Tables 1 and 2.
procedure main() {
  var x: int, y: int, z: int;
  var c: bool;
  L0: assume x == 0; assume y == 0; goto L1, L2;
  L1: assume c; call foo(x, y); goto L3;
  L2: assume !c; call bar(x, y); goto L3;
  L3: assert false; return;
}
procedure foo(x: int, y: int) {
  var d: bool;
  L5: goto L6, L7;
  L6: assume d; call foo1(x, y); goto L8;
  L7: assume !d; call foo2(x, y); goto L8;
  L8: return;
}
procedure foo1(x: int, y: int) { L9: assume y == x + 1; return; }
procedure foo2(x: int, y: int) { L10: assume y == x - 1; return; }
procedure bar(x: int, y: int) {
  var e: bool;
  L11: goto L12, L13;
  L12: assume e; call bar1(x, y); goto L14;
  L13: assume !e; call bar2(x, y); goto L14;
  L14: return;
}
procedure bar1(x: int, y: int) { L15: assume y == x + 10; return; }
procedure bar2(x: int, y: int) { L16: assume y == x - 10; return; }
