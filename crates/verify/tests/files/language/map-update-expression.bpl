// lariat verify
// expect: proved
procedure main(m: [int]bool, k: int)
{
  var n: [int]bool;
  n := m[k := true][k + 1 := false];
  assert n[k] && !n[k + 1];
  assert n[k + 2] == m[k + 2];
}
