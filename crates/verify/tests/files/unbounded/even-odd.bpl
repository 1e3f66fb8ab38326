// Even and odd by mutual recursion: the answer fits the parity of the argument.
// lariat verify --bound 2
// expect: bounded(2): recursion of even
procedure even(n: int) returns (r: bool)
{
  r := true;
  if (n > 0) { call r := odd(n - 1); }
}
procedure odd(n: int) returns (r: bool)
{
  r := false;
  if (n > 0) { call r := even(n - 1); }
}
procedure main(n: int)
{
  var r: bool;
  assume n >= 0;
  call r := even(n);
  assert r ==> n mod 2 == 0;
}
