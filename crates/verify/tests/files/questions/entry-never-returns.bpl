// lariat verify
// expect: proved
procedure main(x: int)
{
  assume x > 3;
  assume x < 4;
}
