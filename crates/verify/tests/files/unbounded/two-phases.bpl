// First up to the bound, then back again.
// lariat verify --bound 2
// expect: bounded(2): loop in main 9:10, loop in main 13:10
procedure main(n: int)
{
  var x: int;
  assume n >= 0;
  x := 0;
  while (x < n) {
    x := x + 1;
  }
  assert x == n;
  while (x > 0) {
    x := x - 1;
  }
  assert x == 0;
}
