// lariat verify
// expect: proved
procedure swap(a: int, b: int) returns (c: int, d: int)
{
  c, d := b, a;
}
procedure main(x: int, y: int)
{
  var p: int;
  var q: int;
  p, q := x, y;
  call p, q := swap(p, q);
  assert p == y && q == x;
}
