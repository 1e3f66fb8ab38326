// The inner loop starts at the outer counter.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:12
procedure main(n: int)
{
  var i, j: int;
  i := 0;
  while (i < n) {
    j := i;
    while (j < n) {
      assert 0 <= j;
      assert i <= j;
      j := j + 1;
    }
    i := i + 1;
  }
}
