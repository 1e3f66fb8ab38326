// lariat verify
// expect: bug 19:3 assertion
// trace: 12 entry main
// trace: 15 i := 0;  i = 0
// trace: 16 i < 3 is true
// trace: 17 i := i + 1;  i = 1
// trace: 16 i < 3 is true
// trace: 17 i := i + 1;  i = 2
// trace: 16 i < 3 is true
// trace: 17 i := i + 1;  i = 3
// trace: 19 assert i < 3;  i = 3
procedure main()
{
  var i: int;
  i := 0;
  while (i < 3) {
    i := i + 1;
  }
  assert i < 3;
}
