// lariat verify --assert second
// expect: bug 6:3 assertion second
procedure main(x: int)
{
  assert {:id "first"} x != 1;
  assert {:id "second"} x != 2;
}
