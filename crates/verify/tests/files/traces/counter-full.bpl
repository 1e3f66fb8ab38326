// lariat verify --full-trace
// expect: bug 15:3 assertion
// trace: 8 entry main
// trace: 12 x := 1;  x = 1
// trace: 13 unrelated := 4;  unrelated = 4
// trace: 14 x := x + 2;  x = 3
// trace: 15 assert x != 3;  x = 3
procedure main()
{
  var x: int;
  var unrelated: int;
  x := 1;
  unrelated := 4;
  x := x + 2;
  assert x != 3;
}
