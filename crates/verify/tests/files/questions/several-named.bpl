// lariat verify --entry one --entry two
// expect: one: proved
// expect: two: proved
procedure one(x: int) { assert x == x; }
procedure two(x: int) { var y: int; y := 0; while (y < x) { y := y + 1; } assert y >= 0; }
