// Division by zero has some value, and it is the same each time.
// lariat verify
// expect: bug 9:3 assertion
procedure main(x: int)
{
  var y: int;
  y := x div 0;
  assert y == x div 0;
  assert y != 5;
}
