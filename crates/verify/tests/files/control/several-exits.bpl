// lariat verify
// expect: bug 14:3 assertion
procedure main(m: [int]int)
{
  var i: int;
  i := 0;
  while (i < 4) {
    if (m[i] == 7) { break; }
    if (m[i] == 8) { goto found; }
    i := i + 1;
  }
  return;
  found:
  assert i != 3;
}
