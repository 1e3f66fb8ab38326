// lariat verify --summaries on
// expect: proved
// A candidate that holds. Nothing that is generated relates three variables; see only-false-candidates.bpl.
const {:existential true} b: bool;
var x, y, z: int;

procedure step()
  modifies x, y, z;
  ensures b ==> old(z) == 2 * old(x) + 3 * old(y) ==> z == 2 * x + 3 * y;
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
