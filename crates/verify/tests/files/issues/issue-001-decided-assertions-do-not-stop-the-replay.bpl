// With --all the replay stopped at an assertion that was decided before, again and again.
// lariat verify --all
// expect: bug 7:16 assertion first
// expect: bug 8:3 assertion second
procedure main(x: int)
{
  if (x > 0) { assert {:id "first"} x != 4; }
  assert {:id "second"} x < 4;
}
