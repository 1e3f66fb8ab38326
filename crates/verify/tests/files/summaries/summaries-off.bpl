// lariat verify --summaries off --bound 2
// expect: bounded(2): loop in main 12:3
// expect: warning ignored
// Nobody tries the candidate, and that is said.
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
