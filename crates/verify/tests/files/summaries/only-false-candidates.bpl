// lariat verify --summaries on --bound 2
// expect: bounded(2): recursion of step
// No candidate holds, so nothing is known of `step` beyond the bound.
const {:existential true} b1: bool;
const {:existential true} b2: bool;
var x, y, z: int;

procedure step()
  modifies x, y, z;
  ensures b1 ==> z == 2 * x + 3 * y;
  ensures b2 ==> x == old(x);
{
  var d: int;
  if (*) {
    if (*) { x, z := x + d, z + 2 * d; } else { y, z := y + d, z + 3 * d; }
    call step();
  }
}

procedure main()
  modifies x, y, z;
{
  x, y, z := 0, 0, 0;
  call step();
  assert x == y ==> z == 5 * x;
}
