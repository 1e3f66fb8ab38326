// An angelic assertion must be able to fail, and proves nothing.
// run: default
//   warning inconsistent CanBeNull: n != NULL
//   spec CanBeObject: n != NULL
const NULL: int;
var m: [int]int;
procedure CanBeNull(n: int) modifies m; { assert {:angelic} n != NULL; assert n != NULL; m[n] := 1; }
procedure CanBeObject(n: int) modifies m; { assert {:angelic} n == NULL; assert n != NULL; m[n] := 1; }
