// The recursive call is there, but no execution makes it.
// lariat verify
// expect: proved
procedure p(n: int) returns (r: int)
{
  r := 1;
  if (n > 10) { call r := p(n - 1); }
}
procedure main()
{
  var x: int;
  call x := p(4);
  assert x == 1;
}
