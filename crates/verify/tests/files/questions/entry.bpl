// lariat verify --entry other
// expect: bug 4:27 assertion
procedure main() { assert true; }
procedure other(x: int) { assert x > 0; }
