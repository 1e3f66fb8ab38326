// lariat verify
// expect: proved
datatype Pair { Pair(left: int, right: int) }
procedure main(p: Pair)
{
  var x: int;
  var y: int;
  Pair(x, y) := p;
  assert Pair(x, y) == p;
}
