// lariat verify
// expect: proved
procedure main(x: real)
{
  assume x > 0.0;
  assert x / 2.0 < x;
  assert real(3) / 2.0 == 1.5;
  assert int(2.9) == 2;
}
