// lariat verify
// expect: proved
procedure main()
{
  var i: int;
  var j: int;
  i := 0;
  outer: while (i < 3) {
    j := 0;
    while (true) {
      if (j == 2) { break outer; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i == 0 && j == 2;
}
