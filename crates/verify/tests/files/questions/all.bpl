// lariat verify --all
// expect: bug 13:3 precondition
// expect: bug 14:3 assertion late
// expect: bug 8:3 assertion inner
procedure p(a: int)
  requires a != 3;
{
  assert {:id "inner"} a != 4;
}
procedure main(x: int)
{
  assert {:id "always"} x == x;
  call p(x);
  assert {:id "late"} x < 100;
}
