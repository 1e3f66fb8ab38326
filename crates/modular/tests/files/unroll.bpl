// flags: -loopUnroll:3
// (10,3): Error: this assertion could not be proved
// finished with 1 verified, 1 error

// Executions with more rounds are left out.
procedure Three() {
  var i: int;
  i := 0;
  while (*) { i := i + 1; }
  assert i < 3;
}
procedure Four() { var i: int; i := 0; while (*) { i := i + 1; } assert i < 4; }
