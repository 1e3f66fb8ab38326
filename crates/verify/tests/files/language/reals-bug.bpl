// lariat verify
// expect: bug 6:3 assertion
procedure main(x: real, y: real)
{
  assume x + y == 1.5;
  assert x < 1.5;
}
