// lariat verify
// expect: bug 8:5 invariant-maintained
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    invariant i <= 2;
  {
    i := i + 1;
  }
}
