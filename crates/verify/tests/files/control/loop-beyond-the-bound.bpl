// The failure needs four rounds.
// lariat verify --bound 2
// expect: bounded(2): loop in main 8:10
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert i != 4;
}
