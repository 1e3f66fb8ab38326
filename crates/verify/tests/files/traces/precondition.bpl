// lariat verify
// expect: bug 16:3 precondition small
// trace: 11 entry main
// trace: 14 x := 2;  x = 2
// trace: 15 x := x + 1;  x = 3
// trace: 16 call p(x);  x = 3
procedure p(a: int)
  requires {:id "small"} a < 3;
{
}
procedure main()
{
  var x: int;
  x := 2;
  x := x + 1;
  call p(x);
}
