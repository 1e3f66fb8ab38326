// Steps of two keep a number even.
// lariat verify --bound 2
// expect: bounded(2): loop in main 8:3
procedure main()
{
  var x: int;
  x := 0;
  while (*) {
    x := x + 2;
  }
  assert x != 7;
}
