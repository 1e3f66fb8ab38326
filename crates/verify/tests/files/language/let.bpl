// lariat verify
// expect: proved
procedure main(x: int)
{
  var y: int;
  y := (var a, b := x + 1, x - 1; a * a - b * b);
  assert (var z := 2 * x; y == z + z);
}
