// lariat verify
// expect: bug 8:3 assertion
procedure main()
{
  var x: int;
  x := 0;
  while (*) { x := x + 1; }
  assert x < 2;
}
