// (14,3): Error: this assertion could not be proved
// finished with 1 verified, 1 error

procedure {:inline 1} Add(x: int) returns (y: int)
{
  var t: int;
  t := x + 1;
  y := t;
}

procedure Uses() {
  var a: int;
  call a := Add(2); assert a == 3;
  assert a == 4;
}

// Deeper than the attribute says, nothing is executed.
procedure {:inline 2} Down(n: int) { if (n > 0) { call Down(n - 1); assert false; } }
procedure Deep() { call Down(5); }
