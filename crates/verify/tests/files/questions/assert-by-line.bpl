// lariat verify --assert 5
// expect: proved
procedure main(x: int)
{
  assert x == x;
  assert x > 0;
}
