// (12,11): Error: the precondition for unpack could not be proved
// finished with 2 verified, 1 error

datatype Shape { Dot(), Box(w: int, h: int) }

procedure Knows(s: Shape) requires s is Box; { var w, h: int; Box(w, h) := s; assert s == Box(w, h); }

// Values of floats are compared as values: zero is not minus zero.
procedure Floats() { assert 0x0.0e0f24e8 != -0x0.0e0f24e8; }
procedure {:inline 0} Unused() { assert false; }
procedure Hopes(s: Shape) { var w, h: int;
Box(w, h) := s; }
