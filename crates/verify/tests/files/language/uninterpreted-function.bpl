// The function may be any, but it is a function.
// lariat verify
// expect: bug 8:3 assertion
function f(x: int): int;
procedure main(x: int, y: int)
{
  assert x == y ==> f(x) == f(y);
  assert f(x) == f(y) ==> x == y;
}
