// Both loops count into one variable, which only grows.
// lariat verify --bound 2
// expect: bounded(2): loop in main 11:10
// expect: warning 6:11 completed-modifies
var total: int;
procedure main(n: int)
{
  var i, j: int;
  total := 0;
  i := 0;
  while (i < n) {
    j := 0;
    while (j < i) {
      total := total + 1;
      j := j + 1;
    }
    i := i + 1;
  }
  assert total >= 0;
}
