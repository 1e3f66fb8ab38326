// lariat verify
// expect: bug 11:1 postcondition
var g: int;
procedure step()
  modifies g;
  ensures g > old(g);
{
  if (g != 5) {
    g := g + 1;
  }
}
procedure main()
  modifies g;
{
  call step();
}
