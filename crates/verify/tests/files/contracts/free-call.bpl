// A free call checks no precondition; the body may still fail.
// lariat verify
// expect: bug 7:3 assertion
procedure p(a: int)
  requires a > 0;
{
  assert a > 1;
}
procedure main(x: int)
{
  free call p(x);
}
