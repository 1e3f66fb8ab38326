// (15,3): Error: this loop invariant could not be proved on entry
// (20,3): Error: this assertion could not be proved
// finished with 0 verified, 2 errors

// The region of B and C is entered at both.
procedure Region(j: int) {
  var i: int;
  i := 1;
  goto A, C;
A:
  assume j > 0;
  goto B;
B:
  assert i > 0;
  assert j > 0;
  goto C, D;
C: i := i + 1; goto B;
D:
  assert j > 0;
  assert i == 1;
}
