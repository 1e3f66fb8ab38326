// lariat verify
// expect: proved
var g: int;
procedure external();
  modifies g;
  ensures g >= old(g);
procedure main()
  modifies g;
{
  g := 1;
  call external();
  assert g > 0;
}
