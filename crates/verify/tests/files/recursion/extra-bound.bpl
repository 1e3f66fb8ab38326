// The procedure may be active three times more than the bound says.
// lariat verify --bound 1
// expect: bug 16:3 assertion
procedure {:SIextraRecBound 3} deep(n: int) returns (r: int)
{
  r := 0;
  if (n > 0) {
    call r := deep(n - 1);
    r := r + 1;
  }
}
procedure main()
{
  var x: int;
  call x := deep(3);
  assert x != 3;
}
