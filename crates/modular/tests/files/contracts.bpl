// (20,3): Error: a precondition for this call could not be proved
// (12,3): Related location: this is the precondition that could not be proved
// (29,3): Error: a postcondition could not be proved on this return path
// (24,3): Related location: this is the postcondition that could not be proved
// (37,3): Error: this assertion could not be proved
// finished with 2 verified, 3 errors

var g: int;

// A `free requires` is assumed by the body and means nothing at a call.
procedure Half(x: int) returns (y: int)
  requires x >= 0;
  free requires x != 7;
  ensures y + y <= x;
{
  assert x != 7;
  y := x div 2;
}
procedure Caller() { var y: int;
  call y := Half(g);
}

procedure Two(b: bool) returns (r: int)
  ensures r > 0;
{
  if (b) {
    r := 1;
  } else {
  }
}

procedure Modifies() modifies g;
  ensures g == old(g) + 1;
{ g := g + 1; }

procedure Frame() modifies g; { var h: int; h := g; call Modifies(); assert g == h + 1;
  assert g == h + 2;
}
