// lariat verify
// expect: proved
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    free invariant i < 2;
  {
    i := i + 1;
    assert i < 3;
  }
}
