// lariat verify
// expect: proved
procedure {:entrypoint} a(x: int);
implementation a(x: int) { assert x > 0; }
procedure b(x: int);
implementation {:entrypoint} b(x: int) { assert x == x; }
