// What one thread alone uses after it has started needs no copies, so that the number of contexts does not matter.
// lariat verify --contexts 1
// expect: proved
var x, y: int;
procedure task() modifies x; { x := x + 1; assert x == 1; }
procedure main()
  modifies x, y;
{
  x := 0;
  async call task();
  y := 5;
  assert y == 5;
}
