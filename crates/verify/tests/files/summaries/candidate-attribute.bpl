// lariat verify --summaries on
// expect: proved
// As Boogie's own tests write them.
const {:existential true} b1: bool;
const {:existential true} b2: bool;
var x, y, z: int;

procedure step()
  modifies x, y, z;
  requires {:candidate} b1 ==> z == 2 * x + 3 * y;
  ensures  {:candidate} b2 ==> z == 2 * x + 3 * y;
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
