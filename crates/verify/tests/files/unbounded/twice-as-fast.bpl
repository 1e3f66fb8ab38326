// One counter makes two steps where the other makes one.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(n: int)
{
  var i, x: int;
  assume n >= 0;
  i := 0;
  x := 0;
  while (i < n) {
    i := i + 1;
    x := x + 2;
  }
  assert x == 2 * n;
}
