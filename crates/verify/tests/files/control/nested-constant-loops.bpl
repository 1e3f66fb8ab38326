// lariat verify
// expect: proved
procedure main()
{
  var i: int;
  var j: int;
  var n: int;
  i := 0;
  n := 0;
  while (i < 4) {
    j := 0;
    while (j < 3) {
      n := n + 1;
      j := j + 1;
    }
    i := i + 1;
  }
  assert n == 12;
}
