// Every access of a scan is within the bounds.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(a: [int]int, n: int)
{
  var i, sum: int;
  assume n >= 0;
  i := 0;
  sum := 0;
  while (i != n) {
    assert 0 <= i && i < n;
    sum := sum + a[i];
    i := i + 1;
  }
}
