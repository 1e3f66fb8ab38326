// run: default
//   warning not-expressible LoopSets: p != NULL
//   warning definite Always: p != NULL
const NULL: int;
procedure LoopSets(n: int) { var p: int; var i: int; p := NULL; i := 0; while (i < n) { p := NULL + 1; i := i + 1; } assert p != NULL; }
procedure Always(n: int) { var p: int; p := NULL; if (0 < n) { p := NULL; } assert p != NULL; }
