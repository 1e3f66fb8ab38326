// run: default
//   spec P: x != y
//   spec Q: Lib() != NULL
// Accepted: assumed. Rejected: a warning. Edited: assumed if it is permissive.
// run: default
//   given accepted P: x < y
//   given rejected Q: Lib() != NULL
//   warning rejected Q: r != NULL
//   spec P: x < y
//   spec Q: Lib() != NULL
// run: default
//   given edited R: x != NULL
//   given edited Q: Lib() > NULL
//   spec P: x != y
//   spec Q: Lib() > NULL
//   spec R: x != NULL
// run: default
//   given accepted P: nobody != NULL
//   given accepted Gone: x != NULL
//   spec Gone: x != NULL
//   spec P: nobody != NULL
//   spec P: x != y
//   spec Q: Lib() != NULL
const NULL: int;
var m: [int]int;
procedure Lib() returns (r: int);
procedure P(x: int, y: int) { assert x != y; }
procedure Q() modifies m; { var r: int; call r := Lib(); assert r != NULL; m[r] := 1; }
procedure R(x: int) { if (x == NULL) { return; } }
