// A counter that goes down never gets below zero.
// lariat verify --bound 2
// expect: bounded(2): loop in main 9:10
procedure main(n: int)
{
  var i: int;
  assume n >= 0;
  i := n;
  while (i > 0) {
    i := i - 1;
  }
  assert i == 0;
}
