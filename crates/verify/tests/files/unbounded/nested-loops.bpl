// An inner loop that does not touch the outer counter.
// lariat verify --bound 2
// expect: bounded(2): loop in main 9:10, loop in main 11:12
procedure main(n: int, m: int)
{
  var i, j: int;
  assume n >= 0 && m >= 0;
  i := 0;
  while (i < n) {
    j := 0;
    while (j < m) {
      j := j + 1;
    }
    assert j == m;
    i := i + 1;
  }
  assert i == n;
}
