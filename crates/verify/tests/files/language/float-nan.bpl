// A NaN is not equal to itself.
// lariat verify
// expect: bug 6:3 assertion
procedure main(x: float24e8)
{
  assert x == x;
}
