// lariat verify
// expect: proved
// expect: warning 4:1 vacuous
procedure main(x: int)
{
  assume x > 0;
  assume x < 0;
  assert x == 17;
}
