// lariat verify
// expect: bug 12:3 assertion
// trace: 8 entry main
// trace: 11 call x := read();  x = 8
// trace: 12 assert x != 8;  x = 8
procedure read() returns (r: int);
  ensures r == 8;
procedure main()
{
  var x: int;
  call x := read();
  assert x != 8;
}
