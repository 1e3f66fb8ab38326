// A thread that waits for ever does not keep the others from failing.
// lariat verify --contexts 2 --bound 1
// expect: bug 11:3 assertion
var x: int;
procedure waits() { assume x == 7; }
procedure main()
  modifies x;
{
  x := 0;
  async call waits();
  assert x == 1;
}
