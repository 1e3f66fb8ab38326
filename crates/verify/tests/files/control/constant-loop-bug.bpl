// lariat verify
// expect: bug 13:3 assertion
procedure main(x: int)
{
  var i: int;
  var y: int;
  i := 10;
  y := x;
  while (i > 0) {
    y := y + 1;
    i := i - 2;
  }
  assert y != 100;
}
