// lariat verify --summaries on
// expect: proved
// expect: warning 13:3 candidate-ignored
// Corral's templates: tried of every procedure, assumed of none. A clause about a parameter is not tried.
var x, y, z: int;
var w: int;

procedure {:template} summaries(n: int);
  ensures old(z) == 2 * old(x) + 3 * old(y) ==> z == 2 * x + 3 * y;
  ensures x == old(x);
  free ensures w == 0;
  free requires x == 0;
  ensures x == n;

procedure one()
  modifies x, y, z;
{
  var d: int;
  if (*) { x, z := x + d, z + 2 * d; call two(); }
}

procedure two()
  modifies x, y, z;
{
  var d: int;
  if (*) { y, z := y + d, z + 3 * d; call one(); }
}

procedure main()
  modifies x, y, z;
{
  x, y, z := 0, 0, 0;
  call one();
  assert x == y ==> z == 5 * x;
}
