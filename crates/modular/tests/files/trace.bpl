// (9,5): Error: this assertion could not be proved
// finished with 0 verified, 1 error
procedure P(x: int)
{
  var y: int;
  y := x;
  if (x == 7) {
    assume {:print "the value is ", y} true;
    assert y < 7;
  } else {
    assert y != 7;
  }
}
