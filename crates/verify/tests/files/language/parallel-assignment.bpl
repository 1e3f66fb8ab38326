// lariat verify
// expect: proved
procedure main(x: int, y: int)
{
  var a: int;
  var b: int;
  var m: [int]int;
  var n: [int]int;
  a, b := x, y;
  a, b := b, a;
  assert a == y && b == x;
  m[0], n[0], a := 1, 2, 3;
  assert m[0] + n[0] == a;
}
