// The solver leaves the bits of a NaN open.
// lariat verify
// expect: bug 7:3 assertion
procedure main(x: float24e8, y: float24e8)
{
  assume !(x < y) && !(y < x);
  assert x == y;
}
