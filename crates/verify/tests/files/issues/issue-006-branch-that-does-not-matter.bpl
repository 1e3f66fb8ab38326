// Which way a branch without effect goes is up to the replay, and only one is possible.
// lariat verify
// expect: bug 5:1 entry-returns
var g: int;
procedure main(x: int)
{
  var y: int;
  y := x;
  if (y + g < g) {
  }
  assume x != 3 && x > -1;
}
