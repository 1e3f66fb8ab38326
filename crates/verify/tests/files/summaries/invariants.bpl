// lariat verify --summaries on
// expect: proved
const {:existential true} b1: bool;
const {:existential true} b2: bool;

procedure main()
{
  var x, y, z: int;
  var d: int;
  x, y, z := 0, 0, 0;
  while (*)
    invariant b1 ==> z == 2 * x + 3 * y;
    invariant b2 ==> z == x + y;
  {
    havoc d;
    if (*) { x, z := x + d, z + 2 * d; } else { y, z := y + d, z + 3 * d; }
  }
  assert x == y ==> z == 5 * x;
}
