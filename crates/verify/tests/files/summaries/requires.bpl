// lariat verify --summaries on
// expect: proved
// Only under its precondition does `step` keep clear of the assertion in it.
const {:existential true} b1: bool;
const {:existential true} b2: bool;
var x, y, z: int;

procedure step(n: int)
  requires b1 ==> z == 2 * x + 3 * y;
  requires b2 ==> n == 7;
  modifies x, y, z;
{
  var d: int;
  assert x == y ==> z == 5 * x;
  if (*) { x, z := x + d, z + 2 * d; } else { y, z := y + d, z + 3 * d; }
  if (*) { call step(n + 1); }
}

procedure main()
  modifies x, y, z;
{
  x, y, z := 0, 0, 0;
  call step(7);
}
