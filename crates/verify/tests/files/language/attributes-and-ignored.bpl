// lariat verify
// expect: proved
// expect: warning 10:3 ignored
// expect: warning 11:3 ignored
// expect: warning 12:3 ignored
// expect: warning 13:3 ignored
procedure main(x: int)
{
  assert {:id "a"} {:msg "never"} x == x;
  hide *;
  push;
  reveal *;
  pop;
}
