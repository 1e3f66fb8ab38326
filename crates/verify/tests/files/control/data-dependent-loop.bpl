// lariat verify --bound 3
// expect: bounded(3): loop in main 7:10
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert n >= 0 ==> i == n;
}
