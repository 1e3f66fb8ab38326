// lariat verify
// expect: proved
var g: int;
procedure inc()
  modifies g;
  ensures g == old(g) + 1;
{
  g := g + 1;
}
procedure main()
  modifies g;
  ensures old(g) + 2 == g;
{
  call inc();
  assert old(g) + 1 == g;
  call inc();
}
