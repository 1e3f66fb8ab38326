// A loop ends exactly at its bound.
// lariat verify --bound 2
// expect: bounded(2): loop in main 9:10
procedure main(n: int)
{
  var i: int;
  assume n >= 0;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i == n;
}
