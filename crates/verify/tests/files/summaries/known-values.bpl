// lariat verify --summaries on
// expect: proved
// `n`, `m` and the first value of `s` are constants, which are put in their places; the candidates follow.
const {:existential true} b: bool;
var s, x, y, z: int;

procedure step(m: int)
  modifies s, x, y, z;
  ensures b ==> old(s) == 7 ==> m == 2 ==> old(z) == 2 * old(x) + 3 * old(y) ==> z == m * x + 3 * y;
{
  var d: int;
  if (s == 7) {
    havoc d;
    x, z := x + d, z + m * d;
    if (*) { call step(m); }
    havoc d;
    y, z := y + d, z + 3 * d;
  }
}

procedure main()
  modifies s, x, y, z;
{
  var n, i, j, k, d: int;
  x, y, z, s := 0, 0, 0, 7;
  call step(2);
  assert x == y ==> z == 5 * x;
  n, i, j, k := 3, 0, 0, 0;
  while (*)
    invariant b ==> k == n * i + 2 * j;
  {
    havoc d;
    if (*) { i, k := i + d, k + n * d; } else { j, k := j + d, k + 2 * d; }
  }
  assert i == j ==> k == 5 * i;
}
