// Contradictory assumptions: not even the start is reached.
// run: --runs 0
//   0 of 3 reached
//   dead 7 Main: no execution enters it
//   dead 11 x == 1 is true: `Main` is never entered
//   dead 11 x == 1 is false: `Main` is never entered
procedure {:entrypoint} Main(x: int)
{
  assume x > 3;
  assume x < 2;
  if (x == 1) {
    assert x > 0;
  }
}
