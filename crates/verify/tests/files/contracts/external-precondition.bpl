// lariat verify
// expect: bug 8:3 precondition
procedure external(a: int);
  requires a > 0;
procedure main(x: int)
{
  assume x >= 0;
  call external(x);
}
