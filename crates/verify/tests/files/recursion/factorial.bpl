// lariat verify
// expect: bug 16:3 assertion
procedure factorial(n: int) returns (r: int)
{
  if (n <= 1) {
    r := 1;
  } else {
    call r := factorial(n - 1);
    r := n * r;
  }
}
procedure main()
{
  var x: int;
  call x := factorial(3);
  assert x != 6;
}
