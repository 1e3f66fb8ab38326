// lariat verify --summaries on
// expect: proved
// Candidates that do not hold are dropped and are no bugs; the one that holds is enough. `unreached` is pruned.
const {:existential true} b1, b2: bool;
const {:existential true} b3: bool;
var x, y, z: int;

procedure unreached()
  modifies x;
  ensures b1 ==> x == 1;
{
  x := 1;
}

procedure step()
  requires b1 ==> x == 0;
  modifies x, y, z;
  ensures b2 ==> x == old(x);
  ensures old(z) == 2 * old(x) + 3 * old(y) ==> b3 ==> z == 2 * x + 3 * y;
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
