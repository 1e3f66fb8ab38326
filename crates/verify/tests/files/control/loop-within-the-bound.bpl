// lariat verify --bound 5
// expect: bug 10:3 assertion
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i != 4;
}
