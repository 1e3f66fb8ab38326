// run: default
//   warning not-expressible P: i < n
//   warning not-expressible Size: s > 0
//   spec Both: x != NULL || y != NULL
// run: default --vocabulary difference
//   spec P: i < n
//   spec Size: size() > 0
//   spec Both: x != NULL || y != NULL
// run: default --vocabulary difference --vocabulary no-quantifiers
//   warning not-expressible Size: s > 0
//   spec P: i < n
//   spec Both: x != NULL || y != NULL
// run: default --atom _,>,0
//   warning not-expressible P: i < n
//   spec Size: size() > 0
//   spec Both: x != NULL || y != NULL
// run: default --vocabulary difference --vocabulary cube
//   spec P: i < n
//   spec Size: size() > 0
//   spec Both: x != NULL
const NULL: int;
procedure size() returns (n: int);
procedure P(i: int, n: int) { assert i < n; }
procedure Size() { var s: int; call s := size(); assert s > 0; }
procedure Both(x: int, y: int) { assert x != NULL || y != NULL; }
