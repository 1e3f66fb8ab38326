// lariat verify
// expect: bug 9:3 assertion
procedure main()
{
  var x: int;
  x := 0;
  if (*) { x := x + 1; }
  if (*) { x := x + 1; } else if (*) { x := x + 5; } else { x := x + 9; }
  assert x != 6;
}
