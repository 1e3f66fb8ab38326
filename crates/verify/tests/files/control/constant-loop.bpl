// Twenty rounds, whatever the bound.
// lariat verify
// expect: proved
procedure main()
{
  var i: int;
  var sum: int;
  i := 0;
  sum := 0;
  while (i < 20) {
    sum := sum + i;
    i := i + 1;
  }
  assert sum == 190;
}
