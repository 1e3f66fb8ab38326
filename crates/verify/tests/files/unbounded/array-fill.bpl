// After a fill the element that was looked at has the value.
// lariat verify --bound 2
// expect: bounded(2): loop in main 11:10
// expect: warning 6:11 completed-modifies
var a: [int]int;
procedure main(n: int, k: int)
{
  var i: int;
  assume 0 <= k && k < n;
  i := 0;
  while (i < n) {
    a[i] := 7;
    i := i + 1;
  }
  assert a[k] == 7;
}
