// lariat verify
// expect: proved
// expect: warning 4:1 vacuous
procedure main(x: int)
{
  assert x == x;
  while (true) { }
}
