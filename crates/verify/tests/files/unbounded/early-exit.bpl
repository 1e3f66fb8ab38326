// A loop with two ways out.
// lariat verify --bound 2
// expect: bounded(2): loop in main 9:10
procedure main(n: int, a: [int]bool)
{
  var i: int;
  assume n >= 0;
  i := 0;
  while (true) {
    if (i >= n) { break; }
    if (a[i]) { break; }
    i := i + 1;
  }
  assert i <= n;
  assert i < n ==> a[i];
}
