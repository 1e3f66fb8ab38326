// Products are functions of which nothing is known at first; what is said must be so with the products themselves.
// run: default
//   spec Q: p != NULL
//   spec R: p != NULL
const NULL: int;
procedure P(x: int) { if (x * x < 0) { assert false; } }
procedure Q(x: int, y: int, p: int) { if (x > 1 && y > 1 && x * y == 35) { assert p != NULL; } }
procedure R(x: int, p: int) { if (x * x >= 0) { assert p != NULL; } }
