// After a fill the element that was looked at has the value.
// lariat verify --bound 2
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
