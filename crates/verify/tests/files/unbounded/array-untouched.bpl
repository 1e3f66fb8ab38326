// What is outside of the written part stays as it was.
// lariat verify --bound 2
// expect: bounded(2): loop in main 11:10
// expect: warning 6:11 completed-modifies
var a: [int]int;
procedure main(n: int)
{
  var i: int;
  a[-1] := 5;
  i := 0;
  while (i < n) {
    a[i] := i;
    i := i + 1;
  }
  assert a[-1] == 5;
}
