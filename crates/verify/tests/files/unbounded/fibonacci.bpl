// The numbers of Fibonacci do not shrink.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(n: int)
{
  var i, x, y, t: int;
  i := 0;
  x := 0;
  y := 1;
  while (i < n) {
    t := x + y;
    x := y;
    y := t;
    i := i + 1;
  }
  assert x >= 0;
  assert y >= 1;
}
