// What a search finds is there, and within the array.
// lariat verify --bound 2
// expect: bounded(2): loop in main 9:10
procedure main(a: [int]int, n: int, x: int)
{
  var i, found: int;
  i := 0;
  found := -1;
  while (i < n && found < 0) {
    if (a[i] == x) { found := i; }
    i := i + 1;
  }
  assert found < n || n <= 0;
  assert found >= 0 ==> a[found] == x;
}
