// The maximum is not less than any element that was seen.
// lariat verify --bound 2
// expect: bounded(2): loop in main 10:10
procedure main(a: [int]int, n: int, k: int)
{
  var i, max: int;
  assume 0 <= k && k < n;
  max := a[0];
  i := 0;
  while (i < n) {
    if (a[i] > max) { max := a[i]; }
    i := i + 1;
  }
  assert a[k] <= max;
}
