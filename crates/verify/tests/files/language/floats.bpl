// lariat verify
// expect: proved
procedure main(x: float24e8)
{
  var y: float24e8;
  y := 0x1.0e0f24e8;
  assert y == y;
  assert y < y + y;
}
