// lariat verify
// expect: bug 11:3 assertion
procedure p(a: int) returns (r: int)
{
  r := a;
}
procedure main()
{
  var x: int;
  call x := p(*);
  assert x != 3;
}
