// lariat verify --summaries on
// expect: proved
// A candidate is tried of each implementation, over its own parameters, and of the choice between them.
const {:existential true} b: bool;
var x, y, z: int;

procedure step(n: int) returns (r: int);
  modifies x, y, z;
  ensures b ==> old(z) == 2 * old(x) + 3 * old(y) ==> z == 2 * x + 3 * y && r == n;

implementation step(n: int) returns (r: int)
{
  var d: int;
  if (*) { x, z := x + d, z + 2 * d; call r := step(n); }
  r := n;
}

implementation step(m: int) returns (result: int)
{
  var d: int;
  if (*) { y, z := y + d, z + 3 * d; call result := step(m); }
  result := m;
}

procedure main()
  modifies x, y, z;
{
  var r: int;
  x, y, z := 0, 0, 0;
  call r := step(4);
  assert x == y ==> z == 5 * x;
  assert r == 4;
}
