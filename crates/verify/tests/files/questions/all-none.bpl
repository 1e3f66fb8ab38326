// lariat verify --all
// expect: proved
procedure main(x: int)
{
  assume x > 0;
  assert x > 0;
  assert x >= 0;
}
