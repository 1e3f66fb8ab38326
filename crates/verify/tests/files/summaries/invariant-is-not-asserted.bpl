// lariat verify --summaries on --bound 3
// expect: bounded(3): loop in main 12:3
// Both candidates fail; neither is reported, and neither is assumed.
const {:existential true} b1: bool;
const {:existential true} b2: bool;

procedure main()
{
  var x, y, z: int;
  var d: int;
  x, y, z := 0, 0, 0;
  while (*)
    invariant b1 ==> z == 2 * x + 2 * y;
    free invariant b2 ==> x == 0;
  {
    havoc d;
    if (*) { x, z := x + d, z + 2 * d; } else { y, z := y + d, z + 3 * d; }
  }
  assert x == y ==> z == 5 * x;
}
