// lariat verify
// expect: bug 11:3 precondition
procedure divide(a: int, b: int) returns (r: int)
  requires b != 0;
{
  r := a div b;
}
procedure main(x: int, y: int)
{
  var r: int;
  call r := divide(x, y);
}
