// The postcondition is enough, so the recursion does not matter.
// lariat verify
// expect: proved
procedure p(n: int) returns (r: int)
  free ensures r >= 0;
{
  r := 0;
  if (n > 0) { call r := p(n - 1); r := r + 1; }
}
procedure main(n: int)
{
  var x: int;
  call x := p(n);
  assert x >= 0;
}
