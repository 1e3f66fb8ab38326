// Two counters that are increased together stay equal.
// lariat verify --bound 2
// expect: bounded(2): loop in main 9:10
procedure main(n: int)
{
  var i, j: int;
  i := 0;
  j := 0;
  while (i < n) {
    i := i + 1;
    j := j + 1;
  }
  assert i == j;
}
