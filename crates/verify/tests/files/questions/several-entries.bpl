// lariat verify
// expect: one: proved
// expect: two: bug 6:39 assertion
// expect: three: bug 7:41 assertion
procedure {:entrypoint} one(x: int) { assert x == x; }
procedure {:entrypoint} two(x: int) { assert x != 1; }
procedure {:entrypoint} three(x: int) { assert x != 3; }
