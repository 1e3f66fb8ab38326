// lariat verify --bound 3
// expect: bug 11:3 assertion
procedure main(n: int)
{
  var i: int;
  var j: int;
  i := 0;
  while (i < n) { i := i + 1; }
  j := 0;
  while (j < n) { j := j + 1; }
  assert i + j != 4;
}
