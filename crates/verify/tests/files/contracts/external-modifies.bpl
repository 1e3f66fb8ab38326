// lariat verify
// expect: bug 14:3 assertion
var g: int;
var h: int;
procedure external();
  modifies g;
procedure main()
  modifies g, h;
{
  g := 1;
  h := 1;
  call external();
  assert h == 1;
  assert g == 1;
}
