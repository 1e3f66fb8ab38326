// flags: -errorLimit:2 -proc:Many -proc:L*
// (11,3): Error: this assertion could not be proved
// (12,3): Error: too small
// (20,39): Error: a postcondition could not be proved on this return path
// (20,23): Related location: this is the postcondition that could not be proved
// finished with 0 verified, 3 errors

// At most two for each procedure.
procedure Many(x: int)
{
  assert x > 0;
  assert {:msg "too small"} x > 1;
  assert x < 1000;
  assert x != 7;
}

procedure Other() { assert false; }
procedure {:verify false} Left() { assert false; }

procedure Last(x: int) ensures x > 0; {
}
