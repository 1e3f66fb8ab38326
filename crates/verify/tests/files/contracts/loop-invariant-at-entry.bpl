// lariat verify
// expect: bug 8:5 invariant-entry
procedure main(i: int)
{
  var j: int;
  j := i;
  while (j < 3)
    invariant j >= 0;
  {
    j := j + 1;
  }
}
