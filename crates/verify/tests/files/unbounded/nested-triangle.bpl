// The inner loop starts at the outer counter.
// lariat verify --bound 2
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
