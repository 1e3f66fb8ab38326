// lariat verify
// expect: proved
procedure main(x: int)
  requires x > 3;
{
  assert x > 2;
}
