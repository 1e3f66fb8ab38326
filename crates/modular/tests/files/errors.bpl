// flags: -proc:Many -proc:L*
// (10,3): Error: this assertion could not be proved
// (11,3): Error: too small
// (18,1): Error: a postcondition could not be proved on this return path
// (17,24): Related location: this is the postcondition that could not be proved
// finished with 0 verified, 3 errors

procedure Many(x: int)
{
  assert x > 0;
  assert {:msg "too small"} x > 1;
}

procedure Other() { assert false; }
procedure {:verify false} Left() { assert false; }

procedure Last(x: int) ensures x > 0; {
}
