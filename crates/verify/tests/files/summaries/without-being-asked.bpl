// lariat verify
// expect: proved
// Candidates are reason enough for summaries.
const {:existential true} b: bool;

procedure main()
{
  var x, y, z: int;
  var d: int;
  x, y, z := 0, 0, 0;
  while (*)
    invariant b ==> z == 2 * x + 3 * y;
  {
    havoc d;
    if (*) { x, z := x + d, z + 2 * d; } else { y, z := y + d, z + 3 * d; }
  }
  assert x == y ==> z == 5 * x;
}
