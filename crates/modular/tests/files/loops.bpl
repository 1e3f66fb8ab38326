// (10,5): Error: this loop invariant could not be proved on entry
// (19,13): Error: this invariant could not be proved to be maintained by the loop
// (31,3): Error: this assertion could not be proved
// finished with 1 verified, 3 errors

procedure Entry(n: int) {
  var i: int;
  i := 0 - 1;
  while (i < n)
    invariant 0 <= i;
  {
    i := i + 1;
  }
}

procedure Kept() {
  var i: int;
  i := 0;
  while (*) invariant i <= 3;
  {
    i := i + 1;
  }
}

// A loop without an invariant is cut, too; a free one is assumed only.
procedure Cut() {
  var i, j: int;
  i, j := 0, 5;
  while (i < 10) free invariant i <= 10; { i := i + 1; }
  assert i == 10 && j == 5;
  assert false;
}

// `goto` makes loops; what stands at their head is their invariant.
procedure Jumps(n: int) {
  var i: int;
  i := 0;
  Head:
    assert 0 <= i;
    i := i + 1;
    goto Head, Done;
  Done:
    assert i > 0;
}
