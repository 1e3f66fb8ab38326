// lariat verify
// expect: bug 17:3 assertion
procedure even(n: int) returns (r: bool)
{
  r := true;
  if (n != 0) { call r := odd(n - 1); }
}
procedure odd(n: int) returns (r: bool)
{
  r := false;
  if (n != 0) { call r := even(n - 1); }
}
procedure main()
{
  var r: bool;
  call r := even(4);
  assert !r;
}
