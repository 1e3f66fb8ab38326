// (20,3): Error: this assertion could not be proved
// finished with 2 verified, 1 error

var g: int where g >= 0;

procedure Havocs() modifies g; {
  var i: int where i > 3;
  assert g >= 0 && i > 3;
  havoc g, i;
  assert g >= 0 && i > 3;
  while (*) { havoc g; i := i + 1; }
  assert g >= 0 && i > 3;
}

procedure Callee(x: int where x > 0) returns (y: int where y > 0);

// The `where` clause of a parameter is no precondition, that of a result is known.
procedure Calls() { var y: int; call y := Callee(0 - 1); assert y > 0; }
procedure Assigns() modifies g; { g := 0 - 1;
  assert g >= 0;
}
