// (14,3): Error: this assertion could not be proved
// (16,3): Error: this assertion could not be proved
// (22,3): Error: a postcondition could not be proved on this return path
// (19,3): Related location: this is the postcondition that could not be proved
// (25,5): Error: this assertion could not be proved
// finished with 0 verified, 4 errors
procedure P(x: int, y: int)
{
  assume x > 0;
  assert x > -1;
  assert {:isolate} x >= 1;
  assume {:split_here} y > x;
  assert y > 1;
  assert y > 2;
  assert {:isolate} y > 2;
  assert {:split_here} y > 3;
}
procedure Q(x: int) returns (y: int)
  ensures y > 0;
{
  y := x;
  if (x > 5) {
    assume {:focus} true;
    assert y > 5;
    assert y > 6;
  }
}
