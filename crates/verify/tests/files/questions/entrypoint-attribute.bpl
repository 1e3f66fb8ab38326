// lariat verify
// expect: bug 4:41 assertion
procedure main() { assert true; }
procedure {:entrypoint} start(x: int) { assert x > 0; }
