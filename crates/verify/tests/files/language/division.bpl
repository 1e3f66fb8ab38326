// Division rounds such that the rest is never negative.
// lariat verify
// expect: proved
procedure main(x: int)
{
  assert (-7) div 2 == -4 && (-7) mod 2 == 1;
  assert 7 div (-2) == -3 && 7 mod (-2) == 1;
  assert x == 3 * (x div 3) + x mod 3;
}
