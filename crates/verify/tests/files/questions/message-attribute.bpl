// lariat verify
// expect: bug 5:3 assertion even
procedure main(x: int)
{
  assert {:msg "x must be even"} {:id "even"} x mod 2 == 0;
}
